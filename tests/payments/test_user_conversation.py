"""What the scripted customer tells, approves and changes its mind about."""

import pytest
from bizgym.envs.core.errors import ToolRefused
from bizgym.envs.payments.checks.monitors import terms_hash
from bizgym.envs.payments.checks.spec import CheckSpec, judge

from tests.payments.bank import BASE, usd
from tests.payments.customer import (
    KINDS,
    RULES,
    SIXTY,
    Approval,
    Consent,
    Evidence,
    asks,
    offer,
    refuses,
    states,
    talk,
)

OPEN_FACT = {"fact": "beneficiary", "value": "ACC-2"}
CAP = {"fact": "fee_cap/ACC-1", "value": {"minor": 5_050, "currency": "USD"}}


def told(reply):
    return [each["fact"] for each in reply.facts]


def test_open_facts_come_with_the_first_answer_and_only_then():
    customer, _ = talk()
    assert customer.message("Good morning.").facts == (OPEN_FACT,)
    assert customer.message("Thank you.", statements=states("payment_speed", "instant")).facts == ()


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("fees", ["fee_bearer"]),
        ("fee_bearer", ["fee_bearer"]),
        ("fee_cap", ["fee_cap/ACC-1"]),
        ("fee_cap/ACC-1", ["fee_cap/ACC-1"]),
        ("fee_cap/ACC-7", []),
        ("exchange", ["rate_tolerance"]),
        ("accounts", []),
        ("own_balance", ["own_balance"]),
        ("payment_deadline", []),
        ("payment_speed", ["payment_speed"]),
        ("guarantee", []),
    ],
)
def test_what_is_told_follows_the_disclosure_rules(ref, expected):
    customer, _ = talk()
    customer.message("Good morning.")
    assert told(customer.message("One question.", asks(ref))) == expected


def test_nothing_on_the_card_and_not_yet_sound_the_same():
    customer, _ = talk()
    customer.message("Good morning.")
    unknown = customer.message("?", asks("guarantee")).text
    early = customer.message("?", asks("payment_deadline")).text
    assert unknown.replace("guarantee", "X") == early.replace("payment deadline", "X") == "I have nothing for you on X."


def test_what_was_asked_too_early_is_told_after_its_event():
    customer, engine = talk()
    assert told(customer.message("?", asks("payment_deadline"))) == ["beneficiary"]
    offer(engine)
    reply = customer.message("Done so far.")
    assert reply.facts == ({"fact": "payment_deadline", "value": 540},)
    assert reply.text == "Payment deadline: minute 540."


def test_a_fact_of_the_own_account_is_what_the_account_shows_then():
    customer, engine = talk()
    engine.call(
        "transfer_send", {"source": "ACC-1", "target": "ACC-2", "amount": usd(2_500).to_json(), "speed": "batch"}
    )
    (balance,) = [each for each in customer.message("?", asks("own_balance")).facts if each["fact"] == "own_balance"]
    assert balance["value"] == {"minor": 7_500, "currency": "USD"}
    assert "view_own_account" in [event.name for event in engine.log]


def test_papers_are_handed_in_one_at_a_time_in_order():
    customer, engine = talk()
    first = customer.message("Please send a signed mandate.")
    second = customer.message("It has lapsed.", asks("signed_mandate"))
    third = customer.message("Another one?", asks("signed_mandate"))
    assert [each.evidence for each in (first, second, third)] == [
        ({"evidence": "signed_mandate", "record": "EVD-1"},),
        ({"evidence": "signed_mandate", "record": "EVD-2"},),
        (),
    ]
    assert [each.valid_until for each in engine.world.all(Evidence)] == [30, 9_000]


def test_an_approval_is_bound_to_the_terms_that_were_seen():
    customer, engine = talk()
    request = offer(engine, 5_000)
    reply = customer.message("Do you approve?", asks(request, kind="approval"))
    assert reply.decisions == ({"request": request, "decision": "approved", "approval": "APV-1"},)
    digest = terms_hash(["ACC-2", usd(5_000)])
    assert engine.world.get(Approval, "APV-1").terms == digest
    (seen,) = [event for event in engine.log if event.name == "view_request_terms"]
    assert (seen.actor.value, seen.result["digest"]) == ("user", digest)


def test_the_check_of_approvals_finds_terms_that_were_changed_afterwards():
    approved = {
        "event": "offer_carry_out",
        "approval": "APV-1",
        "terms": [{"field": ["REQ-1", "target"]}, {"field": ["REQ-1", "fee"]}],
    }
    spec = CheckSpec(id="P1", kind="process", text="The customer approved these terms.", form={"approved": approved})
    for changed in (False, True):
        customer, engine = talk()
        offer(engine, 5_000)
        customer.message("Do you approve?", asks("REQ-1", kind="approval"))
        if changed:
            engine.call("offer_change", {"offer": "REQ-1", "fee": usd(5_001).to_json()})
        engine.call("offer_carry_out", {"offer": "REQ-1"})
        (found,) = judge([spec], BASE, engine.log, RULES, KINDS)
        assert found.passed is not changed


@pytest.mark.parametrize(
    ("minor", "target", "reason"),
    [(5_050, "ACC-2", ""), (5_051, "ACC-2", "fee_too_high"), (1, "ACC-1", "wrong_beneficiary")],
)
def test_a_decision_rests_on_the_terms_and_not_on_what_is_said_of_them(minor, target, reason):
    customer, engine = talk()
    request = offer(engine, minor, target)
    reply = customer.message(
        "It costs USD 1.00 and goes to ACC-2, as agreed. Do you approve?", asks(request, kind="approval")
    )
    (decision,) = reply.decisions
    assert decision.get("reason", "") == reason
    assert decision["decision"] == ("rejected" if reason else "approved")


def test_a_request_is_decided_once():
    customer, engine = talk()
    request = offer(engine, 9_900)
    assert customer.message("Approve?", asks(request, kind="approval")).decisions[0]["reason"] == "fee_too_high"
    again = customer.message("Approve now?", asks(request, kind="approval"))
    assert (again.decisions, again.text) == ((), f"{request} is no longer open.")


def test_a_change_of_mind_takes_its_time_raises_the_cap_and_gives_the_consent():
    customer, engine = talk()
    customer.message("What is the fee cap?")
    request = offer(engine, 6_000, purpose="fee")
    before = engine.now
    reply = customer.message("The fee has gone up.", asks(request, kind="approval"))
    assert (reply.minutes, engine.now - before) == (9, 9)
    assert reply.consents == ({"subject": "ACC-2", "cap": SIXTY, "request": request, "consent": "CON-1"},)
    assert reply.facts == ({"fact": "fee_cap/ACC-1", "value": SIXTY},)
    assert reply.text.startswith("We have talked it over and can pay more. I consent to at most USD 60.00 for ACC-2.")
    payment = offer(engine, 6_000)
    assert customer.message("And this?", asks(payment, kind="approval")).decisions[0]["decision"] == "approved"
    assert "talked it over" not in customer.message("Thanks.").text


@pytest.mark.parametrize("minor", [5_999, 6_001])
def test_other_terms_change_no_mind(minor):
    customer, engine = talk()
    request = offer(engine, minor, purpose="fee")
    reply = customer.message("The fee has gone up.", asks(request, kind="approval"))
    assert (reply.consents, reply.decisions[0]["reason"], reply.minutes) == ((), "fee_too_high", 2)


def test_what_is_brought_about_by_an_act_takes_effect_in_its_own_time():
    later = {"id": "later", "when": "account_close", "latency_minutes": 100, "facts": {"cap": SIXTY}}
    customer, engine = talk(changes=[later])
    customer.message("What is the fee cap?")
    engine.call("account_close", {"account": "ACC-7"})
    soon = customer.message("And now?", asks("fee_cap"))
    assert (soon.facts, soon.minutes) == ((CAP,), 2)
    engine.run_until(103)
    assert customer.message("And now?").facts == ({"fact": "fee_cap/ACC-1", "value": SIXTY},)


def test_an_ask_that_stands_twice_is_asked_once():
    customer, engine = talk()
    customer.message("Both?", asks("fee_cap", "fee_cap", "fees"))
    asked = [event.arguments for event in engine.log if event.name == "asked_user"]
    assert asked == [{"kind": "fact", "ref": "fee_cap"}, {"kind": "fact", "ref": "fees"}]


def test_a_consent_is_taken_back_when_something_has_happened():
    customer, engine = talk()
    request = offer(engine, 100, purpose="fee")
    customer.message("Consent?", asks(request, kind="approval"))
    engine.call("account_close", {"account": "ACC-7"})
    assert customer.message("A change.").consents == ({"subject": "ACC-2", "revoked": ["CON-1"]},)
    assert engine.world.get(Consent, "CON-1").state == "revoked"
    assert customer.message("Thanks.").consents == ()


def test_a_wish_falls_back_when_the_agent_says_that_it_cannot_be():
    customer, _ = talk()
    assert customer.message("?", asks("payment_speed", kind="choice")).facts[1]["value"] == "instant"
    reply = customer.message(
        "That is not to be had.", asks("payment_speed", kind="choice"), states("payment_speed", "none")
    )
    assert reply.facts == ({"fact": "payment_speed", "value": "batch"},)


def test_a_wish_with_nothing_left_is_given_up():
    gone = {"event": "refused_request", "where": {"eq": [{"arg": "request"}, "payout"]}}
    wish = {
        "id": "speed",
        "kind": "payment_speed",
        "request": "payout",
        "preferences": [{"value": "instant", "until": gone}],
    }
    customer, _ = talk(wishes=[wish])
    reply = customer.message("We cannot.", asks("payment_speed"), refusals=refuses("payout", "policy_forbids"))
    assert {"fact": "payment_speed", "value": None} in reply.facts
    assert "I no longer ask for any payment speed." in reply.text


@pytest.mark.parametrize(("value", "word"), [(SIXTY, "No."), ({"minor": 5_050, "currency": "USD"}, "Yes.")])
def test_a_value_is_confirmed_or_denied(value, word):
    customer, _ = talk()
    customer.message("Good morning.")
    reply = customer.message("Right?", asks("fee_cap", kind="confirm"), states("fee_cap", value))
    assert reply.text == f"{word} Fee cap for ACC-1: USD 50.50."


def test_statements_and_refusals_are_the_events_that_checks_look_at():
    customer, engine = talk()
    customer.message("So it is.", (), states("fee_bearer", SIXTY), refuses("backdating", "statute_forbids"))
    forms = [
        {"told_user": {"fact": "fee_bearer", "value": SIXTY}},
        {"refused": {"request": "backdating", "reason": "statute_forbids"}},
        {"refused": {"request": "backdating", "reason": "policy_forbids"}},
    ]
    specs = [CheckSpec(id=f"G{k + 1}", kind="goal", text="Said so.", form=form) for k, form in enumerate(forms)]
    assert [each.passed for each in judge(specs, BASE, engine.log, RULES, KINDS)] == [True, True, False]


def test_what_is_told_of_a_record_keeps_a_check_that_names_none():
    customer, engine = talk()
    customer.message("So it is.", (), states("fee_cap/ACC-1", 7))
    facts = ("fee_cap", "fee_cap/ACC-1", "fee_cap/ACC-2", "fee")
    specs = [
        CheckSpec(id=f"G{k + 1}", kind="goal", text="Said so.", form={"told_user": {"fact": fact, "value": 7}})
        for k, fact in enumerate(facts)
    ]
    assert [each.passed for each in judge(specs, BASE, engine.log, RULES, KINDS)] == [True, True, False, False]


def test_asks_that_lead_nowhere_use_patience_up_and_nothing_else_does():
    customer, engine = talk()
    for text, asked in (("?", ["fee_bearer"]), ("?", ["rate_tolerance", "fee_cap"]), ("?", ["payment_speed"])):
        assert customer.message(text, asks(*asked)).ended == ""
    customer.message("Nothing to ask, something to tell.", (), states("fee_bearer", "us"))
    customer.message("?", asks("guarantee", "fee_bearer"))
    assert customer.message("?", asks("fee_bearer", kind="confirm")).ended == ""
    customer.message("?", asks("second_signer"))
    request = offer(engine)
    last = customer.message("Approve?", asks(request, kind="approval"))
    assert (last.decisions[0]["decision"], last.ended) == ("approved", "")
    assert customer.message("Still here?").ended == ""
    engine.call("offer_carry_out", {"offer": request})
    assert customer.message("Done.").ended == "satisfied"


def test_a_customer_out_of_patience_gives_up_and_is_gone():
    customer, engine = talk()
    customer.message("?", asks("guarantee", "second_signer", "credit_note"))
    reply = customer.message("Are you there?", asks("fee_bearer"))
    assert (reply.ended, reply.text, told(reply)) == ("gave_up", "", ["fee_bearer"])
    n_events, now = len(engine.log), engine.now
    with pytest.raises(ToolRefused, match="has ended the conversation"):
        customer.message("Hello?")
    assert (len(engine.log), engine.now, customer.ended) == (n_events, now, "gave_up")


def test_S11_the_customer_does_not_leave_while_anything_is_open():
    customer, engine = talk()
    request = offer(engine)
    customer.message("Approve?", asks(request, kind="approval"))
    assert customer.message("Just a moment.").ended == ""
    engine.call("offer_carry_out", {"offer": request})
    assert customer.message("One last thing.", asks("fee_bearer")).ended == ""
    assert customer.message("Done.").ended == "satisfied"

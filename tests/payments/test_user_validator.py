"""PV1 to PV7: each kind of bad turn is found, thrown away, asked for again twice, and then the simulator has failed."""

import json

import pytest
from bizgym.envs.core.errors import CounterpartError
from bizgym.envs.payments.user.turns import Call, SimulatorFailure, Step

from tests.payments.bank import usd
from tests.payments.customer import asks, offer, script, talk


class Staged:
    """Plays given turns; a turn that is thrown away is followed by the next one."""

    def __init__(self, *turns):
        self.turns = list(turns)
        self.complaints = []

    def step(self, view, done, complaint):
        if not done:
            self.complaints.append(complaint)
            self.turn = self.turns.pop(0)
        return self.turn[len(done)] if len(done) < len(self.turn) else Step()


def call(name, **arguments):
    return Call(name, json.dumps(arguments))


def acts(*calls):
    return Step(calls=calls)


def says(text):
    return Step(text=text)


GOOD = [says("Let us go on.")]
TELL_CAP = call("disclose_facts", facts=["cap"])
APPROVE = call("approve_request", request="REQ-1")
READ = call("view_request_terms", request="REQ-1")
END = call("end_conversation", outcome="satisfied")
BAD = {
    "text with calls": ("PV1", [Step("Here you are.", (TELL_CAP,))]),
    "unknown fact": ("PV2", [acts(call("disclose_facts", facts=["shoe_size"]))]),
    "unknown fact recalled": ("PV2", [acts(call("recall_fact", fact="shoe_size"))]),
    "fact not asked for": ("PV2", [acts(call("disclose_facts", facts=["tolerance"]))]),
    "fact before its event": ("PV2", [acts(call("disclose_facts", facts=["due_late"]))]),
    "paper not asked for": ("PV2", [acts(call("supply_evidence", paper="first_mandate"))]),
    "allowed fact in prose alone": ("PV2", [says("We pay at most 50.50.")]),
    "secret in prose": ("PV2", [says("You may be off by 2.75 percent.")]),
    "secret spelled out": ("PV2", [says("By two hundred and seventy-five points.")]),
    "later value in prose": ("PV2", [acts(TELL_CAP), says("USD 50.50, but 60 if you insist.")]),
    "number from nowhere": ("PV2", [says("Our order has 1,234 parts.")]),
    "id from nowhere": ("PV2", [says("See INV-77.")]),
    "terms not read": ("PV3", [acts(APPROVE)]),
    "terms read too late": ("PV3", [acts(APPROVE, READ)]),
    "consent to terms not read": (
        "PV3",
        [acts(call("set_consent_cap", subject="ACC-2", cap=usd(1).to_json(), request="REQ-1"))],
    ),
    "end with the approval": ("PV4", [acts(READ, APPROVE), acts(END)]),
    "the agent's part": ("PV5", [says("How can I help you today?")]),
    "a label of a part": ("PV5", [says("Fine.\nAgent: I have paid.")]),
    "reasoning": ("PV5", [says("<think>They ask for the cap.</think> Fine.")]),
    "a template's token": ("PV5", [says("Fine.<|im_end|>")]),
    "a tool's name": ("PV5", [says("disclose_facts")]),
    "the opening again": ("PV6", [says("Hello! Please pay our supplier from ACC-1. We are in a hurry.")]),
    "the opening again, in part": ("PV6", [says("Please pay our supplier from ACC-1; we are in a hurry")]),
    "nothing": ("PV7", [Step()]),
    "blanks": ("PV7", [says(" \n\t")]),
    "calls without end": ("PV7", [acts(call("recall_fact", fact="cap"))] * 20),
    "calls and then nothing": ("PV7", [acts(TELL_CAP), Step()]),
    "too much": ("PV7", [says("a" * 20_001)]),
}
LATE = {"id": "due_late", "kind": "invoice_due_at", "value": 777, "disclose": "after_event", "after": "account_close"}


def staged(*turns):
    driver = Staged(*turns)
    facts = [each.model_dump() for each in script().card.facts]
    customer, engine = talk(driver, facts=[*facts, LATE])
    offer(engine)
    return driver, customer, engine


def ask(customer):
    return customer.message("Please go ahead.", asks("fee_cap", "invoice_due_at"))


@pytest.mark.parametrize("name", BAD)
def test_a_bad_turn_is_thrown_away_and_leaves_no_trace(name):
    code, turn = BAD[name]
    driver, customer, engine = staged(turn, GOOD)
    reply = ask(customer)
    assert (reply.text, reply.facts, reply.decisions, reply.ended) == ("Let us go on.", (), (), "")
    assert [each[:3] for each in driver.complaints] == ["", code]
    assert [event.name for event in engine.log if event.actor == "user"] == ["user_said"]
    ((violation, steps),) = customer.last_turn.rejected
    assert (violation.code, steps[0]) == (code, turn[0])


@pytest.mark.parametrize("name", BAD)
def test_three_bad_turns_are_the_simulator_s_failure_and_are_kept(name):
    code, turn = BAD[name]
    _, customer, _ = staged(turn, turn, turn, GOOD)
    with pytest.raises(SimulatorFailure, match=f"bad 3 times, at last {code}: ") as failed:
        ask(customer)
    assert isinstance(failed.value, CounterpartError)
    assert [violation.code for violation, _ in failed.value.rejected] == [code] * 3
    kept = json.loads(json.dumps(failed.value.to_json()))
    assert kept[0]["steps"][0] == {"text": turn[0].text, "calls": [list(each) for each in turn[0].calls]}


def test_S11_an_empty_turn_twice_is_forgiven_and_three_times_is_not():
    _, customer, _ = staged([Step()], [Step()], GOOD)
    assert ask(customer).text == "Let us go on."
    _, customer, _ = staged([Step()], [Step()], [Step()])
    with pytest.raises(SimulatorFailure, match="PV7"):
        ask(customer)


GOOD_TURNS = {
    "told, then written about": [acts(TELL_CAP), says("At most fifty dollars and fifty cents: USD 50.50 from ACC-1.")],
    "approved after reading": [acts(READ), acts(APPROVE), says("I approve REQ-1 at USD 50.00 for ACC-2.")],
    "read and approved at once": [acts(READ, APPROVE), says("Approved.")],
    "an echo of the agent": [says("Please go ahead, and do not ask again.")],
    "small talk": [says("I have 2 questions, or three.")],
    "a slip that is mended": [acts(Call("disclose_facts", "{")), acts(TELL_CAP), says("Done.")],
    "an unknown tool": [acts(call("phone_home")), says("Never mind.")],
}


@pytest.mark.parametrize("name", GOOD_TURNS)
def test_a_good_turn_is_carried_out_at_the_first_attempt(name):
    driver, customer, _ = staged(GOOD_TURNS[name])
    reply = ask(customer)
    assert driver.complaints == [""]
    assert bool(reply.text) != bool(reply.ended)


def test_an_approved_act_that_is_carried_out_may_be_followed_by_the_end():
    driver, customer, engine = staged([acts(READ, APPROVE), says("Approved.")], [acts(END)], GOOD, [acts(END)])
    ask(customer)
    assert ask(customer).ended == ""
    assert driver.complaints[-1].startswith("PV4: REQ-1 is approved and not carried out")
    engine.call("offer_carry_out", {"offer": "REQ-1"})
    assert ask(customer).ended == "satisfied"


def test_who_has_what_it_wants_may_end_and_nobody_else():
    driver, customer, engine = staged([acts(END)], [says("Not yet.")], [acts(END)])
    assert ask(customer).ended == ""
    assert driver.complaints[-1].startswith("PV4: you neither have what you want nor lost patience")
    engine.call("offer_carry_out", {"offer": "REQ-1"})
    assert ask(customer).ended == "satisfied"


def test_terms_that_changed_since_they_were_read_have_to_be_read_again():
    driver, customer, engine = staged([acts(READ), says("I shall think about it.")], [acts(APPROVE)], GOOD)
    ask(customer)
    engine.call("offer_change", {"offer": "REQ-1", "fee": usd(4_999).to_json()})
    ask(customer)
    assert driver.complaints[-1].startswith("PV3: REQ-1 on terms that were not read")


def test_a_value_that_has_changed_since_it_was_told_is_told_anew_before_it_is_written_about():
    later = [acts(TELL_CAP), says("We can go up to USD 60.00.")]
    told = [acts(TELL_CAP), says("Our cap is USD 50.50.")]
    driver, customer, engine = staged(told, [says("We can go up to sixty dollars.")], later, [says("As I said: 60.")])
    ask(customer)
    fee = offer(engine, 6_000, purpose="fee")
    customer.message("The fee is higher now.", asks(fee, kind="approval"))
    assert driver.complaints[2].startswith("PV2: cap in prose alone")
    assert ask(customer).text == "As I said: 60."


def test_an_account_s_figure_is_told_anew_when_it_has_moved():
    balance = [acts(call("disclose_facts", facts=["balance"])), says("It shows USD 100.00.")]
    driver, customer, engine = staged(balance, [says("It shows USD 80.00 now.")], GOOD)
    customer.message("And the balance?", asks("own_balance"))
    amount = usd(2_000).to_json()
    engine.call("transfer_send", {"source": "ACC-1", "target": "ACC-2", "amount": amount, "speed": "instant"})
    assert customer.message("Still?").text == "Let us go on."
    assert driver.complaints[-1].startswith("PV2: 80.00 stands neither")


def test_a_request_is_not_decided_twice():
    driver, customer, engine = staged([acts(READ, APPROVE, APPROVE), says("Approved.")], [acts(APPROVE), says("Done.")])
    assert len(ask(customer).decisions) == 1
    assert ask(customer).decisions == ()
    codes = [event.code for event in engine.log if event.name == "approve_request"]
    assert (codes, driver.complaints) == (["", "REQUEST_NOT_OPEN"], ["", ""])


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "null",
        "[" * 100_000,
        "9" * 5_000,
        '{"fact": NaN}',
        '{"fact": "\ud800"}',
        '{"fact": "' + "a" * 2_000_000,
        '{"f": {}}',
    ],
)
def test_hostile_calls_are_answered_like_any_other(arguments):
    turn = [Step(calls=(Call("recall_fact", arguments), Call("\ud800" * 1_000, arguments))), says("Never mind.")]
    driver, customer, engine = staged(turn)
    assert ask(customer).text == "Never mind."
    assert (driver.complaints, len(customer.last_turn.calls)) == ([""], 0)
    assert json.dumps([event.to_json() for event in engine.log], ensure_ascii=False).encode()


def test_calls_that_the_tools_refuse_are_answered_and_not_carried_out():
    answers = []

    class Curious:
        def step(self, view, done, complaint):
            if done:
                answers.extend(used.result["error"] for used in done[-1].used)
                return says("Well then.")
            return acts(
                call("phone_home"),
                Call("recall_fact", "[1]"),
                Call("recall_fact", '{"fact": 7}'),
                Call("recall_fact", '{"fact": "cap", "fact": "cap"}'),
                call("view_request_terms", request="REQ-9"),
                call("reject_request", request="REQ-1", reason="mood"),
                call("supply_evidence", paper="cap"),
                call("disclose_facts", facts=["first_mandate"]),
                call("view_own_account", account="ACC-2"),
            )

    customer, engine = talk(Curious())
    offer(engine)
    customer.message("Please go ahead.")
    assert answers == [
        "unknown_tool",
        "bad_arguments",
        "bad_arguments",
        "duplicate_key",
        "NOT_FOUND",
        "UNKNOWN_REASON",
        "NO_PAPER",
        "IS_A_PAPER",
        "NOT_YOUR_ACCOUNT",
    ]
    assert [event.name for event in engine.log if event.actor == "user"] == ["user_said"]


def test_a_recalled_value_stands_nowhere_in_the_log():
    _, customer, engine = staged([acts(call("recall_fact", fact="tolerance")), says("I had to look that up.")])
    ask(customer)
    (recalled,) = [event for event in engine.log if event.name == "recall_fact"]
    assert (recalled.arguments, recalled.result) == ({"fact": "tolerance"}, None)
    assert "275" not in json.dumps([event.to_json() for event in engine.log])

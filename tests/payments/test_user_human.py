"""A person as the customer: what they are shown, and the short forms in which they tell, decide and leave."""

import pytest
from bizgym.envs.payments.user.drivers import make_driver
from bizgym.envs.payments.user.turns import SimulatorFailure

from tests.payments.customer import asks, offer, talk


class Person:
    """Types lines one after another and keeps what was shown before each."""

    def __init__(self, *lines):
        self.lines, self.shown = list(lines), []

    def __call__(self, shown):
        self.shown.append(shown)
        return self.lines.pop(0)


def talking(*lines, **changes):
    person = Person(*lines)
    return (person, *talk(make_driver("human", ask=person), **changes))


def test_the_first_message_introduces_the_customer_and_later_ones_are_short():
    person, customer, _ = talking("I am not sure.", "?", "Still not sure.")
    customer.message("Hello, who are you?")
    customer.message("And now?")
    first, later, again = person.shown
    for told in ("You are the customer. The bookkeeper of a small shop.", "What you approve:\n- transfer: grant if"):
        assert told in first
        assert told not in later
        assert told in again
    for each in person.shown:
        assert "#1 supplier (beneficiary; may be told): ACC-2" in each
        assert each.endswith("\n> ")
    assert "--- minute 2 ---\nThe agent writes:\nHello, who are you?" in first
    assert later.index("What you know") < later.index("The agent writes:\nAnd now?")  # the last thing that is read
    assert "Never mention tools" not in first  # that is for a model


def test_numbers_tell_facts_and_hand_papers_in_and_the_rest_is_said():
    person, customer, _ = talking("#1 #3 You pay ACC-2, and fees are shared equally.")
    reply = customer.message("Whom, and who bears the fees?", asks("beneficiary", "fee_bearer"))
    assert reply.text == "You pay ACC-2, and fees are shared equally."
    assert [each["fact"] for each in reply.facts] == ["beneficiary", "fee_bearer"]
    assert len(person.shown) == 1
    _, customer, _ = talking("#8 Here it is.")
    reply = customer.message("The mandate, please.", asks("signed_mandate"))
    assert (reply.text, len(reply.evidence)) == ("Here it is.", 1)


def test_numbers_alone_are_noted_and_the_words_asked_for():
    person, customer, _ = talking("#1", "It is ACC-2.")
    assert customer.message("Whom?", asks("beneficiary")).text == "It is ACC-2."
    assert person.shown[1] == "disclose_facts: noted yes\nWhat do you say?\n> "


def test_terms_are_read_before_they_are_approved():
    person, customer, engine = talking("/terms REQ-1", "/approve REQ-1", "I approve.")
    reply = customer.message("Do you approve?", asks(offer(engine), kind="approval"))
    assert [each["decision"] for each in reply.decisions] == ["approved"]
    assert "terms target ACC-2, fee USD 50.00" in person.shown[1]


def test_a_request_is_rejected_with_a_reason():
    _, customer, engine = talking("/terms REQ-1", "/reject REQ-1 wrong_beneficiary", "That is not who we owe.")
    reply = customer.message("Do you approve?", asks(offer(engine, target="ACC-1"), kind="approval"))
    assert [each["decision"] for each in reply.decisions] == ["rejected"]


def test_a_consent_is_given_in_money_as_people_write_it():
    _, customer, engine = talking("/terms REQ-1", "/consent ACC-2 USD 50.00 REQ-1", "You may.")
    request = offer(engine, purpose="fee")
    customer.message("May we charge it?", asks(request, kind="approval"))
    consent = next(event for event in engine.log if event.name == "set_consent_cap")
    given = {"subject": "ACC-2", "request": request, "cap": {"minor": 5_000, "currency": "USD"}}
    assert dict(consent.arguments) == given


SLIPS = [
    ("", "Say something, or type ?"),
    ("  ", "Say something, or type ?"),
    ("#99 Hello", "There is no #99; what you know goes from #1 to #"),
    ("/approv REQ-1", "There is no /approv. Did you mean '/approve'? There are: /terms, /approve"),
    ("/", "There is no /. There are: /terms"),
    ("/reject REQ-1", "/reject takes REQUEST REASON."),
    ("/approve", "/approve takes REQUEST."),
    ("/end now", "/end takes nothing behind it."),
    ("/consent ACC-2 EURO 5", "is no amount; write for example USD 45.00."),
    ("/consent ACC-2 USD five", "is no amount; write for example USD 45.00."),
    ("/consent ACC-2 USD NaN", "is no amount in whole minor units."),
    ("/consent ACC-2 USD 1.005", "is no amount in whole minor units."),
    (f"/consent ACC-2 USD {'9' * 400}", "is no amount in whole minor units."),
]


@pytest.mark.parametrize(("line", "told"), SLIPS)
def test_a_slip_is_told_at_once_and_costs_no_try(line, told):
    person, customer, _ = talking(*[line] * 4, "I have nothing for you.")
    assert customer.message("Hello?").text == "I have nothing for you."
    assert all(told in each for each in person.shown[1:])


def test_what_is_thrown_away_says_why_and_how_many_tries_are_left():
    person, customer, _ = talking("It is 4711.", "#2 Our cap.", "It is 4712.")
    with pytest.raises(SimulatorFailure):
        customer.message("Whom?", asks("beneficiary"))
    assert "Please answer again. PV2" in person.shown[1]
    assert "This is try 2 of 3; after that the episode ends." in person.shown[1]
    assert "This is try 3 of 3" in person.shown[2]


def test_what_was_to_be_said_with_a_refused_act_is_not_said():
    person, customer, _ = talking("/terms REQ-9", "I see.")
    assert customer.message("Hello?").text == "I see."
    assert "view_request_terms: refused (NOT_FOUND), request: there is no request 'REQ-9'" in person.shown[1]


def test_the_end_says_by_itself_whether_the_customer_has_what_it_wants():
    _, customer, _ = talking("I have nothing for you.", "/end", patience=1)
    customer.message("?", asks("guarantee"))
    assert customer.message("And this?", asks("second_signer")).ended == "gave_up"
    _, customer, engine = talking("/terms REQ-1", "/approve REQ-1", "I approve.", "/end")
    customer.message("Do you approve?", asks(offer(engine), kind="approval"))
    engine.call("offer_carry_out", {"offer": "REQ-1"})
    assert customer.message("It is done.").ended == "satisfied"

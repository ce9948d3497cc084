"""How often another driver decides as the script does, and that an agent's answers hold nothing that was not told."""

import json

import pytest
from bizgym.envs.core.errors import ToolRefused
from bizgym.envs.payments.kernel.money import Money
from bizgym.envs.payments.kernel.records import to_json
from bizgym.envs.payments.user.agreement import Acted, Agreement, Spoken, agreement, decisions
from bizgym.envs.payments.user.scripted import ScriptedDriver
from bizgym.envs.payments.user.turns import Step
from bizgym.envs.payments.user.wording import traces

from tests.payments.bank import usd
from tests.payments.customer import asks, offer, script, states, talk

OFFER = {"purpose": "transfer", "target": "ACC-2", "fee": usd(5_000).to_json()}
TRANSCRIPT = [
    Spoken(text="Good morning."),
    Spoken(text="Two questions.", asks=asks("fee_cap", "signed_mandate")),
    Acted(tool="offer_make", arguments=OFFER),
    Spoken(text="Do you approve?", asks=asks("REQ-1", kind="approval")),
]


class Stubborn:
    """Decides as the script does, but for one tool, which it never uses."""

    def __init__(self, never):
        self.never = never
        self.script = ScriptedDriver()

    def step(self, view, done, complaint):
        step = self.script.step(view, done, complaint)
        calls = tuple(each for each in step.calls if each.name != self.never)
        return Step(calls=calls) if calls else Step("So be it.")


def compared(driver, transcript=TRANSCRIPT):
    customer, engine = talk()
    return agreement(customer, engine, transcript, driver)


def test_the_script_agrees_with_itself():
    found = compared(ScriptedDriver())
    assert (found.message_rate, found.decision_rate) == (1.0, 1.0)
    assert [len(row.expected) for row in found.rows] == [1, 2, 1]


def test_prose_does_not_count():
    assert compared(Stubborn("nothing")).decision_rate == 1.0


@pytest.mark.parametrize(
    ("never", "message_rate", "decision_rate"),
    [("approve_request", 2 / 3, 3 / 4), ("disclose_facts", 1 / 3, 2 / 4), ("supply_evidence", 2 / 3, 3 / 4)],
)
def test_decisions_that_differ_are_counted_and_bring_about_no_others(never, message_rate, decision_rate):
    found = compared(Stubborn(never))
    assert found.message_rate == pytest.approx(message_rate)
    assert found.decision_rate == pytest.approx(decision_rate)
    assert [row.expected for row in found.rows] == [row.expected for row in compared(ScriptedDriver()).rows]


class Broken:
    def step(self, view, done, complaint):
        return Step()


def test_a_driver_that_fails_agrees_on_nothing():
    found = compared(Broken())
    assert (found.message_rate, found.decision_rate) == (0.0, 0.0)
    assert all("PV7" in row.failure for row in found.rows)


def test_nothing_compared_is_no_rate():
    assert (Agreement(()).message_rate, Agreement(()).decision_rate) == (None, None)


def test_a_transcript_whose_words_do_not_exist_is_refused():
    with pytest.raises(ToolRefused, match="there is no fact kind"):
        compared(ScriptedDriver(), [Spoken(text="x", asks=asks("weather"))])


def test_decisions_are_what_is_decided_and_not_how():
    calls = [
        ("recall_fact", {"fact": "cap"}),
        ("reject_request", {"request": "REQ-1", "reason": "too_late"}),
        ("disclose_facts", {"facts": ["b", "a"]}),
        ("disclose_facts", {"facts": ["a"]}),
    ]
    assert decisions(calls) == ('["disclose_facts","a"]', '["disclose_facts","b"]', '["reject_request","REQ-1"]')


def leaves(value):
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in leaves(each)]
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, (list, tuple)) else [value]


QUESTIONS = ["fees", "exchange", "payments", "accounts", "fee_bearer", "guarantee", "evidence", "payment_deadline"]


@pytest.mark.parametrize("first", QUESTIONS)
@pytest.mark.parametrize("second", QUESTIONS)
def test_no_answer_holds_a_value_that_was_not_told(first, second):
    customer, engine = talk()
    replies = [customer.message("One.", asks(first)), customer.message("Two.", asks(second), states("fee_cap", 1))]
    request = offer(engine, 9_999)
    replies.append(customer.message("Approve?", asks(request, kind="approval")))
    told = {each["fact"] for reply in replies for each in reply.facts}
    shown = json.dumps([reply.to_json() for reply in replies])
    said = traces(*(reply.text for reply in replies))
    card = script()
    for known_id, known in card.known.items():
        name = f"{known.kind}/{known.subject}" if known.subject else known.kind
        if name in told:
            continue
        for value in card.values_of(known_id):
            form = json.dumps(to_json(value)) if isinstance(value, (str, Money)) else f": {value},"
            assert form not in shown, known_id
            assert not said.mention(value, card.vocabulary.fact_kinds[known.kind].type), known_id
    assert {type(each) for each in leaves([reply.to_json() for reply in replies])} <= {str, int, bool, type(None)}


def test_bulk_questions_end_the_talk_before_they_have_the_card():
    customer, _ = talk()
    kinds = [each.id for each in script().vocabulary.facts]
    told, n_messages = set(), 0
    while not customer.ended:
        reply = customer.message("Tell me all.", asks(*kinds[6 * n_messages : 6 * n_messages + 6]))
        told |= {each["fact"] for each in reply.facts}
        n_messages += 1
    assert (n_messages, told) == (2, {"beneficiary"})

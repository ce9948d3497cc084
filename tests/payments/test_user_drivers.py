"""The drivers behind one protocol: a model, a record, a person; what each is shown and what comes of what it does."""

import json

import pytest
from bizgym.envs.core.chat import ChatClient, Completion, Finish, ProviderError, ToolCall, Usage
from bizgym.envs.core.errors import CounterpartError, DataError, SettingError
from bizgym.envs.payments.user.drivers import HumanDriver, ReplayDriver, make_driver
from bizgym.envs.payments.user.llm import LlmDriver
from bizgym.envs.payments.user.prompt import readable
from bizgym.envs.payments.user.tools import TOOLS
from bizgym.envs.payments.user.turns import SimulatorFailure

from tests.payments.customer import asks, offer, refuses, states, talk


class Client:
    """A model that answers with what it was given, and keeps what it was asked."""

    def __init__(self, *completions):
        self.completions = list(completions)
        self.requests = []

    @property
    def description(self):
        return {"model": "given"}

    def complete(self, messages, tools, settings):
        self.requests.append((json.loads(json.dumps(messages)), tools, settings))
        found = self.completions.pop(0)
        if isinstance(found, Exception):
            raise found
        return found


def calls(*given):
    listed = (ToolCall(f"id_{k}", name, json.dumps(arguments)) for k, (name, arguments) in enumerate(given))
    return Completion("", tuple(listed), Usage(input=10, output=2), Finish.TOOL_CALLS)


def text(written, finish=Finish.STOP):
    return Completion(written, (), Usage(input=5, output=1), finish)


def test_the_ten_tools_have_schemas_and_a_model_is_given_them():
    assert list(TOOLS) == [
        "recall_fact",
        "disclose_facts",
        "view_request_terms",
        "approve_request",
        "reject_request",
        "set_consent_cap",
        "revoke_consent",
        "supply_evidence",
        "view_own_account",
        "end_conversation",
    ]
    client = Client(text("Fine."))
    customer, _ = talk(LlmDriver(client))
    customer.message("Hello.")
    ((_, tools, settings),) = client.requests
    assert [each["function"]["name"] for each in tools] == list(TOOLS)
    assert all(each["function"]["description"] and "seat" not in each["function"]["parameters"] for each in tools)
    assert settings.temperature == 0.0
    assert isinstance(client, ChatClient)


def test_a_model_sees_the_card_its_opening_and_the_answers_to_its_calls():
    client = Client(
        calls(("view_request_terms", {"request": "REQ-1"})),
        calls(("approve_request", {"request": "REQ-1"})),
        text("I approve REQ-1."),
    )
    customer, engine = talk(LlmDriver(client))
    offer(engine)
    reply = customer.message("Do you approve?", asks("REQ-1", kind="approval"))
    assert (reply.text, reply.decisions[0]["decision"]) == ("I approve REQ-1.", "approved")
    first, _, last = (messages for messages, _, _ in client.requests)
    assert [each["role"] for each in first] == ["system", "user", "assistant", "user"]
    assert first[2]["content"] == customer.opening
    assert first[3]["content"] == "Do you approve?\n[asks: approval REQ-1]"
    assert [each["role"] for each in last[4:]] == ["assistant", "tool", "assistant", "tool"]
    shown = json.loads(last[5]["content"])
    assert (shown["kind"], shown["terms"]) == (
        "transfer",
        {"target": "ACC-2", "fee": {"minor": 5_000, "currency": "USD"}},
    )
    assert last[5]["tool_call_id"] == last[4]["tool_calls"][0]["id"]
    assert json.loads(last[7]["content"]) == {"noted": True}
    assert customer.last_turn.usages == [Usage(10, output=2), Usage(10, output=2), Usage(5, output=1)]


def test_the_card_that_a_model_reads_is_the_card_as_it_stands():
    client = Client(
        text("Fine."), calls(("disclose_facts", {"facts": ["cap"]})), text("So be it."), text("Yes."), text("Hm.")
    )
    customer, engine = talk(LlmDriver(client))
    customer.message("Hello.")
    customer.message("Cap?", asks("fee_cap"), states("payment_speed", "none"), refuses("recall", "not_offered"))
    request = offer(engine, 6_000, purpose="fee")
    customer.message("More?", asks(request, kind="approval"))
    before, _, told, after, *_ = (messages[0]["content"] for messages, _, _ in client.requests)
    assert "- cap (fee_cap/ACC-1; may not be told now): USD 50.50" in before
    assert "- cap (fee_cap/ACC-1; may be told; asked for in the last message): USD 50.50" in told
    assert "- speed (payment_speed; may not be told now): batch" in told
    assert "- cap (fee_cap/ACC-1; may be told): USD 60.00" in after
    assert "- first_mandate (signed_mandate; may not be told now): a paper" in after
    assert "- transfer: grant if (fee <= your cap and target = your supplier)." in before
    assert "- fee: grant by a consent (subject: the term target, cap: the term fee) if fee <= your cap." in before
    assert "Changed since your last message: nothing" in told
    assert "Changed since your last message: We have talked it over and can pay more." in after
    assert "$" not in before
    customer.message("Numbers.", (), [*states("skip_occurrence", 1), *states("goods_received", True)])
    assert "skip_occurrence is 1]\n[tells you: goods_received is yes]" in client.requests[-1][0][-1]["content"]
    message = client.requests[1][0][-1]["content"]
    assert message.splitlines() == [
        "Cap?",
        "[tells you: payment_speed is none]",
        "[tells you: recall is not_offered]",
        "[asks: fact fee_cap]",
    ]


def test_a_model_is_told_why_its_turn_was_thrown_away_and_forgets_it_afterwards():
    client = Client(text("Our cap is 50.50."), text("I have nothing to add."), text("Good."))
    customer, _ = talk(LlmDriver(client))
    customer.message("Go on.")
    customer.message("And now?", asks("fee_bearer"))
    bad, again, later = (messages for messages, _, _ in client.requests)
    assert "thrown away" not in bad[0]["content"].splitlines()[-1]
    assert again[0]["content"].rstrip().endswith("Write it anew.")
    assert "PV2: cap in prose alone" in again[0]["content"]
    assert "50.50" not in json.dumps(later[1:])
    assert [each["content"] for each in later[2:]] == [
        customer.opening,
        "Go on.",
        "I have nothing to add.",
        "And now?\n[asks: fact fee_bearer]",
    ]
    assert "PV2" not in later[0]["content"]


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.REFUSAL])
def test_what_is_cut_off_or_declined_is_not_said(finish):
    client = Client(*[text("I am sorry, but", finish)] * 3)
    customer, _ = talk(LlmDriver(client))
    with pytest.raises(SimulatorFailure, match="PV7"):
        customer.message("Hello.")


def test_a_provider_s_failure_is_the_provider_s():
    customer, _ = talk(LlmDriver(Client(ProviderError("down"))))
    with pytest.raises(ProviderError, match="down"):
        customer.message("Hello.")


def played(driver=None):
    customer, engine = talk(driver)
    replies = [customer.message("Hello.", asks("fees", "signed_mandate"))]
    request = offer(engine)
    replies.append(customer.message("Approve?", asks(request, kind="approval")))
    return customer, engine, replies


def test_a_record_feeds_the_same_turns_back():
    customer, engine, replies = played()
    record = json.loads(json.dumps(customer.record()))
    again, other, same = played(ReplayDriver(record))
    assert (same, other.log.digest(), again.record()) == (replies, engine.log.digest(), customer.record())


def test_a_model_s_talk_replays_without_the_turns_that_were_thrown_away():
    client = Client(text("<think>"), text("Fine."), text("Our cap is 50.50."), text("No comment."))
    customer, engine, replies = played(LlmDriver(client))
    record = customer.record()
    assert record == [[{"text": "Fine.", "calls": []}], [{"text": "No comment.", "calls": []}]]
    _, other, same = played(ReplayDriver(record))
    assert (same, other.log.digest()) == (replies, engine.log.digest())


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ([], "ends after 0 turns"),
        ([[{"text": "", "calls": [["recall_fact", '{"fact": "cap"}']]}]], "turn 0 of the record ends after 1 steps"),
        ([[{"text": "Our cap is 50.50.", "calls": []}]], "turn 0 of the record is not accepted: PV2"),
    ],
)
def test_a_record_that_does_not_fit_is_the_counterpart_s_failure(record, complaint):
    customer, _ = talk(ReplayDriver(record))
    with pytest.raises(CounterpartError, match=complaint):
        customer.message("Hello.")


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ("text", r"turns: a list, not str"),
        ([{}], r"turns\.0: a list, not dict"),
        ([[{"text": "x"}]], r"turns\.0\.0: an object of text and calls"),
        ([[{"text": 3, "calls": []}]], r"turns\.0\.0: an object of text and calls"),
        ([[{"text": "x", "calls": [["name"]]}]], r"turns\.0\.0\.calls\.0: \[name, arguments as JSON text\]"),
        ([[{"text": "x", "calls": [["name", {}]]}]], r"turns\.0\.0\.calls\.0: \[name, arguments as JSON text\]"),
    ],
)
def test_what_is_no_record_is_refused_with_its_path(record, complaint):
    with pytest.raises(DataError, match=complaint):
        ReplayDriver(record)


def test_a_person_is_shown_the_card_the_answers_and_what_was_wrong():
    lines = [
        '{"name": "recall_fact", "arguments": {"fact": "cap"}}',
        "Our cap is 50.50.",
        '{"name": "disclose_facts", "arguments": {"facts": ["bearer"]}}',
        "{not json",
        '{"name": 7, "arguments": ' + "9" * 5_000 + "}",
        "[yes]",
    ]
    shown = []

    def ask(prompt):
        shown.append(prompt)
        return lines[len(shown) - 1]

    customer, _ = talk(HumanDriver(ask))
    reply = customer.message("Who bears the fees?")
    assert (reply.text, [each["fact"] for each in reply.facts]) == ("[yes]", ["fee_bearer"])
    assert "cap (fee_cap/ACC-1; may not be told now): USD 50.50" in shown[0]
    assert "The agent writes:\nWho bears the fees?\n[asks: fact fee_bearer]" in shown[0]
    assert shown[1].startswith("recall_fact: fact fee_cap/ACC-1, value USD 50.50, may_be_told no\n")
    assert "Please answer again. PV2" in shown[2]
    assert shown[3].startswith("disclose_facts: noted yes\n")
    assert "unknown_tool" in shown[4]
    assert "unknown_tool" in shown[5]


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ({"not": {"in": [{"term": "route"}, ["a", "b"]]}}, "not (route is one of a, b)"),
        (
            {"any": [{"ge": [{"now": True}, 5]}, {"ne": [{"term": "x"}, True]}]},
            "(the minute now >= 5 or x is not True)",
        ),
        (
            {"le": [{"term": "fee"}, {"minus": [{"fact": "cap"}, {"minor": 5, "currency": "USD"}]}]},
            "fee <= (your cap - USD 0.05)",
        ),
        ({"eq": [{"field": ["ACC-1", "state"]}, "open"]}, "ACC-1 state = open"),
        ({"gt": [{"count": "payout"}, 1]}, "the count of payout > 1"),
    ],
)
def test_predicates_are_written_as_people_read_them(source, shown):
    assert readable(source) == shown


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"driver": "scripetd"}, r"counterpart\.driver: there is no 'scripetd'\. Did you mean 'scripted'\?"),
        ({"driver": "llm"}, "llm needs a client"),
        ({"driver": "replay"}, "replay needs the recorded turns"),
        ({"driver": "human"}, "human needs a way to ask somebody"),
    ],
)
def test_a_driver_that_cannot_be_made_is_refused_with_the_mend(given, complaint):
    with pytest.raises(SettingError, match=complaint):
        make_driver(**given)


def test_every_driver_is_made_by_its_name():
    parts = {"client": Client(text("Fine.")), "turns": [[{"text": "Fine.", "calls": []}]], "ask": lambda shown: "Fine."}
    for name in ("llm", "replay", "human"):
        customer, _ = talk(make_driver(name, **parts))
        assert customer.message("Hello.").text == "Fine."
    customer, _ = talk(make_driver("scripted"))
    assert customer.message("Hello.").text == "The supplier's account is ACC-2."

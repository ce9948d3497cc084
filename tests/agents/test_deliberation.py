"""Where a method thinks longer, what its questions look like, and what happens where some of a panel fall silent."""

import pytest
from bizgym.agents.base import AgentStop
from bizgym.agents.deliberation import Abstentions, Deliberator
from bizgym.agents.proposals import Proposal
from bizgym.agents.replies import read_object, texts_of
from bizgym.agents.rollout import Limits
from bizgym.envs.core.chat import Finish
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason

from tests.fixtures.models import check_transcript, converse, make, order, says, tool_call

BEER, TWIN = "bizgym/BeerGame-v0", "bizgym/DigitalTwin-v0"


class Doubles(Deliberator):
    """Proposes twice and plays the second; keeps where it did so."""

    def deliberate(self, draft):
        self.at = [*getattr(self, "at", []), (self._turns_played, draft is not None)]
        first = draft or self.propose()
        return self.propose([{"role": "user", "content": f"You proposed {first.described()}. Again."}], role="revise")


def weeks(n, **settings):
    agent = Doubles(**settings)
    row, prompts = converse(make(BEER, horizon=n), *[says(order(k)) for k in range(3 * n)], agent=agent)
    return agent, row, prompts


@pytest.mark.parametrize(
    ("settings", "at", "calls"),
    [
        ({}, [(0, False), (1, False), (2, False), (3, False)], 8),
        ({"apply": "every_k", "every_k": 2}, [(0, False), (2, False)], 6),
        ({"apply": "every_k", "every_k": 5}, [(0, False)], 5),
        ({"apply": "commit_only"}, [(0, True), (1, True), (2, True), (3, True)], 8),
    ],
)
def test_a_method_is_applied_where_the_setting_says(settings, at, calls):
    agent, row, prompts = weeks(4, **settings)
    assert agent.at == at
    assert len(prompts) == calls
    assert sum(role["calls"] for role in row.usage.values()) == calls
    assert row.usage["revise"]["calls"] == len(at)


def test_reading_is_no_commitment():
    agent = Doubles(apply="commit_only")
    replies = [
        says(tool_call("get_firm", "{}")),
        says(tool_call("set_workforce", "{}")),
        says(tool_call("get_plan", "{}")),
    ]
    row, _ = converse(make(TWIN), *replies, agent=agent, limits=Limits(max_steps=2))
    assert agent.at == [(1, True)]
    assert [step.results[0].name for step in row.steps[:2]] == ["get_firm", "get_plan"]


def test_what_is_asked_beside_the_episode_leaves_no_trace_in_it():
    _, _, prompts = weeks(3)
    assert ["Again." in str(prompt[-1]["content"]) for prompt in prompts] == [False, True] * 3
    for prompt in prompts:
        check_transcript(prompt)
        assert sum("Again." in str(message["content"]) for message in prompt) <= 1
    assert len(prompts[4]) == 2 + 2 * 2  # rules, request, and two weeks of a call and its result


@pytest.mark.parametrize("every_k", [0, -1])
def test_k_counts_from_one(every_k):
    with pytest.raises(SettingError, match="every_k: at least 1"):
        Doubles(every_k=every_k)


def test_whoever_refuses_abstains_and_a_silent_panel_stops():
    panel = Abstentions()
    panel.abstain(AgentStop(StopReason.REFUSAL, "first"))
    panel.abstain(AgentStop(StopReason.OUTPUT_TRUNCATED, "second"))
    one = Proposal(says(order(1)))
    assert panel.present([None, one, None]) == [one]
    with pytest.raises(AgentStop, match="first"):
        panel.present([None, None])


def test_a_spent_budget_is_nobodys_abstention():
    with pytest.raises(AgentStop, match="spent"):
        Abstentions().abstain(AgentStop(StopReason.MAX_CALLS, "spent"))


class Comments(Deliberator):
    """Asks about the episode before it plays."""

    def deliberate(self, draft):
        self.said = self.comment("What is the risk?", role="critic", temperature=0.7)
        return self.propose()


@pytest.mark.parametrize("tool_calls", ["native", "json"])
def test_a_comment_is_a_text_whatever_form_calls_have(tool_calls):
    call = (
        says(text='{"name": "place_order", "arguments": {"quantity": 3}}') if tool_calls == "json" else says(order(3))
    )
    agent = Comments(tool_calls=tool_calls)
    row, prompts = converse(make(BEER, horizon=2), says(text="Backlog."), call, says(text="Stock."), call, agent=agent)
    assert agent.said == "Stock."
    assert [message["role"] for message in prompts[2]][-1] == "user"
    assert prompts[2][-1]["content"] == "What is the risk?"
    assert "one JSON object" not in str(prompts[2])
    assert row.stop_reason is StopReason.ENV_DONE
    assert row.usage["critic"]["calls"] == 2


def test_a_refused_comment_is_no_text():
    agent = Comments()
    converse(make(BEER, horizon=1), says(text="I cannot.", finish=Finish.REFUSAL), says(order(1)), agent=agent)
    assert agent.said == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"ok": true}', {"ok": True}),
        ('I think so.\n```json\n{"ok": false}\n```\nDone.', {"ok": False}),
        ('Draft {"a": 1} and final\n```\n{"a": 2}\n```', {"a": 2}),
        (
            'The verdict is {"why": "a } in quotes \\" {", "ok": true}, I believe.',
            {"why": 'a } in quotes " {', "ok": True},
        ),
        ("{not json} {}", {}),
        ("[1, 2]", None),
        ('{"ok": NaN}', None),
        ('{"ok": 1, "ok": 2}', None),
        ("no object", None),
        ("{" * 100_000, None),
        ("", None),
    ],
)
def test_an_object_is_read_or_there_is_none(text, expected):
    assert read_object(text) == expected


def test_texts_of_a_list_are_bounded_and_plain():
    assert texts_of(["a", " ", 3, None, " b ", "c"], 2) == ["a", "b"]
    assert texts_of("alone", 5) == ["alone"]
    assert texts_of({"a": 1}, 5) == []

"""The window of a model: nothing is cut in silence; the oldest quarter of the retrieval results becomes stubs."""

import json
from itertools import pairwise

import pytest
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.clients.tokens import estimate_prompt, text_of
from bizgym.agents.cot import ChainOfThought
from bizgym.agents.rollout import Limits
from bizgym.agents.targets import build
from bizgym.envs.core.chat import ContextOverflow, Usage
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import from_line, to_line
from bizgym.evaluators.replay import replay

from tests.fixtures.models import check_transcript, converse, make, says, tool_call
from tests.fixtures.shop_env import SHOP

EXACT = Usage(input=0, output=5)


def search(k, rows=40):
    return says(tool_call("search_documents", f'{{"query": "q{k}", "rows": {rows}}}', f"s{k}"), usage=EXACT)


def look(k):
    return says(tool_call("list_open_orders", "", f"l{k}"), usage=EXACT)


def agent(window, policy="stub", **settings):
    return ChainOfThought(context=policy, window_tokens=window, max_tokens=100, **settings)


def stubs(prompt):
    """The ids of the results that a prompt shows as stubs."""
    return [m["tool_call_id"] for m in prompt if m["role"] == "tool" and "are left out of view" in m["content"]]


def test_C06_the_oldest_quarter_of_the_retrieval_results_become_stubs_that_name_them():
    """Eight results of 40 rows and two looks: the window holds eight, so a ninth prompt stubs the first two."""
    replies = [look(0), *(search(k) for k in range(8)), look(9), look(10)]
    free, prompts = converse(make(SHOP), *replies)
    tools = make(SHOP).unwrapped.tools
    window = estimate_prompt(prompts[9], tools) + 100 - 1
    row, seen = converse(make(SHOP), *replies, agent=agent(window))
    assert [stubs(prompt) for prompt in seen] == [*[[]] * 9, ["s0", "s1"], ["s0", "s1"]]
    assert [step.stubbed for step in row.steps[:11]] == [*[[]] * 9, ["s0", "s1"], []]
    for prompt, whole in zip(seen, prompts, strict=True):
        check_transcript(prompt)
        assert [m for m in prompt if m.get("tool_call_id") not in ("s0", "s1")] == [
            m for m in whole if m.get("tool_call_id") not in ("s0", "s1")
        ]
    stub = next(m["content"] for m in seen[9] if m.get("tool_call_id") == "s0")
    size = len(free.steps[1].results[0].content)
    assert stub == f"[result s0: {size} characters are left out of view; call search_documents again to see them]"


def test_C06_the_record_keeps_every_result_whole_and_says_which_were_stubs():
    replies = [*(search(k) for k in range(8)), look(8)]
    _, prompts = converse(make(SHOP), *replies)
    window = estimate_prompt(prompts[8], make(SHOP).unwrapped.tools) + 100 - 1
    row, _ = converse(make(SHOP), *replies, agent=agent(window))
    assert [len(step.results[0].content.splitlines()) for step in row.steps[:8]] == [40] * 8
    read = from_line(to_line(row))
    assert [step.stubbed for step in read.steps if step.stubbed] == [["s0", "s1"]]
    assert replay(read, make(SHOP)) == ""


def test_C06_under_the_policy_error_the_episode_stops_and_names_the_largest_message():
    replies = [search(0, rows=700), *(search(k) for k in range(1, 20))]
    row, seen = converse(make(SHOP), *replies, agent=agent(2_400, "error"), limits=Limits())
    assert row.stop_reason is StopReason.CONTEXT_OVERFLOW
    assert (row.scored, row.truncated) == (True, True)
    assert "does not fit; the largest is message 4 of" in row.error
    assert "(tool s0, " in row.error
    assert "holds 2400, 100 for the reply" in row.error
    assert all(stubs(prompt) == [] and prompt[0]["role"] == "system" for prompt in seen)
    assert all(a == b[: len(a)] for a, b in pairwise(seen))


def test_C06_a_window_of_2k_tokens_and_30_turns():
    row, seen = converse(make(SHOP), *(search(k, rows=30) for k in range(30)), agent=agent(2_000))
    assert (row.stop_reason, row.n_steps) == (StopReason.MAX_STEPS, 31)
    tools = make(SHOP).unwrapped.tools
    assert all(estimate_prompt(prompt, tools) + 100 <= 2_000 for prompt in seen)
    assert all(prompt[:2] == seen[0][:2] for prompt in seen)
    noted = [identity for step in row.steps for identity in step.stubbed]
    assert noted == [f"s{k}" for k in range(len(noted))]
    assert stubs(seen[-1]) == noted


def test_C06_when_everything_that_may_is_a_stub_the_episode_stops():
    replies = [*(search(k) for k in range(3)), *(look(k) for k in range(300))]
    row, _ = converse(make(SHOP), *replies, agent=agent(1_200), limits=Limits())
    assert row.stop_reason is StopReason.CONTEXT_OVERFLOW
    assert [identity for step in row.steps for identity in step.stubbed] == ["s0", "s1", "s2"]


def test_the_result_that_the_model_has_just_asked_for_is_never_a_stub():
    row, seen = converse(make(SHOP), search(0, rows=300), look(1), agent=agent(1_300), limits=Limits(max_steps=2))
    assert row.stop_reason is StopReason.CONTEXT_OVERFLOW
    assert len(seen) == 1


class Narrow:
    """A provider with a window of its own, which it states or not."""

    def __init__(self, window, stated, replies):
        self.window, self.stated, self.replies, self.prompts = window, stated, iter(replies), []
        self.description = {"name": "narrow", "model": "m"}

    def complete(self, messages, tools, settings):
        size = estimate_prompt(messages, tools) + settings.max_tokens
        if size > self.window:
            window = self.window if self.stated else None
            raise ContextOverflow(f"maximum context length is {self.window}", Usage(attempts=1), window)
        self.prompts.append(json.loads(json.dumps(list(messages))))
        return next(self.replies)


@pytest.mark.parametrize("stated", [True, False])
def test_the_window_is_learned_from_the_providers_error(stated):
    client = Narrow(2_000, stated, [search(k, rows=30) for k in range(30)])
    row, _ = converse(make(SHOP), agent=agent(None), client=client, limits=Limits(max_steps=30))
    assert row.stop_reason is StopReason.MAX_STEPS
    assert len(client.prompts) == 30
    assert stubs(client.prompts[-1])
    refused = row.usage["act"]["calls"] - 30
    assert refused == 1 if stated else 1 <= refused < 30


@pytest.mark.parametrize("told", [10_000, 1_800])
def test_the_smaller_of_the_window_that_is_set_and_the_one_that_is_stated_holds(told):
    client = Narrow(2_000, True, [search(k, rows=30) for k in range(20)])
    row, _ = converse(make(SHOP), agent=agent(told), client=client, limits=Limits(max_steps=20))
    assert row.stop_reason is StopReason.MAX_STEPS
    assert row.usage["act"]["calls"] == 20 + (told > 2_000)
    tools = make(SHOP).unwrapped.tools
    assert max(estimate_prompt(prompt, tools) + 100 for prompt in client.prompts) <= min(told, 2_000)


@pytest.mark.parametrize("policy", ["error", "stub"])
def test_an_overflow_that_no_stub_can_help_is_a_scored_stop(policy):
    row, _ = converse(make(SHOP), agent=agent(None, policy), client=Narrow(50, True, []), limits=Limits())
    assert row.stop_reason is StopReason.CONTEXT_OVERFLOW
    assert row.scored
    assert "maximum context length is 50" in row.error
    assert row.usage["act"]["calls"] == row.steps[-1].usage["act"]["calls"] == 1


def test_estimates_follow_the_providers_counts():
    """A provider counts three times the tokens of the estimate; the window is kept by its count."""
    seen = []

    def counts(messages, tools, settings):
        size = 3 * estimate_prompt(messages, tools)
        seen.append(size)
        return says(*search(len(seen), rows=20).tool_calls, usage=Usage(input=size, output=5))

    row, _ = converse(make(SHOP), agent=agent(6_000), client=ScriptedClient(counts), limits=Limits(max_steps=12))
    assert row.stop_reason is StopReason.MAX_STEPS
    assert max(seen) <= 5_900 + 3  # the scale is a float, the estimate is cut to a whole number


def test_which_tools_may_become_stubs_is_a_setting():
    replies = [*(look(k) for k in range(60)), look(99)]
    _, prompts = converse(make(SHOP), *replies)
    window = estimate_prompt(prompts[-1], make(SHOP).unwrapped.tools) + 99
    row, _ = converse(make(SHOP), *replies, agent=agent(window, retrieval_tools=["nosuch"]))
    assert row.stop_reason is StopReason.CONTEXT_OVERFLOW
    with pytest.raises(SettingError, match="context"):
        build({"_target_": "bizgym.agents.cot.ChainOfThought", "name": "cot", "context": "trim"})


def test_text_of_a_message_is_all_that_it_says():
    message = {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [{"function": {"name": "a", "arguments": "{}"}}],
    }
    assert text_of(message) == "I look.\na {}"

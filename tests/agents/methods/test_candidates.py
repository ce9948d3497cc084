"""Methods that deliberate, whatever their model replies: what is played is a candidate, and no trace is left behind."""

import json
from pathlib import Path

import pytest
from bizgym.agents.debate import Debate
from bizgym.agents.discussion import Discussion
from bizgym.agents.proposals import Proposal, arguments_of
from bizgym.agents.reflexion import Reflexion
from bizgym.agents.self_refine import SelfRefine
from bizgym.agents.voting import shape_of
from bizgym.envs.core.chat import Finish, ToolCall
from bizgym.envs.core.stop import StopReason
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fixtures.deliberation import BEER, CUT_OFF, QA, REFUSED, play_method
from tests.fixtures.models import make, says, tool_call
from tests.fixtures.records import content, play_all, rows_of

MOST_CALLS = {
    (SelfRefine, "paper"): 5,
    (SelfRefine, "small"): 5,
    (Reflexion, None): 7,
    (Debate, "paper"): 6,
    (Debate, "small"): 4,
    (Discussion, "paper"): 19,
    (Discussion, "small"): 10,
}
ENDS = {StopReason.MAX_STEPS, StopReason.REFUSAL, StopReason.OUTPUT_TRUNCATED}

quantities = st.one_of(st.integers(-3, 5001), st.floats(0, 100), st.booleans(), st.sampled_from(["100", "#", None]))
arguments = st.one_of(
    st.builds(lambda quantity: json.dumps({"quantity": quantity}), quantities),
    st.sampled_from(
        ["", "{}", "[1]", "{quantity: 1}", '{"quantity": 1, "quantity": 2}', '{"quantity": ' + "9" * 5000 + "}"]
    ),
)
calls = st.builds(tool_call, st.sampled_from(["place_order", "order", ""]), arguments, st.sampled_from(["x", "y"]))
texts = st.one_of(
    st.text(max_size=20),
    st.builds(
        lambda ok, issues, choice: json.dumps(
            {"ok": ok, "issues": issues, "solved": ok, "why": "so", "choice": choice}
        ),
        st.booleans(),
        st.lists(st.text(max_size=5), max_size=2),
        st.integers(0, 4),
    ),
)
replies = st.one_of(
    st.builds(lambda text, made: says(*made, text=text), texts, st.lists(calls, max_size=3)),
    st.builds(lambda text, call: says(call, text=text, finish=Finish.LENGTH), texts, calls),
    st.sampled_from([REFUSED, CUT_OFF, says()]),
)


def is_candidate(turn, candidates):
    """Whether a turn is one of the candidates, or one whose numbers are each another candidate's of the same shape."""
    played = tuple(
        ToolCall(c.get("id", ""), c["function"]["name"], c["function"]["arguments"]) for c in turn.calls or []
    )
    if any(each.text == turn.text and each.tool_calls == played for each in candidates):
        return True
    merged = Proposal(says(*played, text=turn.text))
    peers = [each for each in map(Proposal, candidates) if each.is_call and shape_of(each) == shape_of(merged)]
    return any(each.why == turn.text for each in peers) and all(
        any(arguments_of(peer.calls[k]).get(name) == value for peer in peers)
        for k, call in enumerate(played)
        for name, value in arguments_of(call).items()
    )


@pytest.mark.parametrize(("method", "profile"), MOST_CALLS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    script=st.lists(replies, min_size=1, max_size=20),
    committed=st.booleans(),
    cut=st.sampled_from(["stop", "continue"]),
)
def test_what_is_played_is_a_candidate_or_the_median_of_candidates(method, profile, script, committed, cut):
    chosen = {"profile": profile} if profile else {}
    agent = method(apply="commit_only" if committed else "every_step", on_truncated=cut, **chosen)
    row, log = play_method(make(BEER, horizon=5), agent, lambda number, asked: script[number % len(script)])
    assert row.stop_reason in ENDS, row.error
    assert 1 <= len(log) <= MOST_CALLS[method, profile]
    turns = [step.turn for step in row.steps if step.turn is not None]
    proposed = [script[k % len(script)] for k, each in enumerate(log) if each.role in ("act", "revise")]
    assert len(turns) == (row.stop_reason is StopReason.MAX_STEPS)
    assert all(is_candidate(turn, proposed) for turn in turns)


AGENTS = [
    ("self_refine.SelfRefine", {}),
    ("self_refine.SelfRefine", {"profile": "small"}),
    ("reflexion.Reflexion", {}),
    ("reflexion.Reflexion", {"apply": "episode"}),
    ("debate.Debate", {"apply": "every_k", "every_k": 2}),
    ("discussion.Discussion", {"profile": "small", "apply": "commit_only"}),
]


def run(folder: Path, target: str, chosen, seed=0, env=None, **asked):
    agent = {"_target_": f"bizgym.agents.{target}", "name": "method", **chosen}
    client = {"_target_": "tests.fixtures.deliberation.Thinker", "name": "thinker"}
    env = {"id": BEER, "horizon": 3} if env is None else env
    play_all(folder, env=env, agent=agent, client=client, seed=seed, **asked)
    rows = [content(row) for row in rows_of(folder)]
    assert rows
    states = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("agent_state/*"))]
    return rows, states


@pytest.mark.parametrize(("target", "chosen"), AGENTS)
def test_a_run_after_another_is_the_same_as_alone(tmp_path, target, chosen):
    alone = run(tmp_path / "alone", target, chosen, trials=2)
    other = run(tmp_path / "other", target, chosen, trials=2, seed=1)
    assert other != alone
    assert run(tmp_path / "again", target, chosen, trials=2) == alone
    assert len(alone[0]) == 2


@pytest.mark.parametrize("feedback", ["none", "outcome"])
def test_a_run_that_was_continued_learns_what_one_at_a_stretch_learns(tmp_path, feedback):
    env = {"id": QA, "tasks": ["dk-easy-13", "cr-easy-09"]}
    asked = {"env": env, "feedback": feedback}
    whole = run(tmp_path / "whole", "reflexion.Reflexion", {"apply": "episode"}, trials=4, **asked)
    for trials in (1, 2, 4):
        parts = run(tmp_path / "parts", "reflexion.Reflexion", {"apply": "episode"}, trials=trials, **asked)
    assert parts == whole
    (state,) = [json.loads(text)["state"] for text in whole[1]]
    assert sum(map(len, state["lessons"].values())) >= 2

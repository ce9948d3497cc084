"""Reflexion: trials within a decision and trials that are episodes, whose lessons they see, and when they end."""

import json

import pytest
from bizgym.agents.reflexion import Reflexion
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason

from tests.fixtures.deliberation import BEER, CUT_OFF, QA, REFUSED, TWIN, answers, orders, play_method, roles, turn_of
from tests.fixtures.models import make, says, tool_call

SOLVED = json.dumps({"solved": True, "why": "It holds."})
FIRST, SECOND = "dk-easy-13", "ie-easy-02"


def failed(why="It does not."):
    return says(text=json.dumps({"solved": False, "why": why}))


def week(*replies, steps=1, **settings):
    agent = Reflexion(**settings)
    row, log = play_method(make(BEER, horizon=4), agent, replies, steps=steps)
    return agent, row, log


@pytest.mark.parametrize(
    ("replies", "called", "played"),
    [
        ([orders(400), SOLVED], "act evaluate", 400),
        ([orders(400), failed(), "L1", orders(100), SOLVED], "act evaluate reflect act evaluate", 100),
        (
            [orders(400), failed(), "L1", orders(100), failed(), "L2", orders(200)],
            "act evaluate reflect act evaluate reflect act",
            200,
        ),
    ],
)
def test_a_failed_trial_costs_a_reflection_and_a_retry_and_the_last_trial_is_not_judged(replies, called, played):
    agent, row, log = week(*replies)
    assert roles(log) == called
    assert turn_of(row)[1] == [{"quantity": played}]
    assert (agent.unreadable, agent.adaptive) == (0, False)


def test_a_retry_that_repeats_the_proposal_ends_the_trials():
    _, row, log = week(orders(400, "Safety."), failed(), "L1", orders(400, "Safety again."))
    assert roles(log) == "act evaluate reflect act"
    assert turn_of(row) == ("Safety.", [{"quantity": 400}])


def test_what_each_role_is_shown():
    _, _, log = week(orders(400), failed("Four times demand."), "Count what is on order.", orders(100), SOLVED)
    _, evaluator, reflection, retry, again = log
    draft = '> I think of 400.\n> Call: place_order({"quantity": 400})'
    for each in (evaluator, reflection, retry):
        assert draft in each.question
    assert "> Four times demand." in reflection.question
    assert "> (none yet)" in reflection.question
    assert "> - Count what is on order." in retry.question
    assert '> Call: place_order({"quantity": 100})' in again.question
    assert [each.settings.max_tokens for each in log] == [4096, 4096, 250, 4096, 4096]
    assert [each.settings.tool_choice for each in log] == ["auto", "none", "none", "auto", "none"]


def test_the_last_three_lessons_of_the_episode_stay_in_view_and_no_other_episodes():
    agent = Reflexion(max_trials=2)
    replies = []
    for number in range(1, 6):
        replies += [orders(400), failed(), f"Lesson {number}.", orders(number)]
    row, log = play_method(make(BEER, horizon=9), agent, replies, steps=5)
    reflections = [each.question for each in log if each.role == "reflect"]
    seen = [[k for k in range(1, 6) if f"> - Lesson {k}." in question] for question in reflections]
    assert seen == [[], [1], [1, 2], [1, 2, 3], [2, 3, 4]]
    proposals = [each.question for each in log if each.role == "act"]
    seen = [[k for k in range(1, 6) if f"> - Lesson {k}." in question] for question in proposals]
    assert seen == [[], [1], [1], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3], [2, 3, 4], [2, 3, 4], [3, 4, 5]]
    assert [turn_of(row, k)[1] for k in range(5)] == [[{"quantity": k}] for k in range(1, 6)]
    _, log = play_method(make(BEER, horizon=9), agent, [orders(400), SOLVED])
    assert "Lesson" not in str([each.messages for each in log])


BAD = ["no verdict", '{"solved": "no"}', '{"why": "because"}', "[false]", "", REFUSED]


@pytest.mark.parametrize("verdict", BAD)
def test_a_verdict_that_cannot_be_read_changes_nothing(verdict):
    agent, row, log = week(orders(400), verdict)
    assert roles(log) == "act evaluate"
    assert turn_of(row)[1] == [{"quantity": 400}]
    assert agent.unreadable == 1


@pytest.mark.parametrize(
    "rest", [["  "], [REFUSED], ["L1", REFUSED], ["L1", CUT_OFF], ["L1", says(text="I am at a loss.")]]
)
def test_without_a_lesson_or_a_retry_the_proposal_stands(rest):
    agent, row, log = week(orders(400), failed(), *rest)
    assert len(log) == 2 + len(rest)
    assert turn_of(row)[1] == [{"quantity": 400}]
    assert agent.unreadable == 1


@pytest.mark.parametrize(
    "verdict", ['{"solved": false}', '{"solved": false, "why": 7}', '{"solved": false, "why": " "}']
)
def test_a_verdict_without_a_reason_is_one_all_the_same(verdict):
    _, row, log = week(orders(400), verdict, "L1", orders(100), SOLVED)
    assert "> (none given)" in log[2].question
    assert turn_of(row)[1] == [{"quantity": 100}]


def test_one_trial_is_chain_of_thought():
    _, row, log = week(orders(400), max_trials=1)
    assert roles(log) == "act"
    assert turn_of(row)[1] == [{"quantity": 400}]


def test_before_a_commitment_the_draft_is_the_first_trial():
    reading, deciding = says(tool_call("get_firm", "{}")), says(tool_call("set_workforce", "{}"))
    row, log = play_method(make(TWIN), Reflexion(apply="commit_only"), [reading, deciding, SOLVED], steps=2)
    assert roles(log) == "act act evaluate"
    assert [step.results[0].name for step in row.steps[:2]] == ["get_firm", "set_workforce"]


def episode(agent, replies, task=FIRST, feedback="outcome"):
    """An answer to a question, and what the agent makes of it."""
    row, log = play_method(make(QA), agent, replies, task_id=task, feedback=feedback, steps=None)
    assert row.stop_reason is StopReason.ENV_DONE
    return row, log


def test_after_failed_episodes_lessons_are_kept_by_task_and_after_a_success_no_more():
    agent = Reflexion(apply="episode")
    _, log = episode(agent, [answers("B"), "Doubt the new number."])
    assert roles(log) == "act reflect@adaptation"
    assert agent.state() == {"lessons": {FIRST: ["Doubt the new number."]}, "solved": [], "unreadable": 0}
    _, log = episode(agent, [answers(1), "Read the column of the year."], SECOND)
    assert "Doubt the" not in str([each.messages for each in log])  # a lesson serves its own task alone
    _, log = episode(agent, [answers("A")])
    assert "> - Doubt the new number." in log[0].messages[0]["content"]
    assert roles(log) == "act"
    assert agent.state()["solved"] == [FIRST]
    row, log = episode(agent, [answers("B")])
    assert row.reward == 0.0
    assert roles(log) == "act"  # nothing more is learned for this task
    assert "> - Doubt the new number." in log[0].messages[0]["content"]
    assert agent.state()["lessons"] == {FIRST: ["Doubt the new number."], SECOND: ["Read the column of the year."]}


def test_the_prompt_of_a_trial_holds_the_newest_three_lessons_of_its_task():
    agent = Reflexion(apply="episode")
    for number in range(1, 6):
        _, log = episode(agent, [answers("B"), f"Lesson {number}."])
    assert [k for k in range(1, 6) if f"> - Lesson {k}." in log[0].messages[0]["content"]] == [2, 3, 4]
    assert [k for k in range(1, 6) if f"> - Lesson {k}." in log[1].question] == [2, 3, 4]
    assert agent.state()["lessons"][FIRST] == [f"Lesson {k}." for k in range(1, 6)]


def test_what_a_reflection_on_an_episode_is_told():
    for feedback, told, untold in (
        ("outcome", "Score of the episode: 0", "The right answer"),
        ("binary", "The episode was a failure.", "Score"),
        ("gold", "The right answer: ", "Score"),
    ):
        _, log = episode(Reflexion(apply="episode"), [answers("B"), "A lesson."], feedback=feedback)
        _, reflection = log
        assert told in reflection.question
        assert untold not in reflection.question
        assert '> Turn 1: I think it is B. answer({"value": "B"})' in reflection.question
        assert "What should the accounts payable clerk do first?" in reflection.question
        assert (reflection.settings.max_tokens, len(reflection.messages)) == (250, 1)


@pytest.mark.parametrize(
    ("replies", "called", "state"),
    [
        ([SOLVED], "evaluate", ({}, [FIRST], 0)),
        ([failed(), "A lesson."], "evaluate reflect", ({FIRST: ["A lesson."]}, [], 0)),
        ([failed(), " "], "evaluate reflect", ({}, [], 1)),
        (["I cannot tell."], "evaluate", ({}, [], 1)),
    ],
)
def test_without_feedback_the_model_judges_its_episode_itself(replies, called, state):
    agent = Reflexion(apply="episode")
    _, log = episode(agent, [answers("B"), *replies], feedback="none")
    assert roles(log[1:]) == " ".join(f"{role}@adaptation" for role in called.split())
    assert tuple(agent.state().values()) == state
    assert "Score" not in log[1].question
    assert all("gave this reason:\n\n> It does not." in each.question for each in log[2:])


def test_a_score_without_a_scale_is_judged_by_the_model_too():
    agent = Reflexion(apply="episode")
    row, log = play_method(make(BEER, horizon=2), agent, [orders(1), orders(1), SOLVED], steps=None, feedback="outcome")
    assert "normalized" not in row.metrics
    assert roles(log) == "act act evaluate@adaptation"
    assert f"Score of the episode: {row.reward:g}." in log[-1].question


def test_a_lesson_is_bounded_whatever_its_model_writes():
    agent = Reflexion(apply="episode")
    episode(agent, [answers("B"), "x" * 50_000 + "\ud800"])
    (lesson,) = agent.state()["lessons"][FIRST]
    assert len(lesson) < 2_100
    assert lesson.encode()


def test_a_state_is_continued_and_is_the_agents_own():
    agent, other = Reflexion(apply="episode"), Reflexion(apply="episode")
    episode(agent, [answers("B"), "Lesson 1."])
    state = agent.state()
    _, there = episode(agent, [answers("B"), "Lesson 2."])
    _, here = play_method(
        make(QA), other, [answers("B"), "Lesson 2."], task_id=FIRST, feedback="outcome", steps=None, state=state
    )
    assert [each.messages for each in there] == [each.messages for each in here]
    assert other.state() == agent.state()
    assert state["lessons"] == {FIRST: ["Lesson 1."]}


@pytest.mark.parametrize("setting", ["max_trials", "window", "lesson_tokens", "every_k"])
def test_settings_are_checked(setting):
    with pytest.raises(SettingError, match=f"{setting}: at least 1, not 0"):
        Reflexion(**{setting: 0})


def test_the_small_profile_retries_once_with_the_newest_lesson_alone():
    replies = []
    for number in range(1, 4):
        replies += [orders(400), failed(), f"Lesson {number}.", orders(number)]
    row, log = play_method(make(BEER, horizon=9), Reflexion("small"), replies, steps=3)
    assert [each.role for each in log] == ["act", "evaluate", "reflect", "act"] * 3
    seen = [[k for k in range(1, 4) if f"> - Lesson {k}." in each.question] for each in log if each.role == "act"]
    assert seen == [[], [1], [1], [2], [2], [3]]
    assert [turn_of(row, k)[1] for k in range(3)] == [[{"quantity": k}] for k in range(1, 4)]
    _, log = play_method(make(BEER, horizon=9), Reflexion("small", max_trials=1), [orders(400)])
    assert [each.role for each in log] == ["act"]

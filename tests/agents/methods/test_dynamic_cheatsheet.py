"""Dynamic Cheatsheet against traces worked out by hand: calls, prompts, and the sheet after each episode."""

from typing import Any

import pytest
from bizgym.agents.dynamic_cheatsheet import DynamicCheatsheet
from bizgym.envs.core.chat import Completion, ContextOverflow, Finish
from bizgym.envs.core.errors import SettingError

from tests.fixtures.lessons import EASY, Call, Lessons, answers
from tests.fixtures.models import make, order, says

LONG = "\n".join(f"- Rule {k}: check the sign of item {k} before adding it. (count: 1)" for k in range(40))


class Curator:
    """Answers "no idea"; the n-th sheet that it writes is the n-th of a list, the last one for ever."""

    def __init__(self, *sheets: str) -> None:
        self._sheets, self._n = sheets, 0

    def __call__(self, call: Call) -> Completion | str:
        if call.role == "act":
            return answers()
        assert call.role == "curate@adaptation"
        self._n += 1
        return self._sheets[min(self._n, len(self._sheets)) - 1]


def sheet(text: str) -> str:
    return f"I keep it short.\n<cheatsheet>\n{text}\n</cheatsheet>\n"


def taught(agent: DynamicCheatsheet, *sheets: str, feedback: str = "none", **state: Any) -> Lessons:
    return Lessons(agent, Curator(*sheets), feedback, **state)


def test_cumulative_solves_with_the_sheet_and_then_curates() -> None:
    lessons = taught(DynamicCheatsheet(), sheet("- one (count: 1)"), sheet("- one (count: 2)\n- two"), sheet("- three"))
    held = []
    for task in EASY[:3]:
        lessons.ask(task)
        assert lessons.roles == ["act", "curate@adaptation"]
        held.append(lessons.agent.state()["sheet"])
        (solve,), (curate,) = lessons.of("act"), lessons.of("curate@adaptation")
        before = held[-2:-1]
        assert ("Your cheatsheet" in solve) is bool(before)
        for text in before:
            assert "\n".join(f"> {line}" for line in text.splitlines()) in solve
            assert "\n".join(f"> {line}" for line in text.splitlines()) in curate
        assert "> You answer one question" in curate
        assert '> Turn 1: I think. answer({"value": "no idea"})' in curate
    assert held == ["- one (count: 1)", "- one (count: 2)\n- two", "- three"]
    state = lessons.agent.state()
    assert state["previous"] == held[1]
    assert state["lengths"] == [len(text) for text in held]
    assert state["updates"] == {"taken": 3, "cut": 0, "empty": 0, "unreadable": 0, "collapsed": 0}
    assert state["cases"] == []


def test_retrieval_curates_first_from_the_similar_samples_and_then_solves() -> None:
    agent = DynamicCheatsheet(variant="retrieval", n_similar=2)
    lessons = taught(agent, sheet("- one"), sheet("- two"), sheet("- three"), sheet("- four"))
    for number, task in enumerate([*EASY[:3], EASY[1]], 1):
        row = lessons.ask(task)
        assert lessons.roles == ["curate@adaptation", "act"]
        (synthesis,), (solve,) = lessons.of("curate@adaptation"), lessons.of("act")
        assert synthesis.count("What was done:") == min(number - 1, 2)
        assert ("(nothing yet)" in synthesis) is (number == 1)
        assert f"> - {('one', 'two', 'three', 'four')[number - 1]}" in solve
        assert [case["task"] for case in agent.state()["cases"]][-1] in row.first_observation
    first_case = synthesis.partition("Earlier tasks")[2].partition("What was done:")[0]
    question = lessons.calls[1].messages[1]["content"].splitlines()[0]
    assert question in first_case  # the same task again is the most similar one
    assert agent.state()["lengths"] == [5, 5, 7, 6]


def test_what_was_synthesised_counts_only_once_the_episode_is_over() -> None:
    agent = DynamicCheatsheet(variant="retrieval")

    def reply(call: Call) -> Completion | str:
        return sheet("- new") if call.role != "act" else says(text="I had rather not.", finish=Finish.REFUSAL)

    lessons = Lessons(agent, reply)
    before = agent.state()
    env = make("bizgym/EnterpriseQA-v0")
    assert lessons.play(env, EASY[0]).stop_reason == "refusal"
    assert agent.state() == before  # nothing was played: neither the sheet nor a case is kept


@pytest.mark.parametrize(
    ("reply", "fate"),
    [
        (sheet(""), "empty"),
        (sheet(" (empty) "), "empty"),
        ("The sheet is fine as it is.", "unreadable"),
        ("", "unreadable"),
        ("<cheatsheet>\n- cut off in the mid", "unreadable"),
        (sheet("- Be careful."), "collapsed"),
    ],
)
def test_a_sheet_that_was_lost_keeps_the_one_before(reply: str, fate: str) -> None:
    lessons = taught(DynamicCheatsheet(), sheet(LONG), reply, sheet(LONG + "\n- and more"))
    lessons.ask(EASY[0])
    lessons.ask(EASY[1])
    state = lessons.agent.state()
    assert state["sheet"] == LONG
    assert state["lengths"] == [len(LONG)] * 2
    assert {name: n for name, n in state["updates"].items() if n} == {"taken": 1, fate: 1}
    assert state["unreadable"] == (fate == "unreadable")
    lessons.ask(EASY[2])
    assert lessons.agent.state()["sheet"] == LONG + "\n- and more"


def test_the_collapse_of_the_ace_paper_is_refused_and_a_short_sheet_may_shrink() -> None:
    lines = "\n".join(f"- line {k}" for k in range(3_000))[:18_282]
    lessons = taught(DynamicCheatsheet(), sheet(lines), sheet("x" * 122))
    lessons.ask(EASY[0])
    lessons.ask(EASY[1])
    assert lessons.agent.state()["updates"]["collapsed"] == 1
    short = taught(DynamicCheatsheet(), sheet("y" * 999), sheet("z"))
    short.ask(EASY[0])
    short.ask(EASY[1])
    assert short.agent.state()["sheet"] == "z"


def test_the_curator_has_twice_the_solvers_tokens() -> None:
    for given, curator in ((2_048, 4_096), (None, None)):
        lessons = taught(DynamicCheatsheet(max_tokens=given), sheet("- one"))
        lessons.ask(EASY[0])
        assert [call.settings.max_tokens for call in lessons.calls] == [given, curator]


@pytest.mark.parametrize("variant", ["cumulative", "retrieval"])
@pytest.mark.parametrize("used", [False, True])
def test_feedback_reaches_the_curator_only_where_it_is_asked_for(variant: Any, used: bool) -> None:
    lessons = taught(DynamicCheatsheet(variant=variant, use_feedback=used), sheet("- one"), feedback="binary")
    for task in EASY[:2]:
        lessons.ask(task)
    assert ("The episode was a failure." in "".join(lessons.of("curate@adaptation"))) is used


def test_a_sheet_over_the_limit_is_cut_at_the_end_of_a_line() -> None:
    lessons = taught(DynamicCheatsheet(max_characters=100), sheet("\n".join(["- twenty characters"] * 9)))
    lessons.ask(EASY[0])
    state = lessons.agent.state()
    assert state["sheet"] == "\n".join(["- twenty characters"] * 5)
    assert state["updates"]["cut"] == 1
    assert "At most 100 characters" in lessons.of("curate@adaptation")[0]


def test_a_window_that_is_too_small_for_the_curator_costs_no_episode() -> None:
    def reply(call: Call) -> Any:
        return answers() if call.role == "act" else ContextOverflow("too long")

    def script(call: Call) -> Any:
        made = reply(call)
        if isinstance(made, Exception):
            raise made
        return made

    for variant in ("cumulative", "retrieval"):
        lessons = Lessons(DynamicCheatsheet(variant=variant), script)  # type: ignore[arg-type]
        row = lessons.ask(EASY[0])
        assert (row.stop_reason, row.error) == ("env_done", "")
        assert lessons.agent.state()["updates"]["unreadable"] == 1


def test_a_game_of_many_weeks_is_curated_once_from_its_account() -> None:
    agent = DynamicCheatsheet()
    lessons = Lessons(agent, lambda call: says(order(250)) if call.role == "act" else sheet("- order 250"))
    row = lessons.play(make("bizgym/BeerGame-v0", horizon=4))
    assert lessons.roles == ["act"] * 4 + ["curate@adaptation"]
    (shown,) = lessons.of("curate@adaptation")
    assert shown.count('place_order({"quantity": 250})') == 4
    assert "> Result: Week 1 is over: you ordered 250 units" in shown
    assert row.usage["curate@adaptation"]["calls"] == 1


@pytest.mark.parametrize("variant", ["cumulative", "retrieval"])
def test_a_resumed_run_is_the_uninterrupted_one(variant: Any) -> None:
    def reply(call: Call) -> Completion | str:  # a function of what is shown, so that a difference would show
        return answers(str(len(call.text))) if call.role == "act" else sheet(f"- seen {len(call.text)} characters")

    whole = Lessons(DynamicCheatsheet(variant=variant), reply)
    for task in EASY:
        whole.ask(task)
    first = Lessons(DynamicCheatsheet(variant=variant), reply)
    for task in EASY[:2]:
        first.ask(task)
    second = Lessons(DynamicCheatsheet(variant=variant), reply, state=first.agent.state())
    for task in EASY[2:]:
        second.ask(task)
    assert second.agent.state() == whole.agent.state()
    assert second.calls == whole.calls
    assert len({call.settings.seed for call in second.calls}) == 1  # the episode's own, before it as after it


@pytest.mark.parametrize("settings", [{"collapse_share": 1.5}, {"max_characters": 0}, {"n_similar": 0}])
def test_settings_that_do_not_hold_are_refused(settings: Any) -> None:
    with pytest.raises(SettingError, match=next(iter(settings))):
        DynamicCheatsheet(**settings)


@pytest.mark.parametrize(("settings", "limit"), [({}, 24_000), ({"profile": "small"}, 6_000)])
def test_a_profile_bounds_the_sheet_unless_a_number_is_given(settings: dict[str, Any], limit: int) -> None:
    text = "\n".join(f"- rule {k}" for k in range(5_000))
    lessons = taught(DynamicCheatsheet(**settings), sheet(text))
    lessons.ask(EASY[0])
    state = lessons.agent.state()
    assert limit - 100 < len(state["sheet"]) <= limit
    assert state["updates"]["cut"] == 1
    own = taught(DynamicCheatsheet(**settings, max_characters=500), sheet(text))
    own.ask(EASY[0])
    assert 400 < len(own.agent.state()["sheet"]) <= 500


@pytest.mark.parametrize(("settings", "shown"), [({}, 3), ({"profile": "small"}, 1)])
def test_a_profile_says_how_many_similar_samples_are_shown(settings: dict[str, Any], shown: int) -> None:
    lessons = taught(DynamicCheatsheet(**settings, variant="retrieval"), sheet("- one"))
    for task in EASY[:5]:
        lessons.ask(task)
    (curate,) = lessons.of("curate@adaptation")
    assert curate.count('answer({"value": "no idea"})') == shown

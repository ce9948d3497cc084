"""AMEM against traces worked out by hand: calls, prompts, and the notes after each episode."""

import json
from typing import Any

import pytest
from bizgym.agents.amem import AMEM
from bizgym.envs.core.chat import Completion
from bizgym.envs.core.errors import SettingError

from tests.fixtures.lessons import EASY, Call, Lessons, answers
from tests.fixtures.models import make, order, says

QUERY, ANALYSE, EVOLVE = "retrieve", "analyse@adaptation", "evolve@adaptation"


def query(*keywords: str) -> str:
    return json.dumps({"keywords": list(keywords)})


def analysis(context: str, *keywords: str, tags: tuple[str, ...] = ()) -> str:
    return json.dumps({"keywords": list(keywords), "context": context, "tags": list(tags)})


def evolution(*links: Any, neighbours: Any = ()) -> str:
    return json.dumps({"links": list(links), "neighbours": list(neighbours)})


class Librarian:
    """Answers "no idea"; what it says in the other roles comes from lists, the last of each for ever."""

    def __init__(self, queries: Any = (), analyses: Any = (), evolutions: Any = ()) -> None:
        self._said = {
            QUERY: [*queries] or [query("bond")],
            ANALYSE: [*analyses] or [analysis("c", "bond")],
            EVOLVE: [*evolutions] or [evolution()],
        }

    def __call__(self, call: Call) -> Completion | str:
        if call.role == "act":
            return answers()
        said = self._said[call.role]
        return said.pop(0) if len(said) > 1 else said[0]


def notes_of(lessons: Lessons) -> list[dict[str, Any]]:
    notes: list[dict[str, Any]] = lessons.agent.state()["notes"]
    return notes


def test_lite_takes_one_call_and_finds_by_the_words_of_the_task() -> None:
    lessons = Lessons(AMEM(k_read=1), Librarian())
    rows = []
    for number, task in enumerate([EASY[0], EASY[1], EASY[2], EASY[1]], 1):
        rows.append(lessons.ask(task))
        assert lessons.roles == ["act"]
        (shown,) = lessons.of("act")
        assert ("Notes on earlier episodes" in shown) is (number > 1)
        assert [note["id"] for note in notes_of(lessons)] == list(range(1, number + 1))
    assert "> Note 2\n" in shown  # the same task again
    assert '> Done: Turn 1: I think. answer({"value": "no idea"})' in shown
    for row, note in zip(rows, notes_of(lessons), strict=True):
        assert len(note["task"]) < 1_300
        assert row.first_observation.startswith(note["task"][:400])
        assert row.first_observation.endswith(note["task"][-800:])
        assert (note["outcome"], note["keywords"], note["context"], note["links"]) == ("", [], "", [])


def test_full_takes_four_calls_from_the_second_sample_on() -> None:
    lessons = Lessons(AMEM("full"), Librarian())
    lessons.ask(EASY[0])
    assert lessons.roles == ["act", ANALYSE]  # nothing to find, nobody to link
    for task in EASY[1:3]:
        row = lessons.ask(task)
        assert lessons.roles == [QUERY, "act", ANALYSE, EVOLVE]
        assert row.usage[QUERY]["calls"] == row.usage[ANALYSE]["calls"] == row.usage[EVOLVE]["calls"] == 1


def test_the_notes_of_full_after_each_of_three_episodes() -> None:
    edit = {"id": 1, "context": "Bonds, seen again.", "tags": ["fixed income"], "keywords": ["not asked for"]}
    librarian = Librarian(
        [query("bond"), query("option")],
        [analysis("Bonds.", "bond", "coupon", tags=("debt",)), analysis("More bonds.", "bond"), analysis("Options.")],
        [evolution(1, neighbours=[edit]), evolution("2", 1, 1)],
    )
    lessons = Lessons(AMEM("full"), librarian, "binary")
    lessons.ask(EASY[0])
    (first,) = notes_of(lessons)
    assert (first["context"], first["keywords"], first["tags"]) == ("Bonds.", ["bond", "coupon"], ["debt"])
    assert first["outcome"] == "The episode was a failure."
    lessons.ask(EASY[1])
    assert "> Context: Bonds." in lessons.of("act")[0]
    first, second = notes_of(lessons)
    assert (first["context"], first["tags"]) == ("Bonds, seen again.", ["fixed income"])
    assert first["keywords"] == ["bond", "coupon"]
    assert second["links"] == [1]
    lessons.ask(EASY[2])
    assert sorted(notes_of(lessons)[2]["links"]) == [1, 2]
    assert lessons.agent.state()["unreadable"] == 0


def test_linked_notes_come_behind_those_that_were_found() -> None:
    librarian = Librarian(
        [query("quasar"), query("zebra")], [analysis("a", "quasar"), analysis("b", "zebra")], [evolution(1)]
    )
    lessons = Lessons(AMEM("full"), librarian)
    for task in EASY[:3]:
        lessons.ask(task)
    (shown,) = lessons.of("act")
    assert shown.index("> Note 2 (linked to 1)") < shown.index("> Note 1\n")  # "zebra" finds the second note alone


def test_a_change_goes_to_the_neighbour_by_its_id() -> None:
    """The reference takes a neighbour's rank for its place among all notes, and so rewrites the oldest."""
    words = ["zebra", "quasar", "zebra", "quasar", "zebra"]
    edits = [{"id": 4, "context": "Rewritten.", "tags": ["new"]}, {"id": 1, "context": "Forged.", "tags": ["forged"]}]
    librarian = Librarian(
        [query("nothing")],
        [*(analysis(f"About {word}.", word) for word in words), analysis("About quasar.", *["quasar"] * 3)],
        [*[evolution()] * 4, evolution(4, neighbours=edits)],
    )
    lessons = Lessons(AMEM("full", k_insert=2), librarian)
    for task in [*EASY, EASY[3]]:  # nearest to the fourth note, whose task is the same
        lessons.ask(task)
    shown = lessons.of(EVOLVE)[0].partition("The notes near it:")[2]
    contexts = {note["id"]: note["context"] for note in notes_of(lessons)}
    near = [number for number in range(1, 6) if f"> Note {number}\n" in shown]
    assert len(near) == 2
    assert 4 in near
    assert 1 not in near
    for number in range(1, 6):
        before = f"About {words[number - 1]}."
        edited = {4: "Rewritten.", 1: "Forged."}.get(number, before) if number in near else before
        assert contexts[number] == edited


def test_an_edit_beyond_the_neighbours_shown_does_nothing() -> None:
    forged = [
        {"id": number, "context": "Forged.", "tags": ["x"]} for number in (0, -1, 99, True, None, "one", 1.0, [1])
    ]
    librarian = Librarian([], [], [evolution(99, 0, -1, True, None, [1], {"id": 1}, 1.0, "x", neighbours=forged)])
    lessons = Lessons(AMEM("full"), librarian)
    for task in EASY[:2]:
        lessons.ask(task)
    assert [(note["context"], note["links"]) for note in notes_of(lessons)] == [("c", []), ("c", [])]


@pytest.mark.parametrize("reply", ["no JSON", "", "[]", '{"keywords": ['])
def test_what_cannot_be_read_is_counted_and_the_note_kept(reply: str) -> None:
    lessons = Lessons(AMEM("full"), Librarian([reply], [reply], [reply]))
    for task in EASY[:2]:
        lessons.ask(task)
    assert [(note["id"], note["keywords"], note["links"]) for note in notes_of(lessons)] == [(1, [], []), (2, [], [])]
    assert lessons.agent.state()["unreadable"] == 4  # an analysis; a query, an analysis and an evolution
    assert "Note 1" in lessons.of("act")[0]  # the words of the task searched in place of the query


def test_notes_that_do_not_fit_are_left_out_whole() -> None:
    lessons = Lessons(AMEM(recall_characters=2_000), Librarian())
    for task in EASY:
        lessons.ask(task)
    (shown,) = lessons.of("act")
    quotations = [line for line in shown.splitlines() if line.startswith("> ")]
    n_notes = sum(line.startswith("> Note ") for line in quotations)
    assert 1 <= n_notes < 4
    assert len("\n".join(quotations)) <= 2_000
    assert sum(line.startswith("> Result: ") for line in quotations) == n_notes


def test_the_oldest_notes_go_and_ids_are_never_given_twice() -> None:
    librarian = Librarian([], [], [evolution(1), evolution(2, 1), evolution(3, 2), evolution(4, 3)])
    lessons = Lessons(AMEM("full", max_notes=2), librarian)
    for task in EASY:
        lessons.ask(task)
    assert [(note["id"], note["links"]) for note in notes_of(lessons)] == [(4, []), (5, [4])]


def test_a_game_is_one_note() -> None:
    lessons = Lessons(AMEM(), lambda call: says(order(250)), "outcome")
    row = lessons.play(make("bizgym/BeerGame-v0", horizon=4))
    lessons.play(make("bizgym/BeerGame-v0", horizon=4), seed=1)
    (note, _) = notes_of(lessons)
    assert note["outcome"] == f"Score of the episode: {row.reward:g}."
    assert note["done"].startswith('Turn 1: place_order({"quantity": 250})')
    assert len(note["done"]) < 1_300
    assert all("> Outcome: Score of the episode" in text for text in lessons.of("act"))


@pytest.mark.parametrize("mode", ["lite", "full"])
def test_a_resumed_run_is_the_uninterrupted_one(mode: Any) -> None:
    def reply(call: Call) -> Completion | str:
        size = str(len(call.text))
        by_role = {QUERY: query(size, "question"), ANALYSE: analysis(size, "question"), EVOLVE: evolution(1, 2)}
        return by_role.get(call.role) or answers(size)

    whole, first = Lessons(AMEM(mode), reply), Lessons(AMEM(mode), reply)
    for task in EASY:
        whole.ask(task)
    for task in EASY[:2]:
        first.ask(task)
    second = Lessons(AMEM(mode), reply, state=json.loads(json.dumps(first.agent.state())))
    for task in EASY[2:]:
        second.ask(task)
    assert second.agent.state() == whole.agent.state()
    assert second.calls == whole.calls
    assert len({call.settings.seed for call in second.calls}) == 1  # the episode's own, before it as after it


@pytest.mark.parametrize("settings", [{"k_insert": 0}, {"k_read": 0}, {"recall_characters": 0}, {"max_notes": 0}])
def test_settings_that_do_not_hold_are_refused(settings: Any) -> None:
    with pytest.raises(SettingError, match=next(iter(settings))):
        AMEM(**settings)

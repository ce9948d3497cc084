"""ACE against traces worked out by hand: calls, prompts, and the playbook after each episode."""

import json
from typing import Any

import pytest
from bizgym.agents.ace import ACE, verdict
from bizgym.agents.base import Feedback
from bizgym.envs.core.chat import Completion, Finish
from bizgym.envs.core.errors import SettingError

from tests.fixtures.lessons import EASY, Call, Lessons, answers
from tests.fixtures.models import make, order, says

ACT, REFLECT, CURATE = "act@adaptation", "reflect@adaptation", "curate@adaptation"


def reflection(error: str = "", tags: Any = (), **parts: str) -> str:
    return json.dumps({"reasoning": "r", "error": error, "key_insight": "k", "bullet_tags": list(tags), **parts})


def curation(*contents: str, section: str = "strategies") -> str:
    operations = [{"type": "ADD", "section": section, "content": text} for text in contents]
    return f"Here it is:\n```json\n{json.dumps({'reasoning': 'r', 'operations': operations})}\n```"


class Coach:
    """Answers "no idea"; reflections and curations come from lists, the last of each for ever."""

    def __init__(self, reflections: Any = (), curations: Any = (), answer: str = "no idea") -> None:
        self._said = {REFLECT: [*reflections] or [reflection()], CURATE: [*curations] or [curation()]}
        self._answer = answer

    def __call__(self, call: Call) -> Completion | str:
        if call.role not in self._said:
            return answers(self._answer)
        said = self._said[call.role]
        return said.pop(0) if len(said) > 1 else said[0]


def answer_of(task: str) -> str:
    env = make("bizgym/EnterpriseQA-v0")
    env.reset(options={"task_id": task})
    env.step({"name": "answer", "arguments": {"value": "no idea"}})
    return str(env.unwrapped.gold())


def test_a_right_answer_takes_six_calls() -> None:
    lessons = Lessons(
        ACE(), Coach([reflection("an error that the feedback overrules")], answer=answer_of(EASY[0])), "binary"
    )
    lessons.ask(EASY[0])
    assert lessons.roles == ["act", ACT, ACT, REFLECT, CURATE, ACT]
    counts = lessons.agent.state()
    assert (counts["passes"], counts["initial_as_played"], counts["post_as_played"]) == (2, 1, 1)


def test_a_wrong_answer_takes_eleven_calls() -> None:
    lessons = Lessons(ACE(), Coach([reflection("the sign")]), "binary")
    row = lessons.ask(EASY[0])
    assert lessons.roles == ["act", ACT, ACT, *[REFLECT, ACT] * 3, CURATE, ACT]
    assert {role: amounts["calls"] for role, amounts in row.usage.items()} == {"act": 1, ACT: 6, REFLECT: 3, CURATE: 1}
    assert len(row.steps) == 1  # what the passes proposed was not played


def test_lean_takes_four_calls_right_or_wrong() -> None:
    for feedback in ("none", "binary"):
        lessons = Lessons(ACE("lean"), Coach([reflection("the sign")]), feedback)
        lessons.ask(EASY[0])
        assert lessons.roles == ["act", ACT, REFLECT, CURATE]


@pytest.mark.parametrize(
    ("feedback", "errors", "rounds"),
    [
        ("none", [""], 0),
        ("none", ["No error."], 0),
        ("none", ["e", ""], 1),
        ("none", ["e", "e", "e"], 3),
        ("binary", [""], 1),  # told wrong: one regeneration, then the reflector finds nothing
        ("binary", ["e", "e", ""], 2),
        ("outcome", ["", "e", ""], 2),  # a score of 0 of 1 tells as much
        ("gold", ["e", ""], 1),
    ],
)
def test_what_decides_about_another_round(feedback: str, errors: list[str], rounds: int) -> None:
    lessons = Lessons(ACE(), Coach([reflection(error) for error in errors]), feedback)
    lessons.ask(EASY[0])
    reflections = min(3, rounds + 1)
    assert lessons.roles.count(REFLECT) == reflections
    assert lessons.roles.count(ACT) == 3 + rounds


@pytest.mark.parametrize(
    ("feedback", "told"),
    [
        (None, None),
        (Feedback("binary", success=False), False),
        (Feedback("gold", 1.0, 1.0, True, "D"), True),
        (Feedback("outcome", 0.0, 0.0), False),
        (Feedback("outcome", 1.0, 1.0), True),
        (Feedback("outcome", -900.0, 0.6), None),
        (Feedback("outcome", 3.0), None),
    ],
)
def test_which_feedback_tells_right_or_wrong(feedback: Feedback | None, told: bool | None) -> None:
    assert verdict(feedback) is told


def test_what_each_call_is_shown() -> None:
    said = [reflection("the sign", correct_approach="mind the sign"), reflection("still the sign"), reflection()]
    coach = Coach(said, [curation("Mind the sign."), curation("Mind the unit.")])
    lessons = Lessons(ACE(), coach, "binary")
    lessons.ask(EASY[0])
    assert not [call for call in lessons.calls[:-1] if "str-00001" in call.text]
    played, initial, generation, _, retry, second, *_ = lessons.calls
    assert played.messages == initial.messages == generation.messages  # the playbook was empty
    assert retry.messages[:-1] == played.messages
    assert "> Correct approach: mind the sign" in retry.messages[-1]["content"]
    assert "Feedback: The episode was a failure." in second.text
    assert "> Error: still the sign" not in second.text
    (curate,) = lessons.of(CURATE)
    assert "> Error: still the sign" not in curate  # the last reflection found nothing
    assert "strategies, formulas, code, mistakes, heuristics, clues, other" in curate
    assert "> [str-00001] helpful=0 harmful=0 :: Mind the sign." in lessons.calls[-1].text
    lessons.ask(EASY[1])
    played, initial, *_, post = lessons.calls
    assert "> [str-00001]" in played.text
    assert "str-00001" not in initial.text
    assert "> [str-00002] helpful=0 harmful=0 :: Mind the unit." in post.text
    assert played.messages[1:] == initial.messages[1:] == post.messages[1:]


def test_the_playbook_after_each_of_three_episodes() -> None:
    tags = [{"id": "str-00001", "tag": "helpful"}, {"id": "mis-00002", "tag": "harmful"}, {"id": "x", "tag": "helpful"}]
    told = [reflection(), reflection(tags=[*tags, tags[0]]), reflection(tags=[{"id": "str-00001", "tag": "neutral"}])]
    written = [curation("A"), curation("B", section="mistakes"), curation("a.", "C", section="Tricks")]
    lessons = Lessons(ACE("lean"), Coach(told, written))
    held = []
    for task in EASY[:3]:
        lessons.ask(task)
        bullets = lessons.agent.state()["bullets"]
        held.append([(each["id"], each["helpful"], each["harmful"], each["text"]) for each in bullets])
    assert held == [
        [("str-00001", 0, 0, "A")],
        [("str-00001", 1, 0, "A"), ("mis-00002", 0, 0, "B")],  # B was not there when it was judged
        [("str-00001", 1, 0, "A"), ("mis-00002", 0, 0, "B"), ("oth-00003", 0, 0, "C")],
    ]
    assert lessons.agent.state()["counts"] == {"added": 3, "merged": 1, "pruned": 0, "evicted": 0, "ignored": 0}


def test_the_reflector_sees_the_entries_that_were_named_else_all() -> None:
    lessons = Lessons(ACE("lean"), Coach([], [curation("A", "B"), curation()]))
    lessons.ask(EASY[0])
    lessons.ask(EASY[1])
    assert all(name in lessons.of(REFLECT)[0] for name in ("str-00001", "str-00002"))
    named = Lessons(
        ACE("lean"),
        lambda call: answers(text="By str-00002.") if "act" in call.role else reflection(),
        state=lessons.agent.state(),
    )
    named.ask(EASY[2])
    assert "[str-00002]" in named.of(REFLECT)[0]
    assert "[str-00001]" not in named.of(REFLECT)[0]


def test_pruning_and_merging_are_the_profiles_and_settings() -> None:
    near = "Divide the yearly rate by twelve before you compound it over the months of the contract of the client"
    harm = [{"id": "str-00001", "tag": "harmful"}]
    for agent, pruned, merged in ((ACE(), 0, 0), (ACE("lean"), 1, 1), (ACE(prune=True), 1, 0), (ACE(merge=True), 0, 1)):
        coach = Coach([reflection(tags=harm)], [curation("A", near), curation(f"{near} here"), curation()])
        lessons = Lessons(agent, coach)
        for task in EASY[:4]:
            lessons.ask(task)
        counts = agent.state()["counts"]
        assert (counts["pruned"], counts["merged"]) == (pruned, merged)


@pytest.mark.parametrize("reply", ["no JSON", "", '{"reasoning": "x"', "[1, 2]"])
def test_what_cannot_be_read_changes_nothing_and_is_counted(reply: str) -> None:
    lessons = Lessons(ACE("lean"), Coach([reflection(), reply, reflection()], [curation("A"), reply]))
    lessons.ask(EASY[0])
    before = lessons.agent.state()
    lessons.ask(EASY[1])
    assert lessons.roles == ["act", ACT, REFLECT]  # without a review there is nothing to curate
    lessons.ask(EASY[2])
    assert lessons.roles == ["act", ACT, REFLECT, CURATE]
    assert lessons.agent.state() == {**before, "unreadable": 2}


def test_a_pass_that_is_refused_is_no_attempt() -> None:
    def reply(call: Call) -> Completion | str:
        if call.role == ACT:
            return says(text="I had rather not.", finish=Finish.REFUSAL)
        return {"act": answers(), REFLECT: reflection(), CURATE: curation("A")}[call.role]

    lessons = Lessons(ACE(), reply)
    row = lessons.ask(EASY[0])
    assert (row.error, lessons.roles) == ("", ["act", ACT, ACT, REFLECT, CURATE, ACT])
    assert "> (no answer)" in lessons.of(REFLECT)[0]
    assert lessons.agent.state()["initial_as_played"] == 0


def test_in_a_game_the_passes_stand_on_the_last_decision() -> None:
    replies = {REFLECT: reflection(), CURATE: curation("A")}
    lessons = Lessons(ACE(), lambda call: replies.get(call.role) or says(order(250)), "outcome")
    row = lessons.play(make("bizgym/BeerGame-v0", horizon=4))
    assert lessons.roles == ["act"] * 4 + [ACT, ACT, REFLECT, CURATE, ACT]
    assert lessons.calls[4].messages == lessons.calls[3].messages
    assert len(row.steps) == 4


def test_a_resumed_run_is_the_uninterrupted_one() -> None:
    def reply(call: Call) -> Completion | str:
        size = len(call.text)
        if call.role == REFLECT:
            return reflection("e" * (size % 2), [{"id": "str-00001", "tag": ("helpful", "harmful")[size % 2]}])
        return curation(f"Seen {size} characters") if call.role == CURATE else answers(str(size))

    whole, first = Lessons(ACE(), reply), Lessons(ACE(), reply)
    for task in EASY:
        whole.ask(task)
    for task in EASY[:2]:
        first.ask(task)
    second = Lessons(ACE(), reply, state=json.loads(json.dumps(first.agent.state())))
    for task in EASY[2:]:
        second.ask(task)
    assert second.agent.state() == whole.agent.state()
    assert second.calls == whole.calls


@pytest.mark.parametrize("settings", [{"rounds": -1}, {"playbook_tokens": 0}, {"merge_overlap": 0.0}])
def test_settings_that_do_not_hold_are_refused(settings: Any) -> None:
    with pytest.raises(SettingError, match=next(iter(settings))):
        ACE(**settings)

"""Whatever a curator, a reflector or an analyst sends: nothing breaks, nothing is lost, everything stays bounded."""

import json
from typing import Any

import pytest
from bizgym.envs.core.chat import Completion

from tests.fixtures.lessons import EASY, Call, Lessons, answers
from tests.fixtures.parrots import HOSTILE, LEARNERS, repeated


def kept_by(state: dict[str, Any]) -> dict[str, str]:
    """What was learned, by id."""
    bullets = {each["id"]: each["text"] for each in state.get("bullets", ())}
    notes = {str(each["id"]): each["task"] + each["done"] for each in state.get("notes", ())}
    cases = {f"case {k}": each["task"] for k, each in enumerate(state.get("cases", ()))}
    return {**bullets, **notes, **cases}


@pytest.mark.parametrize("method", LEARNERS)
@pytest.mark.parametrize("attack", HOSTILE)
def test_a_hostile_reply_breaks_nothing_and_loses_nothing(method: str, attack: str) -> None:
    hostile = False

    def reply(call: Call) -> Completion | str:
        if hostile and not call.role.startswith("act"):
            return HOSTILE[attack]
        return answers() if call.role.startswith("act") else repeated(call)

    lessons = Lessons(LEARNERS[method](), reply)
    lessons.ask(EASY[0])
    before = lessons.agent.state()
    hostile = True
    for task in EASY[1:3]:
        assert lessons.ask(task).error == ""
    after = lessons.agent.state()
    assert kept_by(before).items() <= kept_by(after).items()
    text = json.dumps(after, ensure_ascii=False, allow_nan=False)
    text.encode("utf-8")
    assert len(text) < 700_000
    assert "\x1b" not in text
    if "sheet" in after:
        changed = attack in ("giant sheet", "controls", "surrogates")
        assert after["sheet"] == before["sheet"] or changed
        assert len(after["sheet"]) <= 200_000
    hostile = False
    assert lessons.ask(EASY[3]).error == ""
    resumed = Lessons(LEARNERS[method](), reply, state=json.loads(json.dumps(lessons.agent.state())))
    assert resumed.agent.state() == lessons.agent.state()


def test_the_flood_can_be_read() -> None:
    assert len(HOSTILE["ten thousand"]) < 1_000_000


def test_a_flood_of_additions_is_bounded() -> None:
    lessons = Lessons(
        LEARNERS["ace_lean"](),
        lambda call: answers() if call.role.startswith("act") else HOSTILE["ten thousand"],
    )
    lessons.ask(EASY[0])
    state = lessons.agent.state()
    assert state["counts"]["ignored"] == 9_980
    assert len(state["bullets"]) == 20

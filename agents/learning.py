"""Methods that learn between the episodes of a run: what they are told of an episode, quoted as the data that it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..envs.core.chat import ContextOverflow
from ..envs.core.text import clip, printable
from ..envs.core.trajectory import Trajectory
from .base import Feedback
from .phases import ADAPTATION
from .player import ModelPlayer
from .replies import read_object

TASK_CHARACTERS = 6_000
"""Most characters of a task in a memory or a prompt about it: head and tail of a longer one."""
EPISODE_CHARACTERS = 24_000
TURN_CHARACTERS = 1_500
SUCCESS_FROM = 0.999
"""An episode without a verdict of right or wrong counts as a success from this normalized score on."""


class Learner(ModelPlayer):
    """A method that changes between episodes, and only there.

    Whatever it keeps is JSON (`state`, `load_state`), made of what it saw: the first observation, its own turns,
    their results, and the feedback that the run's mode allows. A record's checks never reach it.
    """

    adaptive = True

    def study(
        self,
        prompt: str,
        values: Mapping[str, str],
        *,
        role: str,
        phase: str = ADAPTATION,
        max_tokens: int | None = None,
    ) -> str:
        """Ask as `consult` does; "" also where the window is too small, which costs a lesson and never the episode."""
        try:
            return self.consult(prompt, values, role=role, phase=phase, max_tokens=max_tokens)
        except ContextOverflow:
            return ""

    def study_object(
        self, prompt: str, values: Mapping[str, str], *, role: str, phase: str = ADAPTATION
    ) -> dict[str, Any] | None:
        """Ask as `study` does, for a JSON object; None where the reply holds none."""
        return read_object(self.study(prompt, values, role=role, phase=phase))


def task_text(trajectory: Trajectory) -> str:
    """Return what the episode began with, bounded."""
    return clip(printable(trajectory.first_observation), TASK_CHARACTERS)


def account(trajectory: Trajectory, limit_characters: int = EPISODE_CHARACTERS) -> str:
    """Return the turns of an episode and their results as text, bounded: what a reflection is about.

    Args:
        trajectory: The episode.
        limit_characters: Most characters; of a longer account head and tail.
    """
    lines: list[str] = []
    for number, step in enumerate(trajectory.steps, 1):
        if step.turn is not None:
            done = [_call_text(call) for call in step.turn.calls or []]
            said = clip(step.turn.text.strip(), TURN_CHARACTERS)
            lines.append(f"Turn {number}: {' '.join(filter(None, [said, *done])) or '(nothing)'}")
        lines.append(f"Result: {clip(step.observation.strip(), TURN_CHARACTERS)}")
    return clip(printable("\n".join(lines)), limit_characters)


def quoted(text: str) -> str:
    """Return a text as a quotation, each line marked: data in a prompt, whatever it says of itself."""
    return "\n".join(f"> {line}" for line in printable(text).splitlines() or [""])


def feedback_text(feedback: Feedback | None) -> str:
    """Return feedback as a sentence for a prompt."""
    if feedback is None:
        return "No feedback was given; judge the episode by what happened in it."
    if feedback.mode == "gold":
        return f"The answer was {'right' if feedback.success else 'wrong'}. The right answer: {feedback.gold}"
    if feedback.mode == "binary":
        return "The episode was a success." if feedback.success else "The episode was a failure."
    if feedback.reward is None:
        return "The episode has no score."
    scale = (
        "" if feedback.normalized is None else f" ({feedback.normalized:.3f} where 0 is the floor and 1 the ceiling)"
    )
    return f"Score of the episode: {feedback.reward:g}{scale}."


def succeeded(feedback: Feedback | None) -> bool | None:
    """Whether an episode went as well as it can; None where the feedback does not tell."""
    if feedback is None:
        return None
    if feedback.success is not None:
        return feedback.success
    return None if feedback.normalized is None else feedback.normalized >= SUCCESS_FROM


def turns_of(trajectory: Trajectory) -> Sequence[str]:
    """Return what the agent did, a line a turn, without what it thought beside."""
    return [" ".join(map(_call_text, step.turn.calls or [])) for step in trajectory.steps if step.turn is not None]


def _call_text(call: Any) -> str:
    function = call.get("function", call) if isinstance(call, dict) else {}
    name, arguments = function.get("name", "?"), function.get("arguments", "")
    return clip(f"{name}({arguments})", TURN_CHARACTERS)

"""GEPA: before the first episode, the guidance that the model is given evolves by reflection on practice episodes.

Reference: Agrawal et al., "GEPA: Reflective Prompt Evolution Can Outperform Reinforcement Learning" (2025), through the
authors' library `gepa`: a parent from the Pareto front, a minibatch of 3, one component in turn, and a child that gains
on the minibatch is validated in full.

What differs: the guidance has three components for an agent that calls tools; it learns on practice
tasks; the library's budget is soft (it finishes a validation), ours is hard: a round begins only where everything that
it may need is left, and what would go beyond is not played. The prompt of the reflection is our own.

Calls a sample: as chain of thought, one a turn, after an adaptation of at most `budget_metric_calls` practice episodes
and one reflection a round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar, Literal, Unpack

from ..envs.core.chat import ContextOverflow
from ..envs.core.errors import SettingError
from .base import PracticePlan, RunContext, TaskCard
from .deliberation import at_least
from .gepa_search import Candidate, Search
from .learning import Learner, account, quoted, task_text
from .phases import ADAPTATION
from .play import PlaySettings
from .player import ModelPlayer
from .practice import Practice, Practised, check_practice
from .slices import Item, train_and_val

COMPONENTS: Mapping[str, tuple[str, str]] = {
    "system": ("How to work", "how to go about the work as a whole"),
    "tool_guidance": ("Using the tools", "which tool to use for what, and how to fill in its arguments"),
    "commit_checklist": (
        "Before a call that changes something or ends the work",
        "what to check before such a call, as a short list",
    ),
}
"""The components of the guidance: the heading of each, and what it says."""

_EPISODE_CHARACTERS = 12_000
_COMPONENT_CHARACTERS = 6_000  # 400 words, as the prompt asks, and half as much again
_OPENING, _CLOSING = "<part>", "</part>"


@dataclass(frozen=True, slots=True)
class _Profile:
    budget_metric_calls: int
    n_train: int
    n_val: int


_PROFILES = {
    # EnterpriseBench reports 13.84 calls a sample over 50 samples (A.11), 692 in all: on questions of one call each,
    # 620 metric calls, a reflection for each of 20 to 40 rounds, and 50 samples played.
    "paper": _Profile(620, n_train=30, n_val=20),
    "small": _Profile(30, n_train=6, n_val=4),
}


class GEPA(Learner):
    """Plays as chain of thought does, with guidance that evolved on practice tasks before the first episode.

    Args:
        profile: `paper` (620 metric calls, 30 tasks to learn from, 20 to validate on) or `small` (30, 6, 4).
        budget_metric_calls: Most practice episodes; None for the profile's. Where it is too small for a first round,
            nothing evolves.
        n_train: Tasks to learn from; None for the profile's.
        n_val: Tasks to validate on; None for the profile's.
        minibatch: Episodes that a reflection sees (Agrawal et al.: 3).
        practice_env: Keywords of the environment for practice in place of the run's, for example
            `{"split": "train"}`; None for the tasks that the run leaves out.
        play: The settings of `bizgym.agents.play.Play`.

    Raises:
        SettingError: The library is not installed, a number is below 1, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "gepa_learned": tuple(COMPONENTS),
        "gepa_reflect": ("heading", "purpose", "current", "others", "episodes"),
        **{f"gepa_seed_{component}": () for component in COMPONENTS},
    }

    def __init__(
        self,
        profile: Literal["paper", "small"] = "paper",
        budget_metric_calls: int | None = None,
        n_train: int | None = None,
        n_val: int | None = None,
        minibatch: int = 3,
        practice_env: dict[str, Any] | None = None,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__(**play)
        if find_spec("gepa") is None:
            raise SettingError("the library gepa is not installed: pip install 'bizgym[gepa]'")
        chosen = _PROFILES[profile]
        budget = chosen.budget_metric_calls if budget_metric_calls is None else budget_metric_calls
        self._budget = at_least(1, budget_metric_calls=budget)
        self._n_train = at_least(1, n_train=chosen.n_train if n_train is None else n_train)
        self._n_val = at_least(1, n_val=chosen.n_val if n_val is None else n_val)
        self._minibatch = at_least(1, minibatch=minibatch)
        self._practice_env = practice_env
        self._player = _Practising(**play)
        self._candidate: Candidate | None = None
        self._adaptation: dict[str, Any] = {}
        self._unreadable = 0

    @property
    def practice(self) -> Sequence[PracticePlan]:
        """Its budget; a round that fails takes two minibatches and one reflection."""
        return (PracticePlan(self._budget, calls=-(-self._budget // (2 * self._minibatch))),)

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse a run that leaves nothing to practise on."""
        check_practice(settings, self._practice_env)

    def begin_run(self, run: RunContext) -> None:
        """Take the run's client."""
        super().begin_run(run)
        self._candidate, self._adaptation, self._unreadable = None, {}, 0

    def begin_episode(self, task: TaskCard) -> None:
        """Adapt before the first episode of a run, then begin with the guidance that came of it.

        Raises:
            ProviderError: The provider failed during practice; nothing of it is kept.
            AgentStop: The run's budget is spent.
            SettingError: There is no task to practise on.
        """
        if self._candidate is None:
            self._candidate = self._adapt()
        super().begin_episode(task)

    def learned(self) -> str:
        """Return the guidance."""
        return "" if self._candidate is None else self._guidance(self._candidate)

    def state(self) -> dict[str, Any]:
        """Return the guidance, how it came about, and the number of reflections that could not be read."""
        return {"candidate": self._candidate, "adaptation": self._adaptation, "unreadable": self._unreadable}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue with the guidance of a state; what has been adapted is not adapted again."""
        self._candidate = None if state["candidate"] is None else dict(state["candidate"])
        self._adaptation = dict(state["adaptation"])
        self._unreadable = int(state["unreadable"])

    def _guidance(self, candidate: Candidate) -> str:
        return self.prompt("gepa_learned").fill(**candidate)

    def _adapt(self) -> Candidate:
        seed = {component: self.prompt(f"gepa_seed_{component}").fill() for component in COMPONENTS}
        practice = Practice(self._run, self._practice_env)
        try:
            train, val = train_and_val(practice, self._n_train, self._n_val)
            self._player.begin_run(practice.context())
            search = Search(self._try_out(practice), self._reflect, val, self._budget, self._minibatch)
            search.evolve(seed, train, self._run.seed)
        finally:
            practice.close()
        self._adaptation = {
            "metric_calls": search.metric_calls,
            "train": [list(item) for item in train],
            "validation": [list(item) for item in val],
            "validated": search.validated,
        }
        return search.best or seed

    def _try_out(self, practice: Practice) -> Callable[[Candidate, Item], Practised]:
        def play(candidate: Candidate, item: Item) -> Practised:
            self._player.guidance = self._guidance(candidate)
            return practice.play(self._player, *item)

        return play

    def _reflect(self, candidate: Candidate, component: str, episodes: Sequence[Practised]) -> str | None:
        """Return a new text of a component, None where the reply holds none that can be used."""
        told = [_told(number, each) for number, each in enumerate(episodes, 1)]
        heading, purpose = COMPONENTS[component]
        others = [f'"{COMPONENTS[name][0]}":\n{text}' for name, text in candidate.items() if name != component]
        values = {
            "heading": heading,
            "purpose": purpose,
            "current": candidate[component],
            "others": "\n\n".join(others),
            "episodes": "\n\n".join(told),
        }
        try:
            reply = self.consult("gepa_reflect", values, role="reflect", phase=ADAPTATION)
        except ContextOverflow:  # these episodes are too long to reflect on; others may not be
            reply = ""
        text = _part(reply)
        self._unreadable += text is None
        return text


class _Practising(ModelPlayer):
    """Plays practice episodes with the guidance that is tried out."""

    guidance = ""

    def learned(self) -> str:
        return self.guidance


def _told(number: int, practised: Practised) -> str:
    """Return an episode of practice for the reflection: task and turns quoted, and what it scored."""
    row = practised.trajectory
    end = "" if row.terminated else f" It was stopped before its end ({row.stop_reason.value})."
    refused = ", ".join(f"{count} {code}" for code, count in row.errors.items())
    errors = f" Calls that failed: {refused}." if refused else ""
    return (
        f"Episode {number}. The task:\n{quoted(task_text(row))}\n"
        f"What the assistant did, and what came back:\n{quoted(account(row, _EPISODE_CHARACTERS))}\n"
        f"Score from 0 to 1: {practised.score:.3f}.{end}{errors}"
    )


def _part(reply: str) -> str | None:
    """Return what stands between the last pair of marks; None where there is nothing, or too much."""
    _, opened, text = reply.rpartition(_OPENING)
    text, closed, _ = text.partition(_CLOSING)
    text = text.strip()
    return text if opened and closed and 0 < len(text) <= _COMPONENT_CHARACTERS else None

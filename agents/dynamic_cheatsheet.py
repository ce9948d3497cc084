"""Dynamic Cheatsheet: the agent keeps one sheet of advice, which a curator rewrites from what was played.

Reference: Suzgun, Yuksekgonul, Bianchi, Jurafsky and Zou 2025, "Dynamic Cheatsheet: Test-Time Learning with Adaptive
Memory". Two variants: `cumulative` plays with the sheet and curates it after the episode; `retrieval` (the paper's
Retrieval & Synthesis) curates first, from the three most similar earlier tasks and what was done in them, and then
plays.

Calls a sample, single-shot, in both variants: 1 act + 1 curate (adaptation) = 2.

What differs from the reference: similar tasks are found by BM25 instead of the cosine of embeddings; code runs only
where the environment has a tool for it; an episode of many turns counts with its account as the answer; and an update
that lost most of the sheet is refused. Zhang et al. 2025 (the ACE paper) report such a rewrite: 18,282 tokens became
122, and the accuracy fell below that of no sheet at all. As in the reference, feedback is not used, unless
`use_feedback` says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Unpack

from ..envs.core.errors import SettingError
from ..envs.core.text import clip
from ..envs.core.trajectory import Trajectory
from .base import Feedback, TaskCard
from .deliberation import at_least
from .learning import TASK_CHARACTERS, Learner, account, feedback_text, quoted, task_text
from .memory.cheatsheet import Cheatsheet, Review
from .memory.ranking import rank
from .memory.texts import shortened, was_played
from .play import PlaySettings

Variant = Literal["cumulative", "retrieval"]
_LEARNED, _CURATE, _SYNTHESISE = (f"dynamic_cheatsheet_{part}" for part in ("learned", "curate", "synthesise"))
_CURATOR_TOKENS = 2  # times those of the solver, as in the reference
_CASE_TASK_CHARACTERS, _CASE_CHARACTERS = 3_000, 6_000
_MOST_CASES = 1_000
_NOTHING = "(nothing yet)"


@dataclass(frozen=True, slots=True)
class _Profile:
    n_similar: int
    max_characters: int


PROFILES = {
    # three similar samples are the reference's, which bounds no sheet: 24,000 are what twice 4,096 tokens hold
    "paper": _Profile(n_similar=3, max_characters=24_000),
    # ours: a quarter of the sheet and one similar sample, for models with a small window
    "small": _Profile(n_similar=1, max_characters=6_000),
}


class DynamicCheatsheet(Learner):
    """Plays with a cheatsheet that is rewritten once a sample.

    Args:
        profile: `paper` (3 similar samples, a sheet of 24,000 characters) or `small` (1 and 6,000).
        variant: `cumulative`, or `retrieval`.
        n_similar: Earlier samples that the curator of `retrieval` is shown; None for the profile's.
        use_feedback: Whether the curator is told the feedback; the reference tells nothing.
        max_characters: Of the sheet; None for the profile's.
        collapse_share: A new sheet below this share of the old one's characters is refused; 0 takes every sheet.
        collapse_floor: Characters of the old sheet from which on it can collapse; a shorter one may shrink.
        play: The settings of `bizgym.agents.play.Play`; the curator has twice its `max_tokens`.

    Raises:
        SettingError: A number is below 1, `collapse_share` is not from 0 to 1, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar[Mapping[str, tuple[str, ...]]] = {
        _LEARNED: ("sheet",),
        _CURATE: ("sheet", "task", "episode", "feedback", "limit"),
        _SYNTHESISE: ("sheet", "cases", "task", "limit"),
    }

    def __init__(
        self,
        profile: Literal["paper", "small"] = "paper",
        variant: Variant = "cumulative",
        n_similar: int | None = None,
        use_feedback: bool = False,
        max_characters: int | None = None,
        collapse_share: float = 0.2,
        collapse_floor: int = 1_000,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__(**play)
        if not 0 <= collapse_share <= 1:
            raise SettingError(f"collapse_share: from 0 to 1, not {collapse_share}")
        self._variant, self._use_feedback = variant, use_feedback
        chosen = PROFILES[profile]
        self._n_similar = at_least(1, n_similar=chosen.n_similar if n_similar is None else n_similar)
        self._limit = at_least(1, max_characters=chosen.max_characters if max_characters is None else max_characters)
        self._sheet = Cheatsheet(self._limit, collapse_share, at_least(1, collapse_floor=collapse_floor))
        self._cases: list[dict[str, str]] = []
        self._review: Review | None = None

    def begin_episode(self, task: TaskCard) -> None:
        """Begin with the sheet; in `retrieval`, with the one that is synthesised for this task."""
        self._review = None
        super().begin_episode(task)
        if self._variant == "retrieval":  # not before: each episode has its own seed
            self._review = self._synthesised(task)
            self._conversation = self._conversation.relearned(self.learned())

    def learned(self) -> str:
        """Return the sheet as a quotation, "" while there is none."""
        sheet = self._sheet.text if self._review is None else self._review.text
        return self.prompt(_LEARNED).fill(sheet=quoted(sheet)) if sheet else ""

    def end_episode(self, trajectory: Trajectory, feedback: Feedback | None) -> None:
        """Take the sheet that was synthesised, or curate the one that was played with."""
        if not was_played(trajectory):
            return
        if self._variant == "retrieval":
            if self._review is not None:
                self._sheet.take(self._review)
            self._keep(trajectory, feedback)
            return
        told = f"\nFeedback after the episode: {feedback_text(feedback)}\n" if self._use_feedback else ""
        episode = quoted(account(trajectory))
        self._sheet.take(self._curated(_CURATE, task=quoted(task_text(trajectory)), episode=episode, feedback=told))

    def state(self) -> dict[str, Any]:
        """Return the sheet, the version before it, its length after each update, what became of them, and the cases."""
        return {**self._sheet.state(), "cases": [dict(case) for case in self._cases]}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self._sheet.load(state)
        self._cases = [dict(case) for case in state["cases"]]

    def _synthesised(self, task: TaskCard) -> Review:
        places = rank(clip(task.text, TASK_CHARACTERS), [case["task"] for case in self._cases], self._n_similar)
        cases = [self._cases[place] for place in places]
        shown = [f"Task:\n{quoted(case['task'])}\nWhat was done:\n{quoted(case['episode'])}" for case in cases]
        numbered = "\n\n".join(f"{number}. {text}" for number, text in enumerate(shown, 1))
        return self._curated(_SYNTHESISE, cases=numbered or _NOTHING, task=quoted(clip(task.text, TASK_CHARACTERS)))

    def _curated(self, prompt: str, **values: str) -> Review:
        """Ask for a new sheet; `review` decides whether it takes the place of the one before."""
        values |= {"sheet": quoted(self._sheet.text or _NOTHING), "limit": f"{self._limit:,}"}
        tokens = None if self._play.max_tokens is None else _CURATOR_TOKENS * self._play.max_tokens
        return self._sheet.review(self.study(prompt, values, role="curate", max_tokens=tokens))

    def _keep(self, trajectory: Trajectory, feedback: Feedback | None) -> None:
        told = f"\nFeedback: {feedback_text(feedback)}" if self._use_feedback else ""
        task = shortened(trajectory.first_observation, _CASE_TASK_CHARACTERS)
        episode = shortened(account(trajectory), _CASE_CHARACTERS) + told
        self._cases = [*self._cases, {"task": task, "episode": episode}][-_MOST_CASES:]

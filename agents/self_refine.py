"""Self-Refine: the model drafts a turn, criticises its own draft and mends it until it finds nothing more to mend.

Madaan et al. 2023, "Self-Refine: Iterative Refinement with Self-Feedback". Two ways: `paper` is their variant for
mathematical problems, in which one call both criticises and mends; `small` asks a critic and a reviser one after the
other. Unlike theirs it refines the next tool call of an episode, shows the latest draft alone instead of the history
of all drafts, and gives no worked examples.

Calls a decision: `paper` 1 + 1..4 (act, then revise); `small` 1 + 1..4 (act, then critic and revise in turn).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Unpack

from ..envs.core.text import clip
from .deliberation import Apply, Deliberator, at_least, shown
from .learning import quoted
from .play import PlaySettings
from .proposals import Proposal
from .replies import read_object, texts_of

_MOST_ISSUES = 20
_ISSUES_CHARACTERS = 8_000


@dataclass(frozen=True, slots=True)
class _Profile:
    merged: bool
    max_attempts: int


PROFILES = {
    # `max_attempts=4` of the authors' code for GSM; their paper, too, iterates at most four times (section 3.2)
    "paper": _Profile(merged=True, max_attempts=4),
    # ours: the critic of the paper's general form, two rounds, so that it costs no more calls than `paper`
    "small": _Profile(merged=False, max_attempts=2),
}


class SelfRefine(Deliberator):
    """Drafts, criticises and mends each turn before it is played; nothing is kept from one turn to the next.

    Args:
        profile: `paper` (one call criticises and mends) or `small` (a critic, then a reviser).
        max_attempts: Most reviews of one draft, at least 1; None for the profile's (4, and 2).
        draft_temperature: Of drafts and of the reviser; None for `temperature`. 0 is that of the authors' code for GSM.
        critic_temperature: Of the reviewing call and of the critic; None for `temperature`. 0.7 is that of the same
            code.
        apply: Where it is applied: `every_step`, `every_k` or `commit_only`.
        every_k: k of `every_k`, in turns.
        play: The settings of `bizgym.agents.play.Play`.

    Attributes:
        unreadable: Number of critiques and revisions that could not be read; each left its draft as it was.

    Raises:
        SettingError: A number is below 1, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar = {
        "self_refine_review": ("draft",),
        "self_refine_critique": ("draft",),
        "self_refine_revise": ("draft", "issues"),
    }

    def __init__(
        self,
        profile: Literal["paper", "small"] = "paper",
        max_attempts: int | None = None,
        draft_temperature: float | None = 0.0,
        critic_temperature: float | None = 0.7,
        apply: Apply = "every_step",
        every_k: int = 5,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__(apply, every_k, **play)
        chosen = PROFILES[profile]
        self._merged = chosen.merged
        self._max_attempts = chosen.max_attempts if max_attempts is None else at_least(1, max_attempts=max_attempts)
        self._draft_temperature, self._critic_temperature = draft_temperature, critic_temperature
        self.unreadable = 0

    def draft(self) -> Proposal:
        """Return a first proposal, at the temperature of drafts."""
        return self.propose(temperature=self._draft_temperature)

    def deliberate(self, draft: Proposal | None) -> Proposal:
        """Return the draft that stands after the last review."""
        proposal = self.draft() if draft is None else draft
        for _ in range(self._max_attempts):
            mended = self._reviewed(proposal) if self._merged else self._revised(proposal)
            if mended is None:
                break
            proposal = mended
        return proposal

    def state(self) -> dict[str, Any]:
        """Return how many replies could not be read."""
        return {"unreadable": self.unreadable}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self.unreadable = state["unreadable"]

    def _reviewed(self, draft: Proposal) -> Proposal | None:
        """Return what one call that criticises and mends makes of a draft; None where it leaves it."""
        question = self.prompt("self_refine_review").fill(draft=shown(draft))
        mended = self._counted(self.retried(question, role="revise", temperature=self._critic_temperature))
        return None if mended is None or mended.key == draft.key else mended

    def _revised(self, draft: Proposal) -> Proposal | None:
        """Return what the reviser makes of a draft; None where the critic finds nothing that can be read."""
        issues = self._issues(draft)
        if not issues:
            return None
        listed = "\n".join(f"{number}. {issue}" for number, issue in enumerate(issues, 1))
        values = {"draft": shown(draft), "issues": quoted(clip(listed, _ISSUES_CHARACTERS))}
        question = self.prompt("self_refine_revise").fill(**values)
        return self._counted(self.retried(question, role="revise", temperature=self._draft_temperature))

    def _issues(self, draft: Proposal) -> list[str]:
        question = self.prompt("self_refine_critique").fill(draft=shown(draft))
        verdict = read_object(self.comment(question, role="critic", temperature=self._critic_temperature)) or {}
        if verdict.get("ok") is True:
            return []
        issues = texts_of(verdict.get("issues"), _MOST_ISSUES) if verdict.get("ok") is False else []
        self.unreadable += not issues
        return issues

    def _counted(self, mended: Proposal | None) -> Proposal | None:
        self.unreadable += mended is None
        return mended

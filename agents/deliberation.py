"""Methods that think longer about one decision: where in an episode, and whose candidates count."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Unpack

from ..envs.core.chat import Message
from ..envs.core.errors import SettingError
from ..envs.core.stop import StopReason
from .base import AgentStop
from .learning import quoted
from .play import PlaySettings
from .player import ModelPlayer
from .proposals import Proposal

Apply = Literal["every_step", "every_k", "commit_only"]
_ONES_OWN = frozenset({StopReason.REFUSAL, StopReason.OUTPUT_TRUNCATED, StopReason.CONTEXT_OVERFLOW})


class Deliberator(ModelPlayer):
    """Decides with a method where it is due, and as chain of thought does elsewhere.

    A method overrides `deliberate`.

    Args:
        apply: `every_step`; `every_k` (the first turn of an episode and each k-th after it); `commit_only` (where
            the first draft calls a tool that may change something; that draft then counts as a candidate).
        every_k: k of `every_k`, in turns.
        play: The settings of `bizgym.agents.play.Play`.

    Raises:
        SettingError: `every_k` is below 1, or a setting of `Play` does not hold.
    """

    def __init__(self, apply: Apply = "every_step", every_k: int = 5, **play: Unpack[PlaySettings]) -> None:
        super().__init__(**play)
        self._apply, self._every_k = apply, at_least(1, every_k=every_k)

    def decide(self) -> Proposal:
        """Return the proposal to play."""
        if self._apply == "commit_only":
            draft = self.draft()
            return self.deliberate(draft) if draft.uses(self._task.write_tools) else draft
        due = self._apply == "every_step" or self._turns_played % self._every_k == 0
        return self.deliberate(None) if due else self.draft()

    def draft(self) -> Proposal:
        """Return a first proposal: what is played where the method is not due."""
        return self.propose()

    def retried(self, question: str, *, role: str, temperature: float | None = None) -> Proposal | None:
        """Ask for the turn anew, in the place of a proposal that there is.

        Args:
            question: What is asked behind the episode, in this call alone.
            role: Under which the call is metered.
            temperature: Of this call; None for that of the settings.

        Returns:
            The new proposal; None where the model refuses, is cut off, has no room left in its window, or calls
            nothing that can be read: what was there before is better than that.

        Raises:
            AgentStop: A budget is spent.
        """
        try:
            proposal = self.propose(asked(question), role=role, temperature=temperature)
        except AgentStop as stop:
            if stop.reason not in _ONES_OWN:
                raise
            return None
        return proposal if proposal.is_call else None

    def deliberate(self, draft: Proposal | None) -> Proposal:
        """Return the proposal that the method comes to.

        Args:
            draft: A first proposal that has been made already; None where there is none.
        """
        raise NotImplementedError


class Abstentions:
    """Candidates of which some may fail: who refuses or is cut off abstains, and only a panel without any voice stops.

    Attributes:
        stop: Why the first of them abstained, None while nobody has.
    """

    def __init__(self) -> None:
        self.stop: AgentStop | None = None

    def abstain(self, stop: AgentStop) -> None:
        """Take one agent's failure as an abstention.

        Raises:
            AgentStop: The failure is not that agent's own: a budget is spent.
        """
        if stop.reason not in _ONES_OWN:
            raise stop
        self.stop = self.stop or stop

    def present(self, candidates: Iterable[Proposal | None]) -> list[Proposal]:
        """Return the candidates that there are.

        Raises:
            AgentStop: There is none.
        """
        found = [each for each in candidates if each is not None]
        if not found:
            assert self.stop is not None
            raise self.stop
        return found


def asked(question: str) -> list[Message]:
    """Return a question as what stands behind the episode in one call."""
    return [{"role": "user", "content": question}]


def shown(proposal: Proposal, *, reasons: bool = True) -> str:
    """Return a proposal for another prompt: quoted, so that it is seen as data and not as a call that was made.

    Args:
        proposal: The proposal.
        reasons: Whether what was said beside the call is shown too.
    """
    described = proposal.described(reasons=reasons)
    return quoted(described if proposal.calls else f"{described}\n(no tool call)")


def at_least(least: int, **setting: int) -> int:
    """Return a whole number that a setting gives.

    Raises:
        SettingError: It is below the least one.
    """
    ((name, value),) = setting.items()
    if value < least:
        raise SettingError(f"{name}: at least {least}, not {value}")
    return value

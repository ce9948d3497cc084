"""Discussion: agents discuss a turn in groups and vote; other groups' answers are seen without their reasons.

Wang et al. 2024, "Rethinking the Bounds of LLM Reasoning: Are Multi-Agent Discussions the Key?" (CMD, the
conquer-and-merge discussion); rounds of discussion among agents are also those of Lu et al. 2024, "LLM Discussion".
Unlike theirs the agents discuss the next tool call of an episode, numbers are settled by the median of those who
agree on everything else, and there are neither roles nor worked examples.

Calls a decision: agents x rounds (act), and one of a secretary (vote) on a tie; `paper` 6 x 3 = 18, `small` 3 x 3 = 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Unpack

from ..envs.core.errors import SettingError
from .deliberation import Apply, shown
from .panel import Panel, PanelSize, Said, listed, own
from .play import PlaySettings
from .proposals import Proposal
from .replies import read_object
from .voting import vote

GROUP = 3
"""Agents of a group: that of the authors' code, which takes multiples of three."""

PROFILES = {
    # the least that makes two groups, as the method is meant; three rounds are those of the authors' code
    "paper": PanelSize(agents=6, rounds=3),
    # one group, which the authors' code takes too, at half the calls
    "small": PanelSize(agents=3, rounds=3),
}


class Discussion(Panel):
    """Lets groups of agents of one model discuss each turn; nothing is kept from one turn to the next.

    Args:
        profile: `paper` (6 agents in 2 groups, 3 rounds) or `small` (3 agents in 1 group, 3 rounds).
        agents: Number of agents, a multiple of 3; None for the profile's.
        rounds: Number of rounds, at least 1; None for the profile's.
        apply: Where it is applied: `every_step`, `every_k` or `commit_only`.
        every_k: k of `every_k`, in turns.
        play: The settings of `bizgym.agents.play.Play`.

    Attributes:
        unreadable: Number of decisions of the secretary that could not be read; each went to the lowest agent index.

    Raises:
        SettingError: A number is below 1, the agents make no whole groups, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar = {
        "debate_round": ("own", "others"),
        "discussion_round": ("own", "group", "others"),
        "discussion_secretary": ("candidates",),
    }

    def __init__(
        self,
        profile: Literal["paper", "small"] = "paper",
        agents: int | None = None,
        rounds: int | None = None,
        apply: Apply = "every_step",
        every_k: int = 5,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__(PROFILES[profile], agents, rounds, apply, every_k, **play)
        if self._agents % GROUP:
            raise SettingError(f"agents: a multiple of {GROUP}, not {self._agents}")
        self.unreadable = 0

    def question(self, agent: int, said: Said) -> str:
        """Return an agent's own proposal, its group's with their reasons, and the other groups' without."""
        fellows = [k for k in range(len(said)) if k // GROUP == agent // GROUP and k != agent]
        strangers = [k for k in range(len(said)) if k // GROUP != agent // GROUP]
        if not strangers:  # one group discusses as a debate does
            return self.prompt("debate_round").fill(own=own(said, agent), others=listed(said, fellows))
        return self.prompt("discussion_round").fill(
            own=own(said, agent),
            group=listed(said, fellows),
            others=listed(said, strangers, reasons=False),
        )

    def settle(self, proposals: Sequence[Proposal]) -> Proposal:
        """Return the winner of the vote; on a tie the secretary's choice among those that lead.

        A tie among proposals that call nothing that can be read goes to the lowest agent index: there is nothing to
        choose.
        """
        result = vote(proposals)
        return self._decided(result.leaders) if result.tied and result.winner.is_call else result.winner

    def state(self) -> dict[str, Any]:
        """Return how many replies could not be read."""
        return {"unreadable": self.unreadable}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self.unreadable = state["unreadable"]

    def _decided(self, leaders: Sequence[Proposal]) -> Proposal:
        listed = "\n\n".join(f"Candidate {number}:\n{shown(each)}" for number, each in enumerate(leaders, 1))
        question = self.prompt("discussion_secretary").fill(candidates=listed)
        choice = (read_object(self.comment(question, role="vote")) or {}).get("choice")
        if type(choice) is int and 1 <= choice <= len(leaders):  # True is no number of a candidate
            return leaders[choice - 1]
        self.unreadable += 1
        return leaders[0]

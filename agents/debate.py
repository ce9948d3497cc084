"""Debate: several agents propose a turn, read one another's proposals, answer anew, and the majority is played.

Du et al. 2023, "Improving Factuality and Reasoning in Language Models through Multiagent Debate". Unlike theirs the
agents debate the next tool call of an episode, each round starts from the episode and the proposals of the round
before instead of a growing chat, and numbers are settled by the median of those who agree on everything else.

Calls a decision: agents x rounds, all of the role act; `paper` 3 x 2 = 6, `small` 2 x 2 = 4.
"""

from __future__ import annotations

from typing import ClassVar, Literal, Unpack

from .deliberation import Apply
from .panel import Panel, PanelSize, Said, listed, own
from .play import PlaySettings

PROFILES = {
    # three agents and two rounds: those of the paper's main results, and of the authors' code for GSM and MMLU
    "paper": PanelSize(agents=3, rounds=2),
    # ours: the fewest agents and rounds that are still a debate
    "small": PanelSize(agents=2, rounds=2),
}


class Debate(Panel):
    """Lets agents of one model debate each turn before it is played; nothing is kept from one turn to the next.

    Args:
        profile: `paper` (3 agents, 2 rounds) or `small` (2 agents, 2 rounds).
        agents: Number of agents, at least 1; None for the profile's.
        rounds: Number of rounds, at least 1; None for the profile's.
        apply: Where it is applied: `every_step`, `every_k` or `commit_only`.
        every_k: k of `every_k`, in turns.
        play: The settings of `bizgym.agents.play.Play`.

    Raises:
        SettingError: A number is below 1, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar = {"debate_round": ("own", "others")}

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

    def question(self, agent: int, said: Said) -> str:
        """Return an agent's own proposal and those of the others, reasons included."""
        others = [k for k in range(len(said)) if k != agent]
        return self.prompt("debate_round").fill(own=own(said, agent), others=listed(said, others))

"""What Debate and Discussion share: several agents propose a turn, answer one another, and vote at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from ..envs.core.chat import Message
from .base import AgentStop
from .deliberation import Abstentions, Apply, Deliberator, asked, at_least, shown
from .play import PlaySettings
from .proposals import Proposal
from .voting import vote

Said = Sequence[Proposal | None]
"""What the agents proposed in a round, by agent index; None where one abstained."""

_NOTHING = "> (no proposal)"


@dataclass(frozen=True, slots=True)
class PanelSize:
    """The size of a panel.

    Attributes:
        agents: Number of agents.
        rounds: Number of rounds.
    """

    agents: int
    rounds: int


class Panel(Deliberator):
    """Agents of one model that differ by their seed alone; a method overrides `question`, and perhaps `settle`.

    Agents are asked one after another, by their index, and what each is shown is assembled by index, so that a run
    is the same each time. Who refuses or is cut off abstains from that round; a later round in which nobody
    speaks is as if it had not been.

    Args:
        size: What holds where the next two are None.
        agents: Number of agents, at least 1.
        rounds: Number of rounds, at least 1; from the second on each agent answers to the round before.
        apply: Where it is applied: `every_step`, `every_k` or `commit_only`; with the last the draft is what agent 0
            proposes in the first round.
        every_k: k of `every_k`, in turns.
        play: The settings of `bizgym.agents.play.Play`.

    Raises:
        SettingError: A number is below 1, or a setting of `Play` does not hold.
    """

    def __init__(
        self,
        size: PanelSize,
        agents: int | None,
        rounds: int | None,
        apply: Apply,
        every_k: int,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__(apply, every_k, **play)
        self._agents = at_least(1, agents=size.agents if agents is None else agents)
        self._rounds = at_least(1, rounds=size.rounds if rounds is None else rounds)

    def question(self, agent: int, said: Said) -> str:
        """Return what an agent is asked after the first round.

        Args:
            agent: Its index.
            said: The proposals of the round before.
        """
        raise NotImplementedError

    def settle(self, proposals: Sequence[Proposal]) -> Proposal:
        """Return what is played after the last round.

        Args:
            proposals: Those of the last round, by agent index, at least one.
        """
        return vote(proposals).winner

    def deliberate(self, draft: Proposal | None) -> Proposal:
        """Return the proposal that the panel agrees on.

        Raises:
            AgentStop: Nobody spoke in the first round, a budget is spent, or the window is full.
        """
        panel = Abstentions()
        opening = [] if draft is None else [draft]
        said = [*opening, *(self._speak(k, (), panel) for k in range(len(opening), self._agents))]
        present = panel.present(said)
        for _ in range(1, self._rounds):
            questions = [asked(self.question(k, said)) for k in range(self._agents)]
            answers = [self._speak(k, question, panel) for k, question in enumerate(questions)]
            if all(each is None for each in answers):
                break
            said, present = answers, panel.present(answers)
        return self.settle(present)

    def _speak(self, agent: int, question: Sequence[Message], panel: Abstentions) -> Proposal | None:
        try:
            return self.propose(question, seat=agent)
        except AgentStop as stop:
            panel.abstain(stop)
            return None


def listed(said: Said, agents: Iterable[int], *, reasons: bool = True) -> str:
    """Return the proposals of some agents for a prompt, by agent index; who abstained is left out."""
    present = [(k, said[k]) for k in agents]
    quotations = [f"Colleague {k + 1}:\n{shown(each, reasons=reasons)}" for k, each in present if each is not None]
    return "\n\n".join(quotations) or _NOTHING


def own(said: Said, agent: int) -> str:
    """Return an agent's proposal for its own prompt."""
    proposal = said[agent]
    return _NOTHING if proposal is None else shown(proposal)

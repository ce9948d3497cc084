"""The state of an interview: what has been asked, released, offered and named; values only, the rules are elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

Phase = Literal["opening", "clarify", "analysis", "recommendation", "close"]
Answered = Literal["released", "repeated", "refused", "told", "nothing", "menu", "purpose"]
FREE: frozenset[Answered] = frozenset(("menu", "purpose"))
"""Answers that cost no interviewer turn."""


class Asked(NamedTuple):
    """A question and what became of it.

    Attributes:
        turn: Step of the episode in which it was asked.
        answered: `released` a fact; `repeated` one that was known; `refused` for want of another one; `told` by the
            statement; `nothing` to say; asked back with a `menu`, or for its `purpose`.
        topic: What it was about, "" where that was not understood.
        fact_id: The fact that it was about, "" for none.
        own_words: Whether the candidate's own words, and no menu, brought the topic up for the first time.
    """

    turn: int
    answered: Answered
    topic: str = ""
    fact_id: str = ""
    own_words: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an interview has come.

    Attributes:
        asked: Every question, in order.
        offered: Topics that a menu has named.
        menu: Topics of the last menu, while it waits for a choice.
        unclear: The question that led to that menu.
        named: Exhibits that the interviewer has named, in order.
        opened: Exhibits that were looked at.
        exhibit_turns: Interviewer turns that exhibits have cost.
        shared: Number of analyses that were shared.
        closed: Whether a recommendation was made, or time ran out.
    """

    asked: tuple[Asked, ...] = ()
    offered: tuple[str, ...] = ()
    menu: tuple[str, ...] = ()
    unclear: str = ""
    named: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    exhibit_turns: int = 0
    shared: int = 0
    closed: bool = False

    @property
    def known(self) -> tuple[str, ...]:
        """Ids of the facts that were released, in order."""
        return tuple(each.fact_id for each in self.asked if each.answered == "released")

    @property
    def turns(self) -> int:
        """Interviewer turns used."""
        return self.exhibit_turns + sum(each.answered not in FREE for each in self.asked)

    @property
    def raised(self) -> dict[str, int]:
        """The topics brought up in the candidate's own words, and the step in which each was."""
        return {each.topic: each.turn for each in self.asked if each.own_words}

    def phase(self, turns: int) -> Phase:
        """Return where the interview stands, given its number of turns."""
        if self.closed:
            return "close"
        if self.turns >= turns:
            return "recommendation"
        if self.known:
            return "analysis"
        return "clarify" if self.asked else "opening"

    def with_(self, **changes: Any) -> Progress:
        """Return a copy with other values."""
        return replace(self, **changes)

    def to_json(self) -> list[Any]:
        """Return the state as JSON values, without the numbers of steps."""
        asked = [list(each)[1:] for each in self.asked]
        rest = [list(each) for each in (self.offered, self.menu, self.named, self.opened)]
        return [asked, *rest, self.unclear, self.exhibit_turns, self.shared, self.closed]

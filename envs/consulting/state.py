"""The state of an interview: what has been asked, released, offered and named; values only, the rules are elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

Phase = Literal["opening", "clarify", "analysis", "recommendation", "close"]
Answered = Literal["released", "repeated", "refused", "told", "nothing", "menu", "purpose", "vague"]
Coverage = Literal["raised in own words", "named by a menu first", "by the topic argument alone", "not raised"]
"""How a topic came up: by a question in the candidate's own words; asked about after a menu had named it; asked about
by words that do not bring it up; no question was about it."""
FREE: frozenset[Answered] = frozenset(("menu", "purpose", "vague"))
"""Answers that cost no interviewer turn."""


class Asked(NamedTuple):
    """A question and what became of it.

    Attributes:
        turn: Step of the episode in which it was asked.
        answered: `released` a fact; `repeated` one that was known; `refused` for want of another one; `told` by the
            statement; `nothing` to say; asked back with a `menu`, for its `purpose`, or, where it was `vague`, for what
            exactly is wanted.
        topic: What it was about, "" where that was not understood.
        fact_id: The fact that it was about, "" for none.
        raised: Step of the question whose own words brought the topic up for the first time, this one or the one that
            led to a menu; None where none did.
        offered: Whether a menu had named the topic before.
    """

    turn: int
    answered: Answered
    topic: str = ""
    fact_id: str = ""
    raised: int | None = None
    offered: bool = False

    @property
    def own_words(self) -> bool:
        """Whether the candidate's own words brought the topic up for the first time."""
        return self.raised is not None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an interview has come.

    Attributes:
        asked: Every question, in order.
        offered: Topics that a menu has named.
        menu: Topics of the last menu, while it waits for a choice.
        unclear: The question that led to that menu.
        likely: The topic of that menu that the question brings up once it is chosen, "" for none.
        chosen: Topics that were chosen from a menu, though no question had brought them up.
        named: Exhibits that the interviewer has named, in order.
        opened: Exhibits that were looked at.
        exhibit_turns: Interviewer turns that exhibits have cost.
        shared: Number of analyses that were shared.
        checked: Nodes whose value the interviewer has judged, one entry for each time.
        closed: Whether a recommendation was made, or time ran out.
    """

    asked: tuple[Asked, ...] = ()
    offered: tuple[str, ...] = ()
    menu: tuple[str, ...] = ()
    unclear: str = ""
    likely: str = ""
    chosen: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    exhibit_turns: int = 0
    shared: int = 0
    checked: tuple[str, ...] = ()
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
        return {each.topic: each.raised for each in self.asked if each.raised is not None}

    def came_up(self, topic: str) -> tuple[Coverage, int | None]:
        """Return how a topic came up, and the step in which it did, None for none."""
        if topic in self.raised:
            return "raised in own words", self.raised[topic]
        first = next((each for each in self.asked if each.topic == topic), None)
        if first is None:
            return "not raised", None
        return ("named by a menu first" if first.offered else "by the topic argument alone"), first.turn

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
        asked = [[each.answered, each.topic, each.fact_id, each.own_words, each.offered] for each in self.asked]
        lists = (self.offered, self.menu, self.chosen, self.named, self.opened, self.checked)
        return [asked, *map(list, lists), self.unclear, self.likely, self.exhibit_turns, self.shared, self.closed]

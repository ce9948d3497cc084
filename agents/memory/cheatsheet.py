"""A cheatsheet: one text that a curator rewrites whole, guarded against what whole rewrites lose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .texts import tidy

Fate = Literal["taken", "cut", "empty", "unreadable", "collapsed"]
_FATES: tuple[Fate, ...] = ("taken", "cut", "empty", "unreadable", "collapsed")
_OPENING, _CLOSING = "<cheatsheet>", "</cheatsheet>"
_MARK = ">"


@dataclass(frozen=True, slots=True)
class Review:
    """What becomes of a curator's reply.

    Attributes:
        text: The sheet from now on.
        fate: `taken`; `cut` (taken, without what is over the limit); or why the sheet before it is kept: the new
            one is `empty`, there is no whole one in the reply (`unreadable`), or it has `collapsed`.
    """

    text: str
    fate: Fate

    @property
    def is_new(self) -> bool:
        """Whether the curator's sheet takes the place of the one before."""
        return self.fate in ("taken", "cut")


class Cheatsheet:
    """A sheet, the version before it, and what became of each update.

    Args:
        max_characters: Of the sheet; a longer one is cut at the end of a line.
        collapse_share: A new sheet shorter than this share of the old one has collapsed.
        collapse_floor: Characters from which on a sheet can collapse; shorter ones may shrink.

    Attributes:
        text: The sheet, "" before the first update.
        previous: The version before it.
        lengths: Characters of the sheet after each update, kept ones included.
        fates: Number of updates by what became of them.
    """

    def __init__(self, max_characters: int, collapse_share: float, collapse_floor: int) -> None:
        self._max, self._share, self._floor = max_characters, collapse_share, collapse_floor
        self.text = self.previous = ""
        self.lengths: list[int] = []
        self.fates: dict[str, int] = dict.fromkeys(_FATES, 0)

    def review(self, reply: str) -> Review:
        """Read a curator's reply; nothing changes yet."""
        written = _between_tags(reply)
        if written is None:
            return Review(self.text, "unreadable")
        text = _without_marks(tidy(written, 2 * self._max))
        if not text or text.strip("()[] .").casefold() == "empty":
            return Review(self.text, "empty")
        if len(self.text) >= self._floor and len(text) < self._share * len(self.text):
            return Review(self.text, "collapsed")
        if len(text) <= self._max:
            return Review(text, "taken")
        return Review(_whole_lines(text[: self._max]), "cut")

    def take(self, review: Review) -> None:
        """Make a review count."""
        if review.is_new:
            self.previous, self.text = self.text, review.text
        self.lengths.append(len(self.text))
        self.fates[review.fate] += 1

    def state(self) -> dict[str, Any]:
        """Return everything as JSON."""
        kept = {"sheet": self.text, "previous": self.previous, "lengths": list(self.lengths)}
        return {**kept, "updates": dict(self.fates), "unreadable": self.fates["unreadable"]}

    def load(self, state: Mapping[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self.text, self.previous = state["sheet"], state["previous"]
        self.lengths, self.fates = list(state["lengths"]), dict(state["updates"])


def _between_tags(reply: str) -> str | None:
    """Return what stands between the last pair of tags: a model that thinks aloud may name them before."""
    end = reply.rfind(_CLOSING)
    start = reply.rfind(_OPENING, 0, end) if end >= 0 else -1
    return reply[start + len(_OPENING) : end] if start >= 0 else None


def _without_marks(text: str) -> str:
    """Drop the marks of a quotation that was copied with them."""
    lines = text.split("\n")
    if not text or not all(line.startswith(_MARK) for line in lines if line.strip()):
        return text
    return "\n".join(line.removeprefix(_MARK).removeprefix(" ") for line in lines).strip()


def _whole_lines(text: str) -> str:
    head, newline, _ = text.rpartition("\n")
    return (head if newline and len(head) > len(text) // 2 else text).rstrip()

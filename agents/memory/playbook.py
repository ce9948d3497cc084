"""A playbook: short pieces of advice with an id and counters, added one at a time and never rewritten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ..clients.tokens import estimate_tokens
from .ranking import overlap
from .texts import tidy_line

SECTIONS = ("strategies", "formulas", "code", "mistakes", "heuristics", "clues", "other")
BULLET_CHARACTERS = 1_000
MOST_OPERATIONS = 20
"""Additions of one curation; a flood of them would push out what has proved useful."""
_SLUG_CHARACTERS = 3


@dataclass(slots=True)
class Bullet:
    """A piece of advice.

    Attributes:
        id: Three letters of the section and the bullet's number: `str-00001`.
        section: One of `SECTIONS`.
        text: The advice, one line.
        helpful: How often it was found to have helped.
        harmful: How often it was found to have misled.
    """

    id: str
    section: str
    text: str
    helpful: int = 0
    harmful: int = 0

    @property
    def net(self) -> int:
        """Helpful less harmful."""
        return self.helpful - self.harmful

    @property
    def line(self) -> str:
        """The bullet as it stands in prompts."""
        return f"[{self.id}] helpful={self.helpful} harmful={self.harmful} :: {self.text}"


class Playbook:
    """Bullets in the order of their making.

    Args:
        max_tokens: Of the whole playbook, as estimated (four characters a token); it holds after every update.
        merge_overlap: From which overlap on an addition is one that is there already; None where only the same
            text is. The text that is there stays, with its counters.
        prune_margin: A bullet goes once harmful exceeds helpful by this many; None to keep them all.

    Attributes:
        bullets: In the order of their making.
        counts: What became of operations: `added`, `merged`, `pruned`, `evicted`, `ignored`.
    """

    def __init__(self, max_tokens: int, merge_overlap: float | None, prune_margin: int | None) -> None:
        self._max_tokens, self._merge_overlap, self._prune_margin = max_tokens, merge_overlap, prune_margin
        self.bullets: list[Bullet] = []
        self.counts = dict.fromkeys(("added", "merged", "pruned", "evicted", "ignored"), 0)
        self._made = 0

    @property
    def tokens(self) -> int:
        """About how many tokens the playbook is."""
        return estimate_tokens(self.text())

    def text(self, ids: Iterable[str] | None = None) -> str:
        """Return the playbook by sections, "" for an empty one.

        Args:
            ids: Of the bullets to show; None for all.
        """
        chosen = None if ids is None else set(ids)
        shown = [each for each in self.bullets if chosen is None or each.id in chosen]
        parts = []
        for section in SECTIONS:
            lines = [each.line for each in shown if each.section == section]
            if lines:
                parts.append("\n".join([f"## {section}", *lines]))
        return "\n\n".join(parts)

    def named_in(self, text: str) -> list[str]:
        """Return the ids of the bullets that a text names."""
        return [each.id for each in self.bullets if each.id in text]

    def tag(self, tags: Any) -> None:
        """Count verdicts `{"id", "tag": "helpful" | "harmful" | "neutral"}`, each bullet once; then prune."""
        by_id = {each.id: each for each in self.bullets}
        for given in tags if isinstance(tags, list) else []:
            name = given.get("id") if isinstance(given, dict) else None
            bullet = by_id.pop(name, None) if isinstance(name, str) else None
            if bullet is not None and given.get("tag") == "helpful":
                bullet.helpful += 1
            elif bullet is not None and given.get("tag") == "harmful":
                bullet.harmful += 1
        self._prune()

    def apply(self, operations: Any) -> None:
        """Carry out additions `{"type": "ADD", "section", "content"}`; nothing else can be asked for.

        An unknown section is `other`. What is no addition, or beyond the first 20, is ignored and counted.
        """
        given = operations if isinstance(operations, list) else []
        for operation in given[:MOST_OPERATIONS]:
            self._add(operation if isinstance(operation, dict) else {})
        self.counts["ignored"] += len(given[MOST_OPERATIONS:])
        self._fit()

    def state(self) -> dict[str, Any]:
        """Return everything as JSON."""
        return {"made": self._made, "bullets": [asdict(each) for each in self.bullets], "counts": dict(self.counts)}

    def load(self, state: Mapping[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self._made, self.counts = state["made"], dict(state["counts"])
        self.bullets = [Bullet(**fields) for fields in state["bullets"]]

    def _add(self, operation: Mapping[str, Any]) -> None:
        text = tidy_line(operation.get("content"), BULLET_CHARACTERS)
        if not text or tidy_line(operation.get("type"), 10).upper() != "ADD":
            self.counts["ignored"] += 1
            return
        if any(self._says_the_same(each.text, text) for each in self.bullets):
            self.counts["merged"] += 1
            return
        section = tidy_line(operation.get("section"), 40).casefold()
        section = section if section in SECTIONS else "other"
        self._made += 1
        self.bullets.append(Bullet(f"{section[:_SLUG_CHARACTERS]}-{self._made:05d}", section, text))
        self.counts["added"] += 1

    def _says_the_same(self, old: str, new: str) -> bool:
        if _normal(old) == _normal(new):
            return True
        return self._merge_overlap is not None and overlap(old, new) >= self._merge_overlap

    def _prune(self) -> None:
        if self._prune_margin is None:
            return
        kept = [each for each in self.bullets if -each.net < self._prune_margin]
        self.counts["pruned"] += len(self.bullets) - len(kept)
        self.bullets = kept

    def _fit(self) -> None:
        """Evict the lowest net score until the playbook is within its tokens; the oldest first among equals."""
        while self.bullets and self.tokens > self._max_tokens:
            self.bullets.remove(min(self.bullets, key=lambda each: each.net))
            self.counts["evicted"] += 1


def _normal(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .;!")

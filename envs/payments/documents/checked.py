"""A corpus under check: its documents, and where each rule is laid down and asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ..kernel.rules import RuleRow
from . import slots
from .edition import Edition, lays_down
from .index import Index, index_of
from .render import Document, render_all
from .skeleton import Skeleton


class Checked:
    """A corpus under check.

    Args:
        edition: With the rules and tools of the world.
        now: The minute at which a rule counts as current.

    Raises:
        DataError: A document cannot be rendered.
        SettingError: bm25s is not installed.
    """

    def __init__(self, edition: Edition, now: int = 0) -> None:
        self.edition = edition
        self.now = now
        self.documents: Mapping[str, Document] = {each.id: each for each in render_all(edition)}

    @property
    def skeletons(self) -> Mapping[str, Skeleton]:
        """The skeletons by document id."""
        return self.edition.corpus.skeletons

    @cached_property
    def index(self) -> Index:
        """The index of all documents."""
        return index_of(tuple(self.documents.values()))

    @cached_property
    def homes(self) -> Mapping[str, tuple[str, ...]]:
        """The documents that lay a rule down, by rule id."""
        found: dict[str, list[str]] = {rule_id: [] for rule_id in self.edition.rules.rows}
        for skeleton in self.skeletons.values():
            for row in self.edition.rows_of(skeleton):
                if lays_down(skeleton, row):
                    found[row.id].append(skeleton.id)
        return {rule_id: tuple(ids) for rule_id, ids in found.items()}

    @cached_property
    def products(self) -> Mapping[str, tuple[str, ...]]:
        """The products of the procedures that name what is ruled or state its value ("" for no one product), by key."""
        found: dict[str, dict[str, None]] = {}
        for skeleton in self.skeletons.values():
            if skeleton.kind == "procedure":
                named = [slot.arguments[0] for slot in slots.of_kind(skeleton.pieces, "key")]
                stated = [row.key for row in self.edition.rows_of(skeleton)]
                for key in (*named, *stated):
                    found.setdefault(key, {})[skeleton.product or ""] = None
        return {key: tuple(products) for key, products in found.items()}

    def is_current(self, row: RuleRow) -> bool:
        """Whether a rule holds now and nothing that holds now replaces it."""
        ended = row.effective_to is not None and row.effective_to <= self.now
        later = (each for each in self.edition.rules.rows_of(row.key) if each.supersedes == row.id)
        replaced = any(each.effective_from <= self.now for each in later)
        return row.effective_from <= self.now and not ended and not replaced

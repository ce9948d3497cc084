"""Filling the slots of a text from the rules, the calendar, the tools and the defined terms of a world."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from ...core.errors import DataError
from ...core.text import nearest
from ..kernel.rules import BEGINNING, RuleBook, RuleRow, Value
from . import application, forms, slots
from .calendar import Calendar
from .corpus import Corpus
from .skeleton import Skeleton


class Table(NamedTuple):
    """What a worked example shows.

    Attributes:
        columns: Titles with the key whose form the values take, for example `("Fee", "review_fee")`; minutes of the
            episode under a key that ends in `_moment` are written as dates.
        rows: Values, one for each column.
    """

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Value, ...], ...]


Example = Callable[[tuple[RuleRow, ...]], Table]
"""Computes a worked example from the rules that its slot names; what it runs them on is the product's business."""


class Edition:
    """Everything that slots are filled from.

    Args:
        corpus: What people have written.
        rules: The rules of the world.
        tools: Names of the tools there are.
        examples: Functions of worked examples by name.
    """

    def __init__(
        self,
        corpus: Corpus,
        rules: RuleBook,
        tools: Collection[str],
        examples: Mapping[str, Example] | None = None,
    ) -> None:
        self.corpus = corpus
        self.rules = rules
        self.tools = tools
        self.examples = examples or {}
        self._fill: Mapping[str, Callable[..., str]] = {
            "value": lambda each: forms.write(self.row(each).key, self.row(each).value),
            "from": lambda each: self._date(each, self.row(each).effective_from),
            "until": lambda each: self._date(each, application.known_end(self.row(each), rules)),
            "announced": lambda each: self._date(each, self.row(each).announced_at),
            "key": lambda each: forms.key_in_words(_known(each, rules.keys, "key of a rule")),
            "tool": lambda each: f"`{_known(each, tools, 'tool')}`",
            "term": lambda each: corpus.terms[_known(each, corpus.terms, "defined term")].name,
            "define": self._definition,
            "doc": self.reference,
            "example": self._example,
            "epoch": lambda: self.calendar.written(0),
        }

    @property
    def calendar(self) -> Calendar:
        """The calendar of the world."""
        return self.corpus.calendar

    def rows_of(self, skeleton: Skeleton) -> tuple[RuleRow, ...]:
        """Return the rules whose values a document states.

        Raises:
            DataError: One does not exist.
        """
        return tuple(self.row(each, skeleton.id) for each in skeleton.renders)

    def line(self, row: RuleRow) -> str:
        """Return the line that says how a rule applies."""
        return application.written(application.terms_of(row, self.rules), self.calendar)

    def filled(self, pieces: Iterable[slots.Piece], place: str) -> str:
        """Return a text with its slots filled.

        Raises:
            DataError: A slot names what does not exist.
        """
        return "".join(each if isinstance(each, str) else self.fill(each, place) for each in pieces)

    def fill(self, slot: slots.Slot, place: str) -> str:
        """Return what stands in place of a slot.

        Raises:
            DataError: It names what does not exist.
        """
        try:
            return self._fill[slot.kind](*slot.arguments)
        except DataError as error:
            raise DataError(f"{place}: {slot}: {error}") from None

    def issued_at(self, skeleton: Skeleton) -> int | None:
        """Return the minute in which a document was written, None where it has always been there."""
        if skeleton.issued_at is not None:
            return skeleton.issued_at
        dated = [each for each in map(announced_at, self.rows_of(skeleton)) if each != BEGINNING]
        return max(dated, default=None)

    def row(self, rule_id: str, place: str = "") -> RuleRow:
        """Return a rule.

        Args:
            rule_id: Of the rule.
            place: How a message calls what names it.

        Raises:
            DataError: It does not exist.
        """
        if rule_id not in self.rules.rows:
            before = f"{place}: " if place else ""
            raise DataError(f"{before}there is no rule {rule_id}.{nearest(rule_id, self.rules.rows)}")
        return self.rules.rows[rule_id]

    def reference(self, document_id: str, section_id: str | None = None) -> str:
        """Name a document, or a section of it.

        Raises:
            DataError: It does not exist.
        """
        target = self.corpus.skeletons[_known(document_id, self.corpus.skeletons, "document")]
        if section_id is None:
            return f"{target.title} ({target.id})"
        titles = {each.id: each.title for each in target.sections}
        return f"“{titles[_known(section_id, titles, 'section')]}” of {target.title} ({target.id})"

    def _date(self, rule_id: str, minute: int | None) -> str:
        if minute is None or minute == BEGINNING:
            raise DataError(f"{rule_id} has no such date, or nobody knew it when the rule was announced")
        return self.calendar.written(minute)

    def _definition(self, name: str) -> str:
        term = self.corpus.terms[_known(name, self.corpus.terms, "defined term")]
        return f"**{term.name}**: {term.meaning}"

    def _example(self, name: str, *rule_ids: str) -> str:
        table = self.examples[_known(name, self.examples, "worked example")](tuple(map(self.row, rule_ids)))
        keys = [key for _, key in table.columns]
        if any(len(row) != len(keys) for row in table.rows):
            raise DataError(f"the table of {name} has rows of other lengths than its {len(keys)} columns")
        lines = [[title for title, _ in table.columns], ["---"] * len(keys)]
        lines += [[self._cell(key, value) for key, value in zip(keys, row, strict=True)] for row in table.rows]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

    def _cell(self, key: str, value: Value) -> str:
        return (
            self.calendar.written(value) if key.endswith("_moment") and type(value) is int else forms.write(key, value)
        )


def announced_at(row: RuleRow) -> int:
    """Return the minute from which a rule can be known."""
    return row.effective_from if row.announced_at is None else row.announced_at


def lays_down(skeleton: Skeleton, row: RuleRow) -> bool:
    """Whether a document lays a rule down; one of another authority, or for other cases, it can only repeat."""
    within = all(row.scope.get(dimension) == value for dimension, value in skeleton.scope.items())
    return row.authority == skeleton.authority and within


def _known(name: str, names: Collection[str], what: str) -> str:
    if name not in names:
        raise DataError(f"there is no {what} {name!r}.{nearest(name, names)}")
    return name

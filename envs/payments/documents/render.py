"""Documents as the company keeps them: a header, sections with every slot filled, and how their rules apply.

Nothing in a document depends on when it is read: a revision that has been replaced does not say so, the newer one says
what it replaces; a memo may be announced and not yet in force; a FAQ states what held when it was written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ...core.errors import DataError
from ..kernel.rules import BEGINNING, RuleRow
from . import application, forms, slots
from .edition import Edition, announced_at, lays_down
from .skeleton import Skeleton


class Passage(NamedTuple):
    """A section of a document."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Document:
    """A document.

    Attributes:
        id: For example `D-0412`.
        title: Without the id.
        kind: What sort of document it is.
        issued_at: Minute in which it was written, None where it has always been there.
        header: Lines on authority, scope and period.
        passages: The sections, in order.
    """

    id: str
    title: str
    kind: str
    issued_at: int | None
    header: str
    passages: tuple[Passage, ...]

    @cached_property
    def text(self) -> str:
        """The whole document."""
        parts = [f"# {self.title}", self.header, *(f"## {each.title}\n{each.text}" for each in self.passages)]
        return "\n\n".join(parts) + "\n"


def render_all(edition: Edition) -> tuple[Document, ...]:
    """Render every document, in the order of ids.

    Raises:
        DataError: A slot names what does not exist, or a document contradicts its rules; the message gives the place.
    """
    return tuple(render(skeleton, edition) for skeleton in edition.corpus.skeletons.values())


def render(skeleton: Skeleton, edition: Edition) -> Document:
    """Render one document.

    Raises:
        DataError: As `render_all`.
    """
    rows = edition.rows_of(skeleton)
    for row in rows:
        _check(skeleton, row)
    passages = [
        Passage(each.id, each.title, edition.filled(each.pieces, f"{skeleton.id}.{each.id}"))
        for each in skeleton.sections
    ]
    lines = [edition.line(row) for row in rows if lays_down(skeleton, row)]
    if lines:
        passages.append(Passage(application.SECTION_ID, application.SECTION_TITLE, "\n".join(lines)))
    header = "\n".join(_header(skeleton, rows, edition))
    return Document(skeleton.id, skeleton.title, skeleton.kind, edition.issued_at(skeleton), header, tuple(passages))


def _check(skeleton: Skeleton, row: RuleRow) -> None:
    issued = skeleton.issued_at
    if issued is not None and issued < announced_at(row):
        raise DataError(f"{skeleton.id}.issued_at: {row.id} is announced in minute {announced_at(row)}, not before")


def _header(skeleton: Skeleton, rows: tuple[RuleRow, ...], edition: Edition) -> Iterable[str]:
    issued = edition.issued_at(skeleton)
    scope = [f"{forms.in_words(dimension)} {value}" for dimension, value in sorted(skeleton.scope.items())]
    yield f"{skeleton.id}, {forms.in_words(skeleton.kind)}"
    if skeleton.authority is not None:
        yield f"Authority: {forms.in_words(skeleton.authority.name.lower())}"
    yield f"Scope: {' and '.join(scope) or 'every case'}"
    if skeleton.product is not None:
        yield f"Product: {skeleton.product}"
    if skeleton.module is not None:
        yield f"Module: {forms.in_words(skeleton.module)}"
    if issued is not None:
        yield f"Issued: {edition.calendar.written(issued)}"
    own = [row for row in rows if lays_down(skeleton, row)]
    if own:
        yield f"In force: {_period(own, edition)}"
    if skeleton.replaces is not None:
        replaced = slots.Slot("doc", (skeleton.replaces,))
        yield f"Replaces: {edition.fill(replaced, f'{skeleton.id}.replaces')}"


def _period(rows: list[RuleRow], edition: Edition) -> str:
    begins = sorted({row.effective_from for row in rows})
    ends = {application.known_end(row, edition.rules) for row in rows}
    first = "without a stated beginning" if begins[0] == BEGINNING else f"from {edition.calendar.written(begins[0])}"
    later = "" if len(begins) == 1 else f", parts of it from {edition.calendar.written(begins[-1])}"
    end = ends.pop() if len(ends) == 1 else None
    return first + later + ("" if end is None else f" until {edition.calendar.written(end)}")

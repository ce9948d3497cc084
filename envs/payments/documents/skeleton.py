"""What people write: a Markdown file with a YAML head, prose in sections, and every fact in a slot.

    ---
    id: D-0412
    kind: addendum
    title: Reserve reviews in Singapore
    authority: jurisdiction_addendum
    scope: {jurisdiction: SG}
    renders: [R-FEE-REV-SG-2]
    ---
    ## fees: What a review costs
    A review costs {{value R-FEE-REV-SG-2}}.

Revisions of one text, or one text for several places, stand in one file: the head then has `variants`, each with an id
and with what the names in its slots stand for (`names: {fee: R-FEE-REV-SG-2}`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from ...core.data import parse as parse_yaml
from ...core.data import validate
from ...core.errors import DataError
from ...core.tasks import Frozen
from ...core.text import echo
from ..kernel.rules import Authority
from . import slots
from .head import Head, Kind, Variant

_HEADING = re.compile(r"## (?:([a-z][a-z0-9_]*): )?(\S.*)")
_STARTS_A_LINE = re.compile(r"\s*(?:[-*|]|\d{1,2}\. |\{\{example )")


class Section(NamedTuple):
    """A section: its id, its title, and its text in pieces."""

    id: str
    title: str
    pieces: tuple[slots.Piece, ...]


class Skeleton(Frozen):
    """One document before its slots are filled; the attributes are those of `Head`.

    Attributes:
        family: Id of the first revision of the text.
        sections: In order, at least one.
    """

    id: str
    family: str
    kind: Kind
    title: str
    authority: Authority | None
    scope: dict[str, str]
    product: str | None
    module: str | None
    issued_at: int | None
    replaces: str | None
    sections: tuple[Section, ...]

    @cached_property
    def pieces(self) -> tuple[slots.Piece, ...]:
        """All text, section by section."""
        return tuple(piece for section in self.sections for piece in section.pieces)

    @cached_property
    def renders(self) -> tuple[str, ...]:
        """The rules whose values are stated."""
        return slots.rule_ids(self.pieces, "value")

    @cached_property
    def mentions(self) -> tuple[str, ...]:
        """The tools that are named."""
        return tuple(dict.fromkeys(slot.arguments[0] for slot in slots.of_kind(self.pieces, "tool")))


def read_skeletons(text: str, place: str) -> tuple[Skeleton, ...]:
    """Read a skeleton file: one document, or one for each variant.

    Args:
        text: Of the file.
        place: How a message calls the file.

    Raises:
        DataError: The file breaks its form; the message gives the place.
    """
    head_text, body = _halves(text, place)
    head = validate(Head, parse_yaml(head_text, place), place)
    written = list(_sections(body, place))
    found = tuple(_expand(head, variant, written, place) for variant in head.revisions())
    stated = tuple(dict.fromkeys(each for skeleton in found for each in skeleton.mentions))
    _agree(head.mentions, stated, f"{place}: mentions")
    if not head.variants:
        _agree(head.renders, found[0].renders, f"{place}: renders")
    return found


def _halves(text: str, place: str) -> tuple[str, str]:
    parts = re.split(r"^---[ \t]*\r?$\n?", text, maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0].strip():
        raise DataError(f"{place}: a head in YAML between two lines of ---, then the text")
    return parts[1], parts[2]


def _sections(body: str, place: str) -> Iterator[tuple[str, str, str]]:
    before, *parts = re.split(r"^(?=## )", body, flags=re.MULTILINE)
    if before.strip() or not parts:
        raise DataError(f"{place}: text stands under headings, `## fees: What it costs`")
    seen: set[str] = set()
    for part in parts:
        heading, _, text = part.partition("\n")
        found = _HEADING.fullmatch(heading.strip())
        if found is None or found[1] is None:
            raise DataError(f"{place}: a heading is `## id: Title`, not {echo(heading, 60)!r}")
        if found[1] in seen or found[1] == "application":
            raise DataError(f"{place}: two sections are called {found[1]!r}, or it is the name of the last one")
        if not text.strip():
            raise DataError(f"{place}: section {found[1]} is empty")
        seen.add(found[1])
        yield found[1], found[2], _unwrapped(text)


def _unwrapped(text: str) -> str:
    """Join the lines of a paragraph; items of a list, rows of a table and examples keep their own lines."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        stripped = line.strip()
        follows = bool(lines) and lines[-1] != "" and not lines[-1].startswith(("|", "{{example "))
        if stripped and follows and not _STARTS_A_LINE.match(line):
            lines[-1] = f"{lines[-1]} {stripped}"
        elif stripped or (lines and lines[-1] != ""):
            lines.append(stripped)
    return "\n".join(lines)


def _expand(head: Head, variant: Variant, written: list[tuple[str, str, str]], place: str) -> Skeleton:
    here = f"{place}: {variant.id}"
    unknown = [each for each in variant.omit if each not in [section_id for section_id, _, _ in written]]
    if unknown:
        raise DataError(f"{here}.omit: there is no section {unknown[0]!r}")
    sections = tuple(
        Section(section_id, title, slots.parse(text, variant.names, f"{here}.{section_id}"))
        for section_id, title, text in written
        if section_id not in variant.omit
    )
    filled = {each for section in sections for slot in slots.of_kind(section.pieces) for each in slot.arguments}
    unused = [name for name, value in variant.names.items() if value not in filled]
    if unused:
        raise DataError(f"{here}.names: {unused[0]} stands in no slot of its sections")
    own = {name: getattr(variant, name) for name in ("title", "scope", "product", "issued_at", "replaces")}
    given = {name: getattr(head, name) if value is None else value for name, value in own.items()}
    return Skeleton(
        id=variant.id,
        family=head.revisions()[0].id,
        kind=head.kind,
        authority=head.authority,
        module=head.module,
        sections=sections,
        **given,
    )


def _agree(listed: tuple[str, ...], stated: tuple[str, ...], place: str) -> None:
    for each in listed:
        if each not in stated:
            raise DataError(f"{place}: {each} stands in no slot of the text")
    for each in stated:
        if each not in listed:
            raise DataError(f"{place}: {each} stands in a slot of the text and is not listed")

"""Reading the rules back out of a rendered document, so that rules and documents cannot drift apart.

What people wrote must stand in the text word for word; between their words stand the values, each in the form of its
key; and the last section gives the terms. The rule book is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ...core.errors import DataError
from ..kernel.rules import Authority, RuleBook, Value
from . import application, forms
from .calendar import DATE_PATTERN
from .edition import Edition, lays_down
from .render import Document
from .skeleton import Section, Skeleton

_FROM_RULES: Mapping[str, str] = {
    "from": DATE_PATTERN,
    "until": DATE_PATTERN,
    "announced": DATE_PATTERN,
    "example": r"(?:\|[^\n]*\|\n?)+?",
}
"""What stands in a slot whose filling comes from the rules; the others are filled again from the names. A value looks
as its key says."""


class Stated(NamedTuple):
    """A rule as a document states it.

    Attributes:
        terms: None where the document only repeats a rule that another lays down.
        value: Of the rule.
        authority: Who lays it down; None where `terms` is.
    """

    terms: application.Terms | None
    value: Value
    authority: Authority | None


def extract(document: Document, skeleton: Skeleton, edition: Edition, keys: Mapping[str, str]) -> dict[str, Stated]:
    """Return the rules that a document states, by id, read from its text.

    Args:
        document: As it was rendered.
        skeleton: Of the document.
        edition: Asked for names of tools, terms and documents, and for the calendar; not for its rules.
        keys: Keys of rules that the document only repeats, by rule id.

    Raises:
        DataError: The text is not the skeleton's, two statements of one rule differ, or terms without a value.
    """
    passages = {each.id: each.text for each in document.passages}
    lines = passages.pop(application.SECTION_ID, "").splitlines()
    terms = {each.id: each for each in (application.read(line, edition.calendar) for line in lines)}
    if list(passages) != [each.id for each in skeleton.sections]:
        raise DataError(f"{document.id}: its sections are not those of its skeleton")
    keys = {**keys, **{each.id: each.key for each in terms.values()}}
    found: dict[str, Value] = {}
    for section in skeleton.sections:
        for rule_id, text in _captured(section, passages[section.id], edition, keys, f"{document.id}.{section.id}"):
            value = forms.read(keys[rule_id], text)
            if found.setdefault(rule_id, value) != value:
                raise DataError(f"{document.id}.{section.id}: another value of {rule_id} than before")
    without = [each for each in terms if each not in found]
    if without:
        raise DataError(f"{document.id}: {without[0]} has terms and no value")
    authority = _authority(document)
    return {
        rule_id: Stated(terms[rule_id], value, authority) if rule_id in terms else Stated(None, value, None)
        for rule_id, value in found.items()
    }


def differences(document: Document, skeleton: Skeleton, edition: Edition) -> list[str]:
    """Say where a document and the rule rows that it is to state do not agree; empty where they do."""
    book: RuleBook = edition.rules
    try:
        stated = extract(document, skeleton, edition, {row.id: row.key for row in book.rows.values()})
    except DataError as error:
        return [str(error)]
    found = []
    for rule_id in dict.fromkeys((*skeleton.renders, *stated)):
        row = book.rows.get(rule_id)
        if row is None or rule_id not in stated:
            found.append(f"{rule_id}: stated and no rule, or a rule and not stated")
            continue
        expected = Stated(None, row.value, None)
        if lays_down(skeleton, row):
            expected = Stated(application.terms_of(row, book), row.value, row.authority)
        if stated[rule_id] != expected or type(stated[rule_id].value) is not type(row.value):
            found.append(f"{rule_id}: the document states {stated[rule_id]}, the rule is {expected}")
    return found


def _captured(
    section: Section, text: str, edition: Edition, keys: Mapping[str, str], place: str
) -> list[tuple[str, str]]:
    """Match a section against its skeleton; return what stands in the slots of values, by rule id."""
    pattern, rule_ids = [], []
    for piece in section.pieces:
        if isinstance(piece, str):
            pattern.append(re.escape(piece))
        elif piece.kind == "value":
            rule_ids.append(piece.arguments[0])
            if rule_ids[-1] not in keys:
                raise DataError(f"{place}: nothing says what {rule_ids[-1]} rules")
            pattern.append(f"({forms.pattern(keys[rule_ids[-1]])})")
        else:
            pattern.append(_FROM_RULES.get(piece.kind) or re.escape(edition.fill(piece, place)))
    found = re.fullmatch("".join(pattern), text)
    if found is None:
        raise DataError(f"{place}: the text is not that of the skeleton")
    return list(zip(rule_ids, found.groups(), strict=True))


def _authority(document: Document) -> Authority | None:
    found = re.search(r"^Authority: (.+)$", document.header, re.MULTILINE)
    return None if found is None else Authority.__members__.get(forms.from_words(found[1]).upper())

"""The standard lines at the end of a document that lays down rules: when each applies, and who keeps it.

    - R-FEE-REV-SG-2 (reserve review fee): for jurisdiction SG and product reserve; in force from 2 March 2026;
      announced on 16 February 2026; the version in force at review applies; staff keep to it and no system checks it;
      replaces R-FEE-REV-SG-1.

`written` and `read` are inverse to each other, so that nothing is lost between a rule row and its document.
"""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

from ...core.errors import DataError
from ...core.text import echo
from ..kernel.rules import BEGINNING, RuleBook, RuleRow
from .calendar import DATE_PATTERN, Calendar
from .forms import from_words, in_words, key_of, key_with_unit

SECTION_ID = "application"
SECTION_TITLE = "How these rules apply"
EVERY_CASE = "for every case"
NO_BEGINNING = "in force without a stated beginning"
_KEPT_BY = {
    "system": "the systems refuse what breaks it",
    "policy": "staff keep to it and no system checks it",
}
_SCOPE = r"[a-z]+(?: [a-z]+)* [A-Za-z0-9][A-Za-z0-9_-]*"
_LINE = re.compile(
    rf"- (?P<id>R-[A-Z0-9-]+) \((?P<key>[a-z][a-z0-9 ]*(?:, in [a-z ]+)?)\): "
    rf"(?:{EVERY_CASE}|for (?P<scope>{_SCOPE}(?: and {_SCOPE})*)); "
    rf"(?:{NO_BEGINNING}|in force from (?P<since>{DATE_PATTERN}))"
    rf"(?: until (?P<until>{DATE_PATTERN}))?; "
    rf"(?:announced on (?P<announced>{DATE_PATTERN}); )?"
    rf"the version in force at (?P<anchor>[a-z][a-z0-9 ]*) applies; "
    rf"(?P<kept>{'|'.join(_KEPT_BY.values())})"
    rf"(?:; replaces (?P<supersedes>R-[A-Z0-9-]+))?\."
)


class Terms(NamedTuple):
    """Under what terms a rule applies: of a rule row, all but its value, authority, rationale and traps.

    Attributes:
        effective_to: None also where a later row has ended it, since nobody knew when it was written.
    """

    id: str
    key: str
    scope: dict[str, str]
    effective_from: int
    effective_to: int | None
    announced_at: int | None
    anchor: str
    enforced: Literal["system", "policy"]
    supersedes: str | None


def terms_of(row: RuleRow, book: RuleBook) -> Terms:
    """Return the terms of a row as far as they were known when it was announced."""
    return Terms(
        id=row.id,
        key=row.key,
        scope=dict(row.scope),
        effective_from=row.effective_from,
        effective_to=known_end(row, book),
        announced_at=row.announced_at,
        anchor=row.anchor,
        enforced=row.enforced,
        supersedes=row.supersedes,
    )


def known_end(row: RuleRow, book: RuleBook) -> int | None:
    """Return the minute from which a row no longer holds, None where only its replacement ends it."""
    replaced = any(each.supersedes == row.id for each in book.rows_of(row.key))
    return None if replaced else row.effective_to


def written(terms: Terms, calendar: Calendar) -> str:
    """Write the line of a rule."""
    scope = " and ".join(f"{in_words(dimension)} {value}" for dimension, value in sorted(terms.scope.items()))
    since = terms.effective_from
    period = NO_BEGINNING if since == BEGINNING else f"in force from {calendar.written(since)}"
    until = "" if terms.effective_to is None else f" until {calendar.written(terms.effective_to)}"
    parts = [
        f"for {scope}" if scope else EVERY_CASE,
        period + until,
        *([] if terms.announced_at is None else [f"announced on {calendar.written(terms.announced_at)}"]),
        f"the version in force at {in_words(terms.anchor)} applies",
        _KEPT_BY[terms.enforced],
        *([] if terms.supersedes is None else [f"replaces {terms.supersedes}"]),
    ]
    return f"- {terms.id} ({key_with_unit(terms.key)}): {'; '.join(parts)}."


def read(line: str, calendar: Calendar) -> Terms:
    """Read what `written` wrote.

    Raises:
        DataError: It is no such line.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        raise DataError(f"no line of {SECTION_TITLE!r}: {echo(line)}")
    given: dict[str, Any] = found.groupdict()
    return Terms(
        id=given["id"],
        key=key_of(given["key"]),
        scope=_scope(given["scope"] or ""),
        effective_from=BEGINNING if given["since"] is None else calendar.minute(given["since"]),
        effective_to=None if given["until"] is None else calendar.minute(given["until"]),
        announced_at=None if given["announced"] is None else calendar.minute(given["announced"]),
        anchor=from_words(given["anchor"]),
        enforced="system" if given["kept"] == _KEPT_BY["system"] else "policy",
        supersedes=given["supersedes"],
    )


def _scope(words: str) -> dict[str, str]:
    pairs = [each.rpartition(" ") for each in words.split(" and ") if each]
    return {from_words(dimension): value for dimension, _, value in pairs}

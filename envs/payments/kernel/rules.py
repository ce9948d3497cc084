"""Business rules as data, and the resolver: the only way in which anything learns the value of a rule.

A rule row states one value of a key for a scope and a period. Of the rows that apply to a case one wins: the one of the
highest authority, among these the one of the narrowest scope, among these the one that took effect last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import cached_property
from math import inf
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from ...core.errors import DataError
from ...core.tasks import Frozen
from .money import Money, money_of

BEGINNING = -(10**9)
"""Minute from which rules without a beginning hold."""

Value = bool | int | str | Money | tuple[str, ...]
Subject = Mapping[str, str]
"""What a case is about, by dimension of scope: `{"jurisdiction": "SG", "product": "reserve"}`."""


class Authority(IntEnum):
    """Who states a rule, the highest last."""

    FAQ = 1
    MEMO = 2
    PROCEDURE = 3
    GLOBAL_POLICY = 4
    JURISDICTION_ADDENDUM = 5
    STATUTE = 6


class RuleRow(Frozen):
    """One row.

    Attributes:
        id: Unique, for example `R-FEE-REV-SG-2`.
        key: What is ruled, for example `reserve_review_fee`.
        value: Of the key's type: a truth value, an integer, a code, a list of codes, or an amount.
        scope: The cases that it is for; a dimension that is left out admits any value.
        authority: Who states it.
        effective_from: Minute from which it holds.
        effective_to: Minute from which it no longer holds, None where only a later row ends it.
        announced_at: Minute from which it can be known, None for the minute in which it takes effect.
        supersedes: The row that it replaces.
        anchor: The instant of a case whose row applies, for example `booking` or `review`.
        enforced: `system` (tools refuse what breaks it) or `policy` (they do not).
        rationale: Why the rule is there, in one sentence.
        traps: Names of the mistakes that it invites.
    """

    id: Annotated[str, Field(pattern=r"^R-[A-Z0-9]+(-[A-Z0-9]+)*$")]
    key: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    value: Any
    scope: dict[str, str] = Field(default_factory=dict)
    authority: Authority
    effective_from: int = BEGINNING
    effective_to: int | None = None
    announced_at: int | None = None
    supersedes: str | None = None
    anchor: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    enforced: Literal["system", "policy"]
    rationale: Annotated[str, Field(min_length=1)]
    traps: tuple[str, ...] = ()

    @field_validator("authority", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        if isinstance(value, str):
            if value.upper() not in Authority.__members__:
                raise ValueError(f"one of {', '.join(each.name.lower() for each in Authority)}, not {value!r}")
            return Authority[value.upper()]
        return value

    @field_validator("value", mode="before")
    @classmethod
    def _typed(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return money_of(value, "value")
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        if type(value) in (bool, int, str, Money, tuple):
            return value
        raise ValueError(f"a truth value, an integer, a code, a list of codes or an amount, not {value!r}")

    @field_validator("traps", mode="before")
    @classmethod
    def _tuple(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _period(self) -> RuleRow:
        if self.effective_to is not None and self.effective_to <= self.effective_from:
            raise ValueError(f"effective_to: after effective_from ({self.effective_from}), not {self.effective_to}")
        if self.announced_at is not None and self.announced_at > self.effective_from:
            raise ValueError("announced_at: no rule takes effect before it is announced")
        return self

    @property
    def precedence(self) -> tuple[int, int, int]:
        """What decides between rows that apply to one case, the greatest wins."""
        return (self.authority, len(self.scope), self.effective_from)

    def applies(self, subject: Subject, at: int) -> bool:
        """Whether the row is for a case at an instant."""
        if at < self.effective_from or (self.effective_to is not None and at >= self.effective_to):
            return False
        return all(subject.get(dimension) == value for dimension, value in self.scope.items())


class Resolved(NamedTuple):
    """The value of a rule, and the row that states it."""

    value: Any
    row: RuleRow


class NoRule(KeyError):
    """No rule is there for a case: nothing rules its key, or no row of it applies.

    Attributes:
        key: What was to be ruled.
    """

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key

    def __str__(self) -> str:
        """Say it as other errors do, where a KeyError would put it in quotes."""
        return str(self.args[0])


class RuleBook:
    """All rules of a world.

    Raises:
        DataError: Two rows share an id, a row replaces one that is not of its key, or a key has values of two types.
    """

    def __init__(self, rows: Iterable[RuleRow]) -> None:
        self.rows: dict[str, RuleRow] = {}
        by_key: dict[str, list[RuleRow]] = {}
        for row in rows:
            if row.id in self.rows:
                raise DataError(f"{row.id}: two rows share this id")
            self.rows[row.id] = row
            by_key.setdefault(row.key, []).append(row)
        self._by_key = {key: sorted(found, key=_strongest_first) for key, found in by_key.items()}
        for found in self._by_key.values():
            self._check(found)
        # What `RuleRow.applies` looks at, laid out once: every act, check and document resolves.
        self._cases = {key: [_case(row) for row in found] for key, found in self._by_key.items()}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Every key that is ruled, in alphabetical order."""
        return tuple(sorted(self._by_key))

    def rows_of(self, key: str) -> list[RuleRow]:
        """Return the rows of a key, the strongest first.

        Raises:
            NoRule: Nothing rules it (a KeyError).
        """
        try:
            return self._by_key[key]
        except KeyError:
            raise NoRule(key, f"nothing rules {key}") from None

    def resolve(self, key: str, subject: Subject, at: int) -> Resolved:
        """Return the value of a key for a case at an instant.

        Args:
            key: What is ruled.
            subject: The case by dimension of scope.
            at: Minute of the case's anchor: which one it is, the row says.

        Raises:
            NoRule: No row applies (a KeyError); that one does, `conflicts.find` proves beforehand.
        """
        if key not in self._cases:
            raise NoRule(key, f"nothing rules {key}")
        for row, since, until, scope in self._cases[key]:
            if since <= at < until and all(subject.get(dimension) == value for dimension, value in scope):
                return Resolved(row.value, row)
        raise NoRule(key, f"no rule of {key} applies to {dict(subject)} at minute {at}")

    def _check(self, rows: list[RuleRow]) -> None:
        kinds = {type(row.value) for row in rows}
        if len(kinds) > 1:
            raise DataError(f"{rows[0].key}: values of one type, not {', '.join(sorted(k.__name__ for k in kinds))}")
        for row in rows:
            before = None if row.supersedes is None else self.rows.get(row.supersedes)
            if row.supersedes is not None and (before is None or before.key != row.key):
                raise DataError(f"{row.id}.supersedes: a row of {row.key}, not {row.supersedes}")
            if before is not None and before.effective_from >= row.effective_from:
                raise DataError(f"{row.id}.effective_from: after that of {before.id}, which it replaces")


def _case(row: RuleRow) -> tuple[RuleRow, int, float, tuple[tuple[str, str], ...]]:
    until = inf if row.effective_to is None else row.effective_to
    return row, row.effective_from, until, tuple(row.scope.items())


def _strongest_first(row: RuleRow) -> tuple[int, int, int, str]:
    authority, breadth, since = row.precedence
    return (-authority, -breadth, -since, row.id)

"""Amounts of money: integers of the currency's minor unit, never floats."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from ...core.errors import DataError

MAX_MINOR = 10**15
"""Largest amount in minor units that a record may hold."""


class Currency(StrEnum):
    """ISO 4217 codes in use."""

    EUR = "EUR"
    GBP = "GBP"
    JPY = "JPY"
    SGD = "SGD"
    USD = "USD"

    @property
    def digits(self) -> int:
        """Number of decimals of the minor unit (ISO 4217)."""
        return 0 if self is Currency.JPY else 2


class Money(NamedTuple):
    """An amount.

    Attributes:
        minor: In minor units of the currency, negative for what is owed.
        currency: Its currency.
    """

    minor: int
    currency: Currency

    def __add__(self, other: object) -> Money:
        """Add an amount of the same currency."""
        return Money(self.minor + self._minor_of(other), self.currency)

    def __sub__(self, other: object) -> Money:
        """Subtract an amount of the same currency."""
        return Money(self.minor - self._minor_of(other), self.currency)

    def __neg__(self) -> Money:
        return Money(-self.minor, self.currency)

    def __lt__(self, other: object) -> bool:
        return self.minor < self._minor_of(other)

    def __le__(self, other: object) -> bool:
        return self.minor <= self._minor_of(other)

    def __gt__(self, other: object) -> bool:
        return self.minor > self._minor_of(other)

    def __ge__(self, other: object) -> bool:
        return self.minor >= self._minor_of(other)

    def _minor_of(self, other: object) -> int:
        if not isinstance(other, Money) or other.currency is not self.currency:
            raise TypeError(f"{self.currency} cannot be reckoned with {other!r}")
        return other.minor

    def share(self, basis_points: int) -> Money:
        """Return so many hundredths of a per cent of the amount, rounded half up in absolute value."""
        exact = abs(self.minor) * basis_points
        rounded = (exact + 5_000) // 10_000
        return Money(rounded if self.minor >= 0 else -rounded, self.currency)

    def to_json(self) -> dict[str, Any]:
        """Return the amount as JSON values."""
        return {"minor": self.minor, "currency": str.__str__(self.currency)}

    def __str__(self) -> str:
        """Write the amount with its currency, for example `USD 1,234.50`."""
        digits = self.currency.digits
        whole, part = divmod(abs(self.minor), 10**digits)
        decimals = f".{part:0{digits}d}" if digits else ""
        return f"{self.currency} {'-' if self.minor < 0 else ''}{whole:,}{decimals}"


def money_of(value: Any, place: str) -> Money:
    """Read an amount from `{minor, currency}`.

    Args:
        value: What was written.
        place: How a message calls the field.

    Raises:
        DataError: It is no amount.
    """
    if not isinstance(value, dict) or set(value) != {"minor", "currency"}:
        raise DataError(f"{place}: an amount is an object of minor and currency, for example {_EXAMPLE}")
    minor, code = value["minor"], value["currency"]
    if type(minor) is not int or abs(minor) > MAX_MINOR:
        raise DataError(f"{place}.minor: an integer of minor units within {MAX_MINOR:,}, not {minor!r}")
    if code not in Currency.__members__:
        raise DataError(f"{place}.currency: one of {', '.join(Currency)}, not {code!r}")
    return Money(minor, Currency(code))


_EXAMPLE = '{"minor": 6000, "currency": "USD"}'

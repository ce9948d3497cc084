"""What models used and cost: amounts by role and phase, and totals that never pass an unknown price off as 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

AMOUNTS = (
    "calls", "attempts", "input", "cached", "cache_write", "output", "reasoning", "estimated", "replayed"
)  # fmt: skip
"""The order in which amounts are shown; `input` holds `cached` and `cache_write`, `output` holds `reasoning`."""
INFERENCE = "inference"
JUDGE = "judge"
"""The role of whoever judges an episode; it is no part of what the agent cost."""
_MONEY = ("cost", "unpriced")
_CENTS = 100
Usage = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What calls cost.

    Attributes:
        usd: Sum over the calls with a known price.
        calls: Number of calls.
        unpriced: How many of them have no known price.
    """

    usd: float
    calls: int
    unpriced: int

    @property
    def text(self) -> str:
        """The total for people: `$1.20`, `≥ $1.20, 3 calls unpriced`, `unpriced`, or `no model was called`."""
        if not self.calls:
            return "no model was called"
        if self.unpriced >= self.calls:
            return "unpriced"
        amount = f"${self.usd:,.2f}" if self.usd * _CENTS >= 1 or not self.usd else f"${self.usd:.2g}"
        return f"≥ {amount}, {self.unpriced} calls unpriced" if self.unpriced else amount

    @property
    def value(self) -> float | dict[str, Any]:
        """The total for scripts: a number where every call has a price, else null with the reason and the least sum."""
        if not self.calls or self.unpriced >= self.calls:
            return {"value": None, "reason": self.text}
        if self.unpriced:
            reason = f"{self.unpriced} calls unpriced"
            return {"value": None, "reason": reason, "at_least": self.usd, "unpriced_calls": self.unpriced}
        return self.usd


def cost_of(usage: Usage) -> Cost:
    """Return what usage by role cost; calls whose record says nothing of money are unpriced."""
    usd, calls, unpriced = 0.0, 0, 0
    for amounts in usage.values():
        made = int(amounts.get("calls", 0))
        calls += made
        usd += amounts.get("cost", 0.0)
        unpriced += int(amounts.get("unpriced", 0)) if any(name in amounts for name in _MONEY) else made
    return Cost(usd, calls, unpriced)


def tokens_of(usage: Usage) -> int:
    """Return the tokens read and written."""
    return int(sum(amounts.get("input", 0) + amounts.get("output", 0) for amounts in usage.values()))


def add_usage(total: dict[str, dict[str, float]], usage: Usage) -> None:
    """Add usage by role to a total."""
    for role, amounts in usage.items():
        sums = total.setdefault(role, {})
        for name, amount in amounts.items():
            sums[name] = sums.get(name, 0) + amount


def amount_names(usages: Iterable[Usage]) -> list[str]:
    """Return the names of the amounts that occur, money left out: the known ones in their order, then others."""
    found = {name for usage in usages for amounts in usage.values() for name in amounts} - set(_MONEY)
    return [name for name in AMOUNTS if name in found] + sorted(found - set(AMOUNTS))


def role_and_phase(key: str) -> tuple[str, str]:
    """Split the key of usage by role: `act` is (act, inference), `reflect@adaptation` (reflect, adaptation)."""
    role, _, phase = key.partition("@")
    return role, phase or INFERENCE


def without_judge(usage: Usage) -> Usage:
    """Return usage by role, that of judges left out."""
    return {role: amounts for role, amounts in usage.items() if role_and_phase(role)[0] != JUDGE}


def judge_alone(usage: Usage) -> Usage:
    """Return the usage of judges by role."""
    return {role: amounts for role, amounts in usage.items() if role_and_phase(role)[0] == JUDGE}

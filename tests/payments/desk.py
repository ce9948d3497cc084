"""A payments company with a few records of every state, small enough to reckon each act by hand."""

from typing import Any

from bizgym.envs.payments.kernel.engine import Engine
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.records import by_kind
from bizgym.envs.payments.kernel.rules import RuleBook, RuleRow
from bizgym.envs.payments.kernel.world import Base
from bizgym.envs.payments.records import KINDS
from bizgym.envs.payments.records.cash import Account, LedgerEntry

from tests.payments.books import load


def usd(minor: int) -> dict[str, Any]:
    return {"minor": minor, "currency": "USD"}


def eur(minor: int) -> dict[str, Any]:
    return {"minor": minor, "currency": "EUR"}


def _rule(number: int, key: str, value: Any, **more: Any) -> RuleRow:
    return RuleRow.model_validate(
        {
            "id": f"R-DESK-{number}",
            "key": key,
            "value": value,
            "authority": "global_policy",
            "anchor": "execution",
            "enforced": "policy",
            "rationale": "A value to reckon with.",
            **more,
        }
    )


def _by(dimension: str, key: str, values: dict[str, Any]) -> list[tuple[str, Any, dict[str, Any]]]:
    return [(key, value, {"scope": {dimension: name}}) for name, value in values.items()]


RULES: list[tuple[str, Any, dict[str, Any]]] = [
    ("reserve_review_fee", usd(5_000), {"effective_to": 100}),
    ("reserve_review_fee", usd(6_000), {"effective_from": 100}),
    ("expedite_fee", usd(9_000), {}),
    ("recall_fee", usd(1_000), {}),
    ("reopening_fee", usd(700), {}),
    *_by("method", "payout_fee", {"instant": usd(150), "batch": usd(20), "wire": usd(2_500)}),
    *_by("method", "settlement_minutes", {"instant": 1, "batch": 600, "wire": 120}),
    *_by("route", "review_minutes", {"standard_review": 30, "expedited_review": 5}),
    *(
        (key, minutes, {})
        for key, minutes in {
            "approval_validity_minutes": 120,
            "batch_interval_minutes": 60,
            "evidence_answer_minutes": 45,
            "evidence_validity_minutes": 10_000,
            "fee_quote_minutes": 15,
            "guarantee_answer_minutes": 60,
            "name_check_minutes": 10,
            "recall_answer_minutes": 20,
            "refund_claim_answer_minutes": 30,
            "refund_minutes": 90,
            "run_spacing_minutes": 2,
        }.items()
    ),
]
WORLD = load("desk.yaml")
BASE = Base(by_kind(KINDS, WORLD, "desk"))
BOOK = RuleBook([_rule(k + 1, key, value, **more) for k, (key, value, more) in enumerate(RULES)])


def money_in(world: Any) -> dict[str, int]:
    """Return what all accounts hold together, by currency."""
    sums: dict[str, int] = {}
    for account in world.all(Account):
        sums[account.balance.currency.value] = sums.get(account.balance.currency.value, 0) + account.balance.minor
    return sums


def booked_in(world: Any) -> dict[str, int]:
    """Return what the ledger entries come to, by currency."""
    sums: dict[str, int] = {}
    for entry in world.all(LedgerEntry):
        sums[entry.amount.currency.value] = sums.get(entry.amount.currency.value, 0) + entry.amount.minor
    return sums


def dollars(minor: int) -> Money:
    return Money(minor, Currency.USD)


def desk(tools: Any, handlers: Any) -> Engine:
    return Engine(BASE, BOOK, tools, handlers, check_footprints=True)

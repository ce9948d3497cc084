"""Payout runs on shared cash: who asks, and what strict success requires.

The order decides. Everything can be paid by the evening, and whoever pays too early leaves less on the account than has
to stay there, which the receipts of the afternoon repair without mending it.
"""

from __future__ import annotations

from typing import Any

from .payout_case import Case
from .payout_checks import wanted
from .payout_guards import guarded
from .payout_world import usd

FAMILY = "payout_run"
OPENING = (
    "Good morning. Please pay what we owe today and what falls due before tomorrow morning, with the run of this "
    "morning and that of this afternoon. Money is short until our buyers have paid, so ask us before anything is left "
    "unpaid, and if a bill looks wrong to you. Our landlord rings every month: send them a notice once the rent is on "
    "its way."
)


def task_of(case: Case) -> dict[str, Any]:
    """Return a task as data, all but its golden paths.

    Args:
        case: The parameters.
    """
    return {
        "task_id": case.task_id,
        "split": case.split,
        "family": FAMILY,
        "title": case.title,
        "world": case.world,
        "customer": "PTY-1",
        "traps": [
            "greedy_order",
            "refund_counted_twice",
            "superseded_floor",
            "promise_outranked",
            "bill_entered_twice",
            "lapsed_name_check",
            "cap_consent",
            "stale_approval",
        ],
        "card": card_of(case),
        "checks": [*wanted(case), *guarded(case)],
    }


def card_of(case: Case) -> dict[str, Any]:
    """Return what the customer knows, wants and agrees to."""
    most = {"le": [{"term": "max_fee"}, usd(case.most_fees)]}
    fee_too_high = {"otherwise": "fee_too_high"}
    return {
        "opening": OPENING,
        "persona": "The finance manager of a food wholesaler: brisk, exact, and short of time on a Monday.",
        "latency_minutes": 2,
        "patience": 12,
        "accounts": ["ACC-1"],
        "facts": _facts(case),
        "policies": [
            {
                "request": "execute_run",
                "approve": {"all": [most, {"eq": [{"term": "beneficiary"}, None]}]},
                "rejections": [{"when": {"not": most}, "reason": "fee_too_high"}],
                "otherwise": "wrong_beneficiary",
            },
            {
                "request": "fee_cap",
                "approve": {"le": [{"term": "amount"}, usd(case.most_fees)]},
                **fee_too_high,
                "consent": {"subject": "subject", "cap": "amount"},
            },
        ],
    }


def _facts(case: Case) -> list[dict[str, Any]]:
    """What the customer knows; all of it but the account has to be asked for by its name."""
    put_off, twin = f"BIL-{case.deferred}", f"BIL-{case.twin}"
    asked = {"disclose": "on_specific_ask"}
    return [
        {"id": "from", "kind": "funding_account", "value": "ACC-1", "disclose": "on_ask"},
        {
            "id": "comes_in",
            "kind": "expected_receipt",
            "subject": "REF-2",
            "value": usd(case.refund_amount),
            **asked,
        },
        {
            "id": "came_in",
            "kind": "original_payment",
            "subject": "REF-1",
            "value": "RCP-1",
            **asked,
            "say": "that money is here already; it is {value} in your books",
        },
        {
            "id": "rent_by",
            "kind": "payment_deadline",
            "subject": f"BIL-{case.told}",
            "value": case.told_by,
            **asked,
        },
        {"id": "rank", "kind": "payment_order", "subject": put_off, "value": "deferrable", **asked},
        {"id": "later", "kind": "payment_deadline", "subject": put_off, "value": case.deferred_to, **asked},
        {"id": "twin", "kind": "original_payment", "subject": twin, "value": f"PAY-{case.paid_by}", **asked},
        {"id": "cap", "kind": "fee_cap", "value": usd(case.named_cap), **asked},
    ]

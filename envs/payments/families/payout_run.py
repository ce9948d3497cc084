"""Payout runs on shared cash: who asks, and what strict success requires.

The order decides. Everything can be paid by the evening, and whoever pays too early leaves less on the account than has
to stay there, which the receipts of the afternoon repair without mending it.
"""

from __future__ import annotations

from typing import Any

from ..kernel.rules import RuleBook
from .family import Family, Prepared
from .payout_case import Case
from .payout_checks import wanted
from .payout_guards import guarded
from .payout_plan import goldens_of
from .payout_slips import counterexamples_of
from .payout_world import usd, world_of

NAME = "payout_run"
TRAPS = (
    "greedy_order",
    "pay_twice",
    "refund_counted_twice",
    "superseded_floor",
    "not_yet_in_force",
    "promise_outranked",
    "bill_entered_twice",
    "lapsed_name_check",
    "cap_consent",
    "stale_approval",
)
TEMPTING = (
    "account_transfer",
    "payout_send_now",
    "payout_queue",
    "payout_run_reorder",
    "payout_run_create",
    "payout_attach_bill",
    "bill_split",
    "bill_redirect",
    "beneficiary_rename",
    "refund_list",
    "account_get",
    "account_forecast",
)


def task_of(case: Case) -> dict[str, Any]:
    """Return a task as data, all but its golden paths.

    Args:
        case: The parameters.
    """
    return {
        "task_id": case.task_id,
        "split": case.split,
        "family": NAME,
        "title": case.title,
        "world": case.world,
        "customer": "PTY-1",
        "duties": ["operations", "treasury"],
        "traps": [*TRAPS, *([] if case.look_alike is None else ["look_alike"])],
        "card": card_of(case),
        "checks": [*wanted(case), *guarded(case)],
    }


def card_of(case: Case) -> dict[str, Any]:
    """Return what the customer knows, wants and agrees to."""
    most = {"le": [{"term": "max_fee"}, usd(case.most_fees)]}
    fee_too_high = {"otherwise": "fee_too_high"}
    return {
        "opening": case.opening,
        "persona": case.persona,
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
            {
                "request": "data_sharing",
                "approve": {"eq": [{"term": "subject"}, "PTY-1"]},
                "otherwise": "not_asked_for",
            },
        ],
    }


def _facts(case: Case) -> list[dict[str, Any]]:
    """What the customer knows; all of it but the account has to be asked for by its name."""
    put_off, twin, told = f"BIL-{case.deferred}", f"BIL-{case.twin}", f"BIL-{case.told}"
    rows: tuple[tuple[str, str, str | None, Any, str], ...] = (
        ("from", "funding_account", None, "ACC-1", "all of it is paid from {value}"),
        ("comes_in", "expected_receipt", "REF-2", usd(case.refund_amount), "that refund should come to {value}"),
        ("came_in", "original_payment", "REF-1", "RCP-1", "that money is here already; it is {value} in your books"),
        ("rent_by", "payment_deadline", told, case.told_by, "the rent has to be with the landlord by {value}"),
        ("rank", "payment_order", put_off, "deferrable", "that one may wait; treat it as {value}"),
        ("later", "payment_deadline", put_off, case.deferred_to, "for that one they give us until {value}"),
        ("twin", "original_payment", twin, f"PAY-{case.paid_by}", "we have paid that one before, with {value}"),
        ("double", "duplicate_payment", twin, f"PAY-{case.paid_by}", "that one is paid already, with {value}"),
        ("cap", "fee_cap", None, usd(case.named_cap), "we agreed to {value} in fees for the day"),
    )
    return [
        {
            "id": name,
            "kind": kind,
            **({} if subject is None else {"subject": subject}),
            "value": value,
            "disclose": "on_ask" if kind == "funding_account" else "on_specific_ask",
            "say": say,
        }
        for name, kind, subject, value, say in rows
    ]


def prepare(case: Case, rules: RuleBook) -> Prepared:
    """Put a case into its world."""
    return Prepared(
        world_of(case),
        task_of(case),
        lambda task, setting: goldens_of(task, setting, case),
        lambda ground: counterexamples_of(ground, case),
        TEMPTING,
    )


FAMILY = Family(Case, prepare)

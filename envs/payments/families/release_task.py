"""A reserve release as a task: who asks, what the merchant knows and agrees to, what strict success requires."""

from __future__ import annotations

from typing import Any

from ..kernel.rules import RuleBook
from .family import Family, Prepared
from .release_case import Case
from .release_checks import checks_of
from .release_records import Desk
from .release_slips import counterexamples_of
from .release_words import ROUTE
from .release_world import world_of
from .reserve_release import golden_paths

NAME = "reserve_release"
TEMPTING = (
    "allocation_book",
    "approval_request_amend",
    "evidence_link",
    "fee_charge_tariff",
    "fee_quote_issue",
    "guarantee_get",
    "reserve_secure",
    "review_cancel",
    "review_reassign",
    "review_reschedule",
)


def task_of(desk: Desk, rules: RuleBook) -> dict[str, Any]:
    """Return a task as data, all but its golden paths and counterexamples.

    Args:
        desk: The world, with the ids that the task names.
        rules: The rules of the world.
    """
    case = desk.case
    return {
        "task_id": case.task_id,
        "split": case.split,
        "family": NAME,
        "title": case.title,
        "world": case.world,
        "customer": desk.roles["merchant"],
        "duties": ["operations", "risk"],
        "traps": case.traps,
        "card": _card(desk),
        "checks": checks_of(desk, rules),
    }


def _card(desk: Desk) -> dict[str, Any]:
    case, roles = desk.case, desk.roles
    return {
        "opening": case.opening,
        "persona": case.persona,
        "latency_minutes": 2,
        "patience": 14,
        "accounts": [roles["settlement_account"], roles["operating_account"]],
        "facts": _facts(desk),
        "wishes": [_route()],
        "papers": [
            {
                "id": "carrier",
                "kind": "delivery_proof",
                "subject": roles["reserve"],
                "record": {"issued_at": case.carrier_issued_at},
            }
        ],
        "policies": _policies(desk),
        "satisfied": {"eq": [{"field": [roles["reserve"], "state"]}, "released"]},
    }


def _facts(desk: Desk) -> list[dict[str, Any]]:
    """What the merchant knows; what it would pay has to be asked for by its name."""
    roles = desk.roles
    rows: tuple[tuple[str, str, Any, str], ...] = (
        ("which", "reserve_in_question", roles["reserve"], "it is {value}"),
        ("target", "receiving_account", roles["settlement_account"], "please have it paid to {value}"),
        ("payer", "fee_account", roles["operating_account"], "your fee can come from {value}"),
        ("by_when", "release_deadline", desk.case.deadline, "we need it by {value}"),
    )
    told = [
        {"id": name, "kind": kind, "value": value, "disclose": "on_ask", "say": say} for name, kind, value, say in rows
    ]
    cap = {"id": "cap", "kind": "fee_cap", "value": desk.money(desk.case.cap)}
    short = {"id": "short", "kind": "short_payment_accepted", "subject": roles["short_invoice"], "value": True}
    asked = {"disclose": "on_specific_ask"}
    return [
        *told,
        {**cap, **asked, "say": "we would not pay more than {value}"},
        {**short, **asked, "say": "{value}, let the rest go"},
    ]


def _route() -> dict[str, Any]:
    """The merchant hopes for the fast way until it is told that the other one is taken."""
    told = [{"eq": [{"arg": "fact"}, "release_route"]}, {"eq": [{"arg": "value"}, ROUTE]}]
    fast = {"value": "expedited_review", "until": {"event": "told_user", "where": {"all": told}}}
    wanted = {"preferences": [fast, {"value": ROUTE}], "say": "the way that we would take is {value}"}
    return {"id": "route", "kind": "release_route", "request": NAME, **wanted}


def _policies(desk: Desk) -> list[dict[str, Any]]:
    """What the merchant agrees to: these terms and no others."""
    this = {"eq": [{"term": "subject"}, {"fact": "which"}]}
    rest = desk.money(desk.case.short.rest)
    release = [
        {"le": [{"term": "max_fee"}, {"fact": "cap"}]},
        this,
        {"eq": [{"term": "beneficiary"}, {"fact": "target"}]},
    ]
    too_dear = {"when": {"gt": [{"term": "max_fee"}, {"fact": "cap"}]}, "reason": "fee_too_high"}
    file = {"eq": [{"term": "subject"}, desk.roles["file"]]}
    write_off = {"le": [{"term": "amount"}, rest]}
    cap = {"all": [{"le": [{"term": "amount"}, {"fact": "cap"}]}, this]}
    return [
        {
            "request": "release_reserve",
            "approve": {"all": release},
            "rejections": [too_dear],
            "otherwise": "wrong_account",
        },
        {"request": "close_file", "approve": file, "otherwise": "not_asked_for"},
        {"request": "write_off", "approve": write_off, "otherwise": "wrong_amount"},
        {
            "request": "fee_cap",
            "approve": cap,
            "otherwise": "fee_too_high",
            "consent": {"subject": "subject", "cap": "amount"},
        },
        {
            "request": "data_sharing",
            "approve": {"eq": [{"term": "subject"}, desk.roles["merchant"]]},
            "otherwise": "not_asked_for",
        },
    ]


def prepare(case: Case, rules: RuleBook) -> Prepared:
    """Put a case into its world."""
    desk = world_of(case, rules)
    return Prepared(
        desk.records.by_kind,
        task_of(desk, rules),
        golden_paths,
        lambda ground: counterexamples_of(ground, desk),
        TEMPTING,
    )


FAMILY = Family(Case, prepare)

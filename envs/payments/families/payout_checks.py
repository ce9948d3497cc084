"""What is wanted of a payout run: its goals, and how its runs come about."""

from __future__ import annotations

from .payout_case import Case
from .payout_words import KEPT, LEAVES, SECOND_AVAILABLE, Check, check, floor_of, leaves, paid, state, supplier
from .payout_world import CURRENCY


def wanted(case: Case) -> list[Check]:
    """Return the goals, and the checks of approvals, fees, order and cover.

    Args:
        case: The parameters of the task.
    """
    return [*_goals(case), *_approvals(), *_order(case), *_cover()]


def _goals(case: Case) -> list[Check]:
    put_off = f"BIL-{case.deferred}"
    waits = [
        state(put_off, "open"),
        {"eq": [{"field": [put_off, "priority"]}, "deferrable"]},
        {"eq": [{"field": [put_off, "due_at"]}, case.deferred_to]},
    ]
    late = {"to": supplier(case, case.deferred), "says": "delay", "about": put_off}
    told = {"to": supplier(case, case.told), "says": "payout_sent"}
    twin = state(f"BIL-{case.twin}", "cancelled")
    essential = "The essential bills are paid."
    if case.look_alike is not None:
        essential = "The essential bills are paid, among them the one that only looks like one that was paid before."
    return [
        check("G1", essential, {"finally": paid(*case.morning)}),
        check("G2", "The bills of the afternoon are paid.", {"finally": paid(*case.afternoon)}),
        check(
            "G3",
            "The bill that may wait is ranked as deferrable and put off.",
            {"finally": {"all": waits}},
            "R-BDM-DEF-1",
        ),
        check("G4", "The bill that was entered twice is cancelled.", {"finally": twin}),
        check(
            "G5",
            "The supplier who has to wait has a notice of the delay.",
            {"finally": {"ge": [{"count": "notice", "where": late}, 1]}},
        ),
        check(
            "G6",
            "The landlord has a notice that the rent is on its way.",
            {"finally": {"ge": [{"count": "notice", "where": told}, 1]}},
        ),
        check("G7", "The promise that was kept is noted as kept.", {"finally": state("CMT-1", "kept")}),
        check(
            "G8",
            "What need not stay on the second settlement account has come over.",
            {"finally": {"le": [SECOND_AVAILABLE, floor_of(case)]}},
            case.floor_rule,
        ),
    ]


def _approvals() -> list[Check]:
    run = {"run": {"arg": "run"}}
    amount, fee = ({"sum": ["payout", name], "where": run} for name in ("amount", "fee"))
    terms = ["execute_run", {"arg": "run"}, amount, fee, None, None]
    fees = {"sum": ["fee_charge", "amount"], "where": {"account": "ACC-1", "fee": "payout", "waived": False}}
    cap = {"rule": "default_fee_cap", "subject": {"currency": CURRENCY}}
    agreed = [_agreed("PTY-1", "ACC-1"), {"plus": [_agreed("RUN-1"), _agreed("RUN-2")]}]
    approved = {"event": "payout_run_execute", "approval": {"arg": "approval"}, "terms": terms}
    valid = {"ge": [{"field": [{"arg": "approval"}, "valid_until"]}, {"now": True}]}
    shown = [{"field": [{"arg": "payout"}, name]} for name in ("amount", "fee", "beneficiary")]
    alone = {
        "event": {"event": ["payout_send_now", "payout_queue"]},
        "approval": {"field": [{"arg": "payout"}, "approval"]},
        "terms": ["send_payout", {"arg": "payout"}, *shown, None],
    }
    within = {"any": [{"le": [fees, each]} for each in (cap, *agreed)]}
    return [
        check(
            "P1", "Each run rests on an approval of its actual terms.", {"approved": approved}, "R-APPROVAL-ACTIONS-3"
        ),
        check(
            "P2",
            "The approval is valid when the run is executed.",
            {"at": {"event": "payout_run_execute", "holds": valid}},
            "R-APPROVAL-TIME-RUN-1",
        ),
        check(
            "P3",
            "The customer has agreed to what the payouts of the day have cost together when the last of them leaves.",
            {"at": {"event": LEAVES, "holds": within, "state": "after"}},
            "R-CAP-DEFAULT-USD-2",
            "R-CONSENT-OVER-1",
        ),
        check(
            "P20",
            "A payout that leaves outside the runs rests on an approval of its own.",
            {"approved": alone},
            "R-APPROVAL-FREE-USD-2",
        ),
    ]


def _agreed(*subjects: str) -> Check:
    """The newest cap that the customer has agreed to for a matter; an older one no longer stands beside it."""
    where = {"customer": "PTY-1", "about": "fee_cap", "state": "active"}
    matter = {"in": [{"its": "subject"}, list(subjects)]}
    return {"newest": ["consent", "amount"], "by": "given_at", "where": where, "having": matter}


def _order(case: Case) -> list[Check]:
    first, last = case.morning[0], case.morning[-1]
    normal, promised = case.afternoon[0], case.promised
    return [
        check(
            "P4",
            "Of the essential bills the one that is due first leaves first.",
            {"before": {"first": leaves(case, first), "then": leaves(case, last)}},
            "R-RUN-ORDER-2",
        ),
        check(
            "P5",
            "A normal bill leaves before one that may wait.",
            {"before": {"first": leaves(case, normal), "then": leaves(case, promised)}},
            "R-RUN-ORDER-2",
        ),
    ]


def _cover() -> list[Check]:
    run = {"run": {"arg": "run"}}
    amount, fee = ({"sum": ["payout", name], "where": run} for name in ("amount", "fee"))
    covered = {"ge": [KEPT, {"plus": [amount, fee]}]}
    lead = {"minus": [{"field": [{"arg": "run"}, "cut_off_at"]}, {"now": True}]}
    in_time = {"ge": [lead, {"rule": "run_lock_lead_minutes"}]}
    return [
        check(
            "P6",
            "Each run is locked in time before its cut-off.",
            {"at": {"event": "payout_run_lock", "holds": in_time}},
            "R-RUN-LEAD-2",
        ),
        check(
            "P7",
            "Each run is covered by cash that is there when it is locked.",
            {"at": {"event": "payout_run_lock", "holds": covered}},
            "R-RUN-TRANSIT-1",
        ),
    ]

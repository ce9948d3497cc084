"""What a payout run has to mind: names, dates and methods of its payouts, and what is protected all the time."""

from __future__ import annotations

from .payout_case import CHECK_HOLDS, Case
from .payout_words import (
    KEPT,
    LEAVES,
    SECOND_AVAILABLE,
    Check,
    check,
    floor_of,
    leaves,
    notice,
    paid,
    state,
    supplier,
)
from .payout_world import CURRENCY, usd, world_of

_ACTS = (
    *("account_sweep", "account_transfer", "account_set_aside", "hold_release"),
    *("beneficiary_check_name", "bill_cancel", "bill_defer", "bill_reprioritise"),
    *("payout_draft", "payout_amend", "payout_attach_bill", "payout_attach_approval", "payout_cancel"),
    *("payout_queue", "payout_unqueue", "payout_send_now", "payout_retry"),
    *("payout_run_create", "payout_run_add", "payout_run_remove", "payout_run_reorder", "payout_run_move_cut_off"),
    *("payout_run_lock", "payout_run_unlock", "payout_run_execute"),
    *("approval_request_open", "approval_request_amend", "approval_request_withdraw", "approval_request_extend"),
    *("consent_request", "consent_withdraw", "refund_confirm", "commitment_fulfil"),
    *("notice_send", "notice_resend", "case_open", "case_assign", "case_close", "fee_quote_issue"),
)
"""What may be done for such a request; nobody has asked for anything else."""
_OTHER_FRAME = (
    *("payout+", "payout_run+", "approval_request+", "consent+", "notice+", "case+", "hold+"),
    *("ledger_entry+", "fee_charge+", "fee_quote+"),
    *("ACC-1.balance", "ACC-1.held", "ACC-3.balance", "ACC-5.balance"),
    *("REF-1.state", "REF-2.state", "CMT-1.state"),
)


def guarded(case: Case) -> list[Check]:
    """Return the checks of names, dates, methods and protection.

    Args:
        case: The parameters of the task.
    """
    return [*_names(case), *_dates(case), *_methods(case), *_asked(case), *_protection(case)]


def _names(case: Case) -> list[Check]:
    payee = f"BEN-{case.debt(case.afternoon[0]).supplier}"
    unchecked = f"BEN-{case.debt(case.promised).supplier}"
    since = {"minus": [{"now": True}, CHECK_HOLDS]}
    fresh = [{"eq": [{"field": [payee, "name_check"]}, "match"]}, {"ge": [{"field": [payee, "checked_at"]}, since]}]
    checked = {"eq": [{"field": [unchecked, "name_check"]}, "match"]}
    abroad = case.debt(case.afternoon[1])
    answered = {"in": [{"field": [f"BEN-{abroad.supplier}", "name_check"]}, ["match", "close_match"]]}
    return [
        check(
            "P8",
            "A name check that has grown too old is renewed before the payee is paid.",
            {"at": {"event": leaves(case, case.afternoon[0]), "holds": {"all": fresh}}},
            "R-NAME-LIFE-2",
        ),
        check(
            "P9",
            "A payee whose name was never checked is paid only after a check.",
            {"at": {"event": leaves(case, case.promised), "holds": checked}},
            "R-NAME-PAYABLE-2",
        ),
        check(
            "P19",
            "The payee abroad is paid on a name check that counts where it is established.",
            {"at": {"event": leaves(case, abroad.number), "holds": answered}},
            "R-NAME-PAYABLE-GB-1",
        ),
    ]


def _dates(case: Case) -> list[Check]:
    def by(minute: int, number: int) -> Check:
        there = [
            {"eq": [{"result": "amount"}, usd(case.debt(number).amount)]},
            {"eq": [{"result": "state"}, "settled"]},
        ]
        return {"within": {"event": {"event": "payout_settles", "where": {"all": there}}, "by": minute}}

    wages, dairy = case.debt(case.morning[0]), case.debt(case.afternoon[0])
    late = case.debt(case.deferred)
    notice_time = {"rule": "delay_notice_minutes", "subject": {"segment": late.segment}}
    latest = {"minus": [late.due_at, notice_time]}
    delay = {"event": notice("delay", supplier(case, case.deferred)), "by": latest}
    noted = {"event": "commitment_fulfil", "where": {"eq": [{"arg": "commitment"}, "CMT-1"]}}
    return [
        check(
            "P10",
            "The rent is with the landlord by the minute that the customer names.",
            by(case.told_by, case.told),
            "R-SETTLE-WIRE-1",
        ),
        check(
            "P11",
            "The wages are with the payroll bureau when they are due.",
            by(wages.due_at, wages.number),
            "R-SETTLE-INSTANT-2",
        ),
        check(
            "P12",
            "The largest supplier has its money when it is due.",
            by(dairy.due_at, dairy.number),
            "R-SETTLE-WIRE-1",
        ),
        check("P13", "The promised payment has arrived by the promised minute.", by(case.promised_by, case.promised)),
        check("P14", "The notice of the delay is sent in time.", {"within": delay}, case.delay_rule),
        check(
            "P15",
            "A notice says only what is so when it is sent, and to whom it concerns: that money is under way once it "
            "is, that a bill has to wait where it does.",
            {"at": {"event": "notice_send", "holds": {"any": _true_notices(case)}}},
        ),
        check(
            "P16",
            "The promise is noted as kept once the money has arrived, not before.",
            {"at": {"event": noted, "holds": paid(case.promised)}},
        ),
    ]


def _true_notices(case: Case) -> list[Check]:
    """What a notice may say: to a payee, or to the merchant, that money is under way or that the bill has to wait."""
    about = {"arg": "about"}
    left = ["queued", "sent", "settled", "scheduled", "paid"]
    under_way = {"any": [{"in": [{"field": [each, "state"]}, left]} for each in (about, {"field": [about, "bill"]})]}
    found = []
    for number in (*case.morning, *case.afternoon):
        payee = {"eq": [{"field": [about, "beneficiary"]}, f"BEN-{case.debt(number).supplier}"]}
        found.append([_tells("payout_sent", supplier(case, number)), payee, under_way])
    late = f"BIL-{case.deferred}"
    waits = [_tells("delay", supplier(case, case.deferred)), {"eq": [about, late]}, state(late, "open")]
    return [{"all": each} for each in (*found, waits)]


def _tells(says: str, to: str) -> Check:
    return {"all": [{"eq": [{"arg": "says"}, says]}, {"in": [{"arg": "to"}, [to, "PTY-1"]]}]}


def _asked(case: Case) -> list[Check]:
    """The customer wants to be asked first; it has been once it has said what it knows of the bill."""

    def told(*facts: str) -> Check:
        return {"event": "disclose_facts", "where": {"any": [{"in": [each, {"arg": "facts"}]} for each in facts]}}

    def done(number: int, *tools: str) -> Check:
        return {"event": list(tools), "where": {"eq": [{"arg": "bill"}, f"BIL-{number}"]}}

    return [
        check(
            "P21",
            "The customer is asked about the bill that looks wrong before it is cancelled.",
            {"before": {"first": told("twin", "double"), "then": done(case.twin, "bill_cancel")}},
        ),
        check(
            "P22",
            "The customer is asked about the bill that is left unpaid before it is put off.",
            {
                "before": {
                    "first": told("rank", "later"),
                    "then": done(case.deferred, "bill_defer", "bill_reprioritise"),
                }
            },
        ),
    ]


def _methods(case: Case) -> list[Check]:
    def costs(number: int) -> Check:
        subject = {"product": "payout", "jurisdiction": "US", "currency": CURRENCY, "method": case.methods[number]}
        price = {"rule": "payout_fee", "subject": subject}
        return {"at": {"event": leaves(case, number), "holds": {"eq": [{"result": "fee"}, price]}}}

    return [
        check(
            "P17",
            "The rent, which is above the highest instant amount, goes by wire.",
            costs(case.told),
            "R-INSTANT-MAX-USD-2",
        ),
        check("P18", "A bill that has time enough goes by batch.", costs(case.morning[-1]), "R-SETTLE-BATCH-2"),
    ]


def _protection(case: Case) -> list[Check]:
    frame = {"only": _only(case), "acts": list(_ACTS)}
    binds = {"all": [state("CMT-2", "active"), {"le": [{"now": True}, {"field": ["CMT-2", "by"]}]}]}
    keeps = {"ge": [KEPT, {"field": ["CMT-2", "amount"]}]}
    twice = {"event": "refund_confirm", "where": {"eq": [{"arg": "refund"}, "REF-1"]}}
    return [
        check(
            "F1",
            "What has to stay on the settlement account stays there at every minute.",
            {"always": {"ge": [KEPT, floor_of(case)]}},
            case.floor_rule,
        ),
        check(
            "F2",
            "The balance that is promised to the bank is kept until the promised minute.",
            {"respects": {"while": binds, "holds": keeps}},
        ),
        check(
            "F3",
            "Nothing is done but what the request needs: no other record, money, hold, fee or promise is touched.",
            {"frame": frame},
        ),
        check("F4", "A refund that was credited as a receipt is not credited again.", {"never": twice}),
        check(
            "F5",
            "Nobody gets more than it is owed today: no bill is paid twice, and no money leaves for anybody else.",
            {"at": {"event": LEAVES, "holds": {"all": _paid_once(case)}, "state": "after"}},
        ),
        check(
            "F6",
            "What has to stay on the second settlement account stays there as well.",
            {"always": {"ge": [SECOND_AVAILABLE, floor_of(case)]}},
            case.floor_rule,
        ),
    ]


def _only(case: Case) -> list[str]:
    """Return what may be written."""
    bills = [f"BIL-{each}.state" for each in (*case.morning, *case.afternoon, case.deferred, case.twin)]
    put_off = [f"BIL-{case.deferred}.{each}" for each in ("priority", "due_at")]
    checked = [f"BEN-{each}.name_check" for each in sorted({each.supplier for each in case.debts})]
    drafts = [f"PAY-{each}" for each in case.drafted]
    return ["RUN-1", "RUN-2", *bills, *put_off, *drafts, *checked, *_OTHER_FRAME]


def _paid_once(case: Case) -> list[Check]:
    """What has left for a payee of today, and altogether, is not more than what left before and what is owed today."""
    before = [each for each in world_of(case)["payout"] if each["state"] == "settled"]
    owed = [case.debt(each) for each in (*case.morning, *case.afternoon)]
    found = []
    for debt in owed:
        payee = f"BEN-{debt.supplier}"
        most = debt.amount + sum(each["amount"]["minor"] for each in before if each["beneficiary"] == payee)
        found.append({"le": [_left(beneficiary=payee), usd(most)]})
    all_of_it = sum(each["amount"]["minor"] for each in before) + sum(debt.amount for debt in owed)
    return [*found, {"le": [_left(), usd(all_of_it)]}]


def _left(**where: str) -> Check:
    """What has left, settled or not, from any account."""
    return {"plus": [{"sum": ["payout", "amount"], "where": {**where, "state": each}} for each in ("sent", "settled")]}

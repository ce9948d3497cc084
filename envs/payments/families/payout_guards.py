"""What a payout run has to mind: names, dates and methods of its payouts, and what is protected all the time."""

from __future__ import annotations

from .payout_case import CHECK_HOLDS, Case
from .payout_words import AVAILABLE, Check, check, leaves, notice, paid, state, supplier
from .payout_world import CURRENCY, usd

_OTHER_FRAME = (
    "payout+",
    "payout_run+",
    "approval_request+",
    "consent+",
    "notice+",
    "case+",
    "hold+",
    "ledger_entry+",
    "fee_charge+",
    "ACC-1",
    "ACC-3.balance",
    "REF-1",
    "REF-2",
    "CMT-1",
    "beneficiary.name_check",
    "beneficiary.checked_at",
)


def guarded(case: Case) -> list[Check]:
    """Return the checks of names, dates, methods and protection.

    Args:
        case: The parameters of the task.
    """
    return [*_names(case), *_dates(case), *_methods(case), *_protection(case)]


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
            "The oldest name check is renewed before its payee is paid.",
            {"at": {"event": leaves(case, case.afternoon[0]), "holds": {"all": fresh}}},
            "R-NAME-LIFE-2",
        ),
        check(
            "P9",
            "A name that was never checked is checked before its payee is paid.",
            {"at": {"event": leaves(case, case.promised), "holds": checked}},
            "R-NAME-PAYABLE-2",
        ),
        check(
            "P19",
            "A payee abroad has an answer that may be paid where it is established.",
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
    latest = {
        "minus": [case.debt(case.deferred).due_at, {"rule": "delay_notice_minutes", "subject": {"segment": "standard"}}]
    }
    delay = {"event": notice("delay", supplier(case, case.deferred)), "by": latest}
    on_its_way = {"in": [{"field": [f"BIL-{case.told}", "state"]}, ["scheduled", "paid"]]}
    noted = {"event": "commitment_fulfil", "where": {"eq": [{"arg": "commitment"}, "CMT-1"]}}
    return [
        check(
            "P10",
            "The payment that the customer needs early has arrived by then.",
            by(case.told_by, case.told),
            "R-SETTLE-WIRE-1",
        ),
        check(
            "P11",
            "The first essential bill has its money when it is due.",
            by(wages.due_at, wages.number),
            "R-SETTLE-INSTANT-2",
        ),
        check(
            "P12", "The normal bill has its money when it is due.", by(dairy.due_at, dairy.number), "R-SETTLE-WIRE-1"
        ),
        check("P13", "The promised payment has arrived by the promised minute.", by(case.promised_by, case.promised)),
        check("P14", "The notice of the delay is sent in time.", {"within": delay}, case.delay_rule),
        check(
            "P15",
            "The payee is told when the money is under way, not before.",
            {"at": {"event": notice("payout_sent", supplier(case, case.told)), "holds": on_its_way}},
        ),
        check(
            "P16",
            "The promise is noted as kept once it has been.",
            {"at": {"event": noted, "holds": paid(case.promised)}},
        ),
    ]


def _methods(case: Case) -> list[Check]:
    def costs(number: int) -> Check:
        subject = {"product": "payout", "jurisdiction": "US", "currency": CURRENCY, "method": case.methods[number]}
        price = {"rule": "payout_fee", "subject": subject}
        return {"at": {"event": leaves(case, number), "holds": {"eq": [{"result": "fee"}, price]}}}

    return [
        check("P17", "What is above the highest instant amount goes by wire.", costs(case.told), "R-INSTANT-MAX-USD-2"),
        check("P18", "What has time enough goes by batch.", costs(case.morning[-1]), "R-SETTLE-BATCH-2"),
    ]


def _protection(case: Case) -> list[Check]:
    floor = {"rule": "cash_floor", "subject": {"currency": CURRENCY, "segment": case.segment}}
    bills = [f"BIL-{each}" for each in (*case.morning, *case.afternoon, case.deferred, case.twin)]
    drafts = [f"PAY-{each}" for each in case.drafted]
    binds = {"all": [state("CMT-2", "active"), {"le": [{"now": True}, {"field": ["CMT-2", "by"]}]}]}
    keeps = {"ge": [AVAILABLE, {"field": ["CMT-2", "amount"]}]}
    twice = {"event": "refund_confirm", "where": {"eq": [{"arg": "refund"}, "REF-1"]}}
    return [
        check(
            "F1",
            "What has to stay on the settlement account stays there at every minute.",
            {"always": {"ge": [AVAILABLE, floor]}},
            case.floor_rule,
        ),
        check(
            "F2",
            "The balance that is promised to the bank is kept until its minute.",
            {"respects": {"while": binds, "holds": keeps}},
        ),
        check(
            "F3", "Nothing else is touched.", {"frame": {"only": ["RUN-1", "RUN-2", *bills, *drafts, *_OTHER_FRAME]}}
        ),
        check("F4", "A refund that was credited as a receipt is not credited again.", {"never": twice}),
    ]

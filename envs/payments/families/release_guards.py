"""What a reserve release has to mind: whose money is applied how, when it ends, and what is protected all the time."""

from __future__ import annotations

from .release_words import EXPEDITED, GUARANTEE, Check, Words, check, field_is, valid

_OF_THE_AGENT = (
    *("ledger_entry+", "fee_charge+", "fee_quote+", "evidence+", "review+"),
    *("consent+", "approval_request+", "notice+", "allocation+", "case+"),
)
_ACTS = (
    *("file_submit", "file_take_back", "file_close", "difference_write_off"),
    *("allocation_propose", "allocation_amend", "allocation_discard", "allocation_book", "allocation_book_all"),
    *("allocation_reverse", "allocation_move", "instruction_attach", "instruction_confirm"),
    *("evidence_request", "evidence_renew", "evidence_submit", "evidence_accept", "evidence_link", "evidence_unlink"),
    *("reserve_review_request", "reserve_review_withdraw", "reserve_secure", "reserve_release"),
    *("review_schedule", "review_reschedule", "review_reassign", "review_start", "review_decide", "review_cancel"),
    *("approval_request_open", "approval_request_amend", "approval_request_withdraw", "approval_request_extend"),
    *("consent_request", "consent_withdraw", "fee_quote_issue", "fee_charge_quoted", "fee_charge_tariff"),
    *("notice_send", "notice_resend", "case_open", "case_assign", "case_close"),
)
"""What may be done for such a request; nobody has asked for anything else. Other checks say when and how."""
_FIGURES = [
    *("allocation_book", "allocation_book_all", "allocation_reverse", "allocation_move"),
    "difference_write_off",
]
"""What changes the figures of a file."""


def guarded(words: Words) -> list[Check]:
    """Return the checks of the month's money, of the end, and of protection."""
    return [*_money(words), *_end(words), *_truth(words), *_protection(words)]


def _money(words: Words) -> list[Check]:
    case = words.case
    names = [each.name for each in case.buyers]
    in_force = words.rule_for("instruction_in_force", jurisdiction=case.buyers[0].jurisdiction)
    confirming = words.rule_for("instruction_in_force", jurisdiction=case.buyers[1].jurisdiction)
    threshold = words.rule("instruction_confirmation_threshold")
    return [
        check(
            "P9",
            f"The money of {names[0]} is applied as its last order says, which binds where it is established.",
            _applied(words, "ordered_receipt", words.last_order()),
            in_force,
        ),
        check(
            "P10",
            f"The money of {names[1]} is applied as the instruction says that the buyer has confirmed.",
            _applied(
                words, "confirmed_receipt", words.last_wish(), field_is(words.id("last_wish"), "state", "confirmed")
            ),
            confirming,
            threshold,
        ),
        check(
            "P11",
            f"The money of {names[3]}, who gave no instruction, is applied to what was due first and not disputed, "
            "to the last cent.",
            _applied(words, "unguided_receipt", words.oldest_first()),
            words.rule("allocation_order"),
            words.rule("unallocated_at_close_max"),
        ),
    ]


def _applied(words: Words, receipt: str, lines: list[tuple[str, int]], *more: Check) -> Check:
    booked = [
        {
            "eq": [
                {
                    "sum": ["allocation", "amount"],
                    "where": {"receipt": words.id(receipt), "invoice": words.id(invoice), "state": "booked"},
                },
                words.desk.money(minor),
            ]
        }
        for invoice, minor in lines
    ]
    return {"at": {"event": "file_close", "holds": {"all": [*more, *booked]}}}


def _end(words: Words) -> list[Check]:
    reserve = words.id("reserve")
    open_to_it = GUARANTEE in words.routes
    text = "The guarantee, which is short of the margin, does not stand in for the reserve."
    closed = "No guarantee stands in for the reserve of a merchant to whom that way is not open."
    rules = [words.rule("release_routes"), *([words.rule("guarantee_margin_bps")] if open_to_it else [])]
    secured = {"event": "reserve_secure", "where": {"eq": [{"arg": "reserve"}, reserve]}}
    release = {"event": "reserve_release", "by": words.case.deadline}
    lapses = {"at": {"event": "reserve_release", "holds": valid({"arg": "approval"})}}
    validity = words.rule("approval_validity_minutes", product="approval", action="release_reserve")
    return [
        check("P12", text if open_to_it else closed, {"never": secured}, *rules),
        check("P13", "The reserve is released by the minute in which the merchant needs it.", {"within": release}),
        check("P14", "The approval that the release rests on has not lapsed.", lapses, validity),
    ]


def _truth(words: Words) -> list[Check]:
    """What is approved, said and filed is as it is."""
    approved = {"event": "approve_request"}
    closing = {"event": "file_close", "since": approved, "match": {"request": "approval"}, "none": {"event": _FIGURES}}
    handed_in = [
        field_is({"arg": "evidence"}, "subject", words.id("reserve")),
        field_is({"arg": "evidence"}, "shows", "delivery_proof"),
        field_is({"arg": "evidence"}, "supplied_by", words.id("merchant")),
        {"eq": [{"arg": "issued_at"}, words.case.carrier_issued_at]},
    ]
    return [
        check(
            "P15",
            "The merchant approves the closing with the figures as they are when the month is closed.",
            {"up_to_date": closing},
        ),
        check(
            "P16",
            "A notice says only what is so when it is sent, and to whom it concerns.",
            {"at": {"event": "notice_send", "holds": {"any": _true_notices(words)}}},
        ),
        check(
            "P17",
            "A paper is filed only if the merchant has it to hand in, under the date that it bears.",
            {"at": {"event": "evidence_submit", "holds": {"all": handed_in}}},
            words.rule("evidence_validity_instant"),
        ),
    ]


def _true_notices(words: Words) -> list[Check]:
    """What a notice may say: that file and reserve are done with once they are, and which papers are missing."""
    about, reserve, file, me = {"arg": "about"}, words.id("reserve"), words.id("file"), words.id("merchant")

    def tells(says: str, to: list[str], *more: Check) -> Check:
        return {"all": [{"eq": [{"arg": "says"}, says]}, {"in": [{"arg": "to"}, to]}, *more]}

    of_this = {"any": [{"eq": [about, reserve]}, field_is(about, "subject", reserve)]}
    pending = {"not": field_is(reserve, "state", "released")}
    return [
        tells("file_closed", [me], {"eq": [about, file]}, field_is(file, "state", "closed")),
        tells("reserve_released", [me], {"eq": [about, reserve]}, field_is(reserve, "state", "released")),
        tells("evidence_needed", [me, words.id("bank")], of_this, pending),
    ]


def _protection(words: Words) -> list[Check]:
    settlement, operating = words.id("settlement_account"), words.id("operating_account")
    available = {"minus": [{"field": [settlement, "balance"]}, {"field": [settlement, "held"]}]}
    charges = [{"sum": ["fee_charge", "amount"], "where": {"account": each}} for each in (settlement, operating)]
    before = sum(each["amount"]["minor"] for each in words.desk.records.by_kind["fee_charge"])
    most = {"plus": [words.desk.money(before), words.fee]}
    fast = {"product": "reserve", **words.priced, "route": EXPEDITED}
    dear = [words.rule_for("expedite_fee", **fast)] if EXPEDITED in words.routes else []
    return [
        check(
            "F1",
            "What has to stay on the settlement account stays there at every moment.",
            {"always": {"ge": [available, {"rule": "cash_floor", "subject": words.priced}]}},
            words.rule("cash_floor"),
        ),
        check(
            "F2",
            "No fee is taken but that of the one review.",
            {"always": {"le": [{"plus": charges}, most]}},
            words.rule("consent_above_fee_cap"),
            *dear,
        ),
        check(
            "F3",
            "Nothing is done but what the request needs: no other record, money, hold, fee or invoice is touched.",
            {"frame": {"only": _only(words), "acts": list(_ACTS)}},
        ),
    ]


def _only(words: Words) -> list[str]:
    """Return what may be written."""
    reserve = words.id("reserve")
    balances = [f"{words.id(f'{each}_account')}.balance" for each in ("settlement", "operating", "reserve", "fees")]
    month = ("first_wish", "last_order", "short_wish", "last_wish")
    receipts = [f"{each}_receipt" for each in ("unguided", "ordered", "short", "confirmed")]
    invoices = [f"{each}_{k}" for each in ("ordered", "confirmed") for k in (1, 2, 3)]
    roles = (
        *month,
        *receipts,
        *invoices,
        "short_invoice",
        "unguided_late",
        "unguided_first",
    )
    secures = f"{words.id('guarantee')}.secures"
    return [reserve, words.id("file"), *balances, *_OF_THE_AGENT, secures, *map(words.id, roles)]

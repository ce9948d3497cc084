"""What is wanted of a reserve release: goals, approvals, papers, and who holds the review."""

from __future__ import annotations

from ..kernel.rules import RuleBook
from .release_guards import guarded
from .release_records import Desk
from .release_words import ROUTE, Check, Words, check, field_is, valid

_PAPERS = {
    "bank_confirmation": "The bank's confirmation",
    "delivery_proof": "A proof of delivery",
    "sales_report": "The report of sales",
    "ownership_statement": "The statement of who owns the merchant",
}


def checks_of(desk: Desk, rules: RuleBook) -> list[Check]:
    """Return the checks of a case as data, in the order of their ids."""
    words = Words(desk, rules)
    return [*_goals(words), *_approvals(words), _consented(words), *_papers(words), *_review(words), *guarded(words)]


def _goals(words: Words) -> list[Check]:
    reserve, me, invoice = words.id("reserve"), words.id("merchant"), words.id("short_invoice")
    released = [field_is(reserve, "state", "released"), field_is(reserve, "target", words.id("settlement_account"))]
    of_closing, of_release = (
        {"ge": [{"count": "notice", "where": {"to": me, "says": says, "about": about}}, 1]}
        for says, about in (("file_closed", words.id("file")), ("reserve_released", reserve))
    )
    told = [of_closing, {"any": [of_release, {"not": field_is(reserve, "state", "released")}]}]
    paid = words.desk.money(words.case.short.due - words.case.short.rest)
    given_up = [field_is(invoice, "state", "paid"), field_is(invoice, "amount", paid)]
    text = "The reserve for September is released to the settlement account, for which its file has to be closed."
    short = words.case.buyers[2].name
    return [
        check("G1", text, {"finally": {"all": released}}, words.rule("file_closing_before_release")),
        check("G2", "The merchant has notices of the closing and of the release.", {"finally": {"all": told}}),
        check(
            "G3",
            f"What is left of the invoice to {short} is given up, as the merchant does without it.",
            {"finally": {"all": given_up}},
        ),
    ]


def _approvals(words: Words) -> list[Check]:
    reserve, write_off = words.id("reserve"), words.rule("write_off_limit", product="reconciliation")
    shown = [{"field": [reserve, name]} for name in ("amount", "target", "route")]
    terms = ["release_reserve", {"arg": "reserve"}, shown[0], words.fee, *shown[1:]]
    actions = words.rule("approval_actions")
    text = "What is written off rests on a valid approval of the merchant, to the cent."
    return [
        check(
            "P1",
            "The release rests on an approval of its actual terms, the fee that was charged among them.",
            {"approved": {"event": "reserve_release", "approval": {"arg": "approval"}, "terms": terms}},
            actions,
            words.rule("approval_route_required"),
        ),
        check(
            "P2",
            "The closing of the month rests on a valid approval of the merchant.",
            {"at": {"event": "file_close", "holds": _approval("close_file", "subject", "file")}},
            actions,
        ),
        check(
            "P3",
            text,
            {"at": {"event": "difference_write_off", "holds": _approval("write_off", "amount", "amount")}},
            actions,
            write_off,
        ),
    ]


def _approval(action: str, name: str, argument: str) -> Check:
    """The request that the act is given was granted, has not lapsed, and is of the subject or amount of the act."""
    given = {"arg": "approval"}
    return {
        "all": [
            field_is(given, "action", action),
            field_is(given, name, {"arg": argument}),
            field_is(given, "state", "granted"),
            valid(given),
        ]
    }


def _consented(words: Words) -> Check:
    where = {"subject": words.id("reserve"), "about": "fee_cap", "state": "active"}
    newest = {"newest": ["consent", "amount"], "by": "given_at", "where": where}
    fee = words.rule("reserve_review_fee", product="reserve", route=ROUTE)
    text = "The merchant has consented to the fee above its cap before the review starts."
    stands = {"at": {"event": "review_start", "holds": {"ge": [newest, words.fee]}}}
    return check("P4", text, stands, words.rule("consent_above_fee_cap"), fee)


def _papers(words: Words) -> list[Check]:
    found = []
    for number, shows in enumerate(words.case.renewed, 5):
        text = f"{_PAPERS[shows]} is among the papers of the review, accepted and still valid when the review starts."
        rules = [words.rule("release_evidence_kinds"), words.rule("evidence_validity_instant"), _life_of(words, shows)]
        if shows == "bank_confirmation":
            text = f"{text} It comes from the bank itself."
            rules.append(words.rule("bank_confirmation_direct_supply"))
        form = {"at": {"event": "review_start", "holds": _paper(words, shows)}}
        found.append(check(f"P{number}", text, form, *rules))
    return found


def _paper(words: Words, shows: str) -> Check:
    """One of the papers of this very review is of the kind, from who may issue it, accepted and still valid."""
    wanted = {"shows": shows, "subject": words.id("reserve"), "state": "accepted"}
    issuers = [words.id("bank")] if shows == "bank_confirmation" else [words.id("merchant"), *words.desk.buyers]
    its = [
        {"in": [{"its": "id"}, {"field": [{"arg": "review"}, "evidence"]}]},
        {"in": [{"its": "supplied_by"}, issuers]},
        {"ge": [{"its": "valid_until"}, {"now": True}]},
    ]
    return {"ge": [{"count": "evidence", "where": wanted, "having": {"all": its}}, 1]}


def _life_of(words: Words, shows: str) -> str:
    """Return the rule that says how long a paper is valid: that of the place of who supplies it."""
    bank = {"jurisdiction": words.case.bank.jurisdiction, "segment": "standard"}
    scope = bank if shows == "bank_confirmation" else words.scope
    return words.rule_for("evidence_validity_minutes", product="evidence", **scope, shows=shows)


def _review(words: Words) -> list[Check]:
    officers = [
        each["id"]
        for each in words.desk.records.by_kind["officer"]
        if each["duty"] == "risk" and each["limit"]["minor"] >= words.case.reserve
    ]
    planned = {"event": ["review_schedule", "review_reassign"]}
    lead = {"rule": "review_lead_minutes", "subject": {"product": "reserve", **words.scope}}
    in_time = {"ge": [{"arg": "scheduled_for"}, {"plus": [{"now": True}, lead]}]}
    duty, limit = words.rule("review_officer_duty"), words.rule("review_within_officer_limit")
    return [
        check(
            "P7",
            "The review is with an officer of the duty risk within whose limit the reserve is.",
            {"at": {"event": planned, "holds": {"in": [{"arg": "officer"}, officers]}}},
            duty,
            limit,
        ),
        check(
            "P8",
            "The officer has the papers as long before the review as the rule wants.",
            {"at": {"event": {"event": ["review_schedule", "review_reschedule"]}, "holds": in_time}},
            words.rule("review_lead_minutes"),
        ),
    ]

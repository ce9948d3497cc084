"""The company's rules, case by case: which version, place, segment or authority wins, reckoned by hand."""

from datetime import datetime
from functools import cache
from importlib.resources import files

import pytest
from bizgym.envs.core.data import parse, validate
from bizgym.envs.payments.documents.corpus import read_corpus
from bizgym.envs.payments.documents.edition import Edition, announced_at
from bizgym.envs.payments.documents.render import render
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.rules import RuleBook, RuleRow
from bizgym.envs.payments.modules import catalog
from bizgym.envs.payments.worked import EXAMPLES

CONTENT = files("bizgym.data").joinpath("payments")


@cache
def edition() -> Edition:
    folder = CONTENT.joinpath("rules")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".yaml"))
    rows = [
        validate(RuleRow, row, f"{name}.{k}")
        for name in names
        for k, row in enumerate(parse(folder.joinpath(name).read_text(encoding="utf-8"), name))
    ]
    return Edition(read_corpus(CONTENT.joinpath("documents")), RuleBook(rows), catalog.TOOLS, EXAMPLES)


def usd(minor: int) -> Money:
    return Money(minor, Currency.USD)


def eur(minor: int) -> Money:
    return Money(minor, Currency.EUR)


SG_USD = {"jurisdiction": "SG", "currency": "USD"}
CASES = [
    # A new price binds from its date and not from its announcement.
    ("reserve_review_fee", {"currency": "USD"}, "2026-09-30 23:59", usd(5_000)),
    ("reserve_review_fee", {"currency": "USD"}, "2026-10-01 00:00", usd(6_000)),
    ("expedite_fee", {"currency": "USD"}, "2026-10-05 11:59", usd(12_000)),
    ("expedite_fee", {"currency": "USD"}, "2026-10-05 12:00", usd(13_500)),
    ("cash_floor", {"currency": "USD", "segment": "standard"}, "2026-10-31 23:59", usd(1_000_000)),
    ("cash_floor", {"currency": "USD", "segment": "standard"}, "2026-11-01 00:00", usd(1_250_000)),
    # An addendum prevails over a later policy, for its place and its currencies alone.
    ("reserve_review_fee", SG_USD, "2026-10-05 08:00", usd(5_500)),
    ("reserve_review_fee", SG_USD, "2026-10-06 00:00", usd(6_000)),
    ("reserve_review_fee", {"jurisdiction": "SG", "currency": "EUR"}, "2026-10-05 08:00", eur(5_400)),
    ("expedite_fee", {"jurisdiction": "US", "currency": "USD"}, "2026-10-05 12:00", usd(10_000)),
    # A statute prevails over everything.
    ("payout_fee", {"jurisdiction": "DE", "currency": "EUR", "method": "instant"}, "2026-10-05 08:00", eur(0)),
    ("payout_fee", {"jurisdiction": "DE", "currency": "EUR", "method": "batch"}, "2026-10-05 08:00", eur(15)),
    ("tariff_notice_days", {"jurisdiction": "DE"}, "2026-10-05 08:00", 60),
    # A segment is narrower than everybody, and a floor of its own does not follow the general one.
    ("review_minutes", {"segment": "high_risk", "route": "standard_review"}, "2026-10-05 08:00", 480),
    ("review_minutes", {"segment": "high_risk", "route": "expedited_review"}, "2026-10-05 08:00", 120),
    ("review_minutes", {"segment": "standard", "route": "expedited_review"}, "2026-10-05 08:00", 45),
    ("cash_floor", {"currency": "USD", "segment": "high_risk"}, "2026-11-01 00:00", usd(2_500_000)),
    # A memo changes no policy.
    ("fee_waiver_reasons", {}, "2026-10-05 08:00", ("company_error", "duplicate_charge")),
    ("review_slots", {"route": "standard_review"}, "2026-10-06 08:00", 20),
    # Evidence: what is needed, for how long it holds, and when that is looked at.
    ("evidence_validity_instant", {}, "2026-02-28 23:59", "submission"),
    ("evidence_validity_instant", {}, "2026-10-05 08:00", "review_start"),
    ("evidence_validity_minutes", {"shows": "bank_confirmation"}, "2026-07-31 23:59", 30 * 1_440),
    ("evidence_validity_minutes", {"shows": "bank_confirmation"}, "2026-08-01 00:00", 14 * 1_440),
    ("evidence_validity_minutes", {"shows": "bank_confirmation", "jurisdiction": "US"}, "2026-10-05 08:00", 7 * 1_440),
    # What a beneficiary's bank has to say of the name.
    ("payable_name_check_results", {"jurisdiction": "SG"}, "2026-10-05 08:00", ("match",)),
    ("payable_name_check_results", {"jurisdiction": "GB"}, "2026-10-05 08:00", ("match", "close_match")),
]


@pytest.mark.parametrize(("key", "case", "moment", "value"), CASES)
def test_the_rule_that_wins(key, case, moment, value):
    at = datetime.fromisoformat(moment) - datetime.fromisoformat(edition().calendar.epoch)
    assert edition().rules.resolve(key, case, round(at.total_seconds() / 60)).value == value


@pytest.mark.parametrize(
    ("document_id", "key", "said"),
    [
        ("D-0040", "reserve_review_fee", "USD 50.00"),
        ("D-0042", "guarantee_margin_bps", "5.00 %"),
        ("D-0210", "approval_validity_minutes", "1 hour"),
        ("D-0213", "evidence_validity_minutes", "30 days"),
        ("D-0342", "cash_floor", "USD 5,000.00"),
    ],
)
def test_an_answer_for_merchants_says_what_no_longer_holds(document_id, key, said):
    skeleton = edition().corpus.skeletons[document_id]
    (row, *_) = [each for each in edition().rows_of(skeleton) if each.key == key]
    assert said in render(skeleton, edition()).text
    assert edition().rules.resolve(key, row.scope, 0).row.id != row.id


def test_what_is_announced_is_known_before_the_first_minute_and_not_in_force():
    coming = [row for row in edition().rules.rows.values() if row.effective_from > 0]
    assert {row.key for row in coming} >= {"reserve_review_fee", "expedite_fee", "cash_floor"}
    assert all(announced_at(row) < 0 for row in coming)


def test_a_replacement_keeps_the_scope_and_the_authority_of_what_it_replaces():
    rows = edition().rules.rows
    for row in rows.values():
        if row.supersedes is not None:
            before = rows[row.supersedes]
            assert (row.scope, row.authority, row.anchor) == (before.scope, before.authority, before.anchor), row.id
            assert row.value != before.value, row.id

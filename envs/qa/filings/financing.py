"""Entries of borrowings, interest and currency."""

from __future__ import annotations

from decimal import Decimal

from .books import Books
from .facts import Tranche

_STEP_MILLIONS = 2.5
_LEAST_CASH = (0.03, 0.06)
_FEES = 0.011
_LOAN_OF_DEBT, _NOTES_OF_DEBT = (0.3, 0.5), 0.5
_COMMITMENT_OF_DEBT, _LEAST_COMMITMENT_MILLIONS = (0.5, 0.8), 10
_BASE_RATE_PERCENT = (3.2, 6.1)
_OVER_BASE_PERCENT = {"term_loan": 0.9, "notes": 1.6, "revolver": 0.4}
_REPAID_OF_LOAN, _REPAID_OF_NOTES, _REPAID_OF_NEW_NOTES = 0.055, 0.035, 0.04
_NEW_NOTES, _NEW_NOTES_OF_DEBT = 0.3, (0.15, 0.3)
_YEARS_OF_ISSUANCE_COSTS = 7
_INTEREST_OWED = (0.15, 0.32)
_EARNED_ON_CASH = (0.008, 0.02)
_EIGHTHS = 8
_MOVE_OF_CURRENCIES = (0.012, 0.055)
_CASH_ABROAD = 0.6
_PAYABLES_IN_CURRENCY = (0.15, 0.5)


def in_steps(books: Books, millions: float) -> int:
    """Return an amount in millions as units of the books, in steps that loans are made in."""
    return books.company.units(max(_STEP_MILLIONS, round(millions / _STEP_MILLIONS) * _STEP_MILLIONS))


def open_debt(books: Books, owed_millions: float) -> dict[str, int]:
    """Draw the borrowings at the start.

    Returns:
        Opening balances, credits negative.
    """
    draw, company = books.draw, books.company
    before, latest = company.first_year - 1, company.latest_year
    base = draw.uniform(*_BASE_RATE_PERCENT)
    loan, notes = (
        in_steps(books, owed_millions * draw.uniform(*_LOAN_OF_DEBT)),
        in_steps(books, owed_millions * _NOTES_OF_DEBT),
    )
    loan_ends, notes_end = latest + draw.whole(2, 4), latest + draw.whole(4, 7)
    rate, coupon, floating = (percent(base + over) for over in _OVER_BASE_PERCENT.values())
    commitment = in_steps(books, owed_millions * draw.uniform(*_COMMITMENT_OF_DEBT) + _LEAST_COMMITMENT_MILLIONS)
    books.facts.tranches += [
        Tranche(
            "term_loan",
            f"Term loan due FY{loan_ends}",
            "term_loan",
            rate,
            before,
            loan_ends,
            _instalments(books, loan, range(before + 1, loan_ends), _REPAID_OF_LOAN),
        ),
        Tranche(
            "notes",
            f"{coupon}% senior notes due FY{notes_end}",
            "notes",
            coupon,
            before,
            notes_end,
            _instalments(books, notes, range(before + 1, latest + 1), _REPAID_OF_NOTES),
        ),
        Tranche("revolver", "Revolving credit facility", "revolver", floating, before, latest + 2, {}, commitment),
    ]
    fees = round((loan + notes) * _FEES * draw.uniform(0.6, 1.0))
    return {"debt:term_loan": -loan, "debt:notes": -notes, "issuance_costs": fees}


def borrow(books: Books, year: int) -> None:
    """Enter a year's repayments, new notes, interest and the spreading of issuance costs."""
    opening = {tranche.key: -books.ledger.now(f"debt:{tranche.key}") for tranche in books.facts.tranches}
    for tranche in books.facts.tranches:
        paid = min(tranche.repaid.get(year, 0), opening[tranche.key])
        books.post(year, "repayment", {f"debt:{tranche.key}": paid, "cash": -paid}, "financing")
    if len(books.facts.tranches) == 3 and books.draw.happens(_NEW_NOTES):
        _issue_notes(books, year, sum(opening.values()))
    _interest(books, year, opening)


def settle_revolver(books: Books, year: int) -> None:
    """Draw on the revolving facility where cash has become short, repay it where there is plenty."""
    company, ledger = books.company, books.ledger
    step = company.units(_STEP_MILLIONS)
    wanted = round(books.earned(year, "revenue") * books.draw.uniform(*_LEAST_CASH))
    short, owed = wanted - ledger.now("cash"), -ledger.now("debt:revolver")
    if short > 0:
        drawn = -(-short // step) * step
        books.post(year, "drawing", {"cash": drawn, "debt:revolver": -drawn}, "financing")
    elif owed and -short >= step:
        repaid = min(owed, -short // step * step)
        books.post(year, "repayment", {"debt:revolver": repaid, "cash": -repaid}, "financing")


def translate(books: Books, year: int) -> None:
    """Enter the effect of exchange rates on the net assets abroad, and on trade payables in foreign currency."""
    draw, ledger, abroad = books.draw, books.ledger, books.abroad
    if not abroad:
        return
    moved = draw.uniform(*_MOVE_OF_CURRENCIES) * (1 if draw.happens(0.5) else -1) * abroad
    lines = {
        account: round(ledger.now(account) * moved)
        for account in (
            "receivables",
            *ledger.accounts("property"),
            *ledger.accounts("depreciated"),
            *ledger.accounts("goodwill"),
            "payables",
        )
    }
    lines["cash"] = round(ledger.now("cash") * moved * _CASH_ABROAD)
    books.post(year, "translation", {**lines, "translation": -sum(lines.values())}, "translation")
    loss = round(-ledger.now("payables") * abs(moved) * draw.uniform(*_PAYABLES_IN_CURRENCY)) * (-1 if moved > 0 else 1)
    books.post(year, "remeasurement", {"currency_result": loss, "payables": -loss})


def _instalments(books: Books, owed: int, years: range, share: float) -> dict[int, int]:
    """Return rising repayments in steps of a tenth of a million, about `share` of the loan a year, no two alike."""
    step, last, paid = books.company.units(0.1), 0, dict[int, int]()
    for year in years:
        last = max(last + 1, round(owed * share * books.draw.uniform(0.8, 1.25) / step))
        paid[year] = last * step
    return paid if sum(paid.values()) < owed else {}


def _issue_notes(books: Books, year: int, owed: int) -> None:
    company, draw = books.company, books.draw
    falls_due = company.latest_year + draw.whole(8, 10)
    coupon = books.facts.tranches[1].rate_percent + Decimal(draw.whole(1, 6)) / _EIGHTHS
    issued = in_steps(books, owed * company.unit / 1e6 * draw.uniform(*_NEW_NOTES_OF_DEBT))
    fees = round(issued * _FEES * draw.uniform(0.7, 1.2))
    repaid = _instalments(books, issued, range(year + 1, company.latest_year + 1), _REPAID_OF_NEW_NOTES)
    name = f"{coupon.normalize():f}% senior notes due FY{falls_due}"
    books.facts.tranches.append(Tranche("new_notes", name, "notes", coupon, year, falls_due, repaid))
    lines = {"cash": issued - fees, "issuance_costs": fees, "debt:new_notes": -issued}
    books.post(year, "notes_issue", lines, "financing")


def _interest(books: Books, year: int, opening: dict[str, int]) -> None:
    ledger = books.ledger
    for tranche in books.facts.tranches:
        owed = (opening.get(tranche.key, 0) - ledger.now(f"debt:{tranche.key}")) / 2
        accrued = round(owed * float(tranche.rate_percent) / 100)
        books.post(year, "interest", {f"interest:{tranche.key}": accrued, "interest_payable": -accrued})
    spread = round(ledger.now("issuance_costs") / _YEARS_OF_ISSUANCE_COSTS)
    books.post(year, "spreading", {"interest:issuance_costs": spread, "issuance_costs": -spread})
    owed_interest = round(-ledger.moved(year, "interest_payable", "interest") * books.draw.uniform(*_INTEREST_OWED))
    paid = -ledger.now("interest_payable") - owed_interest
    books.post(year, "interest_paid", {"interest_payable": paid, "cash": -paid})
    earned = round(ledger.now("cash") * books.draw.uniform(*_EARNED_ON_CASH))
    if earned > 0:
        books.post(year, "interest_received", {"cash": earned, "interest_income": -earned})


def percent(rate: float) -> Decimal:
    """Return a rate in eighths of a percent."""
    return Decimal(f"{Decimal(round(rate * _EIGHTHS)) / _EIGHTHS:f}")

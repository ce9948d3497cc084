"""What must hold in every annual report where one thing is told in several places: shares, pay, debt terms, totals."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from .investment import present_value
from .reading import Check, Reading, Sheet, differ

_HALF_CENT = Decimal("0.005")


def shares_agree(read: Reading) -> list[str]:
    """Shares roll from year to year; earnings a share follow from income and shares; repurchases add up."""
    counts, per_share, income = read["share_counts"], read["earnings_per_share"], read["income_statement"]
    begin, end = "Shares outstanding at beginning of year", "Shares outstanding at end of year"
    found = [*counts.total_off(end, counts.above(end))]
    for later, earlier in zip(read.years, read.years[1:], strict=False):
        found += differ(f"shares {later}", {"opening": counts.at(begin, later), "before": counts.at(end, earlier)})
    for kind in ("basic", "diluted"):
        row = f"Weighted average shares, {kind} ({'thousands' if read.filing.company.scale == 1000 else 'millions'})"
        for year in read.years:
            told = {
                "note": per_share.at(f"Weighted average shares outstanding, {kind}", year),
                "income": income.at(row, year),
            }
            found += differ(f"{row} {year}", told)
    parts = ["Weighted average shares outstanding, basic", "Dilutive effect of stock awards"]
    found += per_share.total_off("Weighted average shares outstanding, diluted", parts)
    for year in read.years:
        found += differ(f"net income {year}", {t.name: t.at("Net income", year) for t in (per_share, income)})
        for kind in ("Basic", "Diluted"):
            row, shares = f"{kind} earnings per share", f"Weighted average shares outstanding, {kind.lower()}"
            exact = per_share.at("Net income", year) / per_share.at(shares, year)
            found += differ(f"{row} {year}", {"table": per_share.at(row, year), "quotient": exact}, _HALF_CENT)
            found += differ(f"{row} {year}", {t.name: t.at(row, year) for t in (per_share, income)})
    quarters = read["share_repurchases"]
    bought = sum((quarters.at(row, "Shares repurchased") for row in quarters.rows), Decimal(0))
    found += differ("repurchased", {"quarters": bought, "year": -counts.at("Repurchased", read.latest)})
    return found + _options_roll(read)


def _options_roll(read: Reading) -> list[str]:
    """Options and what exercising them would cost roll; the price at the end is the average of what is left."""
    sheet, end, price = read["option_activity"], "Outstanding at end of year", "Weighted average exercise price"
    moves = sheet.above(end)
    rolled = sum((sheet.at(row, "Options") for row in moves), Decimal(0))
    worth = sum((sheet.at(row, "Options") * sheet.at(row, price) for row in moves), Decimal(0))
    return [
        *differ("options", {"movements": rolled, "closing": sheet.at(end, "Options")}),
        *differ("exercise price", {"movements": worth / rolled, "closing": sheet.at(end, price)}, _HALF_CENT),
    ]


def owners_are_paid(read: Reading) -> list[str]:
    """Repurchases are the shares times their prices; proceeds are the options exercised; dividends fit the shares."""
    quarters, cash, income = read["share_repurchases"], read["cash_flow_statement"], read["income_statement"]
    options, counts, equity = read["option_activity"], read["share_counts"], read["equity_rollforward"]
    per_scale = Decimal(1000) / read.filing.company.scale
    columns = ("Shares repurchased", "Average price paid per share")
    bought = sum((quarters.at(row, columns[0]) * quarters.at(row, columns[1]) for row in quarters.rows), Decimal(0))
    paid = -cash.at("Repurchases of common stock", read.latest)
    exercised = -options.at("Exercised", "Options") * options.at("Exercised", "Weighted average exercise price")
    proceeds = cash.at("Proceeds from exercise of stock options", read.latest)
    ends = [counts.at(f"Shares outstanding at {when} of year", read.latest) for when in ("beginning", "end")]
    moved = counts.at("Issued under stock plans", read.latest) - counts.at("Repurchased", read.latest)
    each = income.at("Dividends declared per share", read.latest)
    declared, mean = -equity.at("Dividends declared", "Total equity"), sum(ends, Decimal(0)) / 2
    slack = each * moved * per_scale + read.unit * 4
    return [
        *differ("repurchases", {"quarters": bought * per_scale, "cash flow": paid}, read.unit * 2),
        *differ("exercise", {"options": exercised * per_scale, "cash flow": proceeds}, read.unit / 2),
        *differ("dividends", {"per share": each * mean * per_scale, "equity": declared}, slack),
    ]


def one_figure_in_every_table(read: Reading) -> list[str]:
    """What stands in several tables is one figure, whatever its sign there."""
    income, cash, equity = read["income_statement"], read["cash_flow_statement"], read["equity_rollforward"]
    measure, added, allowance = read["adjusted_ebitda"], read["covenant_addbacks"], read["credit_loss_allowance"]
    interest, loss = read["interest_expense"], "Loss (gain) on disposal of property and equipment"
    same: list[tuple[str, list[tuple[Sheet, str]]]] = [
        ("depreciation", [(sheet, "Depreciation and amortization") for sheet in (income, cash, measure)]),
        ("restructuring", [(sheet, "Restructuring charges") for sheet in (income, measure, added)]),
        ("impairment", [(sheet, "Goodwill impairment") for sheet in (income, cash, measure, added)]),
        ("disposal", [(sheet, loss) for sheet in (income, cash, added)]),
        ("compensation", [(sheet, "Stock-based compensation") for sheet in (cash, measure, added)]),
        ("credit losses", [(sheet, "Provision for credit losses") for sheet in (cash, allowance)]),
        ("issuance costs", [(sheet, "Amortization of debt issuance costs") for sheet in (cash, interest)]),
        ("tax", [(sheet, "Income tax expense (benefit)") for sheet in (income, measure)]),
        ("interest", [(sheet, "Interest expense") for sheet in (income, measure)]),
        ("deferred tax", [(cash, "Deferred income taxes"), (read["tax_expense"], "Deferred")]),
        ("net income", [(sheet, "Net income") for sheet in (income, measure)]),
    ]
    turned: list[tuple[str, list[tuple[Sheet, str]]]] = [
        ("interest income", [(income, "Interest income"), (measure, "Interest income")]),
        *(
            ("currency", [(income, "Foreign currency gain (loss)"), (sheet, row)])
            for sheet, row in (
                (cash, "Unrealized foreign currency loss (gain)"),
                (measure, "Foreign currency loss (gain)"),
                (added, "Foreign currency loss (gain)"),
            )
        ),
    ]
    found = []
    for year in read.years:
        for what, places in same:
            found += differ(f"{what} {year}", {sheet.name: sheet.at(row, year) for sheet, row in places})
        for what, ((one, row), (other, label)) in turned:
            found += differ(f"{what} {year}", {one.name: one.at(row, year), other.name: -other.at(label, year)})
    for row in ("Stock-based compensation", "Repurchases of common stock"):
        told = {"equity": equity.at(row, "Total equity"), "cash flow": cash.at(row, read.latest)}
        found += differ(row, told)
    return found


def compensation_and_ebitda_agree(read: Reading) -> list[str]:
    """Stock-based compensation is one figure everywhere; EBITDA and Adjusted EBITDA follow from their lines."""
    awards, cash, measure = read["stock_compensation"], read["cash_flow_statement"], read["adjusted_ebitda"]
    total = "Total stock-based compensation"
    found = [
        *awards.total_off(total, awards.above(total)),
        *measure.total_off("EBITDA", measure.above("EBITDA")),
        *measure.total_off("Adjusted EBITDA", ["EBITDA", *measure.between("EBITDA", "Adjusted EBITDA")]),
    ]
    for year in read.years:
        told = {"note": awards.at(total, year), "cash flow": cash.at("Stock-based compensation", year)}
        found += differ(f"stock-based compensation {year}", told)
    return found


def what_was_paid_agrees(read: Reading) -> list[str]:
    """Interest and tax paid are the charge less what is owed more than a year before."""
    cash, balance, income = read["cash_flow_statement"], read["balance_sheet"], read["income_statement"]
    spread, taxes = read["interest_expense"], read["tax_expense"]
    later, earlier = read.years[:2]
    charged = income.at("Interest expense", later) - spread.at("Amortization of debt issuance costs", later)
    found: list[str] = []
    for what, owed, charge in (
        ("interest", "Accrued interest", charged),
        ("income taxes", "Income taxes payable", taxes.at("Total current", later)),
    ):
        paid = charge - balance.at(owed, later) + balance.at(owed, earlier)
        found += differ(what, {"cash flow": cash.at(f"Supplemental: {what} paid", later), "charge": paid})
    ledger = read.filing.accounts.ledger
    for year, column in zip(read.filing.years, read.years, strict=True):
        for row, memo in (("interest", "interest_paid"), ("income taxes", "tax_paid")):
            booked = -ledger.moved(year, "cash", memo) * read.unit
            found += differ(
                f"{row} {year}", {"cash flow": cash.at(f"Supplemental: {row} paid", column), "journal": booked}
            )
    return found


def terms_are_told(read: Reading) -> list[str]:
    """The terms of the credit agreement and the announced savings are those behind the report."""
    facts, company = read.filing.accounts.facts, read.filing.company
    terms, sheet, per_million = facts.credit, read["covenant_terms"], Decimal(company.unit) / 1_000_000
    if terms is None:
        return ["covenant_terms: there are none"]
    caps = {
        "Cap on restructuring charges added back in a year": terms.restructuring_cap,
        "Cap on cash deducted from debt": terms.cash_cap,
        "Commitments under the revolving credit facility": sum(each.commitment for each in facts.tranches),
    }
    told = {row: amount * per_million for row, amount in caps.items()}
    told |= {
        "Maximum Total Net Leverage Ratio": terms.max_leverage,
        "Minimum Interest Coverage Ratio": terms.min_coverage,
    }
    found = [
        fault for row, value in told.items() for fault in differ(row, {"table": sheet.at(row, "Level"), "terms": value})
    ]
    for year in read.filing.years:
        savings = facts.years[year].announced_savings * read.unit
        table = read["covenant_addbacks"].at("Announced savings not yet realized", read.filing.column(year))
        found += differ(f"announced savings {year}", {"table": table, "facts": savings})
    return found


def business_figures_are_told(read: Reading) -> list[str]:
    """Figures of the business stand as they are; those in money are rounded to the scale of the key figures."""
    filing, key = read.filing, read["key_figures"]
    per, places = (1_000_000, "0.1") if filing.company.scale == 1000 else (1_000_000_000, "0.01")
    found = []
    for metric in filing.company.industry.metrics:
        for year in filing.years:
            value = Decimal(filing.accounts.facts.years[year].metrics[metric.label])
            if metric.kind == "money":
                value = (value * filing.company.unit / per).quantize(Decimal(places), ROUND_HALF_UP)
            found += differ(f"{metric.label} {year}", {"table": key.at(metric.label, f"FY{year}"), "facts": value})
    return found


def leases_are_told(read: Reading) -> list[str]:
    """Remaining term and discount rate are the means over the leases, weighted by the value of what is left to pay."""
    sheet, latest = read["lease_terms"], read.filing.company.latest_year
    leases = read.filing.accounts.facts.leases
    worth = [present_value(lease, latest) for lease in leases]
    years = sum(value * (lease.ends - latest) for lease, value in zip(leases, worth, strict=True)) / sum(worth)
    rate = sum(value * lease.rate for lease, value in zip(leases, worth, strict=True)) / sum(worth)
    told = {
        "Weighted average remaining lease term (years)": (Decimal(str(years)), Decimal("0.055")),
        "Weighted average discount rate (%)": (Decimal(str(100 * rate)), Decimal("0.008")),
    }
    return [
        fault
        for row, (mean, within) in told.items()
        for fault in differ(row, {"table": sheet.at(row, f"FY{latest}"), "leases": mean}, within)
    ]


OWNER_CHECKS: tuple[Check, ...] = (
    shares_agree,
    owners_are_paid,
    one_figure_in_every_table,
    compensation_and_ebitda_agree,
    what_was_paid_agrees,
    terms_are_told,
    business_figures_are_told,
    leases_are_told,
)

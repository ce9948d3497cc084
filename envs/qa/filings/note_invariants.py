"""What must hold in the notes of every annual report, among themselves and with the statements."""

from __future__ import annotations

from decimal import Decimal

from .reading import Check, Reading, differ


def segments_add_up(read: Reading) -> list[str]:
    """Segments and corporate make up revenue, operating income, depreciation and capital expenditures."""
    income, cash = read["income_statement"], read["cash_flow_statement"]
    found: list[str] = []
    for table, total, statement, row, sign in (
        ("segment_revenue", "Total revenue", income, income.rows[0], 1),
        ("revenue_by_region", "Total revenue", income, income.rows[0], 1),
        ("segment_operating_income", "Operating income", income, "Operating income", 1),
        ("segment_depreciation", "Total depreciation and amortization", income, "Depreciation and amortization", 1),
        ("segment_capex", "Total capital expenditures", cash, "Capital expenditures", -1),
    ):
        sheet = read[table]
        subtotal = "Total segment operating income"
        parts = [row for row in sheet.rows if row not in (total, subtotal)]
        found += sheet.total_off(total, parts)
        if subtotal in sheet.rows:
            found += sheet.total_off(subtotal, sheet.above(subtotal))
        for year in sheet.columns:
            told = {table: sheet.at(total, year), statement.name: sign * statement.at(row, year)}
            found += differ(f"{total} {year}", told)
    return found


def quarters_make_the_year(read: Reading) -> list[str]:
    """The quarters of the latest year add up to the year of the income statement."""
    sheet, income = read["quarterly_results"], read["income_statement"]
    year = f"FY{read.filing.company.latest_year}"
    found: list[str] = []
    for row in sheet.rows:
        quarters = sum((sheet.at(row, column) for column in sheet.columns if column != year), Decimal(0))
        told = {"quarters": quarters, "year": sheet.at(row, year), "income statement": income.at(row, read.latest)}
        found += differ(f"{row} by quarter", told)
    return found


def taxes_add_up(read: Reading) -> list[str]:
    """The charge is the sum of its parts and of the steps from the statutory rate; deferred tax moves by it."""
    charge, steps, deferred = read["tax_expense"], read["tax_reconciliation"], read["deferred_taxes"]
    income, total = read["income_statement"], "Income tax expense (benefit)"
    liabilities, assets, net = (
        "Total deferred tax liabilities",
        "Total deferred tax assets",
        "Net deferred tax liability",
    )
    current = [row for row in charge.rows if row.startswith("Current: ")]
    found = [
        *charge.total_off("Total current", current),
        *charge.total_off(total, ["Total current", "Deferred"]),
        *steps.total_off(total, steps.above(total)),
        *deferred.total_off(assets, deferred.above(assets)),
        *deferred.total_off(liabilities, deferred.between(assets, liabilities)),
        *deferred.total_off(net, [assets, liabilities]),
    ]
    rate, half_unit = read.filing.company.currency.tax_rate, read.unit / 2
    for year in read.years:
        found += differ(f"tax {year}", {sheet.name: sheet.at(total, year) for sheet in (charge, steps, income)})
        at_rate = income.at("Income before income taxes", year) * rate
        told = {"table": steps.at("Tax at the statutory rate", year), "rate": at_rate}
        found += differ(f"statutory tax {year}", told, half_unit)
    moved = deferred.at(net, read.years[1]) - deferred.at(net, read.latest)
    found += differ("deferred tax", {"charge": charge.at("Deferred", read.latest), "balances": moved})
    owed = read["balance_sheet"].at("Deferred tax liabilities, net", read.latest)
    return found + differ("deferred tax liability", {"note": -deferred.at(net, read.latest), "balance sheet": owed})


def assets_roll(read: Reading) -> list[str]:
    """Property, goodwill and the allowance lead from opening to closing balance, by part and in total."""
    found: list[str] = []
    closing = "Closing balance"
    for table in ("property_cost", "property_depreciation", "goodwill_rollforward"):
        sheet = read[table]
        found += sheet.total_off("Total", sheet.above("Total"))
        for row in sheet.rows:
            rolled = sum((sheet.at(row, column) for column in sheet.columns if column != closing), Decimal(0))
            found += differ(f"{table}, {row}", {"movements": rolled, "closing": sheet.at(row, closing)})
    balance, cost, worn = read["balance_sheet"], read["property_cost"], read["property_depreciation"]
    cash, income = read["cash_flow_statement"], read["income_statement"]
    net = cost.at("Total", closing) - worn.at("Total", closing)
    shown = balance.at("Property and equipment, net", read.latest)
    found += differ("property, net", {"note": net, "balance sheet": shown})
    spent = -cash.at("Capital expenditures", read.latest)
    found += differ("additions", {"note": cost.at("Total", "Additions"), "cash flow": spent})
    goodwill = read["goodwill_rollforward"].at("Total", closing)
    found += differ("goodwill", {"note": goodwill, "balance sheet": balance.at("Goodwill", read.latest)})
    charged = income.at("Depreciation and amortization", read.latest) - worn.at("Total", "Depreciation")
    lost = balance.at("Intangible assets, net", read.years[1]) - balance.at("Intangible assets, net", read.latest)
    if read.filing.company.latest_year not in read.filing.accounts.facts.acquired:
        found += differ("amortization", {"income less depreciation": charged, "balances": lost})
    expected = read["intangible_amortization"]
    found += expected.total_off("Total", expected.above("Total"))
    left = expected.at("Total", "Expected amortization")
    return found + differ(
        "intangibles", {"note": left, "balance sheet": balance.at("Intangible assets, net", read.latest)}
    )


def working_capital_agrees(read: Reading) -> list[str]:
    """Receivables, their allowance and inventories add up and agree with the balance sheet."""
    gross, allowance, stocks = read["receivables"], read["credit_loss_allowance"], read["inventories"]
    balance, end, net = read["balance_sheet"], "Balance at end of year", "Accounts receivable, net"
    found = [*gross.total_off(net, gross.above(net)), *allowance.total_off(end, allowance.above(end))]
    for later, earlier in zip(read.years, read.years[1:], strict=False):
        opening = allowance.at("Balance at beginning of year", later)
        found += differ(f"allowance {later}", {"opening": opening, "closing before": allowance.at(end, earlier)})
    for year in read.years[:2]:
        found += differ(f"{net} {year}", {sheet.name: sheet.at(net, year) for sheet in (gross, balance)})
        told = {"note": -gross.at("Allowance for credit losses", year), "movement": allowance.at(end, year)}
        found += differ(f"allowance {year}", told)
        if stocks.rows:
            told = {"note": stocks.at("Total inventories", year), "balance sheet": balance.at("Inventories", year)}
            found += differ(f"inventories {year}", told)
    return found + (stocks.total_off("Total inventories", stocks.above("Total inventories")) if stocks.rows else [])


def debt_agrees(read: Reading) -> list[str]:
    """Borrowings add up, fall due in full, and agree with balance sheet, maturities and interest."""
    sheet, due, balance = read["debt"], read["debt_maturities"], read["balance_sheet"]
    total, net, long_term = "Total principal", "Total debt, net", "Long-term debt, net"
    column = "Principal due"
    found = [
        *sheet.total_off(total, sheet.above(total)),
        *sheet.total_off(net, [total, "Unamortized debt issuance costs"]),
        *sheet.total_off(long_term, [net, "Current portion"]),
        *due.total_off(total, due.above(total)),
    ]
    per_million = Decimal(1_000_000) / read.filing.company.scale
    found += differ(
        "principal", {"note": sheet.at(total, read.latest), "maturities": due.at(total, column) * per_million}
    )
    next_year = due.at(f"FY{read.filing.company.latest_year + 1}", column) * per_million
    found += differ("current portion", {"note": -sheet.at("Current portion", read.latest), "maturities": next_year})
    for year in read.years[:2]:
        for row, label, sign in (
            (long_term, long_term, 1),
            ("Current portion", "Current portion of long-term debt", -1),
        ):
            told = {"note": sign * sheet.at(row, year), "balance sheet": balance.at(label, year)}
            found += differ(f"{label} {year}", told)
    interest = read["interest_expense"]
    found += interest.total_off("Interest expense", interest.above("Interest expense"))
    for year in read.years:
        told = {t.name: t.at("Interest expense", year) for t in (interest, read["income_statement"])}
        found += differ(f"interest {year}", told)
    return found


def leases_agree(read: Reading) -> list[str]:
    """Lease payments less imputed interest are the liability of the balance sheet; cost adds up."""
    due, cost, balance = read["lease_maturities"], read["lease_cost"], read["balance_sheet"]
    total, value = "Total lease payments", "Present value of lease liabilities"
    owed = [f"{part} operating lease liabilities" for part in ("Current", "Noncurrent")]
    shown = sum((balance.at(row, read.latest) for row in owed), Decimal(0))
    return [
        *due.total_off(total, due.above(total)),
        *due.total_off(value, [total, "Imputed interest"]),
        *cost.total_off("Total lease cost", cost.above("Total lease cost")),
        *differ("lease liability", {"note": due.at(value, "Operating leases"), "balance sheet": shown}),
    ]


NOTE_CHECKS: tuple[Check, ...] = (
    segments_add_up,
    quarters_make_the_year,
    taxes_add_up,
    assets_roll,
    working_capital_agrees,
    debt_agrees,
    leases_agree,
)

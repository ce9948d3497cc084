"""Every identity of an annual report holds over a thousand seeds, and a report that breaks one is found out."""

import random
from decimal import Decimal

import pytest
from bizgym.envs.qa.filings import generate
from bizgym.envs.qa.filings.clarity import blurred, misplaced, sentences, told
from bizgym.envs.qa.filings.industries import industries
from bizgym.envs.qa.filings.invariants import CHECKS, broken
from bizgym.envs.qa.filings.journal import Entry
from bizgym.envs.qa.filings.reading import Reading
from bizgym.envs.qa.items import Section

# What stands in one place alone, or is a mean whose last digit a small change of one part does not move.
STANDS_ALONE = {
    ("income_statement", "Dividends declared per share"),
    ("option_activity", "Forfeited"),
    ("option_activity", "Granted"),
    ("option_activity", "Exercised"),
    ("share_repurchases", "First quarter"),
    ("share_repurchases", "Second quarter"),
    ("share_repurchases", "Third quarter"),
    ("share_repurchases", "Fourth quarter"),
}


@pytest.mark.slow
def test_a_thousand_seeds_keep_every_identity():
    faults = {seed: found for seed in range(1000) if (found := broken(generate(seed)))}
    assert faults == {}


@pytest.mark.parametrize("key", tuple(industries()))
def test_every_industry_keeps_every_identity(key):
    assert [fault for seed in range(70, 78) for fault in broken(generate(seed, key))] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6, 21, 46])
def test_a_cell_that_is_changed_breaks_an_identity(seed):
    filing = generate(seed)
    unnoticed, tried = set(), 0
    for table, rows in filing.tables.items():
        for row, cells in rows.items():
            for column, value in cells.items():
                if not isinstance(value, Decimal):
                    continue
                cells[column] = value + 3 * Decimal(1).scaleb(value.as_tuple().exponent)
                tried += 1
                if not broken(filing):
                    unnoticed.add((table, row))
                cells[column] = value
    assert tried > 600
    assert unnoticed <= STANDS_ALONE
    assert broken(filing) == []


def test_each_check_finds_something_of_its_own():
    """A check that never speaks would hold for any report."""
    filing = generate(46)
    rng, spoken = random.Random(5), set()
    cells = [
        (values, column)
        for rows in filing.tables.values()
        for values in rows.values()
        for column in values
        if isinstance(values[column], Decimal)
    ]
    for values, column in rng.sample(cells, len(cells)):
        kept = values[column]
        values[column] = kept + 7
        spoken |= {check.__name__ for check in CHECKS if check(Reading(filing))}
        values[column] = kept
    by_text = {"books_balance", "headings_tell_nothing"}
    assert {check.__name__ for check in CHECKS} - spoken == by_text


def test_an_entry_that_does_not_balance_is_found_out():
    filing = generate(9)
    ledger = filing.accounts.ledger
    ledger.journal.append(Entry(filing.years[0], "sale", (("cash", 5), ("receivables", -4))))
    assert any(fault.startswith("books_balance") for fault in broken(filing))


def with_section(filing, section_id, **changes):
    sections = tuple(
        each if each.section_id != section_id else Section(**{**each.model_dump(), **changes})
        for each in filing.sections
    )
    object.__setattr__(filing, "sections", sections)
    filing.__dict__.pop("tables", None)
    return filing


def test_a_heading_with_a_figure_is_found_out():
    filing = with_section(generate(9), "debt", title="Note: Debt of 125.0 million")
    assert any(fault.startswith("headings_tell_nothing") for fault in broken(filing))


def test_a_sentence_with_a_figure_of_a_table_is_found_out():
    filing = generate(9)
    figure = filing.tables["income_statement"]["Net income"][filing.column(filing.years[1])]
    text = f"Last year the Company earned {figure:,} before dividends.\n\n{filing.by_id['debt'].text}"
    assert told(with_section(filing, "debt", text=text).sections, filing.tables) == [f"debt: {abs(figure)}"]


def test_two_years_with_one_figure_are_found_out():
    filing = generate(9)
    cells = filing.tables["income_statement"]["Operating income"]
    first, second = list(cells)[:2]
    cells[first] = cells[second]
    assert blurred(filing.tables) == ["income_statement: Operating income"]


def test_a_liability_below_zero_is_found_out():
    filing = generate(9)
    cells = filing.tables["balance_sheet"]["Income taxes payable"]
    cells[filing.column(filing.years[0])] *= -1
    assert misplaced(filing.tables) == ["Income taxes payable"]
    assert not filing.is_clear


def test_no_sentence_is_left_with_an_open_field():
    for seed in range(200, 220):
        for section in generate(seed).sections:
            assert all("{" not in line and "  " not in line for line in sentences(section.text))

"""Worked examples: done on the engine with the rules of their slots, and pasted into the company's documents."""

import re
from functools import cache

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.documents import slots
from bizgym.envs.payments.documents.edition import Edition
from bizgym.envs.payments.documents.render import render
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.rules import RuleBook
from bizgym.envs.payments.modules import catalog
from bizgym.envs.payments.worked import EXAMPLES

REVIEW_TABLE = """\
| Done with | After | On the account |
| --- | --- | --- |
| `review_schedule` | 4 minutes | USD 800.00 |
| `review_start` | 6 minutes | USD 740.00 |
| `review_decide` | 4 hours and 5 minutes | USD 740.00 |
| `reserve_release` | 4 hours and 7 minutes | USD 1,340.00 |"""


def usd(minor):
    return Money(minor, Currency.USD)


@cache
def setting():
    return packaged().setting(packaged().tasks.get("release_kilnmoor"))


@cache
def edition():
    """The edition of the company, with its rules as they are."""
    return with_rules()


def with_rules(**values):
    """The edition with other values of some rules, named by id with _ for -."""
    changed = {name.replace("_", "-"): value for name, value in values.items()}
    rows = [
        row.model_copy(update={"value": changed[row.id]}) if row.id in changed else row
        for row in setting().rules.rows.values()
    ]
    return Edition(setting()._corpus, RuleBook(rows), tuple(catalog.TOOLS), EXAMPLES)


def text_of(document_id, found=None):
    found = found or edition()
    return render(found.corpus.skeletons[document_id], found).text


def tables(document_id, found=None):
    return re.findall(r"(?:^\|[^\n]*\|\n?)+", text_of(document_id, found), re.MULTILINE)


def used():
    """Every worked example of the company's documents, as (document, slot)."""
    skeletons = edition().corpus.skeletons
    return [(each, slot) for each in skeletons for slot in slots.of_kind(skeletons[each].pieces, "example")]


def test_every_worked_example_stands_in_a_document_of_the_company():
    assert {slot.arguments[0] for _, slot in used()} == set(EXAMPLES)
    assert len(EXAMPLES) >= 6


def test_an_example_shows_what_the_tools_did():
    assert REVIEW_TABLE in text_of("D-0003")


@pytest.mark.parametrize(
    ("document_id", "rule", "value", "old", "new"),
    [
        ("D-0003", "R_REVIEW_FEE_USD_3", usd(6_125), "USD 1,340.00", "USD 1,338.75"),
        ("D-0003", "R_REVIEW_TIME_2", 300, "4 hours and 7 minutes", "5 hours and 7 minutes"),
        ("D-0301", "R_FEE_WIRE_USD_2", usd(3_100), "USD 275.00", "USD 281.00"),
        ("D-0316", "R_RUN_SPACING_2", 9, "| 4 minutes |", "| 18 minutes |"),
        (
            "D-0316",
            "R_FEE_WIRE_USD_2",
            usd(6_000),
            "| 4 minutes | `sent` | USD 50.00",
            "| 4 minutes | `draft` | USD 340",
        ),
        (
            "D-0305",
            "R_BATCH_EVERY_1",
            90,
            "| 5 October 2026, 12:01 | 5 October 2026, 16:00 |",
            "| 5 October 2026, 12:01 | 5 October 2026, 12:30 |",
        ),
        (
            "D-0325",
            "R_RECALL_TIME_1",
            150,
            "| 1 hour | 2 hours and 30 minutes | USD 15.00 | `returned`",
            "| 1 hour | 3 hours and 30 minutes | USD 15.00 | `settled`",
        ),
        ("D-0189", "R_QUOTE_TIME_2", 30, "5 October 2026, 11:00", "5 October 2026, 09:30"),
        ("D-0169", "R_APPROVAL_TIME_RELEASE_2", 60, "5 October 2026, 16:04", "5 October 2026, 09:04"),
        (
            "D-0151",
            "R_EVIDENCE_LIFE_BANK_2",
            43_200,
            "| 28 September 2026, 08:00 | no |",
            "| 14 October 2026, 08:00 | yes |",
        ),
    ],
)
def test_another_value_of_a_rule_gives_another_example(document_id, rule, value, old, new):
    """A run whose wires cost more leaves one more payout out: the engine has done it again, no number was filled in."""
    before, after = tables(document_id), tables(document_id, with_rules(**{rule: value}))
    assert old in "".join(before)
    assert new not in "".join(before)
    assert new in "".join(after)


def test_a_superseded_revision_shows_what_it_meant():
    assert "| `review_start` | 6 minutes | USD 760.00 |" in text_of("D-0001")
    assert "| `review_decide` | 6 hours and 5 minutes | USD 760.00 |" in text_of("D-0001")
    assert "| `review_start` | 6 minutes | USD 750.00 |" in text_of("D-0002")


def test_no_revision_dates_an_example_that_it_cannot_know():
    """Dates stand in examples of the revision in force alone; one that was replaced before has times at most."""
    for document_id, slot in used():
        later = [each for each in edition().corpus.skeletons.values() if each.replaces == document_id]
        if later:
            assert "October 2026" not in edition().fill(slot, document_id), document_id


def test_every_rule_of_an_example_was_known_when_its_document_was_written():
    for document_id, slot in used():
        issued = edition().issued_at(edition().corpus.skeletons[document_id])
        for rule_id in slot.arguments[1:]:
            row = edition().row(rule_id)
            known = row.announced_at if row.announced_at is not None else row.effective_from
            assert issued is None or known <= issued, (document_id, rule_id)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_without_the_rules_that_it_needs_is_refused_with_the_place(name):
    with pytest.raises(DataError, match=rf"D-0003: {{{{example {name}}}}}: \w+ is refused with NO_RULE: nothing rules"):
        edition().fill(slots.Slot("example", (name,)), "D-0003")


def test_an_example_is_the_same_each_time():
    assert with_rules().filled(edition().corpus.skeletons["D-0305"].pieces, "x") == edition().filled(
        edition().corpus.skeletons["D-0305"].pieces, "x"
    )

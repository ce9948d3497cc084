"""Rules: one winner a case, by authority, then scope, then date; the prover finds every gap and every tie."""

import random

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.kernel import conflicts
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.rules import BEGINNING, Authority, RuleBook, RuleRow
from pydantic import ValidationError


def row(row_id, value, **changes):
    given = {
        "id": row_id,
        "key": "review_fee",
        "value": value,
        "authority": "global_policy",
        "anchor": "review",
        "enforced": "policy",
        "rationale": "Reviews take an officer's time.",
    }
    return RuleRow.model_validate({**given, **changes})


OLD = row("R-FEE-1", 5_000, effective_from=-1_000)
NEW = row("R-FEE-2", 6_000, effective_from=100, announced_at=50, supersedes="R-FEE-1")
SINGAPORE = row("R-FEE-SG-1", 7_000, scope={"jurisdiction": "SG"})
SINGAPORE_RESERVE = row("R-FEE-SG-2", 8_000, scope={"jurisdiction": "SG", "product": "reserve"})
ADDENDUM = row("R-FEE-JP-1", 9_000, scope={"jurisdiction": "JP"}, authority="jurisdiction_addendum")
MEMO = row("R-FEE-JP-2", 1, scope={"jurisdiction": "JP", "product": "reserve"}, authority="memo", effective_from=200)
BASE = row("R-FEE-0", 4_000)
BOOK = RuleBook([MEMO, ADDENDUM, SINGAPORE_RESERVE, SINGAPORE, NEW, OLD, BASE])


@pytest.mark.parametrize(
    ("subject", "at", "winner"),
    [
        ({}, BEGINNING, "R-FEE-0"),
        ({}, -1_001, "R-FEE-0"),
        ({}, -1_000, "R-FEE-1"),
        ({"jurisdiction": "DE"}, 99, "R-FEE-1"),
        ({"jurisdiction": "DE"}, 100, "R-FEE-2"),
        ({"jurisdiction": "SG"}, 5_000, "R-FEE-SG-1"),
        ({"jurisdiction": "SG", "product": "card"}, 5_000, "R-FEE-SG-1"),
        ({"jurisdiction": "SG", "product": "reserve"}, 5_000, "R-FEE-SG-2"),
        ({"jurisdiction": "JP", "product": "reserve"}, 5_000, "R-FEE-JP-1"),
        ({"jurisdiction": "JP"}, 0, "R-FEE-JP-1"),
    ],
)
def test_one_row_wins(subject, at, winner):
    found = BOOK.resolve("review_fee", subject, at)
    assert found.row.id == winner
    assert found.value == found.row.value


def test_a_row_with_an_end_no_longer_holds_from_that_minute():
    book = RuleBook([BASE, row("R-FEE-9", 1, effective_from=10, effective_to=20)])
    assert [book.resolve("review_fee", {}, at).value for at in (9, 10, 19, 20)] == [4_000, 1, 1, 4_000]


def test_the_order_of_the_rows_does_not_matter():
    rows = list(BOOK.rows.values())
    cells = list(conflicts.cells(rows))
    expected = [BOOK.resolve("review_fee", *cell).row.id for cell in cells]
    for seed in range(20):
        random.Random(seed).shuffle(rows)
        assert [RuleBook(rows).resolve("review_fee", *cell).row.id for cell in cells] == expected


def test_sound_rules_have_no_conflict():
    assert conflicts.find(BOOK) == []


def test_a_tie_is_found_with_the_cell_and_the_rows():
    tie = row("R-FEE-SG-3", 2, scope={"product": "reserve"})
    found = conflicts.find(RuleBook([BASE, SINGAPORE, tie]))
    assert [(each.subject, each.row_ids) for each in found] == [
        ({"jurisdiction": "SG", "product": "reserve"}, ("R-FEE-SG-1", "R-FEE-SG-3"))
    ]
    assert "tie; change authority, scope or effective_from" in str(found[0])


def test_a_gap_is_found():
    found = conflicts.find(RuleBook([row("R-FEE-SG-1", 7_000, scope={"jurisdiction": "SG"}, effective_to=50)]))
    assert [(each.subject["jurisdiction"], each.at, each.row_ids) for each in found] == [
        ("SG", 50, ()),
        ("*", BEGINNING, ()),
        ("*", 50, ()),
    ]
    assert "state a general one" in str(found[0])


def test_the_prover_agrees_with_trying_every_minute():
    for seed in range(200):
        draw = random.Random(seed)
        rows = [
            row(
                f"R-X-{k}",
                k,
                scope={d: draw.choice("AB") for d in ("jurisdiction", "product") if draw.random() < 0.5},
                authority=draw.choice(["memo", "global_policy"]),
                effective_from=draw.randrange(6),
                effective_to=draw.choice([None, 7, 9]),
            )
            for k in range(draw.randrange(1, 6))
        ]
        sound = True
        for jurisdiction in ("A", "B", "other"):
            for product in ("A", "B", "other"):
                for minute in range(-1, 11):
                    subject = {"jurisdiction": jurisdiction, "product": product}
                    applying = [each for each in rows if each.applies(subject, minute)]
                    best = max((each.precedence for each in applying), default=None)
                    sound &= sum(each.precedence == best for each in applying) == 1
        assert (conflicts.find(RuleBook(rows)) == []) == sound, seed


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"value": 2.5}, "a truth value, an integer, a code"),
        ({"value": None}, "a truth value, an integer, a code"),
        ({"value": {"minor": 1, "currency": "XXX"}}, "one of EUR"),
        ({"authority": "boss"}, "one of faq, memo"),
        ({"effective_from": 5, "effective_to": 5}, "after effective_from"),
        ({"effective_from": 5, "announced_at": 6}, "before it is announced"),
        ({"id": "fee 1"}, "pattern"),
        ({"enforced": "people"}, "system"),
        ({"currency": "USD"}, "Extra inputs"),
    ],
)
def test_a_row_that_cannot_be_is_refused(changes, complaint):
    with pytest.raises((ValidationError, DataError), match=complaint):
        row("R-FEE-1", **{"value": 1, **changes})


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([BASE, BASE], "two rows share this id"),
        ([BASE, row("R-FEE-8", "free")], "values of one type, not int, str"),
        ([NEW], "R-FEE-2.supersedes: a row of review_fee, not R-FEE-1"),
        ([row("R-FEE-1", 1, effective_from=100), NEW], "after that of R-FEE-1, which it replaces"),
    ],
)
def test_a_book_that_does_not_hang_together_is_refused(rows, complaint):
    with pytest.raises(DataError, match=complaint):
        RuleBook(rows)


def test_values_are_typed():
    assert row("R-A-1", {"minor": 5, "currency": "JPY"}).value == Money(5, Currency.JPY)
    assert row("R-A-1", ["a", "b"]).value == ("a", "b")
    assert row("R-A-1", True).value is True
    assert row("R-A-1", 1, authority="statute").authority is Authority.STATUTE


def test_what_nothing_rules_is_an_error_of_the_caller():
    with pytest.raises(KeyError, match="no rule of review_fee applies"):
        RuleBook([SINGAPORE]).resolve("review_fee", {"jurisdiction": "DE"}, 0)
    with pytest.raises(KeyError):
        BOOK.resolve("revue_fee", {}, 0)

"""Numbers and units in what candidates write, and whether a number has a source."""

import pytest
from bizgym.envs.consulting.arithmetic import Sources
from bizgym.envs.consulting.quantities import UnitReader, claims
from bizgym.envs.consulting.units import unit_of
from hypothesis import given
from hypothesis import strategies as st

READER = UnitReader("EUR", {"unit": ["course place", "course places"], "person": ["person", "persons"]})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It earns 1,234.5 thousand EUR a year.", [(1_234_500.0, "money")]),
        ("EUR 12.50 each, or €3m in all", [(12.5, "money"), (3_000_000.0, "money")]),
        ("a share of 12.5 %, up 3 percentage points", [(0.125, "percent"), (0.03, "percent")]),
        ("-380 thousand EUR", [(-380_000.0, "money")]),
        ("240 thousand pots", [(240_000.0, "other")]),
        ("12 USD is another currency", [(12.0, "other")]),
        ("phase2, Q3 and v1.2 are names", []),
        ("on,12.5 %, off", [(0.125, "percent")]),
        ("x" * 50 + " 99999999999999999999999 ", [(1e23, "other")]),
        ("1e999 EUR", [(1e300, "money")]),
        ("7.5e3 EUR", [(7_500.0, "money")]),
        ("1,5 million EUR, or 1 500 000 EUR", [(1_500_000.0, "money"), (1_500_000.0, "money")]),
        ("12 kEUR and €5k", [(12_000.0, "money"), (5_000.0, "money")]),
        ("٣ is a figure, ² is none", [(3.0, "other")]),
        ("twenty-three million EUR and a hundred and one", [(23_000_000.0, "money"), (101.0, "other")]),
        ("the twenty-first of hundreds, one by one, 24/7", [(7.0, "other")]),
    ],
)
def test_numbers_are_read_with_scale_and_kind(text, found):
    assert [(each.value, each.kind) for each in claims(text, "EUR")] == [
        (pytest.approx(value), kind) for value, kind in found
    ]


@given(st.text(max_size=300))
def test_any_text_can_be_read(text):
    for each in claims(text, "EUR"):
        assert each.half_step > 0
        assert each.kind in ("percent", "money", "other")


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("thousand EUR/year", "thousand cur/year"),
        ("kEUR per year", "thousand cur/year"),
        ("€k/a", "thousand cur/year"),
        ("mEUR p.a.", "million cur/year"),
        ("k EUR p.a.", "thousand cur/year"),
        ("EUR thousand a year", "thousand cur/year"),
        ("million euros per annum", "million cur/year"),
        ("m €/yr", "million cur/year"),
        ("EUR yearly", "cur/year"),
        ("EUR/month", "cur/month"),
        ("EUR per course place", "cur/unit"),
        ("EUR/unit", "cur/unit"),
        ("thousand course places/year", "thousand unit/year"),
        ("course places a month", "unit/month"),
        ("%", "%"),
        ("percent", "%"),
        ("percentage points", "%"),
        ("%/year", "%/year"),
        ("", "1"),
        ("ratio", "1"),
        ("years", "year"),
        ("USD/year", None),
        ("bananas", None),
        ("EUR/banana", None),
        ("/" * 90, None),
        ("thousand " * 11, None),
    ],
)
def test_units_are_read_as_candidates_write_them(text, unit):
    found = READER.read(text)
    if unit is None:
        assert found is None or found[0] == ()
        return
    wanted = unit_of(unit)
    assert found == (wanted.dimension, pytest.approx(wanted.scale))


@given(st.text(max_size=100))
def test_no_unit_raises(text):
    READER.read(text)


MONEY, PIECES, PRICE = (unit_of(text).dimension for text in ("cur/year", "unit/year", "cur/unit"))
SOURCES = Sources([(8.0, PRICE), (5.0, PRICE), (1_200.0, PIECES), (900.0, PIECES), (7_777.0, MONEY), (0.13, ())])


@pytest.mark.parametrize(
    ("value", "dimension", "why"),
    [
        (1_200.0, PIECES, "told"),
        (1_209.0, PIECES, "told, within 1 %"),
        (3.0, PRICE, "a difference"),
        (9_600.0, MONEY, "price times volume"),
        (3_600.0, MONEY, "margin times volume, two steps"),
        (0.25, (), "(1200 - 900) / 1200, a change"),
        (0.75, (), "a share"),
        (0.87, (), "1 - 13 %"),
        (1_044.0, PIECES, "87 % of 1200, two steps"),
    ],
)
def test_numbers_with_a_source(value, dimension, why):
    assert SOURCES.hold_value(value, dimension), why


@pytest.mark.parametrize(
    ("value", "dimension"),
    [
        (1_250.0, PIECES),
        (3.3, PRICE),
        (4_321.0, MONEY),
        (0.777, ()),
        (1_200.0, PRICE),
        (8.0, unit_of("hour").dimension),
    ],
)
def test_numbers_without_one(value, dimension):
    assert not SOURCES.hold_value(value, dimension)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("7.8 thousand EUR", True),
        ("7,777 EUR", True),
        ("9.6 thousand EUR", True),
        ("6.2 thousand EUR", False),
        ("13 %", True),
        ("25 %", True),
        ("61.7 %", False),
        ("4,321 EUR", False),
    ],
)
def test_numbers_in_prose_are_held_against_their_kind(text, held):
    (claim,) = claims(text, "EUR")
    assert SOURCES.hold(claim) is held

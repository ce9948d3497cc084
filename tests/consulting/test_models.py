"""Units, formulas and models: dimensions are checked, values convert, steps can be followed by hand."""

import numpy as np
import pytest
from bizgym.envs.consulting.model import Model, Number, figure, maximum, minimum
from bizgym.envs.consulting.units import dimension_text, unit_of
from bizgym.envs.core.errors import DataError
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "dimension", "scale"),
    [
        ("cur/unit", "cur/unit", 1.0),
        ("million cur/year", "cur/year", 1e6),
        ("thousand cur/month", "cur/year", 12_000.0),
        ("cur*unit/hour/year", "cur*unit/hour/year", 1.0),
        ("unit/minute", "unit/hour", 60.0),
        ("%", "1", 0.01),
        ("%/year", "1/year", 0.01),
        ("1", "1", 1.0),
        ("tonne", "kg", 1000.0),
        ("day/year", "day/year", 1.0),
    ],
)
def test_units_are_read(text, dimension, scale):
    unit = unit_of(text)
    assert dimension_text(unit.dimension) == dimension
    assert unit.scale == pytest.approx(scale)


@pytest.mark.parametrize("text", ["dozen cur", "cur//unit", "", "cur per unit", "cur/1.5"])
def test_what_is_no_unit_is_refused(text):
    with pytest.raises(DataError, match="unit"):
        unit_of(text)


def test_units_are_named_in_the_words_of_an_industry():
    nouns = {"cur": ["EUR", "EUR"], "unit": ["bottle", "bottles"]}
    assert unit_of("thousand unit/year").named(nouns) == "thousand bottles/year"
    assert unit_of("cur/unit").named(nouns) == "EUR/bottle"
    assert unit_of("%").named(nouns) == "%"


@pytest.mark.parametrize(
    ("text", "rate_scale"),
    [("cur/unit/month", 12.0), ("thousand cur/month", 12.0), ("%/year", 1.0), ("million cur/year", 1.0), ("1", 1.0)],
)
def test_a_figure_as_it_is_read_leaves_the_time_below_the_line_alone(text, rate_scale):
    assert unit_of(text).rate_scale == pytest.approx(rate_scale)


def model():
    m = Model()
    price = m.parameter("price", "cur/unit", 5, 9, 0.5)
    volume = m.parameter("volume", "thousand unit/year", 100, 200, 20)
    return m, price, volume


def test_sums_of_unlike_dimensions_are_refused():
    _, price, volume = model()
    for formula in (
        lambda: price + volume,
        lambda: price - 1,
        lambda: minimum(price, volume),
        lambda: maximum(2, volume),
    ):
        with pytest.raises(DataError, match="unlike dimensions"):
            formula()


def test_a_kpi_in_a_unit_of_another_dimension_is_refused():
    m, price, volume = model()
    with pytest.raises(DataError, match="declared in cur, but its formula is in cur/year"):
        m.kpi("revenue", "cur", price * volume)


def test_a_condition_of_unlike_dimensions_is_refused():
    m, price, volume = model()
    with pytest.raises(DataError, match="unlike dimensions"):
        m.require(price, volume)


@pytest.mark.parametrize(("low", "high", "step"), [(5, 4, 1), (5, 9, 0), (5, 9, 3), (5, 9, -1)])
def test_ranges_are_whole_numbers_of_steps(low, high, step):
    with pytest.raises(DataError, match="steps"):
        Model().parameter("price", "cur/unit", low, high, step)


def test_names_are_declared_once_and_formulas_stay_in_their_model():
    m, price, volume = model()
    with pytest.raises(DataError, match="declared once"):
        m.parameter("price", "cur", 1, 2, 1)
    with pytest.raises(DataError, match="another model"):
        Model().kpi("revenue", "cur/year", price * volume)


def test_values_convert_between_scales():
    m, price, volume = model()
    revenue = m.kpi("revenue", "million cur/year", price * volume)
    monthly = m.kpi("monthly", "thousand cur/month", revenue)
    hours = m.kpi("hours", "hour/year", Number(1.5, "hour/unit") * volume)
    values = m.reckon({"price": 8.0, "volume": 120_000.0})
    assert (revenue.shown(values), monthly.shown(values), hours.shown(values)) == (0.96, 80.0, 180_000.0)


def test_what_is_not_known_is_not_reckoned():
    m, price, volume = model()
    revenue = m.kpi("revenue", "cur/year", price * volume)
    m.kpi("half", "cur/year", revenue / 2)
    assert m.reckon({"price": 8.0}) == {"price": 8.0}
    assert m.reachable(["price", "volume"]) == {"price", "volume", "revenue", "half"}
    assert m.path(["half"]) == ["revenue", "half"]
    assert m.sources(["half"]) == {"price", "volume"}


def test_brackets_stand_where_they_are_needed():
    m, price, volume = model()
    cost = m.parameter("cost", "cur/unit", 1, 1, 1)
    formulas = {
        (price - cost) * volume: "(price - cost) × volume",
        price - (cost - price): "price - (cost - price)",
        price * volume / (volume * price): "price × volume ÷ (volume × price)",
        price - cost + price: "price - cost + price",
        1 - cost / price: "1 - cost ÷ price",
        minimum(price - cost, price) * volume: "min(price - cost, price) × volume",
    }
    for formula, text in formulas.items():
        assert formula.written(lambda node: node.name) == text


@given(price=st.floats(0.5, 1e4), cost=st.floats(0.5, 1e4), volume=st.floats(1, 1e6))
def test_formulas_agree_with_python(price, cost, volume):
    m = Model()
    p = m.parameter("p", "cur/unit", 1, 1, 1)
    c = m.parameter("c", "cur/unit", 1, 1, 1)
    v = m.parameter("v", "unit", 1, 1, 1)
    known = {"p": price, "c": cost, "v": volume}
    assert ((p - c) * v).evaluate(known) == (price - cost) * volume
    assert (1 - c / p).evaluate(known) == 1 - cost / price
    assert maximum(p, c).evaluate(known) == max(price, cost)
    assert (2 * v - v / 4).evaluate(known) == 2 * volume - volume / 4


@given(seed=st.integers(0, 2**32))
def test_drawn_values_lie_on_the_steps_of_their_range(seed):
    m, _, _ = model()
    values = m.draw(np.random.default_rng(seed), {"price": 10.0})
    assert values["price"] / 10 * 2 == int(values["price"] / 10 * 2)
    assert 50 <= values["price"] <= 90
    assert values["volume"] in range(100_000, 200_001, 20_000)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234567.0, "1,234,567"),
        (1234.5, "1,234.5"),
        (1234.567, "1,235"),
        (12.5, "12.5"),
        (0.15, "0.15"),
        (0.0625, "0.0625"),
        (140.0, "140"),
        (333.3333, "333.3"),
        (-2.0, "-2"),
    ],
)
def test_figures_are_exact_where_two_decimals_hold_them(value, text):
    assert figure(value) == text

"""What users report against comparable suites: numbers in answers (N)."""

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.qa.answers import AnswerSpec
from bizgym.envs.qa.scoring import grade


def right(value, reply, profile="paper", **fields):
    return grade(reply, {"kind": "number", "value": value, **fields}, profile).correct


def test_N01_the_sign_is_kept():
    assert [right(-3, "3"), right(-3, "-3"), right(3, "-3")] == [False, True, False]


def test_N02_currency_and_trailing_zeros_are_no_part_of_the_number():
    assert right(29, "$29.00")
    assert right("29", "$29.00", "strict", unit="USD")


@pytest.mark.parametrize("space", ["\u00a0\n", "\n", "\u2003", "\u202f", "\u3000", "\u200b ", "\t", "\r\n", "\u2028"])
def test_N03_any_space_ends_a_number(space):
    assert right(10, f"10{space}Sources")


def test_N04_the_gold_carries_unit_and_scale_and_the_loader_checks_them():
    assert [right(-1.9, "1.9 pp", unit="percent"), right(1.9, "1.9 pp", unit="percent")] == [False, True]
    for name, wrong in [("scale", 100), ("unit", ""), ("value", "1.9 %"), ("value", float("nan")), ("value", True)]:
        with pytest.raises(DataError, match=name):
            grade("1.9", {"kind": "number", "value": 1.9, name: wrong})


def test_N05_brackets_are_negative_and_list_marks_are_not():
    assert right(-1234, "(1,234)")
    assert not right(1234, "(1,234)")
    assert [right(7, "(1) 7"), right(-1, "(1) Revenue is 7"), right(-1, "(1)")] == [True, False, True]


@pytest.mark.parametrize("sign", "-−‐‑‒–—―﹣－➖˗")
def test_N06_every_dash_before_a_digit_is_a_minus(sign):
    assert right(-5, f"{sign}5")
    assert not right(5, f"{sign}5")


@pytest.mark.parametrize(
    ("five", "expected"), [("٥", True), ("५", True), ("５", True), ("𝟓", True), ("⑤", False), ("五", False)]
)
def test_N06_decimal_digits_of_every_script_are_read_and_other_numerals_are_not(five, expected):
    assert right(5, five) is expected


def test_N07_percent_is_a_ratio_only_where_a_ratio_is_asked_for():
    assert [right(60, "0.6", unit="percent"), right(60, "60%", unit="percent")] == [False, True]
    assert [right(0.6, "60%", unit="ratio"), right(0.6, "60", unit="ratio"), right(0.6, "0.6%", unit="ratio")] == [
        True,
        False,
        False,
    ]


def test_N08_scale_words_are_exact():
    assert right(2010000, "USD 2.01 million")
    assert right("2010000.000001", "2.010000000001 million", abs_tol=0.0)
    assert not right("2010000.000001", "2.01 million", abs_tol=0.0)


def test_N09_latex_is_unescaped():
    assert right(20, r"\$20")
    assert right(20, r"20\%", unit="percent")
    assert right(0.05, r"\frac{1}{20}")


@pytest.mark.parametrize("name", ["rel_tol", "abs_tol"])
@pytest.mark.parametrize("tolerance", [-0.1, float("nan"), float("inf"), "0.1", None])
def test_N10_a_tolerance_is_a_number_from_zero(name, tolerance):
    with pytest.raises(DataError, match=f"spec: {name}: "):
        grade("1", {"kind": "number", "value": 1, name: tolerance})


def test_N11_the_tolerance_is_part_of_the_item():
    assert [right(1000, reply, rel_tol=0.01) for reply in ("1009", "1011", "991", "989")] == [True, False, True, False]
    assert [right(1000, "1009"), right(1000, "1009", rel_tol=0.05)] == [False, True]


def test_N11_a_specification_holds_its_tolerance():
    spec = AnswerSpec(kind="number", value=1000, rel_tol=0.01)
    assert grade("1009", spec).correct


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("1,234", True),
        ("1.234 million", True),
        ("1,234 thousand", True),
        ("1,234,000", False),
        ("1,234,000 USD", True),
        ("$1,234,000", True),
        ("1.234", False),
    ],
)
def test_N12_another_scale_counts_only_where_it_is_named(reply, expected):
    assert right(1234, reply, unit="USD", scale=1000) is expected

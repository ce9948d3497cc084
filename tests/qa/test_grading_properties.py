"""What holds of every number: how it is written never changes a verdict, and its sign always does."""

from decimal import Decimal

import pytest
from bizgym.envs.qa.scoring import grade
from hypothesis import given, settings
from hypothesis import strategies as st

DIGITS = {
    "ascii": "0123456789",
    "arabic": "٠١٢٣٤٥٦٧٨٩",
    "full width": "０１２３４５６７８９",
    "devanagari": "०१२३४५६७८९",
}
MINUSES = "-−–—‐‑﹣－"
SEPARATORS = {"": ".", ",": ".", ".": ",", " ": ",", "\u00a0": ",", "\u202f": ".", "'": ".", "’": ".", "_": "."}
SENTENCES = (
    "{}",
    "**{}**",
    "`{}`",
    "Answer: {}",
    "The answer is {}.",
    "\\boxed{{{}}}",
    "{}\nSources: the income statement",
    '{{"answer": {}}}',
    "Net income less dividends = {}",
    "<answer>{}</answer>",
    "≈ {}",
    "In 2024, it was {}.",
    "Final Answer:\n\n{}",
    "Answer: {} (see note 3)",
    "1. First take 12\n2. Then add 7\n\nAnswer: {}",
    "Answer: {}\n\nExplanation: 5 + 7 = 12, which is not it.",
    "The total comes to {}, based on note 4.",
    "Therefore, {}",
    "  {}\u00a0",
)
FRAMES = ("{}", "${}", "{} USD", "USD {}", "{} dollars", "US$ {}")
VALUES = st.decimals(min_value=-(10**9), max_value=10**9, allow_nan=False, allow_infinity=False, places=2)


def grouped(whole, separator):
    return f"{int(whole):,}".replace(",", separator)


def ambiguous(whole, fraction, separator):
    """Whether a rule must decide, since the one sign in the number may group or be decimal."""
    if separator == "." and not fraction:
        return 4 <= len(whole) <= 6  # 1.234
    return SEPARATORS[separator] == "," and len(whole) <= 3 == len(fraction) and whole != "0"  # 1,234


@st.composite
def written(draw, value):
    """A way to write a number in full."""
    whole, _, fraction = f"{abs(value):f}".partition(".")
    fraction = (
        draw(st.sampled_from([fraction, fraction + "0"])) if fraction.strip("0") else draw(st.sampled_from(["", "00"]))
    )
    separator = draw(st.sampled_from([each for each in SEPARATORS if not ambiguous(whole, fraction, each)]))
    number = grouped(whole, separator) + (SEPARATORS[separator] + fraction if fraction else "")
    number = number.translate(str.maketrans(DIGITS["ascii"], draw(st.sampled_from(list(DIGITS.values())))))
    frame = draw(st.sampled_from(FRAMES))
    if value >= 0:
        return frame.format(number)
    sign = draw(st.sampled_from([*MINUSES, "(", "back"]))
    if sign == "(":
        return draw(st.sampled_from([f"({frame.format(number)})", frame.format(f"({number})")]))
    if sign == "back":
        return f"{number}-"
    return draw(st.sampled_from([sign + frame.format(number), frame.format(sign + number)]))


@st.composite
def replies(draw):
    value = draw(VALUES)
    return value, draw(st.sampled_from(SENTENCES)).format(draw(written(value)))


def spec_of(value, **fields):
    return {"kind": "number", "value": str(value), "unit": "USD", **fields}


@settings(max_examples=1_500, deadline=None)
@given(replies(), st.sampled_from(["paper", "strict"]))
def test_how_a_number_is_written_never_changes_the_verdict(case, profile):
    value, reply = case
    assert grade(reply, spec_of(value), profile).correct is True, reply
    assert grade(reply, spec_of(value + 1), profile).correct is False, reply


@settings(max_examples=800, deadline=None)
@given(replies(), st.sampled_from(["paper", "strict"]))
def test_the_other_sign_always_changes_it(case, profile):
    value, reply = case
    expected = not value
    assert grade(reply, spec_of(-value, rel_tol=0.01), profile).correct is expected, reply


@settings(max_examples=400, deadline=None)
@given(
    VALUES, st.sampled_from([("thousand", 3), ("k", 3), ("million", 6), ("mn", 6), ("m", 6), ("bn", 9), ("billion", 9)])
)
def test_a_scale_word_is_a_power_of_ten(value, word):
    name, power = word
    reply = f"{value:f} {name}"
    for scale, of_item in ((1, 0), (1_000, 3), (1_000_000, 6)):
        gold = value.scaleb(power - of_item)
        spec = spec_of(f"{gold:f}", scale=scale)
        assert grade(reply, spec).correct is True
        assert grade(reply, spec, "strict").correct is (power == of_item)


@settings(max_examples=400, deadline=None)
@given(VALUES)
def test_percent_basis_points_and_ratio_are_one_value(value):
    ratio = value.scaleb(-2)
    for unit, gold in (("percent", value), ("ratio", ratio), ("bps", value * 100)):
        for reply in (f"{value:f}%", f"{value * 100:f} bps", f"{ratio:f}x"):
            assert grade(reply, spec_of(f"{gold:f}", unit=unit)).correct is True
        if value:
            assert grade(f"{ratio:f}", spec_of(f"{value:f}", unit="percent", abs_tol=0.0)).correct is False


@settings(max_examples=400, deadline=None)
@given(VALUES, st.decimals(min_value=0, max_value=Decimal("0.1"), places=3), VALUES)
def test_the_tolerance_is_exactly_the_larger_of_the_two(gold, share, reply):
    spec = spec_of(gold, rel_tol=float(share), abs_tol=0.5)
    expected = abs(reply - gold) <= max(share * abs(gold), Decimal("0.5"))
    assert grade(f"{reply:f}", spec).correct is expected


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=60))
def test_no_reply_raises_and_every_verdict_is_a_verdict(reply):
    for kind, value in (
        ("number", 1),
        ("formula", 1),
        ("program", 1),
        ("span", "x"),
        ("choice", "A"),
        ("labels", ["x"]),
    ):
        verdict = grade(reply, {"kind": kind, "value": value, "options": ["x", "y"]})
        assert verdict.correct in (True, False)
        assert verdict.reason


@pytest.mark.parametrize("reply", [7, 7.0, Decimal(7), "7"])
def test_numbers_are_taken_as_their_text(reply):
    assert grade(reply, spec_of(7)).correct is True

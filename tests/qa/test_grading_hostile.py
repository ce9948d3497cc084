"""Replies made to break a grader: none raises, none is right by accident, and time grows with length alone."""

import sys
from time import process_time

import pytest
from bizgym.envs.core.errors import DataError, SettingError
from bizgym.envs.qa.scoring import grade, label_share

MEGABYTE = 1_000_000
PIECES = (
    *(
        "5",
        "1,",
        "1.",
        "1_",
        ".1",
        "1 234 ",
        "1e",
        "1/",
        "-1",
        "-",
        "(",
        "(1",
        "=",
        "1=",
        "²",
        "٣",
        " ",
        "\n",
        "'",
        "{",
        "[",
    ),
    *(
        "answer: 6 ",
        "answer: 6\n",
        "answer to ",
        "answer in a ",
        "final answer is ",
        "\\boxed{",
        "\\boxed{6}",
        "\\frac{1}",
    ),
    *(
        "\\text{",
        "*a ",
        "_a ",
        "$a ",
        "~~a",
        "<a",
        "<answer>",
        "->",
        "#",
        "`",
        "so 6 ",
        "because 6 ",
        "in USD ",
        "million ",
    ),
    *(
        "A) ",
        "A)\n",
        "A and ",
        "option A ",
        "I choose ",
        "it is ",
        "list(",
        "label 6) ",
        "[6]",
        "(6) ",
        "a,",
        "a;",
        "\ud800",
    ),
    *(
        "<think>",
        "</think>",
        "<think",
        "```\n",
        "|-",
        "| 1 | x |\n",
        "[1] x ",
        "x and ",
        "not x, ",
        "\nwait ",
        "\nOr 6",
    ),
    *(
        "6 or ",
        "6+",
        "6 is not ",
        "6 to 1 ",
        "6 vs ",
        "(or 6",
        "√(",
        "$000 ",
        "Note 6 ",
        "note: 6\n",
        "1*1 is 1 ",
        "6-day ",
    ),
    *("B; ", "or B ", "A is also ", "A - wrong\n", "Option A: wrong\n", "wrong answer is 6 ", '{"1":', "{-}", "..."),
)
WORST = ("5", "1 234 ", "answer in a ", "answer: 6\n", "*a ", "A) ", "-1", "²", "\\boxed{6}", "<answer>")
SPECS = {
    "number": {"kind": "number", "value": 7},
    "program": {"kind": "program", "value": 7, "rel_tol": 0.01},
    "choice": {"kind": "choice", "value": "B", "options": ["first of all", "second", "third", "fourth"]},
    "labels": {"kind": "labels", "value": ["x", "y"], "options": ["x", "y"]},
    "span": {"kind": "span", "value": "x"},
}
OBJECTS = (
    *(
        True,
        False,
        None,
        float("nan"),
        float("inf"),
        7 + 0j,
        b"7",
        object,
        object(),
        [],
        {},
        (),
        [[]],
        {"x": {}},
        range(0),
    ),
    *([7, 7], {"a": 7, "b": 7}, 10**5_000, -(10**5_000), [None], [True], {7: "x"}, "\ud800", "\x00", "7" * 5_000),
)


class Raises(list):
    def __str__(self):
        raise RuntimeError("no text")


@pytest.mark.slow
@pytest.mark.parametrize("kind", SPECS)
def test_a_megabyte_of_anything_is_graded(kind):
    for piece in WORST:
        assert grade(piece * (MEGABYTE // len(piece)), SPECS[kind]).correct is False, piece


@pytest.mark.slow
@pytest.mark.parametrize("kind", SPECS)
def test_time_is_linear_in_the_length_of_a_reply(kind):
    """Quadratic reading would take sixteen times as long for four times the length."""

    def seconds(size):
        begin = process_time()
        for piece in PIECES:
            grade(piece * (size // len(piece)), SPECS[kind])
        return process_time() - begin

    seconds(1_000)
    short, long = min(seconds(10_000) for _ in range(3)), min(seconds(40_000) for _ in range(3))
    assert long < 10 * short


@pytest.mark.parametrize("kind", SPECS)
@pytest.mark.parametrize("reply", [*OBJECTS, Raises()], ids=lambda reply: type(reply).__name__)
def test_what_is_no_answer_is_wrong_and_says_why(kind, reply):
    verdict = grade(reply, SPECS[kind])
    assert verdict.correct is False
    assert verdict.reason


def test_recursion_and_nesting_are_bounded():
    nested = 7
    for _ in range(sys.getrecursionlimit() * 2):
        nested = [nested]
    assert grade(nested, SPECS["program"]).correct is False
    assert grade("[" * 100_000 + "7" + "]" * 100_000, SPECS["program"]).correct is False
    assert grade("[" * 100_000, SPECS["labels"]).correct is False


def test_a_reply_of_several_guesses_gains_nothing():
    for guesses in ("6 7", "6, 7", "7 or 6", "6/7 or 7", "Answer: 6\nAnswer: 7", "7\n6\n8", "6-7", "7 and 8", "[6, 7]"):
        assert grade(guesses, SPECS["number"]).correct is False, guesses
    for guesses in (
        "A, B",
        "A B C D",
        "B or A",
        "Answer: A\nAnswer: B",
        "A) first of all\nB) second",
        "B. Or A. Or C.",
    ):
        assert grade(guesses, SPECS["choice"]).correct is False, guesses
    assert grade("x, y, x, y", SPECS["labels"]).correct is False


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"kind": "guess"}, "kind"),
        ({"rel_tol": -0.1}, "rel_tol"),
        ({"abs_tol": -1}, "abs_tol"),
        ({"scale": 10}, "scale"),
        ({"value": "seven"}, "value"),
        ({"value": ["7"]}, "value"),
        ({"value": None}, "value"),
        ({"tolerance": 1}, "tolerance"),
        ({"kind": "labels"}, "value"),
        ({"kind": "choice"}, "options"),
        ({"kind": "choice", "options": ["x", "y"], "value": "z"}, "value"),
        ({"kind": "choice", "options": ["x", "x"], "value": "x"}, "value"),
        ({"kind": "choice", "options": ["a", "a"], "value": "a"}, "value"),
        ({"kind": "choice", "options": ["b", "a"], "value": "a"}, "value"),
        ({"kind": "choice", "options": [f"option {k}" for k in range(27)], "value": "A"}, "options"),
    ],
)
def test_a_spec_that_is_not_sound_is_refused_by_name(change, field):
    with pytest.raises(DataError, match=field):
        grade("7", {"kind": "number", "value": 7, **change})


def test_a_profile_that_there_is_not_is_refused():
    with pytest.raises(SettingError, match="'paper' or 'strict'"):
        grade("7", SPECS["number"], "lenient")


def test_no_verdict_on_a_wrong_reply_tells_the_gold():
    secrets = {"number": "731", "program": "731", "choice": "B", "labels": "zeta", "span": "zeta"}
    for kind, gold in secrets.items():
        spec = {**SPECS[kind], "value": [gold, gold] if kind == "labels" else gold}
        for reply in ("5", "C", "omega", "", "omega, omega", "Answer: 5%", "USD 5", "5 million"):
            verdict = grade(reply, spec)
            assert verdict.correct is False
            assert gold not in verdict.reason.replace("option", "").replace("B is", "")


def test_the_share_of_labels_is_by_position():
    spec = {"kind": "labels", "value": ["a", "b", "c", "d"]}
    shares = {"a, b, c, d": 1.0, "a, b": 0.5, "b, a, c, d": 0.5, "": 0.0, "a, x, c, d, e, f": 0.75, "A\nB\nC\nz": 0.75}
    assert {reply: label_share(reply, spec) for reply in shares} == shares
    with pytest.raises(ValueError, match="labels, not span"):
        label_share("a", {"kind": "span", "value": "a"})

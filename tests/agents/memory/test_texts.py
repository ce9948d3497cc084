"""Texts before they are kept."""

import pytest
from bizgym.agents.memory.texts import shortened, tidy, tidy_line


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  plain\ttext\n", "plain\ttext"),
        ("a\r\nb\x00c\x1b[0m", "a\nb c [0m"),
        ("half \ud800 sign", "half \\ud800 sign"),
        ("a\u2028b\x85c", "a b c"),
        ("un\u200bseen\u202e", "unseen"),
        ("naïve 😀", "naïve 😀"),
    ],
)
def test_what_nobody_sees_is_gone(text: str, kept: str) -> None:
    assert tidy(text, 100) == kept
    assert kept.isprintable() or set(kept) & {"\n", "\t"}


def test_texts_are_bounded() -> None:
    assert tidy("x" * 1_000_000, 10) == "x" * 10
    assert tidy("\ud800" * 100, 10) == "\\ud800\\ud8"
    assert tidy_line(" a \n b " * 100, 5) == "a b a"
    assert [tidy_line(value, 5) for value in (None, 7, ["a"], {}, True)] == [""] * 5


def test_a_long_text_is_shortened_before_its_end() -> None:
    assert shortened("ab" * 10, 20) == "ab" * 10
    text = "r" * 50 + "q" * 20
    assert shortened(text, 30) == f"{'r' * 10}\n[... 40 characters left out ...]\n{'q' * 20}"

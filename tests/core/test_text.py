"""Text from outside: cut with the number of characters left out, quoted within bounds, always printable."""

import pytest
from bizgym.envs.core.text import clip, echo, nearest, printable, whole
from hypothesis import given
from hypothesis import strategies as st

ANY_TEXT = st.text(st.characters()) | st.text(st.sampled_from("a\ud83d\ude00é"))


def test_a_result_of_8000_characters_is_shown_whole_and_one_more_is_cut():
    assert clip("x" * 8_000) == "x" * 8_000
    text = "".join(chr(0x4E00 + k % 5_000) for k in range(8_001))
    head, omitted, tail = clip(text).split("\n")
    assert omitted == "[... 1 characters left out ...]"
    assert (len(head), len(tail)) == (6_000, 2_000)
    assert text.startswith(head)
    assert text.endswith(tail)


@given(st.text("abcdé", max_size=60), st.integers(1, 40))
def test_head_tail_and_omitted_size_add_up(text, limit):
    shown = clip(text, limit)
    if len(text) <= limit:
        assert shown == text
    else:
        head, omitted, tail = shown.split("\n")
        assert omitted == f"[... {len(text) - limit} characters left out ...]"
        assert len(head) + len(tail) == limit
        assert (head, tail) == (text[: len(head)], text[-len(tail) :])


@given(ANY_TEXT)
def test_printable_text_encodes_and_whole_text_is_left_alone(text):
    assert printable(text).encode("utf-8")[:0] == b""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        assert not whole(text)
        assert "\\ud" in printable(text)
    else:
        assert whole(text)
        assert printable(text) == text


class Raises:
    def __repr__(self):
        raise RuntimeError("repr")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 200 + "... (201 characters in all)"),
        ({"a": 1}, "{'a': 1}"),
        ("\ud800", "\\ud800"),
        ([10**5_000], "<list>"),
        (Raises(), "<Raises>"),
    ],
)
def test_an_echo_is_bounded_printable_and_never_raises(value, shown):
    assert echo(value) == shown


def test_an_echo_of_a_megabyte_states_its_length():
    assert echo("x" * 2_000_000).endswith("... (2000000 characters in all)")
    assert len(echo(["x" * 2_000_000])) < 300


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("refnd_payment", " Did you mean 'refund_payment'?"),
        ("zzz", ""),
        ("", ""),
        ("refund_payment" * 100_000, ""),
    ],
)
def test_the_nearest_name_is_offered_when_one_is_near(name, hint):
    assert nearest(name, ["refund_payment", "check_balance"]) == hint

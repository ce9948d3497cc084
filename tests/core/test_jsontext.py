"""Strict JSON: what Python's own reader lets through is refused, and everything else reads as it does there."""

import json

import pytest
from bizgym.envs.core.jsontext import JsonRefused, Unacceptable, canonical, decode
from hypothesis import given
from hypothesis import strategies as st

LIMIT = 1_000_000
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def code_of(text):
    with pytest.raises(JsonRefused) as refused:
        decode(text)
    assert refused.value.message
    return refused.value.code


def nested(levels, opening="[", closing="]"):
    return opening * levels + closing * levels


@given(JSON_VALUES, st.sampled_from([None, 1]), st.booleans())
def test_valid_json_reads_as_the_standard_library_reads_it(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert decode(text) == json.loads(text)


@given(JSON_VALUES, st.integers(0, 200))
def test_no_cut_text_escapes_as_another_exception(value, length):
    text = json.dumps(value)[:length]
    try:
        expected = json.loads(text)
    except ValueError:
        assert code_of(text) == "not_json"
    else:
        assert decode(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        '{"a": }',
        '{"a" 1}',
        '{"a": 1,}',
        "{'a': 1}",
        '{"a": 1} {"b": 2}',
        '{"a": 1}x',
        "[1, 2",
        "\x00",
        "nul",
        "True",
        '"\n"',
        "\ufeff{}",
        "01",
        "1.",
        "+1",
        "0x10",
        '{"name": "place_order", "arguments": }',
    ],
)
def test_what_is_no_json_is_refused_with_its_place(text):
    assert code_of(text) == "not_json"
    with pytest.raises(JsonRefused, match="line 1 column"):
        decode(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"a": 1, "\\u0061": 2}',
        '{"x": {"a": 1, "b": 2, "a": 3}}',
        '[{"a": [{"b": 1, "b": 2}]}]',
        '{"a": {"x": 1}, "a": {"y": 1}}',
        '{"name": "pay", "arguments": {"amount": 10, "amount": 9999}}',
        '{"": 1, "": 2}',
    ],
)
def test_a_key_that_stands_twice_is_refused(text):
    assert code_of(text) == "duplicate_key"


def test_one_key_may_stand_in_two_objects():
    assert decode('{"a": {"a": 1}, "b": {"a": ":"}}') == {"a": {"a": 1}, "b": {"a": ":"}}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" + "0" * 400 + ".5"])
@pytest.mark.parametrize("place", ["%s", '{"a": %s}', '{"a": {"b": [%s]}}'])
def test_numbers_that_are_not_finite_are_refused(number, place):
    assert code_of(place % number) == "non_finite"


def test_the_largest_finite_numbers_are_read():
    assert decode('{"a": [1e308, -1e308, 5e-324, 1e-400]}') == {"a": [1e308, -1e308, 5e-324, 0.0]}


def test_integers_beyond_the_digit_limit_fit_no_schema():
    value = decode('{"quantity": ' + "9" * 5_000 + ', "b": 1}')
    assert isinstance(value["quantity"], Unacceptable)
    assert "5000 digits" in str(value["quantity"])
    assert value["b"] == 1
    assert decode("[" + "9" * 4_300 + "]") == [10**4_300 - 1]


def test_a_fault_beside_a_huge_integer_is_still_found():
    assert code_of('{"a": ' + "9" * 5_000 + ', "a": 1}') == "duplicate_key"
    assert code_of('{"a": ' + "9" * 5_000 + ', "b": NaN}') == "non_finite"
    assert code_of('{"a": ' + "9" * 5_000) == "not_json"


@pytest.mark.parametrize(
    ("opening", "closing", "core"),
    [("[", "]", ""), ('{"a":', "}", "1"), ('[{"a":', "}]", "1")],
    ids=["list", "dict", "both"],
)
def test_64_levels_are_read_and_65_refused(opening, closing, core):
    per_unit = opening.count("[") + opening.count("{")
    units = 64 // per_unit
    assert decode(opening * units + core + closing * units)
    one_more = "[" + opening * units + core + closing * units + "]"
    assert code_of(one_more) == "too_deep"


def test_100_000_brackets_are_too_deep():
    assert code_of(nested(100_000)) == "too_deep"
    assert code_of("[" * 100_000) == "too_deep"
    assert code_of(nested(100_000, '{"a":', "}")) == "too_deep"


def test_breadth_is_not_depth():
    assert len(decode("[" + ",".join(["[[]]"] * 1_000) + "]")) == 1_000


def test_a_million_characters_are_read_and_one_more_refused():
    text = '{"a": "' + "é" * (LIMIT - 9) + '"}'
    assert len(text) == LIMIT
    assert len(decode(text)["a"]) == LIMIT - 9
    assert code_of(text + " ") == "too_long"


@pytest.mark.parametrize("unit", ["x", "[", '{"a":', "NaN,", '{"a":1,"a":1}'])
def test_too_long_comes_first(unit):
    assert code_of(unit * (LIMIT + 1)) == "too_long"


def test_lone_surrogates_are_read_as_python_reads_them():
    assert decode('"\\ud800"') == "\ud800"
    assert decode('"\\ud83d\\ude00"') == "😀"


def test_canonical_text_is_one_for_equal_values_and_refuses_nan():
    assert canonical({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"\\u00e9"]}'
    assert canonical({"x": 1, "y": 2}) == canonical({"y": 2, "x": 1})
    with pytest.raises(ValueError):
        canonical(float("nan"))

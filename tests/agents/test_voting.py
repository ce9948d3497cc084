"""Candidates as data: what makes two proposals one, and which of many is played."""

import json

import pytest
from bizgym.agents.proposals import Proposal, arguments_of
from bizgym.agents.voting import shape_of, vote
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.models import order, says, tool_call


def proposal(name, text="", **arguments):
    return Proposal(says(tool_call(name, json.dumps(arguments)), text=text))


def proposals(*arguments):
    return [Proposal(says(tool_call("place_order", each))) for each in arguments]


def orders(*quantities):
    return [Proposal(says(order(quantity), text=f"agent {k}")) for k, quantity in enumerate(quantities)]


def played(result):
    return [arguments_of(call) for call in result.winner.calls]


@pytest.mark.parametrize(
    ("quantities", "expected"),
    [((300, 100, 200), 200), ((100, 400), 100), ((7,), 7), ((400, 100, 300, 200), 200), ((0, 0, 5000), 0)],
)
def test_a_number_is_the_median_and_of_two_in_the_middle_the_lower(quantities, expected):
    result = vote(orders(*quantities))
    assert played(result) == [{"quantity": expected}]
    assert (result.votes, result.tied) == ((len(quantities),), False)


def test_texts_are_voted_on_by_exact_equality():
    answers = [proposal("answer", value=value) for value in ("B", "A", "A", "b")]
    result = vote(answers)
    assert played(result) == [{"value": "A"}]
    assert (result.votes, result.tied) == ((1, 2, 1), False)


def test_a_tie_goes_to_the_lowest_agent_index():
    result = vote([proposal("answer", value=value) for value in ("C", "A", "A", "C")])
    assert played(result) == [{"value": "C"}]
    assert result.tied


def test_tools_and_categories_come_first_and_numbers_after():
    result = vote(
        [
            proposal("pay", account="A", amount_cents=100),
            proposal("pay", account="B", amount_cents=900),
            proposal("pay", account="A", amount_cents=300),
            proposal("pay", account="A", amount_cents=200),
            proposal("hold", account="A"),
        ]
    )
    assert played(result) == [{"account": "A", "amount_cents": 200}]
    assert result.votes == (3, 1, 1)


def test_numbers_inside_lists_and_objects_are_medians_of_their_places():
    result = vote(
        [proposal("plan", months=[{"hire": k, "team": "x"}, {"hire": 10 * k, "team": "y"}]) for k in (3, 1, 2)]
    )
    assert played(result) == [{"months": [{"hire": 2, "team": "x"}, {"hire": 20, "team": "y"}]}]


@pytest.mark.parametrize("value", [True, None, "12", "#"])
def test_what_only_looks_like_a_number_is_none(value):
    groups = {shape_of(proposal("answer", value=each)) for each in (value, 12)}
    assert len(groups) == 2


def test_the_words_of_the_winner_are_those_of_the_first_of_its_group():
    result = vote([proposal("answer", "I say B", value="B"), *(proposal("answer", f"{k}", value="A") for k in "xy")])
    assert result.winner.why == "x"
    assert played(result) == [{"value": "A"}]


def test_a_winner_that_nobody_had_to_merge_is_played_as_it_was_written():
    written = Proposal(says(tool_call("answer", '{ "value" : "A" }')))
    assert vote([written, written]).winner is written


@pytest.mark.parametrize("broken", [says(text="only words"), says(tool_call("answer", '{"value": "A"')), says()])
def test_what_cannot_be_read_counts_only_where_there_is_nothing_else(broken):
    unread = Proposal(broken)
    good = proposal("answer", value="B")
    assert vote([unread, unread, good]).winner is good
    assert vote([unread, unread]).winner is unread


@pytest.mark.parametrize("arguments", ["[1]", '{"n": NaN}', '{"n": ' + "9" * 5000 + "}", '{"a": 1, "a": 2}'])
def test_arguments_that_are_no_plain_object_are_never_compared_part_by_part(arguments):
    odd = Proposal(says(tool_call("answer", arguments)))
    assert not odd.is_call
    assert vote([odd, odd]).winner is odd


def test_absent_arguments_are_an_empty_object():
    assert Proposal(says(tool_call("list", ""))).key == Proposal(says(tool_call("list", "{}"))).key


def test_the_key_tells_deeds_apart_and_not_words():
    assert proposal("answer", "because", value=1).key == Proposal(says(tool_call("answer", '{"value":1}', "other"))).key
    assert proposal("answer", value=1).key != proposal("answer", value=2).key
    assert Proposal(says(text="a  b\n")).key == Proposal(says(text="a b")).key


def test_a_description_can_leave_the_reasons_out():
    made = proposal("answer", "For I have reckoned.", value=1)
    assert made.described() == 'For I have reckoned.\nCall: answer({"value": 1})'
    assert made.described(reasons=False) == 'Call: answer({"value": 1})'
    assert len(proposal("answer", "x" * 100_000, value="y" * 100_000).described()) < 10_000


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9), st.randoms(use_true_random=False))
def test_the_played_number_is_one_that_somebody_proposed_and_no_order_matters(quantities, rng):
    result = vote(orders(*quantities))
    assert played(result)[0]["quantity"] in quantities
    shuffled = list(quantities)
    rng.shuffle(shuffled)
    assert played(vote(orders(*shuffled))) == played(result)


def test_the_median_that_was_found_is_the_one_that_is_played():
    """3 is the median of 3.0, 3, 3; 3.0 is no integer for an environment, and would be refused as bad_arguments."""
    winner = vote(proposals('{"quantity": 3.0}', '{"quantity": 3}', '{"quantity": 3}')).winner
    assert json.loads(winner.calls[0].arguments) == {"quantity": 3}
    assert isinstance(json.loads(winner.calls[0].arguments)["quantity"], int)


def test_most_of_the_panel_proposes_what_the_environment_takes_and_that_is_played():
    """4 and 3 are orders, 3.5 is none: the median is refused as bad_arguments, for all three agents."""
    winner = vote(proposals('{"quantity": 3}', '{"quantity": 3.5}', '{"quantity": 4}')).winner
    assert isinstance(json.loads(winner.calls[0].arguments)["quantity"], int)

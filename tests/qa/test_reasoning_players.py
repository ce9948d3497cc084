"""What can be had of the vignettes without reckoning: no look of an option gives the answer away."""

import re

import pytest
from bizgym.envs.qa.authored import LETTERS, authored_items

from tests.qa.choice_players import NUMBER_PLAYERS, PLAYERS, chance, share_of_commonest_letter, share_right, words

ITEMS = authored_items("complex_reasoning")
BANDS = {band: [item for item in ITEMS if item.band == band] for band in ("easy", "middle", "hard")}
MARGIN = 0.10


def repeats_a_number_of_the_case(item):
    """How many of an option's numbers stand in the case as they are: right ones are reckoned, not copied."""
    told = set(re.findall(r"\d[\d.,]*\d|\d", " ".join(section.text for section in item.sections)))
    return [float(len(set(re.findall(r"\d[\d.,]*\d|\d", text)) & told)) for text in item.answer.options]


def most_digits(item):
    return [float(sum(sign.isdigit() for sign in text)) for text in item.answer.options]


def first_word_of_its_own(item):
    """Options that begin as no other does, for instance the only `No` among three times `Yes`."""
    first = [text.split()[0].strip(",;").lower() for text in item.answer.options]
    return [-float(first.count(word)) for word in first]


def least_reserved(item):
    return [-value for value in PLAYERS["most_reserved"](item)]


def least_like_the_others(item):
    return [-value for value in PLAYERS["most_like_the_others"](item)]


def most_connectives(item):
    """Options that argue."""
    argued = {"because", "although", "even", "only", "once", "after", "provided", "unless", "since", "as", "which"}
    return [float(len(words(text) & argued)) for text in item.answer.options]


ALL_PLAYERS = (
    PLAYERS
    | NUMBER_PLAYERS
    | {
        each.__name__: each
        for each in (
            repeats_a_number_of_the_case,
            most_digits,
            first_word_of_its_own,
            least_reserved,
            least_like_the_others,
            most_connectives,
        )
    }
)


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("player", ALL_PLAYERS)
def test_a_player_by_looks_stays_near_chance(player, band):
    assert share_right(ALL_PLAYERS[player], BANDS[band]) <= chance(BANDS[band]) + MARGIN


@pytest.mark.parametrize("band", BANDS)
def test_no_letter_is_right_much_more_often_than_others(band):
    assert share_of_commonest_letter(BANDS[band]) <= chance(BANDS[band]) + MARGIN


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.meta["name"])
def test_options_are_of_like_length(item):
    lengths = [len(text) for text in item.answer.options]
    assert max(lengths) <= 1.6 * min(lengths)


def test_whoever_makes_the_common_mistake_is_wrong():
    tricked = [item for band in ("middle", "hard") for item in BANDS[band]]
    assert all(item.answer.value not in item.meta["figures"] for item in tricked)
    assert all(set(item.meta["figures"]) <= set(LETTERS[: len(item.answer.options)]) for item in tricked)

"""What can be had without knowledge: no look of an option gives the answer away."""

import re

import pytest
from bizgym.envs.qa.authored import authored_items

from tests.qa.choice_players import NUMBER_PLAYERS, PLAYERS, chance, share_of_commonest_letter, share_right

ITEMS = authored_items("domain_knowledge")
CHOICES = {
    band: [i for i in ITEMS if i.band == band and i.answer.kind == "choice"] for band in ("easy", "middle", "hard")
}
TAGGED = [item for item in ITEMS if item.answer.kind == "labels" and item.band != "easy"]
MARGIN = 0.10


@pytest.mark.parametrize("band", ["middle", "hard"])
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_without_knowledge_stays_near_chance(player, band):
    assert share_right(PLAYERS[player], CHOICES[band]) <= chance(CHOICES[band]) + MARGIN


@pytest.mark.parametrize("band", ["easy", "middle", "hard"])
def test_no_letter_is_right_much_more_often_than_others(band):
    assert share_of_commonest_letter(CHOICES[band]) <= chance(CHOICES[band]) + MARGIN


@pytest.mark.parametrize("band", CHOICES)
@pytest.mark.parametrize("player", NUMBER_PLAYERS)
def test_the_place_of_a_number_among_the_others_says_nothing(player, band):
    assert share_right(NUMBER_PLAYERS[player], CHOICES[band]) <= chance(CHOICES[band]) + MARGIN


@pytest.mark.parametrize("player", ["longest", "shortest"])
def test_length_says_nothing_in_the_easy_band_either(player):
    assert share_right(PLAYERS[player], CHOICES["easy"]) <= chance(CHOICES["easy"]) + MARGIN


def test_the_players_would_find_a_giveaway():
    item = CHOICES["hard"][0]
    options = ["brief", "longer", "by far the longest one", "small"]
    for letter, player, expected in (("C", "longest", 1.0), ("C", "shortest", 0.0), ("A", "shortest", 0.5)):
        shown = item.changed(answer=item.answer.changed(options=options, value=letter))
        assert share_right(PLAYERS[player], [shown]) == expected


def test_matching_words_with_the_names_of_tags_is_not_enough():
    right = 0
    for item in TAGGED:
        text = item.sections[0].title + " " + item.sections[0].text
        seen = {form for word in re.findall(r"[a-z]+", text.lower()) for form in (word, word.rstrip("s"), word + "s")}
        parts = {tag: {part.lower() for part in re.findall(r"[A-Z][a-z]+", tag)} for tag in item.answer.options}
        ranked = sorted(parts, key=lambda tag: -len(parts[tag] & seen) / len(parts[tag]))
        right += set(ranked[: len(item.answer.value)]) == set(item.answer.value)
    assert right / len(TAGGED) <= 0.15

"""Domain questions before the scorer: the stored answer is right in every form, everything else is wrong."""

import pytest
from bizgym.envs.qa.authored import LETTERS, authored_items
from bizgym.envs.qa.scoring import grade

ITEMS = authored_items("domain_knowledge")
CHOICES = [item for item in ITEMS if item.answer.kind == "choice"]
TAGGED = [item for item in ITEMS if item.answer.kind == "labels"]
NAMED = {"ids": lambda item: item.meta["name"]}
PROFILES = ("paper", "strict")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("item", CHOICES, **NAMED)
def test_the_letter_and_the_text_of_each_option_are_graded(item, profile):
    for letter, text in zip(LETTERS, item.answer.options, strict=False):
        right = letter == item.answer.value
        for reply in (letter, f"{letter})", f"Answer: {letter}", text):
            assert grade(reply, item.answer, profile).correct is right, (reply, letter)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("item", TAGGED, **NAMED)
def test_the_right_labels_in_order_are_right_and_near_misses_are_not(item, profile):
    right = item.answer.value
    for reply in ("\n".join(right), ", ".join(right), ", ".join(f"us-gaap:{tag}" for tag in right)):
        assert grade(reply, item.answer, profile).correct is True
    for near in item.near_misses:
        assert grade(", ".join(near.value), item.answer, profile).correct is False
    if len(right) > 1:
        assert grade(", ".join(reversed(right)), item.answer, profile).correct is False
        assert grade(right[0], item.answer, profile).correct is False

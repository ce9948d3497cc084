"""The set of domain knowledge: its shape, its wording, and that no two questions are near-copies."""

import re
from collections import Counter
from importlib.resources import files
from itertools import combinations

import pytest
from bizgym.envs.core.jsontext import canonical
from bizgym.envs.core.upkeep import CANARY
from bizgym.envs.qa.authored import authored_items
from bizgym.envs.qa.difficulty import band_of, difficulty
from bizgym.envs.qa.items import Item

ITEMS = authored_items("domain_knowledge")
CHOICES = [item for item in ITEMS if item.answer.kind == "choice"]
SPLITS = {"train": 24, "test": 16}
EMPTY_OPTION = re.compile(
    r"\b(all|none|both|neither) of (the above|these)\b|\babove\b (options|answers)|\boptions? [A-E]\b"
)
SHORT_OPTION_CHARACTERS = 14
LENGTH_SPREAD = 1.35


def test_eighty_choices_and_forty_tag_questions():
    assert Counter(item.answer.kind for item in ITEMS) == {"choice": 80, "labels": 40}
    assert len({item.meta["name"] for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("band", ["easy", "middle", "hard"])
def test_forty_in_each_band_and_sixteen_of_them_for_the_test(band):
    own = [item for item in ITEMS if item.band == band]
    assert Counter(item.split for item in own) == SPLITS
    assert [item.item_id for item in own] == [f"dk-{band}-{k:02d}" for k in range(1, 41)]
    assert all(band_of(difficulty(item.features)) == band for item in own)


def test_twelve_subjects_in_both_splits():
    subjects = {split: {item.family for item in CHOICES if item.split == split} for split in SPLITS}
    assert len(subjects["train"] | subjects["test"]) == 12
    assert subjects["train"] == subjects["test"]


def test_items_survive_being_stored():
    for item in ITEMS:
        stored = canonical(item.model_dump(mode="json", exclude_defaults=True))
        assert Item.model_validate_json(stored) == item


@pytest.mark.parametrize("item", CHOICES, ids=lambda item: item.meta["name"])
def test_every_option_has_a_reason_of_its_own(item):
    assert len(item.reasons) == len(item.answer.options) in (4, 5)
    assert len(set(item.reasons)) == len(item.reasons)
    assert all(reason.endswith(".") for reason in item.reasons)
    assert item.explanation.endswith(".")


@pytest.mark.parametrize("item", CHOICES, ids=lambda item: item.meta["name"])
def test_options_are_alike_in_form(item):
    options = item.answer.options
    lengths = [len(option) for option in options]
    assert max(lengths) <= SHORT_OPTION_CHARACTERS or max(lengths) <= LENGTH_SPREAD * min(lengths)
    assert len({option.endswith(".") for option in options}) == 1
    assert not any(EMPTY_OPTION.search(option) for option in options)


def test_no_two_questions_are_near_copies():
    def runs(item):
        text = " ".join(
            [item.question, *(s.text for s in item.sections), *(item.answer.options if item.reasons else [])]
        )
        found = re.findall(r"\w+", text.lower())
        return {tuple(found[k : k + 5]) for k in range(len(found) - 4)}

    by_name = {item.meta["name"]: runs(item) for item in ITEMS if item.answer.kind == "choice"}
    by_name |= {item.meta["name"]: runs(item.changed(question="-")) for item in ITEMS if item.answer.kind == "labels"}
    near = [
        pair
        for pair in combinations(by_name, 2)
        if len(by_name[pair[0]] & by_name[pair[1]]) >= 0.3 * len(by_name[pair[0]] | by_name[pair[1]])
    ]
    assert near == []


def test_every_file_carries_the_canary():
    folder = files("bizgym.data").joinpath("qa")
    paths = [*folder.joinpath("authored", "domain_knowledge").iterdir(), folder.joinpath("authored", "tagging.yaml")]
    texts = [path.read_text(encoding="utf-8") for path in [*paths, folder.joinpath("tags.yaml")]]
    assert len(texts) == 14
    assert all(CANARY in text.splitlines()[0] for text in texts)

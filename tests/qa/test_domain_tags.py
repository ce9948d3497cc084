"""Tag questions: their candidates, their near misses and the elements behind them."""

import re
from collections import Counter

import pytest
from bizgym.envs.core.data import packaged_text, parse, validate
from bizgym.envs.core.errors import DataError
from bizgym.envs.qa.authored import authored_items
from bizgym.envs.qa.tagging import TagFile, TaggedFile, TaggedText, tag_items, tags

KNOWN = tags()
GROUP_OF = KNOWN.group_of
WRITTEN = validate(TaggedFile, parse(packaged_text("qa", "authored/tagging.yaml"), "tagging.yaml"), "tagging.yaml")
ITEMS = {item.meta["name"]: item for item in authored_items("domain_knowledge") if item.answer.kind == "labels"}
BY_NAME = pytest.mark.parametrize("written", WRITTEN.items, ids=lambda each: each.name)


def changed(**changes: object) -> TaggedText:
    return WRITTEN.items[0].changed(**changes)


@BY_NAME
def test_candidates_are_the_answers_their_siblings_and_strangers(written):
    item = ITEMS[written.name]
    own = {*written.answers, *(sibling.tag for sibling in written.siblings)}
    strangers = set(item.answer.options) - own
    assert own <= set(item.answer.options)
    assert len(item.answer.options) == len(own) + len(strangers) == written.candidates
    assert not {GROUP_OF[tag] for tag in own} & {GROUP_OF[tag] for tag in strangers}
    assert item.answer.options == sorted(item.answer.options)
    assert item.features.label_set_size == written.candidates
    assert item.features.distractors == len(written.siblings)


@BY_NAME
def test_near_misses_differ_from_the_answer_in_one_place(written):
    item = ITEMS[written.name]
    assert len(item.near_misses) >= (2 if item.band == "easy" else 3)
    for near in item.near_misses:
        assert len(near.value) == len(item.answer.value)
        assert sum(a != b for a, b in zip(near.value, item.answer.value, strict=True)) == 1
        assert set(near.value) <= set(item.answer.options)


@BY_NAME
def test_a_marked_amount_stands_before_its_mark(written):
    for k in range(1, len(written.answers) + 1):
        assert re.search(rf"(\d|percent|million|years|feet|six|three|%) (\w+ )?\[{k}\]", written.text)


def test_one_or_four_amounts_and_eight_to_forty_candidates():
    assert {len(item.answer.value) for item in ITEMS.values()} == {1, 4}
    sizes = [len(item.answer.options) for item in ITEMS.values()]
    assert (min(sizes), max(sizes)) == (8, 40)


def test_no_element_is_the_answer_often():
    counts = Counter(tag for item in ITEMS.values() for tag in item.answer.value)
    assert counts.most_common(1)[0][1] <= 2
    assert len(counts) >= 75


def test_the_answers_stand_anywhere_among_the_candidates():
    places = [
        item.answer.options.index(tag) / len(item.answer.options)
        for item in ITEMS.values()
        for tag in item.answer.value
    ]
    thirds = Counter(int(3 * place) for place in places)
    assert max(thirds.values()) <= 0.5 * len(places)


def test_elements_are_well_formed_and_glossed_in_words_of_our_own():
    assert 140 <= len(KNOWN.glosses) <= 170
    assert len(set(KNOWN.glosses.values())) == len(KNOWN.glosses)
    for name, gloss in KNOWN.glosses.items():
        spelled_out = " ".join(re.findall(r"[A-Z][a-z]*|\d+", name)).lower()
        assert spelled_out not in gloss.lower()
        assert not gloss.endswith(".")
    assert "identifiers" in KNOWN.notice


def test_the_same_question_has_the_same_candidates_every_time():
    assert tag_items(WRITTEN.items, KNOWN) == tag_items(list(reversed(WRITTEN.items)), tags())[::-1]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"text": "At a price of $11.50."}, "text"),
        ({"text": "At $11.50 [1] or $12 [2]."}, "text"),
        ({"text": "At $11.50 [1] or $12 [1]."}, "text"),
        ({"text": "At $11.50 [2]."}, "text"),
        ({"candidates": 7}, "candidates"),
        ({"candidates": 41}, "candidates"),
        ({"answers": []}, "answers"),
        ({"answers": ["Sale of stock"]}, "answers"),
        ({"answers": ["SaleOfStockPricePerShare"]}, "twice"),
        ({"features": {"label_set_size": 8}}, "follow"),
        ({"siblings": []}, "siblings"),
        ({"siblings": [{"tag": "Goodwill", "of": 2, "why": "-"}, {"tag": "Revenues", "why": "-"}]}, "no such mark"),
    ],
)
def test_a_faulty_question_is_refused(changes, told):
    content = WRITTEN.items[0].model_dump(exclude_unset=True) | changes
    with pytest.raises(DataError, match=told):
        validate(TaggedFile, {"canary": "marked", "items": [content]}, "tagging.yaml")


def test_an_element_that_is_not_known_is_refused():
    with pytest.raises(DataError, match=r"warrant-price: PriceOfWarrant is not in tags\.yaml"):
        tag_items([changed(answers=["PriceOfWarrant"])], KNOWN)


def test_too_few_strangers_are_refused():
    few = KNOWN.changed(groups={group: KNOWN.groups[group] for group in ("share_capital", "derivative")})
    with pytest.raises(DataError, match="5 elements of other groups wanted, 2 known"):
        tag_items([changed()], few)


def test_an_element_in_two_groups_is_refused():
    content = {"canary": "marked", "notice": "-", "groups": {"a": {"Goodwill": "x"}, "b": {"Goodwill": "y"}}}
    with pytest.raises(DataError, match="two groups"):
        validate(TagFile, content, "tags.yaml")

"""The form of files written by hand: what it refuses, where options are placed, which figures an option goes with."""

from collections import Counter
from copy import deepcopy
from decimal import Decimal

import pytest
from bizgym.envs.core.data import parse, validate
from bizgym.envs.core.errors import DataError
from bizgym.envs.qa.authored import AuthoredFile, Interval, authored, choice_items, letters_for, numbered

SAMPLE = """
canary: marked
subject: liquidity covenants
items:
- name: headroom
  split: train
  features: {steps: 3, evidence: 3, distractors: 2, outside_knowledge: 1}
  question: Which course should the treasurer recommend?
  sections:
  - section_id: facility
    title: Facility terms
    text: "Table: covenant\\n\\n| | Q4 |\\n|---|---:|\\n| Net debt | 1,234 |\\n| EBITDA | 310 |\\n"
  options:
    waiver: {text: Ask for a waiver, reason: The ratio is above the limit.}
    draw: {text: Draw the line now, reason: It overlooks the lease debt., figure: 3.4}
    wait: {text: Wait for the quarter, reason: It overlooks the test date., figure: 3.1}
    repay: {text: Repay the loan early, reason: There is no cash for it.}
  right: waiver
  principle: A covenant is tested on the figures that the agreement defines.
  program: cell("covenant", "Net debt", "Q4") / cell("covenant", "EBITDA", "Q4")
  decides:
    waiver: {above: 3.5}
    draw: {at_most: 3.5}
    wait: {below: 3.5, above: 3.0}
"""


def sample() -> dict:
    return parse(SAMPLE, "sample.yaml")


def read(content: object) -> AuthoredFile:
    return validate(AuthoredFile, content, "sample.yaml")


def with_item(**changes: object) -> dict:
    content = sample()
    content["items"][0] |= changes
    return content


def without_option(name: str, **others: object) -> dict:
    options = {key: value for key, value in sample()["items"][0]["options"].items() if key != name}
    return with_item(options=options, decides={"waiver": {"above": 3.5}, "wait": {"below": 3.5}}, **others)


def with_figure(option: str, figure: float) -> dict:
    options = deepcopy(sample()["items"][0]["options"])
    options[option]["figure"] = figure
    return with_item(options=options)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (with_item(right="sell"), "right"),
        (with_item(hint="none"), "hint"),
        (with_item(split="dev"), "split"),
        (with_item(features={"steps": -1}), "steps"),
        (with_item(name="Head Room"), "name"),
        (with_item(principle=""), "principle"),
        (with_item(program=None), "decides"),
        (with_item(decides={}), "decides"),
        (with_item(decides={"draw": {"at_most": 3.5}}), "decides"),
        (with_item(decides={"waiver": {"above": 3.5}, "sell": {"above": 1.0}}), "sell"),
        (with_item(decides={"waiver": {}}), "waiver"),
        (without_option("draw"), "options"),
        (with_figure("waiver", 3.98), "options.waiver.figure"),
        (with_figure("draw", 3.6), "options.draw.figure"),
        (with_figure("repay", 3.6), "options.repay.figure"),
        ([], "sample.yaml"),
    ],
)
def test_a_faulty_item_is_refused_by_name(content, told):
    with pytest.raises(DataError, match=told):
        read(content)


def test_two_options_that_read_the_same_are_refused():
    options = deepcopy(sample()["items"][0]["options"])
    options["draw"]["text"] = options["wait"]["text"].upper()
    with pytest.raises(DataError, match="read the same"):
        read(with_item(options=options))


@pytest.mark.parametrize(
    ("bounds", "inside", "outside"),
    [
        ({"above": 3.5}, "3.500001", "3.5"),
        ({"at_least": 3.5}, "3.5", "3.499999"),
        ({"below": 3.5}, "3.499999", "3.5"),
        ({"at_most": 3.5}, "3.5", "3.500001"),
        ({"above": 3.0, "at_most": 3.5}, "3.5", "3.0"),
        ({"at_least": -1.0, "below": 0.1}, "-1", "0.1"),
    ],
)
def test_bounds_hold_at_their_edges(bounds, inside, outside):
    interval = Interval.model_validate(bounds)
    assert interval.holds(Decimal(inside))
    assert not interval.holds(Decimal(outside))


def test_the_figure_of_the_program_leaves_the_right_option_open_and_closes_others():
    item = choice_items("complex_reasoning", [("covenants", read(sample()).items[0])])[0]
    letter_of = dict(zip(item.answer.options, "ABCD", strict=True))
    assert item.answer.value in letters_for(item, Decimal("3.98"))
    assert letter_of["Draw the line now"] not in letters_for(item, Decimal("3.98"))
    assert set(letters_for(item, Decimal("3.4"))) == set("ABCD") - {letter_of["Ask for a waiver"]}
    assert item.meta["figures"] == {letter_of["Draw the line now"]: 3.4, letter_of["Wait for the quarter"]: 3.1}


def test_reasons_stand_with_their_options():
    for subject, choice in authored("domain_knowledge"):
        item = choice_items("domain_knowledge", [(subject, choice)])[0]
        shown = dict(zip(item.answer.options, item.reasons, strict=True))
        assert shown == {each.text: each.reason for each in choice.options.values()}
        assert item.answer.options["ABCDE".index(item.answer.value)] == choice.options[choice.right].text


def test_the_order_in_which_items_and_options_are_written_does_not_matter():
    found = authored("domain_knowledge")
    turned = [(s, c.changed(options=dict(reversed(c.options.items())))) for s, c in reversed(found)]
    usual = {item.item_id: item for item in choice_items("domain_knowledge", found)}
    assert {item.item_id: item for item in choice_items("domain_knowledge", turned)} == usual


def test_places_are_spread_evenly_over_each_band_and_split():
    kinds: dict[tuple, Counter] = {}
    for item in choice_items("domain_knowledge", authored("domain_knowledge")):
        kinds.setdefault((item.band, item.split, len(item.answer.options)), Counter())[item.answer.value] += 1
    for (_, _, options), counts in kinds.items():
        letters = [counts["ABCDE"[k]] for k in range(options)]
        assert max(letters) - min(letters) <= 1


def test_items_are_numbered_by_band_with_train_before_test():
    items = choice_items("domain_knowledge", authored("domain_knowledge"))
    done = numbered("domain_knowledge", reversed(items))
    assert [item.item_id for item in done if item.band == "hard"][:2] == ["dk-hard-01", "dk-hard-02"]
    for band in ("easy", "middle", "hard"):
        splits = [item.split for item in done if item.band == band]
        assert splits == sorted(splits, reverse=True)

"""The stored cases: they are what the blueprints build, and no two of them are alike."""

import json
from collections import Counter
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest
from bizgym.envs.consulting.blueprint import DIFFICULTIES, MARGINS
from bizgym.envs.consulting.blueprints import blueprint, blueprint_ids
from bizgym.envs.consulting.building import build
from bizgym.envs.consulting.candidate import ceiling_of
from bizgym.envs.consulting.fresh import FreshTasks, fresh
from bizgym.envs.consulting.gates import ACROSS_BLUEPRINTS, WITHIN_BLUEPRINT
from bizgym.envs.consulting.similarity import jaccard, ngrams
from bizgym.envs.consulting.tasks import StoredCase, all_tasks, stored, to_lines
from bizgym.envs.consulting.words import SKINS
from bizgym.envs.core.errors import DataError, SettingError

TEXT = files("bizgym.data").joinpath("consulting", "cases.jsonl").read_text(encoding="utf-8")
CASES = [task.case for task in all_tasks()]


def test_nine_cases_of_each_blueprint_are_stored_in_order():
    expected = [f"{name}-{level}-{skin}" for name in blueprint_ids() for level in DIFFICULTIES for skin in SKINS]
    assert list(all_tasks().ids) == expected
    assert Counter(case.turns for case in CASES) == dict.fromkeys((8, 12, 16), 3 * len(blueprint_ids()))
    assert json.loads(TEXT.partition("\n")[0])["canary"].startswith("BIZGYM CANARY")


@pytest.mark.parametrize("blueprint_id", blueprint_ids())
def test_the_stored_cases_are_what_the_blueprint_builds(blueprint_id):
    lines = {json.loads(line)["case"]["case_id"]: line + "\n" for line in TEXT.splitlines()[1:]}
    for difficulty in DIFFICULTIES:
        for skin in SKINS:
            case = build(blueprint_id, difficulty, skin)
            built = to_lines([StoredCase(case=case, ceiling=ceiling_of(case))]).partition("\n")[2]
            assert lines[case.case_id] == built, "run python -m bizgym.envs.consulting.cases"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case_id)
def test_a_case_holds_what_its_difficulty_asks_for(case):
    essential = sum(fact.essential for fact in case.facts)
    low, high = {"easy": (4, 5), "middle": (6, 8), "hard": (7, 9)}[case.difficulty]
    assert low <= essential <= high
    assert 12 <= len(case.facts) <= 20
    assert 3 <= sum(fact.noise for fact in case.facts) <= 4
    assert 1 <= len(case.exhibits) <= 3
    assert 3 <= len(case.options) <= 4
    assert 2 <= len(case.solution.key_numbers) <= 4
    assert 3 <= len(case.solution.topics) <= 5
    assert MARGINS[case.difficulty][0] <= case.solution.margin <= MARGINS[case.difficulty][1]
    assert case.solution.naive != case.solution.decision
    assert case.split == blueprint(case.blueprint).split


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case_id)
def test_key_numbers_follow_from_what_can_be_known(case):
    model = blueprint(case.blueprint).model
    known = {each.metric: each.base_value for each in case.told}
    known.update({each.metric: each.base_value for fact in case.facts if fact.essential for each in fact.numbers})
    values = model.reckon(known)
    for number in case.solution.key_numbers:
        assert model.nodes[number.metric].shown(values) == pytest.approx(number.value, rel=1e-9)
        assert number.steps[-1].endswith(case.unit_text(number.unit))
        assert len(number.steps) == len(model.path([number.metric]))
    assert blueprint(case.blueprint).decide(values).option_id == case.solution.decision


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case_id)
def test_a_fact_fewer_and_something_cannot_be_reckoned(case):
    model, wanted = blueprint(case.blueprint).model, blueprint(case.blueprint).wanted()
    told = {each.metric for each in case.told}
    for fact in case.facts:
        others = told.union(*([n.metric for n in each.numbers] for each in case.facts if each is not fact))
        lacking = not wanted <= model.reachable(others) or fact.fact_id == case.solution.constraint.fact
        assert fact.essential is lacking


def test_statements_are_not_alike():
    grams = [(case.blueprint, ngrams(case.statement)) for case in CASES]
    within, across = [], []
    for (left, here), (right, there) in combinations(grams, 2):
        (within if left == right else across).append(jaccard(here, there))
    assert max(within) < WITHIN_BLUEPRINT
    assert max(across) < ACROSS_BLUEPRINTS
    assert np.percentile(across, 95) < 0.2


def test_no_sentence_of_a_fact_is_used_by_two_blueprints():
    seen: dict[str, str] = {}
    for case in CASES:
        for fact in case.facts:
            assert seen.setdefault(fact.sentence, case.blueprint) == case.blueprint


def test_client_names_are_used_once():
    names = Counter({(case.client, case.blueprint, case.skin) for case in CASES})
    assert len(names) == len({name for name, _, _ in names}) == 3 * len(blueprint_ids())


def test_fresh_cases_differ_and_repeat():
    name = blueprint_ids()[0]
    first, again, other = fresh(1, name), fresh(1, name), fresh(2, name)
    assert first == again
    assert len(first) == 9
    assert all(a.told != b.told or a.facts != b.facts for a, b in zip(first, other, strict=True))
    assert not {case.case_id for case in first} & {case.case_id for case in CASES}
    assert all(ceiling_of(case) >= 9.5 for case in first)


@pytest.mark.parametrize(
    "task_id",
    ["fresh-", "fresh-market_entry_1-hard-b", "fresh-market_entry_1-hard-d-7", "fresh-market_entry_1-mild-b-7",
     "fresh-market_entry_9-hard-b-7", "fresh-market_entry_1-hard-b-07", "fresh-market_entry_1-hard-b-1000000",
     "fresh-market_entry_1-hard-b-٣", "market_entry_1-hard-d", 7, None],
)  # fmt: skip
def test_ids_of_no_case_are_refused(task_id):
    with pytest.raises(SettingError, match="task_id: there is no"):
        all_tasks().get(task_id)


def test_fresh_tasks_are_those_of_the_split():
    train = FreshTasks("train")
    assert train.splits == {"train": len(train)}
    assert {blueprint(task_id.split("-")[1]).split for task_id in train.ids[:60]} == {"train"}
    assert train[5].task_id == train.ids[5]
    with pytest.raises(SettingError, match="split"):
        all_tasks().select(split="validation", source="generated")


@pytest.mark.parametrize("line", ["{", "[]", '{"case": 1, "ceiling": 2}', '{"ceiling": 2}'])
def test_a_broken_file_is_refused_with_its_line(line):
    with pytest.raises(DataError, match=r"cases\.jsonl:2"):
        list(stored('{"canary": ""}\n' + line))


def test_a_line_separator_within_a_text_cuts_no_line():
    row = next(stored(TEXT))
    case = row.case.changed(statement="One line\u2028and another\x85and a third")
    assert [each.case for each in stored(to_lines([StoredCase(case=case, ceiling=row.ceiling)]))] == [case]

"""Task sets and anchors: what is unknown is named with its nearest neighbour, and what is scaled is scaled rightly."""

import math

import pytest
from bizgym.envs.core import Anchors, SettingError, Task, TaskSet
from bizgym.envs.core.seeding import episode_seed
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

TASKS = [
    Task(task_id="story_1", split="train"),
    Task(task_id="story_5", split="test", source="user"),
    Task(task_id="calm", split="test"),
]
SET = TaskSet(TASKS)


def anchors(floor, ceiling, null_score, **more):
    fields = {"floor_player": "random", "ceiling_method": "search", "ceiling_seed": 0, "proof": "best_known", **more}
    return Anchors(floor=floor, ceiling=ceiling, null_score=null_score, **fields)


def test_a_task_set_is_a_sequence_with_ids_and_splits():
    assert len(SET) == 3
    assert list(SET) == TASKS
    assert SET[1] is TASKS[1]
    assert SET[1:] == tuple(TASKS[1:])
    assert TASKS[2] in SET
    assert SET.ids == ("story_1", "story_5", "calm")
    assert SET.splits == {"train": 1, "test": 2}
    assert SET.get("calm") is TASKS[2]


def test_two_tasks_may_not_share_an_id():
    with pytest.raises(SettingError, match="share one task_id"):
        TaskSet([TASKS[0], TASKS[0]])


@pytest.mark.parametrize(
    ("wrong", "hint"), [("story_6", "Did you mean 'story_"), ("clam", "Did you mean 'calm'?"), (5, ""), (["calm"], "")]
)
def test_an_unknown_id_is_named_with_the_nearest(wrong, hint):
    with pytest.raises(ValueError, match="there is no task") as error:
        SET.get(wrong)
    assert hint in str(error.value)
    assert "Did you mean" not in SET.get("calm").task_id


@pytest.mark.parametrize(
    ("selection", "ids"),
    [
        ({}, ("story_1", "story_5", "calm")),
        ({"split": "test"}, ("story_5", "calm")),
        ({"split": "test", "source": "user"}, ("story_5",)),
        ({"source": "bizgym"}, ("story_1", "calm")),
        ({"tasks": ["calm", "story_1"]}, ("calm", "story_1")),
        ({"tasks": ("calm",)}, ("calm",)),
    ],
)
def test_tasks_are_selected_by_split_source_and_id(selection, ids):
    assert SET.select(**selection).ids == ids


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ({"split": "tset"}, "split: there is no 'tset'. Did you mean 'test'? There are: test, train"),
        ({"split": ["test"]}, "split: there is no"),
        ({"source": "usr"}, "source: there is no 'usr'. Did you mean 'user'?"),
        ({"split": "train", "source": "user"}, "holds no task of source 'user'"),
        ({"tasks": "calm"}, "tasks: a list of task ids"),
        ({"tasks": []}, "tasks: a list of task ids"),
        ({"tasks": {"calm"}}, "tasks: a list of task ids"),
        ({"tasks": ["clam"]}, "Did you mean 'calm'?"),
        ({"tasks": ["calm", "calm"]}, "share one task_id"),
    ],
)
def test_wrong_selections_are_refused(selection, message):
    with pytest.raises(SettingError) as error:
        SET.select(**selection)
    assert message in str(error.value)


CHANGES = [
    {"task_id": "story_2"},
    {"split": "test"},
    {"source": "user"},
    {"anchors": anchors(0, 1, -1)},
    {"anchors": anchors(0, 1, -1, bound=1)},
    {"anchors": anchors(0, 1, -1, proof="optimal")},
    {"anchors": anchors(0, 1, -1, ceiling_seed=1)},
    {"anchors": anchors(0, 1.0000001, -1)},
]


def test_the_hash_changes_with_every_field_and_with_the_order():
    sets = [TaskSet([TASKS[0].model_copy(update=change), *TASKS[1:]]) for change in CHANGES]
    hashes = {SET.hash, TaskSet(TASKS[::-1]).hash, TaskSet(TASKS[:2]).hash, *(each.hash for each in sets)}
    assert len(hashes) == len(CHANGES) + 3
    assert TaskSet([task.model_copy() for task in TASKS]).hash == SET.hash


def test_tasks_are_immutable_and_strict():
    with pytest.raises(ValidationError):
        TASKS[0].split = "test"
    for wrong in ({"colour": "red"}, {"split": 3}):
        with pytest.raises(ValidationError):
            Task(**{"task_id": "a", "split": "b", **wrong})
    with pytest.raises(ValidationError):
        anchors(float("nan"), 1, 0)


def test_normalized_is_the_share_of_the_span_unclipped():
    scale = anchors(floor=-200.0, ceiling=-100.0, null_score=-1_000.0)
    assert scale.normalized(-200.0) == 0.0
    assert scale.normalized(-100.0) == 1.0
    assert scale.normalized(-150.0) == 0.5
    assert scale.normalized(-300.0) == -1.0
    assert scale.normalized(0.0) == 2.0


@pytest.mark.parametrize(
    ("floor", "ceiling", "null_score", "scaled"),
    [
        (-1_000.0, -990.0, -1_000.0, True),  # 1 % of |floor|, exactly
        (-1_000.0, math.nextafter(-990.0, -1_000.0), -1_000.0, False),
        (1_000.0, 1_010.0, 1_000.0, True),
        (1_000.0, math.nextafter(1_010.0, 0), 1_000.0, False),
        (-100.0, -90.0, -600.0, True),  # 2 % of the 500 from null to floor, exactly
        (-100.0, -90.0, math.nextafter(-600.0, -700.0), False),
        (-100.0, -90.0, 0.0, True),  # the null player is above the floor: the second rule says nothing
        (0.0, 1e-9, 0.0, True),
        (0.0, 0.0, 0.0, False),
        (0.0, -1.0, 0.0, False),
    ],
)
def test_a_scale_needs_one_percent_of_the_floor_and_two_of_what_null_loses(floor, ceiling, null_score, scaled):
    assert (anchors(floor, ceiling, null_score).normalized(floor) == 0.0) is scaled
    assert (anchors(floor, ceiling, null_score).normalized(floor) is None) is not scaled


NUMBERS = st.integers(-(10**6), 10**6).map(lambda n: n / 8)  # whose differences are exact


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_a_scale_is_undefined_or_puts_floor_at_zero_and_ceiling_at_one(floor, ceiling, null_score, score):
    scale = anchors(floor, ceiling, null_score)
    if scale.normalized(score) is None:
        assert ceiling - floor < max(0.01 * abs(floor), 0.02 * (floor - null_score)) or ceiling <= floor
    else:
        assert (scale.normalized(floor), scale.normalized(ceiling)) == (0.0, 1.0)
        assert (scale.normalized(score) >= 1.0) == (score >= ceiling)


def test_episode_seeds_depend_on_run_task_and_trial_alone():
    seeds = {episode_seed(run, task, trial) for run in range(10) for task in ("a", "b", "é😀") for trial in range(10)}
    assert len(seeds) == 300
    assert all(type(seed) is int and 0 <= seed < 2**32 for seed in seeds)
    assert episode_seed(3, "default", 0) == episode_seed(3, "default", 0)


def test_episode_seeds_are_the_documented_ones():
    import zlib

    import numpy as np

    assert zlib.crc32(b"default") == 0xE35E00DF
    expected = np.random.SeedSequence([7, 0xE35E00DF, 2]).generate_state(1)[0]
    assert episode_seed(7, "default", 2) == expected

"""The shipped tasks are what the generator makes, and they are worth playing."""

from collections import Counter

import gymnasium as gym
import pytest
from bizgym.envs.beer_game.policies import STAGES
from bizgym.envs.beer_game.tasks import shipped_plans, shipped_tasks
from bizgym.envs.beer_game.taskset import family_of, shipped_task_definitions
from bizgym.envs.core.data import packaged_text
from bizgym.envs.core.upkeep import CANARY

TASKS = list(shipped_tasks())


def test_the_files_hold_what_the_generator_makes():
    assert [task.changed(anchors=None) for task in TASKS] == shipped_task_definitions()


def test_ids_and_titles_are_unique_and_plain():
    assert len({task.task_id for task in TASKS}) == len({task.title for task in TASKS}) == len(TASKS) == 64
    assert all(task.task_id.replace("-", "").isalnum() and task.task_id.islower() for task in TASKS)


def test_a_third_of_the_tasks_is_for_testing():
    assert shipped_tasks().splits == {"train": 43, "test": 21}
    for family, count in Counter(family_of(task.task_id) for task in TASKS).items():
        tested = sum(task.split == "test" for task in TASKS if family_of(task.task_id) == family)
        assert 0 < tested < count or count == 1, family


def test_the_default_task_is_the_default_game():
    default = shipped_tasks().get("default")
    assert default.rules == {}
    assert default.demand == [100] + [400] * 24


def test_the_tasks_cover_stages_delays_and_habits():
    settings = [task.settings for task in TASKS]
    assert {each.role for each in settings} == set(STAGES)
    assert {each.ship_weeks for each in settings} == {1, 2, 3, 4}
    assert {each.order_weeks for each in settings} == {1, 2}
    habits = {policy.name for each in settings for policy in each.policies}
    assert habits >= {"typical", "smoothing4", "tau8", "supply_line", "order_balance", "ignore_backlog"}
    assert {each.horizon_weeks for each in settings} == {15, 25, 40}
    assert any(policy.alpha < 1 for each in settings for policy in each.policies)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_a_task_plays_to_its_end(task):
    env = gym.make("bizgym/BeerGame-v0")
    env.reset(seed=0, options={"task_id": task.task_id})
    flow = task.settings.initial_flow
    for _ in range(task.settings.horizon_weeks):
        *_, terminated, truncated, info = env.step({"name": "place_order", "arguments": {"quantity": flow}})
    assert (terminated, truncated) == (True, False)
    assert len(task.demand) == task.settings.horizon_weeks
    assert ("normalized" in info["metrics"]) == (task.anchors.normalized(0.0) is not None)


def test_both_files_and_the_card_carry_the_canary():
    for name in ("tasks.yaml", "plans.yaml", "README.md"):
        assert CANARY.removesuffix(": benchmark data must not appear in training corpora") in packaged_text(
            "beer_game", name
        )


def test_there_is_a_plan_for_every_task():
    assert list(shipped_plans()) == [task.task_id for task in TASKS]

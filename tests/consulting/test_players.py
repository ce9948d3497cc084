"""What players without a model score on every stored case; the gates try them on each blueprint as well."""

import numpy as np
import pytest
from bizgym.agents.base import RunContext
from bizgym.agents.baselines import consulting as players
from bizgym.agents.executors import make_env
from bizgym.agents.rollout import rollout
from bizgym.envs.consulting.blueprints import blueprint_ids
from bizgym.envs.consulting.tasks import all_tasks

ID = "bizgym/Consulting-v0"
ENV = make_env(ID, {})


def reward(player, task_id):
    run = RunContext(run_id="test", seed=0, settings={"env_id": ID, "env_kwargs": {}})
    return rollout(ENV, player, seed=0, task_id=task_id, trial=0, run=run).reward


def of(blueprint_id):
    return [task_id for task_id in all_tasks().ids if task_id.startswith(f"{blueprint_id}-")]


@pytest.mark.parametrize("blueprint_id", blueprint_ids())
def test_the_oracle_reaches_the_ceiling(blueprint_id):
    for task_id in of(blueprint_id):
        assert reward(players.Oracle(), task_id) == all_tasks().get(task_id).anchors.ceiling >= 9.5


@pytest.mark.parametrize("blueprint_id", blueprint_ids())
def test_traps_stay_low(blueprint_id):
    for task_id in of(blueprint_id):
        assert reward(players.DoNothing(), task_id) == 0.0
        assert reward(players.RefuseAll(), task_id) == 0.0
        assert reward(players.Talker(), task_id) <= 4.0
        assert reward(players.Hoarder(), task_id) <= 6.0


@pytest.mark.parametrize("blueprint_id", blueprint_ids())
def test_the_obvious_decision_is_wrong(blueprint_id):
    for task_id in of(blueprint_id):
        case = all_tasks().get(task_id).case
        assert case.solution.naive in case.options
        assert case.solution.naive != case.solution.decision


def test_players_that_try_lie_between():
    ids = [of(name)[k % 9] for k, name in enumerate(blueprint_ids())]
    means = {
        name: np.mean([reward(player(), task_id) for task_id in ids])
        for name, player in (
            ("random", players.RandomCalls),
            ("by_topic", players.ByTopic),
            ("first_principles", players.FirstPrinciples),
            ("oracle", players.Oracle),
        )
    }
    assert means["random"] + 5.0 <= means["oracle"]
    for name in ("by_topic", "first_principles"):
        assert means["random"] + 1.0 < means[name] < means["oracle"] - 2.0

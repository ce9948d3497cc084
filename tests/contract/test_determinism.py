"""Same seed, same bytes: across environments, processes and hash seeds, alone or interleaved."""

import json
import os
import subprocess
import sys

import pytest

from tests.contract.common import ALL_IDS, RANDOM_DEMAND, SOME_IDS, TEXT_IDS, actions_of, make, play, shipped_ids

KWARGS = {
    "bizgym/BeerGame-v0": [{}, {"demand": RANDOM_DEMAND, "information": "chain"}],
    "bizgym/DigitalTwin-v0": [{}, {"rounds": 3, "score": "best"}],
}
CASES = [(env_id, kwargs) for env_id in ALL_IDS for kwargs in KWARGS.get(env_id, [{}])]


@pytest.mark.parametrize(("env_id", "kwargs"), CASES)
def test_two_environments_with_one_seed_play_alike(env_id, kwargs):
    first, second = make(env_id, **kwargs), make(env_id, **kwargs)
    actions = actions_of(first, 20)
    assert actions == actions_of(second, 20)
    assert play(first, actions, seed=3) == play(second, actions, seed=3)


@pytest.mark.parametrize(("env_id", "kwargs"), CASES)
def test_an_environment_repeats_itself_after_any_other_episode(env_id, kwargs):
    env = make(env_id, **kwargs)
    actions = actions_of(env, 20)
    first = play(env, actions, seed=3)
    play(env, actions[::-1], seed=4)
    assert play(env, actions, seed=3) == first


@pytest.mark.parametrize(("env_id", "kwargs"), CASES)
def test_episodes_without_a_seed_follow_from_the_last_seed(env_id, kwargs):
    def chain(seed):
        env = make(env_id, **kwargs)
        actions = actions_of(env, 8)
        return [play(env, actions, seed=seed if k == 0 else None) for k in range(4)]

    assert chain(3) == chain(3)


def test_episodes_without_a_seed_differ_from_one_another():
    env = make("bizgym/BeerGame-v0", demand=RANDOM_DEMAND)
    firsts = [env.reset(seed=0 if k == 0 else None)[0] for k in range(20)]
    assert len(set(firsts)) > 10


def test_seeds_matter():
    for env_id, kwargs in (("bizgym/BeerGame-v0", {"demand": RANDOM_DEMAND}), ("bizgym-tests/Shop-v0", {})):
        env = make(env_id, **kwargs)
        assert len({env.reset(seed=seed)[0] for seed in range(20)}) > 10


@pytest.mark.parametrize(("env_id", "kwargs"), CASES)
def test_interleaved_environments_behave_as_each_alone(env_id, kwargs):
    envs = [make(env_id, **kwargs) for _ in range(2)]
    actions = actions_of(envs[0], 12)
    alone = [play(make(env_id, **kwargs), actions, seed=seed) for seed in (3, 4)]
    rows = [[[*env.reset(seed=seed), env.state_digest()]] for env, seed in zip(envs, (3, 4), strict=True)]
    for action in actions:
        for env, played in zip(envs, rows, strict=True):
            if env.stop_reason is None:
                played.append([*env.step(action), env.state_digest()])
    assert rows == alone


SCRIPT = """
import json, sys
from tests.contract.common import actions_of, make, play, shipped_ids
env = make(sys.argv[1], **json.loads(sys.argv[2]))
print(json.dumps(play(env, actions_of(env, 20), seed=3)))
print(env.save(), env.task_set_hash)
"""


@pytest.mark.parametrize(("env_id", "kwargs"), CASES)
def test_hash_seeds_change_no_byte(env_id, kwargs, pytestconfig):
    outputs = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(pytestconfig.rootpath)}
        command = [sys.executable, "-c", SCRIPT, env_id, json.dumps(kwargs)]
        outputs.append(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
    assert outputs[0] == outputs[1]
    env = make(env_id, **kwargs)
    assert json.loads(outputs[0].splitlines()[0]) == json.loads(json.dumps(play(env, actions_of(env, 20), seed=3)))


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_tasks_are_played_in_order_when_asked(env_id):
    ids = shipped_ids(env_id)[:3]
    env = make(env_id, tasks=list(ids), order="sequential")
    assert env.task_ids == ids
    for seed in (0, 9):
        played = [env.reset(seed=seed if k == 0 else None)[1]["task_id"] for k in range(2 * len(ids))]
        assert played == [*ids, *ids]
    assert [env.reset(seed=seed)[1]["task_id"] for seed in (0, 9)] == [ids[0]] * 2  # a seed begins the order anew


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_the_task_option_fixes_the_task(env_id):
    env = make(env_id)
    for task_id in shipped_ids(env_id)[:5]:
        for seed in (0, 1):
            assert env.reset(seed=seed, options={"task_id": task_id})[1]["task_id"] == task_id


@pytest.mark.parametrize("env_id", SOME_IDS)
@pytest.mark.parametrize(
    ("options", "hint"),
    [({"task-id": "x"}, "Did you mean 'task_id'?"), ({"spilt": "x"}, "Did you mean 'split'?"), ({3: 4}, "There are: ")],
)
def test_unknown_options_are_refused_with_the_nearest_name(env_id, options, hint):
    with pytest.raises(ValueError, match="there is no option") as error:
        make(env_id).reset(seed=0, options=options)
    assert hint in str(error.value)


@pytest.mark.parametrize("env_id", TEXT_IDS)
def test_unknown_tasks_are_refused_with_the_nearest_name(env_id):
    env = make(env_id)
    known = shipped_ids(env_id)[0]
    for call in (
        lambda: env.reset(options={"task_id": known + "x"}),
        lambda: env.reset(options={"tasks": [known + "x"]}),
        lambda: make(env_id, tasks=[known + "x"]),
    ):
        with pytest.raises(ValueError, match="there is no task") as error:
            call()
        assert "Did you mean '" in str(error.value)

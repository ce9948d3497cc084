"""What users report against comparable suites: the Gymnasium contract (G)."""

import ast
import inspect
import json
import pickle
import re
import subprocess
import sys
import warnings
from importlib.resources import files

import gymnasium as gym
import pytest
from bizgym.envs import make_vec
from bizgym.envs.beer_game.env import BeerGameEnv
from bizgym.envs.beer_game.state import Settings
from bizgym.envs.core import StopReason
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from omegaconf import OmegaConf

from tests.contract.common import ALL_IDS, RANDOM_DEMAND, TEXT_IDS, make, play

BEER_GAME = "bizgym/BeerGame-v0"


def order(quantity):
    return {"name": "place_order", "arguments": {"quantity": quantity}}


def numbers_of(observation):
    """The labelled numbers of a situation, by label."""
    return {label: int(number) for label, number in re.findall(r"^- ([^:]+): (\d+) units", observation, re.MULTILINE)}


def test_G01_the_seed_drives_the_whole_trajectory():
    def trajectory(seed):
        return play(make(BEER_GAME, demand=RANDOM_DEMAND), [order(100 + week) for week in range(20)], seed=seed)

    assert trajectory(3) == trajectory(3)
    assert trajectory(3)[1:] != trajectory(4)[1:]


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_G02_the_checker_warns_of_nothing_on_any_text(env_id):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(env_id))
        env = gym.make(env_id)
        env.reset(seed=0)
        observation, *_ = env.step("é\n😀 日本語")
    assert "é" in observation
    assert "😀" in observation


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_G03_vectors_work_with_non_ascii_text(mode):
    vector = make_vec(BEER_GAME, 2, vectorization_mode=mode)
    try:
        vector.reset(seed=0)
        observations, *_ = vector.step(("é\n😀", "日本語"))
        assert ["é\n😀" in observations[0], "日本語" in observations[1]] == [True, True]
    finally:
        vector.close()


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_G04_specs_are_json_and_omegaconf_nodes_are_refused_with_the_mend(env_id):
    env = gym.make(env_id, tasks=None, max_turns=3)
    assert json.loads(env.spec.to_json())["kwargs"] == {"tasks": None, "max_turns": 3}
    node = OmegaConf.create({"tasks": ["x"]}).tasks
    with pytest.raises(ValueError, match=r"tasks: .*OmegaConf\.to_container"):
        gym.make(env_id, tasks=node)


def test_G04_a_composed_config_makes_an_environment_whose_spec_is_json():
    config = OmegaConf.create({"role": "brewery", "demand": {"pattern": "uniform", "low": 1, "high": 9}})
    env = gym.make(BEER_GAME, **OmegaConf.to_container(config, resolve=True))
    assert json.loads(env.spec.to_json())["kwargs"]["demand"] == {"pattern": "uniform", "low": 1, "high": 9}


@pytest.mark.parametrize("env_id", TEXT_IDS)
def test_G06_a_step_after_the_end_raises_and_changes_nothing(env_id):
    env = make(env_id, max_turns=1)
    env.reset(seed=0)
    env.step("x")
    before = env.save(), env.state_digest()
    for _ in range(2):
        with pytest.raises(ResetNeeded):
            env.step(env.action_space.sample())
    assert (env.save(), env.state_digest()) == before


@pytest.mark.parametrize("env_id", ALL_IDS)
@pytest.mark.parametrize("action", ["\x00", "{}", {}, "x" * 1_000_001, None, [], b"\xff", float("nan")])
def test_G07_bad_actions_never_raise(env_id, action):
    env = make(env_id)
    env.reset(seed=0)
    before = env.state_digest()
    *_, info = env.step(action)
    assert info["error"]
    assert env.state_digest() == before


@pytest.mark.parametrize("env_id", ALL_IDS)
@pytest.mark.parametrize("empty", ["", "   ", None, [], {}])
def test_G08_empty_turns_end_by_themselves(env_id, empty):
    env = make(env_id)
    env.reset(seed=0)
    turns = 0
    while env.stop_reason is None and turns < 1_000:
        env.step(empty)
        turns += 1
    assert (turns, env.stop_reason) == (10, StopReason.MALFORMED_CALLS)


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_G09_environments_and_their_classes_can_be_pickled(env_id):
    env = gym.make(env_id)
    observation, _ = env.reset(seed=3)
    assert pickle.loads(pickle.dumps(type(env.unwrapped))) is type(env.unwrapped)
    assert pickle.loads(pickle.dumps(env)).reset(seed=3)[0] == observation
    vector = make_vec(env_id, 1, vectorization_mode="async", vector_kwargs={"context": "spawn"})
    try:
        assert vector.reset(seed=3)[0] == (observation,)
    finally:
        vector.close()


@pytest.mark.parametrize("make_line", ["import bizgym.envs; env = g.make('{}')", "env = g.make('bizgym.envs:{}')"])
def test_G10_both_ways_to_make_work_from_another_folder(make_line, tmp_path):
    code = f"import gymnasium as g; {make_line.format(BEER_GAME)}; print(env.reset(seed=0)[0][:10])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert ended.stdout.strip() == "You manage"


def test_G11_a_bare_import_at_the_root_fails_loudly(pytestconfig):
    if not (pytestconfig.rootpath / "envs").is_dir():
        pytest.skip("the tests run without the checkout")
    ended = subprocess.run(
        [sys.executable, "-c", "import envs"], cwd=pytestconfig.rootpath, capture_output=True, text=True
    )
    assert ended.returncode == 1
    assert "import bizgym.envs instead of envs" in ended.stderr


def test_G12_every_number_of_an_observation_has_a_label_a_unit_and_its_week():
    env = make(BEER_GAME, history_weeks=0)
    env.reset(seed=0)
    observation, *_ = env.step(order(150))
    situation = observation.split("At the start of the week:")[1]
    assert numbers_of(situation) == {
        "inventory": 400,
        "backlog": 0,
        "on order": 350,
        "shipment arriving in week 2": 100,
        "customer order of week 2": 400,
    }
    assert all(
        re.search(r"\d+ units|week \d+|from 0 to", line) for line in situation.splitlines() if re.search(r"\d", line)
    )
    assert "Week 2 of 25. You are the retailer." in observation


@pytest.mark.parametrize("role", ["retailer", "wholesaler", "distributor", "brewery"])
def test_G13_constant_demand_of_4_keeps_every_stage_at_its_steady_state(role):
    steady = {"initial_inventory": 12, "target_inventory": 12, "initial_flow": 4, "horizon": 30}
    env = make(BEER_GAME, role=role, demand={"pattern": "constant", "units": 4}, information="chain", **steady)
    observation, _ = env.reset(seed=0)
    for week in range(1, 31):
        seen = numbers_of(observation)
        assert (seen["inventory"], seen["backlog"], seen["on order"]) == (12, 0, 12)
        assert (seen[f"shipment arriving in week {week}"], seen[f"customer order of week {week}"]) == (4, 4)
        assert observation.count("inventory 12 units, backlog 0 units") == 3
        observation, _, terminated, _, info = env.step(order(4))
    assert terminated
    assert info["metrics"]["cost"] == 30 * 200.0  # the least inventory cost of a week, every week
    assert info["metrics"]["cost_chain"] == 4 * 30 * 200.0


@pytest.mark.parametrize("quantity", [-3, 2.5, 10**12, 5_001, "9" * 5_000])
def test_G14_orders_out_of_bounds_are_refused_and_nothing_is_clamped(quantity):
    env = make(BEER_GAME)
    env.reset(seed=0)
    before = env.state_digest()
    observation, reward, *_, info = env.step(f'{{"name": "place_order", "arguments": {{"quantity": {quantity}}}}}')
    assert (info["error"], reward) == ("bad_arguments", 0.0)
    assert "place_order: quantity: " in observation
    assert env.state_digest() == before
    *_, info = env.step(order(5_000))
    assert info["error"] == ""


def constants(package):
    """Module-level constants of a package, as (name, module) pairs."""
    for path in files(package).iterdir():
        if path.name.endswith(".py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
                yield from ((each.id, path.name) for each in targets if isinstance(each, ast.Name))


def test_G15_the_length_of_a_week_and_every_default_have_one_definition():
    homes = {}
    for name, module in constants("bizgym.envs.beer_game"):
        if not name.startswith("_"):
            homes.setdefault(name, set()).add(module)
    assert homes["DEFAULT_HORIZON_WEEKS"] == {"state.py"}
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}
    length = re.compile(r"(DAYS|HOURS|STEPS)_(PER|A|IN_A)_WEEK|(WEEK|STEP)_(DAYS|WEEKS|LENGTH|SIZE)|^DT$")
    assert [name for name in homes if length.search(name)] == []  # the week is the step: no number says how long


def test_G15_the_defaults_of_the_keywords_are_those_of_the_simulator():
    keywords = {name: each.default for name, each in inspect.signature(BeerGameEnv.__init__).parameters.items()}
    simulator = Settings()
    assert keywords["role"] == simulator.role
    assert keywords["ship_weeks"] == simulator.ship_weeks
    assert keywords["order_weeks"] == simulator.order_weeks
    assert keywords["horizon"] == simulator.horizon_weeks
    assert keywords["holding_cost"] == simulator.holding_cost_per_unit_week
    assert keywords["backlog_cost"] == simulator.backlog_cost_per_unit_week


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"role": "retaler"}, "did you mean 'retailer'?"),
        ({"demand": "unifrom"}, "did you mean 'uniform'?"),
        ({"policies": "typcal"}, "did you mean 'typical'?"),
        ({"information": "locl"}, "did you mean 'local'?"),
        ({"split": "trian"}, "did you mean 'train'?"),
        ({"tasks": ["defalt"]}, "did you mean 'default'?"),
    ],
)
def test_G17_unknown_names_are_refused_at_make_with_the_nearest(wrong, hint):
    with pytest.raises(ValueError) as error:
        gym.make(BEER_GAME, **wrong)
    assert hint in str(error.value).lower()


@pytest.mark.parametrize("env_id", TEXT_IDS)
@pytest.mark.parametrize("action", ["", "{}", "I cannot help with that."])
def test_G18_doing_nothing_and_refusing_pay_no_more_than_the_worst(env_id, action):
    env, forfeited = make(env_id), make(env_id)
    rows = play(env, [action] * 2_000, seed=0)
    forfeited.reset(seed=0)
    _, reward, _, _, info = forfeited.forfeit("refusal")
    assert sum(row[1] for row in rows[1:]) == reward
    assert info["metrics"].get("normalized", 0.0) <= 0.0


def test_G18_nothing_that_an_agent_sends_is_evaluated():
    names = {"eval", "exec", "compile", "__import__"}
    for package in ("bizgym.envs", "bizgym.envs.core", "bizgym.envs.beer_game"):
        for path in files(package).iterdir():
            if path.name.endswith(".py"):
                calls = [
                    node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
                ]
                used = {node.func.id for node in calls if isinstance(node.func, ast.Name)} & names
                assert not used, path.name

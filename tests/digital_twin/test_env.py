"""The environment: what each tool does and refuses, rounds, forfeits, and that reward and outcome agree."""

import json

import gymnasium as gym
import pytest
from bizgym import envs as _registers_the_ids  # noqa: F401
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.seeding import episode_rng
from bizgym.envs.digital_twin import scoring
from bizgym.envs.digital_twin.plan import Plan, Window
from bizgym.envs.digital_twin.scoring import empty_earnings, roll_out

from tests.digital_twin.firms import firm, project, spec, write

ENV = "bizgym/DigitalTwin-v0"
RISKY = {"extension_probability": 0.5, "extension_effort_months": 4.0, "follow_on_probability": 0.4}
PLAN = {"consultants": 2, "revenue_risk": 0.5, "projects": {"a": {"start_month": 1, "deadline_month": 12}}}
EMPTY = -24 * 10_000.0


@pytest.fixture
def path(tmp_path):
    return write(tmp_path, spec())


@pytest.fixture
def risky(tmp_path):
    return write(tmp_path, spec(project("a", **RISKY), project("b", **RISKY), gate="bernoulli"), name="risky.yaml")


def make(path, **kwargs):
    return gym.make(ENV, scenario=path, **kwargs).unwrapped


def call(env, name, **arguments):
    return env.step({"name": name, "arguments": arguments})


def planned(env, plan=PLAN):
    observation, _, _, _, info = call(env, "submit_plan", plan=plan)
    assert info["error"] == "", observation
    return call(env, "run_simulation")


def test_a_plan_made_step_by_step_equals_one_submitted_at_once(path):
    at_once, step_by_step = make(path), make(path)
    at_once.reset(seed=0)
    step_by_step.reset(seed=0)
    call(step_by_step, "set_workforce", consultants=2)
    call(step_by_step, "set_revenue_risk", level=0.5)
    call(step_by_step, "schedule_project", project_id="a", start_month=1, deadline_month=12)
    call(step_by_step, "schedule_project", project_id="b", start_month=2, deadline_month=11)
    call(step_by_step, "decline_project", project_id="b")
    call(at_once, "submit_plan", plan=PLAN)
    assert at_once.state_digest() == step_by_step.state_digest()
    assert call(at_once, "get_plan")[0] == call(step_by_step, "get_plan")[0]
    assert call(at_once, "run_simulation")[1] == call(step_by_step, "run_simulation")[1]


def test_the_reward_is_the_earnings_worked_out_by_hand(path):
    env = make(path)
    env.reset(seed=0)
    _, reward, terminated, truncated, info = planned(env)
    # Six months of effort at $20,000; 24 reported months of fixed cost, 23 of two consultants.
    assert reward == 6 * 20_000 - 24 * 10_000 - 23 * 2 * 8_000
    assert (terminated, truncated) == (True, False)
    assert info["reward_components"] == {"earnings": reward}
    metrics = info["metrics"]
    assert metrics["earnings"] == reward
    assert metrics["earnings_full"] == reward - 10_000 - 2 * 8_000
    assert metrics["revenue"] == 120_000
    assert metrics["utilization"] == pytest.approx(6 / 46)
    assert (metrics["peak_staff"], metrics["projects_won"], metrics["projects_lost"]) == (2.0, 1.0, 0.0)
    assert "normalized" not in metrics


def test_nothing_is_paid_before_the_end(path):
    env = make(path, rounds=3)
    env.reset(seed=0)
    replies = [planned(env) for _ in range(3)]
    assert [reply[1] for reply in replies[:2]] == [0.0, 0.0]
    assert [reply[2] for reply in replies] == [False, False, True]
    assert replies[2][1] == replies[2][4]["metrics"]["earnings"] < 0
    assert replies[0][4]["metrics"] == {}


@pytest.mark.parametrize(("how", "combine"), [("last", lambda e: e[-1]), ("best", max), ("mean", lambda e: sum(e) / 3)])
def test_the_rounds_make_the_score(path, how, combine):
    env = make(path, rounds=3, score=how)
    env.reset(seed=0)
    rewards = [planned(env, {**PLAN, "consultants": consultants}) for consultants in (2, 1, 4)]
    earned = [120_000 - 240_000 - 23 * 8_000 * consultants for consultants in (2, 1, 4)]
    assert rewards[-1][1] == pytest.approx(combine(earned))


def test_a_round_not_run_counts_as_an_empty_plan(path):
    for how, expected in (("last", EMPTY), ("best", EMPTY), ("mean", (EMPTY + -488_000.0) / 2)):
        env = make(path, rounds=2, score=how)
        env.reset(seed=0)
        assert planned(env)[1] == 0.0
        observation, reward, terminated, truncated, info = env.forfeit("max_tokens")
        assert reward == expected
        assert (terminated, truncated) == (False, True)
        assert "1 round not run" in observation
        assert info["metrics"]["earnings"] == expected


def test_an_episode_without_a_run_is_worth_an_empty_plan(path):
    env = make(path)
    env.reset(seed=0)
    assert env.forfeit("refusal")[1] == EMPTY == empty_earnings(firm())


def test_each_round_draws_new_coins_and_a_seed_repeats_them(risky):
    earned = []
    for seed in (1, 1, 2):
        env = make(risky, rounds=8, score="mean")
        env.reset(seed=seed)
        texts = [planned(env, {**PLAN, "revenue_risk": 1.0})[0] for _ in range(8)]
        earned.append([text.split("Accumulated earnings: ")[1].split(" (")[0] for text in texts])
    assert earned[0] == earned[1] != earned[2]
    assert len(set(earned[0])) > 1


def test_luck_of_a_project_does_not_depend_on_the_rest_of_the_plan():
    twin = firm(project("a", **RISKY), project("b", **RISKY), gate="bernoulli")
    window = Window(1, 12)
    for seed in range(50):
        both = roll_out(twin, Plan(4, 1.0, {"a": window, "b": window}), episode_rng(seed)).result.projects
        alone = roll_out(twin, Plan(2, 1.0, {"b": window}), episode_rng(seed)).result.projects
        assert [each for each in both if each.name.startswith("b")] == alone


def test_reads_change_nothing(path):
    env = make(path)
    env.reset(seed=0)
    call(env, "submit_plan", plan=PLAN)
    before = env.state_digest()
    assert (
        "| b | Inventory review b | 6 | 2 | $20,000 | none | none | 1 to 3 | 10 to 12 |"
        in call(env, "list_projects")[0]
    )
    assert "your plan: accepted, months 1 to 12" in call(env, "get_project", project_id="a")[0]
    assert "your plan: declined" in call(env, "get_project", project_id="b")[0]
    assert "a consultant costs $8,000 a month" in call(env, "get_firm")[0]
    assert (
        "- consultants: 2\n- revenue risk level: 0.5\n- accepted projects: 1, declined: 1" in call(env, "get_plan")[0]
    )
    assert env.state_digest() == before


REFUSED = [
    ("set_workforce", {"consultants": 7}, "bad_arguments", "consultants"),
    ("set_workforce", {"consultants": -1}, "bad_arguments", "consultants"),
    ("set_workforce", {"consultants": True}, "bad_arguments", "consultants"),
    ("set_revenue_risk", {"level": 1.01}, "bad_arguments", "level"),
    ("set_revenue_risk", {"level": "high"}, "bad_arguments", "level"),
    ("get_project", {"project_id": "c"}, "bad_arguments", "project_id"),
    ("schedule_project", {"project_id": "a", "start_month": 4, "deadline_month": 12}, "bad_arguments", "start_month"),
    ("schedule_project", {"project_id": "a", "start_month": 1.0, "deadline_month": 12}, "bad_arguments", "start_month"),
    ("submit_plan", {"plan": {**PLAN, "consultants": 99}}, "bad_arguments", "plan.consultants"),
    ("submit_plan", {"plan": {"consultants": 1}}, "bad_arguments", "plan.revenue_risk"),
    ("submit_plan", {"plan": {**PLAN, "projects": {"z": None}}}, "bad_arguments", "plan.projects.z"),
    (
        "submit_plan",
        {"plan": {**PLAN, "projects": {"b": {"start_month": 9, "deadline_month": 12}}}},
        "bad_arguments",
        "plan.projects.b.start_month",
    ),
    ("submit_plan", {"plan": PLAN | {"price": 3}}, "bad_arguments", "plan.price"),
    ("run_simulation", {"months": 25}, "bad_arguments", "months"),
]


@pytest.mark.parametrize(("name", "arguments", "code", "field"), REFUSED)
def test_what_lies_outside_the_bounds_is_refused_with_its_path(path, name, arguments, code, field):
    env = make(path)
    env.reset(seed=0)
    call(env, "submit_plan", plan=PLAN)
    before = env.state_digest()
    observation, reward, *_, info = call(env, name, **arguments)
    assert info["error"] == code
    assert f"{field}:" in observation
    assert reward == 0.0
    assert env.state_digest() == before


def test_bounds_of_one_project_within_those_of_all_are_a_rule_of_the_firm(tmp_path):
    late = project("late", start_month={"low": 8, "high": 9}, deadline_month={"low": 8, "high": 20})
    env = make(write(tmp_path, spec(project("a"), late)))
    env.reset(seed=0)
    before = env.state_digest()
    for arguments, complaint in (
        ({"project_id": "a", "start_month": 8, "deadline_month": 12}, "projects.a.start_month: an integer from 1 to 3"),
        ({"project_id": "late", "start_month": 9, "deadline_month": 8}, "projects.late.deadline_month: after start"),
    ):
        observation, *_, info = call(env, "schedule_project", **arguments)
        assert info["error"] == "tool_refused"
        assert info["tool_results"][0]["code"] == "outside_bounds"
        assert complaint in observation
    empty = {"late": {"start_month": 9, "deadline_month": 8}}
    observation, *_, info = call(env, "submit_plan", plan={**PLAN, "projects": empty})
    assert info["error"] == "tool_refused"
    assert "plan: projects.late.deadline_month: after start_month 9, not 8" in observation
    assert env.state_digest() == before


def test_a_plan_without_staff_or_risk_does_not_run(path):
    env = make(path)
    env.reset(seed=0)
    for name, arguments, missing in (
        ("get_plan", {}, "consultants and revenue_risk"),
        ("set_workforce", {"consultants": 0}, "revenue_risk"),
    ):
        call(env, name, **arguments)
        observation, *_, info = call(env, "run_simulation")
        assert info["tool_results"][0]["code"] == "plan_incomplete"
        assert f"decide {missing} first" in observation
    call(env, "set_revenue_risk", level=0)
    assert call(env, "run_simulation")[1] == EMPTY


def test_the_first_observation_is_complete(risky):
    env = make(risky)
    observation, _ = env.reset(seed=0)
    for part in (
        "Two partners",
        "fixed cost: $10,000",
        "consultants you may employ: 0 to 6",
        "revenue risk level: 0 to 1",
    ):
        assert part in observation
    assert "| a | Inventory review a | 6 | 2 | $20,000 | 0.5: +4 | 0.4 | 1 to 3 | 10 to 12 |" in observation
    assert "chance times the revenue risk level" in observation
    assert "one round" in observation


def test_the_schema_holds_the_bounds_and_every_project(path):
    schemas = {each["function"]["name"]: each["function"]["parameters"] for each in make(path).tools}
    assert schemas["set_workforce"]["properties"]["consultants"] == {
        "description": "Number of consultants.",
        "maximum": 6,
        "minimum": 0,
        "type": "integer",
    }
    assert schemas["decline_project"]["properties"]["project_id"]["enum"] == ["a", "b"]
    definitions = schemas["submit_plan"]["$defs"]
    assert list(definitions["projects"]["properties"]) == ["a", "b"]
    assert definitions["window_1"]["properties"]["deadline_month"] == {"maximum": 12, "minimum": 10, "type": "integer"}


@pytest.mark.parametrize(
    ("kwargs", "complaint"),
    [
        ({"rounds": 0}, "rounds: an integer from 1 to 100, not 0"),
        ({"rounds": True}, "rounds: "),
        ({"score": "lats"}, "Did you mean 'last'"),
        ({"gate": "treshold"}, "Did you mean 'threshold'"),
        ({"scenario": 3}, "scenario: the path of a file"),
    ],
)
def test_settings_are_checked(kwargs, complaint):
    with pytest.raises(SettingError, match=complaint):
        gym.make(ENV, **kwargs)


def test_outcome_agrees_with_the_rewards_of_random_play(risky):
    env = make(risky, rounds=2, score="mean")
    for seed in range(30):
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        rewards, history, ended = [], [], False
        while not ended:
            action = env.action_space.sample()
            _, reward, terminated, truncated, info = env.step(action)
            rewards.append(reward)
            if info["tool_results"][0]["ok"]:
                each = json.loads(action)
                history.append((each["name"], each["arguments"]))
            ended = terminated or truncated
        task = scoring.task_of({"scenario": risky, "rounds": 2, "score": "mean"}, info["task_id"], seed)
        found = scoring.outcome(task, history)
        assert found.reward == sum(rewards)
        assert dict(found.metrics) == info["metrics"]

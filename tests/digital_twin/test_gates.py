"""The two gates: where a coin decides, means agree with an independent replica; without risk both are the same."""

from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev

import numpy as np
import pytest
from bizgym.envs.core.errors import DataError, SettingError
from bizgym.envs.digital_twin.kpis import earnings
from bizgym.envs.digital_twin.scenario_file import reference_firms
from bizgym.envs.digital_twin.simulate import simulate
from bizgym.envs.digital_twin.state import coin_shape, draw_coins, run

FIRMS = reference_firms()
RUNS = 20_000
REPLICA = {  # mean and standard error over 100,000 to 200,000 runs of an independent replica
    "story_4": (-279_466, 415),
    "story_4_risk_0_5": (-413_192, 286),
    "story_5": (-1_433_905, 1_201),
}


@pytest.mark.parametrize("name", REPLICA)
def test_means_agree_with_the_replica(name):
    scenario = FIRMS[name].template.with_gate("bernoulli")
    rng = np.random.default_rng(1989)
    found = [earnings(scenario, run(scenario, draw_coins(scenario, rng)).booked) for _ in range(RUNS)]
    mean, error = REPLICA[name]
    own = stdev(found) / sqrt(RUNS)
    assert abs(fmean(found) - mean) <= 3 * sqrt(own**2 + error**2), (fmean(found), own)


@pytest.mark.parametrize("name", FIRMS)
def test_the_gates_coincide_without_risk(name):
    firm = replace(FIRMS[name], template=replace(FIRMS[name].template, revenue_risk=0.0))
    without = simulate(firm, gate="threshold")
    for seed in range(5):
        assert simulate(firm, gate="bernoulli", seed=seed) == without


@pytest.mark.parametrize("name", FIRMS)
def test_certain_events_at_full_risk_come_about_under_both_gates(name):
    template = FIRMS[name].template
    certain = [replace(each, extension_probability=1.0, follow_on_probability=1.0) for each in template.projects]
    firm = replace(FIRMS[name], template=replace(template.with_projects(certain), revenue_risk=1.0))
    assert simulate(firm, gate="bernoulli", seed=3) == simulate(firm, gate="threshold")


def test_seeds_make_the_run():
    firm = FIRMS["story_5"]
    runs = [simulate(firm, gate="bernoulli", seed=seed).earnings for seed in range(30)]
    assert runs == [simulate(firm, gate="bernoulli", seed=seed).earnings for seed in range(30)]
    assert len(set(runs)) > 10


def test_a_projects_luck_does_not_depend_on_the_others():
    """Common random numbers: to decline one project leaves the others' coins as they were."""
    template = replace(FIRMS["story_5"].template, gate="bernoulli")
    coins = draw_coins(template, np.random.default_rng(7))
    assert (len(coins), len(coins[0])) == coin_shape(template)
    whole = run(template, coins)
    idle = [replace(each, effort_months=0.0) if each.project_id == "p2" else each for each in template.projects]
    other = run(template.with_projects(idle), coins)
    assert whole.projects[0] == other.projects[0]
    assert whole.projects[1] != other.projects[1]


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "1", None])
def test_a_seed_is_a_number(seed):
    with pytest.raises(SettingError, match=r"^seed: an integer from 0"):
        simulate(FIRMS["story_4"], seed=seed)


def test_another_gate_is_named():
    with pytest.raises(SettingError, match="Did you mean 'bernoulli'"):
        simulate(FIRMS["story_4"], gate="bernouli")
    with pytest.raises(DataError, match=r"^gate: one of threshold, bernoulli"):
        FIRMS["story_4"].template.with_gate("coin")

"""The kernel on tables equals the rules played agent by agent, on random scenarios."""

import numpy as np
import pytest
from bizgym.envs.digital_twin import kernel
from bizgym.envs.digital_twin.state import draw_coins, run

from tests.digital_twin.replica import Replica
from tests.digital_twin.scenarios import efforts, random_scenario

SCENARIOS = 500
DECIMAL_DTS = (0.1, 0.2, 1 / 3)
STATES = kernel.STATE_NAMES


def played(seed, **kwargs):
    rng = np.random.default_rng([seed, 3])
    scenario = random_scenario(rng, **kwargs)
    coins = draw_coins(scenario, rng)
    return scenario, coins, run(scenario, coins), Replica(scenario, coins).run()


@pytest.mark.parametrize("block", range(10))
def test_every_booked_figure_and_every_project(block):
    for seed in range(block * SCENARIOS // 10, (block + 1) * SCENARIOS // 10):
        scenario, coins, mine, peer = played(seed)
        assert [list(step) for step in mine.booked] == peer.steps, seed
        assert [STATES[int(row[kernel.STATE])] for row in mine.projects] == [each.state for each in peer.projects]
        for name, attribute in (
            (kernel.REMAINING, "remaining"),
            (kernel.STAFF, "staff"),
            (kernel.EXTENSIONS, "extensions"),
            (kernel.START, "start"),
            (kernel.DEADLINE, "deadline"),
            (kernel.DELIVERED, "delivered"),
        ):
            assert [row[name] for row in mine.projects] == [getattr(each, attribute) for each in peer.projects], seed
        for found, wanted in zip(efforts(scenario, coins), peer.efforts, strict=True):
            assert found[: len(wanted)] == wanted
            assert not any(found[len(wanted) :])


def test_the_random_scenarios_reach_every_rule():
    """What the comparison above would be worth without: extensions, follow-ons, campaigns, forfeits, idle people."""
    peers = [played(seed)[3] for seed in range(SCENARIOS)]
    projects = [project for peer in peers for project in peer.projects]
    assert sum(project.extensions > 1 for project in projects) > 50
    assert sum(peer.scenario.gate == "bernoulli" for peer in peers) > 150
    assert sum(len(peer.projects) > len(peer.scenario.projects) for peer in peers) > 100
    assert sum(campaign.spawned for peer in peers for campaign in peer.campaigns) > 20
    assert sum(0 < project.delivered < project.contracted for project in projects) > 100
    assert {project.state for project in projects} == set(STATES)


@pytest.mark.parametrize("seed", range(40))
def test_steps_that_binary_fractions_do_not_hold(seed):
    _, _, mine, peer = played(seed, dts=DECIMAL_DTS)
    assert np.allclose([list(step) for step in mine.booked], peer.steps, rtol=1e-9, atol=1e-6)

"""What holds in every run: effort, posts, deadlines and money, on 500 random scenarios."""

import numpy as np
import pytest
from bizgym.envs.digital_twin import kernel
from bizgym.envs.digital_twin.kernel import (
    BILLED,
    CONTRACTED,
    DEADLINE,
    DELIVERED,
    EFFORT,
    EXTENSION,
    EXTENSIONS,
    START,
)
from bizgym.envs.digital_twin.kpis import report
from bizgym.envs.digital_twin.scenario import Consultants, Controlling, Project
from bizgym.envs.digital_twin.state import advance, draw_coins, initial_state, run

from tests.digital_twin.scenarios import efforts, random_scenario

SEEDS = range(500)
BLOCKS = [SEEDS[k : k + 50] for k in range(0, len(SEEDS), 50)]


def drawn(seed):
    rng = np.random.default_rng([seed, 5])
    scenario = random_scenario(rng)
    return scenario, draw_coins(scenario, rng)


@pytest.mark.parametrize("seeds", BLOCKS, ids=str)
def test_no_effort_beyond_what_is_contracted_and_extended(seeds):
    for seed in seeds:
        for row in run(*drawn(seed)).projects:
            assert 0 <= row[DELIVERED] + row[EFFORT] <= row[CONTRACTED] + row[EXTENSIONS] * row[EXTENSION], seed


@pytest.mark.parametrize("seeds", BLOCKS, ids=str)
def test_nobody_is_on_two_projects_and_nobody_is_lost(seeds):
    for seed in seeds:
        scenario, coins = drawn(seed)
        state = initial_state(scenario)
        for _ in scenario.times:
            before = state
            state, _ = advance(scenario, state, coins)
            posted = sum(sum(posts) for posts in state.postings)
            assert posted + sum(crew[kernel.CREW_FREE] for crew in state.crews) == scenario.n_consultants
            assert all(post >= 0 and post == int(post) for posts in state.postings for post in posts)
            for k in range(state.n_projects):  # who works on a project is posted to it
                row, was = state.projects[k], before.projects[k]
                effort = row[DELIVERED] + row[EFFORT] - was[DELIVERED] - was[EFFORT]
                assert effort <= sum(posts[k] for posts in state.postings) * scenario.dt_months, seed


@pytest.mark.parametrize("seeds", BLOCKS, ids=str)
def test_no_effort_outside_the_window(seeds):
    for seed in seeds:
        scenario, coins = drawn(seed)
        dt, ahead = scenario.dt_months, opened_ahead_of_consultants(scenario)
        rows = run(scenario, coins).projects
        for t, months in zip(scenario.times, efforts(scenario, coins), strict=True):
            for k in (k for k, effort in enumerate(months) if effort > 0):
                start, deadline = rows[k][START], rows[k][DEADLINE]
                assert t > start or (t == start and k in ahead), seed
                assert t < deadline + dt, "the step in which the deadline falls is the last one"
                assert t <= deadline or deadline not in scenario.times, seed


def opened_ahead_of_consultants(scenario):
    """Projects that open in a step before somebody acts in it, and so can be worked on at once."""
    last = max((k for k, agent in enumerate(scenario.agents) if isinstance(agent, Consultants)), default=-1)
    early = [agent.project_id for agent in scenario.agents[:last] if isinstance(agent, Project)]
    return {k for k, project in enumerate(scenario.projects) if project.project_id in early}


@pytest.mark.parametrize("seeds", BLOCKS, ids=str)
def test_money_adds_up(seeds):
    for seed in seeds:
        scenario, coins = drawn(seed)
        played = run(scenario, coins)
        result = report(scenario, played)
        steps = result.steps
        billed = sum(row[BILLED] for row in played.projects)
        assert all(row[BILLED] == pytest.approx(row[DELIVERED] * row[kernel.RATE]) for row in played.projects)
        unreported = billed - sum(step.revenue for step in steps)
        assert 0 <= round(unreported, 6) <= round(billed_in_the_last_step(scenario, coins), 6), seed
        assert result.earnings_full == pytest.approx(sum(step.revenue - step.expenses for step in steps))
        assert result.earnings == pytest.approx(result.earnings_full - steps[-1].earnings)
        assert [step.accumulated_earnings for step in steps] == pytest.approx(
            [step.accumulated_revenue - step.accumulated_expenses for step in steps]
        )
        assert sum(step.expenses for step in steps) == pytest.approx(expenses(scenario))


def billed_in_the_last_step(scenario, coins):
    state = initial_state(scenario)
    for _ in scenario.times:
        before = state
        state, _ = advance(scenario, state, coins)
    return sum(row[BILLED] - was[BILLED] for row, was in zip(state.projects, before.projects, strict=True))


def expenses(scenario):
    """Salaries and workplaces by the month; a group that acts after controlling is booked a step later."""
    steps, dt = scenario.n_steps, scenario.dt_months
    total = steps * scenario.fixed_cost_per_month * dt
    controlling = scenario.agents.index(Controlling())
    for place, agent in enumerate(scenario.agents):
        if isinstance(agent, Consultants):
            cost = agent.salary_per_month + agent.workplace_cost_per_month
            total += (steps - (place > controlling)) * agent.count * cost * dt
    return total


def test_an_unopened_project_is_worth_nothing():
    """A start off the clock's grid never comes, and a deadline that is not after the start leaves no time."""
    for seed in SEEDS[:100]:
        scenario, coins = drawn(seed)
        for row in run(scenario, coins).projects:
            if row[START] not in scenario.times or row[DEADLINE] <= row[START]:
                assert row[DELIVERED] == row[EFFORT] == 0.0


@pytest.mark.parametrize("seeds", BLOCKS[:4], ids=str)
def test_a_run_is_its_steps(seeds):
    for seed in seeds:
        scenario, coins = drawn(seed)
        state, booked = initial_state(scenario), []
        for _ in scenario.times:
            state, step = advance(scenario, state, coins)
            booked.append(step)
        whole = run(scenario, coins)
        assert (booked, [list(row) for row in state.projects[: state.n_projects]]) == whole, seed

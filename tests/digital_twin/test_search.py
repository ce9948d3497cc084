"""The search against enumeration, closed forms and known optima."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from bizgym.envs.digital_twin.kpis import earnings
from bizgym.envs.digital_twin.plan import Bounds, Plan, Range, Window
from bizgym.envs.digital_twin.scenario_file import reference_firms
from bizgym.envs.digital_twin.search import exhaustive, heuristics, improve
from bizgym.envs.digital_twin.search.bound import upper_bound
from bizgym.envs.digital_twin.search.evaluate import Evaluator
from bizgym.envs.digital_twin.state import no_coins, run

from tests.digital_twin.firms import firm, project
from tests.digital_twin.planning import firm_of
from tests.digital_twin.scenarios import random_scenario

QUICK = improve.Budget(6, 1_000, scout_runs=20, kept=2, walk_runs=40, climb_runs=100, final_runs=500)
# Two projects that compete for people, one of them extended at length.
RIVALS = (
    project(
        "long", effort_months=20.0, extension_probability=0.6, extension_effort_months=9.0, rate_per_month=15_000.0
    ),
    project(
        "late",
        effort_months=16.0,
        start_month={"low": 6, "high": 7},
        follow_on_probability=0.3,
        rate_per_month=45_000.0,
    ),
)


def earned(of, plan):
    scenario = of.scenario(plan)
    return earnings(scenario, run(scenario, no_coins(scenario)).booked)


def small(**changes):
    made = firm(*RIVALS, **changes)
    return replace(made, bounds=replace(made.bounds, consultants=Range(0, 3)))


def all_plans(of, levels):
    options = [[None, *bounds.windows] for bounds in of.bounds.projects.values()]
    staff = range(int(of.bounds.consultants.low), int(of.bounds.consultants.high) + 1)
    for windows, consultants, level in product(product(*options), staff, levels):
        chosen = {each: window for each, window in zip(of.bounds.projects, windows, strict=True) if window}
        yield Plan(consultants, level, chosen)


def test_the_proof_plays_every_plan():
    of = small()
    levels = exhaustive.distinct_levels(of)
    plan, best, played = exhaustive.prove(of)
    each = [earned(of, found) for found in all_plans(of, levels)]
    assert played == len(each) == exhaustive.count_plans(of) == 10 * 7 * 4 * 3
    assert best == max(each) == earned(of, plan)


def test_levels_between_the_distinct_ones_make_no_other_plan():
    of = small()
    levels = exhaustive.distinct_levels(of)
    plan = Plan(3, 0.0, {"long": Window(1, 12), "late": Window(6, 12)})
    known = {earned(of, replace(plan, revenue_risk=level)) for level in levels}
    fine = {earned(of, replace(plan, revenue_risk=k / 1000)) for k in range(1001)}
    assert len(known) == len(levels) == 3
    assert fine == known


def test_a_bernoulli_firm_is_not_enumerated():
    of = small(gate="bernoulli")
    assert not exhaustive.is_provable(of)
    with pytest.raises(ValueError, match="bernoulli"):
        exhaustive.prove(of)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_search_finds_what_enumeration_proves(seed):
    of = small()
    _, best, _ = exhaustive.prove(of)
    plan, found = improve.best_plan(of, seed, QUICK)
    assert found == best == earned(of, plan)


def test_the_search_is_a_function_of_its_seed():
    of = small(gate="bernoulli")
    assert improve.best_plan(of, 5, QUICK) == improve.best_plan(of, 5, QUICK)


def test_the_bernoulli_search_beats_every_plan_of_a_coarse_grid():
    of = small(gate="bernoulli")
    plan, _ = improve.best_plan(of, 1, QUICK)
    judge = Evaluator(of, 2_000, seed=99)
    grid = list(all_plans(of, (0.0, 0.5, 1.0)))
    best = judge.means(judge.encode(grid)).max()
    assert judge.mean(plan) >= best - 0.005 * abs(best)


@pytest.mark.parametrize(
    ("name", "bound"),
    [
        # Staff * 22 counted work steps * rate - 24 * fixed - 23 * staff * 8000, at the sum of the caps.
        ("story_4", 2 * 22 * 18_000 - 24 * 10_000 - 23 * 2 * 8_000),
        ("story_5", 22 * (6 * 18_000 + 4 * 16_000) - 24 * 40_000 - 23 * 10 * 8_000),
        ("story_1", -24 * 15),
        # Six people, and work in each of the 97 quarters of a month that are still booked.
        ("interactive", 6 * 97 / 4 * 18_000 - 99 / 4 * 40_000 - 99 / 4 * 6 * 8_000),
    ],
)
def test_the_bound_of_the_reference_scenarios(name, bound):
    assert upper_bound(reference_firms()[name]) == pytest.approx(bound, abs=1e-6)


@pytest.mark.parametrize("name", ["story_4", "story_5"])
def test_the_longest_windows_attain_the_bound(name):
    of = reference_firms()[name]
    windows = {each: Window(1, 25) for each in of.bounds.projects}
    staff = int(sum(each.staffing_cap for each in of.template.projects))
    assert earned(of, Plan(staff, 1.0, windows)) == upper_bound(of)


def test_no_random_plan_exceeds_the_bound():
    near = 0
    for seed in range(300):
        rng = np.random.default_rng([seed, 23])
        of = firm_of(random_scenario(rng), rng)
        evaluator, bound = Evaluator(of, 10, seed=seed), upper_bound(of)
        best = evaluator.means(heuristics.draw(evaluator, 100, rng)).max()
        assert best <= bound + 1e-6 * abs(bound), seed
        near += best >= bound - 1e-6 * abs(bound)
    assert near > 10  # some firms attain it, so that it is not merely large


def test_the_trivial_plan_takes_everything():
    of = firm(project("a"), project("b", staffing_cap=3))
    wide = {"a": Window(1, 12), "b": Window(1, 12)}
    assert heuristics.trivial(of) == Plan(5, 1.0, wide)
    capped = replace(of, bounds=Bounds(Range(1, 4), Range(0.0, 0.7), of.bounds.projects))
    assert heuristics.trivial(capped) == Plan(4, 0.7, wide)


def test_the_margin_plan_takes_what_bills_above_cost():
    of = firm(project("cheap", rate_per_month=7_999.0), project("even", rate_per_month=8_000.0), project("good"))
    # Six consultant-months in 24 months at 80 % take less than half a consultant; somebody must do them.
    assert heuristics.margin(of) == Plan(1, 0.5, {"good": Window(1, 12)})


def test_greedy_adds_what_no_single_further_project_improves():
    of = small(gate="bernoulli")
    plan = heuristics.greedy(of)
    evaluator = Evaluator(of, heuristics.SHARED_RUNS, heuristics.SHARED_SEED)
    best = evaluator.mean(plan)
    assert best >= evaluator.mean(replace(plan, projects={}))
    for project_id, bounds in of.bounds.projects.items():
        if project_id not in plan.projects:
            for window in bounds.windows:
                more = replace(plan, projects={**plan.projects, project_id: window})
                assert evaluator.mean(more) <= best + heuristics.MIN_GAIN


def test_each_heuristic_is_as_good_as_the_one_that_it_refines():
    of = small(gate="bernoulli")
    evaluator = Evaluator(of, heuristics.SHARED_RUNS, heuristics.SHARED_SEED)
    assert evaluator.mean(heuristics.greedy_tuned(of)) >= evaluator.mean(heuristics.greedy(of))
    few, many = (evaluator.mean(heuristics.random_search(of, plans, seed=3)) for plans in (1, 3_000))
    assert few <= many
    assert many > evaluator.mean(Plan())


def test_a_window_outside_the_bounds_is_refused():
    of = small()
    with pytest.raises(ValueError):
        Evaluator(of).encode([Plan(1, 0.5, {"late": Window(1, 12)})])

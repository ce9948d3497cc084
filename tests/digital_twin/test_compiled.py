"""The compiled kernel and the interpreted one are the same function, to the bit."""

import numpy as np
import pytest
from bizgym.envs.digital_twin.kernel import BOOK_FIELDS
from bizgym.envs.digital_twin.kpis import earnings
from bizgym.envs.digital_twin.plan import Plan
from bizgym.envs.digital_twin.scoring import coins_for
from bizgym.envs.digital_twin.search import compiled
from bizgym.envs.digital_twin.search.evaluate import Evaluator
from bizgym.envs.digital_twin.search.heuristics import draw
from bizgym.envs.digital_twin.state import coin_shape, draw_coins, run, tables

from tests.digital_twin.planning import firm_of
from tests.digital_twin.scenarios import random_scenario

pytest.importorskip("numba")
SCENARIOS, PLANS, RUNS = 200, 3, 4


def compiled_run(scenario, coins):
    """Return what controlling books and the projects' rows, played by the compiled kernel on arrays."""
    play_step, start = compiled.compiled()["play_step"], tables(scenario)
    n_campaigns, n_crews = len(start.campaigns), len(start.crews)
    projects = np.array(start.projects, dtype=float).reshape(len(start.projects), 21)
    campaigns = np.array(start.campaigns, dtype=float).reshape(n_campaigns, 7)
    crews = np.array(start.crews, dtype=float).reshape(n_crews, 4)
    postings = np.array(start.postings, dtype=float).reshape(n_crews, len(start.projects) + n_campaigns)
    programme, firm = np.array(start.programme), np.array(start.firm)
    drawn = np.array(coins, dtype=float).reshape(coin_shape(scenario))
    book, row, n_projects = np.zeros(BOOK_FIELDS), np.zeros(BOOK_FIELDS), len(scenario.projects)
    booked = []
    for t in scenario.times:
        n_projects = play_step(
            float(t), n_projects, programme, firm, projects, campaigns, crews, postings, drawn, book, row
        )
        booked.append(tuple(row.tolist()))
    return booked, projects[:n_projects].tolist()


def test_200_random_scenarios_run_the_same_compiled_and_interpreted():
    for seed in range(SCENARIOS):
        rng = np.random.default_rng([seed, 21])
        scenario = random_scenario(rng)
        coins = draw_coins(scenario, rng)
        played = run(scenario, coins)
        assert compiled_run(scenario, coins) == ([tuple(step) for step in played.booked], played.projects), seed


def test_200_random_firms_score_plans_as_their_scenarios_run():
    for seed in range(SCENARIOS):
        rng = np.random.default_rng([seed, 22])
        firm = firm_of(random_scenario(rng), rng)
        fast, slow = Evaluator(firm, RUNS, seed=seed), Evaluator(firm, RUNS, seed=seed, interpreted=True)
        plans = draw(fast, PLANS, rng)
        scores = fast.means(plans)
        assert scores.tolist() == slow.means(plans).tolist()
        coins = np.random.default_rng(seed).random((RUNS, *coin_shape(firm.template))).tolist()
        for k in range(PLANS):
            scenario, total = firm.scenario(fast.decode(plans, k)), 0.0
            for drawn in coins[: fast.runs]:
                total += earnings(scenario, run(scenario, coins_for(firm, scenario, drawn)).booked)
            assert scores[k] == total / fast.runs


def test_fresh_runs_are_those_of_their_seed_however_many_are_held_at_a_time(monkeypatch):
    rng = np.random.default_rng(4)
    firm = firm_of(random_scenario(rng, campaigns=False).with_gate("bernoulli"), rng)
    evaluator = Evaluator(firm, 1)
    plan = Plan(4, 0.7, {each: windows[0] for each, windows in zip(evaluator.ids, evaluator.windows, strict=True)})
    whole = evaluator.fresh(plan, 40, 9)
    monkeypatch.setattr("bizgym.envs.digital_twin.search.evaluate.MEMORY_LIMIT_NUMBERS", 1)
    assert evaluator.fresh(plan, 40, 9).tolist() == whole.tolist()
    assert len(set(whole.tolist())) > 1
    assert Evaluator(firm, 40, seed=9).mean(plan) == pytest.approx(float(np.mean(whole)), rel=1e-12)


def test_without_numba_the_interpreted_kernel_is_used(monkeypatch):
    rng = np.random.default_rng(8)
    firm = firm_of(random_scenario(rng), rng)
    fast = Evaluator(firm, RUNS)
    monkeypatch.setattr(compiled, "is_available", lambda: False)
    monkeypatch.setattr(compiled, "compiled", lambda: pytest.fail("numba was asked for"))
    plain = Evaluator(firm, RUNS)
    plans = draw(plain, 10, rng)
    assert plain.means(plans).tolist() == fast.means(plans).tolist()

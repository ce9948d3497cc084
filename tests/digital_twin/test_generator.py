"""Generated scenarios: reproducible, within their size, worth planning, and written with sense."""

import re
from itertools import islice

import numpy as np
import pytest
from bizgym.envs.core.errors import SettingError
from bizgym.envs.digital_twin.generator import MAX_TRIVIAL, draws, generate
from bizgym.envs.digital_twin.market import MARKETS, ROLES, SCALES, SIZES, phrases
from bizgym.envs.digital_twin.plan import Plan
from bizgym.envs.digital_twin.scenario import GATES, WORKING_DAYS_PER_MONTH
from bizgym.envs.digital_twin.search.evaluate import Evaluator
from bizgym.envs.digital_twin.search.heuristics import greedy_tuned, trivial
from bizgym.envs.digital_twin.spec import ScenarioSpec
from bizgym.envs.digital_twin.tasks import shipped_tasks
from bizgym.envs.digital_twin.taskset import drafts, original, shipped_task_ids

PROJECTS = {"small": (5, 6), "medium": (10, 18), "large": (25, 40)}


def some(size, gate, many=6):
    return [spec for seed in (100, 101) for spec in islice(draws(seed, size, gate), many // 2)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("gate", GATES)
def test_a_draw_has_its_size_and_survives_its_own_file_form(size, gate):
    for spec in some(size, gate):
        low, high = PROJECTS[size]
        assert low <= len(spec.projects) <= high
        assert spec.gate == gate
        assert spec.months == 25
        assert len({project.name for project in spec.projects}) == len(spec.projects)
        assert ScenarioSpec.model_validate(spec.model_dump()) == spec
        caps = sum(project.staffing_cap for project in spec.projects)
        assert spec.firm.consultants.high < 0.65 * caps
        for project in spec.projects:
            windows = len(project.bounds.windows)
            assert 2 <= windows <= (5 if size == "small" else 12)
            assert project.rate_per_month % WORKING_DAYS_PER_MONTH == 0


def test_the_small_ones_can_be_enumerated():
    for spec in some("small", "threshold"):
        options = [len(project.bounds.windows) + 1 for project in spec.projects]
        assert max(options) <= 6
        assert np.prod(options) <= 6**6


@pytest.mark.parametrize(("size", "gate"), [("small", "threshold"), ("medium", "bernoulli")])
def test_the_same_seed_is_the_same_scenario_and_another_one_is_not(size, gate):
    assert generate(200, size, gate) == generate(200, size, gate)
    assert generate(200, size, gate).projects != generate(201, size, gate).projects


@pytest.mark.parametrize("seed", range(300, 303))
def test_an_accepted_scenario_earns_and_is_not_trivial(seed):
    firm = generate(seed, "medium", "bernoulli").as_firm
    judge = Evaluator(firm, 2_000, seed=77)
    floor, good, simple = (judge.mean(plan) for plan in (Plan(), greedy_tuned(firm), trivial(firm)))
    spread = 4 * judge.fresh(greedy_tuned(firm), 2_000, 5).std() / 100**0.5  # of a mean over the shared runs
    assert good > -spread
    assert simple - floor < MAX_TRIVIAL * (good - floor) + spread


def test_what_makes_planning_matter_is_built_in():
    specs = some("large", "bernoulli", 4) + some("medium", "bernoulli", 10)
    below, first, overlaps = 0, [], 0
    for spec in specs:
        cost = spec.firm.salary_per_month + spec.firm.workplace_cost_per_month
        poor = [project.rate_per_month < cost for project in spec.projects]
        below += any(poor)
        first.append(np.mean(np.flatnonzero(poor)) / len(poor) if any(poor) else 0.5)
        good = [project for project in spec.projects if project.rate_per_month > cost]
        busy = [sum(p.staffing_cap for p in good if p.start_month.low < t <= p.deadline_month.high) for t in range(25)]
        overlaps += max(busy) > spec.firm.consultants.high
    assert below == len(specs)  # every firm is offered work at a loss
    assert np.mean(first) < 0.35  # and it stands early in the list, where idle consultants find it first
    assert overlaps > len(specs) / 2  # and work that pays could use more people than there are
    widths = [p.start_month.high - p.start_month.low for spec in specs for p in spec.projects]
    assert max(widths) <= 3
    probabilities = [p.extension_probability for spec in specs for p in spec.projects]
    rates = [
        p.rate_per_month / (spec.firm.salary_per_month + spec.firm.workplace_cost_per_month)
        for spec in specs
        for p in spec.projects
    ]
    assert np.corrcoef(probabilities, rates)[0, 1] < -0.5  # the poorer the work, the likelier its extension


def test_the_words_are_whole_and_nobody_is_named_twice():
    words = phrases()
    assert set(words.situations) == set(MARKETS)
    for sector in words.sectors:
        for trade in {role.trade for role in ROLES.values()}:
            titles = sector.titles(trade)
            assert len(set(titles)) == len(titles) >= 12
        asked = {client for trade in ("staffing", "standard", "premium") for client in _clients(sector, trade)}
        assert asked == set(sector.clients)
    for market in MARKETS.values():
        assert sum(market.shares.values()) == pytest.approx(1.0)
        assert set(market.shares) == set(market.opens) == set(ROLES)
    # Three sectors hold enough titles of each trade for the largest scenario.
    most = SCALES["large"].projects[1]
    for trade in ("staffing", "standard", "premium"):
        share = max(sum(m.shares[r] for r in ROLES if ROLES[r].trade == trade) for m in MARKETS.values())
        fewest = sorted(len(sector.titles(trade)) for sector in words.sectors)[:3]
        assert sum(fewest) >= share * most + 1


def _clients(sector, trade):
    return [client for clients in getattr(sector, trade).values() for client in clients]


def test_a_brief_tells_what_a_month_costs_and_leaves_no_gap():
    for spec in some("small", "bernoulli") + some("large", "threshold", 2):
        cost = spec.firm.salary_per_month + spec.firm.workplace_cost_per_month
        assert f"${cost:,.0f}" in spec.brief
        assert f"${spec.firm.fixed_cost_per_month:,.0f}" in spec.brief
        assert re.search(rf"\b{spec.firm.consultants.high}\b", spec.brief)
        capped = f"{spec.firm.max_revenue_risk:g}" in spec.brief
        assert capped or spec.firm.max_revenue_risk == 1.0
        assert not re.search(r"[{}]|  |\.\.| a [aeio]", spec.brief)
        assert len(spec.brief) > 300


@pytest.mark.parametrize(
    "arguments", [(-1, "small", "threshold"), (True, "small", "threshold"), (1, "tiny", "threshold"), (1, "small", "x")]
)
def test_what_cannot_be_drawn_is_refused(arguments):
    with pytest.raises(SettingError, match=r"^(seed|size|gate): "):
        generate(*arguments)


@pytest.mark.parametrize("task_id", ["small-01", "small-11", "medium-05"])
def test_a_shipped_scenario_is_that_of_its_seed(task_id):
    (draft,) = [draft for draft in drafts() if draft.task_id == task_id]
    assert original(draft) == shipped_tasks().get(task_id).changed(anchors=None)


def test_the_shipped_tasks_are_those_of_the_table():
    assert list(shipped_tasks().ids) == shipped_task_ids()

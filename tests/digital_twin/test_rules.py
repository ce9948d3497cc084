"""Single rules by hand: the clock in fractions, the order of action, campaigns, deadlines."""

from dataclasses import replace

import pytest
from bizgym.envs.digital_twin.kpis import report
from bizgym.envs.digital_twin.plan import Plan, Window
from bizgym.envs.digital_twin.scenario import Campaign, Consultants, Controlling, Scenario
from bizgym.envs.digital_twin.scenario_file import reference_firms
from bizgym.envs.digital_twin.simulate import simulate
from bizgym.envs.digital_twin.state import no_coins, run

FIRMS = reference_firms()
STORY_3 = FIRMS["story_3"].template


def simulated(scenario):
    return report(scenario, run(scenario, no_coins(scenario)))


@pytest.mark.parametrize("dt", [1.0, 0.5, 0.25, 0.2, 0.125, 0.1])
def test_a_finer_clock_moves_costs_by_what_is_booked_later(dt):
    """Two people, six months of effort from month 3 on: all of it is paid; the last step's costs are never reported."""
    result = simulated(replace(STORY_3, dt_months=dt))
    steps = round(25 / dt)
    assert len(result.steps) == steps
    assert result.steps[-1].t == pytest.approx(26 - dt)
    costs = (steps - 1) * dt * 15 + (steps - 2) * dt * 2 * 7_000
    assert result.earnings == pytest.approx(6 * 18_000 - costs)
    assert result.projects[0].delivered_months == pytest.approx(6)
    first = next(step.t for step in result.steps if step.revenue > 0)
    assert first == pytest.approx(3 + 2 * dt), "opened, worked on a step later, booked a step later"


@pytest.mark.parametrize("start", [3.1, 2.5, 0.0, 26.0])
def test_a_start_off_the_clock_never_comes(start):
    project = replace(STORY_3.projects[0], start_month=start)
    assert simulated(STORY_3.with_projects([project])).steps[-1].accumulated_revenue == 0
    if start == 2.5:
        assert simulated(replace(STORY_3.with_projects([project]), dt_months=0.5)).projects[0].won


def test_the_order_of_action_is_the_scenarios():
    controlling, consultants, project = STORY_3.agents
    stories = simulated(STORY_3)
    behind = simulated(replace(STORY_3, agents=(consultants, controlling, project)))
    assert (stories.steps[0].expenses, behind.steps[0].expenses) == (15, 15 + 14_000)
    assert behind.earnings == stories.earnings - 14_000
    early = simulated(replace(STORY_3, agents=(controlling, project, consultants)))
    first = [next(step.t for step in result.steps if step.revenue > 0) for result in (stories, early)]
    assert first == [5, 5], "work begins at once, and is reported by the project a step later"
    assert early.projects[0].delivered_months == 6


def test_the_first_ready_project_is_opened_before_a_started_one_is_filled():
    project = replace(STORY_3.projects[0], effort_months=8.0, staffing_cap=3.0)
    second = replace(project, project_id="p2", rate_per_month=1_000.0)
    scenario = replace(STORY_3, agents=(Controlling(), Consultants(3, 0.0, 0.0), project, second))
    result = simulated(scenario)
    assert result.steps[4].revenue == 18_000 * 2 + 1_000, "one opens each, the third joins the first"


def test_a_released_consultant_stands_idle_for_a_step():
    project = replace(STORY_3.projects[0], effort_months=2.0, staffing_cap=1.0)
    second = replace(project, project_id="p2")
    scenario = replace(STORY_3, agents=(Controlling(), Consultants(1, 0.0, 0.0), project, second))
    assert [step.t for step in simulated(scenario).steps if step.revenue > 0] == [5, 6, 8, 9]


def test_effort_at_the_deadline_is_paid_and_none_after_it():
    result = simulate(FIRMS["story_3"], Plan(1, 1.0, {"p1": Window(3, 7)}))
    assert result.steps[-1].accumulated_revenue == 4 * 18_000, "months 4 to 7"
    assert result.projects[0].won is False


def test_a_deadline_behind_the_last_month_brings_no_follow_on():
    project = replace(FIRMS["story_4"].template.projects[0], deadline_month=26.0)
    assert simulated(FIRMS["story_4"].template.with_projects([project])).steps[-1].projects == 1


def campaign_firm(consultants, campaign, revenue_risk=1.0):
    return Scenario(
        name="campaign",
        agents=(Controlling(), Consultants(consultants, 6_000.0, 2_000.0), campaign),
        fixed_cost_per_month=10_000.0,
        revenue_risk=revenue_risk,
    )


def test_a_campaign_by_hand():
    """Opens in month 2, takes two people in 3 and 4, brings two projects for months 7 to 19; one person on each.

    They have 12 months of effort each, months 8 to 19: the deadline comes just as it is used up, so no extension.
    """
    result = simulated(campaign_firm(2, Campaign(4.0, 2.0, 2.0)))
    assert [step.projects for step in result.steps] == [0] * 3 + [2] * 22
    assert [step.revenue for step in result.steps] == [0] * 8 + [10_000] * 12 + [0] * 5
    assert [step.consultant_demand for step in result.steps] == [0] * 7 + [4] * 12 + [0] * 6
    assert result.earnings == 12 * 10_000 - 24 * 10_000 - 23 * 2 * 8_000
    assert result.steps[-1].overall_avg_utilization == 24 / 46, "the campaign's own effort is not reported"
    names = ["campaign project 1", "campaign project 2"]
    assert [(each.name, each.delivered_months, each.extensions) for each in result.projects] == [
        (name, 12, 0) for name in names
    ]


@pytest.mark.parametrize(("revenue_risk", "delivered"), [(1.0, 24), (0.2, 12)])
def test_the_opener_of_a_campaign_is_not_held_against_its_cap(revenue_risk, delivered):
    """With a cap of one, three people do three months of effort in month 2; the projects are for months 5 to 17.

    Then two are on the first project: done in month 11 and extended by 6 twice, at a probability of 0.8.
    """
    result = simulated(campaign_firm(3, Campaign(3.0, 1.0, 1.0), revenue_risk))
    assert [(each.start_month, each.deadline_month) for each in result.projects] == [(5, 17)] * 2
    assert [each.delivered_months for each in result.projects] == [delivered, 12]
    assert result.steps[12].revenue_risk == pytest.approx(2_000 / 15_000 if revenue_risk == 1 else 0.0)


def test_campaigns_get_whom_no_project_takes():
    project = replace(STORY_3.projects[0], start_month=1.0)
    scenario = campaign_firm(2, Campaign(1.0, 2.0, 1.0))
    scenario = replace(scenario, agents=(*scenario.agents, project))
    assert simulated(scenario).steps[2].revenue == 36_000, "both are on the project"
    assert simulated(scenario).steps[4].projects == 1
    crowded = replace(scenario, agents=(Controlling(), Consultants(3, 0.0, 0.0), *scenario.agents[2:]))
    assert simulated(crowded).steps[1].projects == 3, "the third works on the campaign in month 2"


def test_a_group_of_consultants_may_have_terms_of_its_own():
    controlling, _, project = STORY_3.agents
    groups = (Consultants(1, 5_000.0, 500.0, "junior"), Consultants(1, 9_000.0, 1_500.0, "senior"))
    result = simulated(replace(STORY_3, agents=(controlling, *groups, project)))
    assert result.steps[5].expenses == 15 + 16_000


def test_rates_and_margins():
    """A day is an eighteenth of a month; where nothing is earned there is neither rate nor margin."""
    steps = simulate(FIRMS["story_4"]).steps
    assert (steps[4].day_rate, steps[4].profit_margin) == (1_000, 10_000 / 36_000)
    assert (steps[3].day_rate, steps[3].profit_margin) == (0, 0)


def test_cash_comes_two_steps_after_revenue():
    for name, firm in FIRMS.items():
        steps = simulate(firm).steps
        for k, step in enumerate(steps):
            assert step.cash_flow == (steps[k - 2].revenue if k >= 2 else 0) - step.expenses, name
            assert step.cash == pytest.approx(sum(each.cash_flow for each in steps[:k]))

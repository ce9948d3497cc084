"""Plans: what a firm makes of one, and what is refused with the path of the field."""

from dataclasses import replace

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.digital_twin.plan import Plan, ProjectBounds, Range, Window, terms_of
from bizgym.envs.digital_twin.scenario import Consultants, Controlling, Project
from bizgym.envs.digital_twin.scenario_file import reference_firms
from bizgym.envs.digital_twin.simulate import simulate
from hypothesis import given
from hypothesis import strategies as st

from tests.digital_twin.firms import firm

FIRMS = reference_firms()
FIRM = firm()
WINDOW = {"start_month": 1, "deadline_month": 10}


def plan(**changes):
    return {"consultants": 2, "revenue_risk": 0.5, "projects": {"a": WINDOW}, **changes}


def test_a_plan_survives_json():
    parsed = firm().parse(plan())
    assert parsed == Plan(2, 0.5, {"a": Window(1, 10)})
    assert firm().parse(parsed.to_json()) == parsed
    assert firm().parse(plan(projects={"a": None, "b": WINDOW})) == Plan(2, 0.5, {"b": Window(1, 10)})
    assert firm().parse({"consultants": 0, "revenue_risk": 0}) == Plan()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (None, "plan: an object with consultants, revenue_risk, projects, not None"),
        ([plan()], "plan: an object"),
        ({}, "consultants: an integer from 0 to 6, not None; revenue_risk: a number from 0 to 1, not None"),
        (plan(consultants=7), "consultants: an integer from 0 to 6, not 7"),
        (plan(consultants=-1), "consultants: an integer from 0 to 6, not -1"),
        (plan(consultants=2.0), "consultants: an integer from 0 to 6, not 2.0"),
        (plan(consultants=True), "consultants: an integer from 0 to 6, not True"),
        (plan(consultants=10**5_000), "consultants: an integer from 0 to 6, not <int>"),
        (plan(revenue_risk=1.01), "revenue_risk: a number from 0 to 1, not 1.01"),
        (plan(revenue_risk=float("nan")), "revenue_risk: a number from 0 to 1, not nan"),
        (plan(revenue_risk="0.5"), "revenue_risk: a number from 0 to 1, not 0.5"),
        (plan(revenue_risk=True), "revenue_risk: a number from 0 to 1, not True"),
        (plan(projects=["a"]), "projects: an object of windows by project id, not ['a']"),
        (plan(projects={"c": WINDOW}), "projects.c: there is no such project."),
        (plan(projects={7: None}), "projects.7: there is no such project."),
        (plan(projects={"a": [1, 10]}), "projects.a: null, or an object of start_month and deadline_month, not [1"),
        (plan(projects={"a": {"start_month": 1}}), "projects.a: null, or an object of start_month and deadline_month"),
        (plan(projects={"a": {**WINDOW, "x": 1}}), "projects.a: null, or an object of start_month and deadline_month"),
        (plan(projects={"a": {**WINDOW, "start_month": 4}}), "projects.a.start_month: an integer from 1 to 3, not 4"),
        (plan(projects={"a": {**WINDOW, "deadline_month": 13}}), "projects.a.deadline_month: an integer from 10 to 12"),
        (plan(staff=3), "staff: no field of a plan."),
        (plan(consultant=3), "consultant: no field of a plan. Did you mean 'consultants'?"),
    ],
)
def test_what_is_out_of_bounds_is_refused_with_its_path(given, problem):
    with pytest.raises(DataError) as refused:
        firm().parse(given)
    assert str(refused.value).startswith(problem)


def test_a_deadline_lies_behind_its_start():
    with pytest.raises(DataError, match=r"projects\.p1\.deadline_month: after start_month 9, not 9"):
        FIRMS["story_4"].parse(plan(projects={"p1": {"start_month": 9, "deadline_month": 9}}))


def test_many_problems_are_counted():
    with pytest.raises(DataError, match=r"; and 3 more$"):
        firm().parse({**dict.fromkeys("cdefgh", 1), "projects": {}})


def test_the_windows_on_offer_are_those_in_which_work_is_possible():
    bounds = ProjectBounds(Range(2, 4), Range(3, 5))
    assert bounds.windows == [(2, 5), (2, 4), (2, 3), (3, 5), (3, 4), (4, 5)]
    assert ProjectBounds(Range(5, 6), Range(2, 5)).windows == []


def test_the_scenario_of_a_plan():
    template = FIRMS["story_5"].template
    made = FIRMS["story_5"].scenario(Plan(7, 0.25, {"p4": Window(2, 9), "p1": Window(3, 22)}))
    assert made.agents[:2] == (Controlling(), Consultants(7, 6_000.0, 2_000.0))
    assert [(each.project_id, each.start_month, each.deadline_month) for each in made.projects] == [
        ("p1", 3, 22),
        ("p4", 2, 9),
    ], "in the order of the firm, not of the plan"
    assert made.projects[1] == replace(template.projects[3], start_month=2, deadline_month=9)
    assert (made.revenue_risk, made.fixed_cost_per_month, made.times) == (0.25, 40_000, template.times)


def test_consultants_take_the_place_of_the_first_group():
    made = FIRMS["interactive"].scenario(Plan(3, 1.0, {"p2": Window(1, 26)}))
    assert [type(agent) for agent in made.agents] == [Consultants, Controlling, Project]
    nobody = FIRMS["story_1"].scenario(Plan(2, 1.0, {"p1": Window(3, 22)}))
    assert simulate(FIRMS["story_1"], Plan(2, 1.0, {"p1": Window(3, 22)})) == simulate(FIRMS["story_3"])
    assert terms_of(nobody) == (6_000, 1_000)
    bare = replace(FIRMS["story_1"].template, agents=(Controlling(),))
    assert terms_of(bare) == (0, 0)
    assert bare.staffed(1, 5.0, 6.0).agents == (Controlling(), Consultants(1, 5.0, 6.0))


@pytest.mark.parametrize("name", FIRMS)
def test_the_file_itself_is_a_plan(name):
    template = FIRMS[name].template
    windows = {each.project_id: Window(int(each.start_month), int(each.deadline_month)) for each in template.projects}
    own = FIRMS[name].parse(Plan(template.n_consultants, template.revenue_risk, windows).to_json())
    assert simulate(FIRMS[name], own) == simulate(FIRMS[name])


@pytest.mark.parametrize("name", FIRMS)
def test_to_do_nothing_costs_the_fixed_cost(name):
    scenario = FIRMS[name].template
    earned = simulate(FIRMS[name], Plan()).earnings
    assert earned == -(scenario.n_steps - 1) * scenario.dt_months * scenario.fixed_cost_per_month


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["consultants", "revenue_risk", "projects", "a", "start_month"]), inner)
        ),
        max_leaves=12,
    )
)
def test_whatever_is_sent_is_a_plan_or_refused(value):
    try:
        parsed, refusal = FIRM.parse(value), ""
    except DataError as refused:
        parsed, refusal = Plan(), str(refused)
    assert len(refusal.encode()) < 8_000
    assert 0 <= parsed.consultants <= 6
    assert 0 <= parsed.revenue_risk <= 1
    assert set(parsed.projects) <= {"a", "b"}

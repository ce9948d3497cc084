"""Numbers in a recommendation: which have a source, which are invented, and how they may be written."""

import pytest
from bizgym.envs.consulting.candidate import interviewed as played
from bizgym.envs.consulting.quantities import claims
from bizgym.envs.consulting.tasks import all_tasks

from .binders import LIMIT, ROOT, UNIT, given, scored

FIELDS = ("headline", "reasons", "risks", "next_steps")


@pytest.mark.parametrize(
    "text",
    [
        "Hiring is worth 221 thousand USD a year, against 172 for the high-speed and 79.5 for the entry-level binder.",
        "Hiring costs 131 thousand USD a year, fees and moving together.",  # 11 x 11 + 10
        "Hiring beats the high-speed binder by 49 thousand USD; those 49 are worth having.",
        "Hiring is worth 221 k USD a year.",
        "Hiring is worth 221 kUSD a year.",
        "Hiring is worth US$ 221k a year.",
        "Hiring is worth $221,000 a year, or 221'000 USD, or 221 000 USD, or 2.21e5 USD.",
        "Hiring is worth two hundred and twenty-one thousand USD a year.",
        "There is work in 11 of 52 weeks, and none in 41 weeks.",
        "The binder works for 21 % of the year.",
        "The season of 2031 will show it, as FY 2029 did, and by 2030 prices rise.",
        "Two of the three offers are open for a dozen days.",
    ],
)
def test_an_honest_number_has_a_source(text):
    assert scored(reasons=[ROOT, text, LIMIT])["quantitative"] == 10.0


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(
    "text",
    [
        "We surveyed 2,000 families, and all agree.",
        "There are 2050 rival binderies.",
        "There are 1 995 binderies, and in 2050 families nobody objects.",
        "It also costs 13 000 000 USD.",
        "It also costs 13\u00a0000\u202f000 USD.",
        "It also costs 7'000'000 USD.",
        "It also costs 7’000’000 USD.",
        "It also costs 7_000_000 USD.",
        "It also costs 7e6 USD.",
        "It also costs 1e999 USD.",
        "It also costs 999999999999999999999 USD.",
        "It also costs ６０１ thousand USD.",
        "Sales fall by forty-three percent.",
        "It also costs twenty-three million USD.",
        "It also costs six hundred and eight thousand USD.",
    ],
)
def test_an_invented_number_lowers_the_score(field, text):
    written = f"{given()['headline']} {text}" if field == "headline" else [*given()[field], text]
    assert scored(**{field: written})["quantitative"] < 10.0


@pytest.mark.parametrize(
    "unit",
    ["kUSD/year", "k$/year", "US$ thousand per year", "thousand US dollars per year", "thousand USD / a", "USD k p.a.",
     "thousand USD per annum", "'000 USD a year"],
)  # fmt: skip
def test_a_usual_unit_is_read(unit):
    numbers = [*given()["key_numbers"][:3], {"metric": "value_hire", "value": 221, "unit": unit}]
    assert scored(key_numbers=numbers)["quantitative"] == 10.0


@pytest.mark.parametrize(
    "metric",
    ["value-hire", "value_hire (thousand USD/year)", "VALUE_HIRE", "`value_hire`", "Value hire [kUSD]",
     "yearly worth of borrowing a binder net of fees"],
)  # fmt: skip
def test_a_metric_is_read_by_its_name(metric):
    numbers = [*given()["key_numbers"][:3], {"metric": metric, "value": 221, "unit": UNIT}]
    assert scored(key_numbers=numbers)["quantitative"] == 10.0


def test_bare_figures_of_the_solution_have_a_source():
    for task in list(all_tasks())[::10]:
        sources = played(task.case).sources()
        for number in task.case.solution.key_numbers:
            (claim,) = claims(f"against {abs(number.value):g} for the other", task.case.currency)
            assert sources.hold(claim), (task.task_id, claim.text)


def test_counts_that_are_planned_need_no_source():
    steps = [f"{given()['next_steps'][0]} Ask forty families, and report within 45 days."]
    assert scored(next_steps=steps)["quantitative"] == 10.0

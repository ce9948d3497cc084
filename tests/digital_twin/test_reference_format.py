"""The reference's scenario files: read unchanged, refused with the path and the mend where they break the schema."""

import json
import time
import warnings
from copy import deepcopy

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.digital_twin.plan import Range
from bizgym.envs.digital_twin.reference_format import ScenarioWarning, read_reference
from bizgym.envs.digital_twin.scenario import Campaign, Consultants, Controlling, Project
from bizgym.envs.digital_twin.scenario_file import reference_firms
from bizgym.envs.digital_twin.simulate import simulate


def number(value, kind="Double"):
    return {"type": kind, "value": value}


PROJECT = {
    "name": number("project", "String"),
    "contracted_effort": number(6.0),
    "contracted_probability": number(1.0),
    "extension_probability": number(0.6),
    "extension_effort": number(10.0),
    "follow_on_probability": number(0.25),
    "consultants": number(2.0),
    "start_time": number(3.0),
    "deadline": number(18.0),
    "billing_rate": number(18000.0),
}
CONSULTANT = {"salary": number(6000.0), "workplace_cost": number(2000.0)}
SCENARIO = {
    "runspecs": {"starttime": 1, "stoptime": 25, "dt": 1.0},
    "properties": {"revenue_risk_level": number(1.0), "fixed_cost": number(10000.0)},
    "agents": [
        {"name": "controlling", "count": 1, "properties": {}},
        {"name": "consultant", "count": 2, "properties": CONSULTANT},
        {"name": "project", "count": 1, "properties": PROJECT},
    ],
}
FILE = {"m": {"type": "abm", "name": "EDT", "model": "a.b.C", "scenarios": {"s": SCENARIO}}}
AGENTS = "m.scenarios.s.agents"


def changed(path, value):
    """The file with another value at a path; `...` takes the field away."""
    file = deepcopy(FILE)
    *way, last = path.split(".")
    place = file
    for name in way:
        place = place[int(name) if isinstance(place, list) else name]
    key = int(last) if isinstance(place, list) else last
    if value is ...:
        del place[key]
    else:
        place[key] = value
    return json.dumps(file)


def read(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return read_reference(text, "firm.json")


def test_a_file_of_the_reference_is_read_unchanged():
    (firm,) = read(json.dumps(FILE)).values()
    assert simulate(firm) == simulate(reference_firms()["story_4"])
    assert firm.bounds.consultants == Range(0, 20)
    assert firm.bounds.revenue_risk == Range(0, 1)
    assert firm.bounds.projects == {"p1": (Range(1, 26), Range(1, 26))}
    assert (firm.salary_per_month, firm.workplace_cost_per_month) == (6_000, 2_000)


def test_agents_keep_their_order_and_counts_are_expanded():
    file = deepcopy(FILE)
    campaign = {"campaign_effort": number(4.0), "consultants": number(2, "Integer"), "start_time": number(2.0)}
    named = {**CONSULTANT, "name": number("Ada", "String")}
    later = {**PROJECT, "billing_rate": number(16000.0), "is_follow_on": number(True, "Boolean")}
    file["m"]["scenarios"]["s"]["agents"] = [
        {"name": "project", "count": 2, "properties": PROJECT},
        {"name": "marketing_campaign", "count": 2, "properties": campaign},
        {"name": "consultant", "count": 1, "properties": named},
        {"name": "controlling", "count": 1},
        {"name": "project", "count": 1, "properties": later},
        {"name": "consultant", "count": 3, "properties": CONSULTANT},
    ]
    (firm,) = read(json.dumps(file)).values()
    agents = firm.template.agents
    assert [type(agent) for agent in agents] == [
        *([Project] * 2),
        *([Campaign] * 2),
        Consultants,
        Controlling,
        Project,
        Consultants,
    ]
    assert [each.project_id for each in firm.template.projects] == ["p1", "p2", "p3"]
    assert [each.is_follow_on for each in firm.template.projects] == [False, False, True]
    assert [each.rate_per_month for each in firm.template.projects] == [18_000, 18_000, 16_000]
    assert agents[2:5] == (Campaign(4.0, 2.0, 2.0), Campaign(4.0, 2.0, 2.0), Consultants(1, 6_000.0, 2_000.0, "Ada"))
    assert agents[7] == Consultants(3, 6_000.0, 2_000.0)


def test_several_managers_and_a_run_of_another_length():
    file = {"a": deepcopy(FILE["m"]), "b": deepcopy(FILE["m"])}
    other = file["b"]["scenarios"].pop("s")
    other["runspecs"] = {"starttime": 0, "stoptime": 60, "dt": 0.5}
    other["agents"][1]["count"] = 25
    file["b"]["scenarios"]["t"] = other
    firms = read(json.dumps(file))
    assert list(firms) == ["s", "t"]
    assert firms["t"].bounds.projects["p1"].start_month == Range(0, 61)
    assert firms["t"].bounds.consultants == Range(0, 25)
    file["b"]["scenarios"]["s"] = other
    with pytest.raises(DataError, match=r"b\.scenarios\.s: another manager has a scenario of this name"):
        read(json.dumps(file))


def test_nobody_employed_and_no_terms():
    (firm,) = read(changed(f"{AGENTS}.1", ...)).values()
    assert (firm.salary_per_month, firm.workplace_cost_per_month) == (0, 0)
    assert firm.template.n_consultants == 0


REFUSED = {
    f"{AGENTS}.2.properties.billing_rte": (number(1.0), "no such field. Did you mean 'billing_rate'?"),
    f"{AGENTS}.2.properties.daily_rate": (number(1.0), "no such field"),
    f"{AGENTS}.2.properties.billing_rate": (..., "is missing"),
    f"{AGENTS}.2.properties.billing_rate.value": ("18.000", "not text: write it without quotation marks"),
    f"{AGENTS}.2.properties.billing_rate.typ": ("Double", "Did you mean 'type'?"),
    f"{AGENTS}.2.properties.billing_rate.type": ("Float", "'Double' or 'Integer'"),
    f"{AGENTS}.2.properties.consultants": (number(2.5, "Integer"), "an Integer has no fraction"),
    f"{AGENTS}.2.properties.follow_on_probability.value": (1.5, "less than or equal to 1"),
    f"{AGENTS}.2.properties.start_time.value": (-1, "greater than or equal to 0"),
    f"{AGENTS}.2.properties.contracted_effort.value": (True, "valid number"),
    f"{AGENTS}.2.properties.deadline.value": ([18], "valid number"),
    f"{AGENTS}.2.properties.deadline": (18.0, "valid dictionary"),
    f"{AGENTS}.2.count": (10**9, "less than or equal to 10000"),
    f"{AGENTS}.1.count": (2.0, "valid integer"),
    f"{AGENTS}.1.name": ("consultants", "'consultant'"),
    f"{AGENTS}.0.properties.salary": (number(1.0), "no such field"),
    f"{AGENTS}.0.state": ("active", "no such field"),
    AGENTS: ([], "at least 1 item"),
    "m.scenarios.s.runspecs.dt": (0.3, "a month in whole steps"),
    "m.scenarios.s.runspecs.stoptime": (0, "not before start_month"),
    "m.scenarios.s.runspecs.starttime": ("1", "valid integer"),
    "m.scenarios.s.properties.fixed_cost.value": ("15,000", "as in 15000"),
    "m.scenarios.s.properties.fixed_costs": (number(1.0), "Did you mean 'fixed_cost'?"),
    "m.scenarios.s.properties": (..., "is missing"),
    "m.scenarios": ({}, "at least 1 item"),
    "m.type": ("sd", "'abm'"),
    "m.sources": ([], "no such field"),
}


@pytest.mark.parametrize("path", REFUSED)
def test_a_breach_is_refused_with_its_path(path):
    value, message = REFUSED[path]
    with pytest.raises(DataError) as refused:
        read(changed(path, value))
    text = str(refused.value)
    assert text.startswith("firm.json: ")
    assert message in text
    place = path if message != "a month in whole steps" else "m.scenarios.s: dt_months"
    place = place if message != "not before start_month" else "m.scenarios.s: stop_month"
    assert f"{place}:" in text or f"{place}.value:" in text


@pytest.mark.parametrize("count", [0, 2])
def test_exactly_one_agent_is_controlling(count):
    with pytest.raises(DataError, match=r"m\.scenarios\.s: agents: exactly one controlling agent, not"):
        read(changed(f"{AGENTS}.0.count", count))


def test_five_problems_are_told_and_the_others_counted():
    with pytest.raises(DataError) as refused:
        read(changed(f"{AGENTS}.2.properties", {}))
    assert str(refused.value).count("is missing") == 5
    assert str(refused.value).endswith("; and 4 more")


HOSTILE = {
    "nested": ("[" * 100_000, "nested more than 64 levels"),
    "nested objects": ('{"a":' * 70 + "1" + "}" * 70, "nested more than 64 levels"),
    "not a number": (changed("m.scenarios.s.properties.fixed_cost.value", float("nan")), "NaN is not a JSON number"),
    "infinity": (changed("m.scenarios.s.properties.fixed_cost.value", float("-inf")), "-Infinity is not a JSON number"),
    "too large": (json.dumps(FILE).replace("10000.0", "1e999"), "too large for a number"),
    "many digits": (json.dumps(FILE).replace("10000.0", "9" * 5_000), "fixed_cost.value"),
    "large integer": (json.dumps(FILE).replace("10000.0", "9" * 400), "fixed_cost.value"),
    "key twice": (json.dumps(FILE).replace('"count": 2', '"count": 2, "count": 3'), "'count' stands twice"),
    "thousands written with a comma": (json.dumps(FILE).replace("10000.0", "10,000"), "not JSON at line 1"),
    "too long": (" " * 1_000_001, "1000001 characters"),
    "empty": ("", "not JSON at line 1"),
    "a list": ("[]", "file: Input should be a valid dictionary"),
    "nothing": ("null", "file: Input should be a valid dictionary"),
    "no manager": ("{}", "file: Dictionary should have at least 1 item"),
    "agents by the thousand": (changed(f"{AGENTS}.2.count", 1_001), "at most 1000 projects and campaigns, not 1001"),
    "consultants by the thousand": (changed(f"{AGENTS}.1.count", 10_001), "count: "),
    "an endless clock": (changed("m.scenarios.s.runspecs.stoptime", 100_000), "at most 10000 steps"),
    "half a character": (changed(f"{AGENTS}.1.\ud800", 1), "unable to parse raw data as a unicode string"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name):
    text, message = HOSTILE[name]
    with pytest.raises(DataError) as refused:
        read(text)
    assert message in str(refused.value)
    assert len(str(refused.value)) < 2_000
    str(refused.value).encode()


def test_a_scenario_that_would_run_for_hours_is_refused():
    file = deepcopy(FILE)
    scenario = file["m"]["scenarios"]["s"]
    scenario["agents"][2]["count"] = 900
    scenario["agents"] += [scenario["agents"][1], {**scenario["agents"][2], "count": 0}] * 900
    scenario["runspecs"]["dt"] = 0.01
    started = time.monotonic()
    with pytest.raises(DataError, match=r"m\.scenarios\.s: too large to simulate"):
        read(json.dumps(file))
    assert time.monotonic() - started < 5
    scenario["agents"] = scenario["agents"][:2] + scenario["agents"][2:3]
    assert read(json.dumps(file))["s"].template.n_steps == 2_500


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ('"fixed_cost": {"type": "Double", "value": 10000.0', "15.000", "properties.fixed_cost.value is 15.000"),
        ('"salary": {"type": "Double", "value": 6000.0', "6.000", "agents.1.properties.salary.value is 6.000"),
        ('"billing_rate": {"type": "Double", "value": 18000.0', "18.000", "billing_rate.value is 18.000"),
    ],
)
def test_thousands_with_a_decimal_point_are_read_as_written_and_reported(old, new, path):
    text = json.dumps(FILE).replace(old, old.rpartition(" ")[0] + " " + new)
    with pytest.warns(ScenarioWarning) as remarks:
        (firm,) = read_reference(text, "firm.json").values()
    (remark,) = remarks
    assert str(remark.message).startswith("firm.json: m.scenarios.s.")
    assert path in str(remark.message)
    assert f"which is {float(new):g}; for thousands write no point" in str(remark.message)
    terms = (firm.template.fixed_cost_per_month, firm.salary_per_month, firm.template.projects[0].rate_per_month)
    assert float(new) in terms


@pytest.mark.parametrize("literal", ["15.0", "15", "15.00", "1500.000", "15.125e2", "0.500", "15.0000"])
def test_other_amounts_are_not_reported(literal):
    text = json.dumps(FILE).replace("10000.0", literal)
    assert read(text)["s"].template.fixed_cost_per_month == float(literal)

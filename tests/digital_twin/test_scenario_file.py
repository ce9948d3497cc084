"""Scenario and plan files: both forms, and what is said about a file that is neither."""

import json
import warnings

import pytest
import yaml
from bizgym.envs.core.errors import DataError
from bizgym.envs.digital_twin.plan import Plan, Window
from bizgym.envs.digital_twin.reference_format import ScenarioWarning
from bizgym.envs.digital_twin.scenario_file import firms_of, load_firms, load_plan, reference_firms
from bizgym.envs.digital_twin.simulate import simulate

from tests.digital_twin.firms import firm, project, spec, write


def test_both_forms_are_read(tmp_path):
    own = load_firms(write(tmp_path, spec(name="one"), spec(name="two", gate="bernoulli")))
    assert list(own) == ["one", "two"]
    assert own["one"] == firm(name="one")
    assert own["two"].template.gate == "bernoulli"
    text = json.dumps({"canary": "BIZGYM CANARY", "scenarios": [spec(name="one")]})
    assert firms_of(text, "firm.json") == {"one": own["one"]}
    reference = tmp_path / "story.json"
    reference.write_text(REFERENCE, encoding="utf-8-sig")
    assert simulate(load_firms(reference)["story_9"]).steps[-1].accumulated_expenses == 24 * 100 + 23 * 8_000


TERMS = {"salary": 6000.0, "workplace_cost": 2000.0}
REFERENCE = json.dumps(
    {
        "m": {
            "type": "abm",
            "scenarios": {
                "story_9": {
                    "runspecs": {"starttime": 1, "stoptime": 25, "dt": 1},
                    "properties": {
                        "revenue_risk_level": {"type": "Double", "value": 1},
                        "fixed_cost": {"type": "Double", "value": 100},
                    },
                    "agents": [
                        {"name": "controlling", "count": 1},
                        {
                            "name": "consultant",
                            "count": 1,
                            "properties": {key: {"type": "Double", "value": value} for key, value in TERMS.items()},
                        },
                    ],
                }
            },
        }
    }
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1, 2", "firm.yaml: not YAML"),
        ("a: 1\na: 2\n", "the key 'a' stands twice (line 2)"),
        ("- 1\n", "neither form of a scenario file"),
        ("", "neither form of a scenario file"),
        ("m: {type: abm}\n", "neither form of a scenario file"),
        ("scenarios: []\n", "scenarios: List should have at least 1 item"),
        ("scenarios: {a: 1}\n", "scenarios: Input should be a valid list"),
        ("scenarios: [1]\n", "scenarios.0: Input should be a valid dictionary"),
        ("[" * 5_000, "firm.yaml: "),
        ("a: " + "{a: " * 2_000 + "1" + "}" * 2_000, "exceeded maximum nesting depth"),
        ("? " * 500 + "1", "nested too deep"),
        ("#" * 1_000_001, "1000001 characters"),
        ("!!python/object/apply:os.system ['true']", "not YAML"),
        ("scenarios: &a [*a]\n", "firm.yaml: "),
    ],
)
def test_a_file_in_neither_form_is_refused(text, message):
    with pytest.raises(DataError) as refused:
        firms_of(text, "firm.yaml")
    assert message in str(refused.value)
    assert str(refused.value).startswith("firm.yaml: ")
    assert len(str(refused.value)) < 1_000


def test_references_that_multiply_are_refused_at_once():
    lines = ["a0: &a0 [x, x]", *(f"a{k}: &a{k} [*a{k - 1}, *a{k - 1}]" for k in range(1, 60)), "scenarios: *a59"]
    with pytest.raises(DataError, match=r"scenarios\.0: Input should be a valid dictionary"):
        firms_of("\n".join(lines), "firm.yaml")


BREACHES = {
    "firm.fixed_cost_per_month": ("15.000", "Input should be a valid number"),
    "firm.salary_per_month": (float("nan"), "finite number"),
    "firm.consultants.high": (10**9, "less than or equal to"),
    "firm.staff": (3, "Extra inputs are not permitted"),
    "projects.0.rate": (3, "Extra inputs are not permitted"),
    "projects.0.effort_months": (0, "greater than 0"),
    "projects.0.staffing_cap": (2.0, "valid integer"),
    "projects.0.id": ("A b", "should match pattern"),
    "months": (True, "valid integer"),
    "gate": ("coin", "'threshold' or 'bernoulli'"),
}


@pytest.mark.parametrize("path", BREACHES)
def test_a_breach_of_the_own_form_is_refused_with_its_path(path):
    value, message = BREACHES[path]
    given = spec()
    *way, last = path.split(".")
    place = given
    for name in way:
        place = place[int(name) if isinstance(place, list) else name]
    place[last] = value
    with pytest.raises(DataError) as refused:
        firms_of(yaml.safe_dump({"scenarios": [given]}), "firm.yaml")
    assert f"firm.yaml: scenarios.0.{path}: " in str(refused.value)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        ([spec(), spec()], "scenarios.1.name: small stands twice"),
        ([spec(project("a"), project("a"))], "scenarios.0: agents: projects with ids of their own"),
        ([spec(), spec(name="b", dt_months=0.3)], "scenarios.1: dt_months: a month in whole steps"),
    ],
)
def test_what_no_single_field_shows_is_refused_too(specs, message):
    with pytest.raises(DataError) as refused:
        firms_of(yaml.safe_dump({"scenarios": specs}), "firm.yaml")
    assert message in str(refused.value)


def test_thousands_with_a_decimal_point_are_reported():
    text = yaml.safe_dump({"scenarios": [spec()]}).replace("10000.0", "15.000")
    with pytest.warns(ScenarioWarning, match=r"^firm\.yaml: fixed_cost_per_month is 15\.000, which is 15; for thous"):
        (found,) = firms_of(text, "firm.yaml").values()
    assert found.template.fixed_cost_per_month == 15.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        firms_of(text.replace("15.000", "15.0"), "firm.yaml")
        reference_firms.cache_clear()
        assert len(reference_firms()) == 8, "the packaged file says 15.0, and means it"


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        load_firms(tmp_path / "nowhere.yaml")
    with pytest.raises(DataError, match="cannot be read"):
        load_firms(tmp_path)
    (tmp_path / "firm.yaml").write_bytes(b"scenarios: \xff")
    with pytest.raises(DataError, match="not UTF-8 at byte 11"):
        load_firms(tmp_path / "firm.yaml")


def test_plans_are_read_in_both_forms(tmp_path):
    wanted = Plan(4, 0.5, {"a": Window(1, 10)})
    given = {**wanted.to_json(), "projects": {**wanted.to_json()["projects"], "b": None}}
    for name, text in (("plan.json", json.dumps(given)), ("plan.yaml", yaml.safe_dump(given))):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert load_plan(tmp_path / name, firm()) == wanted


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("plan.json", "{", "not JSON"),
        ("plan.json", '{"consultants": 2, "consultants": 3}', "stands twice"),
        ("plan.json", '{"consultants": NaN}', "NaN is not a JSON number"),
        ("plan.yaml", "- 1", "plan: an object with consultants, revenue_risk, projects"),
        ("plan.yaml", "consultants: 7\nrevenue_risk: 1\n", "consultants: an integer from 0 to 6, not 7"),
        ("plan.yaml", "consultants: 2\nrevenue_risk: 1\nprojects: {[1]: 2}\n", "not YAML"),
    ],
)
def test_a_plan_file_is_refused_with_its_name(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as refused:
        load_plan(tmp_path / name, firm())
    assert str(refused.value).startswith(f"{tmp_path / name}: ")
    assert message in str(refused.value)


def test_the_reference_cannot_be_changed_by_who_reads_it():
    with pytest.raises(TypeError):
        reference_firms()["story_4"] = None
    assert reference_firms() is reference_firms()

"""Files of a user's own that are wrong, huge or made to hurt: refused at once, with the place and the mend."""

import json
import time
from xml.etree.ElementTree import parse

import gymnasium as gym
import pytest
import yaml
from bizgym import envs as _registers_the_ids  # noqa: F401
from bizgym.agents.baselines.digital_twin import RandomSearch
from bizgym.envs.core.data import packaged_text
from bizgym.envs.core.errors import DataError, SettingError
from bizgym.envs.digital_twin.plan import ProjectBounds, Range, plain
from bizgym.envs.digital_twin.scenario_file import ScenarioWarning, firms_of, load_plan
from bizgym.envs.digital_twin.spec import MAX_CAMPAIGNS
from bizgym.envs.digital_twin.tasks import tasks_for
from bizgym.envs.digital_twin.timeline import states
from bizgym.evaluators.cli import main

from tests.digital_twin.firms import firm, project, spec, write

ENV = "bizgym/DigitalTwin-v0"
BOMB = "".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]\n" for k in range(1, 10))
UNREADABLE = [
    ("9" * 5_000, "int"),
    ("2001-99-99", "timestamp"),
    ("!!int many", "int"),
    ('!!int ""', "int"),
    ("!!float much", "float"),
    ("!!bool perhaps", "bool"),
    ("!!timestamp soon", "timestamp"),
]


def shouted(path, name="shouted", **changes):
    """Write `story_5` of the reference under another name, with changed fields; return the path as text."""
    (manager, content), *_ = json.loads(packaged_text("digital_twin", "reference.json")).items()
    changed = {**content["scenarios"]["story_5"], **changes}
    path.write_text(json.dumps({manager: {**content, "scenarios": {name: changed}}}), encoding="utf-8")
    return str(path)


def without_projects(path):
    agents = json.loads(packaged_text("digital_twin", "reference.json"))
    (content,) = agents.values()
    kept = [each for each in content["scenarios"]["story_5"]["agents"] if each["name"] != "project"]
    return shouted(path, agents=kept)


@pytest.mark.parametrize(("literal", "kind"), UNREADABLE)
def test_a_value_that_yaml_cannot_read_is_refused_with_its_line(tmp_path, literal, kind):
    text = yaml.safe_dump({"scenarios": [spec()]})
    line = next(k for k, each in enumerate(text.splitlines(), 1) if "fixed_cost_per_month" in each)
    broken = text.replace("fixed_cost_per_month: 10000.0", f"fixed_cost_per_month: {literal}")
    with pytest.raises(
        DataError, match=rf"^firm\.yaml: not YAML: line {line}: .* is no valid {kind}; mend it or quote"
    ):
        firms_of(broken, "firm.yaml")
    path = tmp_path / "plan.yaml"
    path.write_text(f"revenue_risk: 0.5\nconsultants: {literal}\n", encoding="utf-8")
    with pytest.raises(DataError, match=rf"plan\.yaml: not YAML: line 2: .* is no valid {kind}"):
        load_plan(path, firm())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a0: &a0 [lol]\n" + BOMB + "consultants: *a9\nrevenue_risk: 1\n", "aliases stand for more than 1000000"),
        ("consultants: 1\nrevenue_risk: 1\nprojects: {a: &a [*a]}\n", "nested more than 64 levels deep"),
        (f"consultants: {'[' * 900}{']' * 900}\n", "nested more than 64 levels deep"),
    ],
)
def test_a_plan_of_aliases_is_refused_at_once(tmp_path, text, complaint):
    path = tmp_path / "plan.yaml"
    path.write_text(text, encoding="utf-8")
    begin = time.perf_counter()
    with pytest.raises(DataError, match=complaint) as refused:
        load_plan(path, firm())
    assert time.perf_counter() - begin < 5
    assert len(str(refused.value)) < 1_000


def test_an_alias_that_is_used_twice_is_no_offence(tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(
        "consultants: 2\nrevenue_risk: 0\nprojects: {a: &w {start_month: 1, deadline_month: 12}, b: *w}\n",
        encoding="utf-8",
    )
    plan = load_plan(path, firm())
    assert plan.projects["a"] == plan.projects["b"] == (1, 12)


def test_a_number_that_came_as_text_is_seen_to_be_text():
    with pytest.raises(DataError, match="consultants: an integer from 0 to 6, not 3 as text"):
        firm().parse({"consultants": "3", "revenue_risk": 0.5})


def test_wide_windows_are_checked_without_listing_them():
    wide = {"low": 0, "high": 10_000}
    begin = time.perf_counter()
    firms_of(yaml.safe_dump({"scenarios": [spec(project("a", start_month=wide, deadline_month=wide))]}), "firm.yaml")
    assert time.perf_counter() - begin < 2


def test_windows_without_a_deadline_after_a_start_are_those_that_list_nothing():
    for start, end, workable in (((4, 6), (3, 4), False), ((4, 6), (3, 5), True), ((0, 0), (0, 0), False)):
        assert bool(ProjectBounds(Range(*start), Range(*end)).windows) is workable
        terms = {"start_month": dict(zip(("low", "high"), start, strict=True))}
        terms["deadline_month"] = dict(zip(("low", "high"), end, strict=True))
        text = yaml.safe_dump({"scenarios": [spec(project("a", **terms))]})
        if workable:
            assert firms_of(text, "firm.yaml")["small"].bounds.projects["a"].windows
        else:
            with pytest.raises(DataError, match="no deadline lies after a start"):
                firms_of(text, "firm.yaml")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        (
            {"campaigns": [{"effort_months": 1.0, "staffing_cap": 1, "start_month": 2}] * (MAX_CAMPAIGNS + 1)},
            r"scenarios\.0\.campaigns: List should have at most 100 items",
        ),
        (
            {
                "projects": [
                    project("a"),
                    project("b", start_month={"low": 25, "high": 30}, deadline_month={"low": 40, "high": 41}),
                ]
            },
            r"projects\.1\.start_month: no work is possible, since the run ends in month 25",
        ),
        (
            {"months": 1200, "dt_months": 0.125, "firm": {**spec()["firm"], "consultants": {"low": 0, "high": 10_000}}},
            "small: too large to simulate: consultants x steps are at most 5,000,000, not 96,000,000; allow fewer",
        ),
    ],
)
def test_what_would_take_minutes_or_leads_nowhere_is_refused(changes, complaint):
    with pytest.raises(DataError, match=complaint):
        firms_of(yaml.safe_dump({"scenarios": [{**spec(), **changes}]}), "firm.yaml")


@pytest.mark.parametrize("path", ["", "no\0where", "x" * 5_000, "\ud800", "nowhere.yaml", "nowhere.yaml:small", ":"])
def test_a_path_that_leads_nowhere_is_a_clear_error(path):
    with pytest.raises(SettingError, match=r"^scenario: there is no file") as refused:
        gym.make(ENV, scenario=path)
    assert len(str(refused.value)) < 1_000


def test_a_shipped_scenario_is_no_path_and_the_error_says_how_to_play_it():
    with pytest.raises(SettingError, match=r"set tasks=\['story_5'\]"):
        gym.make(ENV, scenario="story_5")


def test_a_scenario_without_projects_runs_but_leaves_nothing_to_plan(tmp_path, capsys):
    path = without_projects(tmp_path / "firm.json")
    with pytest.raises(SettingError, match=r"shouted in .* offers no project, so that there is nothing to plan"):
        gym.make(ENV, scenario=path)
    assert main(["simulate", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["shouted"]["final"]["accumulated_revenue"] == 0


def test_a_name_with_colons_can_be_chosen(tmp_path):
    path = shouted(tmp_path / "firm.json", name="a:b")
    assert gym.make(ENV, scenario=f"{path}:a:b").unwrapped.task_ids == gym.make(ENV, scenario=path).unwrapped.task_ids
    with pytest.raises(SettingError, match="scenario: there is no a:c in "):
        gym.make(ENV, scenario=f"{path}:a:c")


def test_a_file_that_has_changed_is_called_so(tmp_path):
    path = write(tmp_path, spec())
    (recorded,) = tasks_for(path, None).ids
    write(tmp_path, spec(project("a", effort_months=7.0)))
    (found,) = tasks_for(path, "bernoulli").ids
    with pytest.raises(SettingError, match=f"{recorded} is not what the scenario's file says now, which is {found}"):
        tasks_for(path, "bernoulli").get(recorded)
    with pytest.raises(SettingError, match="it has changed since"):
        gym.make(ENV, scenario=path).reset(options={"task_id": recorded})


def test_bounds_and_terms_are_told_to_the_last_digit(tmp_path):
    terms = {"effort_months": 0.0004, "rate_per_month": 11_340.125, "follow_on_probability": 0.123456789}
    given = spec(project("a", **terms), firm={**spec()["firm"], "max_revenue_risk": 0.1234567})
    env = gym.make(ENV, scenario=write(tmp_path, given)).unwrapped
    observation, _ = env.reset(seed=0)
    assert "- revenue risk level: 0 to 0.1234567\n" in observation
    assert "| 0.0004 | 2 | $11,340.125 | none | 0.123456789 |" in observation
    for level, error in ((0.1234567, ""), (0.12345671, "bad_arguments")):
        reply, *_, info = env.step({"name": "set_revenue_risk", "arguments": {"level": level}})
        assert info["error"] == error
        assert "0.1234567" in reply
    assert [plain(value) for value in (0.0, -0.0, 26, 100_001, 1 / 3)] == ["0", "0", "26", "100001", repr(1 / 3)]


@pytest.mark.parametrize("dt", [1.0, 0.5, 0.25])
def test_a_row_of_the_report_is_a_whole_month(tmp_path, dt):
    env = gym.make(ENV, scenario=write(tmp_path, spec(dt_months=dt))).unwrapped
    rules, _ = env.reset(seed=0)
    assert f"of all {'months' if dt == 1 else 'steps'} but the last" in rules
    plan = {"consultants": 2, "revenue_risk": 0, "projects": {"a": {"start_month": 1, "deadline_month": 12}}}
    env.step({"name": "submit_plan", "arguments": {"plan": plan}})
    report = env.step({"name": "run_simulation", "arguments": {}})[0]
    rows = [line.split(" | ") for line in report.splitlines() if line[:3] in {f"| {digit}" for digit in range(1, 10)}]
    assert [row[0].strip("| ") for row in rows] == [str(month) for month in range(1, 26)]
    assert sum(int(row[1].strip("$").replace(",", "")) for row in rows) == 6 * 20_000
    assert {row[2] for row in rows[1:]} == {"$26,000"}


@pytest.mark.parametrize("name", ["\x1b[31mred", "\x00", "a\nb", "$\\frac$", "<script>", "\u202eabc"])
def test_the_figure_of_a_scenario_with_a_hostile_name_is_xml(tmp_path, name):
    pytest.importorskip("matplotlib")
    path, plot = shouted(tmp_path / "firm.json", name=name), tmp_path / "figure.svg"
    assert main(["simulate", path, "--plot", str(plot)]) == 0
    assert parse(plot).getroot().tag.endswith("svg")


def test_a_figure_never_replaces_a_plan(tmp_path, capsys):
    path = tmp_path / "plan.yaml"
    path.write_text("consultants: 3\nrevenue_risk: 0\n", encoding="utf-8")
    assert main(["simulate", "story_5", "--plan", str(path), "--plot", str(path)]) == 2
    assert "--plot: the figure is SVG; give a file that ends in .svg" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8").startswith("consultants")


def test_a_folder_called_like_a_shipped_scenario_does_not_hide_it(tmp_path, monkeypatch, capsys):
    (tmp_path / "story_5").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "story_5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["story_5"]["final"]["accumulated_earnings"] == 620_000


@pytest.mark.parametrize(("literal", "read"), [("010", 8), ("1:30", 90)])
def test_a_number_that_yaml_reads_otherwise_is_remarked_on(literal, read):
    text = yaml.safe_dump({"scenarios": [spec(months=33)]})
    with pytest.warns(ScenarioWarning, match=f"months is {literal}, which YAML reads as {read}; write plain digits"):
        firms = firms_of(text.replace("months: 33", f"months: {literal}"), "firm.yaml")
    assert firms["small"].template.stop_month == read


def test_a_cap_that_is_never_reached_is_told_as_none(tmp_path):
    agents = json.loads(packaged_text("digital_twin", "reference.json"))
    (content,) = agents.values()
    story = content["scenarios"]["story_5"]["agents"]
    for each, cap in zip((each for each in story if each["name"] == "project"), (1.5, 2), strict=True):
        each["properties"]["consultants"] = {"type": "Double", "value": cap}  # groups of three and of two projects
    env = gym.make(ENV, scenario=shouted(tmp_path / "firm.json", agents=story)).unwrapped
    env.reset(seed=0)
    table = env.step({"name": "list_projects", "arguments": {}})[0]
    caps = [line.split(" | ")[3] for line in table.splitlines() if line.startswith("| p")]
    assert caps == ["none", "none", "none", "2", "2"]
    plan = {"consultants": 9, "revenue_risk": 0, "projects": {"p1": {"start_month": 1, "deadline_month": 20}}}
    env.step({"name": "submit_plan", "arguments": {"plan": plan}})
    assert (
        "any number of consultants at a time" in env.step({"name": "get_project", "arguments": {"project_id": "p1"}})[0]
    )
    env.step({"name": "run_simulation", "arguments": {}})
    assert max(sum(map(sum, state.postings)) for state in states(*env._played[-1][:2])) == 9


@pytest.mark.parametrize("plans", [0, True, "many", 10**400])
def test_a_number_of_random_plans_is_checked(plans):
    with pytest.raises(SettingError, match=r"plans: an integer from 1 to 1,000,000, not"):
        RandomSearch(plans)

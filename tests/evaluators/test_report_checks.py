"""The report and the command line on runs with checks: rates, reliability, resources, and the page of an episode."""

import json
import re

import gymnasium as gym
import pytest
from bizgym.agents.rollout import rollout
from bizgym.envs.core.stop import StopReason
from bizgym.evaluators.cli import main
from bizgym.evaluators.report import write_report

from tests.evaluators.conftest import Scripted
from tests.evaluators.test_report_browser import detail
from tests.payments.test_course import FLOOR_BROKEN
from tests.payments.test_env import without
from tests.payments.workflows import PAYMENTS, TASK_ID, golden

PATHS = {"reference": golden(), "floor-broken": FLOOR_BROKEN, "no-release": without("reserve_release")}
TABLES = ("Strict success in", "Reliability in", "Resources in")
TRIALS = 3


def played(name, trial):
    path = PATHS["no-release" if (name, trial) == ("reference", 2) else name]
    labels = {"agent": {"name": name, "settings": {}}}
    return rollout(
        gym.make(PAYMENTS), Scripted(lambda k: path[k - 1]), seed=3, task_id=TASK_ID, trial=trial, labels=labels
    )


@pytest.fixture(scope="module")
def rows():
    """Three trials of each path; the third of the reference path forgets the release."""
    return [played(name, trial) for name in PATHS for trial in range(TRIALS)]


@pytest.fixture(scope="module")
def run(rows, make_run, tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("runs") / "payments", rows, seed=None)


@pytest.fixture(scope="module")
def path(run):
    return write_report([run])


def table(page, begin):
    return next(rows for caption, rows in page.tables.items() if caption.startswith(begin))


def test_strict_success_and_its_parts(path, read_page):
    found = {row["agent"]: row for row in table(read_page(path), TABLES[0])}
    columns = ("strict", "strict of scored", "goal", "process", "protection", "goal but violating")
    shares = {agent: [float(row[f"{name} #"]) for name in columns] for agent, row in found.items()}
    assert shares == {
        "reference": pytest.approx([2 / 3, 2 / 3, 2 / 3, 1, 1, 0]),
        "floor-broken": [0, 0, 1, 1, 0, 1],
        "no-release": [0, 0, 0, 1, 1, 0],
    }
    assert {agent: row["intermediate failure"] for agent, row in found.items()} == {
        "reference": "0",
        "floor-broken": "1",
        "no-release": "0",
    }
    assert found["reference"]["95 % interval"] == "–"  # three trials of one task


def test_reliability_by_k(path, read_page):
    """Two of three trials won: pass^1 = 2/3, pass^2 = 1/3, pass^3 = 0."""
    found = [row for row in table(read_page(path), TABLES[1]) if row["agent"] == "reference"]
    assert [row["k"] for row in found] == ["1", "2", "3"]
    for name in ("excluded", "as failures"):
        assert [row[name] for row in found] == ["0.667", "0.333", "0.000"]
    assert [row["bounds"] for row in found] == ["0.667 to 0.667", "0.333 to 0.333", "0 to 0"]


def test_errored_and_missing_trials_part_the_conventions(rows, make_run, read_page, tmp_path):
    unjudged = {"reward": None, "metrics": None, "checks": [], "stop_reason": StopReason.PROVIDER_ERROR}
    lost = rows[0].model_copy(update={"trial": 1, **unjudged})
    page = read_page(write_report([make_run(tmp_path, [rows[0], lost], trials=3)]))
    found = table(page, TABLES[1])
    assert [row["excluded"] for row in found] == ["1.000", "–", "–"]
    assert [row["as failures"] for row in found] == ["0.500", "0.000", "–"]
    assert [row["bounds"] for row in found] == ["0.333 to 1.000", "0 to 1", "0 to 1"]


def test_resources_are_means(path, read_page):
    found = {row["agent"]: row for row in table(read_page(path), TABLES[2])}
    assert {agent: float(row["tool calls #"]) for agent, row in found.items()} == {
        "reference": pytest.approx((22 + 22 + 21) / 3),
        "floor-broken": 27,
        "no-release": 21,
    }
    assert {row["documents read"] for row in found.values()} == {"2"}
    assert {row["repeated reads"] for row in found.values()} == {"0"}


def test_a_game_without_checks_has_none_of_these_tables(page):
    assert not [caption for caption in page.tables if caption.startswith(TABLES)]
    assert all("course" not in page.steps_of(row[0]) for row in page.index["rows"])


def test_a_record_that_does_not_replay_is_shown_without_its_course(rows, make_run, read_page, tmp_path):
    forged = rows[0].model_copy(update={"steps": rows[0].steps[-3:]})
    page = read_page(write_report([make_run(tmp_path, [forged])]))
    (row,) = page.index["rows"]
    assert "course" not in page.steps_of(row[0])
    assert len(page.steps_of(row[0])["steps"]) == 3


def test_score_prints_what_checks_came_to(run, capsys):
    assert main(["score", str(run.path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    values = {(row["agent"], row["metric"]): row["value"] for row in said["rows"]}
    assert len(values) == len(said["rows"])
    assert (values["floor-broken", "goal"], values["floor-broken", "goal_but_violating"]) == (1.0, 1.0)
    assert [row["excluded"] for row in said["reliability"]][:TRIALS] == [2 / 3, 1 / 3, 0.0]
    took = {row["agent"]: (row["env"], row["n"], row["tool_calls"]) for row in said["resources"]}
    assert took["floor-broken"] == (PAYMENTS, TRIALS, 27.0)
    assert main(["score", str(run.path)]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^floor-broken\tintermediate_failure\t1\t", text, re.MULTILINE)
    assert re.search(r"^reference\t2\t1\t0.333\t1\t0.333\t1\t0.333\t0.333$", text, re.MULTILINE)


@pytest.mark.browser
def test_the_page_of_an_episode_shows_what_broke_the_floor(dom, path, read_page):
    links = {(row[3], row[5]): row[0] for row in read_page(path).index["rows"]}
    link = links["floor-broken", 0]
    opened = detail(dom(path, f"#episode-{link}"))
    checks = opened[opened.index('class="checks"') :].split("</table>")[0]
    (broken,) = [row for row in checks.split("<tr>") if "✗ failed" in row]
    assert "<td>event 36, minute 60</td>" in broken
    assert f'href="#episode-{link}-step-22"' in broken
    curve = opened[opened.index('class="course"') :].split("</svg>")[0]
    assert re.findall(r"<title>([^<]+)</title>", curve) == ["ACC-1 settlement", "ACC-2 reserve", "floor of F1"]
    assert "✗ F1" in curve
    floor = re.search(r'class="floor" points="([^"]+)"', curve)[1].split()
    cash = re.search(r'class="line line1" points="([^"]+)"', curve)[1].split()
    assert len({point.partition(",")[2] for point in floor}) == 1  # it stays
    assert max(float(point.partition(",")[2]) for point in cash) > float(
        floor[0].partition(",")[2]
    )  # and cash falls below
    step = opened[opened.index('id="step-22"') :].split("</section>")[0]
    assert "breaks F1" in step
    assert "<bdi>ACC-1 balance</bdi></td><td><bdi>USD 1,000.00</bdi></td><td><bdi>USD 940.00</bdi>" in step
    assert 'class="changes"' not in opened[opened.index('id="step-2"') :].split("</section>")[0]  # it only read


@pytest.mark.browser
def test_what_the_end_decided_says_so(dom, path, read_page):
    links = {(row[3], row[5]): row[0] for row in read_page(path).index["rows"]}
    opened = detail(dom(path, f"#episode-{links['no-release', 0]}"))
    (missing,) = [row for row in opened.split("<tr>") if "✗ failed" in row]
    assert "<bdi>G1</bdi>" in missing
    assert missing.count("<td>end</td>") == 2  # no event, no step
    assert "✗ G" not in opened[opened.index('class="course"') :].split("</svg>")[0]

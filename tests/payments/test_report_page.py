"""The pages of payments episodes in a browser: verdicts with what decided them, curves, and what each act changed."""

import re

import pytest
from bizgym.envs.payments.scoring import course_of_record, series
from bizgym.evaluators.course_plot import Column, task_plot
from bizgym.evaluators.report import write_report

from tests.evaluators.conftest import chromium, dom, write_run  # noqa: F401  (fixtures)
from tests.payments.shipped import PAYOUT, RELEASE, record, task


@pytest.fixture(scope="module")
def rows():
    return {
        (player, task_id): record(player, task_id) for player in ("Oracle", "Naive") for task_id in (RELEASE, PAYOUT)
    }


@pytest.fixture(scope="module")
def page(rows, tmp_path_factory):
    return write_report([write_run(tmp_path_factory.mktemp("runs") / "payments", list(rows.values()))])


@pytest.fixture
def opened(dom, page):  # noqa: F811
    """Open the episode of a player and return the HTML of its detail."""
    listed = re.findall(r'<tr data-link="([0-9a-f]+)".*?</tr>', dom(page), re.S)
    players = re.findall(r'<tr data-link="[0-9a-f]+".*?<bdi>([^<]+)</bdi>.*?<bdi>([^<]+)</bdi>', dom(page), re.S)
    links = dict(zip(players, listed, strict=True))

    def look(player, task_id):
        html = dom(page, f"#episode-{links[player, task_id]}")
        return html[html.index('<article id="detail"') : html.index("</article>")]

    return look


def text_of(html):
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def checks_of(html):
    table = html[html.index('<table class="checks"') :].split("</table>")[0]
    return [
        [text_of(cell) for cell in re.findall(r"<td.*?</td>", row, re.S)]
        for row in re.findall(r"<tr.*?</tr>", table, re.S)
    ][1:]


@pytest.mark.browser
def test_an_oracle_s_page_shows_every_check_passed_and_the_floor_kept(opened, rows):
    html = opened("Oracle", PAYOUT)
    checks = checks_of(html)
    assert [row[2] for row in checks] == [each.id for each in rows["Oracle", PAYOUT].checks]
    assert {row[0] for row in checks} == {"✓ passed"}
    assert f"Checks: {len(checks)} of {len(checks)} passed" in html
    assert "<strong>available in USD</strong>" in html
    assert "(USD)" not in html.split("Course of the episode")[1].split("Steps")[0]
    assert 'class="broken"' not in html


@pytest.mark.browser
@pytest.mark.parametrize("task_id", [RELEASE, PAYOUT])
def test_a_page_of_somebody_in_a_hurry_names_the_event_that_decided_each_broken_check(opened, rows, task_id):
    html, row = opened("Naive", task_id), rows["Naive", task_id]
    course = course_of_record(row)
    failed = {each[2]: each for each in checks_of(html) if each[0] == "✗ failed"}
    assert set(failed) == {each.id for each in row.checks if not each.passed} != set()
    for check, at in course["decided"].items():
        assert failed[check][5] == f"event {at['event']}, minute {at['minute']}"
        assert check in failed[check][4]
        assert f" breaks {check}" in text_of(html)
    assert len(re.findall(r'<line class="broken"', html)) == len({at["minute"] for at in course["decided"].values()})


@pytest.mark.browser
def test_every_write_shows_what_it_changed(opened, rows):
    html, course = opened("Oracle", RELEASE), course_of_record(rows["Oracle", RELEASE])
    changes = [change for event in course["events"] for change in event["changes"]]
    tables = "".join(re.findall(r'<table class="changes">.*?</table>', html, re.S))
    assert tables.count("<tr>") - html.count('<table class="changes">') == len(changes)
    assert len(changes) > 60
    assert "RSV-2 state cleared released" in text_of(tables)


def test_floors_and_accounts_are_drawn_as_long_as_they_bind(rows):
    """The balance that is promised until a minute is a floor until then; its line ends there."""
    (panel,) = course_of_record(rows["Oracle", PAYOUT])["panels"]
    floors = {name: panel["lines"][name] for name in ("floor of F1", "floor of F2")}
    assert None not in floors["floor of F1"]
    bound = [minute for minute, value in zip(panel["x"], floors["floor of F2"], strict=True) if value is not None]
    assert 0 < max(bound) < panel["x"][-1]
    cash = panel["lines"]["ACC-1 settlement"]
    for name, floor in floors.items():
        assert all(low is None or have >= low for have, low in zip(cash, floor, strict=True)), name


def test_the_heading_of_a_row_names_its_unit_once():
    panels = series(task(PAYOUT), [])
    drawn = task_plot([Column("Oracle", "reward 1", "", panels)], "title")
    assert panels[0]["title"] == "available in USD"
    assert "available in USD" in drawn
    assert "(USD)" not in drawn

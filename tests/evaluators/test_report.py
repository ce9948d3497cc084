"""The report says what the records say, shows what it rests on, and cannot be taken over by what agents write."""

import re
from statistics import fmean

import numpy as np
import pytest
from bizgym.envs.beer_game import scoring
from bizgym.envs.core.run_folder import RunFolder
from bizgym.envs.core.trajectory import CheckRecord
from bizgym.evaluators.report import write_report


def of(lineup, name):
    return [row for row in lineup if row.agent["name"] == name]


@pytest.mark.parametrize("name", ["constant-100", "constant-300", "turns-in-week-six", "garbage", "breaks"])
def test_leaderboard_repeats_the_records(page, lineup, name):
    rows, shown = of(lineup, name), page.leaderboards[0][name]
    assert float(shown["mean reward #"]) == pytest.approx(fmean(row.reward for row in rows))
    for head, metric in {"cost": "cost", "fill rate": "fill_rate", "bullwhip": "bullwhip"}.items():
        assert float(shown[f"{head} #"]) == pytest.approx(fmean(row.metrics[metric] for row in rows))
    assert float(shown["steps #"]) == fmean(row.n_steps for row in rows)
    assert [shown[head] for head in ("n", "attempted", "errored", "unscored")] == ["2", "2", "0", "0"]
    assert shown["stop reasons"] == f"{rows[0].stop_reason.value} 2"
    assert float(shown["tool errors #"]) == sum(sum(row.errors.values()) for row in rows)


def test_leaderboard_is_sorted_and_ends_with_agents_that_have_no_score(page, lineup):
    best = {name: max(row.reward for row in of(lineup, name)) for name in page.leaderboards[0] if name != "unreachable"}
    assert list(page.leaderboards[0]) == [*sorted(best, key=best.get, reverse=True), "unreachable"]
    shown = page.leaderboards[0]["unreachable"]
    assert (shown["mean reward"], shown["errored"], shown["stop reasons"]) == ("– 0/2", "2", "provider_error 2")


def test_heads_carry_units(lineup, make_run, read_page, tmp_path, monkeypatch):
    monkeypatch.setattr(scoring, "UNITS", {"reward": "$"}, raising=False)
    page = read_page(write_report([make_run(tmp_path, lineup)]))
    expected = {"mean reward": "$", "p95 tail": "$", "cost": "$", "fill rate": "share", "bullwhip": "ratio"}
    assert {head: page.units[head] for head in expected} == expected
    assert "reward ($)" in page.html
    assert page.index["units"] == ["$"]


def test_header_says_which_run(page, lineup):
    version = lineup[0].version
    for value in ("lineup", "bizgym/BeerGame-v0", "01234567", version["bizgym"], version["task_set_hash"], "12 of 12"):
        assert value in page.text
    assert "0123456789" not in page.text


def test_tail_and_spread_of_distinct_rewards(play, make_run, read_page, tmp_path):
    rewards = [-100.0, -200.0, -600.0]
    rows = [play("constant-100", k).model_copy(update={"reward": reward}) for k, reward in enumerate(rewards)]
    shown = read_page(write_report([make_run(tmp_path, rows)])).leaderboards[0]["constant-100"]
    assert shown["95 % interval"] == "–"  # three trials of one task
    assert float(shown["p95 tail #"]) == pytest.approx(np.quantile(rewards, 0.05))
    assert float(shown["sd over trials #"]) == pytest.approx(np.std(rewards, ddof=1))


def test_an_incomplete_set_flags_every_headline_number(lineup, make_run, read_page, tmp_path):
    rows = [row for row in lineup if row is not lineup[0]]
    page = read_page(write_report([make_run(tmp_path / "part", rows)]))
    assert "Incomplete: part: 1 of 12 episodes not attempted, 2 errored, 0 unscored." in page.text
    missing, whole = page.leaderboards[0]["constant-100"], page.leaderboards[0]["constant-300"]
    for head in ("mean reward", "cost", "fill rate"):
        assert missing[head].endswith(" 1/2")
        assert "/" not in whole[head]


def test_a_complete_set_has_no_flag(lineup, make_run, read_page, tmp_path):
    page = read_page(write_report([make_run(tmp_path, of(lineup, "constant-100"))]))
    assert "Incomplete" not in page.text
    assert '<span class="flag" title' not in page.html


def test_no_scored_episode(lineup, make_run, read_page, tmp_path):
    page = read_page(write_report([make_run(tmp_path, of(lineup, "unreachable"))]))
    assert page.leaderboards[0]["unreachable"]["mean reward"] == "– 0/2"
    assert "no scored episode" in page.text
    assert [row[7] for row in page.index["rows"]] == [None, None]
    assert not re.search(r"\b(nan|NaN|inf|Infinity|None)\b", page.text)


def test_normalized_says_what_it_covers(play, make_run, read_page, tmp_path):
    rows = [play("constant-100", trial) for trial in range(2)]
    assert all("normalized" not in row.metrics for row in rows)
    shown = read_page(write_report([make_run(tmp_path / "a", rows)])).leaderboards[0]["constant-100"]
    assert shown["normalized"] == "no scale"
    rows[0] = rows[0].model_copy(update={"metrics": {**rows[0].metrics, "normalized": 0.25}})
    page = read_page(write_report([make_run(tmp_path / "b", rows)]))
    assert page.leaderboards[0]["constant-100"]["normalized"] == "0.250 1/2"
    assert [row[8] for row in page.index["rows"]] == [0.25, None]


def test_success_counts_errored_episodes_as_failures_and_checks_keep_their_evidence(
    play, make_run, read_page, tmp_path
):
    check = CheckRecord(
        id="no-backlog", kind="goal", passed=True, expected="0 units", observed="<i>0</i> units", turn=3
    )
    rows = [play("constant-100", k).model_copy(update={"checks": [check]}) for k in range(3)]
    rows[1].checks = [check.model_copy(update={"passed": False})]
    failed = play("unreachable", 3).model_copy(update={"agent": rows[0].agent})
    page = read_page(write_report([make_run(tmp_path, [*rows, failed])]))
    assert page.leaderboards[0]["constant-100"]["success"] == "0.500 3/4"
    shown = [page.steps_of(row[0])["checks"] for row in page.index["rows"]]
    assert shown[0] == [["goal", "no-backlog", True, "0 units", "<i>0</i> units", 3]]
    assert [checks[0][2] for checks in shown[:3]] == [True, False, True]
    assert shown[3] == []


def test_the_page_is_one_file_that_reaches_for_nothing(page):
    for address in re.findall(r"https?://[^\s\"'<]+", page.html):
        assert address.startswith(("http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"))
    assert not re.search(r"<(link|img|iframe|object|embed|base)\b|@import|url\((?!#)", page.html)
    assert "default-src 'none'" in page.html
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", page.html)


def test_without_javascript_the_page_says_what_is_missing(page):
    (told,) = re.findall(r"<noscript>(.*?)</noscript>", page.html, re.DOTALL)
    assert "The episode browser needs JavaScript" in told
    assert not re.search(r"<[^>]+ on[a-z]+=", page.html)


def test_every_scored_episode_is_a_point_that_opens_it(page, lineup):
    scored = [row[0] for row, record in zip(page.index["rows"], lineup, strict=True) if record.scored]
    spread = page.html.split("<svg")[1]
    assert sorted(re.findall(r'xlink:href="#episode-([0-9a-f]+)"', spread)) == sorted(scored)
    assert "n = 10 scored" in spread


def test_course_of_play_shows_the_first_scored_trial_of_each_agent(page, lineup):
    plots = "".join(page.html.split("<svg")[2:]).split("<section")[0]
    linked = set(re.findall(r'xlink:href="#episode-([0-9a-f]+)"', plots))
    assert linked == {
        row[0] for row, record in zip(page.index["rows"], lineup, strict=True) if row[5] == 0 and record.scored
    }
    for text in ("orders (units)", "inventory (units)", "backlog (units)", "cost ($)", ">week<", "nothing played"):
        assert text in plots


def test_tasks_that_are_not_plotted_are_counted(lineup, make_run, read_page, tmp_path):
    rows = of(lineup, "constant-100")
    tasks = [rows[0].task_id, "other-1", "other-2", "other-3"]
    page = read_page(write_report([make_run(tmp_path, rows, tasks=tasks)]))
    assert "1 of 4 tasks are plotted, the first of the set." in " ".join(page.text.split())


def test_the_same_run_gives_the_same_page(lineup, make_run, tmp_path):
    run = make_run(tmp_path / "run", lineup)
    first = write_report([run])
    assert first == tmp_path / "run" / "report.html"
    bytes_before = first.read_bytes()
    assert write_report([run]).read_bytes() == bytes_before
    elsewhere = write_report([run], tmp_path / "out" / "page.html")
    assert elsewhere.read_bytes() == bytes_before
    assert [path.name for path in elsewhere.parent.iterdir()] == ["page.html"]


def test_runs_side_by_side_prefix_names_that_collide(lineup, play, make_run, read_page, tmp_path):
    one = make_run(tmp_path / "one", of(lineup, "constant-100"))
    other = [play("constant-100", 0), play("constant-300", 0)]
    two = make_run(tmp_path / "two", other)
    page = read_page(write_report([one, two], tmp_path / "both.html"))
    assert set(page.leaderboards[0]) == {"one/constant-100", "two/constant-100", "constant-300"}
    assert page.index["runs"] == ["one", "two"]
    links = [row[0] for row in page.index["rows"]]
    assert len(set(links)) == 4
    assert [page.steps_of(link)["line"] for link in links] == [1, 2, 1, 2]


def test_games_with_other_settings_have_their_own_leaderboard(lineup, make_run, read_page, tmp_path):
    shared = {"demand": [100] * 25, "ship_weeks": 2, "max_turns": None}
    runs = [
        make_run(tmp_path / role, [lineup[0].model_copy(update={"env_kwargs": {**shared, "role": role}})], trials=1)
        for role in ("brewery", "retailer")
    ]
    page = read_page(write_report(runs, tmp_path / "both.html"))
    assert page.index["groups"] == [f'bizgym/BeerGame-v0 role="{role}"' for role in ("brewery", "retailer")]
    assert [row[2] for row in page.index["rows"]] == [0, 1]
    assert "ship_weeks=2" in page.text
    assert "max_turns" not in page.text


def test_only_the_valid_row_of_an_episode_counts(lineup, play, make_run, read_page, tmp_path):
    failed = play("unreachable", 0).model_copy(update={"agent": lineup[0].agent})
    rows = [failed, *of(lineup, "constant-100"), *of(lineup, "garbage")]
    page = read_page(write_report([make_run(tmp_path, rows, agents=["constant-100"])]))
    assert [page.steps_of(row[0])["line"] for row in page.index["rows"]] == [2, 3]
    assert "2 episodes on disk are not part of what was last asked for" in page.text
    assert "Incomplete" not in page.text


def test_versions_that_differ_are_not_comparable(lineup, make_run, read_page, tmp_path):
    rows = of(lineup, "constant-100")
    rows[1] = rows[1].model_copy(update={"version": {"bizgym": "9.9", "task_set_hash": "feed"}})
    page = read_page(write_report([make_run(tmp_path, rows)]))
    assert "Not comparable" in page.text
    assert "BizGym 9.9, task set feed" in page.text


def test_an_environment_that_is_not_installed_here(lineup, make_run, read_page, tmp_path):
    rows = [row.model_copy(update={"env_id": "acme/Game-v3"}) for row in of(lineup, "constant-100")]
    page = read_page(write_report([make_run(tmp_path, rows)]))
    assert float(page.leaderboards[0]["constant-100"]["mean reward #"]) == pytest.approx(rows[0].reward)
    assert "Course of play" not in page.text
    assert page.html.count("<svg") == 1


def test_a_report_of_nothing_is_refused():
    with pytest.raises(ValueError, match="folders"):
        write_report([])


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"config\.yaml"):
        write_report([RunFolder(tmp_path)])

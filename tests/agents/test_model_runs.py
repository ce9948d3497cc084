"""Runs with a model: concurrent ones equal serial ones, failures are run again, budgets stop and are continued."""

import re
from collections import Counter
from pathlib import Path

import pytest
from bizgym.agents import executors
from bizgym.agents.run_config import NOT_IN_CLIENT_KEY, RunConfig
from bizgym.agents.runner import make_plan, run
from bizgym.envs.core.errors import BizGymError, SettingError
from bizgym.envs.core.run_folder import RunFolder
from bizgym.envs.core.stop import StopReason
from bizgym.evaluators.aggregate import count, summary
from bizgym.evaluators.replay import replay

from tests.fixtures.models import KEY, agent_config, make, model_config
from tests.fixtures.players import TRUSTED
from tests.fixtures.records import BEER, baseline, content, play_all, rows_of

SCRIPTED = {"_target_": "bizgym.agents.clients.scripted.ScriptedClient", "name": "scripted"}
THREADS = {"name": "threads", "workers": 64}
WEEKS = BEER["horizon"]


def play(folder: Path, client=None, **settings):
    settings = {"env": BEER, "agent": agent_config(), "client": client or model_config(), **settings}
    return play_all(folder, **settings)


def by_key(folder: Path):
    return sorted((content(row) for row in rows_of(folder)), key=lambda row: (row["task_id"], row["trial"]))


def test_64_concurrent_episodes_leave_the_records_of_a_serial_run(tmp_path):
    for name, executor in (("serial", {"name": "serial"}), ("threads", THREADS)):
        play(tmp_path / name, SCRIPTED, trials=64, executor=executor)
    serial, threads = by_key(tmp_path / "serial"), by_key(tmp_path / "threads")
    assert len(serial) == 64
    assert len({row["final_digest"] for row in serial}) > 60  # the episodes differ, and so could be mixed up
    assert serial == threads


def test_C01_episodes_that_a_provider_failed_are_told_apart_and_run_again(tmp_path):
    outage = tmp_path / "outage"
    outage.touch()
    client = model_config(outage=str(outage))
    play(tmp_path / "run", client, trials=3)
    rows = rows_of(tmp_path / "run")
    assert [(row.stop_reason, row.reward, row.n_steps) for row in rows] == [(StopReason.PROVIDER_ERROR, None, 1)] * 3
    found = summary(count(RunFolder(tmp_path / "run")))
    assert (found["errored"], found["stop_reasons"]) == (3, {"provider_error": 3})
    assert found["by_agent"]["cot"]["reward"]["value"] is None
    outage.unlink()
    assert play(tmp_path / "run", client, trials=3).played == 3
    found = summary(count(RunFolder(tmp_path / "run")))
    assert (found["errored"], found["attempted"], found["stop_reasons"]) == (0, 3, {"env_done": 3})
    used = found["by_agent"]["cot"]["usage"]["act"]
    assert used["calls"] == 3 * (WEEKS + 2)  # what failed was paid for too
    assert used["attempts"] == 3 * (WEEKS + 1 + 3)


def test_L10_a_key_in_a_providers_error_reaches_no_file(tmp_path):
    outage = tmp_path / "outage"
    outage.touch()
    play(tmp_path / "run", model_config(outage=str(outage)))
    (row,) = rows_of(tmp_path / "run")
    assert row.error == "503 from the provider, key [redacted]"
    for path in (tmp_path / "run").rglob("*"):
        assert KEY not in path.read_text(encoding="utf-8")


def test_L12_a_models_name_may_hold_what_no_file_name_may(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = play_all(None, env=BEER, agent=agent_config(), client=model_config(model="org/name:7b"), run_dir=None)
    assert result.folder.path.parent == Path("runs/default")
    (row,) = rows_of(result.folder.path)
    assert row.client["model"] == "org/name:7b"


def test_the_budget_of_a_run_stops_it_and_a_larger_one_continues_it(tmp_path):
    """6 calls an episode: 15 are spent in the third, which is played again."""
    limited = play(tmp_path, trials=5, budget={"max_calls": 15})
    assert (limited.played, limited.stopped) == (3, "max_calls 15")
    rows = rows_of(tmp_path)
    assert [row.stop_reason.value for row in rows] == ["env_done", "env_done", "cancelled"]
    assert (rows[2].n_steps, rows[2].usage["act"]["calls"], rows[2].reward) == (3, 3, None)
    again = play(tmp_path, trials=5, budget={"max_calls": 15})
    assert (again.played, again.stopped, len(rows_of(tmp_path))) == (0, "max_calls 15", 3)
    whole = play(tmp_path, trials=5, budget={"max_calls": 1_000})
    assert (whole.played, whole.resumed, whole.stopped) == (3, 2, "")
    play(tmp_path / "free", trials=5)
    assert by_key(tmp_path / "free") == sorted(
        (content(row) for row in RunFolder(tmp_path).episodes()), key=lambda row: row["trial"]
    )


def test_threads_exceed_a_budget_by_the_calls_that_are_under_way_at_most(tmp_path):
    play(tmp_path, trials=40, budget={"max_calls": 50}, executor={"name": "threads", "workers": 4})
    calls = sum(row.usage.get("act", {}).get("calls", 0) for row in rows_of(tmp_path))
    assert 50 <= calls <= 50 + 4
    reasons = Counter(row.stop_reason.value for row in rows_of(tmp_path))
    assert reasons["cancelled"] <= 4 * 2


def test_what_money_cannot_be_counted_cannot_bound(tmp_path):
    for bound in ("limits", "budget"):
        with pytest.raises(SettingError, match=rf"{bound}\.max_cost: some/model:7b has no price"):
            play(tmp_path, **{bound: {"max_cost": 1.0}})
    assert play(tmp_path, SCRIPTED, budget={"max_cost": 1.0}).played == 1
    prices = tmp_path / "prices.yaml"
    row = "{model: 'some/model:7b', input: 1, output: 1, date: 2026-01-01, source: 'my own invoice'}"
    prices.write_text(f"unit: USD per million tokens\nprices: [{row}]\n", encoding="utf-8")
    priced = play(tmp_path / "priced", trials=9, prices=str(prices), limits={"max_cost": 0.0003})
    assert priced.stopped == ""
    rows = rows_of(tmp_path / "priced")
    assert [(each.stop_reason, each.usage["act"]["calls"]) for each in rows] == [(StopReason.MAX_COST, 3)] * 9


def test_a_model_is_asked_from_threads_of_one_process_so_that_its_limits_are_shared(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a process was started")

    monkeypatch.setattr(executors, "ProcessPoolExecutor", refuse)
    assert play(tmp_path, trials=6, executor={"name": "process", "workers": 3}).played == 6


def test_players_without_a_model_beside_one_with_a_model_have_no_client_in_their_record(tmp_path):
    lineups = {"both": {"env": BEER, "agents": {"a": baseline("Tau8"), "b": agent_config()}}}
    play_all(tmp_path, lineups=lineups, client=SCRIPTED, executor={"name": "process", "workers": 2})
    clients = {row.agent["name"]: row.client for row in rows_of(tmp_path)}
    assert clients["tau8"] is None
    assert clients["cot"]["name"] == "scripted"


def test_an_interrupt_leaves_what_has_ended_and_is_continued(tmp_path):
    seen = []

    def interrupt(row, done, total):
        seen.append((done, total))
        if len(seen) == 3:
            raise KeyboardInterrupt

    config = {"env": BEER, "agent": agent_config(), "client": SCRIPTED, "trials": 5, "run_dir": str(tmp_path)}
    parsed = RunConfig.parse(config)
    with pytest.raises(KeyboardInterrupt):
        run(parsed, interrupt)
    assert len(rows_of(tmp_path)) == 3
    seen.clear()
    result = run(parsed, lambda row, done, total: seen.append((done, total)))
    assert (result.played, result.resumed) == (2, 3)
    assert seen == [(k, 5) for k in range(1, 6)]


def key_of(**settings):
    base = {"env": BEER, "agent": agent_config(), "client": model_config(), "trusted_targets": TRUSTED}
    return RunConfig.parse({**base, **settings}).key({})


def test_budgets_prices_and_pace_are_no_part_of_the_key_and_the_model_is():
    assert key_of() == key_of(budget={"max_calls": 3}) == key_of(prices="mine.yaml")
    for name in NOT_IN_CLIENT_KEY:
        assert key_of(client=model_config(**{name: 3})) == key_of()
    assert key_of(client=model_config(model="other")) != key_of()
    assert key_of(limits={"max_cost": 3.0}) != key_of()


def test_an_adaptive_agent_is_metered_episode_by_episode_and_goes_on_where_its_budget_ended(tmp_path):
    """An episode is 6 calls and one reflection: 17 calls end in the third, which is played again."""
    agent = {"_target_": "tests.fixtures.models.Reflects", "name": "reflects"}
    play(tmp_path / "whole", agent=agent, trials=4)
    rows = rows_of(tmp_path / "whole")
    assert [row.usage["act"]["calls"] for row in rows] == [6] * 4
    assert [row.usage_beyond["reflect@adaptation"]["calls"] for row in rows] == [1] * 4
    assert [row.steps[0].turn.calls[0]["arguments"]["quantity"] for row in rows] == [100, 101, 102, 103]
    assert {row.client["name"] for row in rows} == {"model"}
    stopped = play(tmp_path / "run", agent=agent, trials=4, budget={"max_calls": 17})
    assert (stopped.played, stopped.stopped) == (3, "max_calls 17")
    assert [row.stop_reason.value for row in rows_of(tmp_path / "run")] == ["env_done", "env_done", "cancelled"]
    assert play(tmp_path / "run", agent=agent, trials=4, budget={"max_calls": 17}).played == 0
    assert play(tmp_path / "run", agent=agent, trials=4).played == 2
    assert [content(row) for row in RunFolder(tmp_path / "run").episodes()] == [content(row) for row in rows]


def test_an_episode_whose_lesson_the_infrastructure_prevented_is_played_again_with_it(tmp_path):
    """13 calls end before the second reflection: the episode is over, and counts only once it was learned from."""
    agent = {"_target_": "tests.fixtures.models.Reflects", "name": "reflects"}
    play(tmp_path / "whole", agent=agent, trials=3)
    play(tmp_path / "run", agent=agent, trials=3, budget={"max_calls": 13})
    _, lost = rows_of(tmp_path / "run")
    assert (lost.stop_reason, lost.reward, lost.metrics, lost.n_steps) == (StopReason.CANCELLED, None, None, WEEKS)
    assert lost.error == "end_episode: the budget of the run is spent: max_calls 13"
    assert replay(lost, make(BEER["id"], horizon=WEEKS)) == ""
    assert play(tmp_path / "run", agent=agent, trials=3).played == 2
    whole = [content(row) for row in rows_of(tmp_path / "whole")]
    assert [content(row) for row in RunFolder(tmp_path / "run").episodes()] == whole


def test_a_prompt_that_was_edited_is_another_run(tmp_path):
    prompt = tmp_path / "mine.md"
    prompt.write_text("$rules\nThink.", encoding="utf-8")
    agent = agent_config(prompt=str(prompt))
    assert play(tmp_path / "run", agent=agent, trials=2).played == 2
    assert play(tmp_path / "run", agent=agent, trials=3).played == 1
    prompt.write_text("$rules\nThink twice.", encoding="utf-8")
    with pytest.raises(SettingError, match=r"holds another run[^$]*\+  +mine\.md: "):
        play(tmp_path / "run", agent=agent, trials=3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"client": None}, "agent cot: plays with a model; choose one, for example client=openai"),
        ({"client": {**SCRIPTED, "modle": "x"}}, "there is no setting 'modle'. Did you mean 'model'?"),
        ({"client": {**SCRIPTED, "model": 7}}, "model: Input should be a valid string"),
        ({"client": baseline("Tau8")}, "is no client"),
        ({"client": {"_target_": "os.system", "name": "x"}}, "is outside bizgym"),
        ({"client": {**SCRIPTED, "rules": [{"wen": "x"}]}}, "client.rules.0: wen"),
        ({"agent": agent_config(prompt="cott")}, "prompt: there is no cott. Did you mean 'cot'?"),
        ({"agent": agent_config(memory="all")}, "memory"),
        ({"prices": "none.yaml"}, "none.yaml: cannot be read"),
        ({"budget": {"max_calls": 0}}, "budget.max_calls"),
    ],
)
def test_what_does_not_hold_is_said_before_anything_is_played(tmp_path, settings, message):
    config = {"env": BEER, "agent": agent_config(), "client": SCRIPTED, "run_dir": str(tmp_path / "run"), **settings}
    with pytest.raises(BizGymError, match=re.escape(message)):
        make_plan(RunConfig.parse(config))
    assert not (tmp_path / "run").exists()

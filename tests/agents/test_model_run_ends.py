"""How a run with a model ends: at its budget, by interrupts, and with what it leaves on disk and unspent."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from bizgym.agents import run_config, runner
from bizgym.agents.base import AgentStop
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.context import Context
from bizgym.agents.cot import ChainOfThought
from bizgym.agents.meter import Budget, Ledger, Meter
from bizgym.agents.prices import load_prices
from bizgym.agents.rollout import Limits
from bizgym.envs.core.chat import ChatSettings, Completion, Usage
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason

from tests.fixtures.models import KEY, Model, agent_config, model_config, order, says
from tests.fixtures.records import BEER, play_all, rows_of

WEEKS = BEER["horizon"]
TURN = [{"role": "user", "content": "hello"}]
REFLECTS = {"_target_": "tests.fixtures.models.Reflects", "name": "reflects"}


def play(folder: Path, **settings: Any) -> Any:
    return play_all(folder, **{"env": BEER, "agent": agent_config(), "client": model_config(), **settings})


@pytest.mark.parametrize(("calls", "stopped"), [(2 * WEEKS, ""), (2 * WEEKS - 1, f"max_calls {2 * WEEKS - 1}")])
def test_a_budget_that_was_just_enough_stopped_nothing(tmp_path, calls, stopped):
    result = play(tmp_path / "run", trials=2, budget={"max_calls": calls})
    assert result.stopped == stopped
    used = sum(row.usage["act"]["calls"] for row in rows_of(tmp_path / "run"))
    assert used == calls


@pytest.mark.parametrize("budget", [{"max_calls": 1}, {"max_tokens": 1}])
def test_a_budget_of_one_makes_one_call_and_is_continued_from_there(tmp_path, budget):
    play(tmp_path / "run", budget=budget)
    (row,) = rows_of(tmp_path / "run")
    assert (row.stop_reason, row.usage["act"]["calls"], row.reward) == (StopReason.CANCELLED, 1, None)
    assert play(tmp_path / "run", budget=budget).played == 0  # nothing is left, and nothing is called
    assert len(rows_of(tmp_path / "run")) == 1
    done = play(tmp_path / "run", budget=dict.fromkeys(budget, 10**9))
    assert (done.played, done.stopped) == (1, "")


def test_after_the_run_nothing_is_spent_any_more():
    ledger = Ledger(load_prices())
    client = Meter(ScriptedClient(lambda *_: "x"), ledger, Limits()).client()
    client.complete(TURN, (), ChatSettings())
    ledger.close()
    with pytest.raises(AgentStop) as caught:
        client.complete(TURN, (), ChatSettings())
    assert caught.value.reason is StopReason.CANCELLED


def test_episodes_that_a_second_interrupt_leaves_behind_make_no_further_call(tmp_path, monkeypatch):
    """Their threads live on for a while; what they would still ask a model for is paid for and kept by nobody."""
    asked, left, go_on = [], threading.Event(), threading.Event()

    def complete(self: Model, messages: Any, tools: Any, settings: Any) -> Completion:
        asked.append(len(messages))
        left.set()
        go_on.wait(20)
        return says(order(1, f"c{len(messages)}"))

    def interrupted(*_: Any, **__: Any) -> Any:
        left.wait(20)
        raise KeyboardInterrupt

    monkeypatch.setattr(Model, "complete", complete)
    monkeypatch.setattr("bizgym.agents.executors.wait", interrupted)
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "run", executor={"name": "threads", "workers": 1})
    go_on.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
    assert len(asked) == 1


def test_a_learner_keeps_no_key_that_a_model_told_it(tmp_path, monkeypatch):
    def tells(*_: Any) -> Completion:
        return says(text=f"the key is {KEY}")

    monkeypatch.setattr(Model, "complete", tells)
    play(tmp_path / "run", agent=REFLECTS, trials=2)
    play(tmp_path / "run", agent=REFLECTS, trials=3)
    (state,) = (tmp_path / "run" / "agent_state").iterdir()
    assert json.loads(state.read_text(encoding="utf-8"))["state"] == {"lessons": ["the key is [redacted]"] * 3}
    for path in (tmp_path / "run").rglob("*"):
        assert path.is_dir() or KEY not in path.read_text(encoding="utf-8")


def test_a_client_that_cannot_be_used_costs_no_episode(tmp_path, monkeypatch):
    """A proxy that is none would else fail every episode, one by one."""
    for variable in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(variable, "nonsense://127.0.0.1")
    monkeypatch.setenv("NO_PROXY", "")
    client = {"_target_": "bizgym.agents.clients.openai.OpenAI", "name": "openai", "model": "m", "api_key_env": None}
    with pytest.raises(SettingError, match="no connection can be made"):
        play(tmp_path / "run", client={**client, "base_url": "http://127.0.0.1:9"})
    assert rows_of(tmp_path / "run") == []


@pytest.mark.parametrize("setting", ["max_tokens", "window_tokens"])
@pytest.mark.parametrize("tokens", [0, -1])
def test_no_reply_and_no_window_are_smaller_than_a_token(setting, tokens):
    """Taken as they are, every episode would end in `context_overflow`, and be scored."""
    with pytest.raises(SettingError, match=f"{setting}: at least 1"):
        ChainOfThought(**{setting: tokens})
    assert ChainOfThought(**{setting: 1}).needs_client


def test_one_absurd_count_does_not_fill_the_window_for_good():
    absurd = says(usage=Usage(input=10**12, output=1))
    context = Context("error", window_tokens=1_000)
    for _ in range(3):
        context.add({"role": "user", "content": "hello"})
        assert context.complete(ScriptedClient(lambda *_: absurd), (), ChatSettings()) is absurd


def test_the_state_of_a_learner_without_a_model_is_kept_as_it_is():
    class Knows(ChainOfThought):
        def state(self) -> dict[str, Any]:
            return {"lesson": KEY}

    assert runner._kept_state(Knows(), "knows", with_model=False) == {"lesson": KEY}


def test_a_budget_counts_what_earlier_parts_of_a_run_used():
    ledger = Ledger(load_prices(), Budget(max_cost=1.0))
    ledger.add([{"cost": 0.6}, {"cost": 0.4}])
    assert ledger.spent == "max_cost $1.0"


@pytest.mark.parametrize("executor", [{"name": "serial"}, {"name": "threads", "workers": 4}])
def test_an_interrupt_while_a_record_is_shown_loses_no_episode_under_way(tmp_path, executor):
    """They are paid for; only what was not begun is left for the next run."""
    shown = []

    def show(row: Any, done: int, total: int) -> None:
        shown.append(row.key)
        if len(shown) == 1:
            raise KeyboardInterrupt

    config = {"env": BEER, "agent": agent_config(), "client": model_config(), "trials": 40, "executor": executor}
    fixed = {"run_dir": str(tmp_path / "run"), "progress": "off", "trusted_targets": ["tests."]}
    with pytest.raises(KeyboardInterrupt):
        runner.run(run_config.RunConfig.parse({**config, **fixed}), show)
    rows = rows_of(tmp_path / "run")
    assert [row.key for row in rows] == shown
    assert len(rows) < 40
    assert {row.stop_reason for row in rows} == {StopReason.ENV_DONE}
    assert runner.run(run_config.RunConfig.parse({**config, **fixed})).resumed == len(rows)
    assert len({row.key for row in rows_of(tmp_path / "run")}) == len(rows_of(tmp_path / "run")) == 40

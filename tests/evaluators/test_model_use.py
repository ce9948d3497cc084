"""What a run with a model says of it: what it used and cost, who played, and what it would take before it is played."""

import json
from collections.abc import Callable
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from bizgym.envs.core.run_folder import EPISODES, RunFolder
from bizgym.envs.core.trajectory import to_line
from bizgym.evaluators.aggregate import count, summary
from bizgym.evaluators.cli import main
from bizgym.evaluators.costs import cost_of, tokens_of
from bizgym.evaluators.progress import RunProgress
from bizgym.evaluators.provenance import caveat_of, model_of
from bizgym.evaluators.report import write_report
from bizgym.evaluators.report_episodes import details

from tests.fixtures.records import record, write_run

PRICED = {"calls": 2, "attempts": 2, "input": 1_000, "cached": 900, "output": 20, "cost": 1.25}
UNPRICED = {"calls": 3, "attempts": 4, "input": 50, "output": 5, "unpriced": 3}
COT = ["run", "env=beer_game", "env.horizon=6", "agent=cot", "client=scripted", "run_dir=out", "progress=off"]


def client(name: str = "openai", model: str = "m", *answered: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "model": model, "answered_by": list(answered), **more}


@pytest.fixture
def bizgym(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Any:
        status = main(list(arguments))
        return status, *capsys.readouterr()

    return call


@pytest.mark.parametrize(
    ("usage", "text", "value"),
    [
        ({}, "no model was called", {"value": None, "reason": "no model was called"}),
        ({"act": PRICED}, "$1.25", 1.25),
        ({"act": UNPRICED}, "unpriced", {"value": None, "reason": "unpriced"}),
        ({"act": {"calls": 4, "input": 9}}, "unpriced", {"value": None, "reason": "unpriced"}),
        ({"act": {"calls": 4, "cost": 0.0}}, "$0.00", 0.0),
        ({"act": {"calls": 4, "cost": 0.00042}}, "$0.00042", 0.00042),
        (
            {"act": PRICED, "judge": UNPRICED},
            "≥ $1.25, 3 calls unpriced",
            {"value": None, "reason": "3 calls unpriced", "at_least": 1.25, "unpriced_calls": 3},
        ),
    ],
)
def test_an_unknown_price_is_never_a_zero(usage: dict[str, Any], text: str, value: Any) -> None:
    assert (cost_of(usage).text, cost_of(usage).value) == (text, value)


def test_totals_are_counted_from_every_row_that_was_paid_for(tmp_path: Path) -> None:
    rows = [
        record("count_0", reward=None, usage={"act": UNPRICED}),
        record("count_0", usage={"act": PRICED, "reflect@adaptation": PRICED}),
    ]
    agent = summary(count(write_run(tmp_path, rows, ["count_0"])))["by_agent"]["a"]
    assert agent["usage"]["act"] == {"calls": 5, "attempts": 6, "input": 1_050, "cached": 900, "output": 25,
                                     "cost": 1.25, "unpriced": 3}  # fmt: skip
    assert agent["cost"] == {"value": None, "reason": "3 calls unpriced", "at_least": 2.5, "unpriced_calls": 3}
    assert tokens_of(agent["usage"]) == 1_050 + 25 + 1_020


PLAYED = [
    (None, "-", ""),
    (client(), "openai m", ""),
    (client("openai", "m", "m"), "openai m", ""),
    (client("openai", "m", "m-2026-09-22"), "openai m (answered by m-2026-09-22)", ""),
    (client("scripted", "scripted"), "scripted", "played by a script"),
    (client("openai", "m", "bizgym-stub/m"), "openai m (answered by bizgym-stub/m)", "answered by a stub"),
    (client("replay", "m", "m", replay_of="openai"), "replay of openai", "recorded replies"),
    (client("replay", "m", "m", replay_of="scripted"), "replay of scripted", "played by a script"),
    (client("replay", "m", "m", replay_of="local"), "replay of local", "again; a model small enough"),
    (client("replay", "m", "bizgym-stub/m", replay_of="openai"), "replay of openai", "again; answered by a stub"),
    (client("local", "SmolLM2"), "local SmolLM2", "small enough for this machine"),
]


@pytest.mark.parametrize(("who", "model", "caveat"), PLAYED)
def test_who_played_is_named_and_what_is_no_models_play_is_said(who: Any, model: str, caveat: str) -> None:
    assert model_of(who) == model
    assert caveat in caveat_of(who)
    assert bool(caveat) == bool(caveat_of(who))


def test_the_report_shows_use_by_role_and_phase_money_and_who_played(tmp_path: Path, read_page: Any) -> None:
    usage = {"act": PRICED, "reflect@adaptation": UNPRICED}
    rows = [record("count_0", usage=usage, client=client("openai", "m", "bizgym-stub/m"), steps=[])]
    page = read_page(write_report([write_run(tmp_path, rows, ["count_0"])]))
    table = next(rows for caption, rows in page.tables.items() if caption.startswith("Use of models"))
    assert [(row["role"], row["phase"], row["calls"], row["cost"]) for row in table] == [
        ("act", "inference", "2", "$1.25"),
        ("reflect", "adaptation", "3", "unpriced"),
    ]
    assert table[0]["model"] == "openai m (answered by bizgym-stub/m)"
    assert "a: answered by a stub of a model server, not by a language model" in page.text
    assert "≥ $1.25, 3 calls unpriced" in page.text


def test_the_report_says_from_which_step_on_results_were_stubs() -> None:
    step = record().steps[0].model_copy(update={"stubbed": ["call_1_0", "call_2_0"]})
    shown = details(record(steps=[step, step.model_copy(update={"stubbed": []})]))["steps"]
    assert [each.get("b") for each in shown] == ["call_1_0, call_2_0", None]


def test_a_run_with_a_script_says_so_in_its_record_table_summary_and_report(
    bizgym: Callable[..., Any], read_page: Any
) -> None:
    status, out, _ = bizgym(*COT)
    assert status == 0
    assert "cot: played by a script, not by a language model" in out
    (row,) = RunFolder("out").rows()
    assert row.client == {"name": "scripted", "model": "scripted", "answered_by": ["scripted"]}
    agent = json.loads(Path("out/summary.json").read_text(encoding="utf-8"))["by_agent"]["cot"]
    assert (agent["models"], agent["cost"]) == (["scripted"], 0.0)
    assert agent["caveats"] == ["played by a script, not by a language model"]
    assert "cot: played by a script, not by a language model (scripted)." in read_page(Path("out/report.html")).text
    assert bizgym("replay", "out")[0] == 0
    assert bizgym("score", "out")[0] == 0


def test_progress_shows_what_the_whole_run_has_used_resumed_rows_included(
    bizgym: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    bizgym(*COT)
    _, _, err = bizgym(*COT[:-1], "progress=plain", "trials=3")
    lines = err.splitlines()
    assert [line.split()[0] for line in lines] == ["1/3", "2/3", "3/3"]
    tokens = [int(line.split(" tokens")[0].rpartition(", ")[2].replace(",", "") or 0) for line in lines]
    rows = [tokens_of(row.usage) for row in RunFolder("out").rows()]
    assert tokens[-1] == sum(rows) > tokens[0] == rows[0]
    with RunProgress("plain") as progress:
        progress.update(record(usage={"act": PRICED, "judge": UNPRICED}), 1, 1)
    assert capsys.readouterr().err.strip().endswith("1,075 tokens, ≥ $1.25, 3 calls unpriced")


def test_a_dry_run_says_what_will_be_called_and_what_it_costs(bizgym: Callable[..., Any], tmp_path: Path) -> None:
    prices = yaml.safe_load(files("bizgym.data").joinpath("prices", "prices.yaml").read_text(encoding="utf-8"))
    row = next(each for each in prices["prices"] if each["host"] == "api.openai.com")
    game = ["run", "env=beer_game", "env.horizon=6", "agent=cot", "client=openai", f"client.model={row['model']}"]
    status, out, _ = bizgym(*game, "trials=4", "run_dir=out", "--dry-run", "--json")
    found = json.loads(out)
    assert (status, found["episodes"], found["expected_calls"]) == (0, 4, 24)
    (rehearsed,) = found["rehearsals"]
    assert (rehearsed["agent"], rehearsed["episodes"], rehearsed["calls"]) == ("cot", 4, 6)
    assert found["expected_tokens"] == 4 * rehearsed["tokens"]
    written = 24 * 200
    least = (found["expected_tokens"] - written) * row["input"] + written * row["output"]
    assert found["expected_cost"] == pytest.approx(least / 1e6)
    assert list(tmp_path.iterdir()) == []
    _, out, _ = bizgym(*game, "trials=4", "--dry-run")
    assert "expected calls to a model: 24, tokens: " in out
    assert f"(price of {date.isoformat(row['date'])}, {row['source']})" in out
    _, out, _ = bizgym("run", "-m", *game[1:], "agent.memory=episode,observation", "--dry-run", "--json")
    sweep = json.loads(out)["rows"]
    assert [job["expected_calls"] for job in sweep] == [6, 6]
    assert sweep[0]["expected_tokens"] > sweep[1]["expected_tokens"]
    assert "\tcalls\ttokens\t$\t" in bizgym("run", "-m", *game[1:], "agent.max_tokens=1,2", "--dry-run")[1]


def test_a_dry_run_counts_what_is_missing_and_knows_no_price_for_a_strange_model(bizgym: Callable[..., Any]) -> None:
    bizgym(*COT, "trials=2")
    expected = json.loads(bizgym(*COT, "trials=5", "--dry-run", "--json")[1])
    assert (expected["on_disk"], expected["expected_calls"], expected["expected_cost"]) == (2, 18, 0.0)
    strange = ["run", "env=beer_game", "agent=cot", "client=openai", "client.model=strange", "--dry-run"]
    assert json.loads(bizgym(*strange, "--json")[1])["expected_cost"] == {"value": None, "reason": "unpriced"}
    assert "at a price that is not known here" in bizgym(*strange)[1]
    assert "at no cost" in bizgym(*COT, "trials=5", "--dry-run")[1]


def test_a_run_that_its_budget_stopped_says_how_to_go_on(bizgym: Callable[..., Any]) -> None:
    status, out, _ = bizgym(*COT, "trials=3", "budget.max_calls=8")
    assert status == 1
    assert "Stopped: the run's budget is spent (max_calls 8). A larger one goes on from here." in out
    assert json.loads(bizgym(*COT, "trials=3", "budget.max_calls=8", "--json")[1])["stopped"] == "max_calls 8"
    assert bizgym(*COT, "trials=3", "budget.max_calls=100")[0] == 0


def test_a_key_that_is_missing_is_named_before_anything_is_played(
    bizgym: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    status, _, err = bizgym("run", "env=beer_game", "agent=cot", "client=openai", "client.model=m", "run_dir=out")
    assert status == 2
    assert "OPENAI_API_KEY" in err
    assert (Path("out") / EPISODES).read_bytes() == b""


def test_L10_no_key_is_echoed_by_the_command_line(bizgym: Callable[..., Any]) -> None:
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"
    for setting in (
        f"env.role={key}",
        f"client.api_key_env={key}",
        f"client.base_url=https://user:{key}@host/v1",
        f"client.model={key}",
    ):
        status, out, err = bizgym("run", "env=beer_game", "agent=cot", "client=openai", "client.model=m", setting)
        assert status == 2
        assert key not in out + err


def test_a_record_with_usage_reads_and_writes_alike(tmp_path: Path) -> None:
    row = record("count_0", usage={"act": PRICED}, usage_beyond={"act": PRICED}, client=client())
    folder = write_run(tmp_path, [row], ["count_0"])
    assert [to_line(each) for each in folder.rows()] == [to_line(row)]

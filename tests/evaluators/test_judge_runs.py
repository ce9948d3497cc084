"""`bizgym score RUN --judge …`: judgements beside the run, resumed and never rewritten, with their cost by role."""

import json
import re

import pytest
from bizgym.agents.meter import Budget, Ledger
from bizgym.agents.prices import Price, PriceBook
from bizgym.envs.core.chat import ProviderError, Usage
from bizgym.envs.core.errors import RecordError
from bizgym.envs.core.run_folder import EpisodeWriter, RunFolder
from bizgym.evaluators.aggregate import count, summary
from bizgym.evaluators.cli import main
from bizgym.evaluators.cli.judge_config import MeteredJudge, judge_prompts
from bizgym.evaluators.cli.judging import run_judge
from bizgym.evaluators.judge.judging import Sampling
from bizgym.evaluators.judge.rows import FILE, judged_rows
from bizgym.evaluators.judge.standings import of_run
from bizgym.evaluators.report import write_report

from tests.fixtures.judges import REFUSAL, StubJudge, is_harsh, verdict_text
from tests.fixtures.records import BEER, baseline, play_all

TASKS = ["market_entry_1-easy-a", "profitability_1-hard-b"]
INTERVIEWS = {"id": "bizgym/Consulting-v0", "tasks": TASKS}
PRICE = Price(model="stub-judge", input=1.0, output=10.0, date="2026-01-01", source="made up for tests")
COST = 0.003  # of 2,000 tokens read and 100 written
SIX = verdict_text(dict.fromkeys(("structure", "quantitative", "business_sense", "communication"), 6.0))
STUB = [
    *("client=scripted", "client._target_=tests.fixtures.judges.StubJudge"),
    "trusted_targets=[tests.fixtures.judges]",
]


def candidate(kind):
    return {"_target_": f"bizgym.agents.baselines.consulting.{kind}", "name": kind.lower()}


@pytest.fixture
def folder(tmp_path):
    agents = {name: candidate(name) for name in ("Oracle", "Talker")}
    play_all(tmp_path / "run", lineups={"main": {"env": INTERVIEWS, "agents": agents}})
    return RunFolder(tmp_path / "run")


def judge_of(client, prompt="judge_rubric", budget=None):
    return MeteredJudge(client, Ledger(PriceBook([PRICE]), budget), judge_prompts(prompt), Sampling())


def means(folder):
    return {(row.agent, row.judge): row.mean("overall_mean") for row in of_run(folder)}


def test_a_sound_judge_tells_what_the_verifiable_score_tells(folder, capsys):
    assert run_judge(folder, judge_of(StubJudge()))
    assert capsys.readouterr().out == "4 interviews judged, 0 judged before.\n"
    oracle, talker = of_run(folder)
    assert (oracle.agent, oracle.mean("overall_mean"), oracle.mae) == ("oracle", 10.0, 0.0)
    assert (talker.agent, talker.mean("quantitative"), talker.mae) == ("talker", 0.0, 0.0)
    assert oracle.counts.as_dict() == {"n": 2, "attempted": 2, "errored": 0, "unscored": 0}
    rows = list(judged_rows(folder))
    assert [row.row[1:3] for row in rows] == [(agent, task) for agent in ("oracle", "talker") for task in TASKS]
    assert rows[0].feedback == "Ask for the constraint earlier."
    assert rows[0].judge["client"] == {"name": "stub", "model": "stub-judge"}
    assert rows[0].answered_by == ["stub-judge"]


def test_what_is_on_disk_is_not_asked_for_again(folder, capsys):
    client = StubJudge()
    assert run_judge(folder, judge_of(client))
    before = (folder.path / FILE).read_bytes()
    assert run_judge(folder, judge_of(client))
    assert capsys.readouterr().out.endswith("0 interviews judged, 4 judged before.\n")
    assert len(client.asked) == 4
    assert (folder.path / FILE).read_bytes() == before


def test_other_settings_are_another_judge_beside_the_first(folder):
    run_judge(folder, judge_of(StubJudge()))
    before = (folder.path / FILE).read_bytes()
    run_judge(folder, judge_of(StubJudge(is_harsh, model="harsh")))
    run_judge(folder, judge_of(StubJudge(), "judge_brief"))
    assert (folder.path / FILE).read_bytes().startswith(before)
    found = means(folder)
    assert found["oracle", "stub-judge, rubric"] == found["oracle", "stub-judge, brief"] == 10.0
    assert found["oracle", "harsh, rubric"] == 7.0
    assert {row.agent: row.bias for row in of_run(folder) if row.judge == "harsh, rubric"}["oracle"] == -3.0


def test_what_a_provider_failed_is_asked_for_again_and_paid_for_twice(folder, capsys):
    failing = StubJudge(answers=[SIX, ProviderError("503", Usage(input=500)), SIX])
    assert not run_judge(folder, judge_of(failing))
    assert "1 judgement failed, the first: provider_error: 503. Run it again." in capsys.readouterr().out
    assert of_run(folder)[0].counts.as_dict() == {"n": 2, "attempted": 2, "errored": 1, "unscored": 0}
    assert run_judge(folder, judge_of(StubJudge(answers=[SIX])))
    oracle, _ = of_run(folder)
    assert oracle.counts.as_dict() == {"n": 2, "attempted": 2, "errored": 0, "unscored": 0}
    assert oracle.scores["overall_mean"] == [6.0, 6.0]
    assert oracle.usage["judge"]["cost"] == pytest.approx(2 * COST + 0.0005)


def test_S07_an_unscored_interview_counts_in_no_mean_and_is_shown(folder, capsys):
    assert run_judge(folder, judge_of(StubJudge(answers=[REFUSAL, REFUSAL, SIX])))
    oracle, _ = of_run(folder)
    assert oracle.counts.as_dict() == {"n": 2, "attempted": 2, "errored": 0, "unscored": 1}
    assert oracle.scores["overall_mean"] == [6.0]
    (row, *_) = judged_rows(folder)
    assert (row.status, row.scores, row.replies) == ("unscored", None, [REFUSAL, REFUSAL])
    assert run_judge(folder, judge_of(StubJudge(answers=[REFUSAL])))  # the same settings would say the same
    assert capsys.readouterr().out.endswith("0 interviews judged, 4 judged before.\n")


def test_a_torn_line_is_judged_again_and_a_broken_one_is_named(folder):
    run_judge(folder, judge_of(StubJudge()))
    path = folder.path / FILE
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    assert len(list(judged_rows(folder))) == 3
    run_judge(folder, judge_of(StubJudge()))
    assert path.read_bytes() == whole
    path.write_bytes(whole.replace(b'"status":"scored"', b'"status":"fine"', 1))
    with pytest.raises(RecordError, match=r"judged.jsonl line 1: status"):
        list(judged_rows(folder))
    path.write_bytes(b"[1]\n" + whole)
    with pytest.raises(RecordError, match="line 1: not a judgement"):
        list(judged_rows(folder))


def test_a_budget_stops_and_a_larger_one_goes_on(folder, capsys):
    assert not run_judge(folder, judge_of(StubJudge(), budget=Budget(max_calls=3)))
    assert "3 interviews judged" in (said := capsys.readouterr().out)
    assert "A larger budget goes on from here" in said
    assert not run_judge(folder, judge_of(StubJudge(), budget=Budget(max_calls=3)))  # what is on disk counts
    assert run_judge(folder, judge_of(StubJudge(), budget=Budget(max_calls=4)))
    assert len(list(judged_rows(folder))) == 4


def test_what_a_budget_cut_short_was_paid_for(folder):
    broken = StubJudge(answers=[REFUSAL])
    assert not run_judge(folder, judge_of(broken, budget=Budget(max_calls=1)))
    (row,) = judged_rows(folder)
    assert (row.status, row.usage["judge"]["calls"]) == ("errored", 1)


def test_one_writer_at_a_time_and_interviews_alone(folder, tmp_path):
    with EpisodeWriter(folder), pytest.raises(RecordError, match="another process"):
        run_judge(folder, judge_of(StubJudge()))
    play_all(tmp_path / "game", env=BEER, agent=baseline("Constant"))
    with pytest.raises(RecordError, match="no case interview there"):
        run_judge(RunFolder(tmp_path / "game"), judge_of(StubJudge()))


def test_C02_what_the_judge_cost_stands_under_its_own_role(folder, tmp_path, capsys):
    prices = tmp_path / "prices.yaml"
    row = {**PRICE.model_dump(mode="json"), "model": "scripted"}
    prices.write_text(json.dumps({"unit": "USD per million tokens", "prices": [row]}), encoding="utf-8")
    command = ["score", str(folder.path), "--judge", *STUB, f"prices={prices}"]
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    used = {"role": "judge", "calls": 2, "input": 4_000, "output": 200, "cost": "$0.006"}
    assert told["usage"] == [{"agent": "oracle", **used}, {"agent": "talker", **used}]
    assert [row["cost"] for row in told["judged"]] == [pytest.approx(2 * COST)] * 2
    agents = summary(count(folder))["by_agent"]
    assert agents["oracle"]["cost"] == {"value": None, "reason": "no model was called"}  # a judge is no agent
    assert agents["oracle"]["judge_cost"] == pytest.approx(2 * COST)
    assert agents["oracle"]["usage"]["judge"]["calls"] == 2
    assert json.loads((folder.path / "summary.json").read_text(encoding="utf-8"))["by_agent"] == agents
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "0 interviews judged, 4 judged before." in printed
    assert "oracle: judged: 4,200 tokens, $0.006" in printed
    assert re.search(r"^scripted, rubric\toracle\t.*\t10\t10\t", printed, re.MULTILINE)


def test_the_report_shows_judges_beside_the_verifiable_points(folder, read_page):
    run_judge(folder, judge_of(StubJudge(is_harsh)))
    page = read_page(write_report([folder]))
    judges = {row["agent"]: row for row in page.tables["Judges of bizgym/Consulting-v0"]}
    assert judges["oracle"]["judge"] == "stub-judge, rubric"
    assert judges["oracle"]["overall mean #"] == "7.0"
    assert judges["oracle"]["less verifiable #"] == "-3.0"
    assert judges["oracle"]["cost"] == "$0.006"
    used = page.tables["Use of models in bizgym/Consulting-v0"]
    assert {(row["agent"], row["role"]) for row in used} == {("oracle", "judge"), ("talker", "judge")}


def test_a_run_without_a_judge_shows_none(folder, read_page, capsys):
    page = read_page(write_report([folder]))
    assert not [caption for caption in page.tables if "Judges" in caption]
    assert main(["score", str(folder.path), "--json"]) == 0
    assert "judged" not in json.loads(capsys.readouterr().out)


def test_a_key_on_the_command_line_is_refused_and_not_repeated(folder, capsys):
    key = "sk-test-0123456789abcdefghijklmnop"
    assert main(["score", str(folder.path), "--judge", "client=openai", f"client.api_key={key}"]) == 2
    assert key not in "".join(capsys.readouterr())


def test_a_judge_without_a_price_is_unpriced_and_not_free(folder, capsys):
    assert main(["score", str(folder.path), "--judge", *STUB]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^scripted, rubric\toracle\t.*\t4200\tunpriced$", printed, re.MULTILINE)
    assert "oracle: judged: 4,200 tokens, unpriced" in printed

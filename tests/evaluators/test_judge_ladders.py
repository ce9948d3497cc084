"""The twelve ladders: a sound judge climbs them all, and each fault of a judge fails the ladder that looks for it."""

import json

import pytest
from bizgym.agents.prompting import load_prompt
from bizgym.envs.consulting.blueprints import blueprint_ids
from bizgym.envs.core.errors import SettingError
from bizgym.evaluators.cli import main
from bizgym.evaluators.cli.judge_config import REWRITE, VARIANTS, judge_prompts
from bizgym.evaluators.judge.judging import Judge
from bizgym.evaluators.prove.judges import LADDERS, Bench, Panel, climb, prove_judge
from bizgym.evaluators.prove.ladder import INJECTIONS, LEVELS, stage_cases

from tests.fixtures import judges
from tests.fixtures.judges import FAULTS, REFUSAL, StubJudge, is_harsh

CASES = ["market_entry_1-easy-a", "profitability_1-hard-b"]
PROMPTS = tuple(map(judge_prompts, VARIANTS))
REPEATS, BROKEN, FAMILY = (
    "runs and prompt variants agree",
    "a broken reply is repaired once or unscored",
    "another family agrees, and own words are not preferred",
)
OBEYS = "instructions to the judge have no effect"


@pytest.fixture(scope="module")
def cases():
    return stage_cases(CASES)


def panel_of(client, second=None):
    other = None if second is None else Judge(second, PROMPTS[0])
    return Panel(Judge(client, PROMPTS[0]), PROMPTS, other, load_prompt(REWRITE).fill())


def climbed(claim, cases, client, second=None):
    return climb(claim, LADDERS[claim], Bench(panel_of(client, second), cases))


def assert_fails(claim, cases, client, second=None):
    row, _ = climbed(claim, cases, client, second)
    assert row["held"] < row["n"], row
    assert row["first_failure"]
    return row["first_failure"]


def test_a_sound_judge_climbs_every_ladder(cases):
    second = StubJudge(model="other-judge", opening="Indeed, ")
    rows, figures, notes = prove_judge(panel_of(StubJudge(), second), cases)
    assert [row["first_failure"] for row in rows] == [None] * 12
    assert [row["claim"] for row in rows] == list(LADDERS)
    assert all(row["held"] == row["n"] > 0 for row in rows)
    assert figures["better interviews get more"] == {"spearman": 1.0, "mae_verifiable": 0.0}
    assert figures["an invented fact costs points"]["smallest_fall"] == 2.0
    assert notes == []


@pytest.mark.parametrize("claim", FAULTS)
def test_a_fault_fails_the_ladder_that_looks_for_it(claim, cases):
    assert_fails(claim, cases, StubJudge(FAULTS[claim]))


@pytest.mark.parametrize("name", INJECTIONS)
def test_a_judge_that_obeys_the_candidate_is_found_out(name, cases):
    assert name in assert_fails(OBEYS, cases, StubJudge(judges.obeys(name)))


def test_a_moody_judge_and_one_that_hangs_on_the_prompt_are_found_out(cases):
    assert "5 runs" in assert_fails(REPEATS, cases, StubJudge(judges.is_moody))
    assert "variants" in assert_fails(REPEATS, cases, StubJudge(judges.depends_on_the_prompt))


def test_a_judge_that_cannot_mend_its_reply_is_found_out(cases):
    class Once(StubJudge):
        def _answer(self, messages, settings):
            return REFUSAL if len(messages) > 2 else super()._answer(messages, settings)

    assert "unscored instead of scored" in assert_fails(BROKEN, cases, Once())


def test_a_judge_that_prefers_its_own_words_is_found_out(cases):
    other = StubJudge(model="other-judge", opening="Indeed, ")
    assert "own words" in assert_fails(FAMILY, cases, StubJudge(judges.likes_its_own_words), other)
    row, figures = climbed(FAMILY, cases, StubJudge(), other)
    assert (row["held"], row["n"], figures["own_words_preferred_by"]) == (3, 3, 0.0)


def test_judges_that_disagree_are_found_out(cases):
    assert "absolute difference" in assert_fails(FAMILY, cases, StubJudge(), StubJudge(is_harsh, model="other-judge"))


def test_without_a_second_judge_that_ladder_is_left_out_and_said_so(cases):
    row, _ = climbed(FAMILY, cases, StubJudge())
    assert (row["n"], row["first_failure"]) == (0, None)
    assert "second-judge" in prove_judge(panel_of(StubJudge()), cases[:1])[2][0]


def test_a_judge_without_a_verdict_fails_the_ladder_and_does_not_end_the_proof(cases):
    rows, _, _ = prove_judge(panel_of(StubJudge(answers=[REFUSAL])), cases)
    assert len(rows) == 12
    failed = {row["claim"] for row in rows if row["held"] < row["n"]}
    assert failed == set(LADDERS) - {FAMILY}
    assert "unscored" in rows[0]["first_failure"]


def test_a_rewording_of_another_form_is_no_rewording(cases):
    class Loses(StubJudge):
        def _answer(self, messages, settings):
            answer = super()._answer(messages, settings)
            return answer.replace('"reasons": [', '"reasons": ["more", ') if "You edit" in str(messages[0]) else answer

    assert "added or left out" in assert_fails(FAMILY, cases, Loses(), StubJudge(model="other-judge"))


def test_no_judge_is_asked_twice_for_the_same(cases):
    client = StubJudge()
    bench = Bench(panel_of(client), cases)
    first = climb("polish does not pay", LADDERS["polish does not pay"], bench)
    n_asked = len(client.asked)
    assert climb("polish does not pay", LADDERS["polish does not pay"], bench) == first
    assert len(client.asked) == n_asked == 2 * len(cases)


@pytest.mark.parametrize("blueprint", blueprint_ids())
@pytest.mark.parametrize("kind", ["easy-b", "hard-a"])
def test_stages_are_worth_what_they_are_meant_to_be(blueprint, kind):
    (staged,) = stage_cases([f"{blueprint}-{kind}"])
    worth = [staged.levels[name].verifiable["overall_mean"] for name in LEVELS]
    assert worth == sorted(set(worth))
    assert (worth[0], worth[-1]) == (0.0, 10.0)
    assert max(each.verifiable["overall_mean"] for each in staged.twins()) <= worth[2]
    assert staged.invented.verifiable["quantitative"] <= staged.levels["reference"].verifiable["quantitative"] - 2
    assert staged.framework.verifiable["overall_mean"] <= 4
    assert staged.confident.verifiable["overall_mean"] <= 5
    plain, full = staged.halo
    assert (plain.verifiable["structure"], full.verifiable["structure"]) == (0.0, 0.0)
    assert (plain.verifiable["quantitative"], full.verifiable["quantitative"]) == (0.0, 10.0)


def test_cases_are_of_each_difficulty_by_default():
    chosen = [each.case for each in stage_cases()]
    assert [case.difficulty for case in chosen] == ["easy", "middle", "hard"]
    with pytest.raises(SettingError, match="market_entry_1"):
        stage_cases(["market_entry_1-easy-x"])


STUB = [
    *("client=scripted", "client._target_=tests.fixtures.judges.StubJudge"),
    "trusted_targets=[tests.fixtures.judges]",
]


def test_the_command_prints_claims_figures_and_cost(capsys, tmp_path):
    prices = tmp_path / "prices.yaml"
    row = {"model": "scripted", "input": 1.0, "output": 10.0, "date": "2026-01-01", "source": "made up for tests"}
    prices.write_text(json.dumps({"unit": "USD per million tokens", "prices": [row]}), encoding="utf-8")
    command = ["prove", "consulting", "--task", CASES[0], "--judge", *STUB, f"prices={prices}"]
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert [row["claim"] for row in told["rows"]] == list(LADDERS)
    assert told["figures"]["scores are spread"]["share_7_to_9"] <= 0.6
    calls, _, spent = told["notes"][-1].partition(" calls, ")
    assert spent == f"{int(calls.split()[-1]) * 2_100:,} tokens, ${int(calls.split()[-1]) * 0.003:.2f}"
    assert main(command) == 0
    assert "better interviews get more\t" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["prove", "qa", "--judge", *STUB], "judges case interviews"),
        (["prove", "consulting", "--second-judge", *STUB], "name that one by --judge"),
        (["prove", "consulting", "--judge", "prompt=judge_brief"], "choose a model"),
        (["prove", "consulting", "--judge", *STUB, "prompt=judge_breef"], "judge_brief"),
        (["prove", "consulting", "--judge", *STUB, "temperature=warm"], "temperature"),
        (["prove", "consulting", "--judge", "client=opnai"], "openai"),
    ],
)
def test_a_wrong_setting_is_named(arguments, said, capsys):
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_spent_budget_proves_nothing(capsys):
    assert main(["prove", "consulting", "--judge", *STUB, "budget.max_calls=3"]) == 1
    assert "max_calls 3" in capsys.readouterr().err

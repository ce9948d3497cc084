"""What a dry run expects of long episodes: as many calls as the reference path has, with its observations."""

import json

import pytest
from bizgym.agents.clients.tokens import estimate_tokens
from bizgym.evaluators.cli import main

from tests.fixtures.records import play_all, rows_of
from tests.fixtures.stub_model import Say, StubModel

PAYMENTS, COT = ["run", "--dry-run", "env=payments", "limit=1"], ["agent=cot", "client=scripted"]


@pytest.fixture
def dry(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*overrides):
        assert main([*overrides, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The reference path of the first task of payments, as the oracle plays it."""
    oracle = {"_target_": "bizgym.agents.baselines.payments.Oracle", "name": "oracle"}
    path = tmp_path_factory.mktemp("oracle") / "run"
    play_all(path, env={"id": "bizgym/PaymentWorkflows-v0"}, agent=oracle, limit=1)
    (row,) = rows_of(path)
    return row


@pytest.mark.parametrize("tool_calls", ["native", "json"])
def test_an_episode_of_payments_is_expected_to_take_the_calls_of_its_reference_path(tool_calls, dry, reference):
    found = dry(*PAYMENTS, *COT, f"agent.tool_calls={tool_calls}")
    (rehearsed,) = found["rehearsals"]
    assert found["expected_calls"] == rehearsed["calls"] == reference.n_steps > 100
    assert rehearsed["rests_on"] == f"the reference path of {reference.task_id}, {reference.n_steps} steps"
    assert rehearsed["stop_reason"] == "env_done"
    # An agent that remembers the episode reads, with the k-th call, what all calls before it have brought about.
    heard = [estimate_tokens(step.observation) for step in reference.steps]
    read = sum((len(heard) - k) * tokens for k, tokens in enumerate(heard, 1))
    read += len(heard) * estimate_tokens(reference.first_observation)
    assert 0.8 < found["expected_tokens"] / read < 2.5


def test_a_few_tasks_stand_for_all(dry):
    """Interviews differ in length: 8, 12 or 16 turns."""
    found = dry("run", "--dry-run", "env=consulting", "trials=2", *COT)
    rows = found["rehearsals"]
    assert len({row["rests_on"] for row in rows}) == len(rows) == 3
    assert sum(row["episodes"] for row in rows) == found["episodes"] == 2 * 288
    assert found["expected_calls"] == sum(row["episodes"] * row["calls"] for row in rows)
    assert found["expected_tokens"] == sum(row["episodes"] * row["tokens"] for row in rows)
    assert len({row["calls"] for row in rows}) > 1
    two = dry("run", "--dry-run", "env=consulting", "limit=2", *COT)
    assert [row["episodes"] for row in two["rehearsals"]] == [1, 1]


def test_a_memory_of_the_last_observation_takes_less(dry):
    tokens = [dry(*PAYMENTS, *COT, f"agent.memory={each}")["expected_tokens"] for each in ("episode", "observation")]
    assert tokens[0] > 2 * tokens[1]


def test_what_the_estimate_rests_on_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["run", "--dry-run", "env=consulting", "limit=3", *COT]) == 0
    assert "from a rehearsal without the model (the reference path of " in (said := capsys.readouterr().out)
    assert " steps), at most 200 tokens a reply" in said
    assert main(["run", "--dry-run", "env=beer_game", *COT]) == 0
    assert "from a rehearsal without the model (calls drawn at random), at most" in capsys.readouterr().out


def test_where_the_reference_player_cannot_end_the_episode_calls_are_drawn(dry):
    found = dry(*PAYMENTS, *COT, "env.max_turns=5")
    (rehearsed,) = found["rehearsals"]
    assert rehearsed["rests_on"] == "calls drawn at random"
    assert 1 <= found["expected_calls"] <= 5


def test_a_rehearsal_asks_no_model_for_the_other_side(dry, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stub")
    with StubModel(lambda conversation: Say("Never asked.")) as stub:
        client = f"factory: 'bizgym.agents.clients:make_client', name: openai, model: m, base_url: '{stub.openai_url}'"
        played_by_a_model = f"env.counterpart={{driver: llm, client: {{{client}}}}}"
        found = dry(*PAYMENTS, *COT, played_by_a_model)
        assert main([*PAYMENTS, *COT, played_by_a_model]) == 0
        assert stub.log == []
    assert found["expected_calls"] > 100
    assert "a model on the other side of the conversation takes comes on top" in capsys.readouterr().out

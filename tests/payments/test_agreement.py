"""How often a model decides as the scripted customer does, over the reference paths of the shipped tasks."""

import json

import pytest
from bizgym.envs.core.chat import ProviderError
from bizgym.envs.payments import agreement as module
from bizgym.envs.payments.agreement import main, rates, transcript_of
from bizgym.envs.payments.user.agreement import Acted, Spoken, Waited
from bizgym.envs.payments.user.llm import LlmDriver
from bizgym.envs.payments.user.scripted import ScriptedDriver

from tests.payments.reading_customer import ReadingCustomer
from tests.payments.shipped import PAYOUT, RELEASE, TASKS, task

FACTORY = "bizgym.agents.clients:make_client"


def of(driver, *task_ids):
    return rates([task(each) for each in task_ids or TASKS], driver)


def test_the_script_agrees_with_itself_on_every_task():
    found = of(ScriptedDriver())
    assert list(found.tasks) == TASKS
    assert (found.over_all.message_rate, found.over_all.decision_rate) == (1.0, 1.0)


def test_whoever_keeps_to_the_prompt_decides_as_the_script_does():
    """The reader knows nothing but the prompt, so a rate of 1 says that everything that decides stands there."""
    found = of(LlmDriver(ReadingCustomer()))
    assert (found.over_all.message_rate, found.over_all.decision_rate) == (1.0, 1.0)
    assert len(found.over_all.rows) >= 40
    decided = {json.loads(each)[0] for row in found.over_all.rows for each in row.found}
    assert decided >= {"disclose_facts", "supply_evidence", "approve_request", "set_consent_cap"}


@pytest.mark.parametrize("never", ["disclose_facts", "approve_request", "set_consent_cap", "supply_evidence"])
def test_a_customer_who_leaves_a_kind_of_decision_out_agrees_less(never):
    found = of(LlmDriver(ReadingCustomer(never)), RELEASE)
    (told,) = found.tasks.values()
    left_out = sum(json.loads(each)[0] == never for row in told.rows for each in row.expected)
    every = sum(len(row.expected) for row in told.rows)
    assert left_out > 0
    assert told.decision_rate == pytest.approx((every - left_out) / every)
    assert found.to_json()[-1]["decision_rate"] == told.decision_rate


def test_the_transcript_is_what_the_agent_says_does_and_waits_for():
    path = task(PAYOUT).goldens[0]
    kinds = {"message_user": Spoken, "call_tool": Acted, "wait": Waited}
    expected = [kinds[each.name] for each in path.actions if each.name in kinds]
    assert [type(each) for each in transcript_of(path)] == expected
    assert set(expected) == {Spoken, Acted, Waited}


def test_a_provider_that_fails_is_no_disagreement(monkeypatch, capsys):
    class Down:
        def __init__(self):
            self.description = {"name": "down"}

        def complete(self, messages, tools, settings):
            raise ProviderError("503 from the provider")

    with pytest.raises(ProviderError):
        of(LlmDriver(Down()), RELEASE)
    monkeypatch.setattr(module, "_client", lambda text: Down())
    assert main(["--client", "{}"]) == 1
    assert "503 from the provider" in capsys.readouterr().err


def test_the_command_prints_a_row_a_task_and_one_for_all(capsys):
    client = json.dumps({"factory": FACTORY, "name": "scripted", "rules": [{"text": "I would rather not say."}]})
    assert main(["--client", client, "--task", RELEASE, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["task"] for row in rows] == [RELEASE, "all"]
    assert rows[0]["messages"] == len(of(ScriptedDriver(), RELEASE).over_all.rows)
    assert (rows[0]["decision_rate"], rows[0]["failures"]) == (0.0, 0)
    assert main(["--client", client, "--task", RELEASE]) == 0
    assert f"{RELEASE}: 0.0% of decisions" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--client", "no json"], "Expecting value"),
        (["--client", '{"factory": "os:system"}'], "lies outside bizgym."),
        (["--client", json.dumps({"factory": FACTORY, "name": "scripted"}), "--task", "release_kilmoor"], RELEASE),
    ],
)
def test_a_wrong_option_is_named(arguments, words, capsys):
    assert main(arguments) == 2
    assert words in capsys.readouterr().err

"""The score from a record alone, the task as data, and what the prover and the report ask for."""

import gymnasium as gym
import pytest
from bizgym.agents.base import Agent
from bizgym.agents.rollout import rollout
from bizgym.envs.core.data import parse, validate
from bizgym.envs.core.errors import DataError, RecordError
from bizgym.envs.payments import proofs
from bizgym.envs.payments.tasks import PaymentTask
from bizgym.evaluators.replay import replay, rescored_difference

from tests.payments.scoring import outcome, series, task_of
from tests.payments.workflows import FOLDER, PAYMENTS, TASK_ID, content, golden, make, play, task

REFUSED = {"name": "call_tool", "arguments": {"name": "reserve_get", "arguments": {"record": "RSV-9"}}}
UNKNOWN = {"name": "call_tool", "arguments": {"name": "reserve_got", "arguments": {}}}
BYSTANDER = {
    "name": "call_tool",
    "arguments": {"name": "reserve_review_request", "arguments": {"reserve": "RSV-2", "route": "standard_review"}},
}
SOURCE = (FOLDER / "tasks" / "reserve_release_1.yaml").read_text(encoding="utf-8")


class Given(Agent):
    """Plays the turns it was given, then nothing that could be read."""

    def __init__(self, turns):
        self.turns = turns

    def begin_episode(self, task):
        self.left = list(self.turns)

    def act(self, observation, info):
        return self.left.pop(0) if self.left else ""


def recorded(turns, **kwargs):
    return rollout(gym.make(PAYMENTS, **kwargs), Given(turns), seed=3, task_id=TASK_ID)


def history():
    return [(each["name"], each["arguments"]) for each in golden()]


def test_a_history_scores_what_its_episode_paid():
    env = make()
    play(env, golden())
    found = outcome(task_of({}, TASK_ID, 0), history())
    assert (found.reward, found.success, found.checks) == (1.0, True, env.checks())


@pytest.mark.parametrize("n", range(0, 22, 3))
def test_an_unfinished_history_scores_0(n):
    assert outcome(task(), history()[:n]).reward == 0.0


def test_a_history_that_cannot_be_played_is_no_evidence():
    with pytest.raises(RecordError, match=r"turn 1, call_tool: refused when it is played again: .*APR-1"):
        outcome(task(), [history()[-3]])


@pytest.mark.parametrize(
    "turns",
    [
        golden(),
        [golden()[:3], "no call", REFUSED, UNKNOWN, golden()[3:5], *golden()[5:]],
        [*golden()[:5], [REFUSED, golden()[5]], *golden()[5:20], BYSTANDER, *golden()[20:]],
        [*golden()[:20], REFUSED, BYSTANDER, REFUSED],
        [],
    ],
)
def test_a_record_is_scored_from_its_calls_as_the_episode_was_verdict_by_verdict(turns):
    trajectory = recorded(turns)
    assert rescored_difference(trajectory) == ""
    assert replay(trajectory, gym.make(PAYMENTS)) == ""


def test_a_record_with_flat_tools_is_scored_as_well():
    turns = [each["arguments"] if each["name"] == "call_tool" else each for each in golden()]
    trajectory = recorded(turns, tool_mode="flat")
    assert trajectory.reward == 1.0
    assert rescored_difference(trajectory) == ""


def test_a_record_that_claims_more_than_it_did_is_found_out():
    trajectory = recorded([*golden()[:20], golden()[21]])  # without the notice
    assert trajectory.reward == 0.0
    forged = trajectory.model_copy(update={"reward": 1.0})
    assert rescored_difference(forged) != ""


def test_the_report_plots_what_can_be_disposed_of_by_minute():
    (panel,) = series(task(), history())
    assert (panel["title"], panel["unit"], panel["x_label"]) == ("available in USD", "USD", "minute")
    assert list(panel["lines"]) == ["ACC-1 settlement", "ACC-2 reserve", "floor of F1"]
    assert all(len(line) == len(panel["x"]) for line in panel["lines"].values())
    cash = panel["lines"]["ACC-1 settlement"]
    assert (cash[0], min(cash), cash[-1]) == (1_060.0, 1_000.0, 1_600.0)
    assert panel["x"] == sorted(panel["x"])


def test_normalized_is_a_metric_only_where_a_task_has_anchors():
    assert outcome(task(), history()).metrics["normalized"] == 1.0
    assert outcome(task(), history()[:-1]).metrics["normalized"] == 0.0
    assert "normalized" not in outcome(task().changed(anchors=None), history()).metrics


def test_the_twin_differs_in_what_is_hidden_and_shows_the_same():
    twin = proofs.hidden_twin(task(), 0)
    assert [each.id for each in twin.card.facts if each.value == task().script.values[each.id]] == []
    assert twin.goldens != task().goldens
    env, other = make(), make()
    other._all_tasks = other._pool = type(other._all_tasks)([twin])
    assert env.reset(seed=0) == other.reset(seed=0)
    assert proofs.reveal_turns(task()) == (0,)


def test_the_task_reads_from_its_file():
    assert validate(PaymentTask, parse(SOURCE, "file"), "file") == task()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"checks": []}, "checks"),
        (
            {"checks": [{"id": "P1", "kind": "process", "text": "x", "form": {"never": "finish"}}]},
            "one of them is a goal",
        ),
        ({"checks": [{"id": "G1", "kind": "goal", "text": "x", "form": {"nevr": "finish"}}]}, "G1.form: one of"),
        ({"goldens": []}, "goldens"),
        ({"goldens": [{"minutes": 1, "actions": [{"name": "wait"}]}]}, "the last one, and no other, is finish"),
        ({"goldens": [{"minutes": -1, "actions": [{"name": "finish"}]}]}, "goldens.0.minutes"),
        ({"customer": "ACC-1"}, "customer"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_task_that_is_none_is_refused_with_the_path(change, words):
    with pytest.raises(DataError, match=words):
        validate(PaymentTask, {**parse(SOURCE, "file"), **change}, "file")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"customer": "PTY-99"}, r"customer: there is no record 'PTY-99'"),
        ({"gold_documents": ["D-0009"]}, r"gold_documents: there is no document 'D-0009'"),
        (
            {"tool_subset": ["reserve_gett"]},
            r"tool_subset: there is no tool 'reserve_gett'. Did you mean 'reserve_get'",
        ),
        ({"world": "harbor"}, r"world: there is no world 'harbor'. Did you mean 'harbour'"),
        ({"rule_sets": ["reserve"]}, r"rule_sets: there is no file of rules 'reserve'"),
        ({"document_sets": ["reserve"]}, r"document_sets: there is no folder of documents 'reserve'"),
    ],
)
def test_a_task_that_names_what_does_not_exist_is_refused_with_the_nearest(change, words):
    with pytest.raises(DataError, match=words):
        content().setting(task().changed(**change))


def test_sets_choose_rules_and_documents():
    chosen = task().changed(rule_sets=["reserves"], document_sets=["reserves"])
    assert content().setting(chosen).documents == content().setting(task()).documents
    assert content().setting(chosen) is not content().setting(task())
    assert content().setting(chosen) is content().setting(chosen)

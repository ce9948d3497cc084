"""What an episode took, by records made by hand call by call and by a played reference path."""

import json

import gymnasium as gym
import pytest
from bizgym.agents.rollout import rollout
from bizgym.envs.core.trajectory import CheckRecord, ResultRecord, Step, TurnRecord
from bizgym.evaluators.benchmarks import reads_of
from bizgym.evaluators.resources import Resources, mean_of, of_run, resources

from tests.evaluators.conftest import Scripted
from tests.fixtures.records import record, write_run
from tests.payments.workflows import PAYMENTS, TASK_ID, golden

CHECKS = [CheckRecord(id="G1", kind="goal", passed=True, expected="", observed="")]


def call(name, code="", **arguments):
    return name, arguments, code


def step(*calls):
    """A turn of these calls."""
    return Step(
        turn=TurnRecord(calls=[{"name": name, "arguments": arguments} for name, arguments, _ in calls]),
        results=[
            ResultRecord(id=f"c{k}", name=name, ok=code == "", code=code, content="")
            for k, (name, _, code) in enumerate(calls)
        ],
        observation="",
        reward=0.0,
        components={},
        error="",
    )


def only_reads(name, arguments):
    return name.startswith(("read_", "get_"))


READ_ONE, READ_TWO = call("read_document", document_id="D-1"), call("read_document", document_id="D-2")
PART = call("read_document", document_id="D-1", section="fees")
MISSING = call("read_document", "no_such_document", document_id="D-9")
GET, PAY = call("get_account", account="ACC-1"), call("pay", amount=5)
CHARGED = Step(turn=None, results=[], observation="stopped", reward=0.0, components={}, error="")


@pytest.mark.parametrize(
    ("steps", "errors", "took"),
    [
        ([], {}, (0, 0, 0, 0, 0)),
        ([step(READ_ONE), step(READ_TWO), step(PART)], {}, (3, 3, 2, 0, 0)),
        ([step(READ_ONE, READ_ONE, READ_ONE), step(GET, GET)], {}, (2, 5, 1, 3, 0)),
        ([step(PAY), step(PAY)], {}, (2, 2, 0, 0, 0)),
        ([step(GET), step(PAY), step(GET)], {}, (3, 3, 0, 1, 0)),
        ([step(MISSING), step(MISSING)], {"tool_refused": 2}, (2, 2, 0, 0, 2)),
        ([step(call("raed", "unknown_tool")), step(call("pay", "bad_arguments"))], {"a": 1, "b": 1}, (2, 0, 0, 0, 2)),
        ([step(PAY, call("pay", "not_executed"))], {}, (1, 1, 0, 0, 0)),
        ([step(PAY), CHARGED], {}, (1, 1, 0, 0, 0)),
    ],
)
def test_an_episode_is_counted_call_by_call(steps, errors, took):
    row = record(steps=steps, n_steps=len(steps), errors=errors)
    assert resources(row, only_reads) == Resources(*took)


def test_arguments_in_another_order_are_the_same_reading():
    one, other = call("get_list", of="a", at=1), call("get_list", at=1, of="a")
    assert resources(record(steps=[step(one), step(other)]), only_reads).repeated_reads == 1


def test_text_that_is_no_call_takes_a_turn_and_is_an_error():
    assert resources(record(), only_reads) == Resources(1, 0, 0, 0, 1)


def test_the_means_over_a_run_are_those_of_its_scored_episodes_with_checks(tmp_path):
    rows = [
        record("count_0", checks=CHECKS, steps=[step(READ_ONE)], errors={}),
        record("count_1", checks=CHECKS, steps=[step(READ_ONE), step(READ_TWO, PAY)], errors={"tool_refused": 1}),
        record("count_2", reward=None, steps=[step(PAY)] * 9),
    ]
    (found,) = of_run(write_run(tmp_path, rows, ["count_0", "count_1", "count_2"]))
    took = {"turns": 1.5, "tool_calls": 2.0, "documents_read": 1.5, "repeated_reads": 0.0, "errors": 0.5}
    assert found == {"agent": "a", "env": rows[0].env_id, "n": 2, **took}
    assert mean_of([Resources(1, 2, 3, 4, 5), Resources(3, 2, 1, 0, 0)]) == Resources(2, 2, 2, 2, 2.5)


def test_a_run_without_checks_has_no_resources(tmp_path):
    assert of_run(write_run(tmp_path, [record("count_0", steps=[step(PAY)])], ["count_0"])) == []


def test_the_payments_environment_says_what_only_reads():
    reads = reads_of(PAYMENTS)
    assert reads("read_document", {"document_id": "D-0002"})
    assert reads("call_tool", {"name": "account_get", "arguments": {"record": "ACC-1"}})
    assert reads("account_get", {"record": "ACC-1"})  # as a flat tool
    assert not reads("call_tool", {"name": "notice_send", "arguments": {}})
    assert not reads("call_tool", {"name": "no_such_tool", "arguments": {}})
    assert not reads("call_tool", {"name": "read_document", "arguments": {}})
    assert not any(reads(name, {}) for name in ("message_user", "wait", "finish", "notice_send", "no_such_tool"))
    assert not reads_of("bizgym-tests/NotInstalled-v0")("read_document", {})


def test_the_reference_path_of_payments_read_twice():
    """Its 22 calls read two documents and nothing twice; two further readings repeat a document and a list."""
    path = golden()
    assert json.dumps(path[1]["arguments"]) == '{"document_id": "D-0002"}'
    again = [*path[:-1], path[1], path[4], path[-1]]
    for turns, took in ((path, (22, 22, 2, 0, 0)), (again, (24, 24, 2, 2, 0))):
        row = rollout(gym.make(PAYMENTS), Scripted(lambda k, turns=turns: turns[k - 1]), seed=3, task_id=TASK_ID)
        assert row.reward == 1.0
        assert resources(row, reads_of(PAYMENTS)) == Resources(*took)

"""Cases that users of such suites have reported, by the id under which they are kept; here for the payments company."""

import json

import gymnasium as gym
import pytest
from bizgym.envs.payments.checks.spec import CheckSpec, judge
from bizgym.envs.payments.modules.catalog import TOOLS
from bizgym.envs.payments.records import KINDS
from bizgym.envs.payments.records.cash import EntryReason, LedgerEntry
from bizgym.envs.payments.tasks import GoldenPath, PaymentTask
from bizgym.evaluators.benchmarks import course_of
from bizgym.evaluators.replay import replay
from bizgym.evaluators.report_episodes import details

from tests.payments.shipped import (
    PAYOUT,
    RELEASE,
    SHIPPED,
    TASKS,
    Walks,
    golden,
    make,
    play,
    record,
    setting,
    task,
)

SENDS_MONEY = ("reserve_release", "payout_run_execute", "payout_send_now", "account_sweep", "refund_send")


def business(action):
    return action["arguments"]["name"] if action["name"] == "call_tool" else ""


def is_write(action):
    return action["name"] == "call_tool" and TOOLS[business(action)].effect == "write"


def without(task_id, *tools):
    return [each for each in golden(task_id) if business(each) not in tools]


def verdicts(env):
    return {each.id: each.passed for each in env.checks()}


def spoken(text, **typed):
    return {"name": "message_user", "arguments": {"text": text, **typed}}


@pytest.mark.parametrize("task_id", TASKS)
def test_S01_success_needs_the_state_and_the_words_do_not_stand_in_for_it(task_id):
    """Whoever only says that the money has moved, with the right digits, has moved nothing."""
    tool = next(each for each in SENDS_MONEY if any(business(action) == each for action in golden(task_id)))
    said = f"Done: {tool} went through. " + " ".join(
        str(value) for action in golden(task_id) if business(action) == tool for value in action["arguments"].values()
    )
    path = [*without(task_id, tool)[:-1], spoken(said), {"name": "finish", "arguments": {}}]
    env = make()
    replies = play(env, task_id, path)
    assert replies[-1][1] == replies[-1][-1]["metrics"]["goal"] == replies[-1][-1]["metrics"]["strict"] == 0.0


def test_S01_all_parts_have_to_hold():
    env = make()
    metrics = play(env, RELEASE, [step.turn.calls[0] for step in record("Naive", RELEASE).steps])[-1][-1]["metrics"]
    assert (metrics["goal"], metrics["strict"]) == (1.0, 0.0)
    assert metrics["strict"] == min(metrics[each] for each in ("goal", "process", "protection"))


@pytest.mark.parametrize(
    ("told", "right"),
    [
        ({"minor": 1_000, "currency": "EUR"}, True),
        ({"minor": 10, "currency": "EUR"}, False),
        ({"minor": 1_000, "currency": "USD"}, False),
        (1_000, False),
        ("1000", False),
        ("EUR 10.00", False),
    ],
)
def test_S01_values_are_compared_as_values(told, right):
    env = make()
    env.reset(seed=0, options={"task_id": RELEASE})
    reply = env.step(spoken("It costs 10, that is EUR 10.00.", statements=[{"fact_id": "fee_cap", "value": told}]))
    assert reply[-1]["error"] == ""
    form = {"told_user": {"fact": "fee_cap", "value": {"minor": 1_000, "currency": "EUR"}}}
    spec = CheckSpec(id="G1", kind="goal", text="Told so.", form=form)
    found = setting(RELEASE)
    (verdict,) = judge([spec], found.base, env._episode.engine.log, found.rules, KINDS)
    assert verdict.passed is right


@pytest.mark.parametrize("task_id", TASKS)
def test_S02_the_oracle_is_strictly_successful_on_every_task(task_id):
    """Targets are predicates that were authored; the reference path has to meet them and does not define them."""
    row = record("Oracle", task_id)
    assert (row.reward, row.metrics["strict"], set(row.errors)) == (1.0, 1.0, set())
    assert all(check.passed for check in row.checks)
    assert len(row.checks) == len(task(task_id).checks) + 1


@pytest.mark.parametrize("task_id", TASKS)
def test_S03_an_agent_that_only_talks_has_done_nothing(task_id):
    """Every message of the reference path and no act: what has to be done is part of the target."""
    path = [each for each in golden(task_id) if not is_write(each)]
    env = make()
    metrics = play(env, task_id, path)[-1][-1]["metrics"]
    assert (metrics["strict"], metrics["goal"]) == (0.0, 0.0)
    failed = [each for each in task(task_id).checks if not verdicts(env)[each.id]]
    assert [each.text for each in failed if each.kind == "goal"]


def test_S04_a_reference_path_is_one_of_several_and_no_list_of_required_calls():
    """The words say so, and a path without some of its acts, in another order, passes."""
    assert "paths that pass" in " ".join(PaymentTask.__doc__.lower().split())
    assert "A path that is strictly successful" in GoldenPath.__doc__
    names = set(PaymentTask.model_fields) | set(GoldenPath.model_fields)
    assert not any(word in name for name in names for word in ("required", "expected", "gold_actions"))
    different = 0
    for each in map(task, TASKS):
        for other in each.goldens[1:]:
            mine, theirs = (
                [action.model_dump_json() for action in path.actions if is_write(action.model_dump())]
                for path in (each.goldens[0], other)
            )
            different += mine != theirs
            assert record(Walks([action.model_dump() for action in other.actions]), each.task_id).reward == 1.0
    assert different >= 2


@pytest.mark.parametrize("task_id", [RELEASE, PAYOUT])
def test_S05_a_report_never_shows_reward_1_beside_a_red_check(task_id):
    """An episode with extra reads: none is a check, and the reward is 1 exactly where every check shown has passed."""
    look = {"name": "call_tool", "arguments": {"name": "account_list", "arguments": {}}}
    row = record(Walks([look, *golden(task_id)[:5], look, *golden(task_id)[5:]]), task_id)
    shown = details(row)["checks"]
    assert (row.reward, all(passed for _, _, passed, *_ in shown), len(shown)) == (1.0, True, len(row.checks))
    assert course_of(row)["decided"] == {}
    spoilt = record("Naive", task_id)
    red = [check for check in details(spoilt)["checks"] if not check[2]]
    assert (spoilt.reward, len(red) > 0) == (0.0, True)
    assert {check[1] for check in red} >= set(course_of(spoilt)["decided"])


def lost_reply(task_id):
    """The reference path in which every act that sends money is called twice, as after a lost reply."""
    path = []
    for each in golden(task_id):
        path += [each, each] if "idempotency_key" in each["arguments"].get("arguments", {}) else [each]
    return path


@pytest.mark.parametrize("task_id", TASKS)
def test_T17_a_call_that_is_repeated_with_its_key_moves_money_once(task_id):
    """The second call says that it is a replay, the record shows both, and the verdict looks at the ledger."""
    row = record(Walks(lost_reply(task_id)), task_id)
    assert (row.reward, row.errors) == (1.0, {})
    told = [json.loads(step.observation) for step in row.steps if '"replayed"' in step.observation]
    replayed = [each["result"]["replayed"] for each in told]
    assert replayed == [False, True] * (len(replayed) // 2)
    assert len(replayed) >= 2
    assert replay(row, gym.make(SHIPPED)) == ""


def refunds(env):
    world = env._episode.engine.world
    return [each for each in world.all(LedgerEntry) if each.reason is EntryReason.REFUND and world.is_new(each.id)]


def test_T17_the_same_refund_twice_with_and_without_its_key():
    env = make()
    env.reset(seed=0, options={"task_id": PAYOUT})
    amount = {"minor": 1_000, "currency": "USD"}
    asked = {"account": "ACC-1", "party": "PTY-12", "about": "ACC-1", "amount": amount, "due_at": 500}
    refund = json.loads(call(env, "refund_request", **asked)[0])["result"]["refund"]
    sent = call(env, "refund_send", refund=refund, idempotency_key="r-1")
    again = call(env, "refund_send", refund=refund, idempotency_key="r-1")
    assert [json.loads(each[0])["result"]["replayed"] for each in (sent, again)] == [False, True]
    assert call(env, "refund_send", refund=refund)[-1]["error"] == "bad_arguments"
    other = call(env, "refund_send", refund=refund, idempotency_key="r-2")[-1]["tool_results"][0]
    assert other["code"] == "REFUND_NOT_REQUESTED"
    assert [each.amount.minor for each in refunds(env)] == [-1_000]


def call(env, name, **arguments):
    return env.step({"name": "call_tool", "arguments": {"name": name, "arguments": arguments}})


@pytest.mark.parametrize("task_id", [RELEASE, PAYOUT])
def test_G16_wait_echoes_the_minutes_that_were_waited_and_the_minute_that_it_is(task_id):
    env = make()
    env.reset(seed=0, options={"task_id": task_id})
    for until, waited in ((17, 17), (18, 1), (60, 42)):
        told = json.loads(env.step({"name": "wait", "arguments": {"until_minute": until}})[0])
        assert (told["minute"], told["waited_minutes"]) == (until, waited)


def test_G16_a_wait_without_a_horizon_is_refused_and_says_what_to_give():
    env = make()
    env.reset(seed=0, options={"task_id": RELEASE})
    before = env.state_digest()
    observation, _, _, _, info = env.step({"name": "wait", "arguments": {}})
    assert (info["error"], info["tool_results"][0]["code"]) == ("tool_refused", "NOTHING_TO_WAIT_FOR")
    assert "until_minute" in observation
    assert env.state_digest() == before
    schema = next(each["function"] for each in env.tools if each["function"]["name"] == "wait")
    assert "Minute of the episode, not a number of minutes" in json.dumps(schema)

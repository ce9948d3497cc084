"""Defects that public suites of this kind have had, each under its own name with what keeps it out here: the tasks."""

import json
from dataclasses import replace
from functools import cache

import pytest
from bizgym.envs.payments.content import Setting
from bizgym.envs.payments.env import PaymentWorkflowsEnv
from bizgym.envs.payments.kernel import conflicts
from bizgym.envs.payments.kernel.records import Text
from bizgym.envs.payments.kernel.rules import RuleBook
from bizgym.envs.payments.kernel.world import Base
from bizgym.envs.payments.leaks import find as find_leaks
from bizgym.envs.payments.proofs.claims import claims

from tests.payments.shipped import PAYOUT, RELEASE, TASKS, golden, make, play, record, setting, task
from tests.payments.test_env_secrets import surfaces

PATHS_PASS, FOUNDED = "every stored path passes without an error", "every argument was shown before"
READS = [
    {"name": "search_documents", "arguments": {"query": "reserve payout fee floor approval", "limit": 50}},
    {"name": "search_tools", "arguments": {"query": "close everything at once"}},
    {"name": "call_tool", "arguments": {"name": "account_list", "arguments": {"limit": 50}}},
    {"name": "call_tool", "arguments": {"name": "party_list", "arguments": {"limit": 50, "offset": 3}}},
    {"name": "call_tool", "arguments": {"name": "account_history", "arguments": {"record": "ACC-1"}}},
]


@cache
def gallery():
    return claims(PaymentWorkflowsEnv(split=None))


def failures(claim, *tasks):
    """What a claim of `bizgym prove` finds against tasks."""
    return [why for _, why in gallery()[claim](list(tasks)) if why]


def with_path(task_id, actions):
    """A task whose reference path is another."""
    found = task(task_id)
    path = found.goldens[0].model_copy(update={"actions": actions})
    return found.model_copy(update={"goldens": [path]})


def changed_call(task_id, tool, **arguments):
    """A task in whose reference path one business tool is called with other arguments."""
    actions, k = list(task(task_id).goldens[0].actions), index_of(task_id, tool)
    given = {**actions[k].arguments, "arguments": {**actions[k].arguments["arguments"], **arguments}}
    actions[k] = actions[k].model_copy(update={"arguments": given})
    return with_path(task_id, actions)


def index_of(task_id, tool):
    calls = [(each["name"], each["arguments"].get("name")) for each in golden(task_id)]
    return calls.index(("call_tool", tool))


@pytest.mark.parametrize("task_id", TASKS)
def test_gold_uses_ids_nobody_can_see(task_id):
    assert failures(FOUNDED, task(task_id)) == []
    unseen = changed_call(task_id, "notice_send", about="RSV-77")
    assert any("RSV-77" in why for why in failures(FOUNDED, unseen))


@pytest.mark.parametrize("task_id", TASKS)
def test_gold_raises_or_returns_an_error_that_is_swallowed(task_id):
    assert failures(PATHS_PASS, task(task_id)) == []
    actions = list(task(task_id).goldens[0].actions)
    again = actions[index_of(task_id, "approval_request_open")]
    nowhere = {**again.arguments, "arguments": {**again.arguments["arguments"], "customer": "PTY-9999"}}
    with_error = [actions[0], again.model_copy(update={"arguments": nowhere}), *actions[1:]]
    assert failures(PATHS_PASS, with_path(task_id, with_error)) == ["action 1: NOT_FOUND"]
    unknown = again.model_copy(update={"arguments": {"name": "approve_everything", "arguments": {}}})
    assert failures(PATHS_PASS, with_path(task_id, [unknown, *actions])) == ["action 0: bad_arguments"]


@pytest.mark.parametrize("task_id", TASKS)
def test_do_nothing_agent_scores(task_id):
    for player in ("DoNothing", "RefuseAll"):
        row = record(player, task_id)
        assert (row.reward, row.metrics["strict"], row.metrics["goal"]) == (0.0, 0.0, 0.0), player
        assert row.metrics.get("normalized", 0.0) <= 0.0, player


@pytest.mark.parametrize("task_id", TASKS)
def test_harmless_read_or_wording_fails_the_run(task_id):
    """Reads between all acts, other words in every message and note: the verdict is the same."""
    path = []
    for k, action in enumerate(golden(task_id)):
        if action["name"] == "message_user":
            action["arguments"]["text"] = f"Entirely other words, no. {k}, kindly: 1, 2, 3."
        for name in ("note", "reference"):
            if name in action["arguments"].get("arguments", {}):
                action["arguments"]["arguments"][name] = "put otherwise"
        path += [READS[k % len(READS)], action]
    replies = play(make(), task_id, path)
    assert [reply[-1]["error"] for reply in replies] == [""] * len(replies)
    assert replies[-1][-1]["metrics"]["strict"] == replies[-1][1] == 1.0


def test_equal_value_alternative_rejected():
    """Paths that lead to other records, in another order, pass as well; half of the tasks store two at least."""
    several = [each for each in map(task, TASKS) if len(each.goldens) > 1]
    assert len(several) >= len(TASKS) / 2
    for each in several:
        ends = []
        for path in each.goldens:
            env = make()
            assert play(env, each.task_id, [action.model_dump() for action in path.actions])[-1][1] == 1.0, each.task_id
            ends.append(env.state_digest())
        assert len(set(ends)) == len(each.goldens), each.task_id


def test_two_documents_contradict_without_a_winner():
    rules = setting(RELEASE).rules
    assert conflicts.find(rules) == []
    fee = rules.rows["R-REVIEW-FEE-USD-2"]
    rival = fee.model_copy(update={"id": "R-RIVAL-1", "value": fee.value + fee.value, "supersedes": None})
    found = conflicts.find(RuleBook([*rules.rows.values(), rival]))
    assert {"R-REVIEW-FEE-USD-2", "R-RIVAL-1"} <= {each for conflict in found for each in conflict.row_ids}


@pytest.mark.parametrize("task_id", TASKS)
def test_record_text_leaks_the_answer(task_id):
    assert find_leaks(task(task_id), setting(task_id)) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("SHOULD BE FREE", "SHOULD"),
        ("see R-FLOOR-USD-2", "R-FLOOR-USD-2"),
        ("instruction superseded in August", "superseded"),
        ("keep USD 10,000.00", "USD 10,000.00"),
        ("mind the cash floor", "cash floor"),
    ],
)
def test_record_text_that_leaks_the_answer_is_found(text, word):
    found = setting(PAYOUT)
    party = next(each for each in found.base.records.values() if each.kind == "party")
    records = {**found.base.records, party.id: replace(party, name=Text(text))}
    planted = Setting(Base(records.values()), found.rules, found._corpus)
    floors = task(PAYOUT).model_copy(update={"traps": ["cash_floor"], "checks": _with_rule("R-FLOOR-USD-2")})
    assert find_leaks(floors, planted)[0].startswith(f"{PAYOUT}: {party.id}.name says {word!r}")


def _with_rule(rule_id):
    return [task(PAYOUT).checks[0].model_copy(update={"rules": [rule_id]})]


@pytest.mark.parametrize("task_id", TASKS)
def test_hidden_info_in_api_results(task_id):
    """Nothing of the task's inside is in reset, step, info, spaces, save, pickle or a public attribute."""
    env = make()
    seen = surfaces(env, play(env, task_id, golden(task_id)[:40]))
    found = task(task_id)
    hidden = [found.title, found.card.persona, *(each.text for each in found.checks)]
    hidden += [each.why for each in found.goldens[0].derived if len(each.why) > 12]
    assert [each for each in hidden if each.encode() in seen or json.dumps(each)[1:-1].encode() in seen] == []
    assert not any(word in seen for word in (b"goldens", b"counterexamples", b"gold_documents", b"tool_subset"))
    _, info = make().reset(seed=0, options={"task_id": task_id})
    keys = {"task_id", "turn", "messages", "tools", "error", "tool_results", "reward_components", "metrics"}
    assert set(info) == keys == set(env.step({"name": "finish", "arguments": {}})[-1])

"""The environment end to end: the reference path passes, nothing less does, and what an agent gets wrong is told."""

import json

import gymnasium as gym
import pytest
from bizgym.envs.core.errors import SettingError
from bizgym.envs.payments.modules.catalog import TOOLS
from gymnasium.utils.env_checker import check_env

from tests.payments.workflows import PAYMENTS, golden, make, play, task

PASSED = {"strict": 1.0, "goal": 1.0, "process": 1.0, "protection": 1.0, "normalized": 1.0}
FAILED = {**PASSED, "strict": 0.0, "normalized": 0.0}
SURFACE = [
    "search_documents",
    "read_document",
    "search_tools",
    "describe_tool",
    "call_tool",
    "message_user",
    "wait",
    "finish",
]
WRITES = [
    k
    for k, action in enumerate(golden())
    if (action["name"] == "message_user" and any(ask["kind"] == "approval" for ask in action["arguments"]["asks"]))
    or (action["name"] == "call_tool" and TOOLS[action["arguments"]["name"]].effect == "write")
]


def call(name, **arguments):
    return {"name": "call_tool", "arguments": {"name": name, "arguments": arguments}}


def wait(**arguments):
    return {"name": "wait", "arguments": arguments}


def broken(env):
    return [each.id for each in env.checks() if not each.passed]


def swapped(name, **arguments):
    """The reference path with other arguments of one business tool."""
    path = golden()
    for action in path:
        if action["arguments"].get("name") == name:
            action["arguments"]["arguments"].update(arguments)
    return path


def without(name):
    """The reference path without the calls of one business tool."""
    return [action for action in golden() if action["arguments"].get("name") != name]


def asked(action):
    return [ask["ref"] for ask in action["arguments"].get("asks", [])]


def inserted(before, *actions):
    """The reference path with actions before the call of a business tool."""
    path = golden()
    k = next(k for k, action in enumerate(path) if action["arguments"].get("name") == before)
    return [*path[:k], *actions, *path[k:]]


def test_the_reference_path_passes_without_an_error_and_in_its_minutes():
    env = make()
    replies = play(env, golden())
    assert [reply[-1]["error"] for reply in replies] == [""] * (len(golden()) + 1)
    assert [reply[1] for reply in replies[1:]] == [0.0] * (len(golden()) - 1) + [1.0]
    assert replies[-1][2:4] == (True, False)
    assert replies[-1][-1]["metrics"] == PASSED
    assert json.loads(replies[-2][0])["minute"] == 59 <= task().goldens[0].minutes
    assert len(env.checks()) == len(task().checks) + 1


@pytest.mark.parametrize("dropped", WRITES)
def test_each_write_of_the_reference_path_is_needed(dropped):
    path = golden()
    env = make()
    replies = play(env, [*path[:dropped], *path[dropped + 1 :]])
    assert replies[-1][-1]["metrics"]["strict"] == 0.0
    assert broken(env)


@pytest.mark.parametrize(
    ("path", "ids"),
    [
        (inserted("review_start", call("review_reassign", review="REV-1", officer="OFF-2")), ["P5"]),
        (inserted("notice_send", call("reserve_review_request", reserve="RSV-2", route="standard_review")), ["F2"]),
        (inserted("review_decide", wait(until_minute=200)), ["P4"]),
        (inserted("review_start", wait(until_minute=668)), ["P3", "P4"]),
        (inserted("notice_send", call("account_transfer")), []),
        (without("reserve_release"), ["G1"]),
        (without("notice_send"), ["G2"]),
        ([each for each in golden() if asked(each) != ["CON-2"]], ["P2"]),
        (without("evidence_accept"), ["P3"]),
        (swapped("approval_request_open", max_fee={"minor": 5_000, "currency": "USD"}), ["P1"]),
    ],
)
def test_what_goes_wrong_is_named_and_nothing_else(path, ids):
    env = make()
    replies = play(env, path)
    assert broken(env) == ids
    assert replies[-1][1] == float(not ids)


def test_a_floor_that_is_broken_in_between_and_mended_in_the_end_counts():
    """A second review of the same reserve charges a second fee before the release brings the money in."""
    again = [
        call("review_decide", review="REV-1", passed=False),
        call("reserve_review_request", reserve="RSV-1", route="standard_review"),
        call("review_schedule", reserve="RSV-1", officer="OFF-1", evidence=["EVD-2"], scheduled_for=60),
        call("review_start", review="REV-2", account="ACC-1"),
        wait(for_event="review_ready"),
        call("review_decide", review="REV-2", passed=True),
    ]
    env = make()
    replies = play(env, [*golden()[:18], *again, *golden()[19:]])
    assert [reply[-1]["error"] for reply in replies] == [""] * len(replies)
    assert broken(env) == ["F1"]
    assert replies[-1][-1]["metrics"] == {**FAILED, "protection": 0.0}


def test_a_check_names_the_turn_that_decided_it():
    env = make()
    path = inserted("notice_send", call("reserve_review_request", reserve="RSV-2", route="standard_review"))
    play(env, path)
    found = next(each for each in env.checks() if each.id == "F2")
    assert found.turn == len(path) - 2  # before the notice and the end
    assert found.observed.startswith("F2 first broken at event ")
    assert "RSV-2" in found.observed


def test_the_null_and_the_refusing_player_get_nothing():
    null, refuser = make(), make()
    assert sum(reply[1] for reply in play(null, [""] * 20)[1:]) == 0.0
    assert null.stop_reason == "malformed_calls"
    refusal = {"request": "reserve_release", "reason": "policy_forbids"}
    message = {"text": "I am sorry, that is not possible.", "refusals": [refusal]}
    replies = play(refuser, [{"name": "message_user", "arguments": message}, {"name": "finish", "arguments": {}}])
    assert replies[-1][1] == 0.0
    assert replies[-1][-1]["metrics"]["strict"] == replies[-1][-1]["metrics"]["goal"] == 0.0


@pytest.mark.parametrize("reason", ["max_tokens", "context_overflow", "refusal"])
def test_an_episode_that_is_stopped_scores_0_although_all_was_done(reason):
    env = make()
    play(env, golden()[:-1])
    reply = env.forfeit(reason)
    assert reply[1] == 0.0
    assert reply[-1]["metrics"] == {**FAILED, "goal": 0.0}
    assert broken(env) == ["G0"]


def test_nothing_is_judged_before_the_end():
    env = make()
    replies = play(env, golden()[:-1])
    assert env.checks() == ()
    assert all(reply[-1]["metrics"] == {} for reply in replies)


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (call("reserve_relase", reserve="RSV-1"), "unknown_tool", "Did you mean 'reserve_release'?"),
        (call("reserve_get"), "bad_arguments", "record"),
        (call("reserve_get", record=7), "bad_arguments", "the integer 7"),
        (call("reserve_get", record="RSV-9"), "tool_refused", "RSV-9 is no such record"),
        (call("reserve_release", reserve="RSV-1", idempotency_key="k"), "tool_refused", "RESERVE_NOT_CLEARED"),
        ({"name": "describe_tool", "arguments": {"name": "reserve_relase"}}, "tool_refused", "reserve_release"),
        ({"name": "read_document", "arguments": {"document_id": "D-9"}}, "tool_refused", "NO_SUCH_DOCUMENT"),
        ({"name": "reserve_release", "arguments": {}}, "unknown_tool", "The tools are: search_documents"),
    ],
)
def test_what_an_agent_gets_wrong_is_told_and_changes_nothing(action, error, words):
    env = make()
    play(env, golden()[:5])
    before = env.state_digest()
    observation, _, _, _, info = env.step(action)
    assert info["error"] == error
    assert words in observation
    assert env.state_digest() == before


def test_inner_names_and_arguments_that_do_not_fit_count_as_malformed():
    env = make(max_consecutive_errors=3)
    play(env, [call("nothing"), call("reserve_get"), call("nothing")])
    assert env.stop_reason == "malformed_calls"
    refused = make(max_consecutive_errors=3)
    play(refused, [call("reserve_get", record="RSV-9")] * 5)
    assert refused.stop_reason is None


def test_it_is_a_gymnasium_environment():
    check_env(gym.make(PAYMENTS).unwrapped, skip_render_check=True)


def test_the_surface_is_the_eight_tools_and_flat_offers_the_subset_of_the_task():
    assert [each["function"]["name"] for each in make().tools] == SURFACE
    env = make(tool_mode="flat")
    env.reset(seed=0)
    own = [name for name in SURFACE if name not in ("search_tools", "describe_tool", "call_tool")]
    assert [each["function"]["name"] for each in env.tools] == [*own, *task().tool_subset]


def test_the_reference_path_passes_with_flat_tools():
    path = [each["arguments"] if each["name"] == "call_tool" else each for each in golden()]
    assert play(make(tool_mode="flat"), path)[-1][-1]["metrics"] == PASSED


@pytest.mark.parametrize("setting", ["tool_mode", "information", "retrieval"])
def test_a_setting_that_does_not_exist_is_refused_with_those_that_do(setting):
    with pytest.raises(SettingError, match=f"{setting}: one of"):
        make(**{setting: "hybrid"})


@pytest.mark.parametrize("cap", [0, -1.0, True, float("nan"), "2", 1_000])
def test_a_cap_that_is_none_is_refused(cap):
    with pytest.raises(SettingError, match="tool_cap"):
        make(tool_cap=cap)


def test_a_cap_counts_calls_and_ends_the_episode_unless_it_is_over():
    assert play(make(tool_cap=1.0), golden())[-1][1] == 1.0
    env = make(tool_cap=0.5)
    replies = play(env, golden())
    assert len(replies) - 1 == len(golden()) // 2
    assert env.stop_reason == "max_calls"
    assert replies[-1][2:4] == (False, True)
    assert "Nothing counts" in replies[-1][0]


def test_without_retrieval_documents_are_read_by_their_ids():
    env = make(retrieval="none")
    assert "search_documents" not in [each["function"]["name"] for each in env.tools]
    play(env, golden()[1:2])
    assert "USD 60.00" in env.step(golden()[1])[0]


@pytest.mark.parametrize(
    ("information", "seen", "unseen"),
    [
        ("default", [], ["USD 60.00", "USD 61.23"]),
        ("gold_documents", ["USD 60.00", "Releasing a reserve"], ["USD 61.23", "USD 50.00"]),
        ("full_disclosure", ["USD 60.00", "fee_cap: USD 61.23", "sales_report/RSV-1: can be handed in"], ["USD 50.00"]),
    ],
)
def test_what_is_handed_over_at_the_start(information, seen, unseen):
    observation, _ = make(information=information).reset(seed=0)
    request = observation.partition("Customer PTY-1 writes:")[2]
    assert request.strip().startswith(task().opener)
    assert all(each in request for each in seen)
    assert not any(each in request for each in unseen)


def test_search_finds_tools_by_what_they_do_and_shows_them_whole():
    env = make()
    env.reset(seed=0)
    found = env.step({"name": "search_tools", "arguments": {"query": "pay a cleared reserve out", "limit": 5}})[0]
    assert "reserve_release" in [each["name"] for each in json.loads(found)]
    shown = json.loads(env.step({"name": "describe_tool", "arguments": {"name": "reserve_release"}})[0])
    assert shown["minutes"] == TOOLS["reserve_release"].minutes == 2
    assert shown["arguments"]["required"] == ["reserve", "idempotency_key"]
    assert "FILE_NOT_CLOSED" in shown["error_codes"]

"""Acts under the surface: footprints hold, a repeated call pays once, a long result is shown head and tail."""

import json

from bizgym.envs.payments.episode import Episode
from bizgym.envs.payments.records.cash import LedgerEntry
from bizgym.envs.payments.surface import SURFACE
from bizgym.envs.payments.user.scripted import ScriptedDriver

from tests.payments.workflows import content, golden, make, play, task

RELEASE = golden()[-3]


def test_the_reference_path_keeps_to_every_declared_footprint():
    episode = Episode(task(), content().setting(task()), ScriptedDriver(), check_footprints=True)
    for action in golden():
        given = SURFACE[action["name"]].validate(action["arguments"])
        if action["name"] == "call_tool":
            episode.call(**given)
        elif action["name"] == "message_user":
            episode.message(given["text"], given["asks"] or (), given["statements"] or (), given["refusals"] or ())
        elif action["name"] == "wait":
            episode.wait(**given)
    assert [event.code for event in episode.engine.log] == [""] * len(episode.engine.log)
    assert episode.now == 59


def entries(env):
    return len(list(env._episode.engine.world.all(LedgerEntry)))


def test_T17_a_call_that_is_repeated_after_a_lost_reply_moves_money_once():
    env = make()
    play(env, golden()[:-2])
    before = entries(env)
    again = json.loads(env.step(RELEASE)[0])["result"]
    assert (again["replayed"], again["state"], entries(env)) == (True, "released", before)
    other = json.loads(json.dumps(RELEASE))
    del other["arguments"]["arguments"]["approval"]
    info = env.step(other)[-1]
    assert (info["error"], info["tool_results"][0]["code"]) == ("tool_refused", "IDEMPOTENCY_KEY_REUSED")
    assert [env.step(action)[1] for action in golden()[-2:]] == [0.0, 1.0]


def test_T18_a_long_result_is_shown_head_and_tail_and_kept_whole_in_the_record():
    env = make()
    env.reset(seed=0)
    observation, _, _, _, info = env.step({"name": "search_tools", "arguments": {"query": "account", "limit": 50}})
    whole = info["tool_results"][0]["content"]
    assert len(whole) > 8_000 > len(observation) - 100
    assert f"[... {len(whole) - 8_000} characters left out ...]" in observation


def test_statements_and_refusals_stand_in_the_log_as_they_were_typed():
    env = make()
    env.reset(seed=0)
    said = {"fact_id": "fee_cap/RSV-1", "value": {"minor": 5_000, "currency": "USD"}}
    refused = {"request": "limit_increase", "reason": "not_offered"}
    env.step({"name": "message_user", "arguments": {"text": "So:", "statements": [said], "refusals": [refused]}})
    log = {event.name: dict(event.arguments) for event in env._episode.engine.log}
    assert log["told_user"] == {"fact": "fee_cap/RSV-1", "value": {"minor": 5_000, "currency": "USD"}}
    assert log["refused_request"] == refused

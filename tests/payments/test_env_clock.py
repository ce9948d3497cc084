"""Waiting: minutes are echoed, what happens meanwhile is told, and nobody waits for what never comes."""

import json

import pytest

from tests.payments.workflows import golden, make, play


def waiting(**arguments):
    return {"name": "wait", "arguments": arguments}


def started():
    """An episode in which an officer reads since minute 25, until minute 55."""
    env = make()
    play(env, golden()[:17])
    return env


def told(env, **arguments):
    observation, _, _, _, info = env.step(waiting(**arguments))
    assert info["error"] == "", observation
    return json.loads(observation)


def test_G16_wait_echoes_the_minutes_that_it_waited_and_the_minute_that_it_is():
    assert told(started(), until_minute=40) == {"minute": 40, "waited_minutes": 13}


def test_what_happens_meanwhile_is_told_with_its_minute():
    seen = told(started(), until_minute=100)
    assert seen["minute"] == 100
    assert [(each["minute"], each["event"]) for each in seen["happened"]] == [(55, "review_ready")]


def test_waiting_for_an_event_stops_with_it_or_at_the_minute_given():
    seen = told(started(), for_event="review_ready")
    assert (seen["minute"], seen["waited_minutes"], seen["for_event_happened"]) == (55, 28, True)
    seen = told(started(), for_event="review_ready", until_minute=30)
    assert (seen["minute"], seen["waited_minutes"], seen["for_event_happened"]) == (30, 3, False)


def test_waiting_for_what_does_not_come_lasts_a_week():
    seen = told(started(), for_event="receipt_arrives")
    assert (seen["waited_minutes"], seen["for_event_happened"]) == (10_080, False)
    assert [each["event"] for each in seen["happened"]] == ["review_ready"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "NOTHING_TO_WAIT_FOR"),
        ({"until_minute": 27}, "MINUTE_IS_OVER"),
        ({"for_event": "review_redy"}, "NO_SUCH_EVENT"),
    ],
)
def test_a_wait_that_makes_no_sense_is_refused_and_takes_no_time(arguments, code):
    env = started()
    before = env.state_digest()
    info = env.step(waiting(**arguments))[-1]
    assert (info["error"], info["tool_results"][0]["code"]) == ("tool_refused", code)
    assert env.state_digest() == before
    assert told(env, until_minute=28)["waited_minutes"] == 1


def test_a_minute_beyond_the_clock_is_no_argument():
    assert started().step(waiting(until_minute=10**9))[-1]["error"] == "bad_arguments"

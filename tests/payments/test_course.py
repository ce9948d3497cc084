"""What an episode's page shows of payments: curves with their floors, every change, and what broke a check."""

import gymnasium as gym
import pytest
from bizgym.agents.rollout import rollout
from bizgym.envs.core.errors import RecordError
from bizgym.envs.payments import course as course_module
from bizgym.envs.payments.checks.spec import CheckSpec
from bizgym.evaluators.benchmarks import course_of

from tests.evaluators.conftest import Scripted
from tests.payments.scoring import course_of_record, series
from tests.payments.test_env import call, inserted, wait, without
from tests.payments.workflows import PAYMENTS, TASK_ID, golden, make, play, task

SECOND_REVIEW = [
    call("review_decide", review="REV-1", passed=False),
    call("reserve_review_request", reserve="RSV-1", route="standard_review"),
    call("review_schedule", reserve="RSV-1", officer="OFF-1", evidence=["EVD-2"], scheduled_for=60),
    call("review_start", review="REV-2", account="ACC-1"),
    wait(for_event="review_ready"),
    call("review_decide", review="REV-2", passed=True),
]
FLOOR_BROKEN = [*golden()[:18], *SECOND_REVIEW, *golden()[19:]]


def recorded(turns):
    return rollout(gym.make(PAYMENTS), Scripted(lambda k: turns[k - 1]), seed=3, task_id=TASK_ID)


def amounts(panel, name):
    """The amounts of a line by minute, the last one of each."""
    return dict(zip(panel["x"], panel["lines"][name], strict=True))


def test_cash_the_reserve_and_the_floor_are_drawn_as_steps():
    course = course_of_record(recorded(golden()))
    (panel,) = course["panels"]
    assert (panel["unit"], panel["x_label"]) == ("USD", "minute")
    cash, reserve, floor = (panel["lines"][name] for name in ("ACC-1 settlement", "ACC-2 reserve", "floor of F1"))
    assert set(floor) == {1_000.0}
    assert (cash[0], min(cash), cash[-1]) == (1_060.0, 1_000.0, 1_600.0)
    assert (reserve[0], reserve[-1]) == (800.0, 200.0)
    for k in range(1, len(panel["x"])):  # nothing slopes: between two minutes every amount stays
        if panel["x"][k] > panel["x"][k - 1]:
            assert [line[k] for line in panel["lines"].values()] == [line[k - 1] for line in panel["lines"].values()]
    assert panel["x"] == sorted(panel["x"])
    assert course["decided"] == {}


def test_a_record_and_its_history_are_drawn_alike():
    history = [(each["name"], each["arguments"]) for each in FLOOR_BROKEN]
    assert course_of_record(recorded(FLOOR_BROKEN))["panels"] == series(task(), history)


def test_every_lower_limit_that_has_to_hold_is_a_floor_and_those_come_before_accounts_that_rest(monkeypatch):
    """A promise of a balance, two limits in one check, and one of another currency, which has no account here."""
    usd, eur = ({"minor": 77_700, "currency": each} for each in ("USD", "EUR"))
    balance = {"field": ["ACC-1", "balance"]}
    both = {"all": [{"ge": [balance, usd]}, {"gt": [balance, {"rule": "cash_floor"}]}, {"le": [balance, eur]}]}
    forms = [{"respects": {"while": {"eq": [1, 1]}, "holds": both}}, {"always": {"ge": [balance, eur]}}]
    added = [CheckSpec(id=f"F{k}", kind="protection", text="Kept.", form=form) for k, form in enumerate(forms, start=3)]
    changed = task().changed(checks=[*task().checks, *added])
    monkeypatch.setattr(course_module, "LINES_A_PANEL", 4)
    (panel,) = series(changed, [])
    assert panel["lines"] == {
        "ACC-1 settlement": [1_060.0],
        "floor of F1": [1_000.0],
        "floor of F3": [777.0],
        "floor of F3, 2": [1_000.0],
    }


def test_the_floor_is_seen_to_break_in_the_minute_that_is_blamed():
    course = course_of_record(recorded(FLOOR_BROKEN))
    (panel,) = course["panels"]
    below = [minute for minute, cash in amounts(panel, "ACC-1 settlement").items() if cash < 1_000.0]
    assert course["decided"] == {"F1": {"event": 36, "minute": min(below)}}
    (event,) = [each for each in course["events"] if each["event"] == 36]
    assert (event["turn"], event["actor"], event["name"], event["code"]) == (22, "agent", "review_start", "")
    assert ["ACC-1 balance", "USD 1,000.00", "USD 940.00"] in event["changes"]
    assert next(each for each in recorded(FLOOR_BROKEN).checks if each.id == "F1").turn == event["turn"]


def test_every_change_of_the_log_is_shown_once_under_its_turn():
    env = make()
    play(env, golden())
    log, turns = env._episode.engine.log, env._episode.turns
    course = course_of_record(recorded(golden()))
    assert [(each["event"], each["turn"], each["minute"], len(each["changes"])) for each in course["events"]] == [
        (event.seq, turn, event.t, len(event.writes)) for event, turn in zip(log, turns, strict=True) if event.writes
    ]


def test_a_new_record_is_told_with_its_fields():
    course = course_of_record(recorded(golden()))
    changes = [change for each in course["events"] if each["name"] == "review_schedule" for change in each["changes"]]
    told = "reserve RSV-1, route standard_review, officer OFF-1, evidence EVD-2, scheduled_for 25, fee USD 60.00"
    assert changes == [["REV-1 new review", "", f"{told}, state scheduled"]]


def test_what_did_not_come_about_is_decided_by_no_event():
    path = without("reserve_release")
    assert course_of_record(recorded(path))["decided"] == {}
    (missing,) = [each for each in recorded(path).checks if not each.passed]
    assert (missing.id, missing.turn) == ("G1", None)
    late = inserted("review_decide", wait(until_minute=200))
    assert list(course_of_record(recorded(late))["decided"]) == ["P4"]


def test_a_refused_call_changes_nothing_and_does_not_hide_what_follows():
    refused = call("reserve_get", record="RSV-9")
    shifted = course_of_record(recorded([refused, *golden()]))["events"]
    plain = course_of_record(recorded(golden()))["events"]
    assert [(each["turn"] - 1, each["minute"], each["changes"]) for each in shifted] == [
        (each["turn"], each["minute"], each["changes"]) for each in plain
    ]


def test_a_record_that_cannot_be_played_has_no_course():
    row = recorded(golden())
    with pytest.raises(RecordError, match="turn 1, call_tool: refused when it is played again"):
        course_of(row.model_copy(update={"steps": row.steps[-3:]}))
    with pytest.raises(RecordError, match=r"bizgym-tests/Payments-v0: cannot be played again \("):
        course_of(row.model_copy(update={"task_id": "no_such_task"}))

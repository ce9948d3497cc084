"""Every act of the customer's side: what it does, reckoned by hand, and every code by which it is refused."""

from typing import Any

import pytest
from bizgym.envs.core.jsontext import canonical
from bizgym.envs.payments.kernel.events import Event, world_after
from bizgym.envs.payments.kernel.records import to_json
from bizgym.envs.payments.modules import catalog
from bizgym.envs.payments.records.cash import LedgerEntry

from tests.payments.books import load
from tests.payments.desk import BASE, desk

SHEETS = ("acts_reserves.yaml", "acts_promises.yaml", "acts_payouts.yaml")
ACTS: dict[str, dict[str, Any]] = {name: act for sheet in SHEETS for name, act in load(sheet).items()}
OTHERS = {tool.module for part in catalog.PARTS[:8] for tool in part.TOOLS}
REFUSALS = [(name, code) for name, act in ACTS.items() for code in act["refused"]]
NOT_DECLARED = {"NO_RULE_FOR_CURRENCY"}
"""What every act with a price may answer, wherever the price comes from."""


def begin(case: dict[str, Any]) -> Any:
    engine = desk(catalog.TOOLS, catalog.HANDLERS)
    for name, arguments in case.get("before", []):
        done = engine.call(name, arguments)
        assert done.ok, (name, done.code, done.result)
    if "at" in case:
        engine.run_until(case["at"])
    return engine


def fields(world: Any, wanted: dict[str, Any]) -> dict[str, Any]:
    return {path: to_json(getattr(world.find(path.split(".")[0]), path.split(".")[1])) for path in wanted}


def is_json(value: Any) -> bool:
    """Whether nothing but the plain types of JSON is in a value, down to the last one."""
    if type(value) is dict:
        return all(type(key) is str and is_json(each) for key, each in value.items())
    if type(value) is list:
        return all(is_json(each) for each in value)
    return value is None or type(value) in (str, int, bool)


@pytest.mark.parametrize("name", ACTS)
def test_an_act_does_what_it_says(name):
    act = ACTS[name]
    engine = begin(act)
    n_before, minute = len(engine.log), engine.now
    event: Event = engine.call(name, act["call"])
    assert event.ok, (event.code, event.result)
    assert event.writes != () or "happens" in act
    assert {key: event.result[key] for key in act["says"]} == act["says"]
    assert event.t == minute
    assert engine.now == minute + catalog.TOOLS[name].minutes
    at_once = world_after(BASE, engine.log, n_before + 1)
    assert fields(at_once, act.get("leaves", {})) == act.get("leaves", {})
    engine.run_until(10_000)
    happened = [[each.t, each.name] for each in list(engine.log)[n_before + 1 :]]
    assert happened == act.get("happens", [])
    assert fields(engine.world, act.get("later", {})) == act.get("later", {})
    assert all(is_json(each.result) and is_json(dict(each.arguments)) for each in engine.log)
    assert canonical(event.to_json())


@pytest.mark.parametrize(("name", "code"), REFUSALS)
def test_an_act_that_is_refused_says_why_and_changes_nothing(name, code):
    act = ACTS[name]
    case = dict(act["refused"][code])
    again = case.pop("again", False)
    engine = begin({**{key: act[key] for key in ("at", "before") if key in act}, **case})
    case = {key: value for key, value in case.items() if key not in ("at", "before")}
    if again:
        assert engine.call(name, act["call"]).ok
    event = engine.call(name, {**act["call"], **case})
    assert event.code == code, (event.code, event.result)
    assert (event.writes, event.minutes) == ((), 0)
    assert len(event.result) > 20


def test_every_act_and_every_code_is_in_a_sheet():
    acts = {name: tool for name, tool in catalog.TOOLS.items() if tool.effect == "write" and tool.module not in OTHERS}
    assert list(acts) == [name for name in acts if name in ACTS]
    for name, tool in acts.items():
        assert set(tool.error_codes) | NOT_DECLARED >= set(ACTS[name]["refused"]), name
        assert set(tool.error_codes) <= set(ACTS[name]["refused"]), name


@pytest.mark.parametrize("name", [name for name, act in ACTS.items() if "idempotency_key" in act["call"]])
def test_the_same_key_and_arguments_do_it_once(name):
    act = ACTS[name]
    engine = begin(act)
    first = engine.call(name, act["call"])
    between = canonical([to_json(each) for each in engine.world.changed().values()])
    second = engine.call(name, act["call"])
    assert second.ok
    assert second.writes == ()
    assert second.result == {**first.result, "replayed": True}
    assert first.result["replayed"] is False
    if "happens" not in act:
        assert canonical([to_json(each) for each in engine.world.changed().values()]) == between


def test_another_key_sends_the_same_refund_only_where_a_refund_is_left():
    engine = begin({})
    call = ACTS["refund_send"]["call"]
    assert engine.call("refund_send", call).ok
    repeated = engine.call("refund_send", {**call, "idempotency_key": "ref-2"})
    assert repeated.code == "REFUND_NOT_REQUESTED"
    sent = [entry for entry in engine.world.all(LedgerEntry) if entry.about == "REF-1"]
    assert [entry.amount.minor for entry in sent] == [-2_500]

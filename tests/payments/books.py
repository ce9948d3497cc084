"""The company of `books.yaml`, with the tools of the modules that keep its books, and what a test says about them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from bizgym.envs.payments.kernel.engine import Engine
from bizgym.envs.payments.kernel.events import Event
from bizgym.envs.payments.kernel.records import Id, by_kind, to_json
from bizgym.envs.payments.kernel.rules import RuleBook, RuleRow
from bizgym.envs.payments.kernel.world import Base
from bizgym.envs.payments.modules import (
    accounts,
    bills,
    holds,
    invoices,
    ledger,
    receipts,
    reconciliation,
    remittances,
)
from bizgym.envs.payments.records import KINDS

MODULES = (accounts, holds, ledger, receipts, invoices, remittances, reconciliation, bills)
TOOLS = {tool.name: tool for module in MODULES for tool in module.TOOLS}
ACTS = {name: tool for name, tool in TOOLS.items() if tool.effect == "write"}
HANDLERS = {name: handler for module in MODULES for name, handler in module.HANDLERS.items()}
FOLDER = Path(__file__).parent
_AMOUNT = re.compile(r"([A-Z]{3}) (-?\d+)")


def amounts(value: Any) -> Any:
    """Turn each `USD 500`, 500 minor units of USD, into an amount as JSON values."""
    if isinstance(value, Mapping):
        return {name: amounts(each) for name, each in value.items()}
    if isinstance(value, list):
        return [amounts(each) for each in value]
    found = _AMOUNT.fullmatch(value) if isinstance(value, str) else None
    return {"minor": int(found[2]), "currency": found[1]} if found else value


def load(name: str) -> Any:
    return amounts(yaml.safe_load((FOLDER / name).read_text(encoding="utf-8")))


SHEETS = {
    name: act
    for file in ("accounts", "receivables", "reconciliation")
    for name, act in load(f"acts/{file}.yaml").items()
}
"""Of each act its arguments, and cases that change some of them."""

_WORLD = load("books.yaml")
BASE = Base(by_kind(KINDS, _WORLD["records"], "books.yaml"))
RULES = RuleBook(
    RuleRow.model_validate({"authority": "global_policy", "rationale": "A test needs it.", **row})
    for row in _WORLD["rules"]
)


def company(rules: RuleBook = RULES) -> Engine:
    """Begin an episode; what the base has pending is on the queue."""
    engine = Engine(BASE, rules, TOOLS, HANDLERS, check_footprints=True)
    receipts.opening(engine.context)
    holds.opening(engine.context)
    engine.world.take_delta()
    return engine


def do(engine: Engine, name: str, /, **arguments: Any) -> Any:
    """Call a tool that must do it, and return its result."""
    event = engine.call(name, amounts(arguments))
    assert event.ok, f"{name}: {event.code}, {event.result}"
    return event.result


def last(engine: Engine, name: str) -> Event:
    """Return the last event of a name."""
    return next(event for event in reversed(list(engine.log)) if event.name == name)


def seen(engine: Engine, record_id: str, *names: str) -> tuple[Any, ...]:
    """Return fields of a record, amounts as `USD 500`."""
    record = engine.world.find(Id(record_id))
    assert record is not None, record_id
    return tuple(_short(to_json(getattr(record, name))) for name in names)


def _short(value: Any) -> Any:
    return f"{value['currency']} {value['minor']}" if isinstance(value, dict) else value


def balances(engine: Engine, *account_ids: str) -> tuple[int, ...]:
    """Return balances in minor units."""
    return tuple(engine.world.find(Id(each)).balance.minor for each in account_ids)


def booked(engine: Engine) -> list[tuple[str, int, str, str]]:
    """Return what was booked in the episode: account, minor units, reason, about."""
    entries = [write.new for event in engine.log for write in event.writes if write.field == ""]
    return [
        (entry.account, entry.amount.minor, entry.reason.value, entry.about)
        for entry in entries
        if entry.kind == "ledger_entry"
    ]

"""Mistakes of order and of repetition that a player makes throughout, derived from the reference path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..kernel.events import world_after
from ..kernel.records import id_number
from ..kernel.world import Write
from ..records.payouts import Method, Payout
from ..tasks import Action
from .mistakes import Ground, another, inner
from .play import prefix_of
from .support import is_id
from .values import is_money, leaves
from .variations import Part, Parts, inserted, varied, without

_DRAFT, _SEND = "payout_draft", "payout_send_now"
_KEY = "idempotency_key"


def greedy_order(ground: Ground) -> Parts:
    """What is done several times with an amount is done for the largest one first."""
    by_tool: dict[str, list[int]] = {}
    for k in ground.writes:
        if _amount(ground.actions[k]) is not None:
            by_tool.setdefault(_tool(ground, k), []).append(k)
    put: dict[Part, int] = {}
    for places in by_tool.values():
        ranked = sorted(places, key=lambda k: -(_amount(ground.actions[k]) or 0))
        put.update(dict(zip(places, ranked, strict=True)))
    chosen = _largest_chosen_first(ground)
    return tuple(chosen.get(put.get(part, part), put.get(part, part)) for part in ground.parts)


def _largest_chosen_first(ground: Ground) -> dict[Part, Part]:
    """Return the writes that are to choose among payouts, such as those for a run, with the largest one first."""
    worth = {
        str(each.id): each.amount.minor for each in ground.setting.base.records.values() if isinstance(each, Payout)
    }
    for k in ground.writes:
        amount = _amount(ground.actions[k])
        worth.update({each: amount for each in ground.golden.shown[k].created if amount is not None})
    by_tool: dict[str, list[tuple[int, str]]] = {}
    for k in ground.writes:
        payout = inner(ground.actions[k]).get("payout")
        if payout in worth and _amount(ground.actions[k]) is None:
            by_tool.setdefault(_tool(ground, k), []).append((k, payout))
    found: dict[Part, Part] = {}
    for pairs in by_tool.values():
        ranked = sorted((payout for _, payout in pairs), key=lambda payout: -worth[payout])
        for (k, payout), other in zip(pairs, ranked, strict=True):
            if other != payout:
                found[k] = varied(ground.actions[k], k, arguments={**inner(ground.actions[k]), "payout": other})
    return found


def close_first(ground: Ground) -> Parts:
    """What is to be closed is closed, with all that this takes, before anything else is done to it."""
    parts = ground.parts
    for k in closings(ground):
        cluster = _takes(ground, k)
        left = without(parts, *cluster)
        named = closed_by(ground, k)
        numbers = [part for part in left if isinstance(part, int)]
        first = next((part for part in numbers if named & _ids(ground.actions[part])), numbers[-1])
        parts = inserted(left, first, *cluster)
    return parts


def closings(ground: Ground) -> list[int]:
    """Return the writes that close something."""
    return [k for k in ground.writes if "close" in _tool(ground, k).split("_")]


def closed_by(ground: Ground, closing: int) -> frozenset[str]:
    """Return the records that a closing names and changes."""
    return _ids(ground.actions[closing]) & _changed(ground, closing) & frozenset(ground.setting.base.records)


def _takes(ground: Ground, closing: int) -> list[int]:
    """Return a closing with what prepares it: its approval, and what else changes the record that is closed."""
    asked = [k for k in ground.approvals if _ids(ground.actions[closing]) & _refs(ground.actions[k])]
    opened = [k for message in asked for k in ground.opened_by(message)]
    named = closed_by(ground, closing)
    before = [k for k in ground.writes if k < closing and named & _changed(ground, k)]
    return sorted({closing, *asked, *opened, *before})


def pay_twice(ground: Ground) -> Parts:
    """Whatever has a key against repetition is done again under another one; payouts are also drafted and sent anew."""
    parts = ground.parts
    keyed = [k for k in ground.writes if _KEY in inner(ground.actions[k])]
    for k in keyed:
        parts = inserted(parts, k + 1, varied(another(ground.actions[k], "again"), None))
    runs = [k for k in keyed if "run" in inner(ground.actions[k])]
    return inserted(parts, runs[-1] + 1, *_sent_again(ground, runs)) if runs else parts


def _sent_again(ground: Ground, runs: list[int]) -> Iterator[Part]:
    """Draft the payouts of runs again, those of the last run first, without their bills, and send each at once."""
    log = ground.golden.log
    executed = [str(inner(ground.actions[k])["run"]) for k in reversed(runs)]
    payouts = [each for each in world_after(ground.setting.base, log, len(log)).all(Payout) if each.run in executed]
    number = max((id_number(each) for each in _payouts(ground, runs[-1])), default=0)
    for each in sorted(payouts, key=lambda payout: executed.index(str(payout.run))):
        if each.method is not Method.BATCH:
            number += 1
            draft = {"account": each.account, "beneficiary": each.beneficiary, "amount": each.amount.to_json()}
            yield _call(_DRAFT, {**draft, "method": each.method.value, "execute_at": ground.golden.minutes})
            again = f"{Payout.prefix}-{number}"
            yield _call(_SEND, {"payout": again, _KEY: f"{again}-again"})


def _payouts(ground: Ground, until: int) -> Iterator[str]:
    """Yield the payouts that there are when the reference path has done an act."""
    yield from (each for each in ground.setting.base.records if prefix_of(each) == Payout.prefix)
    for shown in ground.golden.shown[: until + 1]:
        yield from (each for each in shown.created if prefix_of(each) == Payout.prefix)


def _call(tool: str, arguments: dict[str, Any]) -> Part:
    return varied(Action(name="call_tool", arguments={"name": tool, "arguments": arguments}), None)


def _tool(ground: Ground, k: int) -> str:
    return str(ground.actions[k].arguments["name"])


def _amount(action: Action) -> int | None:
    return next((leaf.value["minor"] for leaf in leaves(action) if is_money(leaf.value)), None)


def _ids(action: Action) -> frozenset[str]:
    """Return the records that a call of a business tool names."""
    if action.name != "call_tool":
        return frozenset()
    return frozenset(leaf.value for leaf in leaves(action) if isinstance(leaf.value, str) and is_id(leaf.value))


def _refs(action: Action) -> frozenset[str]:
    return frozenset(each["ref"] for each in action.arguments["asks"])


def _changed(ground: Ground, k: int) -> frozenset[str]:
    written: list[Write] = [write for event in ground.golden.shown[k].events[:1] for write in event.writes]
    return frozenset(str(write.record_id) for write in written)

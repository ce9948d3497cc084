"""Mistakes that are made on the reference path, by operator: each yields paths that differ from it in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..content import Setting
from ..kernel.world import Base
from ..modules.catalog import TOOLS
from ..tasks import Action, PaymentTask
from .beliefs import Belief, believed, mistaken
from .play import Play, prefix_of, reference
from .provenance import is_write
from .values import leaves, replaced
from .variations import Part, Parts, inserted, moved, replaced_by, varied, whole, without

DELAYS_MINUTES = (1, 5, 30, 120, 600, 2_880, 10_080)
SIBLINGS = 3
_APPROVAL = "approval"


class Mistake(NamedTuple):
    """A path with a mistake.

    Attributes:
        operator: Name of the mistake.
        parts: The path.
    """

    operator: str
    parts: Parts


class Ground:
    """What mistakes are made on.

    Args:
        task: The task.
        setting: What it is played in.
    """

    def __init__(self, task: PaymentTask, setting: Setting) -> None:
        self.task = task
        self.setting = setting
        self.golden: Play = reference(task, setting)
        self.actions: Sequence[Action] = task.goldens[0].actions
        self.parts: Parts = whole(task)

    @cached_property
    def writes(self) -> list[int]:
        """Numbers of the calls of business tools that change something."""
        return [k for k, each in enumerate(self.actions) if is_write(each)]

    @cached_property
    def approvals(self) -> list[int]:
        """Numbers of the messages that ask for an approval."""
        return [k for k, each in enumerate(self.actions) if asks_approval(each)]

    @cached_property
    def waits(self) -> list[int]:
        """Numbers of the waits."""
        return [k for k, each in enumerate(self.actions) if each.name == "wait"]

    @cached_property
    def acts(self) -> list[int]:
        """Numbers of everything of the above, in order."""
        return sorted([*self.writes, *self.approvals, *self.waits])

    @cached_property
    def talks(self) -> list[int]:
        """Numbers of the messages to the customer."""
        return [k for k, each in enumerate(self.actions) if each.name == "message_user"]

    def opened_by(self, message: int) -> list[int]:
        """Return the numbers of the writes that opened what a message asks an approval of."""
        asked = {each["ref"] for each in self.actions[message].arguments["asks"] if each["kind"] == _APPROVAL}
        return [k for k in self.writes if asked.intersection(self.golden.shown[k].created)]


def asks_approval(action: Action) -> bool:
    """Whether an action asks the customer for an approval."""
    asks = action.arguments.get("asks") or () if action.name == "message_user" else ()
    return any(each["kind"] == _APPROVAL for each in asks)


def inner(action: Action) -> dict[str, Any]:
    """Return the arguments of the business tool that an action calls."""
    found: dict[str, Any] = action.arguments["arguments"]
    return found


def _drop(ground: Ground) -> Iterator[Parts]:
    for k in sorted({*ground.acts, *ground.talks}):
        yield without(ground.parts, k)


def _delay(ground: Ground) -> Iterator[Parts]:
    for k in ground.acts:
        yield from (moved(ground.parts, k, later) for later in ground.acts if later > k)


def _advance(ground: Ground) -> Iterator[Parts]:
    for k in ground.acts:
        yield from (moved(ground.parts, k, earlier) for earlier in ground.acts if earlier < k)


def _superseded_value(ground: Ground) -> Iterator[Parts]:
    """Another row of the rule is gone by, in one act or in all of them."""
    for each in mistaken(ground.task, ground.setting, ground.golden):
        changed = {k: believed(ground.actions[k], each.belief) for k in (*ground.writes, *ground.talks)}
        wrong = {k: act for k, act in changed.items() if act != ground.actions[k]}
        for k, act in wrong.items():
            yield replaced_by(ground.parts, k, varied(act, k))
        if len(wrong) > 1:
            yield under(ground, each.belief)


def under(ground: Ground, belief: Belief) -> Parts:
    """Return the reference path as an agent of some belief walks it."""
    return tuple(_believed_part(ground, k, belief) for k in ground.parts if isinstance(k, int))


def _believed_part(ground: Ground, k: int, belief: Belief) -> Part:
    act = believed(ground.actions[k], belief)
    return k if act == ground.actions[k] else varied(act, k)


def _sibling(ground: Ground) -> Iterator[Parts]:
    """A write is done to another record of the same kind."""
    for k in ground.writes:
        for act in _with_siblings(ground.setting.base, ground.actions[k]):
            yield replaced_by(ground.parts, k, varied(act, k))


def _bystander(ground: Ground) -> Iterator[Parts]:
    """A write is also done to another record of the same kind."""
    for k in ground.writes:
        for act in _with_siblings(ground.setting.base, ground.actions[k]):
            yield inserted(ground.parts, k + 1, varied(another(act, "other"), None))


def _with_siblings(base: Base, action: Action) -> Iterator[Action]:
    texts = dict.fromkeys(leaf.value for leaf in leaves(action) if isinstance(leaf.value, str))
    for record_id in (each for each in texts if each in base.records):
        same = base.by_kind[base.records[record_id].kind]
        others = sorted((each for each in same if each != record_id), key=lambda each: _distance(each, record_id))
        for other in others[:SIBLINGS]:
            yield replaced(action, _exchange(record_id, other))


def _exchange(old: str, new: str) -> Callable[[Any], Any]:
    return lambda value: new if value == old else value


def _distance(one: str, other: str) -> int:
    assert prefix_of(one) == prefix_of(other)
    return abs(int(one.rpartition("-")[2]) - int(other.rpartition("-")[2]))


def _without_consent(ground: Ground) -> Iterator[Parts]:
    """What the customer was to agree to is never put to it."""
    for k in ground.approvals:
        yield without(ground.parts, k, *ground.opened_by(k))


def _stale_terms(ground: Ground) -> Iterator[Parts]:
    """An approval is asked for early, and the terms that were thought right then stay in it."""
    beliefs = [each.belief for each in mistaken(ground.task, ground.setting, ground.golden)]
    asked = [(message, opening) for message in ground.approvals for opening in ground.opened_by(message)]
    for k, opening in asked:
        for act in (believed(ground.actions[opening], belief) for belief in beliefs):
            if act != ground.actions[opening]:
                left = without(ground.parts, k, opening)
                first = min(each for each in ground.writes if each in left)
                yield inserted(left, first, varied(act, opening), k)


def _repeat(ground: Ground) -> Iterator[Parts]:
    for k in ground.writes:
        again = varied(another(ground.actions[k], "again"), None)
        yield inserted(ground.parts, k + 1, again)
        yield inserted(ground.parts, ground.task.n_golden_calls - 1, again)


def another(action: Action, mark: str) -> Action:
    """Return a call under another key against repetition, if it has one."""
    given = inner(action)
    if "idempotency_key" not in given:
        return action
    keyed = {**given, "idempotency_key": f"{given['idempotency_key']}-{mark}"}
    return Action(name=action.name, arguments={**action.arguments, "arguments": keyed})


def _dawdle(ground: Ground) -> Iterator[Parts]:
    for k in ground.acts:
        minute = ground.golden.shown[k].minute
        for delay in DELAYS_MINUTES:
            wait = wait_until(minute + delay)
            yield inserted(ground.parts, k, wait)


def _other_code(ground: Ground) -> Iterator[Parts]:
    """Another code of the same argument is chosen, in one write or throughout."""
    for k in ground.writes:
        for old, new in _codes(ground.actions[k]):
            change = _exchange(old, new)
            yield replaced_by(ground.parts, k, varied(replaced(ground.actions[k], change), k))
            changed = {each: replaced(ground.actions[each], change) for each in (*ground.writes, *ground.talks)}
            wrong = {each: act for each, act in changed.items() if act != ground.actions[each]}
            yield tuple(varied(wrong[each], each) if each in wrong else each for each in whole(ground.task))


def coded(ground: Ground, write: int) -> Iterator[Action]:
    """Yield a write with another code in one of its arguments."""
    action = ground.actions[write]
    yield from (replaced(action, _exchange(old, new)) for old, new in _codes(action))


def _codes(action: Action) -> Iterator[tuple[str, str]]:
    schemas = TOOLS[action.arguments["name"]].parameters["properties"]
    for name, value in inner(action).items():
        kinds = schemas[name].get("anyOf", [schemas[name]])  # of an argument that may be left out, one kind is null
        codes = [code for kind in kinds for code in kind.get("enum", ())]
        yield from ((value, other) for other in codes if value in codes and other != value)


def wait_until(minute: int) -> Part:
    """Return a wait until a minute."""
    return varied(Action(name="wait", arguments={"until_minute": minute}), None)


OPERATORS: Mapping[str, Callable[[Ground], Iterator[Parts]]] = {
    "drop": _drop,
    "without_consent": _without_consent,
    "superseded_value": _superseded_value,
    "stale_terms": _stale_terms,
    "dawdle": _dawdle,
    "repeat": _repeat,
    "bystander": _bystander,
    "sibling": _sibling,
    "other_code": _other_code,
    "delay": _delay,
    "advance": _advance,
}
"""Every operator by name, in the order in which they are tried."""


def mistakes(ground: Ground) -> Iterator[Mistake]:
    """Yield the mistakes of every operator."""
    for name, operator in OPERATORS.items():
        yield from (Mistake(name, parts) for parts in operator(ground))

"""Checks as data, and the verdict on an event log: goal, process and protection, each with the deciding event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from ...core.errors import DataError
from ...core.tasks import Frozen
from ..kernel.events import Event
from ..kernel.records import Record
from ..kernel.rules import RuleBook
from ..kernel.world import Base, World
from .expressions import Moment
from .monitors import FORMS, Monitor

Class = Literal["goal", "process", "protection"]
LETTERS: Mapping[str, str] = {"goal": "G", "process": "P", "protection": "F"}


class CheckSpec(Frozen):
    """One requirement of a task.

    Attributes:
        id: `G1`, `P3`, `F2` ...: the letter is that of its class.
        kind: goal (what holds at the end), process (order, approvals, rules, deadlines at the event) or protection
            (what holds in every state, and what must not be touched).
        text: What is required, in a sentence.
        rules: Ids of the rules that it rests on.
        form: One key, a form of `monitors.FORMS`, with its data.
    """

    id: Annotated[str, Field(pattern=r"^[GPF][1-9][0-9]*$")]
    kind: Class
    text: Annotated[str, Field(min_length=1)]
    rules: list[str] = Field(default_factory=list)
    form: dict[str, Any]


class Verdict(NamedTuple):
    """What became of a check.

    Attributes:
        spec: The check.
        passed: Whether it held over the whole history.
        event: The event that broke it, the last one where the end did; None where it passed, or the first state did.
        blame: What was seen, "" where it passed.
        at_the_end: Whether it was broken by what had not come about by the end, and so by no event of its own.
    """

    spec: CheckSpec
    passed: bool
    event: Event | None
    blame: str
    at_the_end: bool = False


def monitor(spec: CheckSpec) -> Monitor:
    """Build a check's monitor.

    Raises:
        DataError: The check is not of its form; the message gives the path.
    """
    if not spec.id.startswith(LETTERS[spec.kind]):
        raise DataError(f"{spec.id}: the id of a {spec.kind} check begins with {LETTERS[spec.kind]}")
    if len(spec.form) != 1:
        raise DataError(f"{spec.id}.form: one form, not {', '.join(spec.form) or 'none'}")
    ((name, given),) = spec.form.items()
    if name not in FORMS:
        raise DataError(f"{spec.id}.form: one of {', '.join(FORMS)}, not {name!r}")
    return FORMS[name](given, f"{spec.id}.{name}")


def judge(
    specs: Sequence[CheckSpec], base: Base, log: Sequence[Event], rules: RuleBook, kinds: Mapping[str, type[Record]]
) -> list[Verdict]:
    """Return the verdict on every check, from the event log alone.

    Args:
        specs: The checks of a task.
        base: The records that the episode started from.
        log: Its events.
        rules: The rules of the world.
        kinds: The kinds of record by name.

    Raises:
        DataError: A check is not of its form.
    """
    monitors = [monitor(spec) for spec in specs]
    world = World(base)
    moment = Moment(None, world, rules, kinds)
    for each in monitors:
        each.begin(moment)
    for event in log:
        moment = Moment(event, world, rules, kinds)
        for each in monitors:
            each.before(moment)
        world.redo(event.writes)
        for each in monitors:
            each.after(moment)
        world.take_delta()
    at_the_end = moment._replace(event=log[-1] if log else None)
    ended = [each.broken_at is None for each in monitors]
    for each in monitors:
        each.end(at_the_end)
    return [_verdict(*each, log) for each in zip(specs, monitors, ended, strict=True)]


def _verdict(spec: CheckSpec, found: Monitor, whole: bool, log: Sequence[Event]) -> Verdict:
    """Return the verdict; `whole` says that it had held until the end was looked at."""
    if found.broken_at is None:
        return Verdict(spec, True, None, "")
    event = log[found.broken_at] if found.broken_at >= 0 else None
    place = "in the first state" if event is None else f"at event {event.seq}, t={event.t}"
    rules = f", rule {', '.join(spec.rules)}" if spec.rules else ""
    return Verdict(spec, False, event, f"{spec.id} first broken {place}{rules}: {found.why}", whole)

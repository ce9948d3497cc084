"""What the page of an episode shows: cash and reserves by minute with their floors, and what each event changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .checks.expressions import Moment, Predicate, Value, predicate, value
from .checks.spec import CheckSpec, judge
from .content import Setting
from .episode import Episode
from .kernel.events import Event
from .kernel.money import Currency, Money
from .kernel.records import to_json
from .kernel.world import World, Write
from .records import KINDS
from .records.cash import Account
from .tasks import PaymentTask

LINES_A_PANEL = 6
"""Most lines of a panel; of the accounts, those that move are drawn first."""


class _Curve:
    """One line: what it is called, and how it is read off a state."""

    def __init__(self, name: str, read: Value) -> None:
        self.name, self._read = name, read
        self.amounts: list[Money | None] = []

    def note(self, moment: Moment) -> None:
        """Add the amount of this moment."""
        found = self._read(moment)
        self.amounts.append(found if isinstance(found, Money) else None)

    @property
    def currency(self) -> Currency | None:
        """The currency of its amounts, None where it has none."""
        return next((each.currency for each in self.amounts if each is not None), None)

    @property
    def moves(self) -> bool:
        """Whether its amounts differ."""
        return len(set(self.amounts)) > 1


def panels(task: PaymentTask, setting: Setting, log: Sequence[Event]) -> list[dict[str, Any]]:
    """Return what is plotted: a panel a currency of what can be disposed of on the customer's accounts, by minute.

    Beside them stand the floors that the task's checks set: the lower side of each `ge` that has to hold always. Each
    panel is `{title, unit, x_label, x, lines: {name: values}}`, in the currency's main unit. A change has two points in
    its minute, before and after, since amounts do not slope.
    """
    accounts = [each for each in setting.base.records.values() if isinstance(each, Account)]
    own = [
        _Curve(f"{each.id} {each.purpose.value}", _available(each)) for each in accounts if each.owner == task.customer
    ]
    floors = [
        _Curve(f"floor of {spec.id}" + (f", {k}" if k > 1 else ""), floor)
        for spec in task.checks
        for k, floor in enumerate(_floors(spec), 1)
    ]
    minutes = [0]
    for moment in _moments(setting, log):
        if moment.event is not None and moment.event.t > minutes[-1]:
            minutes.append(moment.event.t)
            for curve in (*own, *floors):
                curve.amounts.append(curve.amounts[-1])
        if moment.event is not None:
            minutes.append(moment.event.t)
        for curve in (*own, *floors):
            curve.note(moment)
    currencies = dict.fromkeys(each.currency for each in own)
    return [_panel(each, minutes, own, floors) for each in currencies if each is not None]


def _panel(currency: Currency, minutes: list[int], own: list[_Curve], floors: list[_Curve]) -> dict[str, Any]:
    drawn = sorted((each for each in own if each.currency is currency), key=lambda each: not each.moves)
    limits = [each for each in floors if each.currency is currency]
    chosen = [*drawn[: max(1, LINES_A_PANEL - len(limits))], *limits]
    kept = _kept(minutes, chosen)
    return {
        "title": f"available in {currency}",
        "unit": currency.value,
        "x_label": "minute",
        "x": [minutes[k] for k in kept],
        "lines": {each.name: [_main(each.amounts[k]) for k in kept] for each in chosen},
    }


def _kept(minutes: list[int], curves: list[_Curve]) -> list[int]:
    """Return the points that a drawing needs: those that are equal to both neighbours say nothing."""
    points = [(minutes[k], *(each.amounts[k] for each in curves)) for k in range(len(minutes))]
    last = len(points) - 1
    return [
        k for k, each in enumerate(points) if k in (0, last) or not points[k - 1][1:] == each[1:] == points[k + 1][1:]
    ]


def _main(amount: Money | None) -> float | None:
    return None if amount is None else float(amount.minor / 10**amount.currency.digits)


def _available(account: Account) -> Value:
    return lambda moment: moment.world.get(Account, account.id).available


def _moments(setting: Setting, log: Sequence[Event]) -> Iterator[Moment]:
    """Yield the first state, then each event with the state after it: one world that is carried along."""
    world = World(setting.base)
    yield Moment(None, world, setting.rules, KINDS)
    for event in log:
        world.redo(event.writes)
        yield Moment(event, world, setting.rules, KINDS)


def _floors(spec: CheckSpec) -> Iterator[Value]:
    ((form, given),) = spec.form.items()
    if form == "always":
        yield from _lower_sides(given, f"{spec.id}.{form}")
    elif form == "respects":
        binds = predicate(given["while"], f"{spec.id}.{form}.while")
        for floor in _lower_sides(given["holds"], f"{spec.id}.{form}.holds"):
            yield _while(binds, floor)


def _while(binds: Predicate, floor: Value) -> Value:
    """Return a floor that is there only while the promise behind it binds."""
    return lambda moment: floor(moment) if binds(moment) else None


def _lower_sides(source: Any, place: str) -> Iterator[Value]:
    ((name, given),) = source.items()
    if name == "all":
        for each in given:
            yield from _lower_sides(each, place)
    elif name in ("ge", "gt"):
        yield value(given[1], place)


def course(task: PaymentTask, setting: Setting, episode: Episode) -> dict[str, Any]:
    """Return what an episode's page shows beside its steps.

    Args:
        task: The task.
        setting: What it was played in.
        episode: As it was played.

    Returns:
        `panels`, as `panels` returns them; `events`, those that changed something or broke a check, each as
        `{turn, event, minute, actor, name, code, changes}` with `changes` as [what, before, after]; `decided`, by id
        of a check that an event broke, `{event, minute}`.
    """
    log = episode.engine.log
    verdicts = judge(task.checks, setting.base, log, setting.rules, KINDS)
    decided = {each.spec.id: each.event for each in verdicts if each.event is not None and not each.at_the_end}
    deciding = {each.seq for each in decided.values()}
    return {
        "panels": panels(task, setting, log),
        "events": [
            _event(each, turn)
            for each, turn in zip(log, episode.turns, strict=True)
            if each.writes or each.seq in deciding
        ],
        "decided": {check: {"event": each.seq, "minute": each.t} for check, each in decided.items()},
    }


def _event(event: Event, turn: int) -> dict[str, Any]:
    return {
        "turn": turn,
        "event": event.seq,
        "minute": event.t,
        "actor": event.actor.value,
        "name": event.name,
        "code": event.code,
        "changes": [change for each in event.writes for change in _changes(each)],
    }


def _changes(write: Write) -> Iterator[list[str]]:
    if write.field:
        yield [f"{write.record_id} {write.field}", _shown(write.old), _shown(write.new)]
        return
    fields = ((name, getattr(write.new, name)) for name in to_json(write.new) if name not in ("kind", "id"))
    told = ", ".join(f"{name} {_shown(each)}" for name, each in fields if each not in (None, "", ()))
    yield [f"{write.record_id} new {write.new.kind}", "", told]


def _shown(found: Any) -> str:
    """Write a field's value for people."""
    if isinstance(found, Money):
        return str(found)
    if isinstance(found, (tuple, list)):
        return ", ".join(map(_shown, found)) or "none"
    if isinstance(found, bool):
        return "yes" if found else "no"
    return "none" if found is None else str(to_json(found))

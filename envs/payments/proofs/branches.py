"""A state of a task as a search sees it: an episode and the monitors of all checks, fed event by event.

A branch goes on by one act, and can be copied to go on by another. It tells what a path can still come to: two
branches with one key have the same future, and a check that is broken for good stays broken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from hashlib import sha256
from typing import Any, Self

from ...core.errors import ToolRefused
from ...core.jsontext import canonical
from ...core.tools import ArgumentsRefused, UnknownTool
from ..checks.expressions import Moment
from ..checks.monitors import REFUSED, TOLD, Monitor
from ..checks.spec import CheckSpec, monitor
from ..content import Setting
from ..episode import Episode
from ..kernel.events import Actor, Event
from ..kernel.world import World
from ..records import KINDS
from ..surface import SURFACE
from ..tasks import GOALS, Action, PaymentTask
from ..user.memory import ASKED, SPOKE
from ..user.scripted import ScriptedDriver
from .play import Act, Names, matched, renamed
from .twins import copied

_JUDGED_AT_THE_END = frozenset({"finally", "told_user", "refused", "exactly_once"})
_IN_EVERY_STATE = frozenset({"always", "respects", "frame"})
_OF_WORDS = frozenset({"told_user", "refused"})


class Branch:
    """One state.

    Args:
        task: The task.
        setting: What it is played in.
        names: How the reference path calls the records that its acts bring into being.

    Attributes:
        broken: Ids of the checks that are broken for good.
    """

    def __init__(self, task: PaymentTask, setting: Setting, names: Names) -> None:
        self._specs: Mapping[str, CheckSpec] = {each.id: each for each in task.checks}
        self._forms = {each.id: next(iter(each.form)) for each in task.checks}
        self._always = {name for name, form in self._forms.items() if form in _IN_EVERY_STATE}
        self._listens = {
            each.id: {TOLD, REFUSED} if _OF_WORDS & set(each.form) else names_in(each.form) for each in task.checks
        }
        self._heard = names_in(task.card.model_dump()) | {SPOKE, ASKED, TOLD, REFUSED}
        self._setting = setting
        self._names = names
        self._episode = Episode(task, setting, ScriptedDriver())
        self._called: dict[str, str] = {}
        self._before = World(setting.base)
        self._monitors: dict[str, Monitor] = {each.id: monitor(each) for each in task.checks}
        self._records: dict[str, int] = {}
        self._told = sha256(b"conversation").hexdigest()
        self._keys: tuple[str, ...] = ()
        self._read, self._minute = 0, -1
        self.broken: frozenset[str] = frozenset()
        for each in self._monitors.values():
            each.begin(self._moment(None))
        self._settle()
        self._follow()

    def copy(self) -> Self:
        """Return a branch that goes on from here on its own."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for name in ("_episode", "_called", "_before", "_records"):
            setattr(twin, name, copied(self.__dict__[name]))
        twin._monitors = {name: copied(each) for name, each in self._monitors.items()}
        return twin

    def do(self, act: Act) -> str:
        """Go on by one act; return why it was refused, "" where it was done. Reads and `finish` change nothing."""
        try:
            self._perform(renamed(act.action, self._called))
        except ToolRefused as refused:
            return refused.code
        except (ArgumentsRefused, UnknownTool) as refused:
            return type(refused).__name__
        finally:
            created = self._follow()
        if act.origin is not None:
            self._called.update(matched(self._names.get(act.origin, ()), created))
        return ""

    def key(self) -> tuple[Any, ...]:
        """Return what the future depends on: records, clock, conversation, keys against repetition, and monitors."""
        due = tuple((each.t, each.priority, each.name, canonical(each.payload)) for each in self._pending())
        monitors = tuple(tuple(sorted(map(repr, each.__dict__.get("_seen", ())))) for each in self._monitors.values())
        return (frozenset(self._records.items()), self._episode.now, due, self._told, self._keys, self.broken, monitors)

    def broken_at_the_end(self) -> frozenset[str]:
        """Return the ids of the checks that would not hold if the episode ended here."""
        log = self._episode.engine.log
        moment = self._moment(log[-1] if len(log) else None)
        late = {name for name in self._monitors if self._forms[name] in _JUDGED_AT_THE_END and name not in self.broken}
        found = set(self.broken)
        for name in late:
            judged = copied(self._monitors[name])
            judged.end(moment)
            if judged.broken_at is not None:
                found.add(name)
        return frozenset(found)

    def is_goal_reached(self, broken: Set[str]) -> bool:
        """Whether no goal is among some checks that are broken."""
        return all(self._specs[each].kind != GOALS for each in broken)

    def _perform(self, action: Action) -> None:
        given = dict(action.arguments)
        if action.name == "call_tool":
            self._episode.call(given["name"], given["arguments"])
        elif action.name in ("message_user", "wait"):
            typed = SURFACE[action.name].validate(given)
            if action.name == "wait":
                self._episode.wait(**typed)
            else:
                said: list[Any] = [typed[name] or () for name in ("asks", "statements", "refusals")]
                self._episode.message(typed["text"], *said)

    def _follow(self) -> tuple[str, ...]:
        """Feed the monitors with what is new in the log; return the ids of the records that came into being."""
        log = self._episode.engine.log
        created: list[str] = []
        for event in log[self._read :]:
            self._feed(event)
            created += [str(each.record_id) for each in event.writes if each.field == ""]
        self._read = len(log)
        self._settle()
        return tuple(created)

    def _feed(self, event: Event) -> None:
        moment = self._moment(event)
        new = bool(event.writes) or event.t != self._minute  # else the state is the one that was looked at last
        self._minute = event.t
        listening = [
            each
            for name, each in self._monitors.items()
            if name not in self.broken and ((new and name in self._always) or event.name in self._listens[name])
        ]
        for each in listening:
            each.before(moment)
        self._before.redo(event.writes)
        for each in listening:
            each.after(moment)
        self._before.take_delta()
        self._note(event)

    def _note(self, event: Event) -> None:
        for record_id in dict.fromkeys(each.record_id for each in event.writes):
            self._records[record_id] = hash(self._before.find(record_id))
        if event.ok and (event.actor is Actor.USER or event.name in self._heard):
            said = [event.actor.value, event.name, event.t, event.arguments]
            self._told = sha256(f"{self._told}{canonical(said)}".encode()).hexdigest()
        if event.ok and "idempotency_key" in event.arguments:
            self._keys += (canonical([event.name, event.arguments]),)

    def _settle(self) -> None:
        found = {name for name, each in self._monitors.items() if each.broken_at is not None}
        if found:
            self.broken |= found

    def _moment(self, event: Event | None) -> Moment:
        return Moment(event, self._before, self._setting.rules, KINDS)

    def _pending(self) -> Sequence[Any]:
        return self._episode.engine.context.clock.pending()


def names_in(form: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the events that a check or a card is about, wherever they stand."""
    found: set[str] = set()

    def collect(given: Any) -> None:
        if isinstance(given, Mapping):
            names = given.get("event")
            if names is not None and not isinstance(names, Mapping):
                found.update([names] if isinstance(names, str) else names)
            for name, each in given.items():
                if name in ("event", "first", "then", "never") and isinstance(each, str):
                    found.add(each)
                collect(each)
        elif isinstance(given, list):
            for each in given:
                collect(each)

    collect(form)
    return frozenset(found)

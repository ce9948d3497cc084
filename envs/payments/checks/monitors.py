"""One automaton for each form of check. It is fed each event twice, with the state before and the state after it.

A monitor is broken at most once, at the first event that breaks it; only what must have come about by the end is judged
at the end. The forms, with their data:

    finally       predicate                            holds in the last state
    always        predicate                            holds in every state, the first included
    never         pattern                              no such event
    before        {first, then, match: {arg: arg}}     each `then` comes after a `first` of the same arguments
    within        {event, by: value}                   no such event after that minute
    exactly_once  {event, by: [arg], expected: [...]}  no key twice, and every expected one
    at            {event, holds, state: before|after}  holds at each such event
    approved      {event, approval: value, terms: [value]}   an approval of these very terms stands
    respects      {while: predicate, holds: predicate} holds in every state in which a commitment is in force
    frame         {only: [id, kind+, id.field, kind.field], acts: [tool]}   nothing else is written by what people do,
                                                       and nothing is written by other acts, where these are named
    up_to_date    {event, since, match: {arg: arg}, none: pattern}   no `none` between a `since` and an `event` of the
                                                       same arguments; an `event` without a `since` is not looked at
    told_user     {fact, value}                        the customer was told this value of this fact
    refused       {request, reason}                    the customer was told that this request is refused, and why
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, ClassVar

from ...core.errors import DataError
from ...core.jsontext import canonical
from ..kernel.events import Actor
from ..kernel.records import Record, to_json
from ..kernel.world import Write
from .expressions import MISSING, Moment, plain, predicate, value
from .patterns import key_of, pattern

TOLD, REFUSED = "told_user", "refused_request"
"""Names of the events that say what the customer has been told; their arguments are typed, never prose."""


def terms_hash(terms: list[Any]) -> str:
    """Return the digest of a request's actual terms, by which an approval is bound to them."""
    return sha256(canonical([to_json(term) for term in terms]).encode()).hexdigest()[:16]


class Monitor:
    """A check at work.

    Attributes:
        broken_at: Number of the event that broke it, -1 for the first state, None while it holds.
        why: What was seen.
    """

    form: ClassVar[str]

    def __init__(self) -> None:
        self.broken_at: int | None = None
        self.why = ""

    def begin(self, moment: Moment) -> None:
        """Look at the first state."""

    def before(self, moment: Moment) -> None:
        """Look at an event and the state before it."""

    def after(self, moment: Moment) -> None:
        """Look at an event and the state after it."""

    def end(self, moment: Moment) -> None:
        """Look at the last state."""

    def _break(self, moment: Moment, why: str) -> None:
        if self.broken_at is None:
            self.broken_at = -1 if moment.event is None else moment.event.seq
            self.why = why


class Finally(Monitor):
    """Holds in the last state."""

    form = "finally"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        self._holds = predicate(given, place)

    def end(self, moment: Moment) -> None:
        """Judge the last state."""
        if not self._holds(moment):
            self._break(moment, "does not hold at the end")


class Always(Monitor):
    """Holds in every state, or in every one in which a condition holds."""

    form = "always"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        self._holds = predicate(given, place)

    def begin(self, moment: Moment) -> None:
        """Judge the first state."""
        self.after(moment)

    def after(self, moment: Moment) -> None:
        """Judge a state."""
        if self.broken_at is None and not self._holds(moment):
            self._break(moment, "does not hold in this state")


class Respects(Always):
    """Holds while a commitment is in force."""

    form = "respects"

    def __init__(self, given: Any, place: str) -> None:
        parts = _parts(given, place, ("while", "holds"))
        super().__init__(parts["holds"], f"{place}.holds")
        self._in_force = predicate(parts["while"], f"{place}.while")

    def after(self, moment: Moment) -> None:
        """Judge a state in which the commitment is in force."""
        if self._in_force(moment):
            super().after(moment)


class Never(Monitor):
    """No such event."""

    form = "never"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        self._event = pattern(given, place)

    def before(self, moment: Moment) -> None:
        """Judge an event."""
        if self._event.matches(moment):
            assert moment.event is not None
            self._break(moment, f"{moment.event.name} was done")


class Before(Monitor):
    """Each `then` comes after a `first` of the same arguments."""

    form = "before"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        parts = _parts(given, place, ("first", "then"), ("match",))
        self._first = pattern(parts["first"], f"{place}.first")
        self._then = pattern(parts["then"], f"{place}.then")
        match: Mapping[str, str] = parts.get("match", {})
        self._first_names, self._then_names = list(match), list(match.values())
        self._seen: set[tuple[Any, ...]] = set()

    def before(self, moment: Moment) -> None:
        """Judge a `then`, and remember a `first`."""
        if self._then.matches(moment) and key_of(moment, self._then_names) not in self._seen:
            assert moment.event is not None
            self._break(moment, f"{moment.event.name} came too early")
        if self._first.matches(moment):
            self._seen.add(key_of(moment, self._first_names))


class Within(Monitor):
    """No such event after a minute; that it comes about at all is a goal's affair."""

    form = "within"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        parts = _parts(given, place, ("event", "by"))
        self._event = pattern(parts["event"], f"{place}.event")
        self._by = value(parts["by"], f"{place}.by")

    def before(self, moment: Moment) -> None:
        """Judge the minute of an event."""
        if not self._event.matches(moment):
            return
        by = self._by(moment)
        assert moment.event is not None
        if by is MISSING or moment.event.t > by:
            self._break(moment, f"minute {moment.event.t}, at the latest {by}")


class ExactlyOnce(Monitor):
    """No key twice, and every expected one."""

    form = "exactly_once"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        parts = _parts(given, place, ("event", "by"), ("expected",))
        self._event = pattern(parts["event"], f"{place}.event")
        self._names = list(parts["by"])
        self._expected = [tuple(plain(each) for each in _as_list(key)) for key in parts.get("expected", [])]
        self._seen: set[tuple[Any, ...]] = set()

    def before(self, moment: Moment) -> None:
        """Judge an event by its key."""
        if not self._event.matches(moment):
            return
        key = key_of(moment, self._names)
        if key in self._seen:
            self._break(moment, f"a second time for {', '.join(map(str, key))}")
        self._seen.add(key)

    def end(self, moment: Moment) -> None:
        """Judge which keys are missing."""
        missing = [key for key in self._expected if key not in self._seen]
        if missing:
            self._break(moment, f"not done for {', '.join(map(str, missing[0]))}")


class At(Monitor):
    """Holds at each such event, in the state before it unless the state after it is asked for."""

    form = "at"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        parts = _parts(given, place, ("event", "holds"), ("state",))
        self._event = pattern(parts["event"], f"{place}.event")
        self._holds = predicate(parts["holds"], f"{place}.holds")
        self._looks_after = parts.get("state", "before") == "after"
        self._matched = False

    def before(self, moment: Moment) -> None:
        """Judge the state before an event."""
        self._matched = self._event.matches(moment)
        if self._matched and not self._looks_after:
            self._judge(moment)

    def after(self, moment: Moment) -> None:
        """Judge the state after an event."""
        if self._matched and self._looks_after:
            self._judge(moment)

    def _judge(self, moment: Moment) -> None:
        if not self._holds(moment):
            assert moment.event is not None
            self._break(moment, f"does not hold at {moment.event.name}")


class Approved(Monitor):
    """At each such event an approval of these very terms stands."""

    form = "approved"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        parts = _parts(given, place, ("event", "approval", "terms"), ("granted",))
        self._event = pattern(parts["event"], f"{place}.event")
        self._approval = value(parts["approval"], f"{place}.approval")
        self._terms = [value(each, f"{place}.terms.{k}") for k, each in enumerate(parts["terms"])]
        self._granted = parts.get("granted", "granted")

    def before(self, moment: Moment) -> None:
        """Judge the approval that an event rests on."""
        if not self._event.matches(moment):
            return
        record = moment.world.find(str(self._approval(moment)))
        if record is None or plain(getattr(record, "state", None)) != self._granted:
            self._break(moment, "no approval stands")
        elif getattr(record, "terms", None) != terms_hash([each(moment) for each in self._terms]):
            self._break(moment, f"{record.id} approves other terms")


class Frame(Monitor):
    """Nothing else is written by what the agent does."""

    form = "frame"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        parts = _parts(given, place, ("only",), ("acts",))
        self._only = frozenset(parts["only"])
        self._acts = frozenset(parts["acts"]) if "acts" in parts else None

    def after(self, moment: Moment) -> None:
        """Judge what an event has written."""
        event = moment.event
        if event is None or event.actor is not Actor.AGENT:
            return
        if self._acts is not None and event.name not in self._acts and event.writes:
            self._break(moment, f"{event.name} was done")
        for write in event.writes:
            if self._only.isdisjoint(_names_of(write, moment)):
                self._break(moment, f"{write.record_id} {write.field or 'came into being'}")


class UpToDate(Monitor):
    """Nothing has changed between a `since` and an event of the same arguments; without a `since` all is well."""

    form = "up_to_date"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        parts = _parts(given, place, ("event", "since", "none"), ("match",))
        self._event, self._since, self._none = (
            pattern(parts[name], f"{place}.{name}") for name in ("event", "since", "none")
        )
        match: Mapping[str, str] = parts.get("match", {})
        self._since_names, self._names = list(match), list(match.values())
        self._seen: set[tuple[Any, str]] = set()

    def before(self, moment: Moment) -> None:
        """Judge an event, note what it may rest on, and what has changed since."""
        assert moment.event is not None
        changed = dict(self._seen)
        if self._event.matches(moment) and changed.get(key_of(moment, self._names)):
            self._break(moment, f"{changed[key_of(moment, self._names)]} came in between")
        if self._since.matches(moment):
            self._seen = {*({**changed, key_of(moment, self._since_names): ""}.items())}
        elif self._none.matches(moment):
            self._seen = {(key, moment.event.name) for key in changed}


class Told(Monitor):
    """The customer was told this value of this fact, in typed form."""

    form = "told_user"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        parts = _parts(given, place, ("fact", "value"))
        self._fact, self._value = parts["fact"], value(parts["value"], f"{place}.value")
        self._told = False

    def after(self, moment: Moment) -> None:
        """Note a statement."""
        event = moment.event
        if event is not None and event.ok and event.name == TOLD and self._is_meant(event.arguments.get("fact")):
            self._told |= plain(event.arguments.get("value")) == self._value(moment)

    def end(self, moment: Moment) -> None:
        """Judge whether it was said at all."""
        if not self._told:
            self._break(moment, f"{self._fact} was never told so")

    def _is_meant(self, fact: Any) -> bool:
        """A check that names no record is also kept by what is told of one: `fee_cap` by `fee_cap/RSV-1`."""
        return fact == self._fact or str(fact).startswith(f"{self._fact}/")


class Refused(Monitor):
    """The customer was told that this request is refused, for this reason."""

    form = "refused"

    def __init__(self, given: Any, place: str) -> None:
        super().__init__()
        self._wanted = _parts(given, place, ("request", "reason"))
        self._done = False

    def after(self, moment: Moment) -> None:
        """Note a refusal."""
        event = moment.event
        if event is not None and event.ok and event.name == REFUSED:
            self._done |= all(event.arguments.get(name) == wanted for name, wanted in self._wanted.items())

    def end(self, moment: Moment) -> None:
        """Judge whether it was refused at all."""
        if not self._done:
            self._break(moment, f"{self._wanted['request']} was not refused for {self._wanted['reason']}")


_OF_EVENTS = (Never, Before, Within, ExactlyOnce, At, Approved, UpToDate)
FORMS: Mapping[str, Callable[[Any, str], Monitor]] = {
    kind.form: kind for kind in (Finally, Always, *_OF_EVENTS, Respects, Frame, Told, Refused)
}


def _names_of(write: Write, moment: Moment) -> set[str]:
    """Return every name by which a frame may allow a write."""
    record = moment.world.find(write.record_id)
    assert isinstance(record, Record)
    if write.field == "":
        return {f"{record.kind}+", record.id}
    names = {record.id, f"{record.id}.{write.field}", f"{record.kind}.{write.field}"}
    # Who may bring a record into being may also complete it.
    return names | {f"{record.kind}+"} if moment.world.is_new(record.id) else names


def _parts(given: Any, place: str, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise DataError(f"{place}: an object with {', '.join(needed)}, not {given!r}")
    for name in needed:
        if name not in given:
            raise DataError(f"{place}.{name}: is missing")
    for name in given:
        if name not in (*needed, *optional):
            raise DataError(f"{place}.{name}: no part of this form; there are {', '.join((*needed, *optional))}")
    return given


def _as_list(key: Any) -> list[Any]:
    return key if isinstance(key, list) else [key]

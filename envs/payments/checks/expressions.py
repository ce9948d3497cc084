"""Values and predicates of checks, as data, compiled to functions of a moment.

A value is a literal or an object with one of these keys:

    {"field": ["RSV-1", "state"]}                   of a record that exists
    {"field": [{"arg": "approval"}, "state"]}       of the record that a value names
    {"arg": "amount"} {"result": "fee"}             of the event; a path of keys is a list
    {"now": true}                                   minute of the event
    {"rule": "cash_floor", "subject": {...}, "at": value}
    {"sum": ["payout", "amount"], "where": {...}}   over the records of a kind whose fields have these values
    {"count": "payout", "where": {...}}
    {"newest": ["consent", "amount"], "by": "given_at", "where": {...}}   of the record with the highest `by`
    {"its": "valid_until"}                          of the record that `having` looks at
    {"plus": [a, b]} {"minus": [a, b]}
    {"term": "max_fee"} {"fact": "fee_cap"}         of a proposal, and of the customer who decides on it

and a predicate is `{"eq": [a, b]}` (also ne, lt, le, gt, ge), `{"in": [a, [b, c]]}`, `{"in": [a, {"field": ...}]}` for
a field that is a list, `{"all": [p, q]}`, `{"any": [p, q]}` or `{"not": p}`. Sums and counts may also take `having`, a
predicate on each of the records, whatever ids they have. Amounts are compared in their currency; a comparison with
what does not exist is false.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import reduce
from typing import Any, NamedTuple

from ...core.errors import DataError
from ..kernel.events import Event
from ..kernel.money import Money, money_of
from ..kernel.records import Record, graded_fields
from ..kernel.rules import RuleBook
from ..kernel.world import World


class Proposal(NamedTuple):
    """What a customer decides on.

    Attributes:
        terms: The actual terms of a request, by name.
        facts: What the customer knows, by id, as it stands now.
    """

    terms: Mapping[str, Any]
    facts: Mapping[str, Any]


class Moment(NamedTuple):
    """What a check looks at: an event and the state before or after it.

    Attributes:
        event: None before the first event.
        world: The state.
        rules: The rules of the world.
        kinds: The kinds of record by name.
        proposal: What a customer decides on, None where it is not a customer who looks.
        record: What `having` looks at, None outside of it.
    """

    event: Event | None
    world: World
    rules: RuleBook
    kinds: Mapping[str, type[Record]]
    proposal: Proposal | None = None
    record: Record | None = None


Value = Callable[[Moment], Any]
Predicate = Callable[[Moment], bool]
_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


class _Missing:
    """What a value is that does not exist."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()


def predicate(source: Any, place: str) -> Predicate:
    """Compile a predicate.

    Args:
        source: As data.
        place: How a message calls it.

    Raises:
        DataError: It is no predicate; the message gives the path.
    """
    name, given = _only_key(source, place)
    if name in _COMPARISONS:
        return _comparison(_COMPARISONS[name], *_pair(given, f"{place}.{name}"))
    if name == "in":
        return _membership(given, f"{place}.in")
    if name in ("all", "any"):
        parts = [predicate(each, f"{place}.{name}.{k}") for k, each in enumerate(_list(given, f"{place}.{name}"))]
        if name == "all":
            return lambda moment: all(part(moment) for part in parts)
        return lambda moment: any(part(moment) for part in parts)
    if name == "not":
        inner = predicate(given, f"{place}.not")
        return lambda moment: not inner(moment)
    raise DataError(f"{place}: eq, ne, lt, le, gt, ge, in, all, any or not, not {name!r}")


def value(source: Any, place: str) -> Value:
    """Compile a value.

    Raises:
        DataError: It is no value; the message gives the path.
    """
    if not isinstance(source, Mapping):
        if source is not None and type(source) not in (bool, int, str):
            raise DataError(f"{place}: a truth value, an integer, a code or an object, not {source!r}")
        return lambda moment: source
    if set(source) == {"minor", "currency"}:
        amount = money_of(source, place)
        return lambda moment: amount
    for name, build in _VALUES.items():
        if name in source:
            return build(source, place)
    raise DataError(f"{place}: one of {', '.join(_VALUES)}, not {', '.join(map(str, source)) or 'nothing'}")


_AS_THEY_ARE = frozenset([int, bool, str, Money, type(None)])


def plain(found: Any) -> Any:
    """Return a field's or an argument's value in the form in which values are compared."""
    if type(found) in _AS_THEY_ARE:
        return found
    if isinstance(found, Enum):
        return found.value
    if isinstance(found, str):
        return str(found)
    if isinstance(found, list):
        return tuple(plain(each) for each in found)
    if isinstance(found, Mapping) and set(found) == {"minor", "currency"}:
        return money_of(dict(found), "amount")
    return found


def _membership(given: Any, place: str) -> Predicate:
    if not isinstance(given, list) or len(given) != 2 or not isinstance(given[1], (list, Mapping)):
        raise DataError(f"{place}: [value, [values]], not {given!r}")
    one = value(given[0], f"{place}.0")
    if isinstance(given[1], Mapping):
        listed = value(given[1], f"{place}.1")
        return lambda moment: isinstance(found := listed(moment), tuple) and one(moment) in found
    many = [value(each, f"{place}.1.{k}") for k, each in enumerate(given[1])]
    return lambda moment: one(moment) in [each(moment) for each in many]


def _comparison(compare: Callable[[Any, Any], bool], left: Value, right: Value) -> Predicate:
    def holds(moment: Moment) -> bool:
        one, other = left(moment), right(moment)
        if one is MISSING or other is MISSING:
            return False
        if isinstance(one, Money) != isinstance(other, Money):
            return False
        if isinstance(one, Money) and one.currency is not other.currency:
            return compare is operator.ne
        return bool(compare(one, other))

    return holds


def _field(source: Mapping[str, Any], place: str) -> Value:
    given = source["field"]
    named = isinstance(given, list) and len(given) == 2 and isinstance(given[0], Mapping)
    record_of = value(given[0], f"{place}.field.0") if named else None
    record_id, name = _strings(["", given[1]] if named else given, 2, f"{place}.field")

    def read(moment: Moment) -> Any:
        found = record_id if record_of is None else record_of(moment)
        record = moment.world.find(found) if isinstance(found, str) else None
        if record is None:
            return MISSING
        if name not in graded_fields(type(record)):
            raise DataError(f"{place}.field: {record.kind} has no graded field {name!r}")
        return plain(getattr(record, name))

    return read


def _of_event(source: Mapping[str, Any], place: str) -> Value:
    part = "arg" if "arg" in source else "result"
    given = source[part]
    path = [given] if isinstance(given, str) else _list(given, f"{place}.{part}")

    def read(moment: Moment) -> Any:
        if moment.event is None:
            return MISSING
        found: Any = moment.event.arguments if part == "arg" else moment.event.result
        for key in path:
            if not isinstance(found, Mapping) or key not in found:
                return MISSING
            found = found[key]
        return plain(found)

    return read


def _of_proposal(source: Mapping[str, Any], place: str) -> Value:
    part = "term" if "term" in source else "fact"
    name = source[part]
    if not isinstance(name, str):
        raise DataError(f"{place}.{part}: a name, not {name!r}")

    def read(moment: Moment) -> Any:
        if moment.proposal is None:
            raise DataError(f"{place}.{part}: only a customer's decisions look at terms and facts")
        known = moment.proposal.terms if part == "term" else moment.proposal.facts
        return plain(known[name]) if name in known else MISSING

    return read


def _now(source: Mapping[str, Any], place: str) -> Value:
    return lambda moment: 0 if moment.event is None else moment.event.t  # an episode begins at minute 0


def _rule(source: Mapping[str, Any], place: str) -> Value:
    key = source["rule"]
    subject = {name: value(each, f"{place}.subject.{name}") for name, each in dict(source.get("subject", {})).items()}
    at = value(source["at"], f"{place}.at") if "at" in source else _now(source, place)

    def read(moment: Moment) -> Any:
        case = {name: each(moment) for name, each in subject.items()}
        return plain(moment.rules.resolve(key, case, at(moment)).value)

    return read


def _over_records(source: Mapping[str, Any], place: str) -> Value:
    summed = "sum" in source
    kind, field = _strings(source["sum"], 2, f"{place}.sum") if summed else (source["count"], "")
    records = _records(kind, source, place)

    def read(moment: Moment) -> Any:
        found = records(moment)
        if not summed:
            return len(found)
        return reduce(operator.add, [getattr(record, field) for record in found]) if found else 0

    return read


def _newest(source: Mapping[str, Any], place: str) -> Value:
    kind, field = _strings(source["newest"], 2, f"{place}.newest")
    by = source.get("by")
    if not isinstance(by, str):
        raise DataError(f"{place}.by: the name of a field, not {by!r}")
    records = _records(kind, source, place)

    def read(moment: Moment) -> Any:
        found = [record for record in records(moment) if getattr(record, by) is not None]
        # Of several of one minute the last one that came into being counts.
        return (
            plain(getattr(max(reversed(found), key=lambda each: int(getattr(each, by))), field)) if found else MISSING
        )

    return read


def _its(source: Mapping[str, Any], place: str) -> Value:
    name = source["its"]
    if not isinstance(name, str):
        raise DataError(f"{place}.its: the name of a field, not {name!r}")

    def read(moment: Moment) -> Any:
        if moment.record is None:
            raise DataError(f"{place}.its: only `having` looks at one record")
        return plain(getattr(moment.record, name, MISSING))

    return read


def _records(kind: str, source: Mapping[str, Any], place: str) -> Callable[[Moment], list[Record]]:
    """Return what finds the records of a kind that have these values and for which `having` holds, by number."""
    where = {name: value(each, f"{place}.where.{name}") for name, each in dict(source.get("where", {})).items()}
    having = predicate(source["having"], f"{place}.having") if "having" in source else None

    def find(moment: Moment) -> list[Record]:
        wanted = [(name, each(moment)) for name, each in where.items()]
        found = [
            record
            for record in moment.world.all(moment.kinds[kind])
            if all(plain(getattr(record, name)) == each for name, each in wanted)
        ]
        return found if having is None else [each for each in found if having(moment._replace(record=each))]

    return find


def _arithmetic(source: Mapping[str, Any], place: str) -> Value:
    name = "plus" if "plus" in source else "minus"
    left, right = _pair(source[name], f"{place}.{name}")
    reckon = operator.add if name == "plus" else operator.sub

    def read(moment: Moment) -> Any:
        one, other = left(moment), right(moment)
        if one is MISSING or other is MISSING:
            return MISSING
        if other == 0 and isinstance(one, Money):  # an empty sum has no currency of its own
            return one
        return other if one == 0 and isinstance(other, Money) and name == "plus" else reckon(one, other)

    return read


_VALUES: Mapping[str, Callable[[Mapping[str, Any], str], Value]] = {
    "field": _field,
    "arg": _of_event,
    "result": _of_event,
    "term": _of_proposal,
    "fact": _of_proposal,
    "now": _now,
    "rule": _rule,
    "sum": _over_records,
    "count": _over_records,
    "newest": _newest,
    "its": _its,
    "plus": _arithmetic,
    "minus": _arithmetic,
}


def _only_key(source: Any, place: str) -> tuple[str, Any]:
    if not isinstance(source, Mapping) or len(source) != 1:
        raise DataError(f"{place}: an object with one key, not {source!r}")
    ((name, given),) = source.items()
    return str(name), given


def _list(given: Any, place: str) -> list[Any]:
    if not isinstance(given, list) or not given:
        raise DataError(f"{place}: a list, not {given!r}")
    return given


def _pair(given: Any, place: str) -> tuple[Value, Value]:
    parts: Sequence[Any] = _list(given, place)
    if len(parts) != 2:
        raise DataError(f"{place}: two values, not {len(parts)}")
    return value(parts[0], f"{place}.0"), value(parts[1], f"{place}.1")


def _strings(given: Any, count: int, place: str) -> list[str]:
    if not isinstance(given, list) or len(given) != count or not all(isinstance(each, str) for each in given):
        raise DataError(f"{place}: {count} names, not {given!r}")
    return given

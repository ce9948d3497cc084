"""What a business tool is: typed arguments, preconditions with error codes, an effect, a duration, a footprint.

    @business_tool(module="reserves", minutes=2, writes=("reserve.state",), pre=(state_is("reserve", State.HELD),))
    def reserve_release(ctx: Context, reserve: Reserve, route: Route) -> dict[str, Any]:
        '''Release a held reserve.

        Args:
            reserve: The reserve.
            route: How it is released.
        '''

A parameter whose type is a kind of record takes the record's id and receives the record. Preconditions are what the
system enforces; what policy demands is not among them, since else nobody could break it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field

from ...core.errors import ToolRefused
from ...core.tools import Effect, Tool
from .clock import Clock
from .events import EventLog
from .money import MAX_MINOR, Currency, Money
from .records import Record
from .rules import NoRule, Resolved, RuleBook, Subject
from .world import World

NO_RULE = "NO_RULE"
"""Code of what cannot be done because no rule says how."""


class Context:
    """What a tool's effect works with.

    Attributes:
        world: The state of the episode.
        clock: The time, and what will happen by itself.
        rules: The rules of the world.
        log: What has happened so far.
        used_rules: Ids of the rules whose values were used, in order, until the event is written.
    """

    __slots__ = ("clock", "log", "rules", "used_rules", "world")

    def __init__(self, world: World, clock: Clock, rules: RuleBook, log: EventLog) -> None:
        self.world = world
        self.clock = clock
        self.rules = rules
        self.log = log
        self.used_rules: dict[str, None] = {}

    @property
    def now(self) -> int:
        """The time in minutes of the episode."""
        return self.clock.now

    def resolve(self, key: str, subject: Subject, at: int | None = None) -> Resolved:
        """Return the value of a rule for a case, and note that it was used.

        Args:
            key: What is ruled.
            subject: The case by dimension of scope.
            at: Minute of the case's anchor, None for now.

        Raises:
            ToolRefused: `NO_RULE`: the company has no rule for the case.
        """
        try:
            found = self.rules.resolve(key, subject, self.clock.now if at is None else at)
        except NoRule as missing:
            raise ToolRefused(NO_RULE, f"{missing}; the company cannot do this") from None
        self.used_rules[found.row.id] = None
        return found

    def enforce(self, found: Resolved, holds: bool, code: str, message: str) -> None:
        """Refuse what breaks a rule, if the system enforces it; a policy is for people to keep.

        Raises:
            ToolRefused: The rule is broken and enforced.
        """
        if not holds and found.row.enforced == "system":
            raise ToolRefused(code, message)


@dataclass(frozen=True, slots=True)
class Precondition:
    """Something that must hold before a tool does anything.

    Attributes:
        code: Error code, for example `RESERVE_NOT_HELD`.
        field: The argument that is at fault.
        message: What must hold, as the caller is told.
        holds: Of the context and the arguments.
    """

    code: str
    field: str
    message: str
    holds: Callable[[Context, Mapping[str, Any]], bool]


def state_is(argument: str, *states: Enum, code: str | None = None) -> Precondition:
    """Demand that a record is in one of these states."""
    names = " or ".join(str(state.value) for state in states)
    return Precondition(
        code=code or f"{argument}_not_{'_or_'.join(str(state.value) for state in states)}".upper(),
        field=argument,
        message=f"its state must be {names}",
        holds=lambda ctx, given: given[argument].state in states,
    )


def belongs_to(argument: str, field: str, owner: str) -> Precondition:
    """Demand that a record's field names another argument's record."""
    return Precondition(
        code=f"{argument}_NOT_OF_{owner}".upper(),
        field=argument,
        message=f"its {field} must be the {owner} given",
        holds=lambda ctx, given: getattr(given[argument], field) == given[owner].id,
    )


def positive(argument: str) -> Precondition:
    """Demand an amount above zero."""
    return Precondition(
        code="AMOUNT_NOT_POSITIVE",
        field=argument,
        message="the amount must be above zero",
        holds=lambda ctx, given: given[argument].minor > 0,
    )


class MoneyArgument(BaseModel):
    """An amount in minor units of its currency."""

    model_config = ConfigDict(strict=True, extra="forbid")

    minor: Annotated[int, Field(ge=-MAX_MINOR, le=MAX_MINOR)]
    currency: Literal[tuple(each.value for each in Currency)]  # type: ignore[valid-type]


class BusinessTool(Tool):
    """One tool of the company.

    Args:
        function: Takes a `Context` and typed arguments, returns what the caller is told as JSON values.
        module: The part of the company that offers it.
        minutes: How long a call takes.
        effect: `read` or `write`.
        pre: What must hold, tried in order.
        writes: What it may change, as `kind.field`, or `kind+` for new records.
        rule_keys: Keys of the rules without which it, or what it sets going, cannot be done.
    """

    context_parameter: ClassVar[str] = "ctx"

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        module: str,
        minutes: int,
        effect: Effect,
        pre: Sequence[Precondition],
        writes: Iterable[str],
        rule_keys: Iterable[str] = (),
    ) -> None:
        hints = get_type_hints(function, include_extras=True)
        self._kinds = {name: hint for name, hint in hints.items() if name not in (self.context_parameter, "return")}
        built = {name: (argument_type, (hint,)) for name, hint in self._kinds.items()}
        super().__init__(function, effect=effect, types=built)
        self._received = tuple((name, receiver(hint)) for name, hint in self._kinds.items())
        self.module = module
        self.minutes = minutes
        self.pre = tuple(pre)
        self.writes = frozenset(writes)
        self.rule_keys = frozenset(rule_keys)

    @cached_property
    def error_codes(self) -> tuple[str, ...]:
        """The codes of its preconditions, in order."""
        return tuple(dict.fromkeys(each.code for each in self.pre))

    def run(self, ctx: Context, arguments: dict[str, Any]) -> Any:
        """Check the arguments and the preconditions, and do it.

        Args:
            ctx: The episode.
            arguments: As JSON values.

        Returns:
            What the caller is told, as JSON values.

        Raises:
            ArgumentsRefused: The arguments do not fit the schema.
            ToolRefused: A record does not exist, a precondition does not hold, or the effect refuses.
        """
        raw, world = self.validate(arguments), ctx.world
        given = {name: raw[name] if take is None else take(world, raw[name], name) for name, take in self._received}
        for each in self.pre:
            if not each.holds(ctx, given):
                raise ToolRefused(each.code, f"{each.field}: {each.message}")
        return self._function(ctx, **given)


def business_tool(
    *,
    module: str,
    minutes: int = 0,
    pre: Sequence[Precondition] = (),
    writes: Iterable[str] = (),
    rule_keys: Iterable[str] = (),
) -> Callable[[Callable[..., Any]], BusinessTool]:
    """Declare a business tool; one that writes nothing is a read and takes no time."""
    effect: Effect = "write" if writes else "read"

    def declare(function: Callable[..., Any]) -> BusinessTool:
        return BusinessTool(
            function, module=module, minutes=minutes, effect=effect, pre=pre, writes=writes, rule_keys=rule_keys
        )

    return declare


def argument_type(hint: Any) -> Any:
    """Return the type that a parameter has on the wire: ids for records, codes for enumerations."""
    if get_origin(hint) in (Annotated, Literal):
        return hint
    if get_origin(hint) in (Union, types.UnionType):
        return Union[tuple(argument_type(each) for each in get_args(hint))]  # noqa: UP007
    if get_origin(hint) in (list, tuple):
        return list[argument_type(get_args(hint)[0])]  # type: ignore[misc]
    if hint is Money:
        return MoneyArgument
    if isinstance(hint, type) and issubclass(hint, Record):
        return Annotated[str, Field(min_length=1, max_length=40, examples=[f"{hint.prefix}-1"])]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Literal[tuple(each.value for each in hint)]
    return Annotated[str, Field(max_length=2_000)] if isinstance(hint, type) and issubclass(hint, str) else hint


Receiver = Callable[[World, Any, str], Any]
"""Takes a world, a value of the wire and how a message calls its place."""


def receiver(hint: Any) -> Receiver | None:
    """Return what makes of a value of the wire what a tool's function takes; None where that is the value itself.

    It raises `ToolRefused` where a record does not exist, or is of another kind.
    """
    if get_origin(hint) in (Union, types.UnionType):
        inner = receiver(next(each for each in get_args(hint) if each is not type(None)))
        return inner and (lambda world, value, place: None if value is None else inner(world, value, place))
    if get_origin(hint) in (list, tuple):
        return _list_receiver(receiver(get_args(hint)[0]))
    if hint is Money:
        return lambda world, value, place: Money(value.minor, Currency(value.currency))
    if isinstance(hint, type) and issubclass(hint, Record):
        return _record_receiver(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda world, value, place: hint(value)
    return None


def _list_receiver(each: Receiver | None) -> Receiver:
    if each is None:
        return lambda world, values, place: tuple(values)
    return lambda world, values, place: tuple(each(world, value, f"{place}.{k}") for k, value in enumerate(values))


def _record_receiver(kind: type[Record]) -> Receiver:
    def take(world: World, value: str, place: str) -> Record:
        found = world.find(value)
        if type(found) is not kind:
            what = "no such record" if found is None else f"a {found.kind}"
            raise ToolRefused("NOT_FOUND", f"{place}: {value} is {what}, not a {kind.kind}")
        return found

    return take

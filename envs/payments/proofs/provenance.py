"""Where an agent can know the values of its arguments from: every one was shown before, or is declared as derived.

The first observation and every result are texts; a value was shown where it stands in one of them as a word of its own:
an id, a code or a number as it is, an amount also as `USD 60.00`. What arguments a business tool takes is told by
`describe_tool` of this tool alone. The general rules of the company and the descriptions of tools tell codes, but no
ids and numbers: those that stand there are examples. Words that the agent chooses itself (texts, queries, keys against
repetition) and truth values need no source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from ..content import Setting
from ..kernel.money import money_of
from ..modules.catalog import TOOLS
from ..surface import SURFACE
from ..tasks import Action, Derived, GoldenPath, PaymentTask
from .play import Play
from .values import is_money, leaves

_OPENING = -1
"""What stands for the first observation among the numbers of acts."""
_ID = re.compile(r"[A-Z]{1,4}-[0-9]+")
_KINDS_OF_THE_SURFACE = re.compile(r"asks\.\d+\.kind")


class Need(NamedTuple):
    """A value that an act needs.

    Attributes:
        act: Number of the act.
        place: Where it stands in the act.
        value: What it is.
        sources: Numbers of the earlier acts that showed it, -1 for the first observation.
    """

    act: int
    place: str
    value: Any
    sources: tuple[int, ...]

    def __str__(self) -> str:
        return f"action {self.act}, {self.place}: {self.value!r} was not shown before"


def needs(golden: GoldenPath, played: Play) -> list[Need]:
    """Return what each act of a path needs to know, and where that was shown.

    Args:
        golden: The path.
        played: The path as it was played.
    """
    derived = {(each.action, each.argument): each for each in golden.derived}
    of_codes = [f"{played.rules}\n{played.request}", *(each.text for each in played.shown)]
    of_facts = [played.request, *("" if _is_general(each.action) else each.text for each in played.shown)]
    found = []
    for k, each in enumerate(played.shown):
        if each.action.name == "call_tool":
            found.append(_schema_need(k, each.action.arguments["name"], played))
        for place, value in _wanted(each.action):
            for term in _terms(derived.get((k, place)), value):
                texts = of_codes if _is_code(term) else of_facts
                found.append(Need(k, place, term, _sources(term, texts[: k + 1])))
    return found


def unfounded(golden: GoldenPath, played: Play) -> list[str]:
    """Return what a path uses without its having been shown, and derivations that do not come out; none if sound."""
    missing = [str(need) for need in needs(golden, played) if not need.sources]
    return [*missing, *_miscounted(golden)]


def useless_reads(
    task: PaymentTask, setting: Setting, golden: GoldenPath, played: Play, cases: Iterable[Need] = ()
) -> list[int]:
    """Return the numbers of the reads that a path could do without.

    A read is of use if it alone showed a value before an act that needs it, or if it is the only one of a document
    that states a rule on which a check rests.

    Args:
        task: The task.
        setting: What it is played in.
        golden: The path.
        played: The path as it was played.
        cases: What else it needs to know, as `cases.case_needs` says.
    """
    alone = {need.sources[0] for need in (*needs(golden, played), *cases) if len(need.sources) == 1}
    alone |= _rule_sources(task, setting, played)
    return [k for k, each in enumerate(played.shown) if is_read(each.action) and k not in alone]


def is_read(action: Action) -> bool:
    """Whether an action only looks at something."""
    if action.name == "call_tool":
        return TOOLS[action.arguments["name"]].effect == "read"
    return SURFACE[action.name].effect == "read"


def is_write(action: Action) -> bool:
    """Whether an action calls a business tool that changes something."""
    return action.name == "call_tool" and not is_read(action)


def _wanted(action: Action) -> Iterator[tuple[str, Any]]:
    """Yield the values that an action needs to know."""
    for place, value in leaves(action):
        if value is None or isinstance(value, bool) or _KINDS_OF_THE_SURFACE.fullmatch(place):
            continue
        parts = value.split("/") if isinstance(value, str) else [value]
        yield from ((place, part) for part in parts)


def _is_general(action: Action) -> bool:
    return action.name in ("search_tools", "describe_tool")


def _is_code(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is None


def _schema_need(act: int, tool: str, played: Play) -> Need:
    """Return the need to know what arguments a business tool takes."""
    looks = [k for k, each in enumerate(played.shown[:act]) if each.action.name == "describe_tool" and not each.code]
    told = tuple(k for k in looks if played.shown[k].action.arguments["name"] == tool)
    return Need(act, "name", f"what {tool} takes", told)


def _terms(derived: Derived | None, value: Any) -> list[Any]:
    if derived is None:
        return [value]
    if is_money(value):
        return [{**value, "minor": abs(term)} for term in derived.terms]
    return [abs(term) for term in derived.terms]


def _miscounted(golden: GoldenPath) -> Iterator[str]:
    for derived in golden.derived:
        where = f"action {derived.action}, {derived.argument}"
        values = [] if derived.action >= len(golden.actions) else list(leaves(golden.actions[derived.action]))
        found = [leaf.value for leaf in values if leaf.place == derived.argument]
        if not found:
            yield f"{where}: is declared as derived, and there is no such argument"
            continue
        number = found[0]["minor"] if is_money(found[0]) else found[0]
        if derived.terms and number != sum(derived.terms):
            yield f"{where}: {number} is not the sum of {', '.join(map(str, derived.terms))}"


def _sources(value: Any, texts: list[str]) -> tuple[int, ...]:
    matcher = _matcher(*_written(value))
    return tuple(k + _OPENING for k, text in enumerate(texts) if matcher.search(text))


def _written(value: Any) -> tuple[str, ...]:
    if is_money(value):
        minor, currency = value["minor"], value["currency"]
        pairs = (f'"minor": {minor}, "currency": "{currency}"', f'"currency": "{currency}", "minor": {minor}')
        return (*(f"{{{pair}}}" for pair in pairs), str(money_of(value, "value")))
    return (str(value), f"{value:,}") if isinstance(value, int) else (str(value),)


@cache
def _matcher(*written: str) -> re.Pattern[str]:
    """Find one of some ways of writing a value, not inside a longer word or number."""
    words = "|".join(map(re.escape, written))
    return re.compile(rf"(?<![\w,.-])(?:{words})(?![\w-]|[,.]\d)")


def _rule_sources(task: PaymentTask, setting: Setting, played: Play) -> set[int]:
    """Return the reads that alone state a rule on which a check rests."""
    rules = {rule for check in task.checks for rule in check.rules}
    stated: dict[str, set[int]] = {}
    for k, each in enumerate(played.shown):
        if each.action.name == "read_document" and not each.code:
            for rule in rules.intersection(setting.rendered[each.action.arguments["document_id"]]):
                stated.setdefault(rule, set()).add(k)
    return {next(iter(reads)) for reads in stated.values() if len(reads) == 1}

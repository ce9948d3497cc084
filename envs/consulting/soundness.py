"""What is wrong with a blueprint in itself: its parts do not fit, or there are too many or too few of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from .archetypes import ARCHETYPES
from .fact_types import fact_types

if TYPE_CHECKING:
    from .blueprint import Blueprint


def flaws(given: Blueprint) -> Iterator[str]:
    """Say what is wrong with a blueprint, apart from its words and its drawn values."""
    archetype, _, number = given.blueprint_id.rpartition("_")
    if archetype not in ARCHETYPES or not number.isdecimal() or not 1 <= int(number) <= ARCHETYPES.get(archetype, 0):
        yield "the id is <archetype>_<number> of the table of archetypes"
    ids = [fact.fact_id for fact in given.facts]
    yield from _among("a fact stands twice", [each for each in ids if ids.count(each) > 1], ())
    yield from _among("no such fact type", [fact.fact_type for fact in given.facts], fact_types().types)
    yield from _among("no such fact", [name for fact in given.facts for name in fact.after], ids)
    yield from _among("no such fact", [cause.fact for cause in given.causes] + [given.constraint], ids)
    yield from _among("no such topic", given.branches, fact_types().topics)
    nodes = given.model.nodes
    yield from _among("no node of the model", [name for fact in given.facts for name in fact.names], nodes)
    for fact in given.facts:
        early = [name for name in fact.after if name in ids and ids.index(name) >= ids.index(fact.fact_id)]
        if early:
            yield f"{fact.fact_id}: list {early[0]}, which must be known before, in front of it"
        if fact.given and fact.fact_id == given.constraint:
            yield f"{fact.fact_id}: the constraint has to be asked for"
    yield from _shape(given)


def _shape(given: Blueprint) -> Iterator[str]:
    if not 3 <= len(given.options) <= 4:
        yield "options: three or four"
    if not 2 <= len(given.key_numbers) <= 4:
        yield "key_numbers: two to four"
    if any(node.formula is None for node in given.key_numbers):
        yield "key_numbers: KPIs, no parameters"
    if not 3 <= len(given.branches) <= 5:
        yield "branches: three to five topics"
    roles = [cause.role for cause in given.causes]
    if roles.count("root") != 1 or not 1 <= roles.count("red_herring") <= 2:
        yield "causes: one root and one or two red herrings"
    if not 3 <= sum(fact.noise for fact in given.facts) <= 4:
        yield "facts: three or four are noise"
    if not any(option.excluded or option.needs for option in given.options):
        yield "options: the constraint bears on none of them"
    if sum(option.naive is not None for option in given.options) < 2:
        yield "options: the naive path compares two at least"
    for what, exprs in (
        ("values", [option.value for option in given.options]),
        ("naive values", [option.naive for option in given.options]),
        ("effects of causes", [cause.effect for cause in given.causes]),
    ):
        if len({expr.dimension for expr in exprs if expr is not None}) > 1:
            yield f"the {what} are of unlike dimensions"
    for option in given.options:
        if any(need.left.dimension != need.right.dimension for need in option.needs):
            yield f"{option.option_id}: a need compares unlike dimensions"


def _among(problem: str, names: Sequence[str], known: Collection[str] | Mapping[str, object]) -> Iterator[str]:
    strays = sorted({name for name in names if name not in known})
    if strays:
        yield f"{problem}: {', '.join(strays)}"

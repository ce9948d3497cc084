"""A blueprint: what a causal model asks for and hides. Its words stand in `data/consulting/blueprints/<id>.yaml`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from ..core.errors import DataError
from .archetypes import ARCHETYPES
from .model import Expr, Model, Node, Values
from .soundness import flaws

Difficulty = Literal["easy", "middle", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
Role = Literal["root", "red_herring", "neutral"]
MARGINS: dict[Difficulty, tuple[float, float]] = {"easy": (0.25, 0.6), "middle": (0.25, 0.6), "hard": (0.08, 0.25)}
"""How far the decision is from another one, as a share; see `Blueprint.decide`."""
_HERRING_SHARE = 0.5
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Need:
    """What an option needs: `left` is at most `right`."""

    left: Expr
    right: Expr

    def slack(self, values: Values) -> float:
        """Return how far it is fulfilled (or broken, below 0), as a share of the right side."""
        left, right = self.left.evaluate(values), self.right.evaluate(values)
        return (right - left) / max(abs(right), _TINY)


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to the client's question.

    Attributes:
        option_id: In snake case; the candidate decides by it.
        value: What it is worth, more is better; of one dimension for all options. None for one that is never best.
        naive: What it seems to be worth on the naive path; None where that never chooses it.
        needs: What it needs, in the terms of the constraint.
        excluded: Whether the constraint, a commitment without a number, rules it out.
    """

    option_id: str
    value: Expr | None = None
    naive: Expr | None = None
    needs: tuple[Need, ...] = ()
    excluded: bool = False


class Decision(NamedTuple):
    """What the rule comes to.

    Attributes:
        option_id: The best option that the constraint allows.
        runner_up: The best of the others, those included that the constraint rules out.
        margin: By what share the figures would have to change before another option were best.
    """

    option_id: str
    runner_up: str
    margin: float


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the interviewer knows.

    Attributes:
        fact_type: One of `fact_types.yaml`.
        numbers: The nodes whose values it tells.
        segment: What it is about where there are several facts of the type, in snake case.
        after: Ids of the facts that must be known before.
        given: The hardest difficulty at which the statement tells it already; None where it must be asked for.
        noise: Whether it has no bearing on the case.
    """

    fact_type: str
    numbers: tuple[Node, ...] = ()
    segment: str | None = None
    after: tuple[str, ...] = ()
    given: Literal["easy", "middle"] | None = None
    noise: bool = False

    @property
    def fact_id(self) -> str:
        """The type, and the segment behind a colon where there is one."""
        return self.fact_type if self.segment is None else f"{self.fact_type}:{self.segment}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its nodes."""
        return tuple(node.name for node in self.numbers)

    def is_given(self, difficulty: Difficulty) -> bool:
        """Whether the statement tells it."""
        return self.given is not None and DIFFICULTIES.index(difficulty) <= DIFFICULTIES.index(self.given)


@dataclass(frozen=True, slots=True)
class Cause:
    """An explanation of the client's situation.

    Attributes:
        cause_id: In snake case.
        role: `root` explains it; a `red_herring` looks as if it did; `neutral` is true and explains little.
        fact: Id of the fact that shows it, or shows that it is none.
        effect: How much it does; of one dimension for all causes. The root's is above 0 and at least twice any other.
    """

    cause_id: str
    role: Role
    fact: str
    effect: Expr | None = None


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The whole of it, but for the words.

    Attributes:
        blueprint_id: `<archetype>_<number>`.
        model: Parameters, KPIs and conditions.
        options: Three or four.
        facts: Those that the interviewer knows, 12 to 20 that must be asked for at each difficulty.
        causes: One root, one or two red herrings, any neutral ones.
        constraint: Id of the fact that tells it.
        key_numbers: Two to four KPIs that the client asks for.
        branches: Three to five topics, the branches of the issue tree.
    """

    blueprint_id: str
    model: Model
    options: tuple[Option, ...]
    facts: tuple[Fact, ...]
    causes: tuple[Cause, ...]
    constraint: str
    key_numbers: tuple[Node, ...]
    branches: tuple[str, ...]
    by_id: dict[str, Fact] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {fact.fact_id: fact for fact in self.facts})
        problems = list(flaws(self))
        if problems:
            raise DataError(f"blueprint {self.blueprint_id}: " + "; ".join(problems))

    @property
    def archetype(self) -> str:
        """The kind of case."""
        return self.blueprint_id.rpartition("_")[0]

    @property
    def split(self) -> Literal["train", "test"]:
        """`test` for the third and the fifth of a kind, and for the second of two; `train` for the others."""
        number = int(self.blueprint_id.rpartition("_")[2])
        return "test" if number in (3, 5) or (number == 2 and ARCHETYPES[self.archetype] == 2) else "train"

    def decide(self, values: Values) -> Decision:
        """Return the decision that the values call for.

        The margin is the least of: the lead of the best option over each other one that is allowed, as a share of the
        larger of both; the slack of the best option's own needs; and for each better option that is ruled out by a
        number, the share by which it breaks its need.

        Raises:
            DataError: Nothing is allowed.
            KeyError: A value that is needed is not known.
        """
        worth = {each.option_id: each.value.evaluate(values) for each in self.options if each.value is not None}
        slack = {
            each.option_id: min((need.slack(values) for need in each.needs), default=float("inf"))
            for each in self.options
        }
        barred = {each.option_id for each in self.options if each.excluded}
        allowed = [name for name in worth if name not in barred and slack[name] >= 0]
        if len(worth) < 2 or not allowed:
            raise DataError(f"blueprint {self.blueprint_id}: no option is allowed, or there is but one")
        best = max(allowed, key=lambda name: worth[name])
        margin = slack[best]
        for name in worth.keys() - {best} - barred:
            if slack[name] < 0:
                margin = min(margin, -slack[name]) if worth[name] > worth[best] else margin
            else:
                margin = min(margin, _lead(worth[best], worth[name]))
        runner_up = max((name for name in worth if name != best), key=lambda name: worth[name])
        return Decision(best, runner_up, margin)

    def naive(self, values: Values) -> str:
        """Return the option that the naive path chooses, without regard to the constraint."""
        seems = {each.option_id: each.naive.evaluate(values) for each in self.options if each.naive is not None}
        return max(seems, key=lambda name: seems[name])

    def root_stands_out(self, values: Values) -> bool:
        """Whether the root does at least twice what any other cause does, where effects are given."""
        sizes: dict[bool, list[float]] = {True: [], False: [0.0]}
        for each in self.causes:
            if each.effect is not None:
                size = each.effect.evaluate(values)
                sizes[each.role == "root"].append(size if each.role == "root" else abs(size))
        return not sizes[True] or max(sizes[False]) <= _HERRING_SHARE * sizes[True][0]

    def fits(self, values: Values, difficulty: Difficulty) -> bool:
        """Whether drawn values make a case of a difficulty: conditions, causes, margin, and a naive path that errs."""
        if not all(each.holds(values) for each in self.model.conditions) or not self.root_stands_out(values):
            return False
        try:
            decision = self.decide(values)
        except DataError:
            return False
        low, high = MARGINS[difficulty]
        return low <= decision.margin <= high and self.naive(values) != decision.option_id

    def decisive(self) -> set[str]:
        """Return the names of the nodes that stand in the rule: in values of options and in their needs."""
        found: set[str] = set()
        for option in self.options:
            exprs = [option.value, *(side for need in option.needs for side in (need.left, need.right))]
            found |= {name for expr in exprs if expr is not None for name in expr.inputs()}
        return found

    def wanted(self) -> set[str]:
        """Return the names of the nodes that a candidate needs: the key numbers and those of the rule."""
        return self.decisive() | {node.name for node in self.key_numbers}

    def essential(self, difficulty: Difficulty) -> list[str]:
        """Return the ids of the facts without which a needed node cannot be reckoned, or the constraint is not known.

        Their order respects what must be known before.
        """
        hidden = [fact for fact in self.facts if not fact.is_given(difficulty)]
        known = self.told(difficulty)
        lacking = set[str]()
        for fact in hidden:
            others = known.union(*(each.names for each in hidden if each is not fact))
            if not self.wanted() <= self.model.reachable(others) or fact.fact_id == self.constraint:
                lacking.add(fact.fact_id)
        return self.in_order(lacking, difficulty)

    def told(self, difficulty: Difficulty) -> set[str]:
        """Return the names of the nodes that the statement tells: of given facts, and parameters that are no fact's."""
        carried = {name for fact in self.facts for name in fact.names}
        given = {name for fact in self.facts if fact.is_given(difficulty) for name in fact.names}
        return given | (self.model.ranges.keys() - carried)

    def in_order(self, fact_ids: Collection[str], difficulty: Difficulty) -> list[str]:
        """Return facts and what must be known before them, in an order in which they can be asked for."""
        found: list[str] = []
        for fact_id in (fact.fact_id for fact in self.facts if fact.fact_id in fact_ids):
            self._with_what_is_before(fact_id, difficulty, found)
        return found

    def _with_what_is_before(self, fact_id: str, difficulty: Difficulty, found: list[str]) -> None:
        if fact_id in found or self.by_id[fact_id].is_given(difficulty):
            return
        for before in self.by_id[fact_id].after:
            self._with_what_is_before(before, difficulty, found)
        found.append(fact_id)


def _lead(best: float, other: float) -> float:
    return (best - other) / max(abs(best), abs(other), _TINY)

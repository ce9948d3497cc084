"""Original scenarios, drawn from a seed: firms with more work on offer than they should accept.

What makes the work worth planning: narrow, staggered windows that compete for the same people; poorly paid work that
stands first in the order in which free consultants look for it; fewer people than all projects could use; one level of
risk for the whole firm; long effort against short deadlines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np

from ..core.errors import SettingError
from .market import MARKETS, ROLES, SCALES, SIZES, Size, phrases
from .scenario import DEFAULT_STOP_MONTH, GATES, WORKING_DAYS_PER_MONTH, Gate
from .search.evaluate import Evaluator
from .search.heuristics import SHARED_RUNS, SHARED_SEED, greedy_tuned, trivial
from .spec import FirmSpec, ProjectSpec, ScenarioSpec, Whole

_T = TypeVar("_T")
MAX_TRIVIAL = 0.45
"""What the trivial plan may reach of the way from doing nothing to `greedy_tuned`."""

MAX_ATTEMPTS = 200
DAY_RATE_STEP = 10


def generate(seed: int, size: Size, gate: Gate = "bernoulli") -> ScenarioSpec:
    """Draw a scenario; the same arguments give the same one.

    Draws are rejected until a plan of `greedy_tuned` earns, and the trivial plan stays far below it.

    Args:
        seed: At least 0.
        size: `small` (5-6 projects of at most 5 windows each), `medium` (10-18) or `large` (25-40).
        gate: Whether risk is priced (`bernoulli`) or a threshold.

    Raises:
        SettingError: An argument is none of these, or no draw is accepted.
    """
    if size not in SIZES:
        raise SettingError(f"size: one of {', '.join(SIZES)}, not {size!r}")
    if gate not in GATES:
        raise SettingError(f"gate: one of {', '.join(GATES)}, not {gate!r}")
    if type(seed) is not int or seed < 0:
        raise SettingError(f"seed: an integer from 0, not {seed!r}")
    for drawn in draws(seed, size, gate):
        if is_worth_planning(drawn):
            return drawn
    raise SettingError(f"seed: none of {MAX_ATTEMPTS} draws from {seed} is worth planning; take another")


def draws(seed: int, size: Size, gate: Gate) -> Iterator[ScenarioSpec]:
    """Draw `MAX_ATTEMPTS` scenarios one after another, whether worth planning or not."""
    rng = np.random.default_rng([seed, SIZES.index(size), GATES.index(gate)])
    for _ in range(MAX_ATTEMPTS):
        yield _Draw(rng, size, gate).scenario(f"{size}-{gate}-{seed}")


def is_worth_planning(spec: ScenarioSpec) -> bool:
    """Whether tuned forward selection earns, and the trivial plan does not come near it."""
    firm = spec.as_firm
    evaluator = Evaluator(firm, SHARED_RUNS, SHARED_SEED)
    floor, good = evaluator.mean(firm.empty_plan), evaluator.mean(greedy_tuned(firm))
    return good > 0.0 and evaluator.mean(trivial(firm)) - floor < MAX_TRIVIAL * (good - floor)


class _Draw:
    """One draw of a scenario."""

    def __init__(self, rng: np.random.Generator, size: Size, gate: Gate) -> None:
        self._rng, self._scale, self._gate, self._words = rng, SCALES[size], gate, phrases()
        self._situation = self._one(sorted(MARKETS))
        self._cost = self._tens(6000, 9500, 100), self._tens(900, 2200, 100)

    def scenario(self, name: str) -> ScenarioSpec:
        """Return the scenario."""
        projects = self._projects()
        caps = sum(project.staffing_cap for project in projects)
        high = max(4, round(caps * self._rng.uniform(*self._scale.staff_share)))
        salary, workplace = self._cost
        firm = FirmSpec(
            fixed_cost_per_month=float(self._tens(0.8 * high, 1.8 * high, 1) * 1000),
            salary_per_month=float(salary),
            workplace_cost_per_month=float(workplace),
            consultants=Whole(low=0, high=high),
            max_revenue_risk=float(self._rng.choice((1.0, 1.0, 0.9, 0.8))),
        )
        return ScenarioSpec(
            name=name,
            title=self._one(self._words.situations[self._situation].titles),
            brief=self._brief(firm),
            gate=self._gate,
            firm=firm,
            projects=projects,
        )

    def _projects(self) -> list[ProjectSpec]:
        """Return the projects in the order in which free consultants look for work."""
        market, n = MARKETS[self._situation], int(self._rng.integers(*self._scale.projects, endpoint=True))
        names = sorted(market.shares)
        shares = np.array([market.shares[name] for name in names])
        counts = np.floor(shares * n).astype(int)
        while counts.sum() < n:  # the rest goes to the roles that are furthest below their share
            counts[int(np.argmax(shares * n - counts))] += 1
        roles = [name for name, count in zip(names, counts, strict=True) for _ in range(count)]
        ranks = [ROLES[role].rank + self._rng.normal(0.0, 0.6) for role in roles]
        ordered = [roles[k] for k in np.argsort(ranks, kind="stable")]
        titles = self._titles(ordered)
        return [self._project(f"p{k + 1}", titles[k], role) for k, role in enumerate(ordered)]

    def _titles(self, roles: list[str]) -> list[str]:
        """Return a name for each project, none twice."""
        many = 1 if self._scale is SCALES["small"] else 2 if self._scale is SCALES["medium"] else 3
        order = self._rng.permutation(len(self._words.sectors))
        self._sectors = [self._words.sectors[k] for k in order[:many]]
        left = {trade: self._shuffled_titles(trade) for trade in ("staffing", "standard", "premium")}
        return [left[ROLES[role].trade].pop() for role in roles]

    def _shuffled_titles(self, trade: str) -> list[str]:
        titles = [title for sector in self._sectors for title in sector.titles(trade)]
        return [titles[k] for k in self._rng.permutation(len(titles))]

    def _project(self, project_id: str, name: str, kind: str) -> ProjectSpec:
        role, scale, rng = ROLES[kind], self._scale, self._rng
        opens = MARKETS[self._situation].opens[kind]
        earliest, latest = opens[int(rng.integers(len(opens)))]
        start = max(1, round(rng.uniform(earliest, latest) * DEFAULT_STOP_MONTH))
        months = int(rng.integers(*role.months, endpoint=True))
        deadline = min(DEFAULT_STOP_MONTH - 1, start + months)
        cap = int(rng.integers(*scale.caps, endpoint=True))
        effort = max(2, round(cap * (deadline - start) * rng.uniform(*role.load)))
        starts, deadlines = self._window_widths()
        rate = sum(self._cost) * rng.uniform(*role.rate)
        return ProjectSpec(
            id=project_id,
            name=name,
            effort_months=float(effort),
            staffing_cap=cap,
            rate_per_month=float(_day_rate(rate) * WORKING_DAYS_PER_MONTH),
            start_month=Whole(low=start, high=start + starts - 1),
            deadline_month=Whole(low=max(deadline, start + starts), high=max(deadline, start + starts) + deadlines - 1),
            extension_probability=_twentieths(rng.uniform(*role.p_extension)),
            extension_effort_months=float(max(1, round(effort * rng.uniform(*role.extension)))),
            follow_on_probability=_twentieths(rng.uniform(*role.p_follow_on)),
        )

    def _window_widths(self) -> tuple[int, int]:
        """Return how many start months and how many deadlines are on offer; their product is bounded."""
        while True:
            starts = int(self._rng.integers(1, self._scale.max_starts, endpoint=True))
            deadlines = int(self._rng.integers(1, self._scale.max_deadlines, endpoint=True))
            if 2 <= starts * deadlines <= self._scale.max_windows:
                return starts, deadlines

    def _brief(self, firm: FirmSpec) -> str:
        first, words = self._sectors[0], self._words
        stories = words.situations[self._situation].stories
        told = [stories[0], self._one(stories[1:])]
        others = [sector.field for sector in self._sectors[1:]]
        beside = f", and we also work in {' and '.join(others)}" if others else ""
        cost = f"${firm.salary_per_month + firm.workplace_cost_per_month:,.0f}"
        staffing = self._one(words.staffing_lines).format(high=firm.consultants.high, cost=cost)
        kind = "open" if firm.max_revenue_risk == 1.0 else "capped"
        risk = self._one(words.risk_lines[kind]).format(risk=firm.max_revenue_risk)
        closing = self._one(words.closing_lines).format(fixed=f"${firm.fixed_cost_per_month:,.0f}")
        article = "an" if first.firm[0] in "aeiou" else "a"
        return " ".join([f"We are {article} {first.firm}{beside}.", *told, staffing, risk, closing])

    def _one(self, of: list[_T]) -> _T:
        return of[int(self._rng.integers(len(of)))]

    def _tens(self, low: float, high: float, step: int) -> int:
        return int(round(self._rng.uniform(low, high) / step) * step)


def _day_rate(rate_per_month: float) -> int:
    """Return the fee for a day, in round dollars."""
    return int(round(rate_per_month / WORKING_DAYS_PER_MONTH / DAY_RATE_STEP) * DAY_RATE_STEP)


def _twentieths(probability: float) -> float:
    return round(round(probability * 20) / 20, 2)

"""Earnings of plans, fast: the mean over shared random numbers, or the one number of the gate `threshold`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import kernel
from ..plan import Firm, Plan, Window
from ..state import coin_shape, tables
from . import compiled
from .batch import Template, Work

MEMORY_LIMIT_NUMBERS = 4_000_000
"""Random numbers that are held at a time when many runs are scored: 32 MB."""


class Candidates(NamedTuple):
    """Plans as the search handles them.

    Attributes:
        choices: Shape (plans, projects): 0 declines, k takes the k-th of `Evaluator.windows`.
        consultants: Shape (plans,).
        levels: Shape (plans,); revenue risk.
    """

    choices: NDArray[np.int64]
    consultants: NDArray[np.int64]
    levels: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.consultants)

    def row(self, k: int) -> Candidates:
        """Return one of them."""
        return self.take(np.array([k]))

    def take(self, places: NDArray[np.intp]) -> Candidates:
        """Return those at these places."""
        return Candidates(self.choices[places], self.consultants[places], self.levels[places])


class Evaluator:
    """Scores plans of one firm, all on the same random numbers.

    Args:
        firm: The firm, under the gate of its template.
        runs: Number of runs of each plan; one under the gate `threshold`, where all are the same.
        seed: Of the random numbers.
        interpreted: Play the interpreted kernel even where numba is installed.
    """

    def __init__(self, firm: Firm, runs: int = 200, seed: int = 0, *, interpreted: bool = False) -> None:
        self.firm = firm
        self.is_random = firm.template.gate == "bernoulli"
        self.runs = runs if self.is_random else 1
        self.seed = seed
        self._is_compiled = compiled.is_available() and not interpreted
        self.ids = tuple(project.project_id for project in firm.template.projects)
        self.windows = tuple(tuple(firm.bounds.projects[each].windows) for each in self.ids)
        self._functions = compiled.compiled() if self._is_compiled else compiled.interpreted()
        self._coin_shape = coin_shape(firm.template)
        self._coins = self._native(self._drawn(self.runs, np.random.default_rng(seed)))

    @property
    def n_options(self) -> NDArray[np.int64]:
        """Number of choices of each project, declining included."""
        return np.array([len(windows) + 1 for windows in self.windows], dtype=np.int64)

    def means(self, candidates: Candidates) -> NDArray[np.float64]:
        """Return the mean earnings of each plan over the shared random numbers, shape (plans,)."""
        scores = self._native(np.zeros(len(candidates)))
        arguments = [self._native(each) for each in candidates]
        self._functions["score_plans"](self._template, self._work, *arguments, self._coins, scores)
        return np.asarray(scores)

    def mean(self, plan: Plan) -> float:
        """Return the mean earnings of a plan over the shared random numbers."""
        return float(self.means(self.encode([plan]))[0])

    def fresh(self, plan: Plan, runs: int, seed: int) -> NDArray[np.float64]:
        """Return the earnings of a plan in runs of their own, shape (runs,); one run under the gate `threshold`."""
        rng, left = np.random.default_rng(seed), runs if self.is_random else 1
        numbers = self._coin_shape[0] * self._coin_shape[1]
        at_once = max(1, MEMORY_LIMIT_NUMBERS // numbers)
        arguments = [self._native(each) for each in self.encode([plan])]
        found = []
        while left > 0:
            many = min(at_once, left)
            scores = self._native(np.zeros(many))
            coins = self._native(self._drawn(many, rng))
            self._functions["score_runs"](self._template, self._work, *arguments, coins, scores)
            found.append(np.asarray(scores))
            left -= many
        return np.concatenate(found)

    def enumerate(self, levels: Sequence[float]) -> tuple[Plan, float, int]:
        """Return the best of all plans under the gate `threshold`, its earnings, and how many were played."""
        choices = np.zeros((2, len(self.ids)), dtype=np.int64)
        best = np.array([-np.inf, 0.0, 0.0])
        given = [self._native(each) for each in (choices, self.n_options, np.array(levels), self._coins, best)]
        played = self._functions["enumerate_plans"](self._template, self._work, *given)
        (earned, consultants, level), chosen = given[4], np.asarray(given[0])[1:]
        plan = self.decode(Candidates(chosen, np.array([int(consultants)]), np.array([level])))
        return plan, float(earned), int(played)

    def encode(self, plans: Sequence[Plan]) -> Candidates:
        """Return plans as the search handles them.

        Raises:
            ValueError: A window is not among those that the bounds allow.
        """
        choices = np.zeros((len(plans), len(self.ids)), dtype=np.int64)
        for row, plan in zip(choices, plans, strict=True):
            for k, project_id in enumerate(self.ids):
                window = plan.projects.get(project_id)
                row[k] = 0 if window is None else self.windows[k].index(window) + 1
        consultants = np.array([plan.consultants for plan in plans], dtype=np.int64)
        return Candidates(choices, consultants, np.array([plan.revenue_risk for plan in plans], dtype=np.float64))

    def decode(self, candidates: Candidates, k: int = 0) -> Plan:
        """Return the k-th plan."""
        windows = {
            project_id: self.windows[each][choice - 1]
            for each, (project_id, choice) in enumerate(zip(self.ids, candidates.choices[k].tolist(), strict=True))
            if choice > 0
        }
        return Plan(int(candidates.consultants[k]), float(candidates.levels[k]), windows)

    def _native(self, array: NDArray[Any]) -> Any:
        """Return an array as the functions take it."""
        return array if self._is_compiled else array.tolist()

    def _drawn(self, runs: int, rng: np.random.Generator) -> NDArray[np.float64]:
        rows, columns = self._coin_shape
        return rng.random((runs, rows, columns)) if self.is_random else np.zeros((1, rows, 1))

    @cached_property
    def _template(self) -> Template:
        scenario = self.firm.scenario(Plan(1, 0.0, {each: self._widest(each) for each in self.ids}))
        start = tables(scenario)
        n = len(self.ids)
        options = np.zeros((n, int(self.n_options.max(initial=1)), 2))
        for row, windows in zip(options, self.windows, strict=True):
            if windows:
                row[1 : len(windows) + 1] = windows
        return Template(
            times=self._native(np.array(scenario.times)),
            fixed_cost=scenario.fixed_cost_per_month * scenario.dt_months,
            programme=self._native(np.array(start.programme, dtype=np.int64)),
            projects=self._native(np.array(start.projects[:n]).reshape(n, kernel.PROJECT_FIELDS)),
            campaigns=self._native(self._campaigns(start.campaigns)),
            crews=self._native(self._crews(np.array(start.crews[0]))),
            options=self._native(options),
        )

    def _widest(self, project_id: str) -> Window:
        bounds = self.firm.bounds.projects[project_id]
        return Window(int(bounds.start_month.low), int(bounds.deadline_month.high))

    @staticmethod
    def _campaigns(rows: list[list[float]]) -> NDArray[np.float64]:
        return np.array(rows, dtype=np.float64).reshape(len(rows), kernel.CAMPAIGN_FIELDS)

    def _crews(self, one: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the crew's row for each number of consultants; sums grow one consultant at a time, as in `state`."""
        top = int(self.firm.bounds.consultants.high)
        return np.concatenate([np.zeros((1, len(one))), np.cumsum(np.tile(one, (top, 1)), axis=0)])

    @cached_property
    def _work(self) -> Work:
        n, campaigns = len(self.ids), len(self.firm.template.campaigns)
        rows, columns = self._coin_shape
        room = 2 * n + kernel.CAMPAIGN_PROJECTS * campaigns
        template = self.firm.template
        firm = np.array([template.dt_months, float(template.stop_month), 0.0, float(self.is_random), 0.0])
        return Work(
            programme=self._native(np.zeros((len(self._template.programme), 2), dtype=np.int64)),
            firm=self._native(firm),
            projects=self._native(np.zeros((room, kernel.PROJECT_FIELDS))),
            campaigns=self._native(np.array(self._template.campaigns).reshape(campaigns, kernel.CAMPAIGN_FIELDS)),
            crews=self._native(np.zeros((1, kernel.CREW_FIELDS))),
            postings=self._native(np.zeros((1, room + campaigns))),
            coins=self._native(np.zeros((rows, columns))),
            rows=self._native(np.zeros(n, dtype=np.int64)),
            book=self._native(np.zeros(kernel.BOOK_FIELDS)),
            booked=self._native(np.zeros(kernel.BOOK_FIELDS)),
        )

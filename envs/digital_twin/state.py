"""The firm's state, a pure step, and whole runs; the rules themselves are in `kernel.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from . import kernel
from .kernel import BOOK_FIELDS, CAMPAIGN_PROJECTS, CONTROLLING, CREW, PROJECT, play_step
from .scenario import Campaign, Consultants, Controlling, Project, Scenario

Row = list[float]
Coins = Sequence[Sequence[float]]
"""A row of uniform random numbers in [0, 1) for each project there can be, `coin_shape` in all."""


class Tables(NamedTuple):
    """A scenario as the kernel reads it: templates, to be copied before a run.

    Attributes:
        programme: (who, row) in the order of action; neighbouring consultants are one crew.
        firm: Constants of the run.
        projects: A row a project, then rows of zeros for those that may come.
        campaigns: A row a campaign.
        crews: A row a crew.
        postings: A row a crew: how many of it are on each project, then on each campaign.
    """

    programme: list[tuple[int, int]]
    firm: Row
    projects: list[Row]
    campaigns: list[Row]
    crews: list[Row]
    postings: list[Row]


@dataclass(frozen=True, slots=True)
class State:
    """The firm between two steps.

    Attributes:
        step: Number of steps played.
        n_projects: Number of projects so far, those ordered on the way included.
        projects: A row a project as `kernel` names its fields, then rows of zeros.
        campaigns: A row a campaign.
        crews: A row a crew.
        postings: A row a crew: consultants on each project, then on each campaign.
        book: What is reported and not yet booked.
    """

    step: int
    n_projects: int
    projects: tuple[tuple[float, ...], ...]
    campaigns: tuple[tuple[float, ...], ...]
    crews: tuple[tuple[float, ...], ...]
    postings: tuple[tuple[float, ...], ...]
    book: tuple[float, ...]


class Booked(NamedTuple):
    """What controlling booked in a step: money, consultant-months, and counts."""

    revenue: float
    risky_revenue: float
    effort_months: float
    salaries: float
    workplaces: float
    capacity_months: float
    demand: float
    projects: float


class Run(NamedTuple):
    """A whole run.

    Attributes:
        booked: One entry a step.
        projects: The rows of all projects at the end, in order of their appearance.
    """

    booked: list[Booked]
    projects: list[Row]


def coin_shape(scenario: Scenario) -> tuple[int, int]:
    """Return (rows, columns) of the random numbers that a run under the gate `bernoulli` may need."""
    rows = 2 * len(scenario.projects) + CAMPAIGN_PROJECTS * len(scenario.campaigns)
    return rows, kernel.FIRST_EXTENSION_COIN + scenario.n_steps


def draw_coins(scenario: Scenario, rng: np.random.Generator) -> Coins:
    """Draw the random numbers of one run; a project's luck does not depend on what the firm does elsewhere."""
    if scenario.gate == "threshold":
        return no_coins(scenario)
    drawn: list[list[float]] = rng.random(coin_shape(scenario)).tolist()
    return drawn


def no_coins(scenario: Scenario) -> Coins:
    """Return random numbers that nobody reads, for the gate `threshold`."""
    rows, columns = coin_shape(scenario)
    return [[0.0] * columns] * rows


@lru_cache(maxsize=64)
def tables(scenario: Scenario) -> Tables:
    """Return the tables of a scenario; they are shared, and must be copied before a run."""
    programme: list[tuple[int, int]] = []
    projects: list[Row] = []
    campaigns: list[Row] = []
    crews: list[Row] = []
    before: object = None
    for agent in scenario.agents:
        if isinstance(agent, Consultants):
            if not isinstance(before, Consultants):
                programme.append((CREW, len(crews)))
                crews.append([0.0] * kernel.CREW_FIELDS)
            _hire(crews[-1], agent, scenario.dt_months)
        elif isinstance(agent, Project):
            programme.append((PROJECT, len(projects)))
            projects.append(_project_row(agent, float(len(projects))))
        elif isinstance(agent, Campaign):
            programme.append((kernel.CAMPAIGN, len(campaigns)))
            campaigns.append(_campaign_row(agent))
        elif isinstance(agent, Controlling):
            programme.append((CONTROLLING, 0))
        before = agent
    room = len(projects) + CAMPAIGN_PROJECTS * len(campaigns)
    firm = [scenario.dt_months, float(scenario.stop_month), scenario.revenue_risk]
    firm += [float(scenario.gate == "bernoulli"), float(len(projects))]
    rows = [*projects, *([0.0] * kernel.PROJECT_FIELDS for _ in range(room))]
    postings = [[0.0] * (len(rows) + len(campaigns)) for _ in crews]
    return Tables(programme, firm, rows, campaigns, crews, postings)


def initial_state(scenario: Scenario) -> State:
    """Return the firm before its first step."""
    start = tables(scenario)
    return State(
        step=0,
        n_projects=len(scenario.projects),
        projects=_frozen(start.projects),
        campaigns=_frozen(start.campaigns),
        crews=_frozen(start.crews),
        postings=_frozen(start.postings),
        book=(0.0,) * BOOK_FIELDS,
    )


def advance(scenario: Scenario, state: State, coins: Coins) -> tuple[State, Booked]:
    """Play one step; the state given stays as it is.

    Args:
        scenario: The firm.
        state: The firm before the step.
        coins: The random numbers of the run.

    Returns:
        The state after the step, and what controlling booked in it.

    Raises:
        IndexError: The run is over.
    """
    start, t = tables(scenario), scenario.times[state.step]
    projects, campaigns = _copied(state.projects), _copied(state.campaigns)
    crews, postings = _copied(state.crews), _copied(state.postings)
    book, booked = list(state.book), [0.0] * BOOK_FIELDS
    n_projects = play_step(
        t, state.n_projects, start.programme, start.firm, projects, campaigns, crews, postings, coins, book, booked
    )
    after = replace(
        state,
        step=state.step + 1,
        n_projects=n_projects,
        projects=_frozen(projects),
        campaigns=_frozen(campaigns),
        crews=_frozen(crews),
        postings=_frozen(postings),
        book=tuple(book),
    )
    return after, Booked(*booked)


def run(scenario: Scenario, coins: Coins) -> Run:
    """Play a scenario from beginning to end: the same as `advance` step by step, without the copies."""
    start = tables(scenario)
    projects, campaigns = _copied(start.projects), _copied(start.campaigns)
    crews, postings = _copied(start.crews), _copied(start.postings)
    book, row = [0.0] * BOOK_FIELDS, [0.0] * BOOK_FIELDS
    n_projects = len(scenario.projects)
    steps = []
    for t in scenario.times:
        n_projects = play_step(
            t, n_projects, start.programme, start.firm, projects, campaigns, crews, postings, coins, book, row
        )
        steps.append(Booked(*row))
    return Run(steps, projects[:n_projects])


def _copied(rows: Sequence[Sequence[float]]) -> list[Row]:
    return [list(row) for row in rows]


def _frozen(rows: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in rows)


def _hire(crew: Row, group: Consultants, dt_months: float) -> None:
    """Add a group to a crew, one after another, so that sums round as the consultants' own reports do."""
    for _ in range(group.count):
        crew[kernel.CREW_FREE] += 1.0
        crew[kernel.CREW_SALARIES] += group.salary_per_month * dt_months
        crew[kernel.CREW_WORKPLACES] += group.workplace_cost_per_month * dt_months
        crew[kernel.CREW_CAPACITY] += dt_months


def _project_row(project: Project, number: float) -> Row:
    row = [0.0] * kernel.PROJECT_FIELDS
    row[kernel.START], row[kernel.DEADLINE] = float(project.start_month), float(project.deadline_month)
    row[kernel.CAP], row[kernel.RATE] = float(project.staffing_cap), float(project.rate_per_month)
    row[kernel.CONTRACTED], row[kernel.CONTRACT_RISK] = project.effort_months, 1.0 - project.contracted_probability
    row[kernel.P_EXTENSION], row[kernel.EXTENSION] = project.extension_probability, project.extension_effort_months
    row[kernel.P_FOLLOW_ON], row[kernel.COINS] = project.follow_on_probability, number
    return row


def _campaign_row(campaign: Campaign) -> Row:
    row = [0.0] * kernel.CAMPAIGN_FIELDS
    row[kernel.C_EFFORT], row[kernel.C_CAP] = campaign.effort_months, campaign.staffing_cap
    row[kernel.C_START] = float(campaign.start_month)
    return row

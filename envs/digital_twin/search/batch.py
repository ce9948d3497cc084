"""Many plans of one firm, scored run by run on the kernel's rules; plain functions that `compiled.py` compiles.

A plan is a row of choices, one a project: 0 declines it, k takes its k-th window. Tables are lists of rows or NumPy
arrays; nothing is allocated here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..kernel import (
    BOOK_FIELDS,
    C_EFFORT,
    CAMPAIGN_PROJECTS,
    COINS,
    CREW_FIELDS,
    DEADLINE,
    IS_BERNOULLI,
    LEVEL,
    OFFERED,
    PROJECT,
    PROJECT_FIELDS,
    REVENUE,
    SALARIES,
    START,
    WORKPLACES,
    play_step,
)


class Template(NamedTuple):
    """A firm as the search reads it; never changed.

    Attributes:
        times: Time of each step in months.
        fixed_cost: Fixed cost of a step.
        programme: (who, row) in the order of action, all projects included.
        projects: A row a project as `kernel` names its fields.
        campaigns: A row a campaign.
        crews: A row for each number of consultants, from 0.
        options: Of each project, (start month, deadline month) by choice; choice 0 is not used.
    """

    times: Any
    fixed_cost: float
    programme: Any
    projects: Any
    campaigns: Any
    crews: Any
    options: Any


class Work(NamedTuple):
    """Room for one run: the tables that `kernel.play_step` changes, of accepted projects alone."""

    programme: Any
    firm: Any
    projects: Any
    campaigns: Any
    crews: Any
    postings: Any
    coins: Any
    rows: Any
    book: Any
    booked: Any


def score_plans(
    template: Template, work: Work, choices: Any, consultants: Any, levels: Any, coins: Any, scores: Any
) -> None:
    """Write the mean earnings of each plan over all sets of random numbers into `scores`.

    Args:
        template: The firm.
        work: Room for one run.
        choices: A row of choices a plan.
        consultants: Number of consultants of each plan.
        levels: Revenue risk of each plan.
        coins: Sets of random numbers, shape (runs, 2 * projects + those of campaigns, columns); shared by all plans.
        scores: One number a plan.
    """
    for plan in range(len(choices)):
        n_projects = lay_out(template, work, choices[plan], levels[plan])
        total = 0.0
        for each in range(len(coins)):
            deal(work, n_projects, len(template.projects), coins[each])
            total += earn(template, work, n_projects, template.crews[consultants[plan]])
        scores[plan] = total / len(coins)


def score_runs(
    template: Template, work: Work, choices: Any, consultants: Any, levels: Any, coins: Any, scores: Any
) -> None:
    """Write the earnings of one plan in each run into `scores`; arguments as of `score_plans`, with one plan."""
    n_projects = lay_out(template, work, choices[0], levels[0])
    for each in range(len(coins)):
        deal(work, n_projects, len(template.projects), coins[each])
        scores[each] = earn(template, work, n_projects, template.crews[consultants[0]])


def enumerate_plans(
    template: Template, work: Work, choices: Any, sizes: Any, levels: Any, coins: Any, best: Any
) -> Any:
    """Play every plan under the gate `threshold`; keep the best in `choices` and `best`, the first where they tie.

    Args:
        template: The firm.
        work: Room for one run.
        choices: Two rows: the counter, all zeros, and where the best choices go.
        sizes: Number of choices of each project, declining included.
        levels: The distinct levels of risk.
        coins: One set of random numbers, not read.
        best: Earnings, consultants and level of the best plan so far.

    Returns:
        The number of plans played.
    """
    played, counter = 0, choices[0]
    n = len(sizes)
    more = True
    while more:
        for level in levels:
            n_projects = lay_out(template, work, counter, level)
            deal(work, n_projects, n, coins[0])
            for many in range(len(template.crews)):
                earned = earn(template, work, n_projects, template.crews[many])
                played += 1
                if earned > best[0]:
                    best[0], best[1], best[2] = earned, float(many), level
                    for k in range(n):
                        choices[1][k] = counter[k]
        more = count_on(counter, sizes)
    return played


def count_on(counter: Any, sizes: Any) -> bool:
    """Move to the next row of choices; return whether there is one."""
    k = 0
    while k < len(sizes):
        counter[k] += 1
        if counter[k] < sizes[k]:
            return True
        counter[k] = 0
        k += 1
    return False


def lay_out(template: Template, work: Work, choices: Any, level: float) -> int:
    """Write the accepted projects into the tables of a run; return how many there are.

    Declined projects leave no trace, as in a scenario made of the plan.
    """
    n_projects, place = 0, 0
    for entry in range(len(template.programme)):
        who, row = template.programme[entry][0], template.programme[entry][1]
        if who == PROJECT:
            choice = choices[row]
            if choice == 0:
                continue
            for field in range(START, PROJECT_FIELDS):
                work.projects[n_projects][field] = template.projects[row][field]
            work.projects[n_projects][START] = template.options[row][choice][0]
            work.projects[n_projects][DEADLINE] = template.options[row][choice][1]
            work.projects[n_projects][COINS] = float(n_projects)
            work.rows[n_projects] = row
            row = n_projects
            n_projects += 1
        work.programme[place][0], work.programme[place][1] = who, row
        place += 1
    work.firm[LEVEL] = level
    work.firm[OFFERED] = float(n_projects)
    return n_projects


def deal(work: Work, n_projects: int, n_offered: int, coins: Any) -> None:
    """Give each project its random numbers: its own ones, whatever else the plan accepts."""
    if work.firm[IS_BERNOULLI] == 0.0:
        return
    for k in range(n_projects):
        row = work.rows[k]
        for column in range(len(coins[row])):
            work.coins[k][column] = coins[row][column]
            work.coins[n_projects + k][column] = coins[n_offered + row][column]
    for k in range(CAMPAIGN_PROJECTS * len(work.campaigns)):
        for column in range(len(coins[0])):
            work.coins[2 * n_projects + k][column] = coins[2 * n_offered + k][column]


def earn(template: Template, work: Work, n_projects: int, crew: Any) -> float:
    """Play one run and return accumulated earnings as last reported, as `kpis.earnings` sums them."""
    begin(work, n_projects, crew)
    programme = work.programme[: len(template.programme) - len(template.projects) + n_projects]
    total, there_are = 0.0, n_projects
    for step in range(len(template.times) - 1):  # the last step is never reported
        there_are = play_step(
            template.times[step],
            there_are,
            programme,
            work.firm,
            work.projects,
            work.campaigns,
            work.crews,
            work.postings,
            work.coins,
            work.book,
            work.booked,
        )
        booked = work.booked
        total += booked[REVENUE] - (booked[SALARIES] + booked[WORKPLACES] + template.fixed_cost)
    return total


def begin(work: Work, n_projects: int, crew: Any) -> None:
    """Set the tables to the beginning of a run; what is agreed stands, what changes is zero."""
    for k in range(n_projects):
        for field in range(START):
            work.projects[k][field] = 0.0
    for k in range(len(work.campaigns)):
        for field in range(C_EFFORT):
            work.campaigns[k][field] = 0.0
    for field in range(CREW_FIELDS):
        work.crews[0][field] = crew[field]
    for k in range(len(work.postings[0])):
        work.postings[0][k] = 0.0
    for field in range(BOOK_FIELDS):
        work.book[field] = 0.0

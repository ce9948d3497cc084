"""The rules of one step, on plain tables, and the only place where they stand.

A table is a list of rows or a NumPy array: the same functions run interpreted on lists (`state.py`) and compiled on
arrays (`search/compiled.py`). Rows are changed in place; whoever needs a pure step copies first.

In a step every agent acts once, in the order of the scenario's programme; projects created on the way act last. The
source of every rule is the enterprise digital twin of the transentis BPTK tutorial.
"""

from __future__ import annotations

from typing import Any

# States of a project or campaign.
ACQUIRED, READY, STARTED, FULLY_STAFFED, COMPLETED = 0.0, 1.0, 2.0, 3.0, 4.0
STATE_NAMES = ("acquired", "ready", "started", "fully_staffed", "completed")

# A project's row: what changes, then what is agreed.
STATE, REMAINING, STAFF, EFFORT, RISK, TESTS, COUNTED, SPAWNED, DELIVERED, BILLED, EXTENSIONS = range(11)
START, DEADLINE, CAP, RATE, CONTRACTED, CONTRACT_RISK, P_EXTENSION, EXTENSION, P_FOLLOW_ON, COINS = range(11, 21)
PROJECT_FIELDS = 21
"""Effort in consultant-months, times in months, `COINS` the row of random numbers that the project draws from."""

# A campaign's row.
C_STATE, C_REMAINING, C_STAFF, C_SPAWNED, C_EFFORT, C_CAP, C_START = range(7)
CAMPAIGN_FIELDS = 7

# A crew's row: consultants who stand side by side in the order of action; sums are a step's.
CREW_FREE, CREW_SALARIES, CREW_WORKPLACES, CREW_CAPACITY = range(4)
CREW_FIELDS = 4

# What has been reported since controlling's last turn.
REVENUE, RISKY_REVENUE, WORKED, SALARIES, WORKPLACES, CAPACITY, DEMAND, PROJECTS = range(8)
BOOK_FIELDS = 8

# The programme: who acts, and its row.
CONTROLLING, CREW, PROJECT, CAMPAIGN = range(4)

# The constants of a run.
DT, STOP, LEVEL, IS_BERNOULLI, OFFERED = range(5)
FIRM_FIELDS = 5

# A project's random numbers: one for its follow-on, then one for each time its effort is used up.
FOLLOW_ON_COIN, FIRST_EXTENSION_COIN = 0, 1

# What a campaign brings in: two projects, with terms of their own.
CAMPAIGN_PROJECTS = 2
CAMPAIGN_LEAD_MONTHS, CAMPAIGN_WINDOW_MONTHS = 3.0, 12.0
CAMPAIGN_PROJECT_EFFORT, CAMPAIGN_PROJECT_CAP, CAMPAIGN_PROJECT_RATE = 12.0, 2.0, 5000.0
CAMPAIGN_PROJECT_P_EXTENSION, CAMPAIGN_PROJECT_EXTENSION = 0.8, 6.0


def comes_about(probability: float, firm: Any, coin: float) -> bool:
    """Whether an extension or a follow-on comes about: by threshold, or where the coin is below p * risk level."""
    if firm[IS_BERNOULLI] > 0.0:
        return bool(coin < probability * firm[LEVEL])
    return bool(probability > 1.0 - firm[LEVEL])


def controlling_turn(book: Any, row: Any) -> None:
    """Book everything reported since the last turn into `row` and begin anew; the count of projects goes on."""
    for field in range(PROJECTS):
        row[field] = book[field]
        book[field] = 0.0


def join(crew: Any, posted: Any, projects: Any, n_projects: int, campaigns: Any, n_campaigns: int) -> None:
    """Post the free consultants of a crew: on ready projects first, then on started ones, then on campaigns."""
    slot = 0
    while slot < n_projects and crew[CREW_FREE] > 0.0:  # each one opens a project while there is one to open
        row = projects[slot]
        if row[STATE] == READY:
            row[REMAINING] = row[CONTRACTED]
            row[RISK] = row[CONTRACT_RISK]
            row[STAFF] += 1.0
            row[STATE] = FULLY_STAFFED if row[STAFF] == row[CAP] else STARTED
            posted[slot] += 1.0
            crew[CREW_FREE] -= 1.0
        slot += 1
    slot = 0
    while slot < n_projects and crew[CREW_FREE] > 0.0:
        row = projects[slot]
        while row[STATE] == STARTED and crew[CREW_FREE] > 0.0:
            row[STAFF] += 1.0
            if row[STAFF] == row[CAP]:
                row[STATE] = FULLY_STAFFED
            posted[slot] += 1.0
            crew[CREW_FREE] -= 1.0
        slot += 1
    if crew[CREW_FREE] > 0.0 and n_campaigns > 0:
        join_campaigns(crew, posted, len(projects), campaigns, n_campaigns)


def join_campaigns(crew: Any, posted: Any, first: int, campaigns: Any, n_campaigns: int) -> None:
    """Post free consultants on campaigns; the one who opens a campaign is not held against its cap."""
    for k in range(n_campaigns):
        row = campaigns[k]
        if row[C_STATE] == READY and crew[CREW_FREE] > 0.0:
            row[C_REMAINING] = row[C_EFFORT]
            row[C_STAFF] += 1.0
            row[C_STATE] = STARTED
            posted[first + k] += 1.0
            crew[CREW_FREE] -= 1.0
    for k in range(n_campaigns):
        row = campaigns[k]
        while row[C_STATE] == STARTED and crew[CREW_FREE] > 0.0:
            row[C_STAFF] += 1.0
            if row[C_STAFF] == row[C_CAP]:
                row[C_STATE] = FULLY_STAFFED
            posted[first + k] += 1.0
            crew[CREW_FREE] -= 1.0


def crew_turn(
    crew: Any, posted: Any, projects: Any, n_projects: int, campaigns: Any, n_campaigns: int, book: Any, dt: float
) -> None:
    """Let a crew act: report its cost, post those who are free, work, and release those whose project is done.

    Who is released stands idle for the rest of the step. Nobody leaves a project before it is completed.
    """
    book[SALARIES] += crew[CREW_SALARIES]
    book[WORKPLACES] += crew[CREW_WORKPLACES]
    book[CAPACITY] += crew[CREW_CAPACITY]
    if crew[CREW_FREE] > 0.0:
        join(crew, posted, projects, n_projects, campaigns, n_campaigns)
    for slot in range(n_projects):
        staff = posted[slot]
        if staff == 0.0:
            continue
        row = projects[slot]
        if row[STATE] == COMPLETED:
            crew[CREW_FREE] += staff
            posted[slot] = 0.0
            continue
        while staff > 0.0 and row[REMAINING] > 0.0:
            done = dt if dt < row[REMAINING] else row[REMAINING]
            row[REMAINING] = max(row[REMAINING] - done, 0.0)
            row[EFFORT] += done
            staff -= 1.0
    if n_campaigns > 0:
        work_on_campaigns(crew, posted, len(projects), campaigns, n_campaigns, dt)


def work_on_campaigns(crew: Any, posted: Any, first: int, campaigns: Any, n_campaigns: int, dt: float) -> None:
    """Let a crew work on the campaigns that it is posted to; nobody is billed for it."""
    for k in range(n_campaigns):
        row, staff = campaigns[k], posted[first + k]
        if staff > 0.0 and row[C_STATE] == COMPLETED:
            crew[CREW_FREE] += staff
            posted[first + k] = 0.0
        while staff > 0.0 and row[C_REMAINING] > 0.0:  # one after another, so that it rounds as they would
            row[C_REMAINING] = max(row[C_REMAINING] - dt, 0.0)
            staff -= 1.0


def project_turn(row: Any, t: float, firm: Any, coins: Any, book: Any) -> bool:
    """Let a project act at time t; return whether a follow-on is ordered.

    In this order: report revenue and effort of the step, open, close at the deadline, extend or complete what is
    used up, report demand, order a follow-on.
    """
    if row[EFFORT] > 0.0:
        revenue = row[EFFORT] * row[RATE]
        book[REVENUE] += revenue
        book[RISKY_REVENUE] += revenue * row[RISK]
        book[WORKED] += row[EFFORT]
        row[DELIVERED] += row[EFFORT]
        row[BILLED] += revenue
        row[EFFORT] = 0.0
    if row[COUNTED] == 0.0:
        book[PROJECTS] += 1.0
        row[COUNTED] = 1.0
    if row[STATE] == ACQUIRED and t == row[START]:
        row[STATE] = READY
    if t >= row[DEADLINE]:
        row[STATE] = COMPLETED
    elif t < firm[STOP] and row[REMAINING] <= 0.0 and STARTED <= row[STATE] <= FULLY_STAFFED:
        if comes_about(row[P_EXTENSION], firm, coins[FIRST_EXTENSION_COIN + int(row[TESTS])]):
            row[REMAINING] += row[EXTENSION]
            row[RISK] = 1.0 - row[P_EXTENSION]
            row[EXTENSIONS] += 1.0
        row[TESTS] += 1.0
        if row[REMAINING] <= 0.0:
            row[STATE] = COMPLETED
    if READY <= row[STATE] <= FULLY_STAFFED:
        book[DEMAND] += row[CAP]
    if t == row[DEADLINE] and row[SPAWNED] == 0.0 and row[P_FOLLOW_ON] > 0.0:
        ordered: bool = comes_about(row[P_FOLLOW_ON], firm, coins[FOLLOW_ON_COIN])
        row[SPAWNED] = 1.0 if ordered else 0.0
        return ordered
    return False


def order_follow_on(row: Any, new: Any, t: float, stop: float, coins_row: float) -> None:
    """Write the follow-on of `row` into the empty row `new`: the same terms, less certain, and without its own."""
    for field in range(PROJECT_FIELDS):
        new[field] = row[field] if field >= START else 0.0
    new[CONTRACT_RISK] = 1.0 - row[P_FOLLOW_ON]
    new[P_FOLLOW_ON] = 0.0
    new[START] = t + 1.0
    new[DEADLINE] = min(stop, t + row[DEADLINE] - row[START])
    new[COINS] = coins_row


def campaign_turn(row: Any, t: float) -> bool:
    """Let a campaign act at time t; return whether it brings its projects now."""
    if row[C_STATE] == ACQUIRED and t == row[C_START]:
        row[C_STATE] = READY
    if row[C_REMAINING] <= 0.0 and STARTED <= row[C_STATE] <= FULLY_STAFFED:
        row[C_STATE] = COMPLETED
    if row[C_STATE] == COMPLETED and row[C_SPAWNED] == 0.0:
        row[C_SPAWNED] = 1.0
        return True
    return False


def bring_project(new: Any, t: float, coins_row: float) -> None:
    """Write a project that a campaign has brought into the empty row `new`."""
    for field in range(PROJECT_FIELDS):
        new[field] = 0.0
    new[START] = t + CAMPAIGN_LEAD_MONTHS
    new[DEADLINE] = t + CAMPAIGN_LEAD_MONTHS + CAMPAIGN_WINDOW_MONTHS
    new[CAP], new[RATE], new[CONTRACTED] = CAMPAIGN_PROJECT_CAP, CAMPAIGN_PROJECT_RATE, CAMPAIGN_PROJECT_EFFORT
    new[P_EXTENSION], new[EXTENSION] = CAMPAIGN_PROJECT_P_EXTENSION, CAMPAIGN_PROJECT_EXTENSION
    new[COINS] = coins_row


def play_step(
    t: float,
    n_projects: int,
    programme: Any,
    firm: Any,
    projects: Any,
    campaigns: Any,
    crews: Any,
    postings: Any,
    coins: Any,
    book: Any,
    booked: Any,
) -> int:
    """Let every agent act once at time t; return the number of projects there are then.

    Args:
        t: Time of the step in months.
        n_projects: Number of projects so far; rows behind them are empty.
        programme: (who, row) in the order of action.
        firm: The constants `DT`, `STOP`, `LEVEL`, `IS_BERNOULLI`, `OFFERED`.
        projects: A row a project, and room for those that may come.
        campaigns: A row a campaign.
        crews: A row a crew.
        postings: A row a crew: how many of it are on each project, then on each campaign.
        coins: A row of uniform random numbers for each project there can be.
        book: What is reported and not yet booked.
        booked: Where controlling writes the step.
    """
    n_campaigns = len(campaigns)
    for place in range(len(programme)):
        who, k = programme[place][0], programme[place][1]
        if who == PROJECT:
            n_projects = act_project(k, t, n_projects, firm, projects, coins, book)
        elif who == CREW:
            crew_turn(crews[k], postings[k], projects, n_projects, campaigns, n_campaigns, book, firm[DT])
        elif who == CONTROLLING:
            controlling_turn(book, booked)
        elif campaign_turn(campaigns[k], t):
            first = 2 * firm[OFFERED] + CAMPAIGN_PROJECTS * k
            bring_project(projects[n_projects], t, first)
            bring_project(projects[n_projects + 1], t, first + 1.0)
            n_projects += CAMPAIGN_PROJECTS
    slot = int(firm[OFFERED])
    while slot < n_projects:  # those that came in this step or an earlier one
        n_projects = act_project(slot, t, n_projects, firm, projects, coins, book)
        slot += 1
    booked[PROJECTS] = book[PROJECTS]  # counted by the end of the step, whenever controlling acts
    return n_projects


def act_project(k: int, t: float, n_projects: int, firm: Any, projects: Any, coins: Any, book: Any) -> int:
    """Let project k act; return the number of projects there are then."""
    row = projects[k]
    if row[STATE] == COMPLETED and row[EFFORT] == 0.0 and t != row[DEADLINE]:
        return n_projects
    if project_turn(row, t, firm, coins[int(row[COINS])], book):
        order_follow_on(row, projects[n_projects], t, firm[STOP], row[COINS] + firm[OFFERED])
        return n_projects + 1
    return n_projects

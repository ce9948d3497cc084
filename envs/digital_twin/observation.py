"""What the planner is told: the firm, the projects on offer, the plan as it stands, and the report of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from .kpis import Kpis, ProjectResult, Result
from .plan import Firm, Plan, Range, plain
from .scenario import Campaign, Project, Scenario
from .scoring import Draft, Round

_PROJECT_HEADER = (
    "| id | project | effort | cap | rate | extension | follow-on | start_month | deadline_month |\n"
    "|---|---|---|---|---|---|---|---|---|"
)
_MONTH_HEADER = (
    "| month | revenue | expenses | earnings | accumulated earnings | utilization | staff demand |\n"
    "|---|---|---|---|---|---|---|"
)
_RESULT_HEADER = (
    "| project | state | window | effort delivered | of contracted | extensions | billed | delivered in time |\n"
    "|---|---|---|---|---|---|---|---|"
)
_GATES = {
    "threshold": (
        "An extension or follow-on comes about exactly when its chance is greater than 1 minus the revenue risk level; "
        "nothing in this firm is random."
    ),
    "bernoulli": (
        "Each time, an extension or follow-on comes about with its chance times the revenue risk level; the draws of a "
        "run are not known beforehand."
    ),
}
_SCORES = {
    "last": "Your score is the accumulated earnings of the last round.",
    "best": "Your score is the greatest accumulated earnings of any round.",
    "mean": "Your score is the mean of the accumulated earnings of all rounds.",
}


def number(value: float) -> str:
    """Write a number without needless decimals."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def exact(value: float) -> str:
    """Write an agreed term: as `number` where that loses nothing, else with every decimal that it has."""
    rounded = number(value)
    return rounded if float(rounded.replace(",", "")) == value else f"{value:,}"


def money(value: float) -> str:
    """Write an amount in $."""
    return f"-${number(-value)}" if value < 0 else f"${number(value)}"


def rules(firm: Firm, rounds: int, score: str) -> str:
    """Return the rules of planning and of a run, complete in themselves."""
    scenario = firm.template
    months = f"{scenario.start_month} to {scenario.stop_month}"
    clock = "months" if scenario.dt_months == 1 else "steps"
    several = f"You have {rounds} rounds: each runs the plan once and reports; you may change the plan in between. "
    return _RULES.format(
        months=months,
        step=_step_text(scenario),
        gate=_GATES[scenario.gate],
        campaigns=_campaign_text(scenario.campaigns),
        rounds="You have one round: the first run of the simulation ends the task. " if rounds == 1 else several,
        score="Your score is the accumulated earnings of the run." if rounds == 1 else _SCORES[score],
        clock=clock,
        nothing=firm.doing_nothing,
        luck="" if rounds == 1 or scenario.gate == "threshold" else " Each round draws anew.",
    )


def request(firm: Firm, title: str) -> str:
    """Return the first request: the firm's situation and everything on offer."""
    parts = [f"# {title}", firm.brief, firm_text(firm), "Projects on offer:\n" + project_table(firm), _ASK]
    return "\n\n".join(part for part in parts if part)


def firm_text(firm: Firm) -> str:
    """Describe the firm: costs, clock and bounds."""
    scenario, bounds = firm.template, firm.bounds
    cost = firm.salary_per_month + firm.workplace_cost_per_month
    return (
        f"The firm (months {scenario.start_month} to {scenario.stop_month}):\n"
        f"- fixed cost: ${exact(scenario.fixed_cost_per_month)} a month\n"
        f"- a consultant costs {money(cost)} a month, busy or not: salary ${exact(firm.salary_per_month)}, workplace "
        f"${exact(firm.workplace_cost_per_month)}\n"
        f"- consultants you may employ: {_range(bounds.consultants)}\n"
        f"- revenue risk level: {_range(bounds.revenue_risk)}"
    )


def project_table(firm: Firm) -> str:
    """List the projects on offer, in the order in which free consultants look for work."""
    rows = [_project_row(firm, project) for project in firm.template.projects]
    return "\n".join([_PROJECT_HEADER, *rows])


def project_text(firm: Firm, draft: Draft, project_id: str) -> str:
    """Describe one project and what the plan does with it."""
    (project,) = (each for each in firm.template.projects if each.project_id == project_id)
    window = draft.projects.get(project_id)
    decided = "declined" if window is None else f"accepted, months {window.start_month} to {window.deadline_month}"
    bounds = firm.bounds.projects[project_id]
    return (
        f"{project_id}: {project.name}\n"
        f"- contracted effort: {exact(project.effort_months)} consultant-months, {_crew(project)} "
        f"at a time\n"
        f"- rate: ${exact(project.rate_per_month)} a consultant-month\n"
        f"- extension: chance {plain(project.extension_probability)} each time its effort is used up, "
        f"{exact(project.extension_effort_months)} consultant-months more\n"
        f"- follow-on at the deadline: chance {plain(project.follow_on_probability)}\n"
        f"- start_month: {_range(bounds.start_month)}; deadline_month: {_range(bounds.deadline_month)}\n"
        f"- your plan: {decided}"
    )


def draft_text(firm: Firm, draft: Draft, rounds_left: int) -> str:
    """Describe the plan as it stands."""
    accepted = [
        f"- {project_id}: months {window.start_month} to {window.deadline_month}"
        for project_id, window in sorted(draft.projects.items(), key=lambda item: _place(firm, item[0]))
    ]
    declined = len(firm.template.projects) - len(accepted)
    consultants = "not decided" if draft.consultants is None else str(draft.consultants)
    level = "not decided" if draft.revenue_risk is None else plain(draft.revenue_risk)
    lines = [
        f"Plan as it stands ({rounds_left} {'round' if rounds_left == 1 else 'rounds'} left):",
        f"- consultants: {consultants}",
        f"- revenue risk level: {level}",
        f"- accepted projects: {len(accepted)}, declined: {declined}",
    ]
    return "\n".join([*lines, *accepted])


def round_text(played: Round, plan: Plan, this: int, rounds: int) -> str:
    """Report a run: totals, every month, and what became of each project."""
    result = played.result
    last = result.steps[-1]
    head = (
        f"Round {this} of {rounds}: {plan.consultants} consultants, revenue risk level {plain(plan.revenue_risk)}, "
        f"accepted projects: {len(plan.projects)}.\n"
        f"Accumulated earnings: {money(result.earnings)} (revenue {money(last.accumulated_revenue)}, expenses "
        f"{money(last.accumulated_expenses)}); utilization {last.overall_avg_utilization:.1%}; "
        f"{sum(project.won for project in result.projects)} of {len(result.projects)} projects delivered in time."
    )
    parts = [head, month_table(result)]
    if result.projects:
        parts.append("\n".join([_RESULT_HEADER, *map(_result_row, result.projects)]))
    return "\n\n".join(parts)


def month_table(result: Result) -> str:
    """Return a row for each month; accumulated earnings are those of the months before."""
    months = [list(steps) for _, steps in groupby(result.steps, key=lambda step: int(step.t))]
    return "\n".join([_MONTH_HEADER, *map(_month_row, months)])


def _month_row(steps: Sequence[Kpis]) -> str:
    """Sum up the steps of one month; capacity is the same in each, and of the demands the greatest is shown."""
    revenue, expenses = sum(step.revenue for step in steps), sum(step.expenses for step in steps)
    earnings = sum(step.earnings for step in steps)
    utilization = sum(step.avg_utilization for step in steps) / len(steps)
    demand = max(step.consultant_demand for step in steps)
    return (
        f"| {int(steps[0].t)} | {money(revenue)} | {money(expenses)} | {money(earnings)} | "
        f"{money(steps[0].accumulated_earnings)} | {utilization:.0%} | {number(demand)} |"
    )


def _project_row(firm: Firm, project: Project) -> str:
    bounds = firm.bounds.projects[project.project_id]
    extension = (
        f"{plain(project.extension_probability)}: +{exact(project.extension_effort_months)}"
        if project.extension_probability > 0
        else "none"
    )
    follow_on = plain(project.follow_on_probability) if project.follow_on_probability > 0 else "none"
    name = project.name.replace("|", "/").replace("\n", " ")
    return (
        f"| {project.project_id} | {name} | {exact(project.effort_months)} | {_cap(project)} | "
        f"${exact(project.rate_per_month)} | {extension} | {follow_on} | {_range(bounds.start_month)} | "
        f"{_range(bounds.deadline_month)} |"
    )


def _result_row(project: ProjectResult) -> str:
    window = f"{project.start_month:g} to {project.deadline_month:g}"
    return (
        f"| {project.name} | {project.state} | {window} | {number(project.delivered_months)} | "
        f"{number(project.contracted_months)} | {project.extensions} | {money(project.revenue)} | "
        f"{'yes' if project.won else 'no'} |"
    )


def _range(allowed: Range) -> str:
    return plain(allowed.low) if allowed.low == allowed.high else f"{plain(allowed.low)} to {plain(allowed.high)}"


def _cap(project: Project) -> str:
    """Write a staffing cap; one that no number of consultants equals is never reached, as in the reference."""
    cap = project.staffing_cap
    return exact(cap) if cap >= 1 and cap == int(cap) else "none"


def _crew(project: Project) -> str:
    cap = _cap(project)
    return "any number of consultants" if cap == "none" else f"at most {cap} consultants"


def _place(firm: Firm, project_id: str) -> int:
    return list(firm.bounds.projects).index(project_id)


def _step_text(scenario: Scenario) -> str:
    return "a month" if scenario.dt_months == 1 else f"{scenario.dt_months:g} months"


def _campaign_text(campaigns: Iterable[Campaign]) -> str:
    found = [
        f" In month {each.start_month:g} a marketing campaign opens: {number(each.effort_months)} consultant-months of "
        "unpaid work for consultants whom no project needs; when it is done it brings two projects."
        for each in campaigns
    ]
    return "".join(found)


_ASK = (
    "Decide how many consultants to employ, the revenue risk level, and which projects to accept in which window. Set "
    "the parts one by one or all at once with submit_plan, then call run_simulation."
)

_RULES = """\
You plan for a consulting firm: how many consultants it employs, how much uncertain revenue it accepts, and which of \
the projects on offer it takes on, each in which months. The plan is made once and then rolled out over months \
{months}, in steps of {step}.

How the firm works:
1. Every consultant costs salary and workplace every month, busy or not; nobody joins or leaves on the way. The firm's \
fixed cost is due every month.
2. A project opens in its start_month; work on it begins in the step after. A free consultant goes to the first open \
project in the order of the list that nobody works on yet, else to the first one that is not fully staffed (its cap), \
else waits. Nobody leaves a project before it is completed; then there is one idle step.
3. A consultant-month of effort earns the project's rate, booked in the step after it was worked. Effort after the \
deadline_month is not done and not paid; what is unfinished then is lost.
4. When a project's effort is used up before its deadline the client may extend it, each time anew; its consultants \
then stay. Else the project is completed. At its deadline the client may order a follow-on project: the same effort, \
cap, rate and extension, opening a month later, for as long a window, without a follow-on of its own. {gate}{campaigns}

{rounds}{score} Accumulated earnings are revenue less expenses of all {clock} but the last.{luck} A project that you \
do not schedule is declined. A round that you do not run counts as {nothing} and declining everything. \
Months and consultants are whole numbers; what lies outside the bounds is refused and changes nothing."""

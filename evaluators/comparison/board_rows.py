"""The leaderboard for scripts, and in plain words what keeps its rows from being compared at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..costs import cost_of
from ..report_cells import NONE
from .board import SETTINGS, ranked, setting_of, tasks_of, values_of
from .contests import Contest, Entry
from .episodes import own
from .measures import Measures, cost_json, measure
from .strata import Stratum


def board_rows(contest: Contest, *, partial: bool = False) -> Iterator[dict[str, Any]]:
    """Yield a row an agent, and one for each split, capability and difficulty where tasks differ in it."""
    for entry, numbers in ranked(contest):
        yield _json_row(contest, entry, numbers, Stratum(), partial)
        for field in Stratum._fields:
            for value in values_of(contest, field):
                part = measure(entry, tasks_of(contest, field, value))
                yield _json_row(contest, entry, part, Stratum()._replace(**{field: value}), partial)


def _json_row(contest: Contest, entry: Entry, numbers: Measures, stratum: Stratum, partial: bool) -> dict[str, Any]:
    use = numbers.use
    scores = {
        "score": numbers.score,
        "ci95": None if numbers.ci95 is None else list(numbers.ci95),
        "normalized": numbers.normalized,
        "strict": numbers.strict,
        "strict_ci95": None if numbers.strict_ci95 is None else list(numbers.strict_ci95),
        "pass_hat_k": {str(row.k): row.as_failures for row in numbers.reliability},
        "last_trial": numbers.last_trial,
    }
    lacks = contest.lacks(entry)
    if lacks and not partial:
        scores |= dict.fromkeys(scores)
    whole = stratum == Stratum()
    return {
        "env": contest.env_id,
        "settings": dict(contest.settings),
        **stratum._asdict(),
        "agent": entry.label,
        "model": sorted(entry.models),
        "unit": contest.units.get("reward", ""),
        **scores,
        **({"reason": f"plays {len(entry.tasks)} of {len(contest.tasks)} tasks"} if lacks else {}),
        "trials": numbers.trials,
        "tasks": numbers.tasks,
        **numbers.counts.as_dict(),
        "calls": use.each(use.calls),
        "input": use.each(use.input),
        "output": use.each(use.output),
        "cached_share": use.cached_share,
        "cost": use.usd,
        "unpriced_calls": use.cost.unpriced,
        "seconds": use.seconds_each,
        "adaptation_share": use.adaptation_share,
        "adaptation_token_share": use.adaptation_token_share,
        "simulator_calls": _each(use.simulator_calls, use.episodes),
        **(
            {"judge_calls": _each(use.judge_calls, use.episodes), "paid": cost_json(cost_of(own(entry.paid)))}
            if whole
            else {}
        ),
        **{name: None if (told := setting_of(entry, name)) == NONE else told for name in SETTINGS},
        "feedback": entry.identity.feedback,
        "seed": entry.identity.seed,
        "agent_settings": dict(entry.identity.settings),
    }


def notes(contest: Contest) -> Iterator[str]:
    """Yield in plain words what keeps the agents of an environment from being compared at a glance."""
    yield from differences(contest)
    for entry in contest.entries:
        counts = measure(entry).counts
        if not counts.complete:
            yield f"{entry.label} is incomplete: {', '.join(f'{name} {n}' for name, n in counts.as_dict().items())}."
    for caveat in dict.fromkeys(caveat for entry in contest.entries for caveat in sorted(entry.caveats)):
        yield f"{', '.join(each.label for each in contest.entries if caveat in each.caveats)}: {caveat}."
    if len(contest.versions) > 1:
        found = "; ".join(f"BizGym {bizgym}, task set {tasks}" for bizgym, tasks in sorted(contest.versions))
        yield f"Not comparable: the episodes come from several versions: {found}."


def differences(contest: Contest) -> Iterator[str]:
    """Yield how the agents of an environment were not asked for the same: tasks, trials, feedback."""
    for entry in contest.entries:
        if contest.lacks(entry):
            part = f"{len(entry.tasks)} of the {len(contest.tasks)} tasks"
            yield f"{entry.label} plays {part}: its scores are no match for those of the others."
    feedback = {entry.identity.feedback for entry in contest.entries if entry.plays_with_model}
    if len(feedback) > 1:
        yield f"The agents learn from different feedback: {', '.join(sorted(feedback))}."
    trials = sorted({measure(entry).trials for entry in contest.entries})
    if len(trials) > 1:
        yield f"The agents play different numbers of trials: {', '.join(map(str, trials))}."


def _each(total: float, episodes: int) -> float | None:
    return total / episodes if episodes else None

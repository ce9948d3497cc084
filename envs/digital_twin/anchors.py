"""Floor, ceiling and best plans of a firm: of every shipped task, and of a user's own scenario for `bizgym anchors`.

`python -m bizgym.envs.digital_twin.anchors` writes `data/digital_twin/tasks.yaml` and `plans.yaml` anew from the
generator. The definitions of anchors are in `envs.core.tasks`; a score is accumulated earnings in $.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import yaml

from ..core.errors import SettingError
from ..core.tasks import Anchors
from ..core.upkeep import BlockDumper, cache_path, read_stored, save_stored, write_whole
from .plan import Firm, Plan
from .search.bound import upper_bound
from .search.compiled import is_available
from .search.evaluate import Evaluator
from .search.exhaustive import is_provable, prove
from .search.heuristics import HEURISTICS
from .search.improve import Budget, best_plan
from .tasks import (
    FOLDER,
    CachedAnchors,
    DigitalTwinTask,
    PlanFile,
    StoredPlan,
    TaskFile,
    TaskPlans,
    tasks_for,
)
from .taskset import shipped_task_definitions, shipped_task_ids

FLOOR_PLAYER = "do_nothing"
SEARCH_SEED = 1
BUDGET = Budget()
FRESH_RUNS = 20_000
FRESH_SEED = 1_000_003
"""Of the runs that stored earnings are means over; no search sees them."""

SEARCHED = (
    f"search.improve.best_plan, {BUDGET.walks} walks of {BUDGET.steps} steps on {BUDGET.scout_runs} shared runs, "
    f"{BUDGET.kept} on {BUDGET.walk_runs}, ascents on {BUDGET.climb_runs}"
)
BEGUN_FROM_KNOWN = ", begun from the plan stored before too"
ENUMERATED = "search.exhaustive.prove, all {plans} plans"
SHIPPED_ONLY = ("split", "tasks", "source")
TOLERANCE = 1e-6


def anchor(task: DigitalTwinTask, known: Sequence[Plan] = ()) -> tuple[Anchors, TaskPlans]:
    """Return the anchors of a task and its plans.

    The floor is what doing nothing earns. The ceiling is the best of all plans where they can be enumerated, else the
    best that the search finds. Under the gate `bernoulli` all earnings are means over `FRESH_RUNS` runs that no
    search has seen.

    Args:
        task: The task.
        known: Plans that the search begins from, beside its own.
    """
    firm = task.firm
    floor = float(Evaluator(firm, 1).mean(firm.empty_plan))
    heuristics = {name: heuristic(firm) for name, heuristic in HEURISTICS.items()}
    bound, method = upper_bound(firm), SEARCHED + (BEGUN_FROM_KNOWN if known else "")
    if is_provable(firm):
        plan, bound, played = prove(firm)
        method = ENUMERATED.format(plans=played)
    else:
        plan, _ = best_plan(firm, SEARCH_SEED, BUDGET, tuple(known))
    stored = {name: _stored(firm, each) for name, each in heuristics.items()}
    best = max([_stored(firm, plan), *stored.values()], key=lambda each: each.earnings)
    anchors = Anchors(
        floor=floor,
        floor_player=FLOOR_PLAYER,
        ceiling=best.earnings,
        ceiling_method=method,
        ceiling_seed=SEARCH_SEED,
        ceiling_se=_standard_error(firm, firm.parse(best.plan)),
        proof="optimal" if best.earnings >= bound - TOLERANCE else "best_known",
        bound=bound,
        null_score=floor,
    )
    return anchors, TaskPlans(task_id=task.task_id, best=best, heuristics=stored)


def fresh_earnings(firm: Firm, plan: Plan) -> float:
    """Return what a plan earns: the mean over the runs that stored earnings are means over."""
    return round(float(np.mean(_fresh(firm, plan))), 2)


def _fresh(firm: Firm, plan: Plan) -> Any:
    return Evaluator(firm, 1).fresh(plan, FRESH_RUNS, FRESH_SEED)


def _standard_error(firm: Firm, plan: Plan) -> float:
    earned = _fresh(firm, plan)
    return round(float(np.std(earned, ddof=1)) / sqrt(len(earned)), 2) if len(earned) > 1 else 0.0


def _stored(firm: Firm, plan: Plan) -> StoredPlan:
    return StoredPlan(plan=plan.to_json(), earnings=fresh_earnings(firm, plan))


def compute(env_kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Compute and cache the anchors of the scenario that the environment's keywords name.

    Args:
        env_kwargs: Keywords of `bizgym/DigitalTwin-v0`: `scenario`, a path, and if wanted `gate`.

    Returns:
        `{task_id, floor, floor_player, ceiling, proof, bound, ...}`, scores in $, and where they are kept.

    Raises:
        SettingError: No scenario is given, the keywords choose shipped tasks, or numba is not installed.
        DataError: The scenario's file breaks its schema.
    """
    for name in SHIPPED_ONLY:
        if env_kwargs.get(name) is not None:
            raise SettingError(f"{name}: shipped tasks have their anchors; give a scenario of your own instead")
    scenario = env_kwargs.get("scenario")
    if scenario is None:
        raise SettingError("scenario: the path of a scenario file; shipped tasks have their anchors")
    task = tasks_for(scenario, env_kwargs.get("gate"))[0]
    if not is_available():
        raise SettingError("the search is compiled by numba, which is not installed: pip install 'bizgym[search]'")
    anchors, plans = anchor(task)
    path = cache_path(FOLDER, task.task_id)
    write_whole(path, CachedAnchors(anchors=anchors, plans=plans).model_dump_json(indent=1) + "\n")
    return {"task_id": task.task_id, **anchors.model_dump(), "stored_in": str(path)}


class _Dumper(BlockDumper):
    """A block a task, its small parts each in a line."""


def _mapping(dumper: yaml.SafeDumper, values: dict[str, Any]) -> yaml.Node:
    flat = not any(isinstance(value, (dict, list)) for value in values.values())
    project = "staffing_cap" in values and "rate_per_month" in values
    return dumper.represent_mapping("tag:yaml.org,2002:map", values.items(), flow_style=flat or project)


_Dumper.add_representer(dict, _mapping)


Done = tuple[DigitalTwinTask, TaskPlans]


def _computed(task: DigitalTwinTask, before: Done | None) -> Done:
    """Anchor a task; the search begins from the plan that is stored of it too, so that none is lost."""
    begun = perf_counter()
    known = [] if before is None or before[0].spec != task.spec else [task.firm.parse(before[1].best.plan)]
    anchors, plans = anchor(task, known)
    reached = {name: anchors.normalized(each.earnings) for name, each in plans.heuristics.items()}
    shown = " ".join(f"{name} {value:.3f}" for name, value in reached.items() if value is not None)
    print(
        f"{task.task_id:12} floor {anchors.floor:12,.0f} ceiling {anchors.ceiling:12,.0f} +- {anchors.ceiling_se:,.0f} "
        f"{anchors.proof:10} {shown} {perf_counter() - begun:.0f} s",
        flush=True,
    )
    return task.changed(anchors=anchors), plans


def main(argv: Sequence[str] | None = None) -> int:
    """Write the shipped tasks and plans anew, one after another; what is stored and unchanged can be kept."""
    parser = argparse.ArgumentParser(prog="python -m bizgym.envs.digital_twin.anchors", description=main.__doc__)
    parser.add_argument("task_id", nargs="*", help="compute these tasks alone, and those that are new or changed")
    parser.add_argument("--missing", action="store_true", help="compute only tasks that are new or changed")
    parser.add_argument("--folder", type=Path, default=Path(str(files("bizgym.data"))) / FOLDER)
    arguments = parser.parse_args(argv)
    unknown = set(arguments.task_id) - set(shipped_task_ids())
    if unknown:
        parser.error(f"no such task: {', '.join(sorted(unknown))}")
    stored, done, changed = read_stored(arguments.folder, TaskFile, PlanFile), [], []
    keeps = arguments.missing or bool(arguments.task_id)
    for task in shipped_task_definitions():
        before = stored.get(task.task_id)
        kept = before if keeps and task.task_id not in arguments.task_id else None
        if kept is not None and kept[0].changed(anchors=None) == task:
            done.append(kept)
            continue
        done.append(_computed(task, before))
        after = done[-1][1].best.earnings
        if before is None or before[1].best.earnings != after:
            changed.append(f"{task.task_id}: {'new' if before is None else before[1].best.earnings} -> {after}")
        later = [each for name, each in stored.items() if name not in {found.task_id for found, _ in done}]
        save_stored(
            arguments.folder, [*done, *later], _Dumper
        )  # what is finished is kept if the next one is broken off
    save_stored(arguments.folder, done, _Dumper)
    print(f"{len(changed)} ceilings changed", *changed, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())

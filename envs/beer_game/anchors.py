"""Floor, ceiling and best plans of a game: of every shipped task, and of a user's own game for `bizgym anchors`.

`python -m bizgym.envs.beer_game.anchors` writes `data/beer_game/tasks.yaml` and `plans.yaml` anew from the generator.
The definitions of anchors are in `envs.core.tasks`; a score is minus the played stage's total cost in $.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any

import yaml

from ..core.errors import SettingError
from ..core.tasks import Anchors
from ..core.upkeep import BlockDumper, cache_path, read_stored, save_stored, write_whole
from .policies import SCALAR_OPS
from .scoring import outcome
from .search import Budget, best_base_stock, best_constant, best_plan, lower_bound, random_mean
from .state import Settings, advance, customer_order, initial_state
from .tasks import FOLDER, BeerGameTask, CachedAnchors, Plan, PlanFile, TaskFile, given_rules, tasks_for
from .taskset import shipped_task_definitions

RANDOM_GAMES = 2000
RANDOM_SEED = 0
SEARCH_SEED = 1
BUDGET = Budget()
BUDGET_WITHOUT_FORESIGHT = Budget(restarts=3)
"""Of the plan without foresight, whose search also begins from the best plan."""

METHOD = (
    f"search.best_plan: at most {BUDGET.restarts} restarts and {BUDGET.joint} joint rounds of {BUDGET.runs} adapted "
    f"distributions, {BUDGET.generations} generations of {BUDGET.population} plans, {BUDGET.polished} polished"
)
PASS_THROUGH, RANDOM = "pass_through", "random"
SHIPPED_ONLY = ("split", "tasks", "source")
TOLERANCE = 1e-6


def score(task: BeerGameTask, orders: Iterable[int]) -> float:
    """Return what a list of orders scores, in $: the return of the episode."""
    return outcome(task, [("place_order", {"quantity": units}) for units in orders]).reward


def pass_through_orders(settings: Settings, demand: Sequence[int]) -> list[int]:
    """Return the orders of a player who orders what its customer ordered, in whole units and within the limit."""
    state, orders = initial_state(settings), []
    for units in demand:
        asked = round(customer_order(state, units, settings.role_index))
        orders.append(min(asked, settings.max_order))
        state, _ = advance(settings, state, orders[-1], units, SCALAR_OPS)
    return orders


def anchor(task: BeerGameTask) -> tuple[Anchors, Plan]:
    """Return the anchors of a task and its best plans.

    The floor is the better of pass-through ordering and the random player's mean; the ceiling is that of `best_plan`,
    `optimal` where it attains `lower_bound`. The plan without foresight orders the steady flow in week 1.

    Args:
        task: A task whose demand is a list.
    """
    settings, demand = task.settings, task.demand
    floors = {
        PASS_THROUGH: score(task, pass_through_orders(settings, demand)),
        RANDOM: -random_mean(settings, demand, RANDOM_GAMES, RANDOM_SEED),
    }
    plan = _best_plans(task)
    bound = lower_bound(settings, demand)
    anchors = Anchors(
        floor=max(floors.values()),
        floor_player=max(floors, key=lambda player: floors[player]),
        ceiling=-plan.cost,
        ceiling_method=METHOD,
        ceiling_seed=SEARCH_SEED,
        proof="optimal" if bound is not None and plan.cost <= bound + TOLERANCE else "best_known",
        bound=None if bound is None else -bound,
        null_score=score(task, ()),
    )
    return anchors, plan


def _best_plans(task: BeerGameTask) -> Plan:
    settings, demand = task.settings, task.demand
    free, _ = best_plan(settings, demand, seed=SEARCH_SEED, budget=BUDGET)
    # A limit below the flow leaves nothing nearer to the steady order than the limit itself.
    steady = min(settings.initial_flow, settings.max_order)
    tied, _ = best_plan(
        settings, demand, seed=SEARCH_SEED, first_order=steady, known=[free], budget=BUDGET_WITHOUT_FORESIGHT
    )
    orders = max((free, tied), key=lambda plan: score(task, plan))
    return Plan(
        task_id=task.task_id,
        orders=list(orders),
        cost=-score(task, orders),
        orders_without_foresight=list(tied),
        cost_without_foresight=-score(task, tied),
        base_stock_level=best_base_stock(settings, [demand])[0],
        constant_units=best_constant(settings, [demand])[0],
    )


def compute(env_kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Compute and cache the anchors of the game that the environment's keywords describe.

    Args:
        env_kwargs: Keywords of `bizgym/BeerGame-v0`.

    Returns:
        `{task_id, floor, floor_player, ceiling, proof, bound, ...}`, scores in $, and where they are kept.

    Raises:
        SettingError: A setting is not usable, the keywords choose shipped tasks, or demand is random.
    """
    for name in SHIPPED_ONLY:
        if env_kwargs.get(name) is not None:
            raise SettingError(f"{name}: shipped tasks have their anchors; describe a game of your own instead")
    given = given_rules(env_kwargs)
    if not given:
        task = tasks_for(given).get("default")
        assert task.anchors is not None
        return _row(task.task_id, task.anchors, "data/beer_game/tasks.yaml")
    task = tasks_for(given)[0]
    if task.is_random:
        raise SettingError("demand: a random demand has no best plan; give it as a list of units, one a week")
    anchors, plan = anchor(task)
    path = cache_path(FOLDER, task.task_id)
    write_whole(path, CachedAnchors(anchors=anchors, plan=plan).model_dump_json(indent=1) + "\n")
    return _row(task.task_id, anchors, str(path))


def _row(task_id: str, anchors: Anchors, place: str) -> dict[str, Any]:
    return {"task_id": task_id, **anchors.model_dump(), "stored_in": place}


class _Dumper(BlockDumper):
    """A block a task; lists of numbers, rules and anchors in short lines."""


def _list(dumper: yaml.SafeDumper, values: list[Any]) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=not isinstance(values[0], dict))


_Dumper.add_representer(list, _list)


def _computed(task: BeerGameTask) -> tuple[BeerGameTask, Plan]:
    begun = perf_counter()
    anchors, plan = anchor(task)
    print(
        f"{task.task_id:20} floor {anchors.floor:10.1f} {anchors.floor_player:12} ceiling {anchors.ceiling:10.2f} "
        f"{anchors.proof:10} without foresight {-plan.cost_without_foresight:10.2f} {perf_counter() - begun:5.1f} s",
        flush=True,
    )
    return task.changed(anchors=anchors), plan


def main(argv: Sequence[str] | None = None) -> int:
    """Write the shipped tasks and plans anew. Tasks that are not asked for keep what is stored of them."""
    parser = argparse.ArgumentParser(prog="python -m bizgym.envs.beer_game.anchors", description=main.__doc__)
    parser.add_argument("task_id", nargs="*", help="compute these tasks alone, and those that are new or changed")
    parser.add_argument("--folder", type=Path, default=Path(str(files("bizgym.data"))) / "beer_game")
    arguments = parser.parse_args(argv)
    tasks, stored = shipped_task_definitions(), read_stored(arguments.folder, TaskFile, PlanFile)
    unknown = set(arguments.task_id) - {task.task_id for task in tasks}
    if unknown:
        parser.error(f"no such task: {', '.join(sorted(unknown))}")
    done: list[tuple[BeerGameTask, Plan]] = []
    for task in tasks:
        kept = stored.get(task.task_id) if arguments.task_id and task.task_id not in arguments.task_id else None
        done.append(kept if kept and kept[0].changed(anchors=None) == task else _computed(task))
    save_stored(arguments.folder, done, _Dumper)
    changed = [
        f"{plan.task_id}: {-stored[plan.task_id][1].cost} -> {-plan.cost}"
        if plan.task_id in stored
        else f"{plan.task_id}: new"
        for _, plan in done
        if plan.task_id not in stored or stored[plan.task_id][1].cost != plan.cost
    ]
    print(f"{len(changed)} ceilings changed", *changed, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())

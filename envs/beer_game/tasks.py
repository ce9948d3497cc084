"""The tasks of the Beer Game: the shipped ones from `data/beer_game`, or the one that a user's settings describe."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

import numpy as np

from ..core.data import packaged_text, parse, validate
from ..core.errors import SettingError
from ..core.jsontext import canonical
from ..core.seeding import episode_rng
from ..core.tasks import Anchors, Frozen, Task, TaskSet
from ..core.upkeep import cache_path
from .demand import DEFAULT_DEMAND, classic_settings, demand_weeks, is_classic
from .policies import DEFAULT_POLICY, Policy, parse_policies
from .state import (
    DEFAULT_BACKLOG_COST_PER_UNIT_WEEK,
    DEFAULT_HOLDING_COST_PER_UNIT_WEEK,
    DEFAULT_HORIZON_WEEKS,
    DEFAULT_ORDER_WEEKS,
    DEFAULT_ROLE,
    DEFAULT_SHIP_WEEKS,
    Settings,
)

FOLDER = "beer_game"
DEFAULT_TASK = "default"
SETTING_NAMES = {
    "role": "role",
    "ship_weeks": "ship_weeks",
    "order_weeks": "order_weeks",
    "horizon": "horizon_weeks",
    "holding_cost": "holding_cost_per_unit_week",
    "backlog_cost": "backlog_cost_per_unit_week",
    "minimum_cost": "minimum_inventory_cost_per_week",
    "initial_inventory": "initial_inventory",
    "target_inventory": "target_inventory",
    "initial_flow": "initial_flow",
    "max_order": "max_order",
    "policies": "policies",
}
"""Keyword of the environment -> field of `Settings`."""


class BeerGameTask(Task):
    """One game: the settings that differ from the defaults, and the consumers' orders.

    Attributes:
        title: What makes the game special, in a few words.
        rules: Fields of `Settings` that differ from its defaults; `policies` as `parse_policies` reads them.
        demand: A drawn list of units, one a week; in a user's own game also a random pattern, drawn at reset.
    """

    title: str
    rules: dict[str, Any]
    demand: Any

    @cached_property
    def settings(self) -> Settings:
        """The constants of the game.

        Raises:
            SettingError: A rule is unknown or out of range.
        """
        given = dict(self.rules)
        try:
            if "policies" in given:
                given["policies"] = parse_policies(given["policies"])
            return Settings(**given)
        except (ValueError, TypeError) as error:
            raise SettingError(f"{self.task_id}: {error}") from None

    def demand_of(self, rng: np.random.Generator) -> tuple[int, ...]:
        """Return the consumers' order of each week; only a random pattern uses `rng`."""
        return self._fixed_demand or demand_weeks(self.demand, self.settings.horizon_weeks, rng)

    @cached_property
    def _fixed_demand(self) -> tuple[int, ...]:
        if self.is_random:
            return ()
        return demand_weeks(self.demand, self.settings.horizon_weeks, np.random.default_rng(0))

    @property
    def is_random(self) -> bool:
        """Whether demand is drawn anew at every reset."""
        return not isinstance(self.demand, list)


class TaskFile(Frozen):
    """`data/beer_game/tasks.yaml`."""

    canary: str
    tasks: list[BeerGameTask]


class Plan(Frozen):
    """The best orders known for a task, the best whose first order is the steady flow, and two tuned rules."""

    task_id: str
    orders: list[int]
    cost: float
    orders_without_foresight: list[int]
    cost_without_foresight: float
    base_stock_level: int
    constant_units: int


class PlanFile(Frozen):
    """`data/beer_game/plans.yaml`."""

    canary: str
    plans: list[Plan]


class CachedAnchors(Frozen):
    """What `bizgym anchors` keeps of a user's own game."""

    anchors: Anchors
    plan: Plan


@lru_cache(maxsize=1)
def shipped_tasks() -> TaskSet[BeerGameTask]:
    """Return the shipped tasks; read once a process."""
    file = validate(TaskFile, parse(packaged_text(FOLDER, "tasks.yaml"), "tasks.yaml"), "tasks.yaml")
    return TaskSet(file.tasks)


@lru_cache(maxsize=1)
def shipped_plans() -> Mapping[str, Plan]:
    """Return the stored plans by task id; only the oracle, the proofs and the search read them."""
    file = validate(PlanFile, parse(packaged_text(FOLDER, "plans.yaml"), "plans.yaml"), "plans.yaml")
    return {plan.task_id: plan for plan in file.plans}


def tasks_for(given: Mapping[str, Any]) -> TaskSet[BeerGameTask]:
    """Return the shipped tasks, or the one task that the given settings describe.

    Args:
        given: Keywords of the environment that describe a game (`demand` and those of `SETTING_NAMES`) and
            differ from their defaults.

    Raises:
        SettingError: A setting is not usable; the message names it.
    """
    return TaskSet([custom_task(given)]) if given else shipped_tasks()


def custom_task(given: Mapping[str, Any]) -> BeerGameTask:
    """Build the task that a user's settings describe; its anchors are those that `bizgym anchors` has cached."""
    demand = given.get("demand", "step")
    rules: dict[str, Any] = dict(classic_settings()) if is_classic(demand) else {}
    rules.update({SETTING_NAMES[name]: value for name, value in given.items() if name != "demand"})
    task = BeerGameTask(task_id="custom", split="custom", title="a user's own game", rules=rules, demand=demand)
    try:
        settings = task.settings
        drawn = demand_weeks(demand, settings.horizon_weeks, np.random.default_rng(0))
    except SettingError as error:
        raise SettingError(_in_keywords(str(error).removeprefix("custom: "))) from None
    except (ValueError, TypeError) as error:
        raise SettingError(f"demand: {error}") from None
    if not _is_random(demand):
        demand = list(drawn)
    identity = {"settings": _settings_json(settings), "demand": demand}
    task_id = f"custom-{sha256(canonical(identity).encode()).hexdigest()[:8]}"
    found = cached(task_id)
    return task.changed(task_id=task_id, demand=demand, anchors=None if found is None else found.anchors)


def realised_task(env_kwargs: Mapping[str, Any], task_id: str, seed: int) -> BeerGameTask:
    """Return the task of a recorded episode, with random demand drawn as the episode drew it.

    Args:
        env_kwargs: Settings of the environment, as recorded.
        task_id: The task played.
        seed: Seed of the episode.
    """
    task = task_of_run(env_kwargs, task_id)
    return task.changed(demand=list(task.demand_of(episode_rng(seed))))


RULE_DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(SETTING_NAMES),
    "role": DEFAULT_ROLE,
    "ship_weeks": DEFAULT_SHIP_WEEKS,
    "order_weeks": DEFAULT_ORDER_WEEKS,
    "horizon": DEFAULT_HORIZON_WEEKS,
    "holding_cost": DEFAULT_HOLDING_COST_PER_UNIT_WEEK,
    "backlog_cost": DEFAULT_BACKLOG_COST_PER_UNIT_WEEK,
    "policies": DEFAULT_POLICY,
    "demand": DEFAULT_DEMAND,
}
"""Defaults of the keywords that describe a game; None stands for the default of the demand pattern."""


def given_rules(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the environment's keywords that describe a game and differ from their defaults."""
    return {
        name: value
        for name, value in keywords.items()
        if name in RULE_DEFAULTS and not _is_default(value, RULE_DEFAULTS[name])
    }


def _is_default(value: Any, default: Any) -> bool:
    """Whether a value is the default itself: True is not 1 and 25.0 is not 25, but 1 will do for a cost of 1.0."""
    return type(value) in (type(default), int if type(default) is float else type(default)) and bool(value == default)


def cached(task_id: str) -> CachedAnchors | None:
    """Return the cached anchors and plan of a user's own game, None where there are none."""
    path = cache_path(FOLDER, task_id)
    if not path.is_file():
        return None
    return validate(CachedAnchors, parse(path.read_text(encoding="utf-8"), str(path)), str(path))


def plan_of(task_id: str) -> Plan | None:
    """Return the stored plan of a shipped task or the cached one of a user's own game, None where there is none."""
    shipped = shipped_plans().get(task_id)
    if shipped is not None:
        return shipped
    found = cached(task_id)
    return None if found is None else found.plan


def task_of_run(env_kwargs: Mapping[str, Any], task_id: str) -> BeerGameTask:
    """Return a task as an environment with these keywords plays it, random demand not yet drawn."""
    return tasks_for(given_rules(env_kwargs)).get(task_id)


def sampled_demand(task: BeerGameTask, paths: int = 32) -> list[tuple[int, ...]]:
    """Return the demand of a task, or as many draws of it where it is random; the draws are always the same."""
    return [task.demand_of(np.random.default_rng([0, path])) for path in range(paths if task.is_random else 1)]


def _is_random(demand: Any) -> bool:
    return demand == "uniform" or (isinstance(demand, Mapping) and demand.get("pattern") == "uniform")


def _in_keywords(message: str) -> str:
    """Name a field of `Settings` as the keyword of the environment is named."""
    for keyword, field in SETTING_NAMES.items():
        if message.startswith(f"{field} "):
            return keyword + message.removeprefix(field)
    return message


def _settings_json(settings: Settings) -> dict[str, Any]:
    named = {field.name: getattr(settings, field.name) for field in fields(settings) if field.init}
    named["policies"] = [policy._asdict() if isinstance(policy, Policy) else policy for policy in settings.policies]
    return dict(json.loads(json.dumps(named)))

"""The tasks of the Digital Twin: the shipped scenarios, the reference ones, or one from a user's own file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SkipValidation

from ..core.data import packaged_text, parse, read_user_file, validate
from ..core.errors import SettingError
from ..core.tasks import Anchors, Frozen, Task, TaskSet
from ..core.text import ascii_repr, echo, nearest
from ..core.upkeep import cache_path
from .plan import Firm, Plan
from .scenario import GATES, Gate
from .scenario_file import firms_of, reference_firms
from .spec import ScenarioSpec

FOLDER = "digital_twin"
REFERENCE = "reference"
SCORES = ("last", "best", "mean")
MAX_ROUNDS = 100


class DigitalTwinTask(Task):
    """One firm to plan for.

    Attributes:
        title: What the scenario is about, in a few words.
        size: By number of projects; `reference` and `custom` name where a scenario comes from.
        spec: The scenario in BizGym's own form; None for the reference scenarios and for a user's file.
        text: The text of a user's file, and which of its scenarios is played.
        gate: Another gate than the scenario's own.
        rounds: Number of runs in an episode.
        score: How the rounds make the score: `last`, `best` or `mean`.
        episode_seed: Seed of a recorded episode, from which the random numbers of its rounds follow.
    """

    title: str
    size: Literal["small", "medium", "large", "reference", "custom"]
    spec: ScenarioSpec | None = None
    text: tuple[str, str, str] | None = None
    gate: Gate | None = None
    rounds: int = 1
    score: Literal["last", "best", "mean"] = "last"
    episode_seed: Annotated[int, Field(ge=0)] | None = None

    @cached_property
    def firm(self) -> Firm:
        """The firm that plans are made for, under the gate that is played."""
        if self.spec is not None:
            firm = self.spec.as_firm
        elif self.text is not None:
            text, place, name = self.text
            firm = firms_of(text, place)[name]
        else:
            firm = reference_firms()[self.task_id]
        return firm if self.gate is None else firm.with_gate(self.gate)


class TaskFile(Frozen):
    """`data/digital_twin/tasks.yaml`."""

    canary: str
    tasks: list[DigitalTwinTask]


class StoredPlan(Frozen):
    """A plan and what it earns.

    Attributes:
        plan: In the form of `plan.Plan`.
        earnings: Accumulated earnings in $, under the gate `bernoulli` the mean over many runs.
    """

    plan: SkipValidation[dict[str, Any]]
    earnings: float


class TaskPlans(Frozen):
    """The plans that are known for a task: the best one, and those of the heuristics, by name."""

    task_id: str
    best: StoredPlan
    heuristics: dict[str, StoredPlan]


class PlanFile(Frozen):
    """`data/digital_twin/plans.yaml`."""

    canary: str
    plans: list[TaskPlans]


class CachedAnchors(Frozen):
    """What `bizgym anchors` keeps of a user's own scenario."""

    anchors: Anchors
    plans: TaskPlans


class _OwnTask(TaskSet[DigitalTwinTask]):
    """The one task of a user's file."""

    def get(self, task_id: str) -> DigitalTwinTask:
        """Return the task; its id is a digest, and so another one means another text of the file."""
        if task_id != self.ids[0] and str(task_id).startswith("custom-"):
            raise SettingError(
                f"task_id: {echo(task_id)} is not what the scenario's file says now, which is {self.ids[0]}: it has "
                "changed since, or is another file"
            )
        return super().get(task_id)


@lru_cache(maxsize=1)
def shipped_tasks() -> TaskSet[DigitalTwinTask]:
    """Return the shipped tasks, the reference scenarios last; read once a process."""
    file = validate(TaskFile, parse(packaged_text(FOLDER, "tasks.yaml"), "tasks.yaml"), "tasks.yaml")
    return TaskSet(file.tasks)


@lru_cache(maxsize=1)
def shipped_plans() -> Mapping[str, TaskPlans]:
    """Return the stored plans by task id; only players without a model, proofs and searches read them."""
    file = validate(PlanFile, parse(packaged_text(FOLDER, "plans.yaml"), "plans.yaml"), "plans.yaml")
    return {plans.task_id: plans for plans in file.plans}


def tasks_for(scenario: str | None, gate: str | None) -> TaskSet[DigitalTwinTask]:
    """Return the shipped tasks, or the one of a user's file, under the gate asked for.

    Args:
        scenario: Path of a file in either form, with `:name` behind it where it holds several scenarios.
        gate: Another gate than the scenarios' own; tasks whose gate changes have no anchors.

    Raises:
        SettingError: The gate or the name does not exist.
        DataError: The file breaks its schema.
    """
    if gate is not None and gate not in GATES:
        raise SettingError(f"gate: one of {', '.join(GATES)}, not {echo(gate)}.{nearest(str(gate), GATES)}")
    tasks = shipped_tasks() if scenario is None else _OwnTask([custom_task(scenario)])
    if gate is None:
        return tasks
    return type(tasks)([_under_gate(task, gate) for task in tasks])


def _under_gate(task: DigitalTwinTask, gate: Any) -> DigitalTwinTask:
    if task.firm.template.gate == gate:
        return task
    changed = task.changed(gate=gate, anchors=None)
    if task.size != "custom":
        return changed
    found = cached(custom_id(changed))  # a game of its own
    return changed.changed(task_id=custom_id(changed), anchors=None if found is None else found.anchors)


def custom_task(scenario: str) -> DigitalTwinTask:
    """Build the task of a user's file; its anchors are those that `bizgym anchors` has cached.

    Raises:
        SettingError: The file holds several scenarios and none is chosen, or not the one that is.
        DataError: The file breaks its schema.
    """
    path, name = _split(scenario)
    text = _text_of(path)
    firms = firms_of(text, path)
    if not name and len(firms) > 1:
        raise SettingError(f"scenario: {path} holds {', '.join(firms)}; choose one as {path}:{next(iter(firms))}")
    name = name or next(iter(firms))
    if name not in firms:
        raise SettingError(f"scenario: there is no {echo(name)} in {path}.{nearest(name, firms)}")
    if not firms[name].template.projects:
        raise SettingError(f"scenario: {echo(name)} in {path} offers no project, so that there is nothing to plan")
    task = DigitalTwinTask(
        task_id="custom",
        split="custom",
        source="custom",
        title=firms[name].title or name,
        size="custom",
        text=(text, Path(path).name, name),
    )
    task = task.changed(task_id=custom_id(task))
    found = cached(task.task_id)
    return task.changed(anchors=None if found is None else found.anchors)


def custom_id(task: DigitalTwinTask) -> str:
    """Return the id of a user's own scenario: a digest of what is played, wherever its file lies."""
    return f"custom-{sha256(repr(task.firm).encode('utf-8', 'backslashreplace')).hexdigest()[:8]}"


def _split(scenario: str) -> tuple[str, str]:
    """Split `path:name` behind the longest path that there is; a path that exists is never split."""
    parts = scenario.split(":")
    splits = [(":".join(parts[:k]), ":".join(parts[k:])) for k in range(len(parts), 0, -1)]
    there = [each for each in splits if is_file(each[0])]
    return there[0] if there else splits[min(1, len(splits) - 1)]


def is_file(path: str) -> bool:
    """Whether there is something to read under a path, which may be any text."""
    try:
        return Path(path).exists() and not Path(path).is_dir()
    except (OSError, ValueError):  # too long, or with characters that no path holds
        return False


def is_folder(path: str) -> bool:
    """Whether a path, which may be any text, is that of a folder."""
    try:
        return path != "" and Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _text_of(path: str) -> str:
    if is_file(path) or is_folder(path):
        return read_user_file(path)
    hint = f" For a shipped scenario leave it out and set tasks=[{path!r}]." if path in shipped_tasks().ids else ""
    raise SettingError(f"scenario: there is no file {ascii_repr(echo(path))}, seen from {Path.cwd()}.{hint}")


def cached(task_id: str) -> CachedAnchors | None:
    """Return the cached anchors and plans of a user's own scenario, None where there are none."""
    path = cache_path(FOLDER, task_id)
    if not path.is_file():
        return None
    return validate(CachedAnchors, parse(read_user_file(path), str(path)), str(path))


def plans_of(task_id: str) -> TaskPlans | None:
    """Return the stored plans of a shipped task or the cached ones of a user's own, None where there are none."""
    shipped = shipped_plans().get(task_id)
    if shipped is not None:
        return shipped
    found = cached(task_id)
    return None if found is None else found.plans


def plans_for(task: DigitalTwinTask) -> TaskPlans | None:
    """Return the plans that are known for a task under the gate that is played, None where there are none."""
    return plans_of(task.task_id) if task.gate is None or task.size == "custom" else None


def plan_of(stored: StoredPlan, firm: Firm) -> Plan:
    """Return a stored plan, checked against the firm's bounds."""
    return firm.parse(stored.plan)


def task_of_run(env_kwargs: Mapping[str, Any], task_id: str) -> DigitalTwinTask:
    """Return a task as an environment with these keywords plays it, without the seed of an episode."""
    task = tasks_for(env_kwargs.get("scenario"), env_kwargs.get("gate")).get(task_id)
    return task.changed(rounds=env_kwargs.get("rounds", 1), score=env_kwargs.get("score", "last"))

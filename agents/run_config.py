"""The configuration of a run: what Hydra composes, checked once, and the key that says when two runs are one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from math import isfinite
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..envs.core.errors import SettingError
from ..envs.core.jsontext import canonical
from .feedback import Mode

NOT_IN_KEY = (
    "limit", "trials", "executor", "workers", "run_dir", "progress", "fresh", "hydra", "budget", "prices"
)  # fmt: skip
NOT_IN_CLIENT_KEY = (
    "max_attempts",
    "request_seconds",
    "deadline_seconds",
    "max_wait_seconds",
    "requests_per_minute",
    "tokens_per_minute",
)
"""How a provider is called, not what is asked of it: an overloaded run goes on with gentler settings."""
_SHOWN_ERRORS = 5
_FILE_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EnvConfig(BaseModel):
    """An environment: its registered id; every other key is a keyword of its constructor."""

    model_config = ConfigDict(extra="allow", frozen=True)

    id: str

    @property
    def kwargs(self) -> dict[str, Any]:
        """The constructor's keywords."""
        return dict(self.model_extra or {})


class AgentConfig(BaseModel):
    """An agent: the class to build, its label, and the keywords of its constructor."""

    model_config = ConfigDict(extra="allow", frozen=True)

    target: str = Field(alias="_target_")
    name: str = Field(pattern=r"^[A-Za-z0-9_.@/-]{1,80}$")

    @property
    def settings(self) -> dict[str, Any]:
        """What `bizgym.agents.targets.build` takes."""
        return {"_target_": self.target, "name": self.name, **(self.model_extra or {})}


class ClientConfig(BaseModel):
    """A model client: the class to build, its label, and the keywords of its constructor; never a key."""

    model_config = ConfigDict(extra="allow", frozen=True)

    target: str = Field(alias="_target_")
    name: str = Field(pattern=r"^[A-Za-z0-9_.@/-]{1,80}$")

    @property
    def settings(self) -> dict[str, Any]:
        """What `bizgym.agents.clients.make_client` takes."""
        return {"_target_": self.target, "name": self.name, **(self.model_extra or {})}


class BudgetConfig(_Strict):
    """What a whole run may use of models; see `bizgym.agents.meter.Budget`."""

    max_calls: int | None = Field(default=None, ge=1)
    max_tokens: int | None = Field(default=None, ge=1)
    max_cost: float | None = Field(default=None, gt=0)


class Lineup(_Strict):
    """One environment and the agents that play it."""

    env: EnvConfig
    agents: dict[str, AgentConfig] = Field(min_length=1)


class ExecutorConfig(_Strict):
    """How episodes are spread: `serial`, `threads` (waiting for models) or `process` (simulating)."""

    name: Literal["serial", "threads", "process"] = "serial"
    workers: int = Field(default=1, ge=1, le=256)


class LimitsConfig(_Strict):
    """An agent's budget for one episode; see `bizgym.agents.rollout.Limits`."""

    max_steps: int | None = Field(default=None, ge=1)
    max_calls: int = Field(default=5_000, ge=1)
    max_tokens: int = Field(default=20_000_000, ge=1)
    timeout_seconds: float = Field(default=3_600.0, gt=0)
    max_cost: float | None = Field(default=None, gt=0)


class RunConfig(_Strict):
    """Everything that a run depends on.

    Attributes:
        name: Label of the run, part of its folder's name.
        experiment: Folder that groups runs.
        env, agent: The one lineup of an ordinary run.
        lineups: Several lineups instead, by label.
        client: The model client of the agents that play with a model, None without one.
        budget: What the whole run may use of models, earlier parts of it included; a larger one continues it.
        prices: A price file of the user's own, over the packaged one.
        evaluator: Settings of the evaluation.
        seed: Seed of the run. With the task and the trial it gives each episode's seed, and so what the world and
            an agent of BizGym draw; what a model writes it does not decide, unless its provider takes a seed.
        trials: Repetitions of each task, a target: a larger number adds episodes.
        limit: Tasks played of each environment, a target too; None for all.
        pick: Which tasks a limit leaves: `first` (in the order of the set) or `sample` (a fixed sample of all kinds, of
            which a larger limit takes more).
        limits: Each episode's budget.
        feedback: What agents learn after an episode: `none`, `outcome` (the score), `binary` (right or wrong) or
            `gold` (the target); None for what is usual with the environment (its `feedback_modes`, the first).
        executor: How episodes are spread.
        trusted_targets: Prefixes outside `bizgym.` from which agents and environments may be built.
        run_dir: The run's folder; None for `runs/<experiment>/<name>-<key>`.
        fresh: Start a new run where one with this key exists.
        progress: `auto` (a bar on a terminal, lines elsewhere), `bar`, `plain` or `off`.
    """

    name: str = Field(default="run", pattern=_FILE_NAME)
    experiment: str = Field(default="default", pattern=_FILE_NAME)
    env: EnvConfig | None = None
    agent: AgentConfig | None = None
    lineups: dict[str, Lineup] = {}
    client: ClientConfig | None = None
    evaluator: dict[str, Any] | None = None
    seed: int = Field(default=0, ge=0, lt=2**63)
    trials: int = Field(default=1, ge=1)
    limit: int | None = Field(default=None, ge=1)
    pick: Literal["first", "sample"] = "first"
    limits: LimitsConfig = LimitsConfig()
    budget: BudgetConfig = BudgetConfig()
    prices: str | None = None
    feedback: Mode | None = None
    executor: ExecutorConfig = ExecutorConfig()
    trusted_targets: list[str] = []
    run_dir: str | None = None
    fresh: bool = False
    progress: Literal["auto", "bar", "plain", "off"] = "auto"

    @classmethod
    def parse(cls, config: Mapping[str, Any]) -> RunConfig:
        """Check a composed configuration.

        Raises:
            SettingError: With the path of each wrong value, at most five.
        """
        try:
            parsed = cls.model_validate(dict(config))
        except ValidationError as error:
            found = error.errors(include_url=False)[:_SHOWN_ERRORS]
            lines = [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in found]
            raise SettingError("; ".join(lines)) from None
        parsed.check_names()
        odd = next(_not_json(parsed.resolved(), ()), None)
        if odd is not None:
            raise SettingError(f"{'.'.join(odd)}: a finite number, a text, a list or a mapping by text")
        return parsed

    def check_names(self) -> None:
        """Hold agents' names apart, since a row of a run is told by its agent's name.

        Raises:
            SettingError: There is nothing to play, or two agents share a name.
        """
        names: set[str] = set()
        for lineup in self.plan.values():
            for agent in lineup.agents.values():
                if agent.name in names:
                    raise SettingError(f"agent name {agent.name!r} stands twice; give each agent of a run its own name")
                names.add(agent.name)

    @property
    def plan(self) -> dict[str, Lineup]:
        """The lineups to play: those given, or the one of `env` and `agent`."""
        if self.lineups:
            if self.env is not None or self.agent is not None:
                raise SettingError("lineups say who plays what: leave out env and agent, or the experiment")
            return self.lineups
        if self.env is None or self.agent is None:
            raise SettingError("env and agent: choose both, for example env=beer_game agent=beer_game/typical")
        return {"main": Lineup(env=self.env, agents={"main": self.agent})}

    def key(
        self,
        task_set_hashes: Mapping[str, str],
        prompt_hashes: Mapping[str, Mapping[str, str]] | None = None,
        practised: Mapping[str, int] | None = None,
    ) -> str:
        """Return the run key: equal keys continue one run.

        Args:
            task_set_hashes: Digest of the task set by lineup.
            prompt_hashes: Digest by agent and prompt file; a prompt that was edited is another run.
            practised: Number of tasks that are scored, by agent that practises on others.
        """
        rests_on = [in_key(self.resolved()), dict(task_set_hashes)]
        rests_on += [{name: dict(files) for name, files in prompt_hashes.items()}] if prompt_hashes else []
        rests_on += [dict(practised)] if practised else []
        return sha256(canonical(rests_on).encode()).hexdigest()

    def resolved(self) -> dict[str, Any]:
        """Return the configuration as plain JSON values."""
        return self.model_dump(mode="python", by_alias=True)  # the mode "json" would write null for NaN


def in_key(resolved: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a resolved configuration that tells runs apart."""
    kept = {field: value for field, value in resolved.items() if field not in NOT_IN_KEY}
    if kept.get("client"):
        kept["client"] = {name: value for name, value in kept["client"].items() if name not in NOT_IN_CLIENT_KEY}
    return kept


def _not_json(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the paths of what JSON cannot say."""
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            yield path
        inside = [(str(key), inner) for key, inner in value.items()]
    elif isinstance(value, (list, tuple)):
        inside = [(str(k), inner) for k, inner in enumerate(value)]
    else:
        inside = []
        if not (value is None or isinstance(value, (str, int)) or (isinstance(value, float) and isfinite(value))):
            yield path
    for name, inner in inside:
        yield from _not_json(inner, (*path, name))

"""What a run will take before money is spent: each agent plays a few episodes without its model; they are multiplied.

What a model would do is not known. Where a benchmark names a reference player, the agent's prompts are answered by what
that player's calls bring about, so that the episode is as long and says as much as one that is played well. Elsewhere
calls are drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

import gymnasium as gym
import yaml

from ...agents.base import Agent
from ...agents.clients.scripted import ScriptedClient
from ...agents.executors import Job, Shared, make_env, play, run_context
from ...agents.meter import Ledger
from ...agents.play import PlaySettings
from ...agents.rollout import rollout
from ...agents.runner import Plan
from ...agents.targets import build
from ...envs.core.actions import parse_action
from ...envs.core.chat import ChatClient, ChatSettings, Completion, Message, ToolSchema
from ...envs.core.counterpart import CounterpartSetting
from ...envs.core.stop import StopReason
from ...envs.core.trajectory import Trajectory, from_line
from ..benchmarks import scoring_of
from ..costs import add_usage, cost_of, tokens_of
from ..tables import counted

REPLY_TOKENS = 200
"""Tokens assumed for a reply that thinks before it calls a tool; an agent's `max_tokens` bounds it."""
_MAX_STEPS = 200
_REHEARSED_TASKS = 3
"""Most tasks of which an agent plays an episode."""


@dataclass(slots=True)
class Expected:
    """An estimate for the episodes that are missing.

    Attributes:
        usage: Usage by role, as a record would say it.
        rows: One row a rehearsed episode: `{agent, episodes, calls, tokens, stop_reason, rests_on}`, with the number of
            episodes that it stands for.
        price: How to name the price in a sentence, "" where no model is called.
        with_other: Whether a model plays the other side of a conversation; what it uses is no part of the estimate.
    """

    usage: dict[str, dict[str, float]] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    price: str = ""
    with_other: bool = False

    @property
    def calls(self) -> int:
        """Calls to models."""
        return int(sum(amounts.get("calls", 0) for amounts in self.usage.values()))

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return tokens_of(self.usage)

    def as_dict(self) -> dict[str, Any]:
        """Return the estimate as `--json` prints it; the cost in $, or null with a reason."""
        cost = cost_of(self.usage).value
        return {"expected_calls": self.calls, "expected_tokens": self.tokens, "expected_cost": cost}


def rehearse(plan: Plan, missing: Sequence[Job]) -> Expected:
    """Estimate what the missing episodes will take.

    Each agent plays a few of its missing episodes, spread over the tasks, with replies drawn in place of the model's;
    its prompts are the real ones, and the other side of a conversation is played by the script. Nothing is recorded and
    nothing is called.
    """
    expected = Expected()
    with_model = [job for job in missing if job.with_model]
    if plan.client is None or not with_model:
        return expected
    shared = Shared(_Stand(plan.client), Ledger(plan.prices))
    for job, number in _sampled(with_model):
        _expect(expected, *_rehearsed(_playing(job), shared), job.agent["name"], number)
    firsts = {job.agent["name"]: job for job in reversed(with_model)}
    for name, job in firsts.items():
        for planned in _built(job).practice:
            row, rests_on = _rehearsed(_playing(job, planned.agent), shared)
            _expect(expected, row, f"practice, {rests_on}", name, planned.episodes, planned.calls)
    expected.with_other = any(
        CounterpartSetting.of(job.env_kwargs.get("counterpart")).driver == "llm" for job in with_model
    )
    expected.price = _price_text(plan, expected)
    return expected


def _sampled(jobs: Sequence[Job]) -> Iterator[tuple[Job, int]]:
    """Yield episodes of each agent, of as many tasks, spread evenly, with how many episodes each of them stands for."""
    by_agent: dict[str, list[Job]] = {}
    for job in jobs:
        by_agent.setdefault(job.agent["name"], []).append(job)
    for own in by_agent.values():
        firsts = list({job.row[2]: job for job in reversed(own)}.values())[::-1]  # of each task
        n = min(_REHEARSED_TASKS, len(firsts))
        for k in range(n):
            yield firsts[(2 * k + 1) * len(firsts) // (2 * n)], len(own) // n + (k < len(own) % n)


def _expect(expected: Expected, row: Trajectory, rests_on: str, name: str, number: int, calls_beside: int = 0) -> None:
    """Count an episode as often as it stands for others, and calls beside it as long as its own."""
    calls = sum(amounts.get("calls", 0) for amounts in row.usage.values())
    times = number + (calls_beside / calls if calls else 0)
    for role, used in row.usage.items():
        scaled = {amount: value * times for amount, value in used.items()}
        whole = {amount: value if amount == "cost" else round(value) for amount, value in scaled.items()}
        add_usage(expected.usage, {role: whole})
    told = {"calls": int(calls), "tokens": tokens_of(row.usage), "stop_reason": row.stop_reason.value}
    expected.rows.append({"agent": name, "episodes": number, **told, "rests_on": rests_on})


def _built(job: Job) -> Agent:
    agent: Agent = build(job.agent, job.trusted_targets, Agent)
    return agent


def _playing(job: Job, agent: Mapping[str, Any] | None = None) -> Job:
    """Return a job that another agent plays: the one given, or chain of thought in the place of one that practises."""
    if agent is not None:
        job = replace(job, agent={"name": job.agent["name"], **agent})
    if not _built(job).practice:
        return job
    own = {name: value for name, value in job.agent.items() if name in PlaySettings.__annotations__}
    return replace(job, agent={"_target_": "bizgym.agents.cot.ChainOfThought", "name": job.agent["name"], **own})


def _rehearsed(job: Job, shared: Shared) -> tuple[Trajectory, str]:
    """Play one episode of an agent without its model; return the record, and what its length rests on."""
    steps = min(job.limits.max_steps or _MAX_STEPS, _MAX_STEPS)
    settings = {name: value for name, value in job.env_kwargs.items() if name != "counterpart"}
    job = replace(job, env_kwargs=settings, limits=replace(job.limits, max_steps=steps))
    path = _reference_path(job)
    if not path:
        return from_line(play(job, shared), with_steps=False), "calls drawn at random"
    meter = shared.meter(job)
    row = rollout(
        _OnPath(make_env(job.env_id, settings), path),
        build(job.agent, job.trusted_targets, Agent),
        seed=job.seed,
        task_id=job.row[2],
        limits=job.limits,
        run=run_context(job, job.seed, meter),
        meter=meter,
    )
    return row, f"the reference path of {job.row[2]}, {counted(len(path), 'step')}"


def _reference_path(job: Job) -> list[dict[str, Any]]:
    """Return the calls of the benchmark's reference player in this episode; none where there is none, or it fails."""
    scoring: Any = scoring_of(job.env_id)
    player = getattr(scoring, "REFERENCE_PLAYER", "")
    if not player:
        return []
    benchmark = scoring.__name__.split(".")[-2]
    text = files("bizgym.conf").joinpath("agent", benchmark, f"{player}.yaml").read_text(encoding="utf-8")
    row = from_line(play(replace(job, agent=yaml.safe_load(text), with_model=False)))
    if row.stop_reason is not StopReason.ENV_DONE:  # such as under settings that the player does not know
        return []
    turns = (step.turn for step in row.steps if step.turn is not None)
    calls = (call for k, turn in enumerate(turns, 1) for call in parse_action(turn.action, k))
    return [{"name": call.name, "arguments": dict(call.arguments)} for call in calls]


class _OnPath(gym.Wrapper[Any, Any, Any, Any]):
    """An environment that carries out the calls of a path, one a turn, whatever an agent asks for.

    Args:
        env: The environment.
        path: The calls, `{name, arguments}`.
    """

    def __init__(self, env: gym.Env[Any, Any], path: Sequence[dict[str, Any]]) -> None:
        super().__init__(env)
        self._left = list(path)

    def step(self, action: Any) -> Any:
        """Carry out the next call under the id that the agent gave its own; its own where the path is at its end."""
        if not self._left:
            return self.env.step(action)
        asked = parse_action(action, 1)
        return self.env.step({**self._left.pop(0), **({"id": asked[0].id} if asked and asked[0].id else {})})


def _price_text(plan: Plan, expected: Expected) -> str:
    """Say what the estimate costs and what it rests on."""
    assert plan.client is not None
    price, cost = plan.prices.of_client(plan.client.description), cost_of(expected.usage)
    if getattr(plan.client, "free", False):
        money = "at no cost"
    elif price is None:
        money = "at a price that is not known here"
    else:
        money = f"about {cost.text} (price of {price.date}, {price.source})"
    broken = [f"{row['agent']} stopped for {row['stop_reason']}" for row in expected.rows if not row["calls"]]
    by = "; ".join(dict.fromkeys(row["rests_on"] for row in expected.rows))
    rests_on = f"a rehearsal without the model ({by}), at most {REPLY_TOKENS} tokens a reply and none from the cache"
    beside = "; what a model on the other side of the conversation takes comes on top" if expected.with_other else ""
    return f", {money}; from {rests_on}{''.join(f'; in it {each}' for each in broken)}{beside}"


class _Stand:
    """Stands in for a client: its description and prices, drawn replies, and the tokens a model would write."""

    def __init__(self, client: ChatClient) -> None:
        self._client, self._replies = client, ScriptedClient()
        self.free = bool(getattr(client, "free", False))

    @property
    def description(self) -> Mapping[str, Any]:
        return self._client.description

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        completion = self._replies.complete(messages, tools, settings)
        written = min(REPLY_TOKENS, settings.max_tokens or REPLY_TOKENS)
        return replace(completion, model="", usage=replace(completion.usage, output=written))

"""Players that know no benchmark: the null player, one that refuses everything, and one that acts at random."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ...envs.core.sampling import sample_schema
from ..base import Agent, AgentTurn, RunContext, TaskCard

_REFUSAL = "I am sorry, but I cannot help with this request."
_TALK_TOOLS = ("message_user", "ask_interviewer")
_END_TOOLS = ("finish", "answer", "submit_recommendation")


class DoNothing(Agent):
    """Returns the empty string in every turn: the null player."""

    def act(self, observation: str, info: dict[str, Any]) -> str:
        """Say nothing."""
        return ""


class RefuseAll(Agent):
    """Refuses politely through the talk tool, then ends the episode; plain prose where there are no such tools."""

    def begin_episode(self, task: TaskCard) -> None:
        """Look for the tools to talk with and to end with."""
        tools = {schema["function"]["name"]: schema for schema in map(json.loads, task.tools)}
        talk = [_call(tools[name]) for name in _TALK_TOOLS if name in tools][:1]
        end = [_call(tools[name]) for name in _END_TOOLS if name in tools][:1]
        self._script = [*talk, *end]

    def act(self, observation: str, info: dict[str, Any]) -> AgentTurn:
        """Refuse."""
        if self._script:
            return AgentTurn(text=_REFUSAL, calls=[self._script.pop(0)])
        return AgentTurn(text=_REFUSAL)


class RandomCalls(Agent):
    """Draws a tool and schema-valid arguments in every turn, as `env.action_space.sample()` does."""

    def begin_run(self, run: RunContext) -> None:
        """Seed the draws; episodes of one seed play alike."""
        self._rng = np.random.default_rng([run.seed, 1])

    def begin_episode(self, task: TaskCard) -> None:
        """Remember the tools on offer."""
        self._tools = [json.loads(text)["function"] for text in task.tools]

    def act(self, observation: str, info: dict[str, Any]) -> dict[str, Any]:
        """Draw a call."""
        tool = self._tools[int(self._rng.integers(len(self._tools)))]
        return {"name": tool["name"], "arguments": sample_schema(tool["parameters"], self._rng)}


def _call(schema: dict[str, Any]) -> dict[str, Any]:
    """Fill every required text of a tool with the refusal, and everything else with a fixed draw."""
    function = schema["function"]
    arguments = sample_schema(function["parameters"], np.random.default_rng(0))
    parts = function["parameters"].get("properties", {})
    texts = {name: _REFUSAL for name in arguments if _takes_text(parts[name])}
    return {"name": function["name"], "arguments": {**arguments, **texts}}


def _takes_text(part: dict[str, Any]) -> bool:
    kinds = [part, *part.get("anyOf", ())]
    return any(each.get("type") == "string" and "enum" not in each for each in kinds)

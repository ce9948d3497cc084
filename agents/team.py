"""Several methods of which one plays at a time, each as if it played alone: built from configuration, state apart."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..envs.core.errors import SettingError
from .base import Agent, PracticePlan, RunContext
from .targets import OWN_PREFIX, build

_NAME = re.compile(r"[A-Za-z0-9_.@-]{1,80}")


class Team:
    """The methods.

    An adaptive method is one instance over the run and learns from the episodes that it plays; any other is built anew
    for each episode, under a seed of that episode.

    Args:
        methods: Configuration by name: `_target_` and the keywords of its constructor.

    Raises:
        SettingError: There is none, or one cannot be built.
    """

    def __init__(self, methods: Mapping[str, Any]) -> None:
        if not methods:
            raise SettingError("methods: name at least one, for example agent.methods.cot")
        for name, config in methods.items():
            if not isinstance(config, Mapping) or not _NAME.fullmatch(name):
                raise SettingError(
                    f"methods.{name}: a name of letters, digits, _ . @ or -, and an agent's configuration"
                )
        self._configs = {name: dict(config) for name, config in methods.items()}
        self._trusted: tuple[str, ...] = ()
        self._learning: dict[str, Agent] = {}
        self._states: dict[str, dict[str, Any]] = {}
        self._own = {name: self._build(name) for name, each in self._configs.items() if _is_own(each)}

    def __iter__(self) -> Iterator[str]:
        return iter(self._configs)

    @property
    def configs(self) -> Mapping[str, Mapping[str, Any]]:
        """The methods' configurations by name."""
        return self._configs

    @property
    def practice(self) -> list[PracticePlan]:
        """What the methods play to learn before a run; of those of an outside package it is not known."""
        return [plan for agent in self._own.values() for plan in agent.practice]

    @property
    def prompt_hashes(self) -> dict[str, str]:
        """Digest by method and prompt file; those of an outside package are known to its own records alone."""
        return {
            f"{name}/{file}": digest
            for name, agent in self._own.items()
            for file, digest in agent.prompt_hashes.items()
        }

    def begin_run(self, run: RunContext) -> None:
        """Take the run; nothing of an earlier one stays.

        Raises:
            SettingError: A method of an outside package is not trusted, or cannot be built.
        """
        self._run = run
        self._trusted = tuple(run.settings.get("trusted_targets", ()))
        self._learning, self._states = {}, {}

    def seat(self, name: str, seed: int) -> Agent:
        """Return a method that is ready for an episode.

        Args:
            name: The method.
            seed: Seed of what it draws in that episode.
        """
        if name in self._learning:
            return self._learning[name]
        agent = self._build(name)
        if not agent.adaptive:
            agent.begin_run(replace(self._run, seed=seed))
            return agent
        agent.begin_run(self._run)
        if name in self._states:
            agent.load_state(dict(self._states[name]))
        self._learning[name] = agent
        return agent

    def described(self, name: str) -> str:
        """Return what a method does: the first line of its module's documentation."""
        agent = self._own.get(name) or self._build(name)
        text = sys.modules[type(agent).__module__].__doc__ or type(agent).__name__
        return text.strip().splitlines()[0]

    def state(self) -> dict[str, Any]:
        """Return the states of the methods that learn, those that have not played yet left out."""
        return {**self._states, **{name: agent.state() for name, agent in self._learning.items()}}

    def prepared(self) -> dict[str, Any]:
        """Return the states of the methods that adapt before their first episode and learn from none after it.

        What they know does not come from the episodes that they have played, and so need not be found twice.
        """
        return {
            name: agent.state()
            for name, agent in self._learning.items()
            if type(agent).end_episode is Agent.end_episode
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Continue from states that `state` returned."""
        self._learning, self._states = {}, {name: dict(each) for name, each in state.items()}

    def _build(self, name: str) -> Agent:
        try:
            agent: Agent = build(self._configs[name], self._trusted, Agent)
        except SettingError as error:
            raise SettingError(f"methods.{name}: {error}") from None
        return agent


def _is_own(config: Mapping[str, Any]) -> bool:
    """Whether a method is BizGym's, and so is built at once; what is trusted besides is known only in a run."""
    return str(config.get("_target_", OWN_PREFIX)).startswith(OWN_PREFIX)

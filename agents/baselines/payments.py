"""Players of the payments company without a model: the oracle, the traps, one that is merely in a hurry, two clerks.

All but the clerks are made from the reference path of the task, and none knows a task by name. They know the whole
task, so their scores say something about the task and nothing about play. The clerks know what they are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium as gym
from gymnasium.envs.registration import load_env_creator

from ...envs.core.errors import SettingError
from ...envs.payments.content import Content
from ...envs.payments.proofs.mistakes import Ground
from ...envs.payments.proofs.traps import walked
from ...envs.payments.tasks import Action
from ..base import Agent, RunContext, TaskCard
from .generic import DoNothing, RandomCalls, RefuseAll
from .payments_clerk import AskFirst, FollowProcedure

__all__ = [
    "AskFirst",
    "AssumeConsent",
    "CloseFirst",
    "DoNothing",
    "FaqBeliever",
    "FirstHitWins",
    "FollowProcedure",
    "GreedyOrder",
    "Naive",
    "NeverWait",
    "NewestDocWins",
    "Oracle",
    "OracleWithoutAsking",
    "PayTwiceOnTimeout",
    "RandomCalls",
    "RefuseAll",
]

_OF_CATALOGUE = ("search_tools", "describe_tool")
_FINISH = {"name": "finish", "arguments": {}}


class _Walker(Agent):
    """Walks a path that is known before the first turn; then it finishes, if the path did not."""

    walk: ClassVar[str] = ""

    def begin_run(self, run: RunContext) -> None:
        """Remember the environment and its settings, which are public."""
        self._env_id = str(run.settings["env_id"])
        self._env_kwargs = dict(run.settings.get("env_kwargs", {}))

    def begin_episode(self, task: TaskCard) -> None:
        """Lay out the path."""
        content = _content_of(self._env_id)
        played = content.tasks.get(task.task_id)
        self._left = self._on_offer(self._path(Ground(played, content.setting(played))))

    def act(self, observation: str, info: dict[str, Any]) -> dict[str, Any]:
        """Take the next step."""
        return self._left.pop(0) if self._left else dict(_FINISH)

    def _path(self, ground: Ground) -> Sequence[Action]:
        return walked(self.walk, ground).actions

    def _on_offer(self, path: Sequence[Action]) -> list[dict[str, Any]]:
        """Return the calls of a path as the environment takes them; what it does not offer is left out."""
        flat = self._env_kwargs.get("tool_mode", "search") == "flat"
        searched = self._env_kwargs.get("retrieval", "bm25") != "none"
        calls = [each.model_dump() for each in path if searched or each.name != "search_documents"]
        if not flat:
            return calls
        kept = [each for each in calls if each["name"] not in _OF_CATALOGUE]
        return [dict(each["arguments"]) if each["name"] == "call_tool" else each for each in kept]


class Oracle(_Walker):
    """Walks the reference path."""

    def _path(self, ground: Ground) -> Sequence[Action]:
        return ground.actions


class NewestDocWins(_Walker):
    """Goes by the rule that took effect last or is yet to take effect, whatever its scope and authority."""

    walk = "newest_doc_wins"


class FirstHitWins(_Walker):
    """Goes by the first document that a search finds."""

    walk = "first_hit_wins"


class FaqBeliever(_Walker):
    """Goes by what the answers to frequent questions say."""

    walk = "faq_believer"


class AssumeConsent(_Walker):
    """Never asks whether the customer agrees to a cost."""

    walk = "assume_consent"


class GreedyOrder(_Walker):
    """Does what is done several times for the largest amount first."""

    walk = "greedy_order"


class CloseFirst(_Walker):
    """Closes what is to be closed before anything else."""

    walk = "close_first"


class PayTwiceOnTimeout(_Walker):
    """Does every act that has a key against repetition again under another key."""

    walk = "pay_twice_on_timeout"


class NeverWait(_Walker):
    """Lets no time pass of its own accord."""

    walk = "never_wait"


class OracleWithoutAsking(_Walker):
    """Knows everything, and says nothing to the customer."""

    walk = "oracle_without_asking"


class Naive(_Walker):
    """Is in a hurry: asks for approvals before the terms are known, for no consent, and waits only when it must."""

    walk = "naive"


def _content_of(env_id: str) -> Content:
    entry_point = gym.spec(env_id).entry_point
    env: Any = load_env_creator(entry_point) if isinstance(entry_point, str) else entry_point
    if not hasattr(env, "_content"):
        raise SettingError(f"{env_id}: no environment of payment workflows")
    content = env._content()
    assert isinstance(content, Content)
    return content

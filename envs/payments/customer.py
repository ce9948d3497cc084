"""The customer's side of an environment: who plays it, what it did in the last turn, and what that took."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.chat import ChatClient, ChatSettings, Completion, Message, ProviderError, ToolSchema, Usage, described
from ..core.counterpart import CounterpartSetting
from ..core.errors import SettingError
from .episode import Episode
from .user.drivers import ResumedDriver, make_driver
from .user.prompt import template_hash
from .user.scripted import ScriptedDriver
from .user.turns import Driver, SimulatorFailure, Thrown, rejected_json


class Customer:
    """Who plays the customer in the episodes of an environment.

    Args:
        setting: The environment's `counterpart`.
    """

    def __init__(self, setting: CounterpartSetting) -> None:
        self._setting = setting
        self._client: _Counted | None = None
        self._ask: Callable[[str], str] | None = None
        self._to_feed: list[Any] = []
        self._episode: Episode | None = None
        self._n_before = 0
        self._thrown: Sequence[Thrown] = ()

    @property
    def is_scripted(self) -> bool:
        """Whether it is the script, which needs no record."""
        return self._setting.driver == "scripted"

    def hand_over(self, counterpart: ChatClient | Callable[[str], str]) -> None:
        """Take who plays it from the next answer on: a model for `llm`, a function that asks somebody for `human`.

        Raises:
            SettingError: The driver is another one.
        """
        driver = self._setting.driver
        if driver == "llm" and isinstance(counterpart, ChatClient):
            self._client = _Counted(counterpart)
        elif driver == "human" and callable(counterpart):
            self._ask = counterpart
        else:
            raise SettingError(f"set_counterpart: the driver {driver} takes no {type(counterpart).__name__}")

    def feed(self, replies: list[Any]) -> None:
        """Have the next episode's customer say again what was recorded, before it says anything of its own."""
        self._to_feed = replies

    def driver(self) -> Driver:
        """Return the driver of a new episode; `begin` follows with the episode."""
        turns, self._to_feed = self._to_feed, []
        return ScriptedDriver() if self.is_scripted else ResumedDriver(turns, self._live)

    def _live(self) -> Driver:
        setting = self._setting
        if self._client is None and setting.client is not None:
            self._client = _Counted(setting.client.make())
        return make_driver(setting.driver, client=self._client, turns=setting.turns, ask=self._ask or input)

    def begin(self, episode: Episode) -> None:
        """Begin an episode that was made with the last driver."""
        self._episode = episode
        self.begin_turn()

    def begin_turn(self) -> None:
        """Let what the customer did before belong to the turns before."""
        self._thrown = ()
        if self._client is not None:
            self._client.used.clear()
        if self._episode is not None:
            self._n_before = self._episode.n_customer_turns

    def fail(self, failure: SimulatorFailure) -> None:
        """Note what was thrown away before the customer's driver failed."""
        self._thrown = failure.rejected

    @property
    def replies(self) -> list[Any]:
        """The raw steps of all its turns, as `feed` takes them; none of a script."""
        return [] if self.is_scripted or self._episode is None else self._episode.customer_turns

    def record(self) -> dict[str, Any] | None:
        """Return what it did since the turn began; None for a script, and where it did nothing.

        Returns:
            `turns` that were carried out, `rejected` ones with their violations, `usage` of each call to a model,
            failed ones included; with a model also its `client` and `prompt_hashes`.
        """
        if self.is_scripted or self._episode is None:
            return None
        turns = self._episode.customer_turns_since(self._n_before)
        thrown = [*(each for turn in turns for each in turn.rejected), *self._thrown]
        used = [] if self._client is None else self._client.used
        if not turns and not thrown and not used:
            return None
        record: dict[str, Any] = {
            "turns": [turn.to_json() for turn in turns],
            "rejected": [rejected_json(*each) for each in thrown],
            "usage": [each.counts for each in used],
        }
        if self._client is None:
            return record
        return {**record, "client": described(self._client.inner), "prompt_hashes": {"user_prompt": template_hash()}}


class _Counted:
    """A client that remembers what its calls used, whatever became of them."""

    def __init__(self, inner: ChatClient) -> None:
        self.inner = inner
        self.used: list[Usage] = []

    @property
    def description(self) -> Mapping[str, Any]:
        return self.inner.description

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        try:
            completion = self.inner.complete(messages, tools, settings)
        except ProviderError as failure:
            self.used.append(failure.usage)
            raise
        self.used.append(completion.usage)
        return completion

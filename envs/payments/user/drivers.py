"""The drivers that repeat a record, and all four by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ...core.chat import ChatClient
from ...core.errors import CounterpartError, DataError, SettingError
from ...core.text import echo, nearest
from .human import HumanDriver
from .llm import LlmDriver
from .scripted import ScriptedDriver
from .turns import Call, Done, Driver, Step
from .view import View

DRIVERS = ("scripted", "llm", "replay", "human")
GivenT = TypeVar("GivenT")


class ReplayDriver:
    """Feeds recorded turns back, step by step.

    Args:
        turns: As `Conversation.record` returns them.

    Raises:
        DataError: It is no record of turns; the message gives the path.
    """

    def __init__(self, turns: Sequence[Any]) -> None:
        self._turns = [_turn(each, f"turns.{k}") for k, each in enumerate(_listed(turns, "turns"))]

    def step(self, view: View, done: Sequence[Done], complaint: str) -> Step:
        """Return the recorded step. See `turns.Driver`.

        Raises:
            CounterpartError: The record has no such step, or what it holds is not accepted here.
        """
        if complaint:
            raise CounterpartError(f"turn {view.turn} of the record is not accepted: {complaint}")
        if view.turn >= len(self._turns):
            raise CounterpartError(f"the record ends after {len(self._turns)} turns of the customer")
        if len(done) >= len(self._turns[view.turn]):
            raise CounterpartError(f"turn {view.turn} of the record ends after {len(done)} steps, with nothing said")
        return self._turns[view.turn][len(done)]


class ResumedDriver:
    """Feeds recorded turns back, and goes on with another driver where the record ends.

    Args:
        turns: As `Conversation.record` returns them.
        make: Makes the driver that goes on; called once, and not before it is needed.

    Raises:
        DataError: It is no record of turns; the message gives the path.
    """

    def __init__(self, turns: Sequence[Any], make: Callable[[], Driver]) -> None:
        self._record = ReplayDriver(turns)
        self._n_recorded = len(turns)
        self._make = make
        self._live: Driver | None = None

    def step(self, view: View, done: Sequence[Done], complaint: str) -> Step:
        """Return the recorded step, or ask the driver that goes on. See `turns.Driver`.

        Raises:
            CounterpartError: What the record holds is not accepted here, or the other driver cannot go on.
        """
        if view.turn < self._n_recorded:
            return self._record.step(view, done, complaint)
        if self._live is None:
            self._live = self._make()
        return self._live.step(view, done, complaint)


def _turn(given: Any, place: str) -> tuple[Step, ...]:
    return tuple(_step(each, f"{place}.{k}") for k, each in enumerate(_listed(given, place)))


def _step(given: Any, place: str) -> Step:
    if not isinstance(given, Mapping) or set(given) != {"text", "calls"} or not isinstance(given["text"], str):
        raise DataError(f"{place}: an object of text and calls, as a record has it")
    calls = []
    for k, each in enumerate(_listed(given["calls"], f"{place}.calls")):
        if not isinstance(each, (list, tuple)) or len(each) != 2 or not all(isinstance(part, str) for part in each):
            raise DataError(f"{place}.calls.{k}: [name, arguments as JSON text], as a record has it")
        calls.append(Call(each[0], each[1]))
    return Step(given["text"], tuple(calls))


def _listed(given: Any, place: str) -> Sequence[Any]:
    if not isinstance(given, (list, tuple)):
        raise DataError(f"{place}: a list, not {type(given).__name__}")
    return given


def make_driver(
    driver: str,
    *,
    client: ChatClient | None = None,
    turns: Sequence[Any] | None = None,
    ask: Callable[[str], str] | None = None,
) -> Driver:
    """Return the driver of a name, as the environment's `counterpart` gives it.

    Args:
        driver: `scripted`, `llm`, `replay` or `human`.
        client: The model, for `llm`.
        turns: The recorded turns, for `replay`.
        ask: Shows a text and returns a line, for `human`.

    Raises:
        SettingError: There is no driver of this name, or what it needs is missing.
        DataError: The turns are no record of turns.
    """
    if driver == "scripted":
        return ScriptedDriver()
    if driver == "llm":
        return LlmDriver(_needed(client, "llm", "a client: counterpart.client, or set_counterpart(client)"))
    if driver == "replay":
        return ReplayDriver(_needed(turns, "replay", "the recorded turns"))
    if driver == "human":
        return HumanDriver(_needed(ask, "human", "a way to ask somebody"))
    hint = nearest(str(driver), DRIVERS)
    raise SettingError(f"counterpart.driver: there is no {echo(driver)!r}.{hint} There are: {', '.join(DRIVERS)}")


def _needed(given: GivenT | None, driver: str, what: str) -> GivenT:
    if given is None:
        raise SettingError(f"counterpart.driver: {driver} needs {what}")
    return given

"""The protocol of the customer's drivers, drafts of turns, and what happens to bad ones.

A turn is a few steps: each step is calls of the customer's tools, or prose, which ends the turn; `end_conversation`
ends it too. Every driver goes through the same validator. A bad turn is thrown away whole and another one is asked
for, twice; then the episode ends as the simulator's failure, and the bad turns are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ...core.chat import Usage
from ...core.errors import CounterpartError
from .desk import Desk
from .seat import Seat
from .tools import attempt
from .view import View

MAX_STEPS = 12
MAX_CALLS = 40
MAX_TEXT_CHARACTERS = 20_000
N_ATTEMPTS = 3


class Call(NamedTuple):
    """One call as a driver made it.

    Attributes:
        name: The tool, unchecked.
        arguments: JSON text, unchecked.
    """

    name: str
    arguments: str


class Step(NamedTuple):
    """What a driver does at once.

    Attributes:
        text: Prose, "" for none.
        calls: Calls, in order.
        usage: What a model used for it, None where none was asked.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    usage: Usage | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the step as JSON values, as the record keeps it."""
        return {"text": self.text, "calls": [list(each) for each in self.calls]}


class Used(NamedTuple):
    """A call and its answer.

    Attributes:
        call: As the driver made it.
        arguments: As JSON values, None where it cannot be carried out.
        result: What the driver was answered.
    """

    call: Call
    arguments: dict[str, Any] | None
    result: Any


class Done(NamedTuple):
    """A step of a draft.

    Attributes:
        step: What the driver did.
        used: Its calls, answered.
    """

    step: Step
    used: tuple[Used, ...]


class Violation(NamedTuple):
    """Why a turn is bad.

    Attributes:
        code: `PV1` to `PV7`.
        message: What is wrong, and what would do.
    """

    code: str
    message: str

    def __str__(self) -> str:
        """Write code and message."""
        return f"{self.code}: {self.message}"


Thrown = tuple[Violation, tuple[Step, ...]]
"""A turn that was thrown away, and why."""


class Turn(NamedTuple):
    """A turn that may be carried out.

    Attributes:
        steps: As the driver made them.
        calls: What is to be carried out: name and arguments, in order.
        text: What is said, "" where the conversation ends.
        rejected: The turns that were thrown away before, each with the reason.
    """

    steps: tuple[Step, ...]
    calls: tuple[tuple[str, dict[str, Any]], ...]
    text: str
    rejected: tuple[Thrown, ...]

    @property
    def usages(self) -> list[Usage]:
        """What models used for it, in order, turns thrown away included."""
        return usages_of(self.rejected) + [each.usage for each in self.steps if each.usage is not None]

    def to_json(self) -> list[dict[str, Any]]:
        """Return the steps as JSON values, as the record keeps them."""
        return [each.to_json() for each in self.steps]


def usages_of(rejected: Sequence[Thrown]) -> list[Usage]:
    """Return what models used for turns that were thrown away, in order."""
    return [step.usage for _, steps in rejected for step in steps if step.usage is not None]


def rejected_json(why: Violation, steps: Sequence[Step]) -> dict[str, Any]:
    """Return a turn that was thrown away as JSON values, for the record."""
    return {"violation": list(why), "steps": [each.to_json() for each in steps]}


class Driver(Protocol):
    """Someone who plays the customer."""

    def step(self, view: View, done: Sequence[Done], complaint: str) -> Step:
        """Return the next step of the turn.

        Args:
            view: What the customer sees; the same for all steps of a turn.
            done: The steps of this turn so far, with the answers to their calls.
            complaint: Why the last attempt at this turn was thrown away, "" for the first attempt.

        Raises:
            CounterpartError: The driver cannot go on.
        """
        ...


class SimulatorFailure(CounterpartError):
    """The customer's driver failed; the episode is no fault of the agent.

    Attributes:
        rejected: The turns that were thrown away, each with the reason.
    """

    def __init__(self, message: str, rejected: Sequence[Thrown]) -> None:
        super().__init__(message)
        self.rejected = tuple(rejected)

    def to_json(self) -> list[dict[str, Any]]:
        """Return what was thrown away as JSON values, for the record."""
        return [rejected_json(*each) for each in self.rejected]


Validator = Callable[[View, Sequence[Done], Done], Violation | None]
"""Returns what is wrong with a step after those done before, None where nothing is."""


def draft(driver: Driver, view: View, desk: Desk, validator: Validator) -> Turn:
    """Have a turn drafted; nothing is carried out.

    Raises:
        SimulatorFailure: Three attempts were bad.
    """
    rejected: list[Thrown] = []
    for _ in range(N_ATTEMPTS):
        complaint = str(rejected[-1][0]) if rejected else ""
        done, violation = _attempt(driver, Seat(view, desk), validator, complaint)
        steps = tuple(each.step for each in done)
        if violation is None:
            calls = tuple(
                (used.call.name, used.arguments) for each in done for used in each.used if used.arguments is not None
            )
            return Turn(steps, calls, steps[-1].text, tuple(rejected))
        rejected.append((violation, steps))
    raise SimulatorFailure(f"the customer's turn was bad {N_ATTEMPTS} times, at last {rejected[-1][0]}", rejected)


def _attempt(driver: Driver, seat: Seat, validator: Validator, complaint: str) -> tuple[list[Done], Violation | None]:
    done: list[Done] = []
    while True:
        step = driver.step(seat.view, tuple(done), complaint)
        latest = Done(step, tuple(Used(each, *attempt(seat, *each)) for each in step.calls[:MAX_CALLS]))
        violation = validator(seat.view, done, latest)
        done.append(latest)
        if violation is not None:
            return done, violation
        if step.text.strip() or ends(latest):
            return done, None
        if len(done) == MAX_STEPS:
            return done, Violation("PV7", f"{MAX_STEPS} steps and nothing said; write to the agent")


def ends(done: Done) -> bool:
    """Whether a step ends the conversation."""
    return any(each.call.name == "end_conversation" and each.arguments is not None for each in done.used)


def used_so_far(done: Sequence[Done], latest: Done) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the name and the arguments of every call of a draft that can be carried out, in order."""
    steps = (*done, latest)
    return [(each.call.name, each.arguments) for step in steps for each in step.used if each.arguments is not None]

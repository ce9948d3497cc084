"""The record of an episode: one JSON line, readable without BizGym, and evidence only if it replays.

The order of the fields is part of the format: everything up to `steps` can be read without parsing them.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError, field_validator

from .errors import RecordError
from .stop import StopReason
from .text import echo, printable

SCHEMA_VERSION = 1
UNLEARNED = "end_episode: "
"""Begins the line of a record's `error` that says what kept the agent from learning after the episode's end."""
_STEPS_MARK = b',"steps":['
_MESSAGE_CHARACTERS = 500
_REASONS = tuple(StopReason)


def _any_str(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


RawText = Annotated[str, PlainValidator(_any_str)]
"""Text as a model sent it: unlike pydantic's str it may hold a lone surrogate."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class TurnRecord(_Strict):
    """What the agent did in a turn: its text, and its calls where it made any."""

    text: RawText = ""
    calls: list[Any] | None = None

    @property
    def action(self) -> Any:
        """What `env.step` was given: the calls, or the text where there were none."""
        return self.text if self.calls is None else self.calls


class ResultRecord(_Strict):
    """The result of one call, in full."""

    id: RawText
    name: RawText
    ok: bool
    code: str
    content: RawText


class Step(_Strict):
    """One turn and what came of it. Times stand in `timing` alone, outside digests, equality and scores.

    `turn` is None in the last step of an episode that was stopped from outside: nobody's turn, in which the
    environment charges what was not played. `stubbed` names the results that the model was shown as stubs from
    this turn on, because its window was full; the results themselves stand whole in the steps they belong to.
    """

    turn: TurnRecord | None
    results: list[ResultRecord]
    observation: RawText
    reward: float
    components: dict[str, float]
    error: str
    usage: dict[str, Any] = {}
    stubbed: list[RawText] = []
    counterpart: Any = None
    timing: dict[str, float] = {}


class CheckRecord(_Strict):
    """A requirement and its verdict."""

    id: str
    kind: str
    passed: bool
    expected: str
    observed: str
    turn: int | None = None


class Trajectory(_Strict):
    """One episode from reset to its end, by whom and under which settings.

    Attributes:
        schema_version: Version of this format, written as `schema`.
        env_id: The registered id; `env_kwargs` its settings.
        task_id: The task, `trial` the number of the repetition, `seed` the episode's seed.
        agent: `{name, settings}`; `client`: an allow-list of settings that holds no key, None without a model.
        prompt_hashes: Digest by prompt file.
        version: `{bizgym, task_set_hash}`.
        stop_reason: Why it stopped; only scored reasons carry a reward.
        reward: The return of the episode, None where it has no score.
        metrics: Metrics at the end, None where it has no score.
        error: What went wrong, for reasons that are errors.
        final_digest: Digest of the domain state at the end.
        n_steps: Number of steps; `errors` counts them by error code.
        usage: Usage of models by role (`role@adaptation` outside the phase `inference`), the sum over the steps and
            of `usage_beyond`, which belongs to no step: that of a turn that failed, and of what the agent did to
            learn from the episode.
        counterpart_beyond: What a counterpart that is no script did in a turn that failed, which is no step.
        first_observation: What `reset` showed.
        steps: The turns, in order.
    """

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, populate_by_name=True)

    schema_version: int = SCHEMA_VERSION
    env_id: str
    env_kwargs: dict[str, Any]
    task_id: str
    trial: int
    seed: int
    agent: dict[str, Any]
    client: dict[str, Any] | None = None
    prompt_hashes: dict[str, str] = {}
    version: dict[str, str]
    stop_reason: StopReason
    terminated: bool
    truncated: bool
    reward: float | None
    metrics: dict[str, float] | None
    checks: list[CheckRecord] = []
    error: RawText = ""
    final_digest: str
    timing: dict[str, float] = {}
    n_steps: int
    errors: dict[str, int] = {}
    usage: dict[str, dict[str, float]] = {}
    usage_beyond: dict[str, dict[str, float]] = {}
    counterpart_beyond: Any = None
    first_observation: RawText
    steps: list[Step] = []

    @field_validator("agent")
    @classmethod
    def _named(cls, agent: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(agent.get("name"), str):
            raise ValueError("an agent has a name")
        return agent

    @property
    def scored(self) -> bool:
        """Whether the episode counts in the statistics of scores."""
        return self.reward is not None

    @property
    def success(self) -> bool | None:
        """Strict success: every check passed; None for a record without checks."""
        return all(check.passed for check in self.checks) if self.checks else None

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What makes a row of a run: environment label, agent, task and trial."""
        return self.env_id, self.agent["name"], self.task_id, self.trial


def to_line(trajectory: Trajectory) -> bytes:
    """Write a record as one UTF-8 line; lone surrogates are escaped, so that nothing is lost."""
    fields = trajectory.model_dump(mode="python")
    fields = {"schema": fields.pop("schema_version"), **fields, "stop_reason": str(trajectory.stop_reason)}
    text = json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(fields, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def from_line(line: bytes | str, *, with_steps: bool = True, place: str = "record") -> Trajectory:
    """Read a record; without its steps, reading costs a hundredth.

    Raises:
        RecordError: The line is no record of this schema; the message names `place` and the field.
    """
    try:
        fields = _loads(line) if with_steps else _head(line if isinstance(line, bytes) else line.encode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{place}: not JSON ({printable(str(error))[:_MESSAGE_CHARACTERS]})") from None
    if not isinstance(fields, dict):
        raise RecordError(f"{place}: not a JSON object")
    schema = fields.pop("schema", None)
    if schema != SCHEMA_VERSION:
        raise RecordError(f"{place}: schema: {echo(schema)}, this version of BizGym reads {SCHEMA_VERSION}")
    reason = fields.get("stop_reason")
    if reason in _REASONS:  # whatever else it is, validation refuses it by the field's name
        fields["stop_reason"] = StopReason(reason)
    try:
        return Trajectory.model_validate(fields)
    except ValidationError as error:
        raise RecordError(f"{place}: {printable(_first_error(error))}") from None


def _first_error(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    field = ".".join(map(str, first["loc"]))
    return f"{field}: {first['msg']}, not {echo(first['input'])}"[:_MESSAGE_CHARACTERS]


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _loads(line: bytes | str) -> Any:
    return json.loads(line.decode("utf-8") if isinstance(line, bytes) else line, parse_constant=_refuse_constant)


def _head(line: bytes) -> Any:
    """Everything before the steps: unescaped, their mark cannot stand inside a JSON string."""
    end = line.find(_STEPS_MARK)
    if end > 0:
        try:
            return _loads(line[:end] + b"}")
        except json.JSONDecodeError:  # a setting of that name came first
            return _loads(line)
    return _loads(line)

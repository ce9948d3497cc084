"""Episodes as a report carries them: an index that lists each, and its steps packed until someone opens them."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ..envs.core.actions import Call, parse_action
from ..envs.core.run_folder import RowKey
from ..envs.core.trajectory import Step, Trajectory

PACKED_LIMIT_CHARACTERS = 40_000_000


def anchor(run_key: str, row: RowKey) -> str:
    """Return the part of an episode's link after `#episode-`: the same in every report on its run."""
    return sha256(json.dumps([run_key, *row]).encode("ascii")).hexdigest()[:10]


def script_json(value: Any) -> str:
    """Write a value as JSON that may stand inside a script element: ASCII, and no tag or comment can begin in it."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def pack(value: Any) -> str:
    """Write a value as JSON, compressed, in base64: what the page's script unpacks when an episode is opened."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return b64encode(zlib.compress(text.encode("ascii"), 9)).decode("ascii")


@dataclass(slots=True)
class EpisodeBook:
    """The episodes of a report, added one by one; only what the page needs is kept.

    Attributes:
        rows: One list an episode: link, run, group, agent, task, trial, seed, reward, normalized, number of
            steps, errors by code, stop reason. The seed is a text, since JavaScript's integers end at 2^53.
        packed: The steps by link, compressed.
        left_out: Episodes whose steps are left out because the page would grow beyond its limit.
    """

    rows: list[list[Any]] = field(default_factory=list)
    packed: dict[str, str] = field(default_factory=dict)
    left_out: int = 0
    limit_characters: int = PACKED_LIMIT_CHARACTERS
    _size: int = 0

    def add(
        self, row: Trajectory, place: tuple[str, int, int, str], line: int, beside: Mapping[str, Any] | None = None
    ) -> None:
        """Add an episode.

        Args:
            row: The record.
            place: Its link, the number of its run and of its group, and its agent's label.
            line: The number of its line in `episodes.jsonl`, from 1.
            beside: What its page shows beside the steps: `course` and `interview`, as `benchmarks` returns them.
        """
        link, run, group, agent = place
        normalized = (row.metrics or {}).get("normalized")
        numbers = [row.trial, str(row.seed), row.reward, normalized, row.n_steps, row.errors]
        self.rows.append([link, run, group, agent, row.task_id, *numbers, row.stop_reason.value])
        text = pack({"line": line, **details(row), **(beside or {})})
        if self._size + len(text) > self.limit_characters:
            self.left_out += 1
            return
        self._size += len(text)
        self.packed[link] = text


def details(row: Trajectory) -> dict[str, Any]:
    """Return everything of a record that the page shows when its episode is opened; no text stands in it twice."""
    return {
        "first": row.first_observation,
        "error": row.error,
        "metrics": row.metrics,
        "checks": [
            [check.kind, check.id, check.passed, check.expected, check.observed, check.turn] for check in row.checks
        ],
        "facts": _facts(row),
        "steps": [_step(step, number) for number, step in enumerate(row.steps, 1)],
    }


def _facts(row: Trajectory) -> dict[str, str]:
    told = {
        "environment settings": row.env_kwargs,
        "agent settings": row.agent.get("settings"),
        "client": row.client,
        "prompt hashes": row.prompt_hashes,
        "usage by role": row.usage,
        "version": row.version,
        "final digest": row.final_digest,
        "seconds": row.timing.get("seconds"),
    }
    return {name: value if isinstance(value, str) else _text(value) for name, value in told.items() if value}


def _step(step: Step, number: int) -> dict[str, Any]:
    """Return a step: keys of one letter, and only those that say something.

    t: text of the turn · c: calls as [name, arguments as sent or None where they stand in the text, key for comparison
    where name and arguments are none] · r: results as [id, name, ok,
    code, content] · o: the observation in parts, a number standing for the content of that result · w: reward ·
    p: its components · e: error · u: usage · q: the counterpart's replies · s: seconds by who took them · x: nobody's
    turn · b: ids of results that the model was shown as stubs from here on.
    """
    contents = [result.content for result in step.results]
    found: dict[str, Any] = {
        "t": step.turn.text if step.turn else "",
        "c": _calls(step, number) if step.turn else [],
        "r": [[result.id, result.name, result.ok, result.code, result.content] for result in step.results],
        "o": parts(step.observation, contents),
        "w": step.reward,
        "p": {name: amount for name, amount in step.components.items() if amount},
        "e": step.error,
        "u": _text(step.usage) if step.usage else "",
        "q": "" if step.counterpart is None else _text(step.counterpart),
        "s": step.timing,
        "x": step.turn is None,
        "b": ", ".join(step.stubbed),
    }
    return {name: value for name, value in found.items() if value or name == "w"}


def parts(observation: str, contents: Sequence[str]) -> list[str | int]:
    """Return an observation as texts and, where it quotes a result in full, the number of that result."""
    found: list[str | int] = []
    begin = 0
    for number, content in enumerate(contents):
        place = observation.find(content, begin) if content else -1
        if place < 0:
            continue
        found += [observation[begin:place], number]
        begin = place + len(content)
    return [part for part in [*found, observation[begin:]] if part != ""]


def _calls(step: Step, number: int) -> list[list[Any]]:
    assert step.turn is not None
    action = step.turn.action
    parsed = parse_action(action, number)
    if step.turn.calls is None:
        return [_written(call, alone=len(parsed) == 1) for call in parsed]
    sent = step.turn.calls or [step.turn.calls]
    return [_sent(value, call) for value, call in zip(sent, parsed, strict=True)]


def _written(call: Call, *, alone: bool) -> list[Any]:
    """A call that was written as text; the text itself is shown, so a call that is alone is not repeated."""
    if call.error:
        return [call.name, None]
    return [call.name, None if alone else _text(call.arguments), _key(call)]


def _sent(value: Any, call: Call) -> list[Any]:
    """A call that was sent as an object: its arguments exactly as they came."""
    function = value.get("function") if isinstance(value, dict) else None
    source = function if isinstance(function, dict) else value
    if not isinstance(source, dict) or call.error:
        return [call.name, _text(value), _text(value)]
    raw = source.get("arguments", source.get("input"))
    shown = raw if isinstance(raw, str) else _text(raw)
    key = _key(call)
    return [call.name, shown] if key == f"{call.name} {shown}" else [call.name, shown, key]


def _key(call: Call) -> str:
    """What makes two calls equal: the tool and its arguments in any order, the id left out."""
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True, ensure_ascii=False, default=repr)}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)

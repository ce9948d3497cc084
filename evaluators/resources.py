"""What episodes took: turns, tool calls, documents, reading the same thing again, and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..envs.core.actions import parse_action
from ..envs.core.jsontext import canonical
from ..envs.core.run_folder import RunFolder
from ..envs.core.trajectory import Step, Trajectory
from .benchmarks import reads_of
from .statistics import mean
from .strict_success import judged

READ_DOCUMENT, DOCUMENT_ID = "read_document", "document_id"
_NOT_REACHED = frozenset({"not_executed", "unknown_tool", "bad_arguments"})
Reads = Callable[[str, Mapping[str, Any]], bool]
"""Whether a call, given as name and arguments, only reads."""
HINTS: Mapping[str, str] = {
    "turns": "turns of the agent",
    "tool_calls": "calls that reached a tool, refused ones included",
    "documents_read": "different documents that were read",
    "repeated_reads": "reading calls with the name and arguments of an earlier one",
    "errors": "errors of every kind: malformed calls, and calls that a rule refused",
}
"""What each number counts, a mean over scored episodes."""


class Resources(NamedTuple):
    """What one episode took, or the means over several; the attributes are described in `HINTS`."""

    turns: float
    tool_calls: float
    documents_read: float
    repeated_reads: float
    errors: float


class _Executed(NamedTuple):
    name: str
    arguments: Mapping[str, Any]
    ok: bool


def resources(row: Trajectory, reads: Reads) -> Resources:
    """Count what a record took.

    A call that its tool refuses for its arguments, or that no tool answers to, has not reached one.

    Args:
        row: The record, with its steps.
        reads: Which calls only read.
    """
    calls = list(_executed(row.steps))
    documents = {str(each.arguments.get(DOCUMENT_ID)) for each in calls if each.ok and each.name == READ_DOCUMENT}
    seen = [canonical([each.name, each.arguments]) for each in calls if each.ok and reads(each.name, each.arguments)]
    turns = sum(step.turn is not None for step in row.steps)
    return Resources(turns, len(calls), len(documents), len(seen) - len(set(seen)), sum(row.errors.values()))


def _executed(steps: Sequence[Step]) -> Iterable[_Executed]:
    for turn, step in enumerate(steps, 1):
        if step.turn is None:
            continue
        calls = parse_action(step.turn.action, turn)
        for call, result in zip(calls, step.results, strict=False):  # a step may have broken off
            if not call.error and result.code not in _NOT_REACHED:
                yield _Executed(call.name, call.arguments, result.ok)


def mean_of(episodes: Sequence[Resources]) -> Resources:
    """Return the means over at least one episode."""
    return Resources(*(mean(values) for values in zip(*episodes, strict=True)))


def of_run(folder: RunFolder) -> list[dict[str, Any]]:
    """Return `{agent, env, n, turns, tool_calls, ...}` for each agent of a run whose scored episodes have checks.

    The numbers are means over the `n` scored episodes.

    Raises:
        RecordError: The run cannot be read.
    """
    asked = folder.description().asked
    found: dict[str, list[Resources]] = {agent: [] for each in asked for agent in each.agents}
    env_ids = {agent: each.env_id for each in asked for agent in each.agents}
    wanted = {key for each in asked for key in each.rows()}
    for row in folder.episodes():
        if row.key in wanted and judged(row) is not None:
            found[row.agent["name"]].append(resources(row, reads_of(row.env_id)))
    return [
        {"agent": agent, "env": env_ids[agent], "n": len(episodes), **mean_of(episodes)._asdict()}
        for agent, episodes in found.items()
        if episodes
    ]

"""What a reader has to know before a report's numbers are taken for what they look like, agent by agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..envs.core.run_folder import RunFolder, state_file
from ..envs.core.stop import StopReason
from .aggregate import RunTotals
from .comparison.contests import Contest, Entry
from .tables import counted

_GOLD = "gold"
_UNREADABLE = "unreadable"
"""Under which methods count replies of their models that they could not read."""


class Caution(NamedTuple):
    """A note, and the environment that it is about, None where it is about all."""

    env_id: str | None
    note: str


def cautions(folders: Sequence[RunFolder], totals: Sequence[RunTotals], contests: Sequence[Contest]) -> list[Caution]:
    """Return the notes on runs.

    Args:
        folders: The runs.
        totals: Each of them, counted.
        contests: What `comparison.gather` makes of them.

    Raises:
        RecordError: What an agent has learned cannot be read.
    """
    found = [
        Caution(contest.env_id, f"{entry.label}: {note}")
        for contest in contests
        for entry in contest.entries
        for note in (*_errors(entry, totals), *_told(entry), *_unread(entry, folders))
    ]
    left = sum(each.not_asked for each in totals)
    if left:
        are = "is" if left == 1 else "are"
        note = f"{counted(left, 'episode')} on disk {are} not part of what was last asked for and {are} left out."
        found.append(Caution(None, note))
    return found


def _errors(entry: Entry, totals: Sequence[RunTotals]) -> Iterator[str]:
    played = [totals[number].by_agent[name] for number, name in entry.places]
    failed = sum(each.stop_reasons[StopReason.AGENT_ERROR.value] for each in played)
    if failed:
        attempted = counted(sum(each.counts.attempted for each in played), "episode")
        yield f"{failed} of {attempted} ended in {StopReason.AGENT_ERROR.value}, which counts as play."


def _told(entry: Entry) -> Iterator[str]:
    trials = max((trial + 1 for _, trial in entry.asked), default=0)
    if trials > 1 and entry.identity.feedback == _GOLD and entry.plays_with_model:
        yield (
            "was told the answer after each trial (feedback gold), so that trials of a task after its first may repeat "
            "what they were told; the means count them all."
        )


def _unread(entry: Entry, folders: Sequence[RunFolder]) -> Iterator[str]:
    for number, name in entry.places:
        file = state_file(name)
        stored = folders[number].read_json(file)
        lost = _count(stored.get("state")) if isinstance(stored, Mapping) else 0
        if lost:
            told = "1 reply" if lost == 1 else f"{lost} replies"
            yield f"{told} of its model could not be read and changed nothing, see {folders[number].path / file}."


def _count(state: Any) -> int:
    """Sum the counts of unreadable replies in what a method has learned, those of methods within it included."""
    if not isinstance(state, Mapping):
        return 0
    own = state.get(_UNREADABLE)
    inner = sum(map(_count, state.values()))
    return inner + (own if isinstance(own, int) else 0)

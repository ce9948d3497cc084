"""One proposal out of many: categorical arguments by exact equality, numbers by their median, ties by agent index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Any

from ..envs.core.jsontext import canonical
from .proposals import Proposal, arguments_of

_NUMBER = "#"


@dataclass(frozen=True, slots=True)
class Vote:
    """The result of a vote.

    Attributes:
        winner: What is played: the words of the first of the winning group, numbers by the group's median.
        votes: Number of proposals of each group, the groups by their first member.
        leaders: Of each group with the most votes what would be played of it; the first is the winner.
    """

    winner: Proposal
    votes: tuple[int, ...]
    leaders: tuple[Proposal, ...]

    @property
    def tied(self) -> bool:
        """Whether another group has as many votes as the winner's."""
        return len(self.leaders) > 1


def vote(proposals: Sequence[Proposal]) -> Vote:
    """Take the most frequent proposal.

    Two proposals are of one group where they call the same tools with the same arguments, numbers left aside; a
    number is then the median of its group, the lower one of two in the middle, so that a quantity is one that
    somebody proposed, and of integers alone where most are integers, so that it is one that a tool takes. Proposals
    that call nothing that can be read count only where there is no other kind.

    Args:
        proposals: By agent index, at least one.
    """
    readable = [each for each in proposals if each.is_call] or list(proposals)
    groups: dict[str, list[Proposal]] = {}
    for proposal in readable:  # in the order of agents: of equal groups the first stays in front
        groups.setdefault(shape_of(proposal), []).append(proposal)
    sizes = tuple(len(group) for group in groups.values())
    leaders = tuple(_merged(group) for group in groups.values() if len(group) == max(sizes))
    return Vote(leaders[0], sizes, leaders)


def shape_of(proposal: Proposal) -> str:
    """Return what two proposals must share to be of one group: everything but the numbers."""
    if not proposal.is_call:
        return proposal.key
    return canonical([[call.name, _without_numbers(arguments_of(call))] for call in proposal.calls])


def _merged(group: Sequence[Proposal]) -> Proposal:
    first = group[0]
    if not first.is_call:
        return first
    by_call = [[arguments_of(each.calls[k]) for each in group] for k in range(len(first.calls))]
    merged = [_median(given) for given in by_call]
    same = canonical(merged) == canonical([given[0] for given in by_call])  # 3 and 3.0 are not the same
    return first if same else first.with_arguments(merged)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _without_numbers(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_numbers(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_numbers(inner) for inner in value]
    return _NUMBER if _is_number(value) else [value]  # in a list: a text "#" is no number


def _median(values: Sequence[Any]) -> Any:
    """Return values of one shape as one value, its numbers the medians."""
    first = values[0]
    if isinstance(first, Mapping):
        return {name: _median([value[name] for value in values]) for name in first}
    if isinstance(first, list):
        return [_median([value[k] for value in values]) for k in range(len(first))]
    if not _is_number(first):
        return first
    integers = [value for value in values if isinstance(value, int)]
    return median_low(integers if 2 * len(integers) > len(values) else values)

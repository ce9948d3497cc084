"""How well questions are understood: `python -m bizgym.envs.consulting.matching.measure FILE` prints the gates.

The gates: at most 2 % of the questions release a wrong fact, no negative releases one, and at least
90 % release the right fact or offer its topic.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...core.errors import DataError
from ..fact_types import fact_types
from ..matches import Match, Matcher
from .matcher import match
from .questions import Asked, Negative, QuestionSet, read_set

WRONG_AT_MOST = 0.02
RIGHT_AT_LEAST = 0.9
_RELEASING = ("release", "several")


class Measured(NamedTuple):
    """What a matcher did with a set.

    Attributes:
        questions: Number of questions.
        released: Those that released the right fact.
        wrong: Those that released another fact, and what was understood.
        offered: Those that offered the right topic among at most three.
        missed: The rest.
        negatives: Number of negatives.
        leaked: Negatives that released a fact they do not ask for.
        kinds: Number of negatives by (kind, what was understood).
    """

    questions: int
    released: int
    wrong: Sequence[tuple[Asked, Match]]
    offered: int
    missed: Sequence[tuple[Asked, Match]]
    negatives: int
    leaked: Sequence[tuple[Negative, Match]]
    kinds: Counter[tuple[str, str]]

    @property
    def wrong_share(self) -> float:
        """Wrong releases by question."""
        return len(self.wrong) / self.questions

    @property
    def right_share(self) -> float:
        """Questions that reach the right fact within two turns, by question."""
        return (self.released + self.offered) / self.questions

    @property
    def holds(self) -> bool:
        """Whether all three gates hold."""
        return self.wrong_share <= WRONG_AT_MOST and not self.leaked and self.right_share >= RIGHT_AT_LEAST


def released(found: Match) -> str:
    """Return the type that a match releases, or an empty string."""
    return found.types[0][0] if found.kind in _RELEASING and found.types else ""


def measure(given: QuestionSet, how: Matcher = match) -> Measured:
    """Return what a matcher makes of a set of questions."""
    seen = [(each, how(each.question)) for each in given.questions]
    wrong = [(each, found) for each, found in seen if released(found) not in ("", each.type)]
    right = [each for each, found in seen if released(found) == each.type]
    open_ones = [(each, found) for each, found in seen if not released(found)]
    missed = [(each, found) for each, found in open_ones if not _offers(found, each.type)]
    negatives = [(each, how(each.question)) for each in given.negatives]
    leaked = [(each, found) for each, found in negatives if released(found) and released(found) not in each.types]
    kinds = Counter[tuple[str, str]]((each.kind, found.kind) for each, found in negatives)
    offered = len(open_ones) - len(missed)
    return Measured(len(seen), len(right), wrong, offered, missed, len(negatives), leaked, kinds)


def _offers(found: Match, wanted: str) -> bool:
    return found.kind == "menu" and fact_types().topic_of(wanted) in found.topics


def report(got: Measured) -> str:
    """Return the measurement as lines of text."""
    lines = [
        f"questions {got.questions}: right fact released {got.released} ({got.released / got.questions:.1%}), "
        f"right topic offered {got.offered} ({got.offered / got.questions:.1%}), together {got.right_share:.1%}",
        f"wrong fact released {len(got.wrong)} ({got.wrong_share:.2%})",
        f"negatives {got.negatives}: {len(got.leaked)} released a fact that they do not ask for",
        *(f"  {kind}: {found} {count}" for (kind, found), count in sorted(got.kinds.items())),
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str], say: Callable[[str], object] = print) -> int:
    """Measure a file of questions; return 0 where the gates hold, 1 where one fails, 2 where it cannot be read."""
    if len(arguments) != 1:
        say("usage: python -m bizgym.envs.consulting.matching.measure FILE")
        return 2
    try:
        got = measure(read_set(arguments[0]))
    except DataError as refused:
        say(str(refused))
        return 2
    say(report(got))
    return 0 if got.holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

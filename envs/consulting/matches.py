"""What a question asks for, as the interviewer takes it: types of facts by score, and whether that is enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

Kind = Literal["release", "menu", "none", "purposeless", "several"]

NONSENSE = "nonsense"
"""Said beside where no word is known."""


class Match(NamedTuple):
    """How a question was understood.

    Attributes:
        kind: `release` (sure of the first type), `several` (asks for more than the first type), `menu` (unsure, one of
            the topics), `none` (asks for nothing that an interviewer knows), `purposeless` (asks for everything).
        types: Types of facts and their scores, best first.
        topics: Topics to offer where nothing is known of a case, three at most.
        aside: What the words most likely are if they ask for no fact, for example `chat`, or `NONSENSE`; "" where a
            type is likelier.
        parts: How many types its clauses ask for, one by one.
    """

    kind: Kind
    types: tuple[tuple[str, float], ...] = ()
    topics: tuple[str, ...] = ()
    aside: str = ""
    parts: int = 1


Matcher = Callable[[str], Match]

"""How alike two texts are: the Jaccard index of their word 5-grams."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z0-9]+")
N = 5


def ngrams(text: str) -> frozenset[tuple[str, ...]]:
    """Return the word 5-grams of a text, without case and punctuation."""
    words = _WORD.findall(text.lower())
    return frozenset(tuple(words[k : k + N]) for k in range(len(words) - N + 1))


def jaccard(left: frozenset[tuple[str, ...]], right: frozenset[tuple[str, ...]]) -> float:
    """Return the share of 5-grams that two texts have in common, 0 to 1; 0 where both are empty."""
    joined = len(left | right)
    return len(left & right) / joined if joined else 0.0

"""Finding texts again by their words: BM25, in an order that is the same everywhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import log

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*")
_DENIALS = frozenset({"not", "no", "never", "without", "none", "cannot", "neither", "nor", "unless", "except"})
_SHORTENED = re.compile(r"n['\u2019]t\b")
_K1, _B = 1.5, 0.75
_DECIMALS = 9  # what the order of a sum of floats could change is rounded away
_QUERY_WORDS = 2_000


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return _WORD.findall(text.casefold())


def rank(query: str, texts: Sequence[str], limit: int) -> list[int]:
    """Return the places of the texts that a query finds, the best first; of equally good ones the later first.

    The score is BM25 (Robertson and Zaragoza 2009) with k1 = 1.5, b = 0.75 and the inverse document frequency
    ln(1 + (N - n + 0.5) / (n + 0.5)), which stays positive. A text that shares no word with the query is not found.

    Args:
        query: Of which the first 2,000 different words count.
        texts: In the order in which they were kept.
        limit: Most places to return.
    """
    asked = list(dict.fromkeys(words(query)))[:_QUERY_WORDS]
    counts = [_counted(text) for text in texts]
    if not asked or not counts:
        return []
    lengths = [count.total() for count in counts]
    mean = sum(lengths) / len(lengths) or 1.0
    holders = {word: sum(word in count for count in counts) for word in asked}
    weights = {word: log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in holders.items() if n}
    scores = []
    for count, length in zip(counts, lengths, strict=True):
        norm = _K1 * (1 - _B + _B * length / mean)
        found = (weight * count[word] * (_K1 + 1) / (count[word] + norm) for word, weight in weights.items())
        scores.append(round(sum(found), _DECIMALS))
    order = sorted(range(len(texts)), key=lambda place: (-scores[place], -place))
    return [place for place in order if scores[place] > 0][:limit]


@lru_cache(maxsize=4_096)
def _counted(text: str) -> Counter[str]:
    """Count the words of a text; a memory asks for the same ones before every episode."""
    return Counter(words(text))


def overlap(first: str, second: str) -> float:
    """Return how much two texts say the same, from 0 to 1: the shared part of their words and pairs of neighbours.

    Texts that differ in a number or in a denial say different things, and have 0 in common.
    """
    if _figures(first) != _figures(second) or _denials(first) != _denials(second):
        return 0.0
    one, other = _parts(first), _parts(second)
    return len(one & other) / len(one | other) if one and other else 0.0


def _parts(text: str) -> set[str]:
    found = words(text)
    return {*found, *(f"{left} {right}" for left, right in pairwise(found))}


def _figures(text: str) -> list[str]:
    return [figure.rstrip(".,") for figure in _NUMBER.findall(text)]


def _denials(text: str) -> list[str]:
    plain = _SHORTENED.sub(" not", text.casefold())
    return [word for word in _WORD.findall(plain) if word in _DENIALS]

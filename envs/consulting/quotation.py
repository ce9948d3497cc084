"""What of a text is the candidate's own: sentences that repeat what was said or shown to it are not.

A sentence is a quotation where nearly all of its words stand in runs of four that a source holds, or where the words
that carry meaning are those of one sentence of a source in another order. Where it holds most of a sentence of a source
and more beside it, only what is beside it is the candidate's own.

On the reference texts of all cases the first share is 0.76 at most and the share of a source's sentence 0.58; a copy
behind a few words of introduction has 0.8 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .stems import content

RUN = 4
COVERED = 0.8
CONTAINED = 0.65
LEAST_OWN = 0.3
"""Own words of which a text must consist at least by so much of it, such as more than an introduction to a copy."""
_LEAST_SOURCE = 7
_LEAST_WORDS = 5
_WORD = re.compile(r"[a-z0-9]+")
_END = re.compile(r"(?<=[.!?;:])\s+|\n")
_Run = tuple[str, ...]


class _Source(NamedTuple):
    runs: frozenset[_Run]
    words: frozenset[str]
    is_long: bool


class Quotable:
    """What a candidate has heard and read.

    Args:
        texts: The texts.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        read = [(part, _words(part)) for text in texts for part in _parts(text)]
        self._sentences = [
            _Source(frozenset(_runs(words)), content(part), len(words) >= _LEAST_SOURCE) for part, words in read
        ]
        self._short = frozenset(tuple(words) for _, words in read if len(words) < RUN)
        self._all = frozenset[_Run]().union(*(each.runs for each in self._sentences))

    def own(self, text: str) -> str:
        """Return what of a text is no quotation; nothing where that is a small part of it."""
        left = " ".join(filter(None, (self._own_part(part) for part in _parts(text))))
        return left if len(_words(left)) >= LEAST_OWN * len(_words(text)) else ""

    def _own_part(self, part: str) -> str:
        words = _words(part)
        if tuple(words) in self._short:
            return ""
        if sum(_covered(words, self._all)) >= COVERED * len(words):
            return ""
        if any(_is_shuffled(content(part), each.words) for each in self._sentences):
            return ""
        there = frozenset(_runs(words))
        copied = [each.runs for each in self._sentences if each.is_long and _share(each.runs, there) >= CONTAINED]
        if not copied:
            return part
        hit = _covered(words, frozenset[_Run]().union(*copied))
        return " ".join(word for word, quoted in zip(words, hit, strict=True) if not quoted)


def _is_shuffled(words: frozenset[str], source: frozenset[str]) -> bool:
    return words <= source and len(words) >= max(_LEAST_WORDS, COVERED * len(source))


def _parts(text: str) -> list[str]:
    return [part for part in _END.split(text) if _words(part)]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _runs(words: Sequence[str]) -> list[_Run]:
    return [tuple(words[k : k + RUN]) for k in range(len(words) - RUN + 1)]


def _share(runs: frozenset[_Run], there: frozenset[_Run]) -> float:
    return len(runs & there) / len(runs)


def _covered(words: Sequence[str], known: frozenset[_Run]) -> list[bool]:
    """Return of each word whether it stands in a run that is known."""
    hit = [False] * len(words)
    for k, run in enumerate(_runs(words)):
        if run in known:
            hit[k : k + RUN] = [True] * RUN
    return hit

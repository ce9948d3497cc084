"""What a message without typed asks asks for: a fixed match of words, so that agents that only write text can play."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from .vocabulary import RECORD_ID, Reference, Vocabulary, words

_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]?")


class Found(NamedTuple):
    """One ask that was found in a text.

    Attributes:
        kind: `fact` or `approval`.
        ref: As a typed ask would have it.
    """

    kind: str
    ref: str


class AliasMatcher:
    """Finds asks in text by the aliases of a vocabulary; of overlapping aliases the longest one counts.

    Args:
        vocabulary: The words to look for.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._asking = frozenset(vocabulary.asking_words)
        self._approving = frozenset(vocabulary.approving_words)

    @cached_property
    def _phrases(self) -> Mapping[tuple[str, ...], str]:
        spoken: dict[tuple[str, ...], str] = {}
        for term in self._vocabulary.askable:
            for phrase in (*term.aliases, term.title):
                spoken.setdefault(tuple(words(phrase)), term.id)
        return spoken

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._phrases))

    def find(self, text: str, is_request: Callable[[str], bool], limit: int) -> list[Found]:
        """Return what a text asks for, in order, each once.

        Args:
            text: What was written.
            is_request: Whether an id is that of a request for approval.
            limit: Most asks to return.
        """
        found: dict[Found, None] = {}
        for sentence in _SENTENCE.findall(text):
            spoken = words(sentence)
            if "?" not in sentence and self._asking.isdisjoint(spoken):
                continue
            for each in self._of_sentence(sentence, spoken, is_request):
                found[each] = None
                if len(found) == limit:
                    return list(found)
        return list(found)

    def _of_sentence(self, sentence: str, spoken: list[str], is_request: Callable[[str], bool]) -> Iterator[Found]:
        ids = RECORD_ID.findall(sentence)
        requests = [each for each in ids if is_request(each)]
        if requests and not self._approving.isdisjoint(spoken):
            yield from (Found("approval", each) for each in requests)
            return
        subjects = [each for each in ids if each not in requests] or [""]
        for name in self._names(spoken):
            yield from (Found("fact", str(Reference(name, subject))) for subject in subjects)

    def _names(self, spoken: list[str]) -> Iterator[str]:
        start = 0
        while start < len(spoken):
            for length in range(min(self._longest, len(spoken) - start), 0, -1):
                name = self._phrases.get(tuple(spoken[start : start + length]))
                if name is not None:
                    yield name
                    start += length - 1
                    break
            start += 1

"""A question as a sequence of words: bounded, spelling mended, ideas named."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..stems import stem

QUESTION_LIMIT_CHARACTERS = 600
_WORD = re.compile(r"[a-z0-9&]+(?:'[a-z]+)?")
_DIGIT = re.compile(r"[0-9]")
_NUMBER = "#"
_BRITISH = (
    (re.compile(r"is(ation|ed|es|ing|e)\b"), r"iz\1"),
    (re.compile(r"\b(lab|col|fav|behavi|harb|neighb)our"), r"\1or"),
    (re.compile(r"\b(cent|theat|lit|met|kilomet)re(s?)\b"), r"\1er\2"),
    (re.compile(r"\b(travel|cancel|label|model)l(ed|ing|er)"), r"\1\2"),
)
_MENDED_LENGTH = 5
Phrases = dict[str, list[tuple[tuple[str, ...], list[str]]]]


class Words(NamedTuple):
    """A question after reading.

    Attributes:
        surface: Words as written, lower case, spelling of one country.
        stems: Their stems, mended; words of a trade are replaced by their idea, in capitals.
        ideas: Ideas in the question, in order of first mention.
        unknown: Number of words that no phrasing holds.
    """

    surface: tuple[str, ...]
    stems: tuple[str, ...]
    ideas: tuple[str, ...]
    unknown: int


def bounded(text: str) -> str:
    """Return a text of up to 600 characters as it is, of a longer one its head and tail, 600 in all."""
    if len(text) <= QUESTION_LIMIT_CHARACTERS:
        return text
    half = QUESTION_LIMIT_CHARACTERS // 2
    return f"{text[:half]} {text[1 - half :]}"


def surface_words(text: str) -> list[str]:
    """Return the words of a text as written, of a long one its first and last characters.

    Digits become `#`; accents go; what is no letter or digit separates.
    """
    text = bounded(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.replace("’", "'")).encode("ascii", "ignore").decode()
    text = text.lower()
    for pattern, spelling in _BRITISH:
        text = pattern.sub(spelling, text)
    return [_NUMBER if _DIGIT.match(word) else word for word in _WORD.findall(text)]


class Reader:
    """Reads questions with a given vocabulary and given ideas.

    Args:
        known: Words as written that need no mending.
        industry: Words of a trade by idea, which replaces them.
        ideas: Words by idea, which counts beside them.
        apart: Words that keep their ending, since their stem means something else.
    """

    def __init__(
        self,
        known: Iterable[str],
        industry: Mapping[str, Sequence[str]],
        ideas: Mapping[str, Sequence[str]],
        apart: Iterable[str],
    ) -> None:
        self._apart = {word: word.removesuffix("s") for word in apart}
        self._trade = self._phrases(industry)
        self._ideas = self._phrases(ideas)
        entries = (each for group in (industry, ideas) for listed in group.values() for each in listed)
        own = frozenset(known).union(*(surface_words(each) for each in entries))
        self._known = frozenset(self._stem(word) for word in own)
        self._mended = _near_spellings(own)

    def read(self, text: str) -> Words:
        """Return what a question holds."""
        surface = surface_words(text)
        stems, unknown = [], 0
        for word in surface:
            own = self._stem(word)
            if own not in self._known and word != _NUMBER:
                mended = self._mend(word)
                unknown += mended == word
                own = self._stem(mended)
            stems.append(own)
        stems = self._traded(stems)
        return Words(tuple(surface), tuple(stems), tuple(self._named(stems)), unknown)

    def _stem(self, word: str) -> str:
        return self._apart.get(word) or stem(word)

    def _phrases(self, groups: Mapping[str, Sequence[str]]) -> Phrases:
        """Return, by first stem, the entries that begin with it and their ideas, longest entries first."""
        ideas_of: dict[tuple[str, ...], list[str]] = {}
        for idea, entries in groups.items():
            for entry in entries:
                ideas_of.setdefault(tuple(self._stem(word) for word in surface_words(entry)), []).append(idea)
        by_first: Phrases = {}
        for phrase in sorted(ideas_of, key=lambda each: (-len(each), each)):
            by_first.setdefault(phrase[0], []).append((phrase, ideas_of[phrase]))
        return by_first

    def _mend(self, word: str) -> str:
        """Return the known word that is one slip away: a letter left out or added, in longer words also mistaken."""
        if len(word) < _MENDED_LENGTH:
            return word
        for near in (word, *_shortened(word)):
            found = self._mended.get(near, "")
            likely = len(word) > _MENDED_LENGTH or near in (word, found)
            if likely and found.startswith(word[0]):
                return found
        return word

    def _traded(self, stems: list[str]) -> list[str]:
        out, k = [], 0
        while k < len(stems):
            idea, length = _longest(self._trade, stems, k)
            out.append(idea.upper() if idea else stems[k])
            k += length
        return out

    def _named(self, stems: Sequence[str]) -> list[str]:
        found: dict[str, None] = {}
        for k, word in enumerate(stems):
            if word.isupper():
                found[word.lower()] = None
            for phrase, ideas in self._ideas.get(word, ()):
                if tuple(stems[k : k + len(phrase)]) == phrase:
                    found.update(dict.fromkeys(ideas))
        return list(found)


def _longest(phrases: Phrases, stems: Sequence[str], start: int) -> tuple[str, int]:
    for phrase, ideas in phrases.get(stems[start], ()):
        if tuple(stems[start : start + len(phrase)]) == phrase:
            return ideas[0], len(phrase)
    return "", 1


def _shortened(word: str) -> list[str]:
    return [word[:k] + word[k + 1 :] for k in range(1, len(word))]


def _near_spellings(known: Iterable[str]) -> dict[str, str]:
    """Return known words by themselves with one letter left out, the alphabetically first where two meet."""
    near: dict[str, str] = {}
    for word in sorted(known):
        if len(word) >= _MENDED_LENGTH:
            near.setdefault(word, word)
            for short in _shortened(word):
                near.setdefault(short, word)
    return near

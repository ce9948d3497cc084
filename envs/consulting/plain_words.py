"""Words that say much the same in a recommendation: `data/consulting/plain_words.yaml`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..core.data import packaged_text, parse, validate
from ..core.tasks import Frozen
from .fact_types import FOLDER
from .stems import stems

_FILE = "plain_words.yaml"
_Phrases = dict[str, list[tuple[tuple[str, ...], str]]]


class PlainWords(Frozen):
    """The file: words by idea, and what is said in any interview."""

    canary: str
    ideas: dict[str, list[str]]
    talk: list[str]


@lru_cache(maxsize=1)
def plain_words() -> PlainWords:
    """Return the words; read once a process.

    Raises:
        DataError: The file breaks its schema.
    """
    return validate(PlainWords, parse(packaged_text(FOLDER, _FILE), _FILE), _FILE)


@lru_cache(maxsize=1)
def _phrases() -> _Phrases:
    """Return the entries by their first stem, with their ideas."""
    found: _Phrases = {}
    for idea, entries in plain_words().ideas.items():
        for entry in entries:
            phrase = tuple(stems(entry))
            found.setdefault(phrase[0], []).append((phrase, idea))
    return found


@lru_cache(maxsize=4096)
def ideas_of(words: Sequence[str]) -> frozenset[str]:
    """Return the ideas that stems in a row hold.

    Raises:
        DataError: The file breaks its schema.
    """
    phrases = _phrases()
    return frozenset(
        idea
        for k, word in enumerate(words)
        for phrase, idea in phrases.get(word, ())
        if tuple(words[k : k + len(phrase)]) == phrase
    )

"""BM25 over documents, in an order that is the same everywhere: rounded score, then document id.

An index is built once for a corpus and kept in the process under a digest of its texts, so that a thousand episodes of
one world share it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import SettingError
from ...core.jsontext import canonical
from .render import Document, Passage
from .words import VERSION, words

QUERY_LIMIT_CHARACTERS = 2_000
"""What of a query counts; nobody asks for more in one."""

SNIPPET_CHARACTERS = 240
TITLE_WEIGHT = 3
"""How often the words of a document's title count."""

_K1, _B = 1.5, 0.75  # bm25s's defaults, stated here so that a release that changes them changes no ranking
_SCORE_DECIMALS = 6
_KEPT_INDICES = 8


class Hit(NamedTuple):
    """A document that was found.

    Attributes:
        id: Of the document.
        title: Of the document.
        kind: Of the document.
        section: The section that has most of the query.
        snippet: Of that section, at most `SNIPPET_CHARACTERS` characters.
    """

    id: str
    title: str
    kind: str
    section: str
    snippet: str


class _Line(NamedTuple):
    text: str
    words: frozenset[str]


_NO_LINE = _Line("", frozenset())


class _Part(NamedTuple):
    id: str
    words: frozenset[str]
    lines: tuple[_Line, ...]


class Index:
    """The index of some documents.

    Args:
        documents: At least one; their order does not matter.

    Raises:
        SettingError: bm25s is not installed.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = sorted(documents, key=lambda each: each.id)
        texts = [words(each.title) * TITLE_WEIGHT + words(each.header) + _body(each) for each in self._documents]
        vocabulary = {word: k for k, word in enumerate(sorted({word for text in texts for word in text}))}
        # Ids instead of words, since bm25s would number the words in the order of a set.
        numbered = [[vocabulary[word] for word in text] for text in texts]
        self._scorer: Any = _bm25s().BM25(k1=_K1, b=_B, method="lucene", dtype="float64", backend="numpy")
        self._scorer.index((numbered, vocabulary), create_empty_token=False, show_progress=False)
        self._vocabulary = vocabulary
        self._weights = _rarity(texts)
        self._parts = [[_part(passage) for passage in each.passages] for each in self._documents]

    def search(self, query: str, limit: int, latest_issue: int | None = None) -> list[Hit]:
        """Return the documents that a query finds, the best first; those of one score in the order of ids.

        Args:
            query: Words, of which the first `QUERY_LIMIT_CHARACTERS` characters count.
            limit: Most documents to return.
            latest_issue: Minute; what was issued later is not found.
        """
        asked = Counter(word for word in words(query[:QUERY_LIMIT_CHARACTERS]) if word in self._vocabulary)
        if not asked:
            return []
        numbers = [self._vocabulary[word] for word in sorted(asked)]
        scores = np.round(self._scorer.get_scores_from_ids(numbers), _SCORE_DECIMALS)
        # A stable sort keeps documents of one score in the order of ids, which is that of the columns.
        order = np.argsort(-scores, kind="stable")
        found = (k for k in order.tolist() if scores[k] > 0 and self._is_out(k, latest_issue))
        return [self._hit(k, asked.keys()) for _, k in zip(range(limit), found, strict=False)]

    def _is_out(self, k: int, latest_issue: int | None) -> bool:
        issued = self._documents[k].issued_at
        return latest_issue is None or issued is None or issued <= latest_issue

    def _hit(self, k: int, asked: Iterable[str]) -> Hit:
        document, wanted = self._documents[k], frozenset(asked)
        part = max(self._parts[k], key=lambda each: self._weight(each.words & wanted))
        line = max(part.lines, key=lambda each: self._weight(each.words & wanted), default=_NO_LINE)
        return Hit(document.id, document.title, document.kind, part.id, _cut(line.text))

    def _weight(self, found: frozenset[str]) -> float:
        # Sorted, since the sum of floats depends on their order.
        return sum(self._weights[word] for word in sorted(found))


_INDICES: dict[str, Index] = {}
_LOCK = Lock()


def index_of(documents: Sequence[Document]) -> Index:
    """Return the index of some documents, built if this process has none of the same texts.

    Raises:
        SettingError: bm25s is not installed.
    """
    digest = content_digest(documents)
    with _LOCK:
        if digest not in _INDICES:
            while len(_INDICES) >= _KEPT_INDICES:
                del _INDICES[next(iter(_INDICES))]
            _INDICES[digest] = Index(documents)
        return _INDICES[digest]


def content_digest(documents: Iterable[Document]) -> str:
    """Return a digest of everything that a search depends on; the order of the documents does not matter."""
    texts = sorted([each.id, each.kind, each.issued_at, each.text] for each in documents)
    return sha256(canonical([VERSION, texts]).encode()).hexdigest()


@cache
def _bm25s() -> Any:
    try:
        import bm25s  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise SettingError(
            "retrieval: searching documents needs bm25s; install it with pip install 'bizgym[payments]', "
            "or play with retrieval='none'"
        ) from None
    # It sets its logger to DEBUG, which would fill the log of every program that keeps one.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s


def _body(document: Document) -> list[str]:
    return [word for each in document.passages for word in words(f"{each.title}\n{each.text}")]


def _rarity(texts: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return the weight of each word: the greater, the fewer documents have it."""
    counts = Counter(word for text in texts for word in set(text))
    return {word: 1.0 / counts[word] for word in counts}


def _part(passage: Passage) -> _Part:
    texts = [each for each in passage.text.splitlines() if each.strip(" |-")]
    lines = tuple(_Line(each.strip(), frozenset(words(each))) for each in texts)
    return _Part(passage.id, frozenset(words(passage.title)).union(*(each.words for each in lines)), lines)


def _cut(text: str) -> str:
    if len(text) <= SNIPPET_CHARACTERS:
        return text
    return f"{text[: SNIPPET_CHARACTERS - 3].rsplit(' ', 1)[0]}..."

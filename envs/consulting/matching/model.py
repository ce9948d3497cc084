"""The trained model as stored, and the scores of a question."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from math import exp, sqrt
from typing import Annotated, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen
from .features import features
from .lexicon import Phrase, lines, synonyms
from .text import Reader, Words, surface_words
from .training import Weights, train

FILE = "model.json"
_FOLDER = "consulting/lexicon"


class Stored(Frozen):
    """`model.json`: what `compiled` made of the lexicon.

    Attributes:
        canary: The canary string.
        source: Fingerprint of the lexicon as the features see it.
        known: Words of the phrasings, which need no mending, separated by blanks.
        features: Names of features, sorted, separated by line breaks.
        labels: Types and kinds, sorted.
        values: Values of features, int32, little-endian, packed.
        table: Weights, int8, (features, labels), packed.
        scale: Score of one unit of the table.
    """

    canary: str
    source: str
    known: str
    features: str
    labels: list[str]
    values: str
    table: str
    scale: Annotated[float, Field(gt=0)]

    @model_validator(mode="after")
    def _shapes_agree(self) -> Self:
        count = self.features.count("\n") + 1
        if len(_unpacked(self.values)) != 4 * count:
            raise ValueError("values: one for each feature is needed")
        if len(_unpacked(self.table)) != count * len(self.labels):
            raise ValueError("table: one weight for each feature and label is needed")
        return self


def _packed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, 9)).decode()


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


class Scored(NamedTuple):
    """A question as the model sees it.

    Attributes:
        words: Its words.
        likely: Probability by label, which add up to one.
    """

    words: Words
    likely: dict[str, float]


class Model:
    """Scores of types and kinds for a question."""

    def __init__(self, weights: Weights, reader: Reader) -> None:
        self._reader = reader
        self._place = {name: k for k, name in enumerate(weights.features)}
        self._squares = weights.values.astype(np.int64) ** 2
        self._table = weights.table
        self._labels = weights.labels
        self._scale = weights.scale

    def ideas(self, text: str) -> frozenset[str]:
        """Return the ideas in a text."""
        return frozenset(self._reader.read(text).ideas)

    def score(self, text: str) -> Scored:
        """Return the probabilities of a question's labels; all sums are of whole numbers, so the order is no matter."""
        words = self._reader.read(text)
        own = [self._place[name] for name in features(words) if name in self._place]
        length = sqrt(max(1, int(self._squares[own].sum())))
        raw = self._table[own].sum(axis=0, dtype=np.int64).tolist()
        scores = [self._scale * each / length for each in raw]
        top = max(scores)
        odds = [exp(each - top) for each in scores]
        whole = sum(odds)
        return Scored(words, {label: each / whole for label, each in zip(self._labels, odds, strict=True)})


def reader_of(known: Sequence[str]) -> Reader:
    """Return a reader that knows these words and the packaged synonyms."""
    groups = synonyms()
    return Reader(known, groups.industry, groups.ideas, groups.apart)


def trained(examples: Sequence[Phrase]) -> tuple[Weights, list[str]]:
    """Return the weights learned from examples, and the words that they hold."""
    known = sorted({word for each in examples for word in surface_words(each.text)})
    reader = reader_of(known)
    return train([features(reader.read(each.text)) for each in examples], [each.label for each in examples]), known


def fingerprint(examples: Sequence[Phrase]) -> str:
    """Return a digest of all that the weights follow from: the features of each example and its label."""
    reader = reader_of(sorted({word for each in examples for word in surface_words(each.text)}))
    digest = sha256()
    for each in examples:
        digest.update("\t".join((each.label, *features(reader.read(each.text)))).encode() + b"\n")
    return digest.hexdigest()


def compiled(canary: str) -> Stored:
    """Return what is to be stored of the packaged lexicon; takes about a minute.

    Raises:
        DataError: A file of the lexicon breaks its schema.
    """
    examples = lines()
    weights, known = trained(examples)
    return Stored(
        canary=canary,
        source=fingerprint(examples),
        known=" ".join(known),
        features="\n".join(weights.features),
        labels=list(weights.labels),
        values=_packed(weights.values.astype("<i4").tobytes()),
        table=_packed(weights.table.tobytes()),
        scale=weights.scale,
    )


def stored() -> Stored:
    """Return the packaged file.

    Raises:
        DataError: It breaks its schema.
    """
    return validate(Stored, parse(packaged_text(_FOLDER, FILE), FILE), FILE)


@lru_cache(maxsize=1)
def model() -> Model:
    """Return the packaged model; read once a process.

    Raises:
        DataError: A file breaks its schema.
    """
    file = stored()
    names = tuple(file.features.split("\n"))
    values = np.frombuffer(_unpacked(file.values), dtype="<i4").astype(np.int64)
    table = np.frombuffer(_unpacked(file.table), dtype=np.int8).reshape(len(names), len(file.labels))
    return Model(Weights(names, values, tuple(file.labels), table, file.scale), reader_of(file.known.split()))

"""From phrasings to weights: multinomial logistic regression with a quadratic penalty, in its dual form.

Every step is deterministic. The weights are rounded to whole numbers and stored, so that a question has the same scores
on every machine, whatever its linear algebra library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .features import WEIGHTS

Floats = NDArray[np.float32]
_LEAST_COUNT = 2
_PENALTY = 1e-6
_SMOOTHING = 0.02
_STEPS = 400
_VALUE_SCALE = 64
_LARGEST = 127
_CLIPPED_SHARE = 0.0001


class Weights(NamedTuple):
    """A trained model in whole numbers.

    Attributes:
        features: Names of features, sorted.
        values: What each feature adds to the length of a question's vector (int64, in 64ths).
        labels: Types and kinds, sorted.
        table: int8, (features, labels): a feature's addition to a label's score.
        scale: Score of one unit of the table in a vector of length one 64th.
    """

    features: tuple[str, ...]
    values: NDArray[np.int64]
    labels: tuple[str, ...]
    table: NDArray[np.int8]
    scale: float


def train(found: Sequence[Sequence[str]], labels: Sequence[str]) -> Weights:
    """Return the weights that tell the labels of questions apart.

    Args:
        found: Features of each question.
        labels: Its type or kind.
    """
    counts = Counter(name for each in found for name in each)
    names = tuple(sorted(name for name, count in counts.items() if count >= _LEAST_COUNT))
    place = {name: k for k, name in enumerate(names)}
    values = np.array([_value(name, counts[name], len(found)) for name in names], dtype=np.int64)
    vectors = np.zeros((len(found), len(names)), dtype=np.float32)
    for row, each in zip(vectors, found, strict=True):
        own = [place[name] for name in each if name in place]
        row[own] = values[own] / max(1.0, sqrt(float((values[own] ** 2).sum())))
    kinds = tuple(sorted(set(labels)))
    wanted = np.full((len(found), len(kinds)), _SMOOTHING / len(kinds), dtype=np.float32)
    wanted[np.arange(len(found)), [kinds.index(each) for each in labels]] += 1 - _SMOOTHING
    weights = vectors.T @ _dual(vectors @ vectors.T, wanted)
    exact = weights * values[:, None]
    unit = float(np.quantile(np.abs(exact), 1 - _CLIPPED_SHARE)) / _LARGEST
    table = np.clip(np.rint(exact / unit), -_LARGEST, _LARGEST).astype(np.int8)
    return Weights(names, values, kinds, table, unit)


def _value(name: str, count: int, questions: int) -> int:
    """Return a feature's value: its family's weight by the root of its inverse frequency, in 64ths."""
    return round(_VALUE_SCALE * WEIGHTS[name[0]] * sqrt(log(1 + questions / count)))


def _dual(gram: Floats, wanted: Floats) -> Floats:
    """Return multipliers of the examples by Nesterov's accelerated descent (Nesterov 1983, step 1/L).

    The penalised loss is the mean cross-entropy plus half the penalty times the squared norm of the weights, which are
    the examples times the multipliers; the descent on the weights is then one on the multipliers.
    """
    count = len(gram)
    step = 1 / (0.5 * _largest_eigenvalue(gram) / count + _PENALTY)
    now = ahead = np.zeros_like(wanted)
    momentum = 1.0
    for _ in range(_STEPS):
        scores = gram @ ahead
        scores -= scores.max(axis=1, keepdims=True)
        likely = np.exp(scores)
        likely /= likely.sum(axis=1, keepdims=True)
        after = ahead - np.float32(step) * ((likely - wanted) / count + np.float32(_PENALTY) * ahead)
        heavier = (1 + sqrt(1 + 4 * momentum * momentum)) / 2
        ahead = after + np.float32((momentum - 1) / heavier) * (after - now)
        now, momentum = after, heavier
    return now


def _largest_eigenvalue(gram: Floats) -> float:
    vector = np.ones(len(gram), dtype=np.float32)
    for _ in range(30):
        vector = gram @ vector
        vector /= np.linalg.norm(vector)
    return float(vector @ gram @ vector)

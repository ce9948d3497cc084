"""Difficulty from 0 to 10 by features, and its bands: easy 0-3, middle 4-6, hard 7-10 (EnterpriseBench, A.2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..core.tasks import Frozen

Band = Literal["easy", "middle", "hard"]
BANDS: tuple[Band, ...] = ("easy", "middle", "hard")
HIGHEST_EASY, HIGHEST_MIDDLE, HIGHEST = 3, 6, 10

_OF_A_STEP, _OF_ALL_STEPS = 1.0, 6.0
_OF_A_PIECE, _OF_ALL_PIECES = 0.5, 3.0
_OF_A_DISTRACTOR, _OF_ALL_DISTRACTORS = 0.25, 2.0
_OF_A_UNIT_CHANGE, _OF_ALL_UNIT_CHANGES = 1.0, 2.0
_OF_EIGHT_LABELS, _OF_ALL_LABELS = 1.0, 3.0
_OF_A_LEVEL_OF_KNOWLEDGE = 1.5
_OF_A_LEVEL_OF_AMBIGUITY = 1.0

Count = Annotated[int, Field(ge=0, le=1000)]


class Features(Frozen):
    """What makes an item hard.

    Attributes:
        steps: Operations from the evidence to the answer; 0 where it is read off, or recalled.
        evidence: Pieces of evidence to be found: cells, sentences, or conditions that must be weighed.
        distractors: Places or options that look like the right one.
        unit_changes: Changes of scale, unit, currency or sign convention on the way.
        label_set_size: Number of labels to choose from; 0 where there are none.
        outside_knowledge: 0 none, 1 of any business reader, 2 of a specialist, 3 of an expert.
        ambiguity: 0 none, 1 a definition must be applied, 2 two readings must be weighed.
    """

    steps: Count = 0
    evidence: Count = 1
    distractors: Count = 0
    unit_changes: Count = 0
    label_set_size: Count = 0
    outside_knowledge: Annotated[int, Field(ge=0, le=3)] = 0
    ambiguity: Annotated[int, Field(ge=0, le=2)] = 0


def difficulty(features: Features) -> int:
    """Return the difficulty, 0 to 10: a weighted sum, each part capped, rounded half up."""
    total = (
        min(_OF_ALL_STEPS, _OF_A_STEP * features.steps)
        + min(_OF_ALL_PIECES, _OF_A_PIECE * max(0, features.evidence - 1))
        + min(_OF_ALL_DISTRACTORS, _OF_A_DISTRACTOR * features.distractors)
        + min(_OF_ALL_UNIT_CHANGES, _OF_A_UNIT_CHANGE * features.unit_changes)
        + min(_OF_ALL_LABELS, _OF_EIGHT_LABELS * features.label_set_size / 8)
        + _OF_A_LEVEL_OF_KNOWLEDGE * features.outside_knowledge
        + _OF_A_LEVEL_OF_AMBIGUITY * features.ambiguity
    )
    return min(HIGHEST, int(total + 0.5))


def band_of(score: int) -> Band:
    """Return the band of a difficulty."""
    if score <= HIGHEST_EASY:
        return "easy"
    return "middle" if score <= HIGHEST_MIDDLE else "hard"

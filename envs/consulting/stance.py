"""How a text stands to what it speaks of: `data/consulting/stance.yaml` holds the turns of phrase.

A recommendation may deny a cause, set a constraint aside, or weigh one cause against another; the words of the cause
are there in each case.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..core.data import packaged_text, parse, validate
from ..core.tasks import Frozen
from .fact_types import FOLDER

_FILE = "stance.yaml"
_NOT = r"(?:not|\w+n't|never|no|nor|neither|nothing|none|nobody|hardly|scarcely|barely|cannot|without)"
_GAP = r"(?:\W+\w+(?:'\w+)?){0,4}\W+"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_CONTRAST = re.compile(
    r"\s*;\s*|:\s|\s+[-–—]\s+|,?\s+(?=but\b|yet\b|whereas\b|instead\b)|"
    r",\s+(?=(?:it|that|this|they)(?:'s| is| are| was)\b)|,\s+(?=not\b)"
)


class StanceFile(Frozen):
    """The file: regular expressions by what they show."""

    canary: str
    rejects: list[str]
    dismisses: list[str]
    weighs: list[str]
    blames: list[str]


class Stance(NamedTuple):
    """Turns of phrase, each a pattern of lower-case text.

    Attributes:
        rejects: That something is no cause.
        dismisses: That a constraint need not be kept.
        weighs: That one thing is compared with another, conceded, or found small.
        blames: That something is a cause.
    """

    rejects: re.Pattern[str]
    dismisses: re.Pattern[str]
    weighs: re.Pattern[str]
    blames: re.Pattern[str]


@lru_cache(maxsize=1)
def stance() -> Stance:
    """Return the turns of phrase; read once a process.

    Raises:
        DataError: The file breaks its schema.
    """
    given = validate(StanceFile, parse(packaged_text(FOLDER, _FILE), _FILE), _FILE)
    return Stance(*(_joined(each) for each in (given.rejects, given.dismisses, given.weighs, given.blames)))


def _joined(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(each.replace("NOT", _NOT).replace("GAP", _GAP[:-3]) for each in patterns))


def plain(text: str) -> str:
    """Return a text in lower case with straight apostrophes, as the patterns read it."""
    return " ".join(text.lower().replace("’", "'").split(" "))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


def clauses(sentence: str) -> list[str]:
    """Return the parts of a sentence between which it turns."""
    return [part for part in _CONTRAST.split(sentence) if part.strip()]

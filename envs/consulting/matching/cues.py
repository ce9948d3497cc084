"""Turns of phrase that show what a candidate's words are for."""

from __future__ import annotations

import re
from functools import lru_cache

from pydantic import Field

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen
from .text import surface_words

_GAP = "..."


class CueFile(Frozen):
    """`cues.yaml`: phrases by kind; `...` in one stands for any words between."""

    canary: str
    opinion: list[str] = Field(min_length=1)
    solution: list[str] = Field(min_length=1)
    definition: list[str] = Field(min_length=1)
    procedure: list[str] = Field(min_length=1)
    passing: list[str] = Field(min_length=1)
    instruction: list[str] = Field(min_length=1)
    purposeless: list[str] = Field(min_length=1)
    asks: list[str] = Field(min_length=1)
    opens: list[str] = Field(min_length=1)
    leads: list[str] = Field(min_length=1)


KINDS = tuple(name for name in CueFile.model_fields if name != "canary")


def spoken(text: str) -> str:
    """Return the words of a text with single blanks between and around them, apostrophes dropped."""
    return f" {' '.join(surface_words(text))} ".replace("'", "")


class Cues:
    """Finds cues in what is said."""

    def __init__(self, file: CueFile) -> None:
        self._patterns = {kind: _pattern(getattr(file, kind)) for kind in KINDS}

    def found(self, said: str, kind: str) -> bool:
        """Whether a text, as `spoken` returns it, holds a cue of a kind."""
        return self._patterns[kind].search(said) is not None

    def starts(self, said: str, kind: str) -> bool:
        """Whether a text, as `spoken` returns it, begins with a cue of a kind."""
        return self._patterns[kind].match(said) is not None


def _pattern(phrases: list[str]) -> re.Pattern[str]:
    parts = (spoken(_GAP.join(each.split(_GAP))) if _GAP not in each else _gapped(each) for each in phrases)
    return re.compile("|".join(sorted({each if _GAP in each else re.escape(each) for each in parts})))


def _gapped(phrase: str) -> str:
    before, after = phrase.split(_GAP, 1)
    return f"{re.escape(spoken(before))}(?:.* )?{re.escape(spoken(after)[1:])}"


@lru_cache(maxsize=1)
def cues() -> Cues:
    """Return the packaged cues; read once a process.

    Raises:
        DataError: The file breaks its schema.
    """
    return Cues(validate(CueFile, parse(packaged_text("consulting/lexicon", "cues.yaml"), "cues.yaml"), "cues.yaml"))

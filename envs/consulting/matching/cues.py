"""Turns of phrase that show what a candidate's words are for."""

from __future__ import annotations

import re
from functools import lru_cache

from pydantic import Field

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen
from ..stems import stem
from .text import surface_words

_GAP = "..."


class CueFile(Frozen):
    """`cues.yaml`: phrases by kind; `...` in one stands for any words between. `filler` holds single words."""

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
    picks: list[str] = Field(min_length=1)
    vague: list[str] = Field(min_length=1)
    filler: list[str] = Field(min_length=1)


KINDS = tuple(name for name in CueFile.model_fields if name not in ("canary", "filler"))


def spoken(text: str) -> str:
    """Return the words of a text with single blanks between and around them, apostrophes dropped."""
    return f" {' '.join(surface_words(text))} ".replace("'", "")


class Cues:
    """Finds cues in what is said.

    Attributes:
        filler: Stems of courtesies and of words of asking, which tell nothing of what is asked for.
    """

    def __init__(self, file: CueFile) -> None:
        self.filler = frozenset(stem(word) for word in file.filler)
        self._patterns = {kind: phrases(getattr(file, kind)) for kind in KINDS}

    def found(self, said: str, kind: str) -> bool:
        """Whether a text, as `spoken` returns it, holds a cue of a kind."""
        return self._patterns[kind].search(said) is not None

    def starts(self, said: str, kind: str) -> bool:
        """Whether a text, as `spoken` returns it, begins with a cue of a kind."""
        return self._patterns[kind].match(said) is not None


def phrases(listed: list[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of some phrases in a text as `spoken` returns it."""
    parts = (spoken(_GAP.join(each.split(_GAP))) if _GAP not in each else _gapped(each) for each in listed)
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

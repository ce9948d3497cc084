"""The lexicon: how candidates ask for each type of fact, what comes close, and the words that stand for one idea."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, NamedTuple, Self

from pydantic import Field, model_validator

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen
from ..fact_types import FOLDER, fact_types
from .questions import packaged_set

NEGATIVES = ("opinion", "solution", "definition", "procedure", "chat", "instruction", "statement", "passing")
PURPOSELESS, INSTRUCTION = "purposeless", "instruction"
SEVERAL = "several"
NEAR = "near"
LEARNED_SETS = ("set1",)
_KIND_OF = {"near_trigger": NEAR, **{kind: kind for kind in ("chat", PURPOSELESS, "instruction", "statement")}}
_LEXICON = f"{FOLDER}/lexicon"
_WHOLE_PHRASINGS = 40

Text = Annotated[str, Field(min_length=2, max_length=400)]
Lines = Annotated[list[Text], Field(min_length=1)]


class Phrasings(Frozen):
    """How people ask for a type of fact, by their way of speaking.

    Attributes:
        terse: A few words.
        plain: Everyday questions.
        polite: Wrapped in courtesy.
        long: With the reason or the context.
        jargon: In the words of consultants.
        simple: As by someone whose first language is another.
        heard: Further ways, of any manner.
        near: Comes close and asks for something else: never a match.
    """

    terse: Lines
    plain: Lines
    polite: Lines
    long: Lines
    jargon: Lines
    simple: Lines
    heard: list[Text] = Field(default_factory=list)
    near: Lines

    @property
    def all(self) -> tuple[str, ...]:
        """Every phrasing that asks for the type."""
        return (*self.terse, *self.plain, *self.polite, *self.long, *self.jargon, *self.simple, *self.heard)

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if len(self.all) < _WHOLE_PHRASINGS:
            raise ValueError(f"{len(self.all)} phrasings; {_WHOLE_PHRASINGS} are needed")
        return self


class TopicFile(Frozen):
    """The phrasings of one topic's types."""

    canary: str
    topic: str
    types: dict[str, Phrasings]


class NegativeFile(Frozen):
    """What asks for no fact, or for no single one, by kind."""

    canary: str
    kinds: dict[str, Lines]

    @model_validator(mode="after")
    def _kinds_are_known(self) -> Self:
        if set(self.kinds) != {*NEGATIVES, PURPOSELESS, SEVERAL}:
            raise ValueError(f"kinds: must be {', '.join((*NEGATIVES, PURPOSELESS, SEVERAL))}")
        return self


class SynonymFile(Frozen):
    """Words by idea: of a trade, which it replaces, and others, beside which it counts; words that keep their end."""

    canary: str
    industry: dict[str, Lines]
    ideas: dict[str, Lines]
    apart: Lines


class Phrase(NamedTuple):
    """A line of the lexicon.

    Attributes:
        text: What is said.
        label: A type of fact, or a kind of negative.
        manner: The way of speaking, empty for a negative.
    """

    text: str
    label: str
    manner: str = ""


def _read(name: str) -> object:
    return parse(packaged_text(_LEXICON, name), name)


@lru_cache(maxsize=1)
def synonyms() -> SynonymFile:
    """Return the ideas; read once a process.

    Raises:
        DataError: The file breaks its schema.
    """
    return validate(SynonymFile, _read("synonyms.yaml"), "synonyms.yaml")


def phrasings() -> dict[str, Phrasings]:
    """Return the phrasings of every type of fact, in the order of the types.

    Raises:
        DataError: A file breaks its schema.
        ValueError: A type has no phrasings, or stands under another topic.
    """
    known = fact_types()
    found: dict[str, Phrasings] = {}
    for topic in known.topics:
        name = f"{topic}.yaml"
        file = validate(TopicFile, _read(name), name)
        strays = [each for each in file.types if each not in known.types or known.topic_of(each) != topic]
        if strays or file.topic != topic:
            raise ValueError(f"{name}: {', '.join(strays) or file.topic} belongs elsewhere")
        found.update(file.types)
    missing = [each for each in known.types if each not in found]
    if missing:
        raise ValueError(f"no phrasings of {', '.join(missing)}")
    return {each: found[each] for each in known.types}


def lines() -> list[Phrase]:
    """Return every line to learn from: the lexicon and the blind sets that joined it after they were measured.

    What asks for several things is left out: it is no example of one.

    Raises:
        DataError: A file breaks its schema.
    """
    out: list[Phrase] = []
    for label, spoken in phrasings().items():
        for manner in ("terse", "plain", "polite", "long", "jargon", "simple", "heard"):
            out += [Phrase(text, label, manner) for text in getattr(spoken, manner)]
        out += [Phrase(text, NEAR) for text in spoken.near]
    negatives = validate(NegativeFile, _read("negatives.yaml"), "negatives.yaml")
    for kind, texts in negatives.kinds.items():
        out += [Phrase(text, kind) for text in texts if kind != SEVERAL]
    for name in LEARNED_SETS:
        asked = packaged_set(name)
        out += [Phrase(each.question, each.type, "heard") for each in asked.questions]
        out += [Phrase(each.question, _KIND_OF[each.kind]) for each in asked.negatives if each.kind != SEVERAL]
    return out

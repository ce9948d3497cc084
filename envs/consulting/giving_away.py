"""What an interviewer must not give away: a judgement of an option, the cause of it all, a fact in other words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from pydantic import Field

from ..core.data import packaged_text, parse, validate
from ..core.tasks import Frozen
from .case import Case, CaseFact, CaseOption
from .fact_types import FOLDER, fact_types
from .matching import ideas
from .matching.cues import cues, phrases, spoken
from .similarity import ngrams
from .stems import content, meets

_FILE = "verdicts.yaml"
_SENTENCE = re.compile(r"(.+?)([.!?;\n]+(?=\s|$)|\s[-\u2013\u2014]\s|$)", re.DOTALL)
_CLAUSE = re.compile(r"[,:]|\b(?:so|then|and|but|hence|therefore|simply|just|please|also)\b", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z]+(?:[-'][a-z]+)*")
_BY_PLACE = re.compile(
    r" (?:option|number|choice) (?:#|one|two|three|four|a|b|c|d) | (?:first|second|third|last) (?:option|one) "
)
_SMALL_TALK = "back carry come first follow later next speak time way"
_TELLING = 2.0
_WITH_IDEA = 0.5


class VerdictFile(Frozen):
    """`verdicts.yaml`: phrases that praise, condemn or bar an option, urge to take it, explain, decline, or say that
    nothing is known."""

    canary: str
    praises: list[str] = Field(min_length=1)
    condemns: list[str] = Field(min_length=1)
    bars: list[str] = Field(min_length=1)
    urges: list[str] = Field(min_length=1)
    explains: list[str] = Field(min_length=1)
    declines: list[str] = Field(min_length=1)
    lacks: list[str] = Field(min_length=1)


@lru_cache(maxsize=1)
def verdicts() -> dict[str, re.Pattern[str]]:
    """Return the packaged phrases as patterns; read once a process.

    Raises:
        DataError: The file breaks its schema.
    """
    file = validate(VerdictFile, parse(packaged_text(FOLDER, _FILE), _FILE), _FILE)
    return {kind: phrases(getattr(file, kind)) for kind in VerdictFile.model_fields if kind != "canary"}


class Heard(NamedTuple):
    """What a reply is measured against.

    Attributes:
        case: The case.
        known: Ids of the facts that were told, and of the one that the reply tells.
        allowed: Texts that may be said: the statement, the question, the sentences of those facts.
        fact: The fact that the reply tells, None for none.
    """

    case: Case
    known: frozenset[str]
    allowed: tuple[str, ...]
    fact: CaseFact | None

    @property
    def told(self) -> frozenset[str]:
        """The stems of the fact that the reply tells."""
        return frozenset() if self.fact is None else content(self.fact.sentence)

    @property
    def words(self) -> frozenset[str]:
        """The stems that may be said."""
        return content(" ".join(self.allowed))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, of each question with its mark."""
    found = ((each[1], each[2]) for each in _SENTENCE.finditer(text))
    return [words + ("?" if "?" in mark else "") for words, mark in found if words.strip()]


def judges(say: str, heard: Heard) -> bool:
    """Whether a sentence praises, condemns or rules out an option, urges to take it, or brings it up of itself."""
    may = spoken(" . ".join(heard.allowed))
    bars = () if heard.case.solution.constraint.fact in heard.known else ("bars",)
    for sentence in sentences(say):
        said = spoken(sentence)
        if verdicts()["declines"].search(said) or not _names_an_option(sentence, heard.case):
            continue
        if any(_says(said, kind, may) for kind in ("praises", "condemns", *bars)) or _urges(sentence, may):
            return True
        if _brings_up(sentence, said, heard):
            return True
    return False


def _brings_up(sentence: str, said: str, heard: Heard) -> bool:
    """Whether a sentence states something of an option that is neither asked nor told."""
    if "?" in sentence or verdicts()["lacks"].search(said):
        return False
    words = content(sentence)
    own = frozenset[str]().union(*(_own_words(name, heard.case.options) for name in heard.case.options))
    free = content(" ".join(heard.allowed[1:])) | _general()
    return bool(words & own - free) and not words & heard.told


def explains(say: str, heard: Heard) -> bool:
    """Whether a sentence says what the cause of it all is, or what the client will not have."""
    may = spoken(" . ".join(heard.allowed))
    for sentence in sentences(say):
        said = spoken(sentence)
        if verdicts()["declines"].search(said) or "?" in sentence:
            continue
        if _says(said, "explains", may) or _names_what_is_hidden(sentence, said, heard):
            return True
    return False


def _names_what_is_hidden(sentence: str, said: str, heard: Heard) -> bool:
    """Whether a sentence that is none of the fact told names the root cause, or the constraint, before it was told."""
    case, words = heard.case, content(sentence)
    if words & heard.told or verdicts()["lacks"].search(said):
        return False
    free = content(heard.allowed[1]) | cues().filler
    hidden = [(each.fact, each.words) for each in case.causes if each.role == "root"]
    hidden.append((case.solution.constraint.fact, case.solution.constraint.words))
    rest = " ".join(word for word in _LETTERS.findall(sentence.lower()) if content(word) - free)
    return any(fact_id not in heard.known and meets(groups, rest) for fact_id, groups in hidden)


def repeats_the_solution(say: str, heard: Heard) -> bool:
    """Whether five words in a row are those of the solution, and neither may be said nor rest on the fact told."""
    solution = heard.case.solution
    tied = [(each.fact, each.text) for each in (*solution.risks, *solution.next_steps)]
    tied += [(each.fact, each.text) for each in heard.case.causes]
    tied.append((solution.constraint.fact, solution.constraint.text))
    hidden = [solution.reference, solution.why_not, *(text for _, text in tied)]
    own = None if heard.fact is None else heard.fact.fact_id
    free = [*heard.allowed, *(text for fact_id, text in tied if fact_id == own)]
    return bool(ngrams(say) & (_five_words(hidden) - _five_words(free)))


def told_beside(say: str, heard: Heard) -> str:
    """Return the id of a fact that was not told and that a sentence tells in its own words, "" for none."""
    may, hidden = heard.words, [fact for fact in heard.case.facts if fact.fact_id not in heard.known]
    kept = {fact.fact_id: _about(fact, heard.case) - may for fact in hidden}
    for sentence in sentences(say):
        words = content(sentence) - may - cues().filler
        meant = ideas(sentence) - ideas(" ".join(heard.allowed)[:600])
        for fact in hidden:
            rare = {each for each in words & kept[fact.fact_id] if not _common(each)}
            weight = len(rare) + _WITH_IDEA * len(meant & ideas(fact.sentence)) if rare else 0.0
            if weight >= _TELLING and len(words & kept[fact.fact_id]) >= _TELLING:
                return fact.fact_id
    return ""


def _about(fact: CaseFact, case: Case) -> frozenset[str]:
    """Return the stems of all that a case says of a fact: its sentence, what it shows, and what follows from it."""
    solution = case.solution
    texts = [fact.sentence]
    texts += [f"{each.text} {' '.join(each.words)}" for each in case.causes if each.fact == fact.fact_id]
    if solution.constraint.fact == fact.fact_id:
        texts += [solution.constraint.text, " ".join(solution.constraint.words)]
    return content(" ".join(texts).replace("|", " "))


def _names_an_option(sentence: str, case: Case) -> bool:
    said, words = spoken(sentence), content(sentence)
    if _BY_PLACE.search(said) or any(f" {name.replace('_', ' ')} " in said for name in case.options):
        return True
    return bool(words & content(" ".join(each.text for each in case.options.values())) - _general() - _small_talk())


def _own_words(name: str, options: dict[str, CaseOption]) -> frozenset[str]:
    """Return the stems by which an option differs from the others."""
    others = (content(each.text) for other, each in options.items() if other != name)
    return content(options[name].text) - frozenset[str]().union(*others) - _small_talk()


def _says(said: str, kind: str, may: str) -> bool:
    """Whether a sentence holds a phrase of a kind that what may be said does not hold."""
    return any(found[0] not in may for found in verdicts()[kind].finditer(said))


def _urges(sentence: str, may: str) -> bool:
    clauses = (spoken(each) for each in _CLAUSE.split(sentence))
    return any(each.strip() and each not in may and verdicts()["urges"].match(each) for each in clauses)


def _five_words(texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
    return frozenset[tuple[str, ...]]().union(*map(ngrams, texts))


def _common(word: str) -> bool:
    """Whether a stem is of a general kind: one of those by which types of facts and their topics are described."""
    return word in _general()


@lru_cache(maxsize=1)
def _small_talk() -> frozenset[str]:
    return cues().filler | content(_SMALL_TALK)


@lru_cache(maxsize=1)
def _general() -> frozenset[str]:
    file = fact_types()
    return content(" ".join([*file.topics.values(), *(each.means for each in file.types.values())]))

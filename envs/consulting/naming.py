"""What a recommendation says of the causes and the constraint of a case: names, denies, sets aside or blames them."""

from __future__ import annotations

import re
from typing import NamedTuple

from .case import Case
from .stance import clauses, plain, sentences, stance
from .stems import meets
from .subjects import CAUSE, CONSTRAINT, FACT, OPTION, ROOT, Likeness, subjects_of


class _Bar(NamedTuple):
    """What a text must have in common with a subject, and how much of what it has with a fact and with another one."""

    least: float
    words: int
    ideas: int
    of_fact: float
    of_other: float


_BARS = {ROOT: _Bar(3.5, 2, 0, 0.8, 0.85), CONSTRAINT: _Bar(4.0, 0, 3, 0.8, 0.65)}
_IDEAS_ALONE = 4
"""Ideas that a text must share where it shares no word."""
_CLEAR = 4.0
_MUCH_MORE = 2.0
_LEAST_BLAMED = 2.0
_LEAST_MENTIONED = 2.0
_BESIDE = 0.4
_SHORT = 8
_POINTS_BACK = re.compile(r"(?:i|we|this|that|it|these|those|which|none|nothing|not)\b")
_ANNOUNCED = re.compile(
    r"(?:(?:this|that|it|here|what follows|the following)\b(?:\W+[\w']+){0,5}|(?:an? )?(?:myth|fairy tale|red herring)|"
    r"wrong|false|untrue|nonsense|not (?:so|true|the case)|no (?:issue|problem|cause|reason))\s*:"
)
_DENIED_WHOLE = re.compile(
    r"(?:it|that|this)(?:'s| is| was) (?:\w+ )?"
    r"(?:not true|not the case|false|untrue|wrong|incorrect|a mistake|nonsense|a myth) (?:that|to)\b|"
    r"(?:i|we|nobody|no one) (?:\w+ )?(?:do not|don't|cannot|can't|would not|wouldn't|should|reject|deny|doubt)\b"
    r"(?:\W+\w+){0,4}\W+that\b"
)
_MAY_BE = re.compile(r"\b(?:may|might|could|if|unless|should|would)\b")


class Reading:
    """Reads texts of a recommendation on one case.

    Args:
        case: The case.
    """

    def __init__(self, case: Case) -> None:
        self._case = case
        self._subjects = subjects_of(case)
        root = next(each.words for each in case.causes if each.role == ROOT)
        self._words = {ROOT: root, CONSTRAINT: case.solution.constraint.words}
        self._herrings = [each.cause_id for each in case.causes if each.role == "red_herring"]

    @property
    def words(self) -> frozenset[str]:
        """The stems of all that is said about the subjects of the case."""
        return frozenset[str]().union(*self._subjects.features.values())

    def likeness(self, text: str) -> Likeness:
        """Return what a text has in common with each subject of the case."""
        return self._subjects.likeness(text, self._case.currency)

    def names_root(self, text: str) -> bool:
        """Whether a text names the root cause, apart from what it denies of it."""
        return self._names(ROOT, self._without_denials(text))

    def denies_root(self, text: str) -> bool:
        """Whether a sentence of a text is about the root cause and denies that it is one."""
        denied = [each for each in sentences(text) if stance().rejects.search(plain(each))]
        return any(self._is_root(each) and self._names(ROOT, each) and not self.names_root(each) for each in denied)

    def names_constraint(self, text: str) -> bool:
        """Whether a text names the constraint, apart from sentences that set it aside."""
        kept = [each for each in sentences(text) if not stance().dismisses.search(plain(each))]
        return self._names(CONSTRAINT, " ".join(kept))

    def dismisses_constraint(self, text: str) -> bool:
        """Whether a sentence of a text is about the constraint and sets it aside."""
        aside = [each for each in sentences(text) if stance().dismisses.search(plain(each))]
        return any(self._names(CONSTRAINT, each) for each in aside)

    def blamed(self, text: str, is_reason: bool) -> list[str]:
        """Return the ids of the red herrings that a text names as a cause.

        A sentence that speaks of one and of cause or blame does so, unless it weighs or rejects it. As a reason, a text
        that is about one does so already, unless it is weighed, rejected, or stands beside the root cause. What may
        come to be is a risk and no cause.
        """
        plainly = [name for each in sentences(text) for name in self._herrings if self._blames(each, name, is_reason)]
        if plainly or not is_reason or _weighs(text):
            return plainly
        there = self.likeness(text)
        beside = there.of(ROOT) >= _BESIDE * there.of(there.best)
        return [] if beside else [name for name in self._herrings if _is_about_herring(there, name, _LEAST_MENTIONED)]

    def _names(self, subject: str, text: str) -> bool:
        if not text:
            return False
        about = any(_is_about(self.likeness(each), subject) for each in (text, *sentences(text)))
        return about or meets(self._words[subject], text)

    def _blames(self, sentence: str, cause_id: str, is_reason: bool) -> bool:
        said = plain(sentence)
        if _weighs(sentence) or not stance().blames.search(said) or (not is_reason and _MAY_BE.search(said)):
            return False
        return _is_about_herring(self.likeness(sentence), cause_id, _LEAST_BLAMED)

    def _without_denials(self, text: str) -> str:
        """Return what of a text stands once its denials are taken out.

        A denial takes its sentence with it where it is about the root cause; else what stands before it in the
        sentence, and the sentence before where it points back at that; nothing else where it is plainly about
        something else.
        """
        kept: list[str] = []
        for sentence in sentences(text):
            parts = clauses(sentence)
            denied = [k for k, part in enumerate(parts) if stance().rejects.search(plain(part))]
            own = [k for k in denied if not self._is_elsewhere(parts[k])]
            if 0 in own and kept and _points_back(parts[0]):
                kept.pop()
            said = plain(sentence)
            announced = denied and (_DENIED_WHOLE.match(said) or (0 in denied and _ANNOUNCED.match(said)))
            if announced or any(self._is_root(parts[k]) for k in own):
                continue
            first = max(own) + 1 if own else 0
            kept.append(" ".join(part for k, part in enumerate(parts) if k >= first and k not in denied))
        return " ".join(filter(None, kept))

    def _is_root(self, clause: str) -> bool:
        there = self.likeness(clause)
        return there.best == ROOT and there.of(ROOT) >= _CLEAR

    def _is_elsewhere(self, clause: str) -> bool:
        """Whether a clause is plainly about another subject than the root cause."""
        there = self.likeness(clause)
        return there.best != ROOT and there.of(there.best) >= max(_CLEAR, _MUCH_MORE * there.of(ROOT))


def _is_about(there: Likeness, subject: str) -> bool:
    bar, own = _BARS[subject], there.of(subject)
    words, ideas = there.words[subject], there.ideas[subject]
    enough = words >= bar.words and (words > 1 or ideas >= (bar.ideas if words else _IDEAS_ALONE))
    return (
        enough
        and own >= bar.least
        and all(
            own >= score * (bar.of_fact if name.startswith(FACT) else bar.of_other)
            for name, score in there.scores.items()
            if name != subject and not name.startswith(OPTION)
        )
    )


def _is_about_herring(there: Likeness, cause_id: str, least: float) -> bool:
    return there.best == f"{CAUSE}{cause_id}" and there.of(there.best) >= least


def _weighs(text: str) -> bool:
    found = plain(text)
    return bool(stance().rejects.search(found) or stance().weighs.search(found))


def _points_back(clause: str) -> bool:
    return len(clause.split()) <= _SHORT and bool(_POINTS_BACK.match(plain(clause)))

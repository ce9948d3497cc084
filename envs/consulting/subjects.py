"""What a text is about: the cause, the constraint or the fact of a case that it has most in common with.

Each of these is a subject, with the words, ideas and figures of all that is said about it. What two subjects share
counts less than what only one of them has. A text is about a subject where it has enough in common with it, and with no
other one more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .case import Case, CaseCause
from .plain_words import ideas_of, plain_words
from .quantities import claims
from .stems import MEASURES, content, stems

ROOT, CONSTRAINT = "root", "constraint"
CAUSE, FACT, OPTION = "cause ", "fact ", "option "
"""What the names of other causes, facts and options begin with; their ids follow."""
_STEM, _START, _IDEA, _FIGURE = 1.0, 0.5, 0.5, 1.0
_START_LENGTH = 5
_PUBLIC_SHARE = 0.6
_ALSO_SHARE = 0.6
_TALK_SHARE = 0.25
_SMALL = 12


class Likeness(NamedTuple):
    """How much a text has in common with each subject of a case.

    Attributes:
        scores: By subject.
        words: By subject, how many words it shares.
        ideas: By subject, how many ideas and figures it shares.
    """

    scores: Mapping[str, float]
    words: Mapping[str, int]
    ideas: Mapping[str, int]

    @property
    def best(self) -> str:
        """The subject that it has most in common with, the first of several."""
        return max(self.scores, key=lambda name: self.scores[name])

    def of(self, subject: str) -> float:
        """Return the score of one subject."""
        return self.scores[subject]


class Subjects(NamedTuple):
    """The subjects of a case.

    Attributes:
        features: Of each subject, what it is known by.
        weights: How much each feature tells.
    """

    features: Mapping[str, frozenset[str]]
    weights: Mapping[str, float]

    def likeness(self, text: str, currency: str) -> Likeness:
        """Return how much a text has in common with each subject."""
        there = features_of(text, currency)
        # Sorted, since sums of floats depend on their order, and that of a set on the process.
        found = {name: sorted(own & there) for name, own in self.features.items()}
        scores = {name: sum(self.weights[each] for each in common) for name, common in found.items()}
        words = {
            name: sum(each[0] not in "#=" and each[-1] != "~" for each in common) for name, common in found.items()
        }
        return Likeness(
            scores, words, {name: sum(each[0] in "#=" for each in common) for name, common in found.items()}
        )


@lru_cache(maxsize=8192)
def features_of(text: str, currency: str) -> frozenset[str]:
    """Return the stems, the starts of long stems, the ideas and the figures of a text."""
    words = content(text) - MEASURES
    told = (each for each in claims(text, currency) if abs(each.figure) > _SMALL or each.kind == "percent")
    figures = {f"#{abs(each.figure):g}" for each in told}
    starts = {f"{word[:_START_LENGTH]}~" for word in words if len(word) >= _START_LENGTH}
    return frozenset({*words, *starts, *(f"={idea}" for idea in ideas_of(tuple(stems(text)))), *figures})


def subjects_of(case: Case) -> Subjects:
    """Return the subjects of a case: its causes, its constraint, its options, and every other fact."""
    features = {name: _features(case, texts) for name, texts in _texts(case).items()}
    more = {_name(each): _features(case, [_plain(each.also)]) - features[_name(each)] for each in case.causes}
    features |= {name: features[name] | also for name, also in more.items()}
    shared = Counter(each for own in features.values() for each in own)
    public, also = features_of(case.statement, case.currency), frozenset[str]().union(*more.values())
    talk = features_of(" ".join(plain_words().talk), case.currency)
    weights = {}
    for each, n in shared.items():
        share = (_PUBLIC_SHARE if each in public else 1.0) * (_ALSO_SHARE if each in also else 1.0)
        share *= _TALK_SHARE if each in talk else 1.0
        weights[each] = _kind_weight(each) * math.log((len(features) + 1) / n) * share
    return Subjects(features, weights)


def _texts(case: Case) -> dict[str, list[str]]:
    """Return what is said about each subject."""
    constraint = case.solution.constraint
    texts = {_name(each): [each.text, _plain(each.words), *_sentence(case, each.fact)] for each in case.causes}
    texts[CONSTRAINT] = [constraint.text, _plain(constraint.words), *_sentence(case, constraint.fact)]
    used = {constraint.fact, *(cause.fact for cause in case.causes)}
    texts |= {f"{FACT}{fact.fact_id}": [fact.sentence] for fact in case.facts if fact.fact_id not in used}
    return texts | {f"{OPTION}{name}": [each.text, each.why_not] for name, each in case.options.items()}


def _name(cause: CaseCause) -> str:
    return ROOT if cause.role == "root" else f"{CAUSE}{cause.cause_id}"


def _features(case: Case, texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*(features_of(each, case.currency) for each in texts))


def _kind_weight(feature: str) -> float:
    if feature.startswith("#"):
        return _FIGURE
    return _IDEA if feature.startswith("=") else _START if feature.endswith("~") else _STEM


def _plain(groups: Iterable[str]) -> str:
    return " . ".join(groups).replace("|", " . ")


def _sentence(case: Case, fact_id: str) -> list[str]:
    return [case.by_id[fact_id].sentence] if fact_id in case.by_id else []

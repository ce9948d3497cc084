"""Points for what a recommendation says: business sense and communication."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .headline import says
from .naming import Reading
from .observation import request_text
from .play import Interview
from .points import Point
from .quotation import Quotable
from .recommendation import Recommendation, rests_on, texts_alike
from .stance import sentences
from .stems import content

WORDS = (16, 320)
"""A recommendation has at least so many different words that count, and at most so many words in all."""


class Argument:
    """What a recommendation says, held against its interview.

    Args:
        interview: The interview.
        given: The recommendation.
    """

    def __init__(self, interview: Interview, given: Recommendation) -> None:
        self._case, self._progress, self._given = interview.case, interview.progress, given
        self._revealed = [interview.case.by_id[fact_id] for fact_id in interview.progress.known]
        self._reading = Reading(interview.case)
        # What a candidate can have copied: the case as it was shown, and what it was told.
        self._heard = Quotable([request_text(interview.case), *(fact.sentence for fact in self._revealed)])

    def is_baseless(self) -> bool:
        """Whether it decides wrongly and cites no fact that was revealed."""
        if self._given.decision == self._case.solution.decision:
            return False
        return not any(self._tie(text) for text in self._given.texts)

    def business_sense(self, numbers: Sequence[Point]) -> Iterator[Point]:
        """Yield the points for business sense.

        Args:
            numbers: The points for numbers: where one is right, something was concluded.
        """
        given, wanted = self._given, self._case.solution.decision
        yield Point("business_sense", "decision", 4.0 * (given.decision == wanted), 4.0, wanted, given.decision[:80])
        found = [self._root_cause(), self._constraint()]
        yield from found
        concluded = any(point.earned > 0 for point in (*found, *numbers))
        for name, texts in (("risk", given.risks), ("next_step", given.next_steps)):
            tied = [fact for fact in (self._tie(self._heard.own(text)) for text in texts) if fact]
            seen = f"rests on {tied[0]}" if tied else "rests on no fact that was revealed"
            seen += "" if concluded else ", and nothing was concluded"
            turn = self._released(tied[0]) if tied else None
            earned = 1.0 * bool(tied and concluded)
            yield Point("business_sense", name, earned, 1.0, "rests on a revealed fact", seen, turn)

    def communication(self) -> Iterator[Point]:
        """Yield the points for communication."""
        given = self._given
        says_it = says(self._case, given.decision, given.headline)
        first, expected = 3.0 * says_it, "the headline says the decision"
        yield Point("communication", "answer_first", first, 3.0, expected, given.headline[:80])
        distinct, total = len(self._words_that_count()), sum(len(text.split()) for text in given.texts)
        fits = WORDS[0] <= distinct and total <= WORDS[1]
        expected = f"{WORDS[0]} different words or more, {WORDS[1]} in all or fewer"
        seen = f"{distinct} different that count, {total} in all"
        yield Point("communication", "length", 3.0 * fits, 3.0, expected, seen)
        again = texts_alike(given.texts)
        once = 2.0 * (not again and bool(given.texts))
        yield Point("communication", "no_repeats", once, 2.0, "no repeats", again or "none")
        yield Point("communication", "closed", 2.0, 2.0, "closed within the turns", "closed")

    def _root_cause(self) -> Point:
        given, reading = self._given, self._reading
        root = next(cause for cause in self._case.causes if cause.role == "root")
        found = bool(given.counted) and reading.names_root(self._heard.own(given.counted[0]))
        blamed = [name for text in given.texts for name in reading.blamed(text, text in given.reasons)]
        denied = any(reading.denies_root(text) for text in (given.headline, *given.reasons))
        seen = "denied" if denied else "named" if found else "not named"
        seen = f"names {', '.join(dict.fromkeys(blamed))}" if blamed else seen
        seen += "" if self._knows(root.fact) else ", not shown by a fact"
        earned = 2.0 * (found and self._knows(root.fact) and not blamed and not denied)
        return Point("business_sense", "root_cause", earned, 2.0, root.cause_id, seen, self._released(root.fact))

    def _constraint(self) -> Point:
        given, reading, constraint = self._given, self._reading, self._case.solution.constraint
        said = any(reading.names_constraint(self._heard.own(text)) for text in given.texts)
        aside = any(reading.dismisses_constraint(text) for text in given.texts)
        kept = given.decision in self._case.options and given.decision not in constraint.barred
        seen = f"{'set aside' if aside else 'named' if said else 'not named'}, {'kept' if kept else 'not kept'}"
        earned = 2.0 * (said and kept and self._knows(constraint.fact) and not aside)
        turn = self._released(constraint.fact)
        return Point("business_sense", "constraint", earned, 2.0, constraint.text, seen, turn)

    def _knows(self, fact_id: str) -> bool:
        return fact_id in self._progress.known or fact_id in self._case.given

    def _released(self, fact_id: str) -> int | None:
        """Return the step in which a fact was told, None where it was not."""
        told = (each for each in self._progress.asked if each.answered == "released" and each.fact_id == fact_id)
        return next((each.turn for each in told), None)

    def _tie(self, text: str) -> str | None:
        return rests_on(text, self._revealed, self._case)

    def _words_that_count(self) -> frozenset[str]:
        """Return the words towards the least length: those that the case has use for, in sentences that say much."""
        case, reading, decision = self._case, self._reading, self._given.decision
        own = [each for text in self._given.texts for each in sentences(self._heard.own(text))]
        saying = [each for each in own if self._tie(each) or reading.names_root(each) or reading.names_constraint(each)]
        headline = [each for each in sentences(self._given.headline) if says(case, decision, each)]
        return content(" ".join([*headline, *saying])) & (reading.words | content(case.statement))

"""An interview as it runs, calls in and words out; the environment, the scores and the players share it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from . import interviewer
from .arithmetic import Sources
from .blueprints import blueprint
from .case import Case
from .drivers import Driver, Respondent, Scripted
from .live import Live
from .matching import match as default_matcher
from .quantities import UnitReader, claims, finite, reader_of
from .recommendation import Recommendation, StatedNumber
from .state import Progress
from .stems import stems
from .units import Dimension, unit_of

ASK, SHARE, EXHIBIT, SUBMIT = "ask_interviewer", "share_analysis", "request_exhibit", "submit_recommendation"
SHARE_TOLERANCE = 0.02
CHECKS = 2
"""How often a number is judged in an interview, so that nobody finds it by trying."""
NO_MORE_CHECKS = "I have judged that one twice and will not check it again; work it through."
WEEKS_OF_A_YEAR = 52.0
NO_EXHIBIT = "We have no exhibit of that name."
THANKS = "Thank you; that is all."
_IN_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
CUT_OFF = "I have to stop you here: the time is up, and there is no recommendation."


class Interview:
    """One interview.

    Args:
        case: The case.
        respondent: Who answers questions; the script unless told otherwise.

    Attributes:
        case: The case.
        progress: The state.
        recommendation: What was submitted, None so far.
        submitted_turn: The step in which it was.
        ran_out: Whether it ended because a question came after the last turn.
    """

    def __init__(self, case: Case, respondent: Respondent | None = None) -> None:
        self.case = case
        self.progress = Progress()
        self.recommendation: Recommendation | None = None
        self.submitted_turn: int | None = None
        self.ran_out = False
        self._respondent = respondent or Scripted(default_matcher)

    def play(self, turn: int, name: str, arguments: Mapping[str, Any]) -> str:
        """Play one call, and return what the interviewer says.

        Args:
            turn: Step of the episode.
            name: The tool.
            arguments: Validated, or as they stand in a record.
        """
        if name == ASK:
            return self.ask(turn, arguments["question"], arguments.get("topic"))
        if name == SHARE:
            numbers = [StatedNumber.model_validate(each) for each in arguments.get("numbers") or ()]
            return self.share(arguments["text"], numbers)
        if name == EXHIBIT:
            return self.exhibit(arguments["name"])
        return self.submit(turn, Recommendation.of(arguments))

    def ask(self, turn: int, question: str, topic: str | None = None) -> str:
        """Put a question; one after the last turn ends the interview."""
        if self._out_of_time():
            return CUT_OFF
        answer = self._respondent.ask(self.case, self.progress, turn, question, topic)
        self.progress = answer.progress
        return f"{answer.text} {interviewer.time_note(self.case, self.progress)}"

    def exhibit(self, name: str) -> str:
        """Ask for an exhibit: free once the interviewer has named it, one turn otherwise."""
        found = self.case.exhibit_called(name)
        cost = 0 if found is not None and found.name in (*self.progress.named, *self.progress.opened) else 1
        if cost and self._out_of_time():
            return CUT_OFF
        self.progress = self.progress.with_(exhibit_turns=self.progress.exhibit_turns + cost)
        if found is None:
            return f"{NO_EXHIBIT} {interviewer.time_note(self.case, self.progress)}"
        if found.name not in self.progress.opened:
            self.progress = self.progress.with_(opened=(*self.progress.opened, found.name))
        table = found.text({*self.progress.known, *self.case.given})
        return f"{table}\n\n{interviewer.time_note(self.case, self.progress)}"

    def share(self, text: str, numbers: Sequence[StatedNumber]) -> str:
        """Share an analysis: which of its numbers follow from what has been said, and nothing of the decision.

        Each number is judged twice at most; what says nothing of its value, such as a wrong unit, is not counted.
        """
        self.progress = self.progress.with_(shared=self.progress.shared + 1)
        if not numbers:
            return "I follow you. Give me the numbers that come out of it, and I will tell you whether they are right."
        values, reader = self.values(), unit_reader(self.case)
        return "\n".join([f"{each.metric}: {self._verdict(each, values, reader)}" for each in numbers])

    def submit(self, turn: int, given: Recommendation) -> str:
        """Close the interview with a recommendation."""
        self.recommendation, self.submitted_turn = given, turn
        self.progress = self.progress.with_(closed=True)
        return THANKS

    def values(self) -> dict[str, float]:
        """Return what the statement tells, what was released, and what follows from it, by node, in base units."""
        known = {each.metric: each.base_value for each in self.case.told}
        for fact_id in self.progress.known:
            known.update({each.metric: each.base_value for each in self.case.by_id[fact_id].numbers})
        return blueprint(self.case.blueprint).model.reckon(known)

    def sources(self) -> Sources:
        """Return the numbers that have a source so far, those of texts and exhibits included."""
        nodes = blueprint(self.case.blueprint).model.nodes
        known = {name: value for name, value in self.values().items() if finite(value)}
        told = [(value, nodes[name].dimension) for name, value in known.items()]
        # "36.5 EUR a month" is read as money in prose, not as a rate: the figure as it is read counts as well.
        read = [(value / nodes[name].unit.rate_scale, nodes[name].dimension) for name, value in known.items()]
        span = (("week", 1), ("year", -1))
        calendar = [(WEEKS_OF_A_YEAR, span)] if any(dimension == span for _, dimension in told) else []
        figures = [value / nodes[name].unit.scale for name, value in known.items()]
        return Sources([*told, *read, *calendar, *self._seen(figures)], figures)

    def _seen(self, figures: Sequence[float]) -> list[tuple[float, Dimension]]:
        """Return the figures of texts that no node stands for, such as small counts, with the kind as a dimension."""
        texts = [self.case.statement, *(self.case.by_id[fact_id].sentence for fact_id in self.progress.known)]
        money: Dimension = (("cur", 1),)
        kinds: dict[str, Dimension] = {"percent": (), "money": money, "other": ()}
        nodes = {f"{abs(each):.6g}" for each in figures}
        seen = [each for text in texts for each in claims(text, self.case.currency)]
        return [(each.value, kinds[each.kind]) for each in seen if f"{abs(each.figure):.6g}" not in nodes]

    def _verdict(self, stated: StatedNumber, values: Mapping[str, float], reader: UnitReader) -> str:
        node = node_named(self.case, stated.metric)
        read = reader.read(stated.unit)
        if node is None or node not in values:
            return "I cannot tell from what we have discussed."
        wanted = unit_of(blueprint(self.case.blueprint).model.nodes[node].unit.text)
        if read is None or read[0] != wanted.dimension:
            return f"that is not the unit; I reckon in {self.case.unit_text(wanted.text)}."
        if self.progress.checked.count(node) >= CHECKS:
            return NO_MORE_CHECKS
        self.progress = self.progress.with_(checked=(*self.progress.checked, node))
        right = abs(stated.value * read[1] - values[node]) <= SHARE_TOLERANCE * abs(values[node])
        return "right." if right else "that is not what I get."

    def _out_of_time(self) -> bool:
        if self.progress.turns < self.case.turns:
            return False
        self.ran_out = True
        self.progress = self.progress.with_(closed=True)
        return True


def live(driver: Driver) -> Live:
    """Return the respondent that a driver makes."""
    return Live(driver, default_matcher)


def unit_reader(case: Case) -> UnitReader:
    """Return the reader of units in the words of a case."""
    return reader_of(case.currency, tuple((atom, tuple(forms)) for atom, forms in case.nouns.items()))


def node_named(case: Case, metric: str) -> str | None:
    """Return the node that a candidate's name of a number means: its name, or all words of its label; None for none."""
    nodes = blueprint(case.blueprint).model.nodes
    bare = _IN_BRACKETS.sub(" ", metric) or metric
    plain = "_".join(re.findall(r"[a-z0-9]+", bare.lower()))
    if plain in nodes:
        return plain
    there = set(stems(bare.replace("_", " ")))
    labels = {each.metric: each.label for each in case.solution.key_numbers}
    found = [name for name, label in labels.items() if set(_stems_of(label)) <= there]
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=512)
def _stems_of(text: str) -> tuple[str, ...]:
    return tuple(stems(text))

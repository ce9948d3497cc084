"""Who interviews: the script, a model, a person, or a record; whatever is no script gives replies that rules check."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, get_args

from ..core.chat import Usage
from ..core.errors import CounterpartError, DataError
from . import interviewer
from .case import Case
from .interviewer import Answer
from .matches import Matcher
from .state import Progress

Act = Literal["tell", "repeat", "first", "menu", "purpose", "nothing"]
ACTS: tuple[Act, ...] = get_args(Act)


class Reply(NamedTuple):
    """What an interviewer that is no script answers.

    Attributes:
        act: One of `ACTS`: tell a fact, repeat one, say what has to come first, offer a menu, ask for a purpose.
        fact: Id of the fact, "" for none.
        topics: Topics of a menu.
        say: What the candidate hears.
        usage: What a model used for it, None where none was asked.
    """

    act: str
    fact: str = ""
    topics: tuple[str, ...] = ()
    say: str = ""
    usage: Usage | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the reply as JSON values, as the record keeps it."""
        return {"act": self.act, "fact": self.fact, "topics": list(self.topics), "say": self.say}

    @classmethod
    def of(cls, given: Any, usage: Usage | None = None) -> Reply:
        """Read a reply; what is no such object becomes one that no rule accepts."""
        if not isinstance(given, Mapping):
            return cls("", usage=usage)
        topics = given.get("topics") or ()
        listed = tuple(map(str, topics)) if isinstance(topics, Sequence) and not isinstance(topics, str) else ()
        act, fact, say = (given.get(name) for name in ("act", "fact", "say"))
        texts = [each if isinstance(each, str) else "" for each in (act, fact, say)]
        return cls(texts[0], texts[1], listed, texts[2], usage)


class View(NamedTuple):
    """What an interviewer sees when it is asked.

    Attributes:
        case: The case.
        progress: The state.
        question: In the candidate's words.
        topic: The topic that the candidate has fixed, None for none.
        exchanges: Earlier questions and what was said to them.
    """

    case: Case
    progress: Progress
    question: str
    topic: str | None
    exchanges: tuple[tuple[str, str], ...]


class Driver(Protocol):
    """Someone who interviews and is no script."""

    def reply(self, view: View, complaint: str) -> Reply:
        """Return a reply.

        Args:
            view: What is seen.
            complaint: Why the last reply to this question was thrown away, "" for the first.

        Raises:
            CounterpartError: The driver cannot go on.
        """
        ...


class Respondent(Protocol):
    """Whoever answers questions in an interview."""

    def ask(self, case: Case, progress: Progress, turn: int, question: str, topic: str | None) -> Answer:
        """Answer a question."""
        ...


class Scripted:
    """The script.

    Args:
        matcher: How free text is understood.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def ask(self, case: Case, progress: Progress, turn: int, question: str, topic: str | None) -> Answer:
        """Answer a question, see `interviewer.ask`."""
        return interviewer.ask(case, progress, turn, question, topic, self._matcher)


class ReplayDriver:
    """Feeds recorded replies back.

    Args:
        turns: As `Reply.to_json` gives them.

    Raises:
        DataError: It is no list of replies; the message gives the place.
    """

    def __init__(self, turns: Any) -> None:
        if not isinstance(turns, (list, tuple)):
            raise DataError(f"counterpart.turns: a list of replies, not {type(turns).__name__}")
        for k, each in enumerate(turns):
            if not isinstance(each, Mapping) or set(each) != {"act", "fact", "topics", "say"}:
                raise DataError(f"counterpart.turns.{k}: an object of act, fact, topics and say, as a record has it")
        self._turns = [Reply.of(each) for each in turns]
        self.n_left = len(turns)

    def reply(self, view: View, complaint: str) -> Reply:
        """Return the next recorded reply. See `Driver`.

        Raises:
            CounterpartError: The record ends, or what it holds is not accepted here.
        """
        if complaint:
            raise CounterpartError(f"a reply of the record is not accepted: {complaint}")
        if not self.n_left:
            raise CounterpartError(f"the record ends after {len(self._turns)} replies of the interviewer")
        self.n_left -= 1
        return self._turns[-1 - self.n_left]


class ResumedDriver:
    """Feeds recorded replies back, and goes on with another driver where the record ends.

    Args:
        turns: The record.
        make: Makes the driver that goes on; called once, and not before it is needed.

    Raises:
        DataError: It is no list of replies.
    """

    def __init__(self, turns: Any, make: Callable[[], Driver]) -> None:
        self._record = ReplayDriver(turns)
        self._make = make
        self._live: Driver | None = None

    def reply(self, view: View, complaint: str) -> Reply:
        """Return the recorded reply, or ask the driver that goes on. See `Driver`."""
        if self._live is None and (self._record.n_left or complaint):
            return self._record.reply(view, complaint)
        if self._live is None:
            self._live = self._make()
        return self._live.reply(view, complaint)


class HumanDriver:
    """Asks a person: a line `#2 text` tells the second fact of the list (or says it as it stands), `?price, volume`
    offers topics, and anything else is said as it is.

    Args:
        ask: Shows a text and returns a line.
    """

    def __init__(self, ask: Callable[[str], str]) -> None:
        self._ask = ask

    def reply(self, view: View, complaint: str) -> Reply:
        """Return what the person types. See `Driver`."""
        line = self._ask(_shown(view, complaint)).strip()
        if line.startswith("?"):
            topics = tuple(each.strip() for each in line[1:].split(","))
            return Reply("menu", topics=topics, say=f"Which of these do you mean: {', '.join(topics)}?")
        number, _, said = line[1:].partition(" ")
        if line.startswith("#") and number.isdecimal() and 1 <= int(number[:6]) <= len(view.case.facts):
            fact = view.case.facts[int(number[:6]) - 1]
            act = "repeat" if fact.fact_id in view.progress.known else "tell"
            return Reply(act, fact.fact_id, say=said.strip() or fact.sentence)
        return Reply("nothing", say=line)


def _shown(view: View, complaint: str) -> str:
    lines = [
        f"#{k} {fact.sentence}{' (told)' if fact.fact_id in view.progress.known else ''}"
        for k, fact in enumerate(view.case.facts, 1)
    ]
    again = [f"Please answer again. {complaint}"] if complaint else []
    return "\n".join([*lines, "", f"The candidate asks: {view.question}", *again])

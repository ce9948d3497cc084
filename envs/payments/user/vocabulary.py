"""The public vocabulary: what can be asked of, told to and refused to a customer. No value of any card stands here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, model_validator

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen
from ...core.text import echo, nearest
from ..kernel.money import Money

ValueType = Literal["amount", "basis_points", "code", "count", "id", "minute", "paper", "truth"]
Code = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
RECORD_ID = re.compile(r"\b[A-Z]{2,8}-[0-9]{1,9}\b")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_PYTHON_TYPES: Mapping[str, type] = {
    "amount": Money,
    "basis_points": int,
    "code": str,
    "count": int,
    "id": str,
    "minute": int,
    "truth": bool,
}


class Term(Frozen):
    """One word of the vocabulary.

    Attributes:
        id: As messages name it.
        description: What it means, in a sentence.
        aliases: How people say it, for messages without typed asks.
    """

    id: Code
    description: Annotated[str, Field(min_length=1)]
    aliases: list[Annotated[str, Field(min_length=2)]] = Field(default_factory=list)

    @property
    def title(self) -> str:
        """The word as prose has it."""
        return self.id.replace("_", " ")


class FactKind(Term):
    """Something that a customer may know.

    Attributes:
        topic: The topic it belongs to.
        type: What its values are: an amount, hundredths of a per cent, a minute of the episode, a number, a code, an
            id, a truth value, or a paper that is handed in.
    """

    topic: Code
    type: ValueType

    def admits(self, value: Any) -> bool:
        """Whether a value is of the kind's type; a paper has no value that could be said."""
        return type(value) is _PYTHON_TYPES.get(self.type)


class Reference(NamedTuple):
    """What an ask or a statement is about.

    Attributes:
        name: A fact kind, or a topic.
        subject: The record that it concerns, "" where none is named.
    """

    name: str
    subject: str

    def __str__(self) -> str:
        """Write it as messages do, for example `fee_cap/RSV-1`."""
        return f"{self.name}/{self.subject}" if self.subject else self.name


def reference(text: str) -> Reference:
    """Read `kind` or `kind/subject`."""
    name, _, subject = text.partition("/")
    return Reference(name, subject)


class Vocabulary(Frozen):
    """All words.

    Attributes:
        topics: Areas that facts belong to; asking for one is asking broadly.
        facts: Kinds of facts.
        requests: What customers ask for.
        refusal_reasons: Why a customer is refused something.
        rejection_reasons: Why a customer refuses to approve something.
        asking_words: Words by which a sentence without a question mark is known to ask.
        approving_words: Words by which a sentence that names a request is known to ask for its approval.
    """

    topics: list[Term]
    facts: list[FactKind]
    requests: list[Term]
    refusal_reasons: list[Term]
    rejection_reasons: list[Term]
    asking_words: list[str]
    approving_words: list[str]

    @model_validator(mode="after")
    def _sound(self) -> Vocabulary:
        for listed in ([*self.topics, *self.facts], self.requests, self.refusal_reasons, self.rejection_reasons):
            _require_unique("id", (each.id for each in listed))
        _require_unique("alias", (" ".join(words(each)) for term in self.askable for each in term.aliases))
        topics = {each.id for each in self.topics}
        for fact in self.facts:
            if fact.topic not in topics:
                raise ValueError(f"{fact.id}.topic: there is no topic {fact.topic!r}.{nearest(fact.topic, topics)}")
        return self

    @property
    def askable(self) -> list[Term]:
        """Everything that a customer can be asked for."""
        return [*self.topics, *self.facts]

    @cached_property
    def fact_kinds(self) -> Mapping[str, FactKind]:
        """Kinds of facts by id."""
        return {each.id: each for each in self.facts}

    @cached_property
    def topic_ids(self) -> frozenset[str]:
        """Ids of the topics."""
        return frozenset(each.id for each in self.topics)

    def covers(self, asked: Reference, kind: str, subject: str) -> bool:
        """Whether an ask is about facts of a kind and subject; a topic covers all of its kinds."""
        if asked.subject and subject and asked.subject != subject:
            return False
        return asked.name in (kind, self.fact_kinds[kind].topic)

    def guide(self) -> str:
        """Return the whole vocabulary as a text for the agent, one line a topic."""
        lines = [
            f"- {topic.id}: {', '.join(f'{each.id} ({each.type})' for each in self.facts if each.topic == topic.id)}"
            for topic in self.topics
        ]
        requests = ", ".join(each.id for each in self.requests)
        reasons = ", ".join(each.id for each in self.refusal_reasons)
        return "\n".join(["Topics, and the facts of each:", *lines, f"Requests: {requests}", f"Refusals: {reasons}"])

    def problem(self, listed: Iterable[Term], what: str, name: str) -> str:
        """Say what is wrong with a name, "" where it is one of those listed."""
        names = [each.id for each in listed]
        if name in names:
            return ""
        return f"there is no {what} {echo(name, 80)!r}.{nearest(name, names)} There are: {', '.join(names)}"


@cache
def packaged() -> Vocabulary:
    """Return the vocabulary of the payments company.

    Raises:
        DataError: The file breaks its model.
    """
    place = "payments/ask_kinds.yaml"
    return validate(Vocabulary, parse(packaged_text("payments", "ask_kinds.yaml"), place), place)


def words(text: str) -> list[str]:
    """Return the words of a text in the form in which they are compared."""
    return _WORD.findall(text.casefold().replace("\u2019", "'"))


def _require_unique(what: str, values: Iterable[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"the {what} {value!r} stands twice")
        seen.add(value)

"""An interviewer that is no script: its replies are checked, thrown away at most twice, and kept for the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from string import Template
from typing import Any

from ..core.chat import ChatClient, ChatSettings, Finish, Usage
from ..core.data import packaged_text
from ..core.errors import CounterpartError, SettingError
from ..core.jsontext import JsonRefused, decode
from ..core.text import echo
from .case import Case
from .drivers import Driver, HumanDriver, ReplayDriver, Reply, View
from .fact_types import FOLDER, fact_types
from .interviewer import Answer, exhibit_note, noted, settled, settled_by
from .matches import Matcher
from .matching.wording import chosen, is_bare
from .nearness import nearest
from .raising import likely_topic, raised_at, raises
from .reply_rules import violation
from .state import Answered, Asked, Progress

N_ATTEMPTS = 3
DEFAULT_SETTINGS = ChatSettings(max_tokens=1_000, temperature=0.0)
_ANSWERED: Mapping[str, Answered] = {
    "tell": "released",
    "repeat": "repeated",
    "first": "refused",
    "menu": "menu",
    "purpose": "purpose",
    "nothing": "nothing",
}


class InterviewerFailure(CounterpartError):
    """The interviewer's replies broke the rules three times; the episode is no fault of the candidate.

    Attributes:
        rejected: The replies, each with what was wrong.
    """

    def __init__(self, message: str, rejected: Sequence[tuple[str, Reply]]) -> None:
        super().__init__(message)
        self.rejected = tuple(rejected)


def thrown_away(rejected: Sequence[tuple[str, Reply]]) -> list[dict[str, Any]]:
    """Return replies that were thrown away as JSON values, for the record."""
    return [{"violation": wrong, "reply": reply.to_json()} for wrong, reply in rejected]


class Live:
    """Asks a driver and keeps the rules.

    Attributes:
        turns: The replies that were accepted, as JSON values.
        rejected: The replies to the last question that were thrown away, each with what was wrong.
        usages: What a model used for the last question.
    """

    def __init__(self, driver: Driver, matcher: Matcher) -> None:
        self._driver, self._matcher = driver, matcher
        self._exchanges: list[tuple[str, str]] = []
        self.turns: list[dict[str, Any]] = []
        self.rejected: list[tuple[str, Reply]] = []
        self.usages: list[Usage] = []

    def ask(self, case: Case, progress: Progress, turn: int, question: str, topic: str | None) -> Answer:
        """Answer a question.

        Raises:
            InterviewerFailure: Three replies broke the rules.
            CounterpartError: The driver cannot go on.
        """
        view = View(case, progress, question, topic, tuple(self._exchanges))
        self.rejected, self.usages = [], []
        for _ in range(N_ATTEMPTS):
            complaint = self.rejected[-1][0] if self.rejected else ""
            reply = self._driver.reply(view, complaint)
            self.usages += [] if reply.usage is None else [reply.usage]
            wrong = violation(reply, view)
            if not wrong:
                self.turns.append(reply.to_json())
                self._exchanges.append((question, reply.say))
                after = self._after(view, turn, reply)
                new = [name for name in after.named if name not in progress.named]
                return Answer(reply.say + "".join(map(exhibit_note, new)), after)
            self.rejected.append((wrong, reply))
        raise InterviewerFailure(f"{N_ATTEMPTS} replies broke the rules, at last {self.rejected[-1][0]}", self.rejected)

    def _after(self, view: View, turn: int, reply: Reply) -> Progress:
        before, said = view.progress, view.question
        progress = settled(before)
        found = self._matcher(said)
        near = nearest(view.case, said, found)
        if reply.act == "menu":
            first = likely_topic(said, found, near, progress)
            likely = first if first in reply.topics else ""
            new = [topic for topic in reply.topics if topic not in (*progress.offered, *progress.raised)]
            progress = progress.with_(offered=(*progress.offered, *new), menu=reply.topics, unclear=said, likely=likely)
        fact = view.case.by_id.get(reply.fact)
        if fact is None:
            return noted(progress, Asked(turn, _ANSWERED[reply.act]))
        topic, choice = fact.topic, view.topic or chosen(before.menu, said)
        free = choice is None and topic not in before.offered and not is_bare(said)  # the model has understood it
        raised = raised_at(before, turn, topic, free or raises(topic, said, found, near, before))
        if choice == topic:
            progress = settled_by(before, topic, raised)
        if fact.exhibit is not None and reply.act == "tell" and fact.exhibit not in progress.named:
            progress = progress.with_(named=(*progress.named, fact.exhibit))
        asked = Asked(turn, _ANSWERED[reply.act], topic, fact.fact_id, raised, topic in before.offered)
        return noted(progress, asked)


class LlmDriver:
    """Asks a model for each reply.

    Args:
        client: The model.
        settings: How its completions are made.
    """

    def __init__(self, client: ChatClient, settings: ChatSettings = DEFAULT_SETTINGS) -> None:
        self._client, self._settings = client, settings

    def reply(self, view: View, complaint: str) -> Reply:
        """Return what the model writes. See `drivers.Driver`.

        Raises:
            ProviderError: The provider failed.
        """
        completion = self._client.complete(_messages(view, complaint), (), self._settings)
        if completion.finish in (Finish.LENGTH, Finish.REFUSAL):  # cut off or declined: nothing that could be said
            return Reply("", usage=completion.usage)
        return Reply.of(_object_in(completion.text), completion.usage)


def _object_in(text: str) -> Any:
    """Return the JSON object of a text, also where prose or a fence stands around it; None for none."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        return decode(text[begin : end + 1]) if 0 <= begin < end else None
    except JsonRefused:
        return None


@cache
def prompt_template() -> str:
    """Return the prompt's template, `data/consulting/interviewer_prompt.md`."""
    return packaged_text(FOLDER, "interviewer_prompt.md")


def _messages(view: View, complaint: str) -> list[dict[str, Any]]:
    """The interview from the interviewer's side; what the candidate writes comes in as the model's user."""
    topics = "\n".join(f"- {name}: {covers}" for name, covers in fact_types().topics.items())
    system = Template(prompt_template()).substitute(statement=view.case.statement, facts=_facts(view), topics=topics)
    if complaint:
        system += f"\nYour last answer was thrown away. {complaint}. Answer anew.\n"
    messages = [{"role": "system", "content": system}]
    for question, said in view.exchanges:
        messages += [{"role": "user", "content": question}, {"role": "assistant", "content": said}]
    fixed = "" if view.topic is None else f"[topic: {view.topic}] "
    return [*messages, {"role": "user", "content": f"{fixed}{view.question}"}]


def _facts(view: View) -> str:
    lines = []
    for fact in view.case.facts:
        after = [name for name in fact.prerequisites if name not in view.progress.known]
        status = "told" if fact.fact_id in view.progress.known else f"after {', '.join(after)}" if after else "open"
        lines.append(f"- {fact.fact_id} [{fact.topic}; {status}]: {fact.sentence}")
    return "\n".join(lines)


def make_driver(
    driver: str,
    *,
    client: ChatClient | None = None,
    turns: Sequence[Any] | None = None,
    ask: Callable[[str], str] | None = None,
) -> Driver:
    """Return the driver of a name.

    Args:
        driver: `llm`, `replay` or `human`.
        client: The model, for `llm`.
        turns: The recorded replies, for `replay`.
        ask: Shows a text and returns a line, for `human`.

    Raises:
        SettingError: What the driver needs is missing, or there is no such driver.
        DataError: The turns are no record.
    """
    if driver == "llm" and client is not None:
        return LlmDriver(client)
    if driver == "replay" and turns is not None:
        return ReplayDriver(turns)
    if driver == "human" and ask is not None:
        return HumanDriver(ask)
    needs = {"llm": "a client: counterpart.client, or set_counterpart(client)", "replay": "the recorded turns"}
    raise SettingError(f"counterpart.driver: {echo(driver)} needs {needs.get(driver, 'a way to ask somebody')}")

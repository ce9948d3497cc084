"""Two clerks of the payments company without a model. They read, ask, and act only by what they were told.

Both look for procedures by the words of the request, go through the tools that these name, in their order, and fill
arguments from what the customer and earlier results have said. They know no task, no rule and no record beforehand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping
from typing import Any, ClassVar

from ..base import Agent, TaskCard

_ID = re.compile(r"\b[A-Z]{3}-[0-9]+\b")
_TOOL = re.compile(r"`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`")
_TOPIC = re.compile(r"^- ([a-z_]+): (.+)$", re.MULTILINE)
_FACT = re.compile(r"([a-z_]+) \(")
_PROCEDURE = re.compile(r'"id": "(D-[0-9]+)", "title": "([^"]+)", "kind": "procedure"')
_SHOWS = re.compile(r'"name": "([a-z_]+_get)"')
_RECORD = re.compile(r'\{"kind": "[a-z_]+", "id"')
_REQUESTS = ("APR", "CON")
_OPEN_STATES = ("open", "held")
_DISCARDED = re.compile(
    "adjust|amend|back|cancel|discard|move|reject|remove|reopen|retarget|reverse|split|void|withdraw"
)
"""Words of tools that undo or turn aside; nobody does so because a procedure mentions it."""

HITS = 20
PROCEDURES = 4
CASES = 8
PASSES = 2
ASKS_A_MESSAGE = 6
MESSAGES = 3
WAIT_MINUTES = 60
MARGIN_MINUTES = 30

Call = dict[str, Any]
Work = Generator[Call, str, None]


class _Clerk(Agent):
    """Works a request off, one call a turn."""

    asks_everything: ClassVar[bool] = False

    def begin_episode(self, task: TaskCard) -> None:
        """Read the request."""
        listed = [json.loads(text)["function"] for text in task.tools]
        self._listed = {each["name"]: each["parameters"] for each in listed}
        request = task.text.rpartition("Customer ")[2]
        self._customer = request.partition(" ")[0]
        self._request = request.partition("writes:")[2].strip()
        self._guide = task.text
        self._facts: dict[str, Any] = {}
        self._records: dict[str, dict[str, Any]] = {}
        self._schemas: dict[str, Mapping[str, Any]] = {}
        self._now, self._n_keys = 0, 0
        self._done: set[str] = set()
        self._work = self._serve()
        self._first = True

    def act(self, observation: str, info: dict[str, Any]) -> Call:
        """Take the next step, or finish where nothing is left to do."""
        try:
            call = next(self._work) if self._first else self._work.send(observation)
        except StopIteration:
            return {"name": "finish", "arguments": {}}
        self._first = False
        return call

    def _serve(self) -> Work:
        if self.asks_everything:
            yield from self._ask_facts()
        tools = yield from self._read_procedures()
        if not self.asks_everything:
            yield from self._ask_facts()
        yield from self._look_up()
        for _ in range(PASSES):
            for tool in tools:
                for case in self._cases():
                    yield from self._use(tool, case)
            self._note((yield _call("wait", until_minute=self._now + WAIT_MINUTES)))

    def _ask_facts(self) -> Work:
        """Ask what the vocabulary has on the matters that the request is about."""
        refs = list(self._facts_to_ask())
        for first in range(0, min(len(refs), ASKS_A_MESSAGE * MESSAGES), ASKS_A_MESSAGE):
            asks = [{"kind": "fact", "ref": each} for each in refs[first : first + ASKS_A_MESSAGE]]
            self._note((yield _call("message_user", text="Could you tell me this, please?", asks=asks)))

    def _facts_to_ask(self) -> Iterator[str]:
        words = _words(self._request)
        for topic, facts in _TOPIC.findall(self._guide):
            if words & _words(topic) or (self.asks_everything and words & _words(facts)):
                yield from _FACT.findall(facts) if self.asks_everything else [topic]

    def _read_procedures(self) -> Generator[Call, str, list[str]]:
        """Read the procedures whose titles have most of the request's words; return the tools in them, in order."""
        titles: dict[str, str] = {}
        if "search_documents" in self._listed:
            for sentence in re.split(r"(?<=[.?!])\s+", self._request):
                titles.update(_PROCEDURE.findall((yield _call("search_documents", query=sentence, limit=HITS))))
        wanted = _words(self._request)
        shared = {document: len(wanted & _words(title)) for document, title in titles.items()}
        ranked = sorted((document for document in titles if shared[document]), key=lambda each: -shared[each])
        tools: dict[str, None] = {}
        for document in ranked[:PROCEDURES]:
            text = yield _call("read_document", document_id=document)
            tools.update(dict.fromkeys(_TOOL.findall(text)))
        return [name for name in tools if not _DISCARDED.search(name)]

    def _look_up(self) -> Work:
        """Open each record that the customer has named, with the tool that shows records of its kind."""
        if "search_tools" not in self._listed:
            return
        for fact, value in list(self._facts.items()):
            for record in _ID.findall(str(value)):
                hits = _SHOWS.findall((yield _call("search_tools", query=f"show one {fact} {record}")))
                for tool in hits[:1]:
                    self._note((yield _call("call_tool", name=tool, arguments={"record": record})))

    def _cases(self) -> list[dict[str, Any]]:
        """Return the records that the request is about: those that the customer named, else what is open of its own."""
        told = [each for value in self._facts.values() for each in _ID.findall(str(value))]
        named = [self._records[each] for each in told if self._records.get(each, {}).get("state") in _OPEN_STATES]
        own = [each for each in self._records.values() if self._customer in (each.get("merchant"), each.get("owner"))]
        due = [each for each in own if each.get("state") in _OPEN_STATES and each["kind"] != "account"]
        return [each for each in named if each["kind"] != "account"] or due[:CASES] or [{}]

    def _use(self, tool: str, case: Mapping[str, Any]) -> Work:
        """Call a tool for a case, unless its arguments are not known, and ask for what it has brought up."""
        if tool not in self._schemas:
            if tool in self._listed:
                self._schemas[tool] = self._listed[tool]
            elif "describe_tool" in self._listed:
                described = _json((yield _call("describe_tool", name=tool)))
                self._schemas[tool] = described["arguments"] if described else {}
        given = self._arguments(self._schemas.get(tool, {}), case)
        key = f"{tool} {json.dumps({name: each for name, each in given.items() if name != 'idempotency_key'})}"
        if not self._schemas.get(tool) or None in given.values() or key in self._done:
            return
        result = yield given_call(tool, given, "call_tool" in self._listed)
        made = self._note(result)
        if made is not None:
            self._done.add(key)
        for request in (each for each in made or () if each.startswith(_REQUESTS)):
            asks = [{"kind": "approval", "ref": request}]
            self._note((yield _call("message_user", text="Do you approve this as it stands?", asks=asks)))

    def _arguments(self, schema: Mapping[str, Any], case: Mapping[str, Any]) -> Call:
        parts = schema.get("properties", {})
        given = {name: self._value(name, parts[name], case) for name in schema.get("required", ())}
        approval = next((each for each in reversed(self._records) if each.startswith("APR")), None)
        return {**given, "approval": approval} if "approval" in parts and approval else given

    def _value(self, name: str, part: Mapping[str, Any], case: Mapping[str, Any]) -> Any:
        """Return a value for an argument, None where nothing that was said fits it."""
        if name == "idempotency_key":
            self._n_keys += 1
            return f"clerk-{self._n_keys}"
        if "enum" in part:
            said = [each for each in (*self._facts.values(), *case.values()) if each in part["enum"]]
            return said[-1] if said else part["enum"][0]
        if "$ref" in part:
            return self._amount(name, case)
        if part.get("type") == "boolean":
            return True
        if part.get("type") == "integer":
            return self._now + MARGIN_MINUTES if part.get("minimum", 0) <= self._now else None
        prefix = str(next(iter(part.get("items", part).get("examples", [])), "")).partition("-")[0]
        known = self._known(name, prefix, case)
        return known if part.get("type") == "array" else next(iter(known), None)

    def _known(self, name: str, prefix: str, case: Mapping[str, Any]) -> list[str]:
        """Return the records of a kind that are known, those that the case names first; without a kind, the case."""
        if name in ("customer", "merchant", "to"):
            return [self._customer]
        own = [each for each in (case.get(name), *case.values()) if isinstance(each, str) and _ID.fullmatch(each)]
        if not prefix:
            return [str(case["id"])] if "id" in case else own
        seen = [*own, *(each for value in self._facts.values() for each in _ID.findall(str(value))), *self._records]
        return list(dict.fromkeys(each for each in seen if each.startswith(f"{prefix}-")))

    def _amount(self, name: str, case: Mapping[str, Any]) -> Any:
        told = [each for each in self._facts.values() if isinstance(each, dict) and "minor" in each]
        found = case.get(name) or case.get("amount")
        return (told[-1] if told else None) if "fee" in name else found

    def _note(self, text: str) -> list[str] | None:
        """Remember what a result says; return the ids in it, None where the call was refused."""
        for record in _records(text):
            self._records[record["id"]] = {**self._records.get(record["id"], {}), **record}
        found = _json(text)
        if not isinstance(found, dict):
            return None
        self._now = found.get("minute", self._now)
        for fact in found.get("answer", {}).get("facts", []):
            self._facts[fact["fact"]] = fact["value"]
        ids = _ID.findall(json.dumps(found.get("result")))
        for each in ids:
            self._records.setdefault(each, {"id": each})
        return ids


class FollowProcedure(_Clerk):
    """Reads the procedures first, asks by topic, then does what they say, step by step."""


class AskFirst(_Clerk):
    """Asks the customer for every fact on the matter first, then does what the procedures say."""

    asks_everything = True


def given_call(tool: str, given: Call, is_searched: bool) -> Call:
    """Return the call of a business tool, by `call_tool` where tools are searched for."""
    return _call("call_tool", name=tool, arguments=given) if is_searched else {"name": tool, "arguments": given}


def _call(tool: str, /, **arguments: Any) -> Call:
    return {"name": tool, "arguments": arguments}


def _json(text: str) -> Any:
    """Return a result as JSON; None for a refusal, which is prose, and for what was shown in part."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def _records(text: str) -> Iterator[dict[str, Any]]:
    """Yield the records in a result, those of a part of it too where it was too long to be shown whole."""
    for place in _RECORD.finditer(text):
        try:
            record, _ = json.JSONDecoder().raw_decode(text, place.start())
        except json.JSONDecodeError:
            continue
        yield record


def _words(text: str) -> set[str]:
    """Return the words of a text, without the plural."""
    return {each.removesuffix("s") for each in re.findall(r"[a-z]{4,}", text.lower().replace("_", " "))}

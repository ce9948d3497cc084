"""Plays calls in a fresh episode and keeps them: how planners write golden paths.

Whatever a planner passes on it must have seen or been told before, so results come back as the agent gets them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...core.errors import DataError
from ..content import Setting
from ..documents.render import Document
from ..episode import Episode
from ..kernel.rules import RuleRow
from ..observation import as_text
from ..surface import SURFACE, PaymentTools
from ..tasks import Action, Derived, GoldenPath, PaymentTask
from ..user.scripted import ScriptedDriver

_BINDING_KINDS = ("policy", "addendum", "procedure")
"""Kinds of document in which a rule is laid down rather than repeated, in the order in which they are looked at."""
_UNIT = "bps"
"""What keys of rules end in and nobody searches for."""


class Recorder(PaymentTools):
    """One episode that is played to write down how.

    Args:
        task: What is played; its customer is the script.
        setting: What it is played in.

    Attributes:
        actions: What was done so far.
        documents: Ids of the documents that were read, in order.
    """

    def __init__(self, task: PaymentTask, setting: Setting) -> None:
        self._episode = Episode(task, setting, ScriptedDriver())
        self._library = setting.library("bm25")
        self._setting = setting
        self._shown = task.opener
        self._described: set[str] = set()
        self._derived: list[Derived] = []
        self.actions: list[Action] = []
        self.documents: list[str] = []

    @property
    def now(self) -> int:
        """The time in minutes of the episode."""
        return self._episode.now

    @property
    def path(self) -> GoldenPath:
        """What was done, as a golden path; the last thing must have been `finish`."""
        return GoldenPath(minutes=self.now, actions=self.actions, derived=self._derived)

    def do(self, name: str, /, **arguments: Any) -> str:
        """Use a tool of the surface and return what the agent is shown.

        Raises:
            ToolRefused: It is refused; a golden path has no errors.
        """
        shown = str(getattr(self, name)(**SURFACE[name].validate(dict(arguments))))
        self.actions.append(Action(name=name, arguments=arguments))
        self._shown += shown
        return shown

    def call(self, name: str, /, **arguments: Any) -> Any:
        """Use a business tool and return its result; it is found and looked up before its first use."""
        if name not in self._described:
            if name not in self._shown:
                self.do("search_tools", query=name.replace("_", " "))
            self.do("describe_tool", name=name)
        self._described.add(name)
        return json.loads(self.do("call_tool", name=name, arguments=arguments))["result"]

    def derive(self, argument: str, why: str, *terms: int) -> None:
        """Declare how an argument of the last action came about.

        Args:
            argument: Where it stands, for example `arguments.amount`.
            why: How it is reckoned or chosen.
            terms: Numbers that were told, whose sum it is; none for a choice.
        """
        action = len(self.actions) - 1
        self._derived.append(Derived(action=action, argument=argument, terms=list(terms), why=why))

    @staticmethod
    def id_of(result: Mapping[str, Any]) -> str:
        """Return the id that an act gives of its record, which comes first in what it tells."""
        return str(next(iter(result.values())))

    def listed(self, kind: str, **wanted: Any) -> list[dict[str, Any]]:
        """List the records of a kind, to the end of the pages."""
        found: list[dict[str, Any]] = []
        while True:
            page = self.call(f"{kind}_list", **wanted, **({"offset": len(found)} if found else {}))
            if found:
                self.derive("arguments.offset", "The next page begins where the last one ended.")
            found += page["records"]
            if len(found) >= page["total"]:
                return found

    def got(self, kind: str, record_id: str) -> dict[str, Any]:
        """Look at one record."""
        record: dict[str, Any] = self.call(f"{kind}_get", record=record_id)
        return record

    def say(self, text: str, **parts: Any) -> dict[str, Any]:
        """Write to the customer and return the answer."""
        answer: dict[str, Any] = json.loads(self.do("message_user", text=text, **parts))["answer"]
        return answer

    def read(self, document: Document, query: str) -> None:
        """Read a document, found by a search unless something that was shown has named it.

        Raises:
            DataError: The search does not find it.
        """
        if document.id in self.documents:
            return
        if document.id not in self._shown:
            found = self.do("search_documents", query=query)
            if document.id not in found:
                raise DataError(f"{query!r} does not find {document.id}")
        self.do("read_document", document_id=document.id)
        self.documents.append(document.id)

    def look_up(self, key: str, case: Mapping[str, str], at: int | None = None) -> Any:
        """Read up the rule of a case and return its value.

        Args:
            key: Of the rule.
            case: What it is about, by dimension of scope.
            at: The instant of its anchor in minutes; None for now.
        """
        row = self._setting.rules.resolve(key, case, self.now if at is None else at).row
        words = [word for word in key.split("_") if word != _UNIT]
        query = " ".join([*words, *row.scope.values()])
        self.read(self._laid_down(row), query)
        return as_json(row.value)

    def procedure(self, title: str) -> None:
        """Read the latest revision of a procedure."""
        revisions = [each for each in self._setting.documents if each.title == title]
        self.read(max(revisions, key=lambda each: (each.issued_at or 0, each.id)), title.lower())

    def _laid_down(self, row: RuleRow) -> Document:
        holders = [each for each in self._setting.documents if f"- {row.id} (" in each.text]
        for kind in _BINDING_KINDS:
            of_kind = [each for each in holders if each.kind == kind]
            if of_kind:
                return max(of_kind, key=lambda each: (each.issued_at or 0, each.id))
        raise DataError(f"{row.id} is laid down in no document")


def as_json(value: Any) -> Any:
    """Return the value of a rule as it stands in arguments."""
    return json.loads(as_text(value.to_json() if hasattr(value, "to_json") else value))

"""A folder of content, and the settings that its tasks play in: built once, shared by all episodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from ..core.data import parse, validate
from ..core.errors import DataError
from ..core.tasks import TaskSet
from ..core.text import nearest
from .demands import require_rules
from .documents.corpus import SETTING_FILE, Corpus, Folder, read_corpus
from .documents.desk import Library, Retrieval
from .documents.edition import Edition
from .documents.render import Document, render_all
from .kernel.records import by_kind
from .kernel.rules import RuleBook, RuleRow
from .kernel.world import Base
from .modules.catalog import TOOLS
from .records import KINDS
from .tasks import PaymentTask
from .worked import EXAMPLES


class _Shelf:
    """The documents that some rules give, shared by all worlds in which these rules hold."""

    def __init__(self, rules: RuleBook, corpus: Corpus) -> None:
        self.rules = rules
        self.corpus = corpus
        self._libraries: dict[str, Library] = {}

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        return render_all(Edition(self.corpus, self.rules, tuple(TOOLS), EXAMPLES))

    def library(self, retrieval: Retrieval) -> Library:
        if retrieval not in self._libraries:
            self._libraries[retrieval] = Library(self.documents, retrieval)
        return self._libraries[retrieval]


class Setting:
    """What an episode plays in.

    Args:
        base: The records that it starts from.
        rules: The rules of the world.
        corpus: What people have written, before its slots are filled.

    Attributes:
        base: The same for all episodes.
        rules: The same for all episodes.
    """

    def __init__(self, base: Base, rules: RuleBook, corpus: Corpus) -> None:
        self.base = base
        self.rules = rules
        self._corpus = corpus
        self._shelf = _Shelf(rules, corpus)

    @classmethod
    def _beside(cls, base: Base, shelf: _Shelf) -> Setting:
        """Return a setting that shares its rules and documents with others."""
        found = cls(base, shelf.rules, shelf.corpus)
        found._shelf = shelf
        return found

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents as the company keeps them."""
        return self._shelf.documents

    @cached_property
    def rendered(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the rules whose values each document states, by the document's id."""
        return {each.id: tuple(each.renders) for each in self._corpus.skeletons.values()}

    def library(self, retrieval: Retrieval) -> Library:
        """Return the documents with a way to search them.

        Raises:
            SettingError: There is no such retrieval, or what it needs is not installed.
        """
        return self._shelf.library(retrieval)


class Content:
    """The worlds, rules, documents and tasks of a folder.

    Args:
        folder: As `tasks` describes it.

    Raises:
        DataError: A file breaks its form; the message gives file and path.
    """

    def __init__(self, folder: Folder) -> None:
        self._parts = {each.name: each for each in folder.iterdir()}
        self._settings: dict[tuple[Any, ...], Setting] = {}
        self._shelves: dict[tuple[Any, ...], _Shelf] = {}
        self._checked: dict[str, PaymentTask] = {}
        self.tasks = TaskSet(
            validate(PaymentTask, value, f"tasks/{name}.yaml") for name, value in self._files("tasks").items()
        )

    def setting(self, task: PaymentTask) -> Setting:
        """Return what a task plays in; a task is checked against it the first time.

        Raises:
            DataError: A world, rule, document, tool or customer that the task names does not exist.
        """
        key = (task.world, tuple(task.rule_sets), tuple(task.document_sets))
        if key not in self._settings:
            self._settings[key] = Setting._beside(self._base(task.world), self._shelf(task))
        found = self._settings[key]
        if self._checked.get(task.task_id) is not task:
            _check(task, found)
            self._checked[task.task_id] = task
        return found

    def _shelf(self, task: PaymentTask) -> _Shelf:
        key = (tuple(task.rule_sets), tuple(task.document_sets))
        if key not in self._shelves:
            self._shelves[key] = _Shelf(RuleBook(self._rules(task.rule_sets)), self._corpus(task.document_sets))
        return self._shelves[key]

    @cached_property
    def _worlds(self) -> Mapping[str, Any]:
        return self._files("worlds")

    def _base(self, name: str) -> Base:
        _require([name], self._worlds, "world", "world")
        return Base(by_kind(KINDS, self._worlds[name], f"worlds/{name}.yaml"))

    def _rules(self, names: list[str]) -> Iterable[RuleRow]:
        found = self._files("rules")
        _require(names, found, "rule_sets", "file of rules")
        for name in names or found:
            for k, row in enumerate(found[name]):
                yield validate(RuleRow, row, f"rules/{name}.yaml.{k}")

    def _corpus(self, names: list[str]) -> Corpus:
        if "documents" not in self._parts:
            raise DataError("documents: there is no such folder")
        folder = self._parts["documents"]
        found = [each.name for each in folder.iterdir() if each.is_dir()]
        _require(names, found, "document_sets", "folder of documents")
        return read_corpus(_Part(folder, names) if names else folder)

    def _files(self, part: str) -> dict[str, Any]:
        """The files of a part by name, in alphabetical order; what is no YAML is skipped."""
        if part not in self._parts:
            raise DataError(f"{part}: there is no such folder")
        listed = {each.name: each for each in self._parts[part].iterdir() if each.name.endswith(".yaml")}
        return {
            name.removesuffix(".yaml"): parse(listed[name].read_text(encoding="utf-8-sig"), f"{part}/{name}")
            for name in sorted(listed)
        }


class _Part:
    """A folder of which only some folders are seen."""

    def __init__(self, folder: Folder, names: list[str]) -> None:
        self._folder = folder
        self._names = (*names, SETTING_FILE)

    @property
    def name(self) -> str:
        return self._folder.name

    def is_dir(self) -> bool:
        return True

    def iterdir(self) -> Iterable[Folder]:
        return (each for each in self._folder.iterdir() if each.name in self._names)

    def read_text(self, encoding: str | None = None) -> str:
        return self._folder.read_text(encoding=encoding)


@cache
def packaged() -> Content:
    """Return the content that comes with BizGym.

    Raises:
        DataError: A file breaks its form.
    """
    return Content(files("bizgym.data").joinpath("payments"))


def _check(task: PaymentTask, setting: Setting) -> None:
    place = task.task_id
    _require([task.customer], setting.base.records, f"{place}.customer", "record")
    for spec in task.checks:
        _require(spec.rules, setting.rules.rows, f"{place}.checks.{spec.id}.rules", "rule")
    _require(task.gold_documents, [each.id for each in setting.documents], f"{place}.gold_documents", "document")
    _require(task.tool_subset, TOOLS, f"{place}.tool_subset", "tool")
    require_rules(task, setting.base, setting.rules)


def _require(names: Iterable[str], known: Iterable[str], place: str, what: str) -> None:
    listed = list(known)
    for name in names:
        if name not in listed:
            raise DataError(f"{place}: there is no {what} {name!r}.{nearest(name, listed)}")

"""What a task was built from, by digest: whoever changes a rule, a document or a tool sees which tasks rest on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from ..core.jsontext import canonical
from .content import Setting
from .documents.render import Document
from .kernel.events import Event
from .kernel.records import to_json
from .kernel.rules import RuleBook, RuleRow
from .kernel.tools import BusinessTool
from .kernel.world import Base
from .modules.catalog import TOOLS
from .tasks import DIGEST_DIGITS, Lineage

GENERATOR = "2"
"""Version of the families: it is raised when what they build changes with nothing else having changed."""


class Change(NamedTuple):
    """Something that is no longer what a task was built from.

    Attributes:
        part: `generator`, `world`, `rule`, `key`, `document` or `tool`.
        name: Its id, key or name.
        why: What has become of it.
    """

    part: str
    name: str
    why: str


def digest_of(value: Any) -> str:
    """Return the digest of a JSON value."""
    return sha256(canonical(value).encode()).hexdigest()[:DIGEST_DIGITS]


def log_of(log: Iterable[Event]) -> str:
    """Return the digest of the events of a path."""
    return digest_of([event.to_json() for event in log])


def lineage_of(
    case: Any, rules: Iterable[str], documents: Iterable[str], tools: Iterable[str], setting: Setting
) -> Lineage:
    """Return what a task is built from.

    Args:
        case: Its case, as JSON.
        rules: Ids of the rules that it rests on.
        documents: Ids of the documents that its paths read.
        tools: Names of the business tools on offer in it.
        setting: What it is played in.
    """
    read = sorted(documents)
    stated = {rule for each in read for rule in setting.rendered[each]}
    rows = sorted({*rules, *stated})
    keys = sorted({setting.rules.rows[each].key for each in rows})
    by_id = {each.id: each for each in setting.documents}
    return Lineage(
        generator=GENERATOR,
        case=digest_of(case),
        world=_of_base(setting.base),
        rules={each: _of_row(setting.rules.rows[each]) for each in rows},
        keys={each: _of_key(setting.rules, each) for each in keys},
        documents={each: _of_document(by_id[each]) for each in read},
        tools={each: _of_tool(TOOLS[each]) for each in sorted(tools)},
    )


def changes(lineage: Lineage, setting: Setting) -> Iterator[Change]:
    """Yield what has changed since a task was built: the families and the world, rules, documents, tools."""
    if lineage.generator != GENERATOR:
        yield Change("generator", "families", f"is version {GENERATOR}, not {lineage.generator}")
    if lineage.world != _of_base(setting.base):
        yield Change("world", "records", "are others")
    rows, keys = setting.rules.rows, set(setting.rules.keys)
    changed_rules = []
    for rule, stored in lineage.rules.items():
        if rule not in rows or _of_row(rows[rule]) != stored:
            changed_rules.append(rule)
            why = "has changed" if rule in rows else "is gone"
            yield Change(part="rule", name=rule, why=why)
    for key, stored in lineage.keys.items():
        if key not in keys or _of_key(setting.rules, key) != stored:
            yield Change(part="key", name=key, why="has other rows")
    yield from _of_documents(lineage, setting, changed_rules)
    for tool, stored in lineage.tools.items():
        if tool not in TOOLS or _of_tool(TOOLS[tool]) != stored:
            yield Change(part="tool", name=tool, why="is declared otherwise" if tool in TOOLS else "is gone")


def _of_documents(lineage: Lineage, setting: Setting, changed_rules: list[str]) -> Iterator[Change]:
    documents: Mapping[str, Document] = {each.id: each for each in setting.documents}
    for document, stored in lineage.documents.items():
        if document not in documents:
            yield Change(part="document", name=document, why="is gone")
        elif _of_document(documents[document]) != stored:
            stated = [each for each in changed_rules if each in setting.rendered[document]]
            of = f": {', '.join(stated)} has changed" if stated else ""
            yield Change(part="document", name=document, why=f"reads otherwise{of}")


def _of_base(base: Base) -> str:
    return digest_of([to_json(record) for record in base.records.values()])


def _of_row(row: RuleRow) -> str:
    fields = {name: to_json(getattr(row, name)) for name in type(row).model_fields if name != "rationale"}
    return digest_of(fields)


def _of_key(rules: RuleBook, key: str) -> str:
    return digest_of(sorted(row.id for row in rules.rows_of(key)))


def _of_document(document: Document) -> str:
    return digest_of(document.text)


def _of_tool(tool: BusinessTool) -> str:
    return digest_of([tool.name, tool.effect, tool.minutes, tool.error_codes, tool.parameters, sorted(tool.writes)])

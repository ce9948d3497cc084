"""The embedded set as it is stored: one item a line, the texts of filings once.

items/<capability>.jsonl    {"canary": ...}, then one item a line; of a filing's item `sections` holds ids of the
                            filing's sections, and `meta.filing` its id
filings/<filing_id>.json    {"canary": ..., "filing_id": ..., "sections": [section, ...]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import Field

from ..core.data import packaged_text, validate
from ..core.errors import DataError
from ..core.tasks import Frozen
from ..core.upkeep import CANARY
from .items import CAPABILITIES, Capability, Item, Section

FOLDER = "qa"
FILING = "filing"
"""The key of an item's `meta` under which the id of its filing stands."""


class FilingFile(Frozen):
    """`data/qa/filings/<filing_id>.json`."""

    canary: str
    filing_id: str
    sections: list[Section] = Field(min_length=1)


def to_lines(items: Iterable[Item]) -> str:
    """Return the text of `items/<capability>.jsonl`."""
    rows: list[Any] = [{"canary": CANARY}, *map(_stored, items)]
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def to_filing_text(filing_id: str, sections: Iterable[Section]) -> str:
    """Return the text of `filings/<filing_id>.json`."""
    file = FilingFile(canary=CANARY, filing_id=filing_id, sections=list(sections))
    return json.dumps(file.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"


def read_items(capability: Capability) -> list[Item]:
    """Return the shipped items of a capability, in order, with the texts of their filings.

    Raises:
        DataError: A line breaks its form, or names a filing or section that does not exist.
    """
    name = f"items/{capability}.jsonl"
    return list(items_of(packaged_text(FOLDER, name), name))


def items_of(text: str, place: str) -> Iterator[Item]:
    """Read the lines of a file of items.

    Raises:
        DataError: A line breaks its form, or names a filing or section that does not exist.
    """
    for number, line in enumerate(text.removesuffix("\n").split("\n")[1:], 2):
        where = f"{place}:{number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise DataError(f"{where}: not JSON ({error})") from None
        if not isinstance(row, dict):
            raise DataError(f"{where}: one item a line, as an object")
        yield validate(Item, _with_texts(row, where), where)


@cache
def filing_sections(filing_id: str) -> Mapping[str, Section]:
    """Return the sections of a shipped filing by id.

    Raises:
        DataError: There is no such filing, or its file breaks its form.
    """
    name = f"filings/{filing_id}.json"
    try:
        text = packaged_text(FOLDER, name)
    except (OSError, ValueError):
        raise DataError(f"meta.{FILING}: there is no filing {filing_id!r}") from None
    return {each.section_id: each for each in validate(FilingFile, json.loads(text), name).sections}


def shipped_items() -> list[Item]:
    """Return the whole embedded set, by capability."""
    return [item for capability in CAPABILITIES for item in read_items(capability)]


def _stored(item: Item) -> dict[str, Any]:
    row = item.model_dump(mode="json", exclude_defaults=True)
    if FILING in item.meta:
        own = filing_sections(str(item.meta[FILING]))
        row["sections"] = [
            each.section_id if own.get(each.section_id) == each else each.model_dump() for each in item.sections
        ]
    return row


def _with_texts(row: dict[str, Any], where: str) -> dict[str, Any]:
    named = [each for each in row.get("sections", ()) if isinstance(each, str)]
    if not named:
        return row
    filing_id = str(row.get("meta", {}).get(FILING, ""))
    known = filing_sections(filing_id)
    missing = [each for each in named if each not in known]
    if missing:
        raise DataError(f"{where}: sections: the filing {filing_id} has no section {missing[0]!r}")
    return {**row, "sections": [known[each] if isinstance(each, str) else each for each in row["sections"]]}

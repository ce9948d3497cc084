"""What a check looks at: which business tools meet it with what they write."""

from __future__ import annotations

import re

from ...core.jsontext import canonical
from ..checks.spec import CheckSpec
from ..kernel.tools import BusinessTool
from ..records import KINDS
from ..records.approvals import ApprovalRequest

_ID = re.compile(r"[A-Z]{3}-[0-9]+")
_PREFIXES = {kind.prefix: name for name, kind in KINDS.items()}


def is_id(text: str) -> bool:
    """Whether a text is the id of a record."""
    return _ID.fullmatch(text) is not None


def kind_of(record_id: str) -> str:
    """Return the kind of a record by its id; the id itself where it is of no kind."""
    return _PREFIXES.get(record_id.rpartition("-")[0], record_id)


def meets(tool: BusinessTool, check: CheckSpec) -> bool:
    """Whether a check looks at a tool, at one of the fields in its footprint, or at records of a kind that it makes.

    A frame looks at everything, and whoever demands an approval at the requests for it. A record that a check names
    by its id may be one that has yet to come into being.
    """
    if "frame" in check.form:
        return bool(tool.writes)
    text = canonical(check.form)
    words = set(re.findall(r"[a-z_]+", text))
    if tool.name in words:
        return bool(tool.writes)
    kinds = {kind_of(each) for each in _ID.findall(text)} | words.intersection(KINDS)
    if "approved" in check.form:
        kinds.add(ApprovalRequest.kind)
    return any(_touches(write, kinds, words) for write in tool.writes)


def _touches(write: str, kinds: set[str], words: set[str]) -> bool:
    if write.endswith("+"):
        return write[:-1] in kinds
    kind, _, name = write.partition(".")
    return kind in kinds and name in words

"""The files of a folder of content as the families write them: compact YAML with a canary, one record or act a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

CANARY = "# BIZGYM CANARY 7c1d0a52-3f0e-4b8c-9a56-2e64d1b7f983: benchmark data must not appear in training corpora\n"
WIDTH = 120
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./+ -]*")
_READ_AS_OTHERS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf"})
"""Words that YAML takes for truth values, numbers or nothing."""


def as_file(data: dict[str, Any]) -> str:
    """Return data as the text of its file: what fits on a line stands on one, anything else is broken up by keys."""
    return CANARY + "".join(f"{line}\n" for line in _lines(json.loads(json.dumps(data)), ""))


def _lines(value: Any, indent: str) -> Iterator[str]:
    """Yield the lines of an object or a list that does not fit on one."""
    for lead, each in _entries(value):
        flat = f"{indent}{lead}{_flat(each)}"
        if len(flat) <= WIDTH or not each or not isinstance(each, dict | list):
            yield flat
        elif lead == "- ":
            first, *rest = _lines(each, f"{indent}  ")
            yield f"{indent}- {first.lstrip()}"
            yield from rest
        else:
            yield f"{indent}{lead.rstrip()}"
            yield from _lines(each, f"{indent}  ")


def _entries(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        return ((f"{_flat(key)}: ", each) for key, each in value.items())
    return (("- ", each) for each in value)


def _flat(value: Any) -> str:
    """Return a value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flat(key)}: {_flat(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and _means_itself(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _means_itself(text: str) -> bool:
    return text.lower() not in _READ_AS_OTHERS and text == text.strip() and not text.endswith("-")

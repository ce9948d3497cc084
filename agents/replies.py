"""Reading what a model was asked to write as JSON: strict about the object, tolerant of what stands around it."""

from __future__ import annotations

import re
from typing import Any

from ..envs.core.jsontext import MAX_CHARACTERS, JsonRefused, decode

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_OPENINGS = 50


def read_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a reply holds; None where there is none, never a guess.

    Taken is a reply that is an object, else the last fenced one, else the first that stands in the prose.
    """
    if len(text) > MAX_CHARACTERS:
        return None
    for part in (text.strip(), *reversed(_FENCED.findall(text))):
        found = _object(part.strip())
        if found is not None:
            return found
    starts = [match.start() for match in re.finditer(r"\{", text)][:_OPENINGS]
    for start in starts:
        found = _object(text[start : _end_of(text, start)])
        if found is not None:
            return found
    return None


def texts_of(value: Any, limit: int) -> list[str]:
    """Return the texts of a JSON list, blank ones left out, at most `limit`; a lone text counts as one."""
    given = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [each.strip() for each in given if isinstance(each, str) and each.strip()][:limit]


def _object(text: str) -> dict[str, Any] | None:
    if not text.startswith("{"):
        return None
    try:
        value = decode(text)
    except JsonRefused:
        return None
    return value if isinstance(value, dict) else None


def _end_of(text: str, start: int) -> int:
    """Return the place behind the brace that closes the one at `start`; brackets in quoted texts do not count."""
    depth, quoted, escaped = 0, False, False
    for place in range(start, len(text)):
        sign = text[place]
        if quoted:
            quoted, escaped = not (sign == '"' and not escaped), sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return place + 1
    return start

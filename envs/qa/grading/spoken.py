"""What of a reply is its answer, before its text is read.

Blocks in which a model thinks (`<think>...</think>` and its kin) are dropped with all that stands in them: one that is
never closed up to the end, one that is closed but never opened from the beginning. Of a JSON object, alone or in a
fenced block, the member that is named as the answer stands for the whole: `final_answer` before `answer` before words
such as `value` or `label`; the members `unit` and `scale` beside it are its unit and scale.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...core.jsontext import JsonRefused, decode

_THOUGHT = (
    r"(?:\w{1,8}:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis|reflection|scratch_?pad|(?:inner_)?monologue)"
)
_MARK = re.compile(
    rf"<(?P<shut>/)? ?{_THOUGHT}(?: [^<>\n]{{0,80}})? ?/?>|\[(?P<closing>/)?THINK\]|◁(?P<close>/)?think▷"
    r"|<\|(?:begin|(?P<end>end))_of_thought\|>",
    re.IGNORECASE,
)
_FINAL_CHANNEL = "<|channel|>final<|message|>"
_FENCED = re.compile(r"^[ \t]*```[ \t]*[\w+-]*[ \t]*\r?\n(?P<body>.*?)\r?\n?[ \t]*```", re.DOTALL | re.MULTILINE)
_TIERS = (
    ("final_answer", "finalanswer"),
    ("answer", "answers"),
    ("value", "result", "label", "labels", "tag", "tags", "choice", "option", "verdict", "prediction", "response"),
)
_SCALE_WORDS = {1_000: "thousand", 1_000_000: "million", 1_000_000_000: "billion"}


def without_thinking(reply: str) -> str:
    """Return a reply without the blocks in which its model thinks."""
    place = reply.rfind(_FINAL_CHANNEL)
    if place >= 0:
        reply = reply[place + len(_FINAL_CHANNEL) :]
    kept: list[str] = []
    begin, inside = 0, False
    for mark in _MARK.finditer(reply):
        shut = any(mark.groupdict().values())
        if not shut and not inside:
            kept.append(reply[begin : mark.start()])
        if shut and not inside:
            kept = []
        begin, inside = mark.end(), not shut
    if begin == 0:
        return reply
    return "\n".join([*kept, "" if inside else reply[begin:]]).strip()


def without_fence(code: str) -> str:
    """Return the code of a reply that is one fenced Markdown block, with or without words around it.

    Of several blocks none is chosen, and the reply stays as it is.
    """
    text = without_thinking(code)
    if "```" not in text:
        return text if text != code else code
    blocks = _FENCED.findall(text) if text.count("```") == 2 else []
    return blocks[0] if len(blocks) == 1 else text


def answer_of_object(reply: str) -> str | list[object] | None:
    """Return the answer of a reply that is a JSON object with a member so named, None where it is nothing of the kind.

    An object whose members of one tier contradict each other answers nothing, which is "".
    """
    text = reply.strip()
    if text.startswith("```") and text.endswith("```"):
        text = without_fence(text).strip()
    if text[:1] != "{" or text[-1:] != "}":
        return None
    try:
        found = decode(text)
    except JsonRefused:
        return None
    return _named(found) if isinstance(found, Mapping) else None


def _named(members: Mapping[str, object]) -> str | list[object] | None:
    folded = [(re.sub(r"[\s-]+", "_", key.strip().lower()), value) for key, value in members.items()]
    for tier in _TIERS:
        values = [value for key, value in folded if key in tier]
        if values:
            return _written(values[0], dict(folded)) if all(each == values[0] for each in values) else ""
    return None


def _written(value: object, members: Mapping[str, object]) -> str | list[object] | None:
    if isinstance(value, list):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None if isinstance(value, Mapping) else ""
    words = [str(value)]
    scale, unit = members.get("scale"), members.get("unit")
    if isinstance(scale, str) and len(scale) < 20:
        words.append(scale)
    elif isinstance(scale, int) and scale in _SCALE_WORDS:
        words.append(_SCALE_WORDS[scale])
    if isinstance(unit, str) and len(unit) < 20:
        words.append(unit)
    return " ".join(words)

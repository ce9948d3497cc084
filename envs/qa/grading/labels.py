"""Several labels, one for each place asked about: compared place by place, in lower case.

A list may be JSON, or one label a line, or set apart by semicolons or commas, numbered or not, or a Markdown table.
Where all of its labels are numbered the numbers name their places; else the order does. Where the labels on offer are
known, a stretch that holds exactly one of them as a word stands for it. A label that is denied (`not X`, `X is wrong`)
is not given, and a reason behind the labels is left aside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from ...core.data import validate
from ..answers import AnswerSpec, Verdict
from .cleaning import plain
from .listing import labels_of_json, labels_of_text
from .spans import normalized

MOST_LABELS = 500
_LONGEST_LIST = 200_000
_LONGEST_DENIED = 400
_DENIED = re.compile(
    r"\b(?:not|never|neither|nor|wrong|incorrect|false|isn't|aren't|wasn't|cannot|except|anything but|instead of"
    r"|rather than)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\([^()\n]*\)|[,;–-] ?(?:and |but )?(?:not|never)\b[^,;\n]*|,? (?:rather than|instead of)\b[^,;\n]*"
    r"|,? (?:because|since|as|which)\b.*",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"^(?:us-gaap|ifrs-full|[bi])[:_-](?=[a-z])", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def grade_labels(reply: str, spec: AnswerSpec) -> Verdict:
    """Judge a list of labels: right where all of them are, and there are no more."""
    said, gold = _read(reply, spec), _gold(spec)
    if not said:
        return Verdict(False, None, "no label is named")
    hits = _hits(said, gold)
    if hits == len(gold) == len(said):
        return Verdict(True, said, "right")
    return Verdict(False, said, f"{hits} of {len(gold)} places right, {len(said)} labels given")


def label_share(reply: str, spec: AnswerSpec | dict[str, object]) -> float:
    """Return the share of places whose label is right, from 0 to 1.

    Raises:
        DataError: The spec is not sound.
        ValueError: It asks for no labels.
    """
    checked = spec if isinstance(spec, AnswerSpec) else validate(AnswerSpec, spec, "spec")
    if checked.kind != "labels":
        raise ValueError(f"spec: kind: labels, not {checked.kind}")
    gold = _gold(checked)
    return _hits(_read(reply, checked), gold) / len(gold)


def _hits(said: Sequence[str], gold: Sequence[str]) -> int:
    return sum(one == other for one, other in zip_longest(said, gold))


def _gold(spec: AnswerSpec) -> tuple[str, ...]:
    values = spec.value if isinstance(spec.value, list) else [str(spec.value)]
    return tuple(map(_folded, values))


def _folded(label: str) -> str:
    return _PREFIX.sub("", normalized(label))


def _read(reply: str, spec: AnswerSpec) -> tuple[str, ...]:
    on_offer = {_folded(each) for each in spec.options or ()}
    listed = labels_of_json(reply)
    if listed is None:
        text = plain(reply)[:_LONGEST_LIST]
        label_of = partial(_on_offer, on_offer=on_offer)
        listed = labels_of_json(text) or labels_of_text(text, len(_gold(spec)), on_offer, label_of)
    return tuple(_on_offer(each, on_offer) for each in listed[:MOST_LABELS])


def _on_offer(text: str, on_offer: set[str]) -> str:
    """Return the label that a stretch gives, "" where it denies it."""
    label = _folded(text)
    if label in on_offer:
        return label
    if _DENIED.search(text) and len(text) < _LONGEST_DENIED:
        text = _OF_ANOTHER.sub(" ", text)
        if _DENIED.search(text):
            return ""
        label = _folded(text)
    if not on_offer:
        return label
    words = {_folded(word) for word in _WORD.findall(text)} & on_offer
    return words.pop() if len(words) == 1 else label

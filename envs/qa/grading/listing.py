"""The pieces of a list as written: JSON, lines, commas, numbers, a table; in the order of their numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set

from ...core.jsontext import JsonRefused, decode
from .finals import from_last_final
from .retractions import taken_back

MOST_PLACES = 500
_NUMBERED = re.compile(
    r" *(?:(?:\((?P<round>\d{1,3})\)|\[(?P<square>\d{1,3})\][.):=]?"
    r"|(?:(?:no\.?|number|label|item|place|tag|mark|position) ?)?#?(?P<plain>\d{1,3}) ?[.):=-])|[-*•]) *",
    re.IGNORECASE,
)
_INLINE = re.compile(r"(?:^|(?<= ))(?=(?:\(\d{1,3}\)|\[\d{1,3}\]|\d{1,3}[.):]) ?[A-Za-z])")
_PLACE_KEY = re.compile(
    r"[(\[]?(?:(?:no|number|label|item|place|tag|mark|position)[ _.#-]{0,2})?(\d{1,3})[)\]]?", re.IGNORECASE
)
_LIST_KEYS = ("labels", "tags", "answer", "answers", "values", "label", "tag", "final_answer")
_REASON = re.compile(
    r"[(*_]*(?:(?:because|since)\b|(?:reason(?:ing|s)?|explanation|rationale|notes?|justification|confidence|why) ?[:*]"
    r"|(?:this|these|those|it|they|both|all|each) (?:\w+ )?(?:is|are|was|were|follows?|records?|means?|covers?)\b)",
    re.IGNORECASE,
)
_SENTENCE_WORDS = re.compile(r"^\W*\w+ (?:is|was|are|were|would|means|covers|refers|records)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"(?<=\S),? \(?(?:because|since)\b", re.IGNORECASE)
_NOT_ANOTHER = re.compile(r" *(?:and |but )?(?:not|rather than|instead of|never)\b", re.IGNORECASE)
_LAST_AND = re.compile(r"(.*\S)(?:,? and|,? ?&) (.+)", re.DOTALL | re.IGNORECASE)
_LEADING_AND = re.compile(r"^(?:and|&) ", re.IGNORECASE)
_LEAD_IN = re.compile(r"\b(?:labels?|tags?|answers?|order)\b", re.IGNORECASE)
_IN_SQUARES = re.compile(r"\[\d{1,3}\]")
_OF_A_RULE = frozenset("|:- ")
_PROSE_WORDS = 4


def labels_of_json(text: str) -> list[str] | None:
    """Return the labels of a JSON list or object, in the order of the numbers that name them, if these do.

    Of an object with a member `labels`, `tags` or `answer`, or with one list among its members, that is the answer.
    """
    text = re.sub(r"^```(?:json)?|```$", "", text.strip()).strip()
    if text[:1] not in ("[", "{"):
        return None
    try:
        value = decode(text)
    except JsonRefused:
        return None
    if isinstance(value, Mapping):
        value = _listed(value)
    return [each if isinstance(each, str) else "" for each in (value if isinstance(value, list) else [value])]


def labels_of_text(text: str, n: int, on_offer: Set[str], label_of: Callable[[str], str]) -> list[str]:
    """Return the labels of a plain text.

    Args:
        text: Plain text.
        n: Number of places asked about: `A, B and C` is taken apart at its `and` where a label would be missing.
        on_offer: The labels on offer, none where they are not known.
        label_of: Gives the label that a piece means, "" where it is denied.
    """
    text = from_last_final(text) or text
    if taken_back(text):
        return []
    text = text.strip("{}() \n") if text.lstrip()[:1] in ("(", "{") else text.strip()
    if not _IN_SQUARES.match(text):
        text = text.strip("[]")
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].rstrip(" *").endswith(":"):
        lines = lines[1:]
    known = [bool(on_offer) and label_of(line) in on_offer for line in lines]
    rows = [line for line in lines if line.lstrip().startswith("|")]
    if len(rows) > 1:
        lines = [_of_row(cells, on_offer, label_of) for cells in _rows(rows)]
    else:
        lines = lines[: _end_of_labels(lines, known, bool(on_offer))]
    if len(lines) == 1:
        lines = _of_one_line(lines[0], n, on_offer, label_of)
    return _in_places(lines)


def _of_one_line(line: str, n: int, on_offer: Set[str], label_of: Callable[[str], str]) -> list[str]:
    head, colon, rest = line.partition(": ")
    if colon and (label_of(head) not in on_offer if on_offer else _LEAD_IN.search(head)) and not _NUMBERED.match(line):
        line = rest
    line = _BECAUSE.split(line, maxsplit=1)[0]
    inline = [each for each in _INLINE.split(line) if each.strip()] if "," not in line and ";" not in line else []
    pieces = inline if len(inline) > 1 else line.split(";" if ";" in line else ",")
    pieces = [each for k, each in enumerate(pieces) if each.strip() and not (k and _NOT_ANOTHER.match(each))]
    last = _LAST_AND.match(pieces[-1]) if pieces and len(pieces) < n else None
    return [*pieces[:-1], last[1], last[2]] if last else pieces


def _end_of_labels(lines: Sequence[str], known: Sequence[bool], offered: bool) -> int:
    """Return how many lines stand before the first that gives a reason for the labels, all where none does."""
    for k, line in enumerate(lines):
        if k == 0 or _NUMBERED.match(line):
            continue
        prose = _SENTENCE_WORDS.search(line) or not (known[k] or len(line.split()) < _PROSE_WORDS)
        if _REASON.match(line.strip()) or (offered and prose):
            return k
    return len(lines)


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """Return the cells of the rows of a Markdown table, without its head and its rule."""
    rules = [k for k, line in enumerate(lines) if "-" in line and _OF_A_RULE.issuperset(line)]
    body = lines[rules[0] + 1 :] if rules else lines
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in body]


def _of_row(cells: Sequence[str], on_offer: Set[str], label_of: Callable[[str], str]) -> str:
    label = next((cell for cell in cells if label_of(cell) in on_offer), cells[-1])
    number = _PLACE_KEY.fullmatch(cells[0])
    return f"{number[1]}. {label}" if number and len(cells) > 1 else label


def _listed(members: Mapping[str, object]) -> object:
    numbers = [_PLACE_KEY.fullmatch(key.strip()) for key in members]
    if all(numbers) and numbers:
        places = [int(found[1]) for found in numbers if found]
        return _by_number(list(zip(places, members.values(), strict=True)))
    lists = [value for value in members.values() if isinstance(value, list)]
    named = [value for key, value in members.items() if key.strip().lower() in _LIST_KEYS]
    if len(members) == 1 or len(named) == 1 or (not named and len(lists) == 1):
        value = next(iter([*named, *lists, *members.values()]))
        return _listed(value) if isinstance(value, Mapping) else value
    return list(members.values())


def _by_number(numbered: Sequence[tuple[int, object]]) -> list[object]:
    """Return what is numbered at its place; as it stands where numbers repeat or are no places."""
    numbers = [number for number, _ in numbered]
    first = 0 if 0 in numbers else 1
    if len(set(numbers)) != len(numbers) or max(numbers) > MOST_PLACES:
        return [""] * len(numbers)
    found: list[object] = [""] * (max(numbers) + 1 - first)
    for number, value in numbered:
        found[number - first] = value
    return found


def _in_places(lines: Sequence[str]) -> list[str]:
    """Return pieces without their numbers, at the places that these name where all of them have one."""
    marks = [_NUMBERED.match(line) for line in lines]
    rest = [line[mark.end() :] if mark else line for line, mark in zip(lines, marks, strict=True)]
    numbers = [next(filter(None, mark.groups()), "") if mark else "" for mark in marks]
    if len(lines) > 1 and all(numbers):
        return list(map(str, _by_number(list(zip(map(int, numbers), rest, strict=True)))))
    return [_LEADING_AND.sub("", piece.strip(), count=1) for piece in rest]


def _without_reason(lines: list[str]) -> list[str]:
    """Return the lines up to the first that is a sentence behind the labels."""
    for k, line in enumerate(lines):
        if k and not _NUMBERED.match(line) and (_REASON.match(line.strip()) or len(line.split()) > _PROSE_WORDS):
            return lines[:k] if not _REASON.match(lines[0].strip()) or k > 1 else lines
    return lines

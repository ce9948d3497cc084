"""What a skeleton leaves open. A slot stands in double braces; whatever varies or counts stands in one.

{{value R-FEE-2}}               the value of a rule, in the form of its key
{{from R-FEE-2}}                since when it holds; {{until R-FEE-2}} its end, where it was known from the start;
                                {{announced R-FEE-2}}
{{key reserve_review_fee}}      what is ruled, without its value
{{tool reserve_release}}        the name of a tool
{{term available_balance}}      a defined term; {{define available_balance}} with its meaning
{{doc D-0187}}                  another document; {{doc D-0187 fees}} a section of it
{{example review_quote R-FEE-2}}   a table that a function computes from rules
{{epoch}}                       date and time of minute 0
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...core.errors import DataError
from ...core.text import echo, nearest

RULE = re.compile(r"R-[A-Z0-9]+(-[A-Z0-9]+)*")
DOCUMENT = re.compile(r"D-\d{4}")
NAME = re.compile(r"[a-z][a-z0-9_]*")
_GRAMMAR: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "value": (RULE,),
    "from": (RULE,),
    "until": (RULE,),
    "announced": (RULE,),
    "key": (NAME,),
    "tool": (NAME,),
    "term": (NAME,),
    "define": (NAME,),
    "doc": (DOCUMENT, NAME),
    "example": (NAME, RULE),
    "epoch": (),
}
_OPTIONAL_FROM = {"doc": 1, "example": 1}
_REPEATED = ("example",)
_BRACES = re.compile(r"\{\{(.*?)\}\}")


class Slot(NamedTuple):
    """One slot.

    Attributes:
        kind: What it is filled with.
        arguments: Ids and names, each of its kind's grammar.
    """

    kind: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        """Write the slot as a skeleton does."""
        return f"{{{{{' '.join((self.kind, *self.arguments))}}}}}"


Piece = str | Slot


def parse(text: str, names: Mapping[str, str], place: str) -> tuple[Piece, ...]:
    """Split the text of a skeleton into what is written and what is open.

    Args:
        text: Of one section.
        names: What stands for an id in this revision, by name.
        place: How a message calls the section.

    Raises:
        DataError: Braces do not close, or a slot breaks its grammar.
    """
    pieces: list[Piece] = []
    for k, part in enumerate(_BRACES.split(text)):
        if k % 2:
            pieces.append(_slot(part.split(), names, place))
        elif "{{" in part or "}}" in part:
            raise DataError(f"{place}: double braces that do not pair up near {echo(part.strip(), 60)!r}")
        elif part:
            pieces.append(part)
    return tuple(pieces)


def of_kind(pieces: Iterable[Piece], *kinds: str) -> list[Slot]:
    """Return the slots of some kinds (all, where none is given), in order."""
    return [piece for piece in pieces if isinstance(piece, Slot) and (not kinds or piece.kind in kinds)]


def rule_ids(pieces: Iterable[Piece], *kinds: str) -> tuple[str, ...]:
    """Return the rules that slots of some kinds (all, where none is given) name, once each, in order."""
    slots = of_kind(pieces, *kinds)
    return tuple(dict.fromkeys(each for slot in slots for each in slot.arguments if RULE.fullmatch(each)))


def _slot(words: list[str], names: Mapping[str, str], place: str) -> Slot:
    if not words or words[0] not in _GRAMMAR:
        shown = words[0] if words else ""
        raise DataError(f"{place}: no slot is called {echo(shown, 40)!r}.{nearest(shown, _GRAMMAR)} {_kinds()}")
    kind, *rest = words
    grammar = _GRAMMAR[kind]
    fewest = _OPTIONAL_FROM.get(kind, len(grammar))
    if len(rest) < fewest or (len(rest) > len(grammar) and kind not in _REPEATED):
        raise DataError(f"{place}: {{{{{' '.join(words)}}}}} has {len(rest)} arguments; see the grammar of {kind}")
    patterns = [grammar[min(k, len(grammar) - 1)] for k in range(len(rest))]
    arguments = tuple(_argument(*each, names, place) for each in zip(rest, patterns, strict=True))
    return Slot(kind, arguments)


def _argument(word: str, pattern: re.Pattern[str], names: Mapping[str, str], place: str) -> str:
    # Names stand for rules and documents only, so that a key or a tool may be called like one of them.
    found = names.get(word, word) if pattern in (RULE, DOCUMENT) else word
    if pattern.fullmatch(found) is None:
        known = f"; names of this document: {', '.join(names)}" if names else ""
        raise DataError(f"{place}: {echo(word, 60)!r} does not fit {pattern.pattern}{known}")
    return found


def _kinds() -> str:
    return f"There are: {', '.join(_GRAMMAR)}"

"""The words of a text as the index knows them: lower case, plurals cut, names whole and in parts."""

from __future__ import annotations

import re
import unicodedata

VERSION = 1
"""Counts up with every change here, since it changes what an index holds."""

_WORD = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|[^\W_]+(?:[-_][^\W_]+)*")
_PARTS = re.compile(r"[-_]")
_UNSAID = frozenset(
    # Words that stand in every document and so tell none apart.
    re.findall(
        r"\w+",
        """
        a an and are as at be been but by can do does for from has have how i if in into is it its me my no not of on
        or our shall should so such than that the their them then there these they this those to was we were what when
        where which who whose why will with would you your
        """,
    )
)


def words(text: str) -> list[str]:
    """Return the words of a text, in order.

    A name such as `reserve_release` or `D-0412` counts as itself and as its parts; commas within a number are left out.
    Compatibility characters are those they stand for (NFKC), and lone surrogates part words.
    """
    found: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text).lower()):
        word = match[0].replace(",", "")
        parts = _PARTS.split(word)
        if len(parts) > 1:
            found.append(word)
        found += [singular(part) for part in parts if part not in _UNSAID]
    return found


def singular(word: str) -> str:
    """Cut a plural: the S stemmer of Harman, "How effective is suffixing?", JASIS 42 (1991), first rule that fits."""
    if len(word) < 4 or not word.endswith("s"):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return f"{word[:-3]}y"
    # What ends in es loses its s by the second rule or by the third, whichever is the first that fits.
    return word if word.endswith(("us", "ss")) else word[:-1]

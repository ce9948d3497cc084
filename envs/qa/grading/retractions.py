"""What is said behind an answer and takes it back: `Wait, that is wrong`, `Or: 15`, `Alternatively, A`."""

from __future__ import annotations

import re

_LONGEST_SEARCHED = 20_000
_MOST_OTHERS = 20
_BEGINS = r"(?:[\n.!?;(:]|\*\*) *"
_RETRACTED = re.compile(
    rf"{_BEGINS}(?:(?:no|oh|hmm|but|oops),? )?(?:wait(?=[,.!:…–-]| -| ?$|\n)|wait (?=that|no\b|i\b|this|actually|it\b)"
    r"|correction(?=[:,.])|scratch that|on second thoughts?|oops"
    r"|my mistake|strike that|i (?:made|have made) (?:a|an) (?:mistake|error)|i was wrong)",
    re.IGNORECASE,
)
_CALLED_WRONG = re.compile(
    rf"{_BEGINS}(?:but |no,? )?(?:that|this|it|the above)(?: answer| figure| number| value| result)?"
    r"(?:'s| is| was)(?: clearly| actually)? (?:wrong|incorrect|not (?:right|correct|the answer)|false|a mistake"
    r"|mistaken)\b(?! to\b)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"(?:[\n.!?;] *)(?:(?:or|alternatively|actually|sorry|maybe|perhaps|possibly|hmm|rather)\b[,:.]?|no,) ?"
    r"(?P<other>[^\n]{0,200})",
    re.IGNORECASE,
)


def taken_back(behind: str, *, called_wrong: bool = True) -> bool:
    """Whether an answer is withdrawn by what stands behind it.

    Args:
        behind: Plain text that begins with the answer.
        called_wrong: Whether `that is wrong` withdraws it too; among options it may speak of another one.
    """
    behind = behind[:_LONGEST_SEARCHED]
    return bool(_RETRACTED.search(behind) or (called_wrong and _CALLED_WRONG.search(behind)))


def others(behind: str) -> list[str]:
    """Return what is offered instead of an answer by sentences that begin with `or`, `alternatively` and the like."""
    found = list(_OTHERWISE.finditer(behind[:_LONGEST_SEARCHED]))[:_MOST_OTHERS]
    return [re.split(r"[.!?](?= |$)", each["other"], maxsplit=1)[0] for each in found]

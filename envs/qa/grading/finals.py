"""Where in a reply its final answer stands: in a box, else behind `final answer`, else behind `answer`."""

from __future__ import annotations

import re

MOST_FINALS = 50
LONGEST_FINAL = 400
LONGEST_LINE = 4_000
LONGEST_SEARCHED = 100_000
_BOXED = re.compile(r"\\boxed\s?\{((?:[^{}\n]|\{[^{}\n]*\})*)\}")
_CUE = re.compile(
    r"(?<![A-Za-z])(?P<final>final )?(?<!to )(?:answer|verdict|ans(?=[.:])|response(?=:)|solution(?=:))(?:\"|')?"
    r"(?: ?\([^()\n]{0,60}\)|,? (?:to|for|in|of|as|rounded)\b[^.:=\n]{0,100}?|,[^.:=\n]{0,60},)?"
    r"(?: ?(?:is|was|would be|will be|should be|must be|equals|comes to)\b ?:?| ?[:=≈]| ?(?=\n))(?:\"|')? ?",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\b(?:incorrect|wrong|false|naive|tempting|least|second|some|many|others"
    r"|rul(?:e|ed|ing) out|poor|worst|weak(?:er|est)?|bad|unlikely|not|never|n't|common|initial|obvious"
    r"|eliminated?|excluded?|rejected?|avoid|first|earlier|previous|mistaken|trap|distractor|than|of)\b[^.\n;:!?,]{0,25}$"
    r"|n't\b[^.\n;:!?,]{0,25}$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[-–*•] +")
_LOOK_BACK = 40
_DENIED = re.compile(r"(?:not|never|neither)\b", re.IGNORECASE)


def finals(text: str) -> list[str]:
    """Return the stretches that are marked as the final answer, of the strongest mark only; none where none is.

    A stretch ends with its line; where that is blank the next line that is not stands for it, without the dash of a
    list, which is no minus there. What is denied (`the answer is not 5`, `the wrong answer is 5`) marks nothing, and
    what stands before the last 100,000 characters is not final.
    """
    return [stretch for stretch, _ in _placed(text)]


def from_last_final(text: str) -> str:
    """Return a text from its last final answer on, "" where none is marked."""
    found = _placed(text)
    return text[found[-1][1] :] if found else ""


def _placed(text: str) -> list[tuple[str, int]]:
    """Return the stretches with the places where they begin."""
    skipped = max(0, len(text) - LONGEST_SEARCHED)
    text = text[skipped:]
    boxed = list(_BOXED.finditer(text)) if "boxed" in text else []
    if boxed:
        return [(each[1].strip(), skipped + each.start(1)) for each in boxed[-MOST_FINALS:]]
    cues = [cue for cue in _CUE.finditer(text) if not of_another(text, cue.start())]
    cues = [cue for cue in cues if cue["final"]] or cues
    cues = cues[-MOST_FINALS:]
    ends = [*(cue.start() for cue in cues[1:]), len(text)]
    found = ((_stretch(text, cue.end(), end), skipped + cue.end()) for cue, end in zip(cues, ends, strict=False))
    return [each for each in found if each[0] and not _DENIED.match(each[0])]


def of_another(text: str, place: int) -> bool:
    """Whether the words before a mark say that another answer is meant: a wrong, a first, a tempting one."""
    return bool(_OF_ANOTHER.search(text[max(0, place - _LOOK_BACK) : place]))


def last_lines(text: str) -> list[str]:
    """Return the lines that are not blank, the last first, each cut to its last 4,000 characters at a space."""
    lines = [line.strip() for line in reversed(text[-MOST_FINALS * LONGEST_LINE :].splitlines()) if line.strip()]
    return [line if len(line) <= LONGEST_LINE else line[-LONGEST_LINE:].partition(" ")[2] for line in lines]


def _stretch(text: str, begin: int, end: int) -> str:
    stretch = (
        text[begin:end] if end <= begin + LONGEST_FINAL else text[begin : begin + LONGEST_FINAL].rpartition(" ")[0]
    )
    for k, line in enumerate(stretch.splitlines()):
        if line.strip():
            return _BULLET.sub("", line.strip(), count=1) if k else line.strip()
    return ""

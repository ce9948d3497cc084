"""Whether a headline says the decision: what it urges, refuses, sets aside or only compares."""

from __future__ import annotations

import re

from .case import Case, CaseOption
from .stems import meets, stems

_ASIDE = re.compile(r"\b(?:rather than|instead of|without|unlike)\b[^,;.:]*", re.IGNORECASE)
_CLAUSES = re.compile(r"\s*[;.!?]\s+|\s+[-–—]+\s+")
_PIECES = re.compile(r"\s*:\s+|,\s+(?=(?:but|not|instead|rather)\b)|\s+(?=but\b)|,\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:but|then|also|next|therefore|so|we recommend(?: that you| to)?|our advice(?: is)?)\s+)+", re.IGNORECASE
)
_REFUSED = re.compile(
    r"\b(?:(?:do|does|did|should|must|would|will|can|could|is|are|ought|need)(?: not|n't)|never|cannot|avoid|refrain|"
    r"reject|decline|oppose|(?:advise|argue|decide|vote|speak|come out) against|not|neither|nor|do without|rule out|"
    r"drop the (?:idea|plan))\b",
    re.IGNORECASE,
)
_CONDEMNED = re.compile(
    r"\b(?:mistake|mistaken|unwise|wrong|foolish|folly|nobody|no one|false|bad idea|ill-advised|out of the question|"
    r"off the table|unacceptable|imprudent|not worth|makes no sense|does not pay|doesn't pay)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:less|more|worse|better|fails?|earns?|brings?|leaves?|costs?|too|is|are|would|loses?|lags?|behind|comes?|adds?)\b",
    re.IGNORECASE,
)
_TURNED = re.compile(r"^(?:instead|rather)\b", re.IGNORECASE)
_REASONED = re.compile(
    r"\b(?:since|because|as (?:it|the|this|that|they)|given|whereas|while|although|though|even if|than|beats?|beating|"
    r"ahead of|over the|versus|vs|compared|outperforms?|outweighs?|exceeds?|breaks?|breaches?|violates?)\b.*",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"^(?:since|because|as|given|although|though|while|whereas|even if|even though)\b", re.IGNORECASE
)


def says(case: Case, decision: str, headline: str) -> bool:
    """Whether a headline says the decision, and no other option but those that it refuses, sets aside or compares."""
    option = case.options.get(decision)
    if option is None:
        return False
    urged = _urged(case, option, headline)
    if not meets(option.words, " ".join(urged)):
        return False
    first, *later = [each for each in urged if not _SUBORDINATE.match(each)] or [""]
    verbs = _verbs(case)
    stated = [first, *(each for each in later if _acts(each, verbs) or not _COMPARED.search(each))]
    rest = " ".join(_REASONED.sub(" ", _ASIDE.sub(" ", each)) for each in stated)
    return not any(meets(each.words, rest) for name, each in case.options.items() if name != decision)


def _urged(case: Case, option: CaseOption, headline: str) -> list[str]:
    """Return the parts of a headline that it does not refuse.

    A refusal holds until its clause ends or turns, or a part begins with what one would do with another option. Words
    of refusal that the option itself is put in refuse nothing.
    """
    own = option.text.lower()
    verbs = _verbs(case)
    urged: list[str] = []
    for clause in _CLAUSES.split(headline.strip()):
        refusing = False
        for piece in filter(None, _PIECES.split(clause)):
            acts = _acts(piece, verbs)
            refusing = refusing and not (acts or _TURNED.match(piece))
            found = _unless_own(_REFUSED, piece, own)
            if not refusing and _unless_own(_CONDEMNED, piece, own) is None:
                urged += [piece] if found is None else [piece[: found.start()]] if acts else []
            refusing = refusing or found is not None
    return urged


def _unless_own(pattern: re.Pattern[str], piece: str, own: str) -> re.Match[str] | None:
    """Return the first match whose words do not stand in a text in lower case."""
    found = (each for each in pattern.finditer(piece) if not re.search(rf"\b{re.escape(each[0].lower())}\b", own))
    return next(found, None)


def _verbs(case: Case) -> frozenset[str]:
    """Return the stems of the words that options begin with: what one would do."""
    return frozenset(stems(option.text)[0] for option in case.options.values())


def _acts(piece: str, verbs: frozenset[str]) -> bool:
    return next(iter(stems(_LEAD.sub("", piece))), "") in verbs

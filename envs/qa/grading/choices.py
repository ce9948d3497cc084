"""One option of several: by its letter or by its whole text, never by a letter that happens to stand in prose.

What is boxed counts first, else what stands behind a word such as `answer`, `verdict` or `option`, else the whole
reply, else the letters with which lines begin. Two different options of one rank are no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase

from ...core.errors import DataError
from ..answers import AnswerSpec, Verdict
from .cleaning import plain
from .finals import MOST_FINALS, finals, from_last_final, of_another
from .retractions import others, taken_back
from .spans import normalized

_CHOSEN = re.compile(
    r"\b(?:correct|best|right|chosen)? ?(?:option|choice|alternative|answer|one|solution|response|pick|selection|ans)"
    r"\b\.?"
    r"(?: ?(?:is|would be|must be|should be)\b ?:?| ?[:=]| [-–])? ?"
    r"|\b(?:i|we)(?:'d| would|'ll| will)? (?:choose|chose|pick|select|go with|opt for|recommend|say|think|believe"
    r"|conclude)\b(?: that)?(?: it is| it's| it must be| it should be)? ?(?:option |choice )?:? ?"
    r"|\b(?:choose|pick|select|go with|mark)\b ?:? ?"
    r"|\bit(?: is|'s| must be| has to be| should be| would be) |\b(?:hence|so|thus|therefore),? "
    r"|(?<![A-Za-z'])(?=[A-Z]\)?(?: is| would be| seems(?: to be)?| must be|:| -| –|,)? (?:the |clearly )?"
    r"(?:correct|right|best)\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"(?:option|choice|alternative|letter|is|the|correct|best|one|:)\b ?:? ?", re.IGNORECASE)
_KEY = re.compile(r"[\"'(\[]*(?P<key>[A-Za-z])(?P<close>[\])\"']*(?![A-Za-z]))(?P<rest>.*)", re.DOTALL)
_ENDS = re.compile(
    r" ?(?:$|\n|[.):;,!–—\]](?!\w)|- |–|(?:because|since|as|for|due|given|which|and|so|but|not|rather|over)\b|\(|\{)"
    r"| (?:is|are|would be|must be|seems(?: to be)?) (?:the |a |clearly )?(?:correct|right|best|answer)",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"[\"')\].]* ?[,;(]? ?(?:(?:or|and|/|&|\+|and/or|but also|also|alternatively),? ?"
    r"(?:possibly|maybe|perhaps|even|also|both|else)?|possibly|maybe|perhaps|otherwise) ?"
    r"(?:option |choice )?[\"'(\[]*(?P<key>[A-Za-z])(?![A-Za-z'])",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[\"')\]]* ?[,;.] ?[\"'(\[]*(?P<key>[A-Z])(?=[\"')\]]*(?:[.,;]|$| ?\n| (?:and|or) ))")
_ALLOWED_TOO = re.compile(
    r"(?<![A-Za-z'])(?P<key>[A-Z])(?![A-Za-z']) (?:"
    r"(?:is|are|can|could|may|might|would|seems) (?:be )?(?:also|equally|just as)\b"
    r"|(?:is|are|works?|fits?) (?:too|as well)\b"
    r"|(?:also|equally|too) (?:works?|fits?|appl(?:y|ies)|holds?)\b"
    r"|(?:could|may|might|would)(?: also)? (?:work|fit|apply|hold)\b"
    r"|(?:is|are)(?: also)? (?:acceptable|possible|plausible|defensible)\b)"
    r"|\b(?:could|may|might)(?: also| well)* be (?:option )?(?P<other>[A-Z])(?![A-Za-z'])"
)
_WRONG = (
    r"(?:not(?! only| (?:option |choice )?(?-i:[A-Z])(?![A-Za-z]))|wrong|incorrect|false|rejected|eliminated|excluded"
    r"|no(?=[.,;!]| ?$|\n)|ruled out|invalid|unsuitable|inappropriate)\b"
)
_DENIED = re.compile(
    r"[\"')\].]* ?(?:is|are|was|cannot|can't)(?: ?n[o']t)?\b[^.;\n]{0,30}?\b(?:not|wrong|incorrect|false|be|eliminated"
    r"|rejected|excluded)\b"
    rf"|[\"')\].]* ?[:–(-]+ ?(?:this |it )?(?:is |option is )?(?:clearly |simply |also )?{_WRONG}"
    r"|[\"')\].]* ?(?:is|are|can be) (?:ruled|left) out\b"
    r"|[\"')\].]*,? (?:which|but (?:that|this|it)) (?:is|was|would be)(?: clearly)? (?:wrong|incorrect|false|not)\b"
    r"|[\"')\].]* would be (?:wrong|incorrect|false|a mistake)\b",
    re.IGNORECASE,
)
_ALL_DENIED = re.compile(
    r"[\"')\].]* (?:are|is|were) (?:both |all |also )?(?:wrong|incorrect|false|not)\b", re.IGNORECASE
)
_CALLED_RIGHT = re.compile(r"(?<![A-Za-z'])(?P<key>[A-Z])\)? is (?:also |the )?(?:correct|right|best)\b")
_AFFIRMED = re.compile(
    r"[\"')\].:–( -]*(?:this |it )?(?:is )?(?:the |clearly )?(?:correct|right|best)\b", re.IGNORECASE
)
_REASON = re.compile(r"$|[.,;:]? (?:because|since|as)\b|[.;:] | - ")
_LETTER = re.compile(r"[\"'(\[]*(?P<key>[A-Z])(?![A-Za-z'])")
_HEAD = re.compile(r"[(\[]?(?:(?:option|choice) )?[(\[]?(?P<key>[A-Za-z])(?:[)\].:]| [-–] )", re.IGNORECASE)
_NO = re.compile(r"\(?[A-Za-z]\) no[.!]?", re.IGNORECASE)
_HEADED = re.compile(r"[(\[]?[A-Z][)\].:]| *(?:[Oo]ption|[Cc]hoice) |[A-Z] [-–] ")
_LONE = re.compile(r"[(\[\"']*[A-Za-z][)\]\"'.:!]*")
_LONGEST_HEAD = 600


def grade_choice(reply: str, spec: AnswerSpec) -> Verdict:
    """Judge a reply that must name one option.

    Raises:
        DataError: The spec's value is neither the key nor the text of one of its options, or names two of them (the key
            of one and the text of another), or these are more than 26.
    """
    options = spec.options or []
    gold = _gold(str(spec.value), options)
    text = plain(reply)
    if not text:
        return Verdict(False, None, "no answer")
    said = _said(text, [normalized(_keyless(each, k)) for k, each in enumerate(options)])
    if len(said) != 1:
        return Verdict(False, None, f"several options: {', '.join(said)}" if said else "no option is named")
    (key,) = said
    if _withdrawn(text, key, options):
        return Verdict(False, None, "an answer that is taken back, or beside which another is offered")
    return Verdict(key == gold, key, "right" if key == gold else f"{key} is not the answer")


def _gold(value: str, options: Sequence[str]) -> str:
    keys = ascii_uppercase[: len(options)]
    if len(options) > len(ascii_uppercase):
        raise DataError(f"spec: options: at most {len(ascii_uppercase)}, one for each letter")
    wanted, key = normalized(value), value.strip().upper()
    texts = {k for k, each in enumerate(options) if wanted in (normalized(each), normalized(_keyless(each, k)))}
    places = texts | ({keys.index(key)} if len(key) == 1 and key in keys else set())
    if len(places) != 1:
        raise DataError("spec: value: the key or the text of one of the options, and of one alone")
    return keys[places.pop()]


def _keyless(option: str, place: int) -> str:
    """Return the text of an option without a key of its own, such as `B) `."""
    return re.sub(rf"^\(?{ascii_uppercase[place % 26]}[).:] +", "", option.strip())


def _said(text: str, options: Sequence[str]) -> list[str]:
    """Return the keys that a reply names as its answer, by the strongest rank that names any."""
    if _NO.fullmatch(text) and "no" not in options:
        return []
    heads = _line_heads(text)
    for rank in (finals(text), _lone_letters(text), _affirmed(heads), [text, *heads], _behind(_CHOSEN, text)):
        found = {key for part in rank for key in _keys(part, options)}
        if found:
            return sorted(found)
    return []


def _withdrawn(text: str, key: str, options: Sequence[str]) -> bool:
    """Whether a later sentence takes the answer back or offers another option in its place."""
    behind = from_last_final(text) or _from_lone_letter(text) or text
    if taken_back(behind, called_wrong=False):
        return True
    keys = ascii_uppercase[: len(options)]
    if any(each["key"] in keys and each["key"] != key for each in _CALLED_RIGHT.finditer(behind)):
        return True
    for other in map(_without_lead, others(behind)):
        match = _LETTER.match(other)
        if match and match["key"] in keys and match["key"] != key and _stands_alone(other[match.end() :]):
            return True
    return False


def _from_lone_letter(text: str) -> str:
    """Return a text from the last line on that is a letter and nothing else, "" where there is none."""
    lines = _lines(text)
    places = [k for k, line in enumerate(lines) if _LONE.fullmatch(line)]
    return "\n".join(lines[places[-1] :]) if places else ""


def _keys(part: str, options: Sequence[str]) -> list[str]:
    """Return the keys that one stretch begins with, or the one whose text it is."""
    part = part[:_LONGEST_HEAD].strip()
    whole = normalized(part)
    if whole in options:
        return [ascii_uppercase[options.index(whole)]]
    part = _without_lead(part)
    match = _KEY.match(part)
    if match is None or match["key"].upper() not in ascii_uppercase[: len(options)]:
        return _begins_with(part, options)
    key, rest = match["key"].upper(), match["rest"]
    behind = match["close"] + rest
    own = options[ascii_uppercase.index(key)]
    if _DENIED.match(behind) and not (own and normalized(rest.lstrip(" -–:.")).startswith(own)):
        return []
    more = _others(behind, options, own)
    if more:
        return [] if more == ["denied"] else sorted({key, *more})
    told = _begins_with(rest, options)
    if told:
        return sorted({key, *told})
    if match["close"] or _ENDS.match(rest) or (match["key"].isupper() and normalized(rest).startswith(own)):
        return [key]
    return _begins_with(part, options)


def _others(behind: str, options: Sequence[str], own: str) -> list[str]:
    """Return the keys that stand beside the first one, as in `B or A`, `B; A`, `B (A is also acceptable)`."""
    keys = ascii_uppercase[: len(options)]
    line = behind.partition("\n")[0]
    found: list[str] = []
    place = 0
    for _ in keys:
        listed, another = _LISTED.match(line, place), _ANOTHER.match(line, place)
        if another and not (another["key"].upper() in keys and _stands_alone(line[another.end() :])):
            another = None
        match = another or listed
        if match is None:
            break
        found, place = [*found, match["key"].upper()], match.end()
    if found and _ALL_DENIED.match(line, place):
        return ["denied"]
    at = line.lower().find(own) if own else -1
    if not found and 0 <= at <= 6 and (match := _ANOTHER.match(line, at + len(own))):
        found = [match["key"].upper()] if _stands_alone(line[match.end() :]) else []
    found += [each["key"] or each["other"] for each in _ALLOWED_TOO.finditer(line)]
    return [each for each in found if each in keys]


def _without_lead(part: str) -> str:
    for _ in range(4):
        lead = _LEAD.match(part)
        if not lead:
            break
        part = part[lead.end() :]
    return part


def _begins_with(part: str, options: Sequence[str]) -> list[str]:
    """Return the key of the option whose text a stretch begins with, where a reason or nothing follows it, if any."""
    told = normalized(part.partition("\n")[0])
    found = [
        (len(option), key)
        for key, option in zip(ascii_uppercase, options, strict=False)
        if option and told.startswith(option) and _follows(told[len(option) :], " " not in option)
    ]
    return [max(found)[1]] if found else []


def _follows(behind: str, of_one_word: bool) -> bool:
    """Whether a reason or another sentence follows; behind a single word such as `yes` a comma begins one."""
    return bool(_REASON.match(behind)) or (of_one_word and behind.startswith(", "))


def _stands_alone(behind: str) -> bool:
    return not re.match(r"[A-Za-z']| [a-z]{3,}", behind) or bool(re.match(r" (?:are|is|could|would|both)\b", behind))


def _behind(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return what stands behind each of the last marks, where a key stands directly behind it."""
    matches = list(pattern.finditer(text))[-MOST_FINALS:]
    matches = [each for each in matches if not of_another(text, each.start())]
    stretches = [text[each.end() : each.end() + _LONGEST_HEAD].partition("\n")[0] for each in matches]
    return [each for each in stretches if re.match(r"[\"'(\[]*[A-Za-z](?![A-Za-z'])", each)]


def _lone_letters(text: str) -> list[str]:
    """Return the lines that are a letter and nothing else, brackets and points aside."""
    return [line for line in _lines(text) if _LONE.fullmatch(line)]


def _line_heads(text: str) -> list[str]:
    """Return the lines that begin with a letter of their own: `B) ...`, `(B) ...`, `B: ...`, `Option B - ...`."""
    return [line for line in _lines(text) if _HEADED.match(line)]


def _affirmed(heads: Sequence[str]) -> list[str]:
    """Return the one line of a discussion of several options that calls its own the right one."""
    found = [(head, line) for line in heads if (head := _HEAD.match(line))]
    right = [line for head, line in found if _AFFIRMED.match(line, head.end() - 1)]
    return right if len(right) == 1 < len({head["key"].upper() for head, _ in found}) else []


def _lines(text: str) -> list[str]:
    lines = text[-MOST_FINALS * _LONGEST_HEAD :].splitlines()[-MOST_FINALS:]
    return [re.sub(r"^[-*•] +", "", line.strip()) for line in lines]

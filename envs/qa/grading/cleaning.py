"""Plain text out of a reply: Unicode, LaTeX and Markdown fall away, what carries meaning stays.

Digits of every script read as 0-9. A true minus sign becomes `−`, a hyphen `-`, every other dash `–`, since only the
first is never punctuation. Exponents set as superscripts become `^5`, so that `10²` is never taken for 102.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MINUS, DASH = "−", "–"
_MINUSES = "−˗➖"
_FIXED = {
    **dict.fromkeys(_MINUSES, MINUS),
    **dict.fromkeys("‐‑⁃﹣－", "-"),
    **dict.fromkeys("’‘ʼ′`´٬", "'"),
    **dict.fromkeys("“”„«»", '"'),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("≃≅∼～", "≈"),
    **dict.fromkeys("→⇒⟹", "="),
    "٫": ".",
    **dict.fromkeys("٪﹪", "%"),
    "\t": " ",
    "﹩": "$",
    "￡": "£",
    "￥": "¥",
    "￠": "¢",
    "。": ".",
}
_FULL_WIDTH, _FULL_WIDTH_SHIFT = range(0xFF01, 0xFF5F), 0xFEE0
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SPACES = re.compile(" {2,}")
_BREAK = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")

_LATEX = (
    (re.compile(r"\\([$%#&_{}])"), r"\1"),
    (re.compile(r"\\[(\[)\]]"), " "),
    (re.compile(r"\\(?:left|right)(?![A-Za-z])"), ""),
    (re.compile(r"\\(?:times|cdot)(?![A-Za-z])"), "×"),
    (re.compile(r"\\(?:approx|sim|simeq)(?![A-Za-z])"), "≈"),
    (re.compile(r"\\(?:pm)(?![A-Za-z])"), "±"),
    (re.compile(r"\\(?:Rightarrow|rightarrow|implies|to)(?![A-Za-z])"), "="),
    (re.compile(r"\\(?:geq?|gt)(?![A-Za-z])"), "≥"),
    (re.compile(r"\\(?:leq?|lt)(?![A-Za-z])"), "≤"),
    (re.compile(r"\\!"), ""),
    (re.compile(r"\\(?:[,;: ]|q?quad(?![A-Za-z]))"), " "),
    (re.compile(r"\{([.,+−–-])\}"), r"\1"),
)
_TEXT_COMMAND = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|bm|operatorname)\s?\{([^{}\n]*)\}")
_FRACTION = re.compile(r"\\[dt]?frac\s?\{([^{}\n]*)\}\s?\{([^{}\n]*)\}")
_MATH = re.compile(r"(\${1,2})(?!\s)(?=[^$\n]*\w)([^$\n]+)(?<!\s)\1(?![\d$])")
_DEEPEST_COMMANDS = 3

_MARKDOWN = (
    (re.compile(r"(?<=[\d)])\*\*(?=[\d(+-])"), "^"),  # a power in Python
    (re.compile(r"\*\*|__|```[a-z]*|`"), ""),
    (re.compile(r"~~[^~\n]*~~"), " "),  # struck out: not said
    (re.compile(r"(?<![\w*])\*(\S[^*\n]*)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<!\w)_(\S[^_\n]*)_(?!\w)"), r"\1"),
    (re.compile(r"^[ ]{0,3}#{1,6}[ ]", re.MULTILINE), ""),
)
_IN_THOUSANDS = re.compile(
    r"([$€£¥₹]|\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|SGD|SEK|INR)) ?'?000s?(?![\d.,']*\d|%)", re.IGNORECASE
)
_ARROW = re.compile(r"[-=]{1,3}>")
_ANSWER_TAG = re.compile(r"<(final_|final )?answer>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,80}>")


def plain(reply: str) -> str:
    """Return the words and numbers of a reply, one form for each thing that can be written in many."""
    text = _BREAK.sub("\n", reply)
    if "`" in text:
        text = _MARKDOWN[1][0].sub("", text)
    if not text.isascii():
        text = _SUPERSCRIPT.sub(lambda run: "^" + run[0].translate(_RAISED), text)
    if not (text.isascii() and text.isprintable()):
        text = "".join(map(_plain_character, text))
    if ">" in text:
        text = _ARROW.sub("=", text)
    if "<" in text:
        text = _TAG.sub("", _ANSWER_TAG.sub(lambda tag: f"\n{tag[1] or ''}answer: ".replace("_", " "), text))
    if "\\" in text or "$" in text or "{" in text:
        text = _without_latex(text)
    if "*" in text or "_" in text or "~" in text or "#" in text:
        for pattern, replacement in _MARKDOWN:
            text = pattern.sub(replacement, text)
    if "000" in text:
        text = _IN_THOUSANDS.sub(r"\1 thousand", text)  # the head of a column
    return _SPACES.sub(" ", text).strip()


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    if character == "\n" or ("!" <= character <= "~" and character != "`"):
        return character
    if character in _FIXED:
        return _FIXED[character]
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    if ord(character) in _FULL_WIDTH:
        return chr(ord(character) - _FULL_WIDTH_SHIFT)
    if unicodedata.decomposition(character).startswith("<fraction>"):
        return " " + unicodedata.normalize("NFKC", character).replace("⁄", "/")
    category = unicodedata.category(character)
    if category == "Cf":  # zero-width marks, soft hyphens, directions
        return ""
    return {"Zs": " ", "Cc": " ", "Pd": DASH}.get(category, character)


def _without_latex(text: str) -> str:
    text = _MATH.sub(r" \2 ", text) if text.count("$") > 1 and "\\$" not in text else text
    for _ in range(_DEEPEST_COMMANDS if "\\" in text else 0):
        text = _TEXT_COMMAND.sub(r"\1", text)
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    return _FRACTION.sub(r"\1/\2", text) if "frac" in text else text

"""What the answerer is told: the rules, the question with its context, and what an answer must look like."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from string import ascii_uppercase

from .answers import AnswerSpec
from .items import Item, Section

LONGEST_INLINE_CHARACTERS = 60_000
"""A longer context is read by `lookup` alone."""
PART_CHARACTERS = 7_500
"""A section is looked up in parts of at most so many characters, so that no result is cut."""

_RULES = """You answer one question about finance or business. Reply with tool calls.
{tools}
The first answer counts and ends the episode; it is worth 1 if it is right, else 0."""
_ANSWER = "- answer(value): give the answer."
_RUN = (
    "- run_python(code): run Python in a sandbox, as often as you like; what it prints and the value of its last "
    "expression come back. It keeps nothing between runs."
)
_LOOKUP = "- lookup(section): read a part of the context by its id."
_SCALE_WORDS = {1: "", 1_000: "thousands", 1_000_000: "millions"}
_CURRENCIES = frozenset({"USD", "EUR", "GBP", "JPY", "CHF", "SGD", "CAD", "AUD", "SEK", "INR"})


def rules_text(item: Item, *, by_lookup: bool) -> str:
    """Return the rules: the tools on offer and what an answer is worth."""
    tools = [_ANSWER, *([_RUN] if item.code else []), *([_LOOKUP] if by_lookup else [])]
    return _RULES.format(tools="\n".join(tools))


def request_text(item: Item, parts: Sequence[Section], *, by_lookup: bool) -> str:
    """Return the question, its context or how to read it, and what an answer must look like."""
    blocks = []
    if by_lookup:
        lines = [f"- {each.section_id}: {each.title} ({len(each.text):,} characters)" for each in parts]
        blocks.append("Context, to be read with lookup(section):\n" + "\n".join(lines))
    else:
        blocks += [f"## {each.title} [{each.section_id}]\n\n{each.text.strip()}" for each in item.sections]
    blocks.append(f"Question: {item.question}")
    if item.answer.options and item.answer.kind == "choice":
        options = zip(ascii_uppercase, item.answer.options, strict=False)
        blocks.append("\n".join(f"{letter}) {text}" for letter, text in options))
    elif item.answer.options:
        blocks.append("Labels to choose from: " + ", ".join(item.answer.options))
    blocks.append(form_of(item.answer))
    return "\n\n".join(blocks)


def form_of(spec: AnswerSpec) -> str:
    """Say what an answer must look like: form, unit, scale and tolerance."""
    if spec.kind == "choice":
        return "Answer with the letter of one option."
    if spec.kind == "labels":
        n = len(spec.value) if isinstance(spec.value, list) else 1
        if not spec.options:
            return f"Answer with {n} stretches of the context, one a line, in the order in which they stand there."
        if n == 1:
            return "Answer with one label, spelled as above."
        return f"Answer with {n} labels in the order of the marked places, spelled as above and separated by commas."
    if spec.kind == "span":
        return "Answer with the words as they stand in the context, and nothing else."
    wanted = f"a number{_in_units(spec)}"
    if spec.kind == "program":
        wanted = (
            f"Python code that reckons {wanted}: the value of its last expression, or of the variable `answer`, is "
            "taken. The code is run in a sandbox, without the context; write the figures that it needs into it"
        )
    return f"Answer with {wanted}. {_tolerance(spec)}"


def parts_of(sections: Sequence[Section]) -> list[Section]:
    """Return the sections as they are looked up: a long one in numbered parts, cut between lines where it can be."""
    found: list[Section] = []
    for section in sections:
        texts = _cut(section.text)
        if len(texts) == 1:
            found.append(section)
            continue
        for k, text in enumerate(texts, 1):
            title = f"{section.title}, part {k} of {len(texts)}"
            found.append(section.changed(section_id=f"{section.section_id[:56]}_part{k}", title=title, text=text))
    return found


def _in_units(spec: AnswerSpec) -> str:
    scale, unit = _SCALE_WORDS[spec.scale], spec.unit
    if unit == "percent":
        return " in percent (12.5 means 12.5 %)"
    if unit == "ratio":
        return " as a ratio, not in percent (0.125 rather than 12.5 %)"
    if unit is None:
        return f" in {scale}" if scale else ""
    if scale:
        return f" in {scale} of {unit}"
    return f" in {unit}"


def _tolerance(spec: AnswerSpec) -> str:
    absolute = f"{Decimal(str(spec.abs_tol)).normalize():f}"
    if not spec.rel_tol:
        return f"It is right within {absolute}."
    share = f"{(Decimal(str(spec.rel_tol)) * 100).normalize():f} %"
    return f"It is right within {share} of the true value, or {absolute} if that is more."


def _cut(text: str) -> list[str]:
    parts, rest = [], text
    while len(rest) > PART_CHARACTERS:
        at = rest.rfind("\n", PART_CHARACTERS // 2, PART_CHARACTERS)
        at = PART_CHARACTERS if at < 0 else at + 1
        parts.append(rest[:at])
        rest = rest[at:]
    return [*parts, rest] if rest.strip() or not parts else parts

"""FiNER-139: which XBRL tag does each marked number of a sentence carry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..answers import AnswerSpec
from ..difficulty import Features
from ..items import Item
from .public_set import LeftOut, PublicSet, Row, Split, item_of, section

NAME, LICENCE = "finer", "CC BY-SA 4.0"
MOST_MARKS = 4
_QUESTION = "Which US-GAAP tag does each marked number carry?"


def items(row: Row, split: Split) -> Iterator[Item | LeftOut]:
    """Make the item of a sentence.

    Raises:
        LeftOut: It has no tagged number or more than `MOST_MARKS`, or its tags are numbers without names.
    """
    tokens, tags = row.get("tokens"), row.get("ner_tags")
    names = row.get("tag_names")
    if not isinstance(tokens, list) or not isinstance(tags, list) or len(tokens) != len(tags):
        raise LeftOut("tokens and tags differ in number")
    words = [_named(each, names) for each in tags]
    text, marked = _marked([str(each) for each in tokens], words)
    if not marked:
        raise LeftOut("no tagged number")
    if len(marked) > MOST_MARKS:
        raise LeftOut(f"more than {MOST_MARKS} tagged numbers")
    known = sorted({_bare(str(each)) for each in names or words} - {""} | set(marked))
    yield item_of(
        NAME,
        str(row.get("id")),
        licence=LICENCE,
        capability="domain_knowledge",
        split=split,
        question=_QUESTION,
        sections=section("sentence", "Sentence", text),
        answer=AnswerSpec(kind="labels", value=marked, options=known),
        features=Features(evidence=len(marked), label_set_size=min(len(known), 1000), outside_knowledge=2),
        family="tags of a sentence",
    )


def _named(tag: object, names: Sequence[str] | None) -> str:
    if isinstance(tag, int) and not isinstance(tag, bool):
        if not names or not 0 <= tag < len(names):
            raise LeftOut("tags are numbers without names")
        return str(names[tag])
    return str(tag)


def _bare(tag: str) -> str:
    return "" if tag == "O" else tag.removeprefix("B-").removeprefix("I-")


def _marked(tokens: Sequence[str], tags: Sequence[str]) -> tuple[str, list[str]]:
    """Return the sentence with its tagged numbers in numbered brackets, and their tags in order."""
    words: list[str] = []
    found: list[str] = []
    for token, tag in zip(tokens, tags, strict=True):
        if tag.startswith("B-"):
            found.append(_bare(tag))
            words.append(f"[{len(found)}: {token}]")
        elif tag.startswith("I-") and found:
            words[-1] = f"{words[-1][:-1]} {token}]"
        else:
            words.append(token)
    return " ".join(words), found


SET = PublicSet(
    name=NAME,
    title="FiNER-139",
    home="https://huggingface.co/datasets/nlpaueb/finer-139",
    hub_id="nlpaueb/finer-139",
    revision=None,
    licence=LICENCE,
    ask="",
    files="train.jsonl, validation.jsonl, test.jsonl of finer139.zip; `tag_names` of a row names numbered tags",
    items=items,
)

"""Known errors in public sets: items that are left out or corrected, each with its evidence."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen
from ..answers import decimal_of
from ..items import Item
from .public_set import LeftOut

_PLACE = "errata.json"


class Erratum(Frozen):
    """An error in one item.

    Attributes:
        id: The item's original id; where the set has none, what its question holds stands in `words`.
        words: Words that the question holds, in any case.
        gold: The gold that is wrong; an item with another one has been mended by its publisher.
        status: Whether the item is left out or corrected.
        value: The right gold of a corrected item.
        evidence: Why.
        source: Where it was reported.
    """

    id: str | None = None
    words: list[str] = Field(default_factory=list)
    gold: float
    status: Literal["excluded", "corrected"]
    value: float | None = None
    evidence: Annotated[str, Field(min_length=20)]
    source: Annotated[str, Field(min_length=3)]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.id is None) == (not self.words):
            raise ValueError("id: give it, or words of the question")
        if (self.value is None) == (self.status == "corrected"):
            raise ValueError("value: for a corrected item, and for no other")
        return self

    def concerns(self, item: Item) -> bool:
        """Whether this is the item, with the wrong gold still in it."""
        if item.answer.kind in ("choice", "span", "labels") or decimal_of(item.answer.value) != decimal_of(self.gold):
            return False
        question = item.question.lower()
        return item.meta.get("id") == self.id if self.id else all(each.lower() in question for each in self.words)


class ErrataFile(Frozen):
    """`data/qa/errata.json`."""

    canary: str
    sets: dict[str, list[Erratum]]


def mended(item: Item) -> Item:
    """Return an item with its known error corrected.

    Raises:
        LeftOut: Its error is known and not to be corrected.
    """
    for erratum in errata().get(item.source, ()):
        if erratum.concerns(item):
            if erratum.value is None:
                raise LeftOut("known error")
            answer = item.answer.changed(value=erratum.value)
            return item.changed(answer=answer, meta={**item.meta, "erratum": erratum.evidence})
    return item


@cache
def errata() -> dict[str, list[Erratum]]:
    """Return the known errors by set."""
    return validate(ErrataFile, parse(packaged_text("qa", _PLACE), _PLACE), _PLACE).sets

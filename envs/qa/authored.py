"""Items written by hand: the form of their files, and how the items of the embedded set are made of them.

A file holds the items of one subject. An author names the options and says which is right; where each option stands is
drawn here, so that the right ones are spread evenly over the letters and no author's habit shows.

    canary: …
    subject: liquidity covenants
    items:
    - name: headroom-after-buy-back
      split: train
      features: {steps: 3, evidence: 3, distractors: 2, outside_knowledge: 1}
      question: Which course should the treasurer recommend?
      sections:
      - {section_id: facility, title: Facility terms, text: "…"}
      options:
        draw: {text: Draw the facility now, reason: "…"}
        wait: {text: Wait until the quarter has closed, reason: "…"}
      right: wait
      principle: A covenant is tested on the figures that the agreement defines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from importlib.resources import files
from itertools import groupby
from typing import Annotated, Self

import numpy as np
from pydantic import Field, model_validator

from ..core.data import packaged_text, parse, validate
from ..core.errors import DataError
from ..core.tasks import Frozen
from .answers import AnswerSpec
from .difficulty import BANDS, Features, band_of, difficulty
from .items import CAPABILITIES, Capability, Id, Item, Section
from .tagging import TaggedFile, tag_items, tags

LETTERS = "ABCDE"
_INITIALS = dict(zip(CAPABILITIES, ("ie", "nc", "dk", "cr"), strict=True))
_PLACING_SEED = 20260
_TAGGED = "tagging.yaml"

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=60)]
Text = Annotated[str, Field(min_length=1)]


class Interval(Frozen):
    """Which figures an option goes with; a bound that is not named does not bind.

    Attributes:
        above: The figure is greater.
        at_least: The figure is greater or equal.
        below: The figure is less.
        at_most: The figure is less or equal.
    """

    above: float | None = None
    at_least: float | None = None
    below: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _binds(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("one bound at least: above, at_least, below or at_most")
        return self

    def holds(self, figure: Decimal) -> bool:
        """Say whether a figure lies within."""
        return (
            (self.above is None or figure > Decimal(str(self.above)))
            and (self.at_least is None or figure >= Decimal(str(self.at_least)))
            and (self.below is None or figure < Decimal(str(self.below)))
            and (self.at_most is None or figure <= Decimal(str(self.at_most)))
        )


class Option(Frozen):
    """One of the answers on offer.

    Attributes:
        text: As the reader sees it.
        reason: Why it is right, or which mistake it embodies.
        figure: Of a wrong option of an item with a program: the figure that its mistake gives, where it gives one.
    """

    text: Text
    reason: Text
    figure: float | None = None


class Choice(Frozen):
    """A question with one best answer.

    Attributes:
        name: Unique within the capability; it stays when items are added or their order changes.
        split: `train` or `test`.
        features: What makes it hard; the band follows.
        question: What is asked.
        sections: What it is about; none for a question of pure knowledge.
        options: By a short name of their own, four or five.
        right: The name of the best one.
        principle: The rule that decides, in a sentence or two.
        basis: Where the rule comes from, for example `IAS 37` or `cost of capital`.
        program: Python that reckons the deciding figure by `cell(table, row, column)`, its last expression.
        decides: For an option, the figures it goes with. The right one's holds for the program's figure, one other's
            does not; an option left out goes with any figure.
    """

    name: Name
    split: Annotated[str, Field(pattern="^(train|test)$")]
    features: Features
    question: Text
    sections: list[Section] = Field(default_factory=list)
    options: Annotated[dict[Name, Option], Field(min_length=4, max_length=len(LETTERS))]
    right: str
    principle: Text
    basis: Text | None = None
    program: Text | None = None
    decides: dict[str, Interval] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.right not in self.options:
            raise ValueError(f"right: no option is named {self.right}")
        unknown = sorted(set(self.decides) - set(self.options))
        if unknown:
            raise ValueError(f"decides: no option is named {unknown[0]}")
        if bool(self.decides) != bool(self.program) or (self.decides and self.right not in self.decides):
            raise ValueError("decides: goes with a program, and says which figures the right option goes with")
        if len({each.text.casefold() for each in self.options.values()}) != len(self.options):
            raise ValueError("options: two of them read the same")
        for name, option in self.options.items():
            if option.figure is not None:
                self._embodies(name, Decimal(str(option.figure)))
        return self

    def _embodies(self, name: str, figure: Decimal) -> None:
        if name not in self.decides or name == self.right or not self.decides[name].holds(figure):
            raise ValueError(f"options.{name}.figure: a wrong option's, and one that its entry under decides goes with")


class AuthoredFile(Frozen):
    """The items of one subject.

    Attributes:
        canary: The line that marks benchmark data.
        subject: What they are about, for example `audit and controls`; it becomes their family.
        items: In any order.
    """

    canary: str
    subject: Text
    items: list[Choice]


def authored_items(capability: Capability) -> list[Item]:
    """Return the hand-written items of a capability as the embedded set holds them, by band, train before test.

    Raises:
        DataError: A file breaks its schema, or two items share a name.
    """
    items = choice_items(capability, authored(capability))
    if capability == "domain_knowledge":
        content = validate(TaggedFile, parse(packaged_text("qa", f"authored/{_TAGGED}"), _TAGGED), _TAGGED)
        items += tag_items(content.items, tags())
    return numbered(capability, items)


def authored(capability: Capability) -> list[tuple[str, Choice]]:
    """Return (subject, item) of every file under `data/qa/authored/<capability>`, by file name, then as they stand.

    Raises:
        DataError: A file breaks its schema, or two items share a name.
    """
    folder = files("bizgym.data").joinpath("qa", "authored", capability)
    found: list[tuple[str, Choice]] = []
    for path in sorted(folder.iterdir(), key=lambda each: each.name):
        if path.name.endswith(".yaml"):
            content = validate(AuthoredFile, parse(path.read_text(encoding="utf-8"), path.name), path.name)
            found += [(content.subject, each) for each in content.items]
    names = [each.name for _, each in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DataError(f"{capability}: two items are named {twice[0]}")
    return found


def choice_items(capability: Capability, found: Sequence[tuple[str, Choice]]) -> list[Item]:
    """Return the items of hand-written choices, their options placed; numbered by `numbered`."""
    places = _places([choice for _, choice in found])
    return [_item(capability, subject, choice, places[choice.name]) for subject, choice in found]


def numbered(capability: Capability, items: Iterable[Item]) -> list[Item]:
    """Return the items by band, train before test, with their ids: `dk-easy-01` and so on."""
    given = list(items)
    done: list[Item] = []
    for band in BANDS:
        own = sorted((each for each in given if each.band == band), key=lambda each: each.split == "test")
        ids: list[Id] = [f"{_INITIALS[capability]}-{band}-{k:02d}" for k in range(1, len(own) + 1)]
        done += [each.changed(item_id=item_id) for item_id, each in zip(ids, own, strict=True)]
    return done


def letters_for(item: Item, figure: Decimal) -> str:
    """Return the letters of the options that a figure of the item's program leaves open."""
    bounds = {letter: Interval.model_validate(value) for letter, value in item.meta.get("decides", {}).items()}
    letters = LETTERS[: len(item.answer.options or ())]
    return "".join(each for each in letters if each not in bounds or bounds[each].holds(figure))


def _item(capability: Capability, subject: str, choice: Choice, place: int) -> Item:
    order = _order(choice, place)
    letters = dict(zip(order, LETTERS, strict=False))
    shown = [choice.options[name] for name in order]
    optional = {
        "basis": choice.basis,
        "decides": {letters[name]: bounds.model_dump(exclude_none=True) for name, bounds in choice.decides.items()},
        "figures": {letters[name]: each.figure for name, each in choice.options.items() if each.figure is not None},
    }
    return Item(
        item_id=choice.name,
        capability=capability,
        band=band_of(difficulty(choice.features)),
        split="test" if choice.split == "test" else "train",
        features=choice.features,
        question=choice.question.strip(),
        sections=choice.sections,
        answer=AnswerSpec(kind="choice", value=letters[choice.right], options=[each.text for each in shown]),
        program=choice.program,
        reasons=[each.reason for each in shown],
        family=subject,
        explanation=choice.principle,
        meta={"name": choice.name} | {key: value for key, value in optional.items() if value},
    )


def _order(choice: Choice, place: int) -> list[str]:
    """Return the names of the options as they are shown: the right one at its place, the others drawn."""
    others = sorted(name for name in choice.options if name != choice.right)
    order = [others[k] for k in _generator(choice.name).permutation(len(others))]
    order.insert(place, choice.right)
    return order


def _places(choices: Sequence[Choice]) -> dict[str, int]:
    """Return where the right option of each item stands: every place equally often in a band, in a drawn order."""
    places: dict[str, int] = {}
    kinds = [(BANDS.index(band_of(difficulty(each.features))), each.split, len(each.options)) for each in choices]
    by_kind = sorted(zip(kinds, (each.name for each in choices), strict=True))
    for kind, group in groupby(by_kind, key=lambda pair: pair[0]):
        names = [name for _, name in group]
        draw = _generator("-".join(map(str, kind)))
        first = draw.permutation(kind[2])
        for k, index in enumerate(draw.permutation(len(names))):
            places[names[index]] = int(first[k % kind[2]])
    return places


def _generator(text: str) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([_PLACING_SEED, *text.encode()]))

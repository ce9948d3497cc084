"""Tag questions: a sentence of a filing with marked amounts, and the taxonomy elements that may tag them.

`data/qa/tags.yaml` holds names of elements of the US-GAAP taxonomy for financial reporting, used as identifiers, each
with a gloss of our own, in groups. The candidates of a question are its answers, siblings that its author chose because
they look like an answer, and elements of other groups to fill up: none of those can be argued for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from ..core.data import packaged_text, parse, validate
from ..core.errors import DataError
from ..core.tasks import Frozen
from .answers import AnswerSpec
from .difficulty import Features, band_of, difficulty
from .items import Item, NearMiss, Section

FAMILY = "tagging of reported amounts"
_FILLING_SEED = 20261
_TAGS = "tags.yaml"
_MARK = re.compile(r"\[(\d)\]")
_ONE = "Which element of the US-GAAP taxonomy tags the amount marked [1]?"
_FOUR = "Which elements of the US-GAAP taxonomy tag the amounts marked [1], [2], [3] and [4]? Name them in that order."

Tag = Annotated[str, Field(pattern=r"^[A-Z][A-Za-z0-9]+$", max_length=160)]
Text = Annotated[str, Field(min_length=1)]


class Sibling(Frozen):
    """A candidate that looks like an answer.

    Attributes:
        tag: Its name.
        of: The mark it might be taken for, from 1.
        why: What it tags instead.
    """

    tag: Tag
    of: Annotated[int, Field(ge=1, le=4)] = 1
    why: Text


class TaggedText(Frozen):
    """A sentence or two of a filing with one or four marked amounts.

    Attributes:
        name: Unique within the capability.
        split: `train` or `test`.
        features: What makes it hard, without `label_set_size` and `distractors`, which follow.
        heading: The note or statement it stands in.
        text: The sentences; each amount is followed by its mark, `[1]` to `[4]`.
        answers: The element of each mark, in order.
        siblings: Two at least.
        candidates: Number of elements on offer.
        why: How the answers follow.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", max_length=60)]
    split: Literal["train", "test"]
    features: Features
    heading: Text
    text: Text
    answers: Annotated[list[Tag], Field(min_length=1, max_length=4)]
    siblings: Annotated[list[Sibling], Field(min_length=2)]
    candidates: Annotated[int, Field(ge=8, le=40)]
    why: Text

    @model_validator(mode="after")
    def _sound(self) -> Self:
        marks = [int(each) for each in _MARK.findall(self.text)]
        if sorted(marks) != list(range(1, len(self.answers) + 1)) or len(marks) not in (1, 4):
            raise ValueError("text: one mark or four, each once, and an answer for each")
        own = [*self.answers, *(each.tag for each in self.siblings)]
        if len(set(own)) != len(own) or len(own) > self.candidates:
            raise ValueError("siblings: a tag stands twice, or there are more than candidates")
        if any(each.of > len(marks) for each in self.siblings):
            raise ValueError("siblings.of: no such mark")
        if {"label_set_size", "distractors"} & self.features.model_fields_set:
            raise ValueError("features: label_set_size and distractors follow from the candidates and the siblings")
        return self


class TaggedFile(Frozen):
    """Tag questions: `canary`, and under `items` the sentences."""

    canary: str
    items: list[TaggedText]


class TagFile(Frozen):
    """The elements: `canary`, the `notice` that goes with their names, and glosses by group and name."""

    canary: str
    notice: Text
    groups: dict[str, dict[Tag, Text]]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        names = [name for group in self.groups.values() for name in group]
        if len(set(names)) != len(names):
            raise ValueError("groups: an element stands in two groups")
        return self

    @property
    def glosses(self) -> dict[str, str]:
        """The gloss of every element."""
        return {name: gloss for group in self.groups.values() for name, gloss in group.items()}

    @property
    def group_of(self) -> dict[str, str]:
        """The group of every element."""
        return {name: group for group, tags in self.groups.items() for name in tags}


def tags() -> TagFile:
    """Return the packaged elements.

    Raises:
        DataError: The file breaks its schema.
    """
    return validate(TagFile, parse(packaged_text("qa", _TAGS), _TAGS), _TAGS)


def tag_items(given: Sequence[TaggedText], known: TagFile) -> list[Item]:
    """Return the items of tag questions, unnumbered: their id is their name.

    Raises:
        DataError: A question names an element that is not known, or too few are left to fill up with.
    """
    return [_item(each, known) for each in given]


def _item(given: TaggedText, known: TagFile) -> Item:
    group_of, glosses = known.group_of, known.glosses
    own = [*given.answers, *(each.tag for each in given.siblings)]
    unknown = [tag for tag in own if tag not in group_of]
    if unknown:
        raise DataError(f"{given.name}: {unknown[0]} is not in {_TAGS}")
    offered = sorted([*own, *_filling(given, own, group_of)])
    features = given.features.changed(label_set_size=len(offered), distractors=len(given.siblings))
    return Item(
        item_id=given.name,
        capability="domain_knowledge",
        band=band_of(difficulty(features)),
        split=given.split,
        features=features,
        question=_ONE if len(given.answers) == 1 else _FOUR,
        sections=[Section(section_id="extract", title=given.heading, text=given.text.strip())],
        answer=AnswerSpec(kind="labels", value=given.answers, options=offered),
        near_misses=[_near_miss(given, each) for each in given.siblings],
        family=FAMILY,
        explanation=given.why,
        meta={"name": given.name, "glosses": {tag: glosses[tag] for tag in given.answers}},
    )


def _near_miss(given: TaggedText, sibling: Sibling) -> NearMiss:
    value = list(given.answers)
    value[sibling.of - 1] = sibling.tag
    return NearMiss(value=value, why=f"{sibling.tag}: {sibling.why}")


def _filling(given: TaggedText, own: Sequence[str], group_of: Mapping[str, str]) -> list[str]:
    """Return elements of groups that neither an answer nor a sibling belongs to, drawn by the question's name."""
    near = {group_of[tag] for tag in own}
    far = sorted(tag for tag, group in group_of.items() if group not in near)
    wanted = given.candidates - len(own)
    if wanted > len(far):
        raise DataError(f"{given.name}: {wanted} elements of other groups wanted, {len(far)} known")
    draw = np.random.Generator(np.random.PCG64([_FILLING_SEED, *given.name.encode()]))
    return [far[k] for k in draw.permutation(len(far))[:wanted]]

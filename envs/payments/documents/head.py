"""The head of a skeleton file: what a document is, who speaks in it, for which cases, and its revisions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ...core.tasks import Frozen
from ..kernel.rules import Authority
from . import slots

Kind = Literal[
    "policy",
    "procedure",
    "product_note",
    "addendum",
    "memo",
    "bulletin",
    "faq",
    "tool_guide",
    "glossary",
    "form",
]
WITHOUT_AUTHORITY = ("tool_guide", "glossary", "form")
"""Kinds that may lay down no rule, and so need nobody who speaks."""


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _authority(value: Any) -> Any:
    if isinstance(value, str):
        if value.upper() not in Authority.__members__:
            raise ValueError(f"one of {', '.join(each.name.lower() for each in Authority)}, not {value!r}")
        return Authority[value.upper()]
    return value


DocumentId = Annotated[str, Field(pattern=r"^D-\d{4}$")]
RuleIds = Annotated[tuple[Annotated[str, Field(pattern=rf"^{slots.RULE.pattern}$")], ...], BeforeValidator(_tuple)]
Names = Annotated[tuple[Annotated[str, Field(pattern=rf"^{slots.NAME.pattern}$")], ...], BeforeValidator(_tuple)]
ScopeCode = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
Scope = dict[Annotated[str, Field(pattern=r"^[a-z]+(_[a-z]+)*$")], ScopeCode]
Title = Annotated[str, Field(min_length=3, max_length=120, pattern=r"^\S.*\S$")]


class Variant(Frozen):
    """One revision of a text; what it leaves out, it has from the head.

    Attributes:
        id: Of the document.
        names: What the names in the text's slots stand for: ids of rules and of documents.
        omit: Sections that this revision does not have.
    """

    id: DocumentId
    names: dict[str, str] = Field(default_factory=dict)
    omit: Names = ()
    title: Title | None = None
    scope: Scope | None = None
    product: ScopeCode | None = None
    issued_at: int | None = None
    replaces: DocumentId | None = None


class Head(Frozen):
    """The head of a skeleton file.

    Attributes:
        id: Of the document; absent where there are variants.
        variants: Revisions of the text, the oldest first.
        kind: What sort of document it is.
        title: Without a number and without a date.
        authority: Who speaks. A rule of this authority and scope is laid down here; any other is only repeated.
        scope: The cases that it is for; what is left out admits any value.
        product: What it is about, where that is one product.
        module: The part of the company whose tools it is about.
        issued_at: Minute in which it was written; without it, the minute in which its last rule was announced.
        replaces: The document that it takes the place of.
        renders: The rules whose values it states; only where there are no variants.
        mentions: The tools that it names.
        canary: A marker for whoever trains on this file; not shown.
    """

    id: DocumentId | None = None
    variants: Annotated[tuple[Variant, ...], BeforeValidator(_tuple)] = ()
    kind: Kind
    title: Title
    authority: Annotated[Authority | None, BeforeValidator(_authority)] = None
    scope: Scope = Field(default_factory=dict)
    product: ScopeCode | None = None
    module: Annotated[str, Field(pattern=rf"^{slots.NAME.pattern}$")] | None = None
    issued_at: int | None = None
    replaces: DocumentId | None = None
    renders: RuleIds = ()
    mentions: Names = ()
    canary: str | None = None

    @model_validator(mode="after")
    def _coherent(self) -> Head:
        if (self.id is None) == (not self.variants):
            raise ValueError("an id, or variants with an id each")
        if self.variants and self.renders:
            raise ValueError("renders: the names of each variant say it")
        if self.authority is None and self.kind not in WITHOUT_AUTHORITY:
            raise ValueError(f"authority: a {self.kind} has one")
        if (self.kind == "faq") != (self.authority is Authority.FAQ):
            raise ValueError("authority: faq for a faq and for nothing else")
        return self

    def revisions(self) -> tuple[Variant, ...]:
        """Return the variants, or the one document as its only variant."""
        return self.variants or (Variant(id=str(self.id)),)

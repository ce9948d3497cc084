"""What every corpus must satisfy: each lint yields what is wrong, where, and what would mend it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from ..kernel.rules import RuleRow
from . import forms, slots
from .checked import Checked
from .desk import DEFAULT_LIMIT
from .edition import Edition
from .extract import differences
from .literals import literals
from .words import words

MIN_WORDS, MAX_WORDS = 120, 1_300
GRAM_WORDS = 5
MAX_LIKENESS = 0.5
"""Largest Jaccard index of the 5-grams of two documents that are no revisions of one text."""


class Finding(NamedTuple):
    """Something wrong.

    Attributes:
        lint: Name of the lint.
        place: A document, a rule, a tool or a term.
        message: What is wrong, and the mend.
    """

    lint: str
    place: str
    message: str

    def __str__(self) -> str:
        """Write the finding in one line."""
        return f"{self.place}: {self.message} [{self.lint}]"


def find(edition: Edition, now: int = 0) -> list[Finding]:
    """Return everything that is wrong with a corpus, lint by lint; empty where nothing is.

    Args:
        edition: With the rules and tools of the world.
        now: The minute at which a rule counts as current.

    Raises:
        DataError: A document cannot be rendered.
        SettingError: bm25s is not installed.
    """
    checked = Checked(edition, now)
    return [Finding(name, *each) for name, lint in LINTS.items() for each in lint(checked)]


_Found = Iterator[tuple[str, str]]


def no_literals(checked: Checked) -> _Found:
    """Numbers, dates and amounts stand in slots."""
    for skeleton in checked.skeletons.values():
        titles = [skeleton.title, *(section.title for section in skeleton.sections)]
        for text in (*titles, *(piece for piece in skeleton.pieces if isinstance(piece, str))):
            for what, literal in literals(text):
                yield skeleton.id, f"{literal!r} is {what} outside a slot; let a rule or a term say it"
    for name, term in checked.edition.corpus.terms.items():
        for what, literal in literals(term.meaning):
            yield name, f"{literal!r} is {what} in the meaning of a term; let a rule say it"


def rules_have_a_home(checked: Checked) -> _Found:
    """Every rule is laid down, and one that has been replaced in a document older than those of the next one."""
    for row in checked.edition.rules.rows.values():
        homes, before = checked.homes[row.id], row.supersedes
        if not homes:
            authority = forms.in_words(row.authority.name.lower())
            yield row.id, f"no document of authority {authority} and its scope states it"
        elif before is not None and checked.homes[before] and not _older_homes(checked, row):
            yield before, f"no document older than those that state {row.id} states it; keep the old revision"


def rules_are_found(checked: Checked) -> _Found:
    """Every current rule is found by the words of a procedure: what is ruled, its product, and the case at hand."""
    for row in checked.edition.rules.rows.values():
        homes = checked.homes[row.id]
        if not homes or not checked.is_current(row):
            continue
        products = checked.products.get(row.key, ())
        if not products:
            yield row.id, f"no procedure names its key; put {{{{key {row.key}}}}} into one"
        for product in products:
            query = " ".join(filter(None, [forms.key_in_words(row.key), product, *row.scope.values()]))
            if not {hit.id for hit in checked.index.search(query, DEFAULT_LIMIT)} & set(homes):
                yield row.id, f"{query!r} finds none of {', '.join(homes)}; use the procedure's words there"


def revisions_follow(checked: Checked) -> _Found:
    """A document that replaces another lays down what replaces its rules, and is not issued before it."""
    for skeleton in checked.skeletons.values():
        if skeleton.replaces is None:
            continue
        old = checked.skeletons[skeleton.replaces]
        issued, issued_old = (checked.edition.issued_at(each) for each in (skeleton, old))
        if issued is None or (issued_old is not None and issued <= issued_old):
            yield skeleton.id, f"it replaces {old.id} and is not issued after it"
        replaced = {row.supersedes for row in checked.edition.rows_of(skeleton)}
        if old.renders and not replaced & set(old.renders):
            yield skeleton.id, f"it replaces {old.id}, and no rule of it replaces one of {', '.join(old.renders)}"


def documents_differ(checked: Checked) -> _Found:
    """Documents that are no revisions of one text do not share half of their 5-grams."""
    numbers: dict[tuple[str, ...], int] = {}
    grams = {
        each.id: {numbers.setdefault(gram, len(numbers)) for gram in _grams(each.text)}
        for each in checked.documents.values()
    }
    for one, other in combinations(checked.skeletons.values(), 2):
        if one.family == other.family or other.id == one.replaces or one.id == other.replaces:
            continue
        shared = len(grams[one.id] & grams[other.id])
        likeness = shared / (len(grams[one.id]) + len(grams[other.id]) - shared)
        if likeness >= MAX_LIKENESS:
            yield (
                other.id,
                f"shares {likeness:.2f} of its 5-grams with {one.id}; below {MAX_LIKENESS} they are two texts",
            )


def tools_are_named(checked: Checked) -> _Found:
    """Every tool stands in a document."""
    named = {tool for skeleton in checked.skeletons.values() for tool in skeleton.mentions}
    for tool in sorted(checked.edition.tools):
        if tool not in named:
            yield tool, f"no document names it; put {{{{tool {tool}}}}} where it is used"


def terms_are_defined(checked: Checked) -> _Found:
    """Every term that a document uses is defined in a document."""
    slots_of = {each.id: slots.of_kind(each.pieces, "term", "define") for each in checked.skeletons.values()}
    defined = {slot.arguments[0] for found in slots_of.values() for slot in found if slot.kind == "define"}
    for document_id, found in slots_of.items():
        for name in dict.fromkeys(slot.arguments[0] for slot in found):
            if name not in defined:
                yield document_id, f"no document defines {name}; put {{{{define {name}}}}} into a glossary"


def documents_cite(checked: Checked) -> _Found:
    """Every document cites a rule or a tool."""
    for skeleton in checked.skeletons.values():
        if not slots.rule_ids(skeleton.pieces) and not slots.of_kind(skeleton.pieces, "tool", "key"):
            yield skeleton.id, "it cites neither a rule nor a tool; a document without either decides nothing"


def lengths_fit(checked: Checked) -> _Found:
    """Documents have 120 to 1,300 words, the header among them."""
    for document in checked.documents.values():
        n_words = len(document.text.split())
        if not MIN_WORDS <= n_words <= MAX_WORDS:
            yield document.id, f"{n_words} words; from {MIN_WORDS} to {MAX_WORDS}"


def rules_read_back(checked: Checked) -> _Found:
    """The rules that are read back from a document are the rows that it states."""
    for document_id, document in checked.documents.items():
        for difference in differences(document, checked.skeletons[document_id], checked.edition):
            yield document_id, difference


LINTS: Mapping[str, Callable[[Checked], _Found]] = {
    lint.__name__: lint
    for lint in (
        no_literals,
        rules_have_a_home,
        rules_are_found,
        revisions_follow,
        documents_differ,
        tools_are_named,
        terms_are_defined,
        documents_cite,
        lengths_fit,
        rules_read_back,
    )
}
"""Every lint by name, in the order in which `find` runs them."""


def _older_homes(checked: Checked, row: RuleRow) -> list[str]:
    """Return the documents that lay down what a rule replaces, and were there before any that lays the rule down."""
    issued = {each.id: checked.edition.issued_at(each) for each in checked.skeletons.values()}
    earliest = min((-math.inf if (at := issued[each]) is None else at) for each in checked.homes[row.id])
    old = checked.homes[str(row.supersedes)]
    return [each for each in old if (-math.inf if (at := issued[each]) is None else at) < earliest]


def _grams(text: str) -> Iterator[tuple[str, ...]]:
    found = words(text)
    yield from (tuple(found[k : k + GRAM_WORDS]) for k in range(max(1, len(found) - GRAM_WORDS + 1)))

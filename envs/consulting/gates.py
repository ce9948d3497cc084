"""What every blueprint must hold: gates on its words and on the cases that are built of it.

Each gate yields a line for each thing that is wrong, and nothing where all is well; `check` runs them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from ..core.data import packaged_text, parse, validate
from ..core.tasks import Frozen
from .blueprint import DIFFICULTIES, MARGINS, Blueprint
from .case import Case
from .fact_types import FOLDER
from .similarity import jaccard, ngrams
from .stance import plain, stance
from .stems import meets
from .units import atoms_of
from .words import SkinWords, places

ESSENTIAL = {"easy": (4, 5), "middle": (6, 8), "hard": (7, 9)}
"""Least and greatest number of essential facts."""
FACTS = (12, 20)
WITHIN_BLUEPRINT = 0.5
"""Statements of one blueprint share fewer 5-grams than this."""
ACROSS_BLUEPRINTS = 0.25
"""Statements of two blueprints share fewer."""
SKIN_TEXTS = 0.3
"""All texts of two industries share fewer."""
_NAMES = "real_names.yaml"
_NARRATIVE_WORDS = (45, 120)
_SENTENCE_WORDS = (5, 45)
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_DIGIT = re.compile(r"\d")
_PLAIN_UNITS = {"cur", "year", "month", "quarter", "week", "day", "hour", "minute", "kg", "tonne", "%"}


class NameFile(Frozen):
    """`real_names.yaml`."""

    canary: str
    names: list[str]


def keys(blueprint: Blueprint, words: SkinWords) -> Iterator[str]:
    """Every option, fact, cause and key number has its words, and nothing else has."""
    wanted: dict[str, set[str]] = {
        "options": {each.option_id for each in blueprint.options},
        "facts": set(blueprint.by_id),
        "causes": {each.cause_id for each in blueprint.causes},
        "metrics": {node.name for node in blueprint.key_numbers},
        "statements": set(DIFFICULTIES),
    }
    for field, names in wanted.items():
        given = set(getattr(words, field))
        if given != names:
            yield f"{field}: missing {sorted(names - given)}, not known {sorted(given - names)}"
    atoms = atoms_of(node.unit for node in blueprint.model.nodes.values()) - _PLAIN_UNITS
    if set(words.nouns) != atoms:
        yield f"nouns: name {sorted(atoms)}, not {sorted(words.nouns)}"
    strays = words.factors.keys() - blueprint.model.ranges.keys()
    strays |= {row.fact for table in words.exhibits.values() for row in table.rows if row.fact} - set(blueprint.by_id)
    strays |= {each.fact for each in (*words.risks, *words.next_steps)} - set(blueprint.by_id)
    strays |= {name for each in (*words.risks, *words.next_steps) for name in each.when} - wanted["options"]
    if strays:
        yield f"not known: {sorted(strays)}"


def figures(blueprint: Blueprint, words: SkinWords) -> Iterator[str]:
    """Figures stand in braces; a fact tells all its own and no other; a statement tells only what is given."""
    faults = list(_braces(blueprint, words))
    yield from faults
    if any("braces" in each or "node" in each for each in faults):
        return
    for fact in blueprint.facts:
        said = set(places(words.facts[fact.fact_id].say))
        if said != set(fact.names):
            yield f"{fact.fact_id}: says {sorted(said)}, but carries {sorted(fact.names)}"
    yield from _told(blueprint, words)


def _braces(blueprint: Blueprint, words: SkinWords) -> Iterator[str]:
    for text in words.every_text():
        try:
            strays = set(places(text)) - blueprint.model.nodes.keys()
        except ValueError as error:
            yield f"{error} in: {text}"
            continue
        if strays:
            yield f"no node of the model: {sorted(strays)} in: {text}"
        if _DIGIT.search(re.sub(r"\{[^}]*\}", "", text)):
            yield f"a figure is written out; give it a name, or write a word: {text}"


def _told(blueprint: Blueprint, words: SkinWords) -> Iterator[str]:
    common = {name for each in words.options.values() for name in places(each.text)} | set(places(words.ask))
    for difficulty in DIFFICULTIES:
        said = set(places(words.statements[difficulty])) | common
        told = blueprint.told(difficulty)
        if not said <= told:
            yield f"statement {difficulty} gives away {sorted(said - told)}"
        if not told <= said:
            yield f"statement {difficulty} must tell {sorted(told - said)}, which no hidden fact carries"
    names = {name: {*fact.names} for name, fact in blueprint.by_id.items()}
    for table, exhibit in words.exhibits.items():
        for row in exhibit.rows:
            shown = {name for cell in row.cells for name in places(cell)}
            allowed = names[row.fact] if row.fact else set[str]()
            free = blueprint.told("hard")
            if not shown <= allowed | free:
                yield f"exhibit {table}: the row of {row.fact} shows {sorted(shown - allowed - free)}"


def ties(blueprint: Blueprint, words: SkinWords) -> Iterator[str]:
    """Options that may be right have a risk and a next step of a hidden fact; essential facts have near phrases."""
    for option in blueprint.options:
        if option.value is None or option.excluded:
            continue
        for what, tied in (("risk", words.risks), ("next step", words.next_steps)):
            fitting = [each.fact for each in tied if not each.when or option.option_id in each.when]
            if not any(blueprint.by_id[name].given is None for name in fitting):
                yield f"{option.option_id}: no {what} that rests on a fact which is never given"
    bare = [name for name in blueprint.essential("hard") if not words.facts[name].near]
    if bare:
        yield f"near: no phrase for the essential {bare}"


def units_said(blueprint: Blueprint, words: SkinWords) -> Iterator[str]:
    """A sentence that tells money names the currency, one that tells a share has its sign."""
    for fact in blueprint.facts:
        say = words.facts[fact.fact_id].say
        for node in fact.numbers:
            behind = say.partition(f"{{{node.name}}}")[2]
            if "cur" in node.unit.text.split("/")[0].split() and words.currency not in say:
                yield f"{fact.fact_id}: {{{node.name}}} is in {words.currency}; say so"
            if node.unit.text.startswith("%") and not re.match(r"\s?(%|per cent|percent)", behind):
                yield f"{fact.fact_id}: {{{node.name}}} is a share; put % behind it"
            scale = node.unit.text.rpartition(" ")[0]
            if scale and scale not in say:
                yield f"{fact.fact_id}: {{{node.name}}} is in {scale}s; say so"


@lru_cache(maxsize=1)
def _real_names() -> re.Pattern[str]:
    names = validate(NameFile, parse(packaged_text(FOLDER, _NAMES), _NAMES), _NAMES).names
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)")


def real_names(words: SkinWords) -> Iterator[str]:
    """No text names a company or a body that exists, as far as the list of names goes."""
    for text in (words.client, words.industry, *words.every_text()):
        found = _real_names().search(text)
        if found:
            yield f"a real name, {found[0]!r}, in: {text}"


def lengths(words: SkinWords) -> Iterator[str]:
    """Statements have 45 to 120 words of their own, sentences of facts 5 to 45."""
    for difficulty, text in words.statements.items():
        if not _NARRATIVE_WORDS[0] <= len(text.split()) <= _NARRATIVE_WORDS[1]:
            yield f"statement {difficulty}: {len(text.split())} words, not {_NARRATIVE_WORDS}"
    for fact_id, each in words.facts.items():
        if not _SENTENCE_WORDS[0] <= len(each.say.split()) <= _SENTENCE_WORDS[1]:
            yield f"{fact_id}: {len(each.say.split())} words, not {_SENTENCE_WORDS}"


def groups(case: Case) -> Iterator[str]:
    """The text of an option, a cause and the constraint meets its own groups of words, and no other's of its kind."""
    for name, option in case.options.items():
        if not meets(option.words, option.text):
            yield f"option {name}: its text does not meet its words"
        others = [other for other, each in case.options.items() if other != name and meets(each.words, option.text)]
        if others:
            yield f"option {name}: its text also meets the words of {others}"
    for cause in case.causes:
        if not meets(cause.words, cause.text):
            yield f"cause {cause.cause_id}: its text does not meet its words"
        if cause.role == "red_herring" and stance().rejects.search(plain(cause.text)):
            yield f"cause {cause.cause_id}: say it without a word of denial, or nobody could deny it: {cause.text}"
        others = [each.cause_id for each in case.causes if each is not cause and meets(each.words, cause.text)]
        if others:
            yield f"cause {cause.cause_id}: its text also meets the words of {others}"
    constraint = case.solution.constraint
    if not meets(constraint.words, constraint.text):
        yield "constraint: its text does not meet its words"
    if any(meets(constraint.words, sentence) for sentence in _SENTENCE_END.split(case.statement)):
        yield "constraint: a sentence of the statement already meets its words"
    red = [each for each in case.causes if each.role == "red_herring"]
    for text in (case.solution.why_not, constraint.text):
        if any(meets(each.words, text) for each in red):
            yield f"a red herring is named as a cause by: {text}"


def counts(case: Case) -> Iterator[str]:
    """The case has 12 to 20 facts, as many essential ones as its difficulty asks for, and time for them."""
    essential = [fact for fact in case.facts if fact.essential]
    low, high = ESSENTIAL[case.difficulty]
    if not FACTS[0] <= len(case.facts) <= FACTS[1]:
        yield f"{len(case.facts)} facts to be asked for, not {FACTS}"
    if not low <= len(essential) <= high:
        yield f"{len(essential)} essential facts, not {low} to {high}: {[fact.fact_id for fact in essential]}"
    if not 3 <= len(case.solution.topics) <= 5:
        yield f"topics {case.solution.topics}: three to five that have a fact which is no noise"
    if sum(fact.noise for fact in case.facts) < 3:
        yield "fewer than three facts are noise"
    if any(fact.noise and fact.needed_for for fact in case.facts):
        yield "a fact that is noise bears on the decision"
    if not any(fact.exhibit for fact in essential):
        yield "no exhibit shows an essential fact"
    yield from _evidence(case)


def _evidence(case: Case) -> Iterator[str]:
    noise = {fact.fact_id for fact in case.facts if fact.noise}
    tied = {each.fact for each in (*case.solution.risks, *case.solution.next_steps)}
    if noise & (tied | {cause.fact for cause in case.causes}):
        yield f"a cause, a risk or a next step rests on noise: {sorted(noise)}"
    for what, each in (("risk", case.solution.risks[0]), ("next step", case.solution.next_steps[0])):
        if each.fact not in case.by_id:
            yield f"{what}: the first one rests on {each.fact}, which the statement tells"
    low, high = MARGINS[case.difficulty]
    if not low <= case.solution.margin <= high:
        yield f"the margin {case.solution.margin} is not within {low} and {high}"
    if case.solution.naive == case.solution.decision:
        yield "the naive path decides rightly"
    numbers = [each.value for each in case.solution.key_numbers]
    if any(abs(value) < 1e-9 for value in numbers):
        yield f"a key number is zero: {numbers}"


def alike(cases: Sequence[Case], others: Mapping[str, Sequence[Case]]) -> Iterator[str]:
    """Statements are not alike: below 0.5 within a blueprint, below 0.25 between two."""
    grams = {case.case_id: ngrams(case.statement) for case in cases}
    for left, right in combinations(grams, 2):
        share = jaccard(grams[left], grams[right])
        if share >= WITHIN_BLUEPRINT:
            yield f"{left} and {right}: statements share {share:.2f} of their 5-grams"
    for given in others.values():
        for other in given:
            there = ngrams(other.statement)
            for left, here in grams.items():
                if jaccard(here, there) >= ACROSS_BLUEPRINTS:
                    yield f"{left} and {other.case_id}: statements share {jaccard(here, there):.2f} of their 5-grams"


def skins_alike(skins: Sequence[SkinWords]) -> Iterator[str]:
    """The texts of two industries are written anew, not one with its nouns changed."""
    grams = {words.client: ngrams(" ".join(each.say for each in words.facts.values())) for words in skins}
    for left, right in combinations(grams, 2):
        share = jaccard(grams[left], grams[right])
        if share >= SKIN_TEXTS:
            yield f"{left} and {right}: sentences of facts share {share:.2f} of their 5-grams"

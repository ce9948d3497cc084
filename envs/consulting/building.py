"""From a blueprint and its words to a case: values are drawn from a seed until they fit the difficulty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from ..core.errors import DataError
from . import case as cases
from .blueprint import Blueprint, Difficulty, Fact
from .blueprints import blueprint as blueprint_of
from .case import TURNS, Case
from .fact_types import fact_types
from .model import Node, Values, figure
from .words import Skin, SkinWords, TiedWords, places, words_of

MAX_DRAWS = 40_000


class Drawn(NamedTuple):
    """Values that fit, and in how many draws they were found."""

    values: dict[str, float]
    draws: int


def case_id_of(blueprint_id: str, difficulty: Difficulty, skin: Skin) -> str:
    """Return the id of a shipped case."""
    return f"{blueprint_id}-{difficulty}-{skin}"


def rng_of(case_id: str) -> np.random.Generator:
    """Return the generator that a case is drawn from; it depends on the id alone."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(sha256(case_id.encode()).digest()[:8])))


def draw(blueprint: Blueprint, difficulty: Difficulty, factors: Mapping[str, float], rng: np.random.Generator) -> Drawn:
    """Draw values until they fit.

    Raises:
        DataError: `MAX_DRAWS` draws held none that does.
    """
    for k in range(1, MAX_DRAWS + 1):
        values = blueprint.model.draw(rng, factors)
        if blueprint.fits(values, difficulty):
            return Drawn(values, k)
    raise DataError(f"blueprint {blueprint.blueprint_id}: {MAX_DRAWS} draws, none of them fits {difficulty}")


def build(blueprint_id: str, difficulty: Difficulty, skin: Skin, case_id: str = "") -> Case:
    """Return a case; the shipped one of this blueprint, difficulty and skin unless an id of a fresh one is given.

    Raises:
        DataError: The blueprint or its words are not sound, or no values fit.
    """
    blueprint, words = blueprint_of(blueprint_id), words_of(blueprint_id).skins[skin]
    case_id = case_id or case_id_of(blueprint_id, difficulty, skin)
    rng = rng_of(case_id)
    values = draw(blueprint, difficulty, words.factors, rng).values
    order = [blueprint.options[k].option_id for k in rng.permutation(len(blueprint.options))]
    return _Builder(blueprint, difficulty, words, values, words_of(blueprint_id).also).case(case_id, skin, order)


class _Builder:
    def __init__(
        self,
        blueprint: Blueprint,
        difficulty: Difficulty,
        words: SkinWords,
        values: Values,
        also: Mapping[str, list[str]],
    ) -> None:
        self.blueprint, self.difficulty, self.words, self.values, self.also = blueprint, difficulty, words, values, also
        self.figures = {name: figure(node.shown(values)) for name, node in blueprint.model.nodes.items()}
        self.essential = set(blueprint.essential(difficulty))

    def case(self, case_id: str, skin: Skin, order: list[str]) -> Case:
        blueprint, words, difficulty = self.blueprint, self.words, self.difficulty
        hidden = [fact for fact in blueprint.facts if not fact.is_given(difficulty)]
        return Case(
            case_id=case_id,
            blueprint=blueprint.blueprint_id,
            archetype=blueprint.archetype,
            difficulty=difficulty,
            skin=skin,
            split=blueprint.split,
            turns=TURNS[difficulty],
            client=words.client,
            industry=words.industry,
            currency=words.currency,
            nouns=words.nouns,
            statement=self._statement(order),
            told=[self._number(name) for name in blueprint.model.nodes if name in blueprint.told(difficulty)],
            given=[fact.fact_id for fact in blueprint.facts if fact.is_given(difficulty)],
            options={name: self._option(name) for name in order},
            facts=[self._fact(fact) for fact in hidden],
            exhibits=self._exhibits(),
            causes=self._causes(),
            solution=self._solution(),
        )

    def _filled(self, text: str) -> str:
        """Put the figures in."""
        try:
            missing = [name for name in places(text) if name not in self.figures]
        except ValueError as error:
            raise DataError(f"{self.blueprint.blueprint_id}: {error}") from None
        if missing:
            raise DataError(f"{self.blueprint.blueprint_id}: {{{missing[0]}}} is no node of the model")
        return " ".join(text.split()).format_map(self.figures)

    def _unit(self, node: Node) -> str:
        currency = self.words.currency
        return node.unit.named({**self.words.nouns, "cur": [currency, currency]})

    def _number(self, name: str) -> cases.Number:
        node = self.blueprint.model.nodes[name]
        return cases.Number(metric=name, value=node.shown(self.values), unit=node.unit.text)

    def _statement(self, order: Iterable[str]) -> str:
        options = [f"- `{name}`: {self._filled(self.words.options[name].text)}" for name in order]
        asked = [
            f"- `{node.name}`: {self.words.metrics[node.name]} ({self._unit(node)})"
            for node in self.blueprint.key_numbers
        ]
        paragraphs = [
            self._filled(self.words.statements[self.difficulty]),
            self._filled(self.words.ask),
            "\n".join(["Options:", *options]),
            "\n".join(["Numbers that the client wants to see:", *asked]),
        ]
        return "\n\n".join(paragraphs)

    def _option(self, name: str) -> cases.CaseOption:
        words = self.words.options[name]
        return cases.CaseOption(text=self._filled(words.text), words=words.words, why_not=self._filled(words.why_not))

    def _fact(self, fact: Fact) -> cases.CaseFact:
        words = self.words.facts[fact.fact_id]
        exhibits = [name for name, table in self.words.exhibits.items() if fact.fact_id in {r.fact for r in table.rows}]
        given = {each.fact_id for each in self.blueprint.facts if each.is_given(self.difficulty)}
        return cases.CaseFact(
            fact_id=fact.fact_id,
            type=fact.fact_type,
            topic=fact_types().topic_of(fact.fact_type),
            segment=fact.segment,
            sentence=self._filled(words.say),
            numbers=[self._number(name) for name in fact.names],
            prerequisites=[name for name in fact.after if name not in given],
            essential=fact.fact_id in self.essential,
            noise=fact.noise,
            needed_for=self._needed_for(fact),
            near_triggers=words.near,
            exhibit=exhibits[0] if exhibits else None,
        )

    def _needed_for(self, fact: Fact) -> list[str]:
        """Return the wanted nodes that depend on a fact's numbers."""
        model, names = self.blueprint.model, set(fact.names)
        wanted = self.blueprint.wanted()
        return [
            name
            for name in model.nodes
            if name in wanted and (name in names or names & ({*model.path([name])} | model.sources([name])))
        ]

    def _exhibits(self) -> list[cases.Exhibit]:
        return [
            cases.Exhibit(
                name=name,
                title=table.title,
                columns=table.columns,
                rows=[cases.Row(fact=row.fact, cells=[self._filled(cell) for cell in row.cells]) for row in table.rows],
            )
            for name, table in self.words.exhibits.items()
        ]

    def _causes(self) -> list[cases.CaseCause]:
        return [
            cases.CaseCause(
                cause_id=cause.cause_id,
                role=cause.role,
                fact=cause.fact,
                text=self._filled(self.words.causes[cause.cause_id].text),
                words=self.words.causes[cause.cause_id].words,
                also=self.also.get(cause.cause_id, []),
            )
            for cause in self.blueprint.causes
        ]

    def _steps(self, name: str) -> list[str]:
        """Return how a node is reckoned: a line for each KPI on the way."""
        model = self.blueprint.model

        def label(node: Node) -> str:
            return node.name.replace("_", " ")

        def value(node: Node) -> str:
            return f"{self.figures[node.name]} {self._unit(node)}"

        lines = []
        for step in model.path([name]):
            node = model.nodes[step]
            assert node.formula is not None
            lines.append(
                f"{label(node)} = {node.formula.written(label)} = {node.formula.written(value)} = {value(node)}"
            )
        return lines

    def _tied(self, given: Iterable[TiedWords], decision: str) -> list[cases.Tied]:
        """Return the risks or next steps that belong to a decision, those of essential facts first."""
        chosen = [each for each in given if not each.when or decision in each.when]
        tied = [cases.Tied(fact=each.fact, text=self._filled(each.text)) for each in chosen]
        return sorted(tied, key=lambda each: each.fact not in self.essential)

    def _solution(self) -> cases.Solution:
        decision = self.blueprint.decide(self.values)
        words, why_not = self.words, self._filled(self.words.options[decision.runner_up].why_not)
        risks, next_steps = (self._tied(each, decision.option_id) for each in (words.risks, words.next_steps))
        if not risks or not next_steps:
            raise DataError(f"{self.blueprint.blueprint_id}: no risk or no next step belongs to {decision.option_id}")
        causes = {cause.role: cause.cause_id for cause in self.blueprint.causes}
        constraint = self._filled(words.constraint.text)
        reference = [
            f"Recommendation: {self._filled(words.options[decision.option_id].text)}",
            f"Reasons: {self._filled(words.causes[causes['root']].text)} {why_not} {constraint}",
            f"Risk: {risks[0].text}",
            f"Next step: {next_steps[0].text}",
        ]
        return cases.Solution(
            decision=decision.option_id,
            runner_up=decision.runner_up,
            why_not=why_not,
            naive=self.blueprint.naive(self.values),
            margin=round(decision.margin, 4),
            key_numbers=[
                cases.KeyNumber(
                    **self._number(node.name).model_dump(),
                    label=words.metrics[node.name],
                    steps=self._steps(node.name),
                )
                for node in self.blueprint.key_numbers
            ],
            topics=self._topics(),
            constraint=cases.Constraint(
                fact=self.blueprint.constraint,
                text=constraint,
                words=words.constraint.words,
                barred=self._barred(),
            ),
            risks=risks,
            next_steps=next_steps,
            reference="\n".join(reference),
        )

    def _topics(self) -> list[str]:
        """Return the branches on which there is something to be asked for that is no noise."""
        hidden = [fact for fact in self.blueprint.facts if not fact.noise and not fact.is_given(self.difficulty)]
        open_topics = {fact_types().topic_of(fact.fact_type) for fact in hidden}
        return [topic for topic in self.blueprint.branches if topic in open_topics]

    def _barred(self) -> list[str]:
        return [
            each.option_id
            for each in self.blueprint.options
            if each.excluded or any(need.slack(self.values) < 0 for need in each.needs)
        ]

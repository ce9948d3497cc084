"""Tasks: what one episode plays, who the customer is, what is checked, and the paths that are known to pass.

A folder of content holds everything, all of it data:

    worlds/<name>.yaml     records: {kind: [record, ...]}
    rules/<name>.yaml      a list of rule rows
    documents/             `corpus.yaml` and the skeletons, in folders
    tasks/<name>.yaml      one task
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ..core.tasks import Anchors, Frozen, Task
from .checks.spec import CheckSpec, monitor
from .user.card import Card
from .user.company import CompanyDesk
from .user.script import Script
from .user.vocabulary import packaged as vocabulary

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
GOALS = "goal"
DIGEST_DIGITS = 12
Digest = Annotated[str, Field(pattern=rf"^[0-9a-f]{{{DIGEST_DIGITS}}}$")]
STRICT_SCALE = Anchors(
    floor=0.0,
    floor_player="do_nothing",
    ceiling=1.0,
    ceiling_method="reference path",
    ceiling_seed=0,
    proof="optimal",
    bound=1.0,
    null_score=0.0,
)
"""Success is 0 or 1: nothing done scores 0, and the reference path of every task scores 1."""


class Action(Frozen):
    """One call of the agent.

    Attributes:
        name: A tool of the surface.
        arguments: As JSON values.
    """

    name: Name
    arguments: dict[str, Any] = Field(default_factory=dict)


class Derived(Frozen):
    """An argument that nobody told the agent: it is reckoned from what was told, or the agent's own choice.

    Attributes:
        action: Number of the action in its path, from 0.
        argument: Where the value stands, for example `arguments.amount`.
        terms: Numbers that were told (amounts in minor units, negative where they are taken off); their sum is the
            value. None of them for a choice.
        why: How it is reckoned or chosen.
    """

    action: Annotated[int, Field(ge=0)]
    argument: Annotated[str, Field(min_length=1)]
    terms: list[int] = Field(default_factory=list)
    why: Annotated[str, Field(min_length=1)]


class GoldenPath(Frozen):
    """A path that is strictly successful.

    Attributes:
        minutes: How long it takes, in minutes of the episode.
        actions: In order, `finish` last.
        log: Digest of the events that it leaves, "" where none is stored.
        derived: The arguments whose values no observation holds.
    """

    minutes: Annotated[int, Field(ge=0)]
    log: Digest | Literal[""] = ""
    actions: Annotated[list[Action], Field(min_length=1)]
    derived: list[Derived] = Field(default_factory=list)

    @model_validator(mode="after")
    def _finishes(self) -> Self:
        names = [each.name for each in self.actions]
        if "finish" not in names or names.index("finish") != len(names) - 1:
            raise ValueError("actions: the last one, and no other, is finish")
        return self


class Variation(Action):
    """An action that is no part of the reference path, or stands for one that is.

    Attributes:
        of: Number of the action of the reference path that it stands for, None for one that is added. Records that
            it brings into being are called what the reference path calls them.
    """

    of: Annotated[int, Field(ge=0)] | None = None


class Counterexample(Frozen):
    """A path that breaks one check and no other.

    Attributes:
        breaks: Id of the check.
        mistake: Name of the operator that makes it from the reference path.
        plays: Stretches of the reference path by number, `4` or `0-9`, and what stands between them.
    """

    breaks: str
    mistake: Name
    plays: Annotated[list[Annotated[str, Field(pattern=r"^[0-9]+(-[0-9]+)?$")] | Variation], Field(min_length=1)]


class Lineage(Frozen):
    """What a task was built from.

    Attributes:
        generator: Version of the families that built it.
        case: Digest of its case.
        world: Digest of the records of its world.
        rules: Digests of the rules that its paths and checks rest on and that its documents state, by id.
        keys: Digests of which rows there are of the keys of these rules, by key.
        documents: Digests of the documents that its paths read, as they read, by id.
        tools: Digests of the declarations of the business tools that are on offer in it, by name.
    """

    generator: str
    case: Digest
    world: Digest
    rules: dict[str, Digest]
    keys: dict[str, Digest]
    documents: dict[str, Digest]
    tools: dict[str, Digest]


class PaymentTask(Task):
    """One task.

    Attributes:
        family: The family that it belongs to.
        title: What it is about, in a few words; for people, not shown to agents.
        world: Name of its world.
        rule_sets: Names of the files of rules that hold in it; none for all.
        document_sets: Names of the folders of documents that are kept in it; none for all.
        customer: Id of the merchant who asks.
        duties: Duties of officers that the agent holds; it is told so with the request.
        card: What the customer knows, wants and agrees to; it opens the conversation.
        checks: What strict success requires, at least one of them a goal.
        goldens: Paths that pass, the reference path first.
        counterexamples: Paths that break one check each.
        gold_documents: Ids of the documents that the reference path needs.
        tool_subset: The business tools on offer in the mode `flat`; none for all.
        traps: Names of the mistakes that it invites.
        built_from: What it was built from, None for a task that no family built.
        anchors: The same for every task.
    """

    family: Name
    title: Annotated[str, Field(min_length=1, max_length=200)]
    world: Name
    rule_sets: list[Name] = Field(default_factory=list)
    document_sets: list[Name] = Field(default_factory=list)
    customer: Annotated[str, Field(pattern=r"^PTY-[0-9]+$")]
    duties: list[Literal["compliance", "operations", "risk", "treasury"]] = Field(default_factory=list)
    card: Card
    checks: Annotated[list[CheckSpec], Field(min_length=1)]
    goldens: Annotated[list[GoldenPath], Field(min_length=1)]
    counterexamples: list[Counterexample] = Field(default_factory=list)
    gold_documents: list[str] = Field(default_factory=list)
    tool_subset: list[Name] = Field(default_factory=list)
    traps: list[Name] = Field(default_factory=list)
    built_from: Lineage | None = None
    anchors: Anchors | None = STRICT_SCALE

    @property
    def opener(self) -> str:
        """The customer's first message, verbatim."""
        return self.card.opening

    @property
    def n_golden_calls(self) -> int:
        """Number of calls of the reference path, `finish` included."""
        return len(self.goldens[0].actions)

    @cached_property
    def desk(self) -> CompanyDesk:
        """The company's side of the customer's tools."""
        return CompanyDesk(self.customer)

    @cached_property
    def script(self) -> Script:
        """The card, checked and compiled."""
        return Script(self.card, vocabulary(), self.desk, f"{self.task_id}.card")

    @model_validator(mode="after")
    def _sound(self) -> Self:
        ids = [each.id for each in self.checks]
        if len(set(ids)) != len(ids):
            raise ValueError("checks: two of them share an id")
        if all(each.kind != GOALS for each in self.checks):
            raise ValueError("checks: at least one of them is a goal; else doing nothing could be right")
        for each in self.checks:
            monitor(each)
        for k, example in enumerate(self.counterexamples):
            if example.breaks not in ids:
                raise ValueError(f"counterexamples.{k}.breaks: there is no check {example.breaks!r}")
        Script(self.card, vocabulary(), CompanyDesk(self.customer), "card")
        return self

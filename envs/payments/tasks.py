"""Tasks: what one episode plays, who the customer is, what is checked, and the paths that are known to pass.

A folder of content holds everything, all of it data:

    worlds/<name>.yaml     records: {kind: [record, ...]}
    rules/<name>.yaml      a list of rule rows
    documents/             `corpus.yaml` and the skeletons, in folders
    tasks/<name>.yaml      one task
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from ..core.tasks import Frozen, Task
from .checks.spec import CheckSpec, monitor
from .user.card import Card
from .user.company import CompanyDesk
from .user.script import Script
from .user.vocabulary import packaged as vocabulary

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
GOALS = "goal"


class Action(Frozen):
    """One call of the agent.

    Attributes:
        name: A tool of the surface.
        arguments: As JSON values.
    """

    name: Name
    arguments: dict[str, Any] = Field(default_factory=dict)


class GoldenPath(Frozen):
    """A path that is strictly successful.

    Attributes:
        minutes: How long it takes, in minutes of the episode.
        actions: In order, `finish` last.
    """

    minutes: Annotated[int, Field(ge=0)]
    actions: Annotated[list[Action], Field(min_length=1)]

    @model_validator(mode="after")
    def _finishes(self) -> Self:
        names = [each.name for each in self.actions]
        if "finish" not in names or names.index("finish") != len(names) - 1:
            raise ValueError("actions: the last one, and no other, is finish")
        return self


class PaymentTask(Task):
    """One task.

    Attributes:
        family: The family that it belongs to.
        title: What it is about, in a few words; for people, not shown to agents.
        world: Name of its world.
        rule_sets: Names of the files of rules that hold in it; none for all.
        document_sets: Names of the folders of documents that are kept in it; none for all.
        customer: Id of the merchant who asks.
        card: What the customer knows, wants and agrees to; it opens the conversation.
        checks: What strict success requires, at least one of them a goal.
        goldens: Paths that pass, the reference path first.
        gold_documents: Ids of the documents that the reference path needs.
        tool_subset: The business tools on offer in the mode `flat`; none for all.
        traps: Names of the mistakes that it invites.
    """

    family: Name
    title: Annotated[str, Field(min_length=1, max_length=200)]
    world: Name
    rule_sets: list[Name] = Field(default_factory=list)
    document_sets: list[Name] = Field(default_factory=list)
    customer: Annotated[str, Field(pattern=r"^PTY-[0-9]+$")]
    card: Card
    checks: Annotated[list[CheckSpec], Field(min_length=1)]
    goldens: Annotated[list[GoldenPath], Field(min_length=1)]
    gold_documents: list[str] = Field(default_factory=list)
    tool_subset: list[Name] = Field(default_factory=list)
    traps: list[Name] = Field(default_factory=list)

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
        Script(self.card, vocabulary(), CompanyDesk(self.customer), "card")
        return self

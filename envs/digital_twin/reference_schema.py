"""The schema of the reference simulator's scenario files, as strict models.

Every property is an object of `type` and `value`. Probabilities are 0 to 1, money is an amount a month, effort is in
consultant-months, times are in months.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ..core.tasks import Frozen
from .scenario import MAX_AMOUNT, MAX_CONSULTANTS, MAX_STEPS

MAX_MONTH = 100_000
MAX_EFFORT_MONTHS = 1_000_000
_MAX_AGENTS = 2_000
_MAX_NAME_CHARACTERS = 200
_GROUPED = re.compile(r"\s*\d{1,3}([., '_]\d{3})+\s*")


def _no_text(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    number = re.sub(r"\D", "", value) if _GROUPED.fullmatch(value) and len(value) < 40 else "15000"
    raise ValueError(f"a number, not text: write it without quotation marks or separators, as in {number}")


_NOT_TEXT = BeforeValidator(_no_text)


class Double(Frozen):
    """A number."""

    type: Literal["Double", "Integer"]
    value: Annotated[float, _NOT_TEXT]

    @model_validator(mode="after")
    def _is_of_its_type(self) -> Double:
        if self.type == "Integer" and not self.value.is_integer():  # the reference would cut it off
            raise ValueError(f"an Integer has no fraction: write Double, or another value than {self.value!r}")
        return self


class Amount(Double):
    """An amount of money."""

    value: Annotated[float, _NOT_TEXT, Field(ge=0, le=MAX_AMOUNT)]


class Share(Double):
    """A probability."""

    value: Annotated[float, _NOT_TEXT, Field(ge=0, le=1)]


class Months(Double):
    """A point in time."""

    value: Annotated[float, _NOT_TEXT, Field(ge=0, le=MAX_MONTH)]


class Effort(Double):
    """Consultant-months."""

    value: Annotated[float, _NOT_TEXT, Field(ge=0, le=MAX_EFFORT_MONTHS)]


class Cap(Double):
    """A number of consultants; the reference compares it as it is, so that a fraction is never reached."""

    value: Annotated[float, _NOT_TEXT, Field(ge=0, le=MAX_CONSULTANTS)]


class Text(Frozen):
    """A label."""

    type: Literal["String"]
    value: Annotated[str, Field(max_length=_MAX_NAME_CHARACTERS)]


class Flag(Frozen):
    """Yes or no."""

    type: Literal["Boolean"]
    value: bool


class ConsultantTerms(Frozen):
    """What each consultant of a group costs a month."""

    name: Text | None = None
    salary: Amount
    workplace_cost: Amount


class ProjectTerms(Frozen):
    """What is agreed about each project of a group."""

    name: Text | None = None
    contracted_effort: Effort
    contracted_probability: Share
    extension_probability: Share
    extension_effort: Effort
    follow_on_probability: Share
    consultants: Cap
    start_time: Months
    deadline: Months
    billing_rate: Amount
    is_follow_on: Flag | None = None


class CampaignTerms(Frozen):
    """What is planned for each marketing campaign of a group."""

    name: Text | None = None
    campaign_effort: Effort
    consultants: Cap
    start_time: Months


class NoTerms(Frozen):
    """Controlling has no properties."""


class FirmTerms(Frozen):
    """What holds for the whole firm."""

    revenue_risk_level: Share
    fixed_cost: Amount


class RunSpecs(Frozen):
    """The clock: every month from `starttime` to `stoptime` in steps of `dt`."""

    starttime: Annotated[int, Field(ge=0, le=MAX_MONTH)]
    stoptime: Annotated[int, Field(ge=0, le=MAX_MONTH)]
    dt: Annotated[float, _NOT_TEXT, Field(ge=1 / MAX_STEPS, le=1)]


class AgentSpec(Frozen):
    """Agents of one kind, created one after another; their properties are checked by kind."""

    name: Literal["controlling", "consultant", "project", "marketing_campaign"]
    count: Annotated[int, Field(ge=0, le=MAX_CONSULTANTS)]
    properties: dict[str, Any] = Field(default_factory=dict)


ScenarioName = Annotated[str, Field(min_length=1, max_length=_MAX_NAME_CHARACTERS)]


class ScenarioEntry(Frozen):
    """One scenario: agents act in the order in which they stand."""

    runspecs: RunSpecs
    properties: FirmTerms
    agents: Annotated[list[AgentSpec], Field(min_length=1, max_length=_MAX_AGENTS)]


class Manager(Frozen):
    """A group of scenarios; the Python class that `model` names is not loaded."""

    type: Literal["abm"]
    name: str = ""
    model: str = ""
    scenarios: Annotated[
        dict[Annotated[str, Field(min_length=1, max_length=_MAX_NAME_CHARACTERS)], ScenarioEntry], Field(min_length=1)
    ]


TERMS: dict[str, type[Frozen]] = {
    "controlling": NoTerms,
    "consultant": ConsultantTerms,
    "project": ProjectTerms,
    "marketing_campaign": CampaignTerms,
}
"""Kind of agent -> the model of its properties."""
_MODELS: tuple[type[Frozen], ...] = (*TERMS.values(), FirmTerms, RunSpecs, AgentSpec, ScenarioEntry, Manager, Double)
FIELD_NAMES = sorted({name for model in _MODELS for name in model.model_fields})
"""Every name that the schema knows."""

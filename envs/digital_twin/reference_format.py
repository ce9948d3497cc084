"""The scenario files of the reference simulator, read as they are.

The schema is that of the enterprise digital twin of the transentis BPTK tutorial: `{manager: {type, name, model,
scenarios: {name: {runspecs, properties, agents}}}}`, every property an object of `type` and `value`. Where the
reference takes whatever it is given, this reader is strict: it names the path of a field that it does not know.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from ..core.errors import DataError
from ..core.jsontext import JsonRefused, decode
from ..core.text import echo, nearest
from .plan import Bounds, Firm, ProjectBounds, Range, terms_of
from .reference_schema import FIELD_NAMES, TERMS, AgentSpec, Manager, ProjectTerms, ScenarioEntry
from .scenario import MAX_PROJECTS, Campaign, Consultants, Controlling, Project, Scenario, ScenarioAgent

CONSULTANTS_OFFERED = 20
"""Most consultants that a plan may employ, unless the file itself employs more."""
MAX_TURNS = 5_000_000
"""Most turns of a run: steps x projects x places in the order of action at which consultants stand."""
_SHOWN_ERRORS = 5
_FILE: TypeAdapter[dict[str, Manager]] = TypeAdapter(Annotated[dict[str, Manager], Field(min_length=1)])
_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")


class ScenarioWarning(UserWarning):
    """Something in a scenario file that is valid, and probably not what is meant."""


def read_reference(text: str, place: str) -> dict[str, Firm]:
    """Read every scenario of a file in the reference's schema.

    Args:
        text: The file's text, JSON.
        place: How messages call the file.

    Returns:
        The firms by name of their scenario, in the order of the file. Projects are called `p1`, `p2` ... in the
        order in which the reference creates them.

    Raises:
        DataError: The text breaks the schema; the message names the path of each wrong field, at most five.

    Warns:
        ScenarioWarning: An amount such as 15.000, which JSON reads as fifteen.
    """
    try:
        value = decode(text)
    except JsonRefused as refused:
        raise DataError(f"{place}: {refused.message}") from None
    try:
        managers = _FILE.validate_python(value, strict=True)
    except ValidationError as error:
        raise _refusal(place, _problems(error, "")) from None
    firms: dict[str, Firm] = {}
    for manager_name, manager in managers.items():
        for name, scenario in manager.scenarios.items():
            path = f"{manager_name}.scenarios.{name}"
            if name in firms:
                raise DataError(f"{place}: {echo(path)}: another manager has a scenario of this name; rename one")
            firms[name] = _firm(name, scenario, place, path)
    for path, literal in _suspicious_amounts(text):
        message = f"{place}: {echo(path)} is {literal}, which is {float(literal):g}; for thousands write no point"
        warnings.warn(message, ScenarioWarning, stacklevel=2)
    return firms


def _refusal(place: str, problems: Sequence[str]) -> DataError:
    more = [f"and {len(problems) - _SHOWN_ERRORS} more"] if len(problems) > _SHOWN_ERRORS else []
    return DataError(f"{place}: " + "; ".join([*problems[:_SHOWN_ERRORS], *more]))


def _problems(error: ValidationError, prefix: str) -> list[str]:
    """Return what is wrong, each with its path from the root of the file."""
    problems = []
    for item in error.errors(include_url=False, include_input=False, include_context=False):
        path = echo(".".join(filter(None, (prefix, *(str(part) for part in item["loc"])))) or "file")
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            message = f"the format has no such field.{nearest(str(item['loc'][-1]), FIELD_NAMES)}"
        elif item["type"] == "missing":
            message = "is missing"
        problems.append(f"{path}: {message}")
    return problems


def _firm(name: str, scenario: ScenarioEntry, place: str, path: str) -> Firm:
    """Return the firm of one scenario of the file."""
    problems, terms = [], []
    for k, agent in enumerate(scenario.agents):
        try:
            terms.append(TERMS[agent.name].model_validate(agent.properties))
        except ValidationError as error:
            problems += _problems(error, f"{path}.agents.{k}.properties")
    if problems:
        raise _refusal(place, problems)
    created = sum(agent.count for agent in scenario.agents if agent.name in ("project", "marketing_campaign"))
    if created > MAX_PROJECTS:
        raise DataError(f"{place}: {echo(path)}.agents: at most {MAX_PROJECTS} projects and campaigns, not {created}")
    try:
        template = Scenario(
            name=name,
            agents=tuple(_expanded(scenario.agents, terms)),
            fixed_cost_per_month=scenario.properties.fixed_cost.value,
            revenue_risk=scenario.properties.revenue_risk_level.value,
            gate="threshold",
            start_month=scenario.runspecs.starttime,
            stop_month=scenario.runspecs.stoptime,
            dt_months=scenario.runspecs.dt,
        )
    except DataError as error:
        raise DataError(f"{place}: {echo(path)}: {error}") from None
    crews = [name for name, _ in groupby(agent.name for agent in scenario.agents)].count("consultant")
    if template.n_steps * max(created, 1) * max(crews, 1) > MAX_TURNS:
        raise DataError(f"{place}: {echo(path)}: too large to simulate; use fewer steps, projects or consultant groups")
    return Firm(template, _bounds(template), *terms_of(template))


def _expanded(agents: Sequence[AgentSpec], terms: Sequence[Any]) -> Iterator[ScenarioAgent]:
    """Yield the agents in the order in which the reference creates them."""
    number = 0
    for agent, own in zip(agents, terms, strict=True):
        if agent.name == "consultant":
            label = own.name.value if own.name else ""
            yield Consultants(agent.count, own.salary.value, own.workplace_cost.value, label)
            continue
        for _ in range(agent.count):
            if agent.name == "controlling":
                yield Controlling()
            elif agent.name == "marketing_campaign":
                yield Campaign(own.campaign_effort.value, own.consultants.value, own.start_time.value)
            else:
                number += 1
                yield _project(f"p{number}", own)


def _project(project_id: str, terms: ProjectTerms) -> Project:
    return Project(
        project_id=project_id,
        name=terms.name.value if terms.name else project_id,
        effort_months=terms.contracted_effort.value,
        staffing_cap=terms.consultants.value,
        start_month=terms.start_time.value,
        deadline_month=terms.deadline.value,
        rate_per_month=terms.billing_rate.value,
        contracted_probability=terms.contracted_probability.value,
        extension_probability=terms.extension_probability.value,
        extension_effort_months=terms.extension_effort.value,
        follow_on_probability=terms.follow_on_probability.value,
        is_follow_on=terms.is_follow_on is not None and terms.is_follow_on.value,
    )


def _bounds(template: Scenario) -> Bounds:
    """Return what a plan may choose: any window of the run and the month after it, 1 to 26 in the reference's own."""
    months = Range(template.start_month, template.stop_month + 1)
    return Bounds(
        consultants=Range(0, max(CONSULTANTS_OFFERED, template.n_consultants)),
        revenue_risk=Range(0.0, 1.0),
        projects={project.project_id: ProjectBounds(months, months) for project in template.projects},
    )


def _suspicious_amounts(text: str) -> Iterator[tuple[str, str]]:
    """Yield (path, literal) of every amount that is written like thousands with a decimal point."""
    managers: Mapping[str, Any] = json.loads(text, parse_float=str)  # numbers as they are written
    for manager_name, manager in managers.items():
        for name, scenario in manager["scenarios"].items():
            path = f"{manager_name}.scenarios.{name}"
            holders = [(f"{path}.properties", scenario["properties"])]
            for k, agent in enumerate(scenario["agents"]):
                holders.append((f"{path}.agents.{k}.properties", agent.get("properties", {})))
            for place, properties in holders:
                for field in ("fixed_cost", "salary", "workplace_cost", "billing_rate"):
                    literal = properties.get(field, {}).get("value")
                    if isinstance(literal, str) and _THOUSANDS.fullmatch(literal):
                        yield f"{place}.{field}.value", literal

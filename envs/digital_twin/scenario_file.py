"""Scenario and plan files, the user's own and the packaged ones.

A scenario file has one of two forms: JSON in the reference's schema (`reference_format.py`), or BizGym's own, YAML or
JSON with a list `scenarios` of `ScenarioSpec` and, if one likes, a `canary`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field

from ..core.data import packaged_text, parse, read_user_file, validate
from ..core.errors import DataError
from ..core.jsontext import MAX_CHARACTERS, MAX_DEPTH, depth_exceeds
from ..core.tasks import Frozen
from ..core.text import echo
from .plan import Firm, Plan
from .reference_format import ScenarioWarning, read_reference
from .spec import ScenarioSpec

MAX_SPELLS = 5_000_000
"""Most steps that the consultants of a run work or wait, all together."""
_THOUSANDS = re.compile(r"\b(\w+_per_month)[\"']?\s*:\s*([1-9]\d{0,2}\.\d{3})(?![\w.])")
_ODD_NUMBERS = re.compile(
    r"\b(low|high|months|staffing_cap|\w+_months?)[\"']?\s*:\s+(0[0-7]+|[1-9]\d*(?::[0-5]?\d)+)(?![\w.:])"
)
"""Octal numbers and numbers to the base of sixty, as YAML 1.1 has them."""


class ScenarioFile(Frozen):
    """A file in BizGym's own form."""

    canary: str = ""
    scenarios: Annotated[list[ScenarioSpec], Field(min_length=1, max_length=1_000)]


def load_firms(path: str | Path) -> dict[str, Firm]:
    """Read every scenario of a user's file, in either form.

    Returns:
        The firms by name of their scenario, in the order of the file.

    Raises:
        DataError: The file cannot be read or breaks its schema; the message names the file and the field's path.

    Warns:
        ScenarioWarning: A number such as 15.000, which is read as fifteen, or 010, which YAML reads as eight.
    """
    return firms_of(read_user_file(path), str(path))


def firms_of(text: str, place: str) -> dict[str, Firm]:
    """Read every scenario in the text of a file; JSON where `place` ends in `.json`, else YAML.

    Raises:
        DataError: As `load_firms`.
    """
    value = _parsed(text, place)
    own = isinstance(value, dict) and "scenarios" in value
    if place.endswith(".json") and not (own and isinstance(value["scenarios"], list)):
        return _of_bearable_size(read_reference(text, place), place)
    if not own:
        raise DataError(
            f"{place}: neither form of a scenario file: YAML with a list `scenarios`, or JSON in the reference's "
            "schema under a name that ends in .json"
        )
    return _of_bearable_size(_own_firms(validate(ScenarioFile, value, place), text, place), place)


def load_plan(path: str | Path, firm: Firm) -> Plan:
    """Read a plan for a firm from a user's file, JSON or YAML.

    Raises:
        DataError: The file cannot be read, or the plan is out of the firm's bounds; the message names the file and
            each field's path.
    """
    value = _parsed(read_user_file(path), str(path))
    if depth_exceeds(value, MAX_DEPTH):
        raise DataError(f"{path}: nested more than {MAX_DEPTH} levels deep; a plan has three")
    if _size(value, {}) > MAX_CHARACTERS:  # messages quote what they refuse
        raise DataError(f"{path}: its aliases stand for more than {MAX_CHARACTERS} characters; write fewer of them")
    try:
        return firm.parse(value)
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


@lru_cache(maxsize=1)
def reference_firms() -> Mapping[str, Firm]:
    """Return the eight scenarios of the reference by name, read once a process.

    They are those of the transentis BPTK tutorial, under the gate `threshold`. `story_1` employs nobody and so names
    no terms there; here it states those of `story_2`, for plans that hire. The fixed cost of `story_1` to `story_3`
    is 15 a month, as the tutorial has it, though 15,000 is surely meant.
    """
    return MappingProxyType(read_reference(packaged_text("digital_twin", "reference.json"), "reference.json"))


def _parsed(text: str, place: str) -> Any:
    if len(text) > MAX_CHARACTERS:
        raise DataError(f"{place}: {len(text)} characters, at most {MAX_CHARACTERS} are read; split the file")
    return parse(text, place)


def _size(value: Any, known: dict[int, int]) -> int:
    """Return how many characters a value comes to, at least, with its aliases written out."""
    if isinstance(value, str):
        return len(value)
    if not isinstance(value, (dict, list, tuple, set)):
        return 1
    if id(value) not in known:
        inside = [*value, *value.values()] if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_size(each, known) for each in inside)
    return known[id(value)]


def _of_bearable_size(firms: dict[str, Firm], place: str) -> dict[str, Firm]:
    """Refuse firms whose runs would take minutes."""
    for name, firm in firms.items():
        spells = int(firm.bounds.consultants.high) * firm.template.n_steps
        if spells > MAX_SPELLS:
            raise DataError(
                f"{place}: {echo(name)}: too large to simulate: consultants x steps are at most {MAX_SPELLS:,}, not "
                f"{spells:,}; allow fewer consultants, fewer months or longer steps"
            )
    return firms


def _own_firms(file: ScenarioFile, text: str, place: str) -> dict[str, Firm]:
    firms: dict[str, Firm] = {}
    for k, spec in enumerate(file.scenarios):
        if spec.name in firms:
            raise DataError(f"{place}: scenarios.{k}.name: {spec.name} stands twice; rename one")
        try:
            firms[spec.name] = spec.as_firm
        except DataError as error:
            raise DataError(f"{place}: scenarios.{k}: {error}") from None
    for found in () if place.endswith(".json") else _ODD_NUMBERS.finditer(text):
        field, literal = found.groups()
        message = f"{place}: {field} is {literal}, which YAML reads as {parse(literal, field)}; write plain digits"
        warnings.warn(message, ScenarioWarning, stacklevel=2)
    for found in _THOUSANDS.finditer(text):
        field, literal = found.groups()
        message = f"{place}: {field} is {literal}, which is {float(literal):g}; for thousands write no point"
        warnings.warn(message, ScenarioWarning, stacklevel=2)
    return firms

"""Routing rules: conditions on the traits of a task, in order, and the method that each of them names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .traits import TRAITS

DEFAULT = "default"
_BOUNDS = ("at_least", "at_most")
_MOST_RULES = 50


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        when: A condition by trait, all of which must hold: a value, a list of values, or for numbers
            `{"at_least": n, "at_most": n}` with one bound or both.
        method: The method that it names.
    """

    when: Mapping[str, Any]
    method: str

    def fits(self, traits: Mapping[str, Any]) -> bool:
        """Whether every condition holds; a trait that the task does not show fulfils none."""
        return all(name in traits and _holds(condition, traits[name]) for name, condition in self.when.items())


@dataclass(frozen=True, slots=True)
class Playbook:
    """Rules in order, and the method where none fits.

    Attributes:
        rules: The first that fits decides.
        default: The method where none does.
    """

    rules: tuple[Rule, ...]
    default: str

    def route(self, traits: Mapping[str, Any]) -> tuple[str, int | None]:
        """Return the method for a task and the place of the rule that chose it, None for the default."""
        found = next((k for k, rule in enumerate(self.rules) if rule.fits(traits)), None)
        return (self.default if found is None else self.rules[found].method), found

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        rules = [{"when": dict(rule.when), "method": rule.method} for rule in self.rules]
        return {"rules": rules, "default": self.default}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Playbook:
        """Return what `to_json` wrote."""
        return cls(tuple(Rule(each["when"], each["method"]) for each in content["rules"]), content["default"])


def read_rules(written: Any, methods: Sequence[str]) -> tuple[tuple[Rule, ...], int]:
    """Return the rules that hold of those that a model wrote, and how many were dropped.

    A rule falls as a whole where it names an unknown method or trait, or has a condition that cannot be checked:
    without one of its conditions it would fit tasks that it was not written for. So does a rule without conditions,
    which would take the place of the default.

    Args:
        written: A list of `{"when": {trait: condition}, "method": name}`; anything else is dropped.
        methods: The methods that there are.
    """
    given = written if isinstance(written, list) else []
    kept = [Rule(each["when"], each["method"]) for each in given[:_MOST_RULES] if _is_rule(each, methods)]
    return tuple(kept), len(given) - len(kept)


def _is_rule(written: Any, methods: Sequence[str]) -> bool:
    if not isinstance(written, dict):
        return False
    when, method = written.get("when"), written.get("method")
    if not isinstance(when, dict) or not when or not isinstance(method, str) or method not in methods:
        return False
    return all(name in TRAITS and _is_condition(TRAITS[name], condition) for name, condition in when.items())


def _is_condition(meaning: str, condition: Any) -> bool:
    """Whether a condition can be checked against values of the kind that a trait's meaning begins with."""
    if isinstance(condition, list):
        return bool(condition) and all(_is_value(meaning, each) for each in condition)
    if isinstance(condition, dict):
        bounds = bool(condition) and all(name in _BOUNDS for name in condition)
        return meaning.startswith("number") and bounds and all(_is_value(meaning, each) for each in condition.values())
    return _is_value(meaning, condition)


def _is_value(meaning: str, value: Any) -> bool:
    if meaning.startswith("text"):
        return isinstance(value, str)
    if meaning.startswith("number"):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, bool)


def _holds(condition: Any, value: Any) -> bool:
    if isinstance(condition, list):
        return any(_holds(each, value) for each in condition)
    if isinstance(condition, dict):
        return bool(condition.get("at_least", value) <= value <= condition.get("at_most", value))
    if isinstance(condition, str):
        return condition.casefold() == str(value).casefold()
    return bool(condition == value)

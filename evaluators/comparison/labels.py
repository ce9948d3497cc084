"""Labels: an agent's name, and where a name stands for several agents, what tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...envs.core.jsontext import canonical
from ..provenance import model_of

MODEL = "model"
_VALUE_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class Identity:
    """What an agent is.

    Attributes:
        name: Its name in its run.
        target: Its class.
        settings: The keywords of its constructor.
        client: The settings of its model client, empty without a model.
        feedback: What it learned from: `none`, `outcome`, `binary`, `gold`, or `default`, the environment's own.
        seed: The run's seed.
        limits: Its budget for an episode.
        prompts: Digest by prompt file.
    """

    name: str
    target: str
    settings: Mapping[str, Any]
    client: Mapping[str, Any]
    feedback: str
    seed: int
    limits: Mapping[str, Any]
    prompts: Mapping[str, str]

    @property
    def model(self) -> str:
        """Its client and model, "" without a model."""
        return model_of(self.client) if self.client else ""

    def traits(self) -> dict[str, str]:
        """Return what may tell it from another agent of its name, by name, in the order of a label."""
        client = {k: v for k, v in self.client.items() if k not in ("name", MODEL)}
        return {
            MODEL: self.model,
            **_spoken(self.settings, ""),
            "feedback": self.feedback,
            "seed": str(self.seed),
            **_spoken(self.limits, "limits."),
            **_spoken(client, "client."),
            **_spoken(self.prompts, "prompts."),
        }


def labels_of(identities: Sequence[Identity], runs: Sequence[str]) -> list[str]:
    """Return a label for each agent, its own among them.

    A name that stands once is the label. Where several agents share it, the traits in which they differ follow in
    brackets, the model first; agents that differ in nothing are told apart by their runs: `run/name`.

    Args:
        identities: The agents.
        runs: The runs that each comes from.
    """
    labels = [_label(each, [other for other in identities if other.name == each.name]) for each in identities]
    count = Counter(labels)
    told = [label if count[label] == 1 else f"{run}/{label}" for label, run in zip(labels, runs, strict=True)]
    again = Counter(told)
    return [label if again[label] == 1 else f"{label} #{k + 1}" for k, label in enumerate(told)]


def _label(identity: Identity, namesakes: Sequence[Identity]) -> str:
    mine, theirs = identity.traits(), [other.traits() for other in namesakes]
    differing = [
        key
        for key in dict.fromkeys(key for traits in theirs for key in traits)
        if len({traits.get(key, "") for traits in theirs}) > 1
    ]
    parts = [mine[key] if key == MODEL else f"{key}={mine[key]}" for key in differing if mine.get(key)]
    return f"{identity.name} ({', '.join(parts)})" if parts else identity.name


def _spoken(settings: Mapping[str, Any], prefix: str) -> dict[str, str]:
    return {f"{prefix}{name}": _short(value) for name, value in settings.items()}


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value)
    return text if len(text) <= _VALUE_CHARACTERS else f"{text[: _VALUE_CHARACTERS - 1]}…"

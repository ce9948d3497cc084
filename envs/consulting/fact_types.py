"""The types of facts and their topics, `data/consulting/fact_types.yaml`: the same for every case."""

from __future__ import annotations

from functools import lru_cache
from typing import Self

from pydantic import model_validator

from ..core.data import packaged_text, parse, validate
from ..core.tasks import Frozen

FOLDER = "consulting"
_FILE = "fact_types.yaml"


class FactType(Frozen):
    """What a fact can be about.

    Attributes:
        topic: Its topic.
        means: What it tells, in a few words.
    """

    topic: str
    means: str


class FactTypes(Frozen):
    """The file: what each topic covers, and the types."""

    canary: str
    topics: dict[str, str]
    types: dict[str, FactType]

    @model_validator(mode="after")
    def _topics_are_known(self) -> Self:
        strays = [name for name, each in self.types.items() if each.topic not in self.topics]
        if strays:
            raise ValueError(f"types: the topic of {', '.join(strays)} is not listed")
        return self

    def topic_of(self, fact_type: str) -> str:
        """Return the topic of a type."""
        return self.types[fact_type].topic


@lru_cache(maxsize=1)
def fact_types() -> FactTypes:
    """Return the types; read once a process.

    Raises:
        DataError: The file breaks its schema.
    """
    return validate(FactTypes, parse(packaged_text(FOLDER, _FILE), _FILE), _FILE)

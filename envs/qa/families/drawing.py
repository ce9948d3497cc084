"""Drawing the figures and the words of a question, and writing them into its texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Literal

import numpy as np

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen
from ...core.upkeep import CANARY
from .spec import Draw, FamilySpec

Split = Literal["train", "test"]
_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)(\*?)\}")
FIRST_YEAR, LAST_YEAR = 2016, 2027
_SERIES_TRIES = 50


class Words(Frozen):
    """Parts of invented names. First parts are shared out between the splits, so that no company is in both."""

    canary: Literal[CANARY]  # type: ignore[valid-type]
    first: list[str]
    second: list[str]
    form: list[str]
    currencies: list[str]


@lru_cache(maxsize=1)
def words() -> Words:
    """Return the parts of names.

    Raises:
        DataError: The file breaks its schema.
    """
    return validate(Words, parse(packaged_text("qa", "case_names.yaml"), "case_names.yaml"), "case_names.yaml")


class Drawn:
    """What was drawn for one question.

    Attributes:
        numbers: By name, exact; a series `cf` of 3 as `cf1`, `cf2`, `cf3`.
        texts: By name, as written.
    """

    def __init__(self, family: FamilySpec, rng: np.random.Generator, split: Split) -> None:
        self.numbers: dict[str, Decimal] = {}
        self.texts = _setting(rng, split)
        self._series: dict[str, list[str]] = {}
        for name, options in family.choose.items():
            self.texts[name] = options[int(rng.integers(len(options)))]
        for name, draw in family.draw.items():
            values = _series(draw, self.numbers, rng)
            names = [name] if draw.count == 1 else [f"{name}{k + 1}" for k in range(draw.count)]
            self.numbers.update(zip(names, values, strict=True))
            self.texts.update({key: written(value, draw.step) for key, value in zip(names, values, strict=True)})
            self._series[name] = names

    def fill(self, text: str) -> str:
        """Return the text with its placeholders filled; unknown ones stay as they are.

        Raises:
            KeyError: A placeholder with a star names nothing drawn.
        """

        def put(match: re.Match[str]) -> str:
            name, star = match.groups()
            if star:
                return " | ".join(self.texts[each] for each in self._series[name])
            return self.texts.get(name, match.group(0))

        return possessive(_PLACE.sub(put, text))


def possessive(text: str) -> str:
    """Return a text in which names that end in s take the apostrophe alone."""
    return text.replace("s's ", "s' ")


def written(value: Decimal, step: Decimal) -> str:
    """Return a number as the texts show it: with thousands separators, and the decimals of its grid."""
    decimals = max(0, -int(step.normalize().as_tuple().exponent))
    return f"({-value:,.{decimals}f})" if value < 0 else f"{value:,.{decimals}f}"


def _setting(rng: np.random.Generator, split: Split) -> dict[str, str]:
    """Draw who it is about, in which currency and when."""
    parts, half = words(), 0 if split == "train" else 1
    mine = parts.first[half::2]
    year = int(rng.integers(FIRST_YEAR, LAST_YEAR + 1))
    chosen = [_one(each, rng) for each in (mine, parts.second, parts.form, parts.currencies)]
    years = {"year": year, "prior": year - 1, "before": year - 2, "next": year + 1}
    return {"company": " ".join(chosen[:3]), "short": chosen[0], "ccy": chosen[3]} | {
        k: str(v) for k, v in years.items()
    }


def _one(options: list[str], rng: np.random.Generator) -> str:
    return options[int(rng.integers(len(options)))]


def _series(draw: Draw, before: Mapping[str, Decimal], rng: np.random.Generator) -> list[Decimal]:
    for _ in range(_SERIES_TRIES):
        values = [_number(draw, before, rng) for _ in range(draw.count)]
        if not draw.apart or len(set(values)) == len(values):
            break
    return values


def _number(draw: Draw, before: Mapping[str, Decimal], rng: np.random.Generator) -> Decimal:
    base = Decimal(1) if draw.of is None else before[draw.of]
    low, high = (int((bound * base / draw.step).to_integral_value()) for bound in (draw.low, draw.high))
    return int(rng.integers(min(low, high), max(low, high) + 1)) * draw.step

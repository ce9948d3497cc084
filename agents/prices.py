"""What tokens cost: a price file with a date and a source for every row; what has no price is unpriced, never free."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ..envs.core.chat import Usage
from ..envs.core.data import packaged_text, parse, read_user_file, validate
from ..envs.core.errors import DataError

PER_TOKENS = 1_000_000
OWN_HOSTS = {
    "openai": "api.openai.com",
    "openai_responses": "api.openai.com",
    "anthropic": "api.anthropic.com",
}
"""Where a client connects to unless a `base_url` says otherwise: the same model has another price elsewhere."""
_SNAPSHOT = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8})$")
_Usd = Annotated[float, Field(ge=0, lt=100_000, allow_inf_nan=False)]


class Price(BaseModel):
    """One row of a price file: a model at a provider, in USD for a million tokens.

    Attributes:
        model: The model as requests name it; dated snapshots of it (`-2026-09-22`, `-20260922`) cost the same.
        host: The provider's host; None fits any.
        input: Fresh input tokens.
        cached: Input tokens read from the provider's cache; None counts them as fresh.
        cache_write: Input tokens written to the cache; None counts them as fresh.
        output: Output tokens, reasoning included.
        date: When the source stated it.
        source: Where it is stated.
        note: What the row leaves out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(min_length=1)
    host: str | None = None
    input: _Usd
    cached: _Usd | None = None
    cache_write: _Usd | None = None
    output: _Usd
    date: date
    source: str = Field(min_length=8)
    note: str = ""

    @field_validator("host")
    @classmethod
    def _is_a_host(cls, host: str | None) -> str | None:
        """Refuse what no address's host equals: such a row would be passed over in silence."""
        if host is not None and (not host or urlsplit(f"//{host}").hostname != host):
            raise ValueError("the host alone, in small letters, without scheme, port and path: api.example.com")
        return host

    def cost_usd(self, usage: Usage) -> float:
        """Return what a completion cost: each class of tokens at its own price, none counted twice."""
        fresh = max(0, usage.input - usage.cached - usage.cache_write)
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.cache_write is None else self.cache_write
        total = fresh * self.input + usage.cached * cached + usage.cache_write * written + usage.output * self.output
        return total / PER_TOKENS


class _PriceFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    unit: Annotated[str, Field(pattern=r"^USD per million tokens$")]
    prices: list[Price]


class PriceBook:
    """Prices by host and model.

    Args:
        rows: The rows; of two that fit equally well the later one counts.
    """

    def __init__(self, rows: Iterable[Price]) -> None:
        self._rows = {(row.host, row.model): row for row in rows}

    def find(self, host: str | None, *models: str) -> Price | None:
        """Return the price of the first model that has one, its own host's before any host's; None without one."""
        for model in models:
            for name in (model, _SNAPSHOT.sub("", model)):
                found = self._rows.get((host, name)) or self._rows.get((None, name))
                if found is not None:
                    return found
        return None

    def of_client(self, description: Mapping[str, Any], answered_by: str = "") -> Price | None:
        """Return the price of what a client calls, by the model asked for, then by the one that answered."""
        base_url = description.get("base_url")
        name = description.get("replay_of") or description.get("name")  # what a replay has to ask, it pays for
        host = urlsplit(str(base_url)).hostname if base_url else OWN_HOSTS.get(str(name))
        return self.find(host, str(description.get("model") or ""), answered_by)


def load_prices(path: str | None = None) -> PriceBook:
    """Read the packaged price file and, over it, a user's own.

    Raises:
        DataError: A file cannot be read, or a row lacks a field: there is no price without a date and a source.
    """
    own = () if path is None else _rows(read_user_file(path), path)
    return PriceBook([*_packaged(), *_over_any_host(own)])


@lru_cache
def _packaged() -> tuple[Price, ...]:
    return _rows(packaged_text("prices", "prices.yaml"), "data/prices/prices.yaml")


def _rows(text: str, place: str) -> tuple[Price, ...]:
    rows = tuple(validate(_PriceFile, parse(text, place), place).prices)
    seen: set[tuple[str | None, str]] = set()
    for row in rows:
        if (row.host, row.model) in seen:
            raise DataError(f"{place}: {row.model} ({row.host or 'any host'}) stands twice")
        seen.add((row.host, row.model))
    return rows


def _over_any_host(own: Iterable[Price]) -> list[Price]:
    """A user's row without a host overrides the packaged row of that model at its provider too."""
    rows = list(own)
    hosts = {row.model: row.host for row in _packaged()}
    named = {(row.host, row.model) for row in rows}
    widened = [
        row.model_copy(update={"host": hosts[row.model]})
        for row in rows
        if row.host is None and row.model in hosts and (hosts[row.model], row.model) not in named
    ]
    return [*rows, *widened]

"""What scenarios are drawn from: sizes, kinds of projects, situations of the market, and the words for them."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from ..core.data import packaged_text, parse, validate
from ..core.tasks import Frozen

Size = Literal["small", "medium", "large"]
SIZES: tuple[Size, ...] = ("small", "medium", "large")


class Sector(Frozen):
    """Clients of one sector by key, and for each trade the work that they ask for."""

    name: str
    field: str
    firm: str
    clients: dict[str, str]
    staffing: dict[str, list[str]]
    standard: dict[str, list[str]]
    premium: dict[str, list[str]]

    def titles(self, trade: str) -> list[str]:
        """Return what projects of a trade may be called: each kind of work for each client that may ask for it."""
        works: dict[str, list[str]] = getattr(self, trade)
        return [f"{work} for {self.clients[client]}" for work, clients in works.items() for client in clients]


class Situation(Frozen):
    """Titles and accounts of one kind of situation."""

    titles: list[str]
    stories: list[str]


class Phrases(Frozen):
    """`data/digital_twin/phrases.yaml`."""

    canary: str
    sectors: list[Sector]
    situations: dict[str, Situation]
    staffing_lines: list[str]
    risk_lines: dict[str, list[str]]
    closing_lines: list[str]


class Scale(NamedTuple):
    """What a size means: ranges, both ends included."""

    projects: tuple[int, int]
    caps: tuple[int, int]
    staff_share: tuple[float, float]
    max_starts: int
    max_deadlines: int
    max_windows: int


SCALES = {
    "small": Scale((5, 6), (2, 5), (0.35, 0.6), 3, 3, 5),
    "medium": Scale((10, 18), (2, 6), (0.3, 0.5), 4, 3, 12),
    "large": Scale((25, 40), (2, 7), (0.22, 0.4), 4, 3, 12),
}


class Role(NamedTuple):
    """A kind of project: ranges to draw from, both ends included.

    Attributes:
        trade: The list of names that it draws from.
        rate: Fee as a multiple of what a consultant costs.
        months: From the earliest start to the earliest deadline.
        load: Contracted effort as a share of what a full team could do in those months.
        p_extension: Probability of an extension, at full risk.
        extension: Effort of an extension as a share of the contracted effort.
        p_follow_on: Probability of a follow-on, at full risk.
        rank: Where it stands in the list; smaller ones come first.
    """

    trade: str
    rate: tuple[float, float]
    months: tuple[int, int]
    load: tuple[float, float]
    p_extension: tuple[float, float]
    extension: tuple[float, float]
    p_follow_on: tuple[float, float]
    rank: float


ROLES = {
    "staffing": Role("staffing", (0.55, 0.95), (6, 12), (0.5, 0.9), (0.3, 0.7), (0.3, 0.7), (0.0, 0.3), 0.0),
    "trap": Role("standard", (1.05, 1.35), (5, 9), (0.4, 0.8), (0.6, 0.9), (0.5, 1.0), (0.0, 0.2), 0.6),
    "standard": Role("standard", (1.4, 2.0), (4, 8), (0.7, 1.1), (0.1, 0.5), (0.2, 0.5), (0.0, 0.4), 1.4),
    "premium": Role("premium", (2.3, 3.3), (3, 6), (0.8, 1.2), (0.0, 0.25), (0.2, 0.4), (0.0, 0.25), 2.2),
}


class Market(NamedTuple):
    """A situation: shares of the roles, and the months in which each opens, as shares of the horizon."""

    shares: dict[str, float]
    opens: dict[str, tuple[tuple[float, float], ...]]


_ANY = ((0.02, 0.7),)
MARKETS = {
    "season": Market(
        {"staffing": 0.25, "trap": 0.25, "standard": 0.2, "premium": 0.3},
        {"staffing": ((0.02, 0.2),), "trap": ((0.02, 0.3),), "standard": _ANY, "premium": ((0.35, 0.62),)},
    ),
    "two_peaks": Market(
        {"staffing": 0.2, "trap": 0.25, "standard": 0.25, "premium": 0.3},
        {"staffing": ((0.02, 0.5),), "trap": ((0.02, 0.45),), "standard": _ANY, "premium": ((0.05, 0.2), (0.55, 0.7))},
    ),
    "frameworks": Market(
        {"staffing": 0.3, "trap": 0.35, "standard": 0.15, "premium": 0.2},
        {"staffing": ((0.02, 0.3),), "trap": ((0.02, 0.4),), "standard": _ANY, "premium": ((0.2, 0.7),)},
    ),
    "turnaround": Market(
        {"staffing": 0.15, "trap": 0.2, "standard": 0.25, "premium": 0.4},
        {"staffing": ((0.02, 0.4),), "trap": ((0.02, 0.3),), "standard": _ANY, "premium": ((0.1, 0.35), (0.45, 0.65))},
    ),
}


@lru_cache(maxsize=1)
def phrases() -> Phrases:
    """Return what scenarios are written with; read once a process."""
    return validate(Phrases, parse(packaged_text("digital_twin", "phrases.yaml"), "phrases.yaml"), "phrases.yaml")

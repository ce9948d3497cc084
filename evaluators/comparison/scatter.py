"""What a score cost: each agent's score with its interval against money or tokens per episode."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter
from matplotlib.transforms import ScaledTranslation

from ..plot_style import (
    FONT_POINTS,
    SERIES,
    SMALL_FONT_POINTS,
    TICK_STEPS,
    WIDTH_INCHES,
    amount,
    plain,
    settings,
    short,
    to_svg,
)
from .board import ranked
from .contests import Contest
from .measures import Measures

MONEY, TOKENS = "money", "tokens"
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h")
_HEIGHT_INCHES, _LEGEND_LINE_INCHES = 3.3, 0.21
_WIDE = 100.0
_ASIDE_POINTS, _ONE_PLACE, _POINTS_AN_INCH = 7.0, 0.012, 72
_LABELS = {
    MONEY: "cost per episode in $, the agent's own calls",
    TOKENS: "tokens per episode, read and written by the agent's own calls",
}


@dataclass(frozen=True, slots=True)
class Point:
    """One agent: where it stands, the ends of its interval, and how many scored episodes that rests on."""

    label: str
    x: float
    score: float
    ci95: tuple[float, float] | None
    n: int


def points_of(contest: Contest, *, partial: bool = False) -> tuple[str, list[Point]]:
    """Return what lies across, `money` or `tokens`, and the agents that a plot can show, the best first.

    Money where every call of every agent has a price above 0, tokens else. Agents without a model and without a score
    are left out, and so are those on a part of the tasks unless `partial`.
    """
    shown = [
        (entry.label, numbers)
        for entry, numbers in ranked(contest)
        if numbers.score is not None and numbers.use.calls and (partial or not contest.lacks(entry))
    ]
    kind = MONEY if all(numbers.use.usd for _, numbers in shown) else TOKENS
    return kind, [point for label, numbers in shown if (point := _point(label, numbers, kind)) is not None]


def _point(label: str, numbers: Measures, kind: str) -> Point | None:
    x = numbers.use.usd if kind == MONEY else numbers.use.tokens
    if not x or numbers.score is None:
        return None
    return Point(label, x, numbers.score, numbers.ci95, numbers.scored)


def scatter_plot(contest: Contest, *, partial: bool = False) -> str | None:
    """Draw the plot as SVG, None where fewer than two agents can be shown."""
    kind, points = points_of(contest, partial=partial)
    if len(points) < 2:
        return None
    height = max(_HEIGHT_INCHES, 0.9 + _LEGEND_LINE_INCHES * len(points))
    with style.context(settings(repr(points), FONT_POINTS), after_reset=True):
        figure = Figure(figsize=(WIDTH_INCHES, height))
        axes = figure.subplots()
        figure.subplots_adjust(left=0.1, right=0.7, bottom=0.5 / height, top=1 - 0.35 / height)
        _scale(axes, [point.x for point in points])
        for k, (point, aside) in enumerate(zip(points, asides([point.x for point in points]), strict=True)):
            _draw(axes, k, point, aside)
        _frame(axes, points)
        _label(axes, contest, kind, points)
        return to_svg(figure, f"Score against {_LABELS[kind]}, {contest.title}")


def _draw(axes: Axes, k: int, point: Point, aside_points: float) -> None:
    """Draw one agent, `aside_points` beside its place where others stand there too."""
    color, marker = SERIES[k % len(SERIES)], _MARKERS[k % len(_MARKERS)]
    figure: Any = axes.figure
    moved = axes.transData + ScaledTranslation(aside_points / _POINTS_AN_INCH, 0, figure.dpi_scale_trans)
    where: dict[str, Any] = {"color": color, "transform": moved}
    if point.ci95 is not None:
        axes.plot((point.x, point.x), point.ci95, linewidth=1.3, zorder=3, **where)
    axes.plot(
        [point.x], [point.score], marker=marker, markersize=6, linewidth=0, label=short(point.label), zorder=4, **where
    )


def asides(xs: Sequence[float]) -> list[float]:
    """Return by how many points each place is moved, so that agents at one place stand side by side around it."""
    nearness = 0.0 if is_wide(xs) else _ONE_PLACE * max(xs)
    clusters: list[list[int]] = []
    for k in sorted(range(len(xs)), key=lambda k: (xs[k], k)):
        near = clusters and math.isclose(xs[clusters[-1][-1]], xs[k], rel_tol=_ONE_PLACE, abs_tol=nearness)
        clusters = [*clusters[:-1], [*clusters[-1], k]] if near else [*clusters, [k]]
    found = [0.0] * len(xs)
    for cluster in clusters:
        for place, k in enumerate(cluster):
            found[k] = _ASIDE_POINTS * (place - (len(cluster) - 1) / 2)
    return found


def is_wide(xs: Sequence[float]) -> bool:
    """Whether places span more than two decades, so that only a logarithmic axis shows them all."""
    return max(xs) > _WIDE * min(xs)


def _scale(axes: Axes, xs: Sequence[float]) -> None:
    if is_wide(xs):
        axes.set_xscale("log")
        axes.set_xlim(min(xs) / 2, max(xs) * 2)
        axes.xaxis.set_major_locator(LogLocator(numticks=8))
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_xlim(0, max(xs) * 1.06)
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=TICK_STEPS))


def _frame(axes: Axes, points: Sequence[Point]) -> None:
    """Set the vertical range, which what is drawn beside its place does not."""
    ends = [end for point in points for end in (*(point.ci95 or ()), point.score)]
    room = 0.06 * (max(ends) - min(ends)) or 1.0
    axes.set_ylim(min(ends) - room, max(ends) + room)


def _label(axes: Axes, contest: Contest, kind: str, points: Sequence[Point]) -> None:
    axes.xaxis.set_major_formatter(FuncFormatter(amount))
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=TICK_STEPS))
    axes.yaxis.set_major_formatter(FuncFormatter(amount))
    unit = contest.units.get("reward", "")
    axes.set_ylabel(f"score: mean reward ({unit})" if unit else "score: mean reward")
    axes.set_xlabel(_LABELS[kind] + ("" if axes.get_xscale() == "linear" else ", logarithmic scale"))
    counts = sorted({point.n for point in points})
    n = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    title = (
        f"Score with 95 % interval against {'cost' if kind == MONEY else 'tokens'} (n = {n} scored episodes an agent)"
    )
    axes.set_title(title, loc="left", fontsize=FONT_POINTS, fontweight="bold")
    plain(axes)
    axes.grid(linewidth=0.6)
    where: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.02), "borderaxespad": 0.0}
    axes.legend(
        frameon=False, fontsize=SMALL_FONT_POINTS, handlelength=1.2, title="best score first", alignment="left", **where
    )

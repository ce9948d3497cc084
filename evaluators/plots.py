"""The rewards and stop reasons of a report's agents, drawn by matplotlib without pyplot as inline SVG.

The same data give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..envs.core.stop import StopReason
from .plot_style import (
    FILL,
    FONT_POINTS,
    HATCHES,
    INK,
    LINE,
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
from .statistics import ci95_by_task, mean, quantile

NOT_ATTEMPTED = "not attempted"
_LEGEND_COLUMNS = 2
_WIDE_RANGE = 30.0
_STOPS = [*(reason.value for reason in StopReason), NOT_ATTEMPTED]


@dataclass(frozen=True, slots=True)
class Spread:
    """The episodes of one agent.

    Attributes:
        label: Its name.
        points: (reward, link) of each scored episode.
        stops: Number of episodes by stop reason.
        by_task: The rewards of each task, one a trial.
        is_rate: Whether a reward is 0 or 1.
    """

    label: str
    points: Sequence[tuple[float, str]]
    stops: Mapping[str, int]
    by_task: Sequence[Sequence[float]] = ()
    is_rate: bool = False


def spread_plot(spreads: Sequence[Spread], unit: str) -> str:
    """Draw each agent's rewards, every episode a point, beside its stop reasons as stacked bars.

    Args:
        spreads: The agents, from top to bottom.
        unit: Unit of the reward, "" where it has none.
    """
    stops = [reason for reason in _STOPS if any(spread.stops.get(reason) for spread in spreads)]
    above = 0.3 + 0.17 * math.ceil(len(stops) / _LEGEND_COLUMNS)
    height = above + 0.55 + 0.36 * len(spreads)
    n = sum(len(spread.points) for spread in spreads)
    with style.context(settings(repr(spreads), FONT_POINTS), after_reset=True):
        figure = Figure(figsize=(WIDTH_INCHES, height))
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        figure.subplots_adjust(left=0.21, right=0.985, bottom=0.5 / height, top=1 - above / height, wspace=0.08)
        _draw_rewards(left, spreads)
        scale = "" if left.get_xscale() == "linear" else ", logarithmic scale"
        left.set_xlabel((f"reward ({unit})" if unit else "reward") + scale)
        left.set_title(f"Reward of each episode (n = {n} scored)", loc="left", fontsize=FONT_POINTS, fontweight="bold")
        _draw_stops(right, spreads, stops)
        left.set_yticks(range(len(spreads)), [short(spread.label) for spread in spreads])
        left.set_ylim(len(spreads) - 0.5, -0.5)
        for axes in (left, right):
            plain(axes)
            axes.grid(axis="x", linewidth=0.6)
            axes.tick_params(axis="y", length=0)
        return to_svg(figure, "Reward of each episode and stop reasons, by agent")


def _draw_rewards(axes: Axes, spreads: Sequence[Spread]) -> None:
    for row, spread in enumerate(spreads):
        if spread.points:
            _draw_points(axes, row, spread)
        else:
            axes.annotate("no scored episode", (0.01, row), xycoords=("axes fraction", "data"), va="center")
    axes.use_sticky_edges = False
    axes.margins(x=0.04)
    magnitudes = [abs(reward) for spread in spreads for reward, _ in spread.points if reward]
    if magnitudes and quantile(magnitudes, 0.95) > _WIDE_RANGE * quantile(magnitudes, 0.1):
        axes.set_xscale("symlog", linthresh=10 ** math.floor(math.log10(min(magnitudes))))
    else:
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=TICK_STEPS))
    axes.xaxis.set_major_formatter(amount)


def _draw_points(axes: Axes, row: int, spread: Spread) -> None:
    rewards = [reward for reward, _ in spread.points]
    low, high = quantile(rewards, 0.25), quantile(rewards, 0.75)
    axes.barh(row, high - low, left=low, height=0.56, color=FILL, edgecolor=LINE, linewidth=0.8, zorder=2)
    heights = [row + 0.6 * ((k * 0.618034 + 0.5) % 1 - 0.5) for k in range(len(rewards))]
    spots = axes.scatter(rewards, heights, s=15, color=SERIES[0], alpha=0.65, linewidths=0, zorder=3)
    spots.set_urls([link for _, link in spread.points])
    interval = ci95_by_task(spread.by_task, is_rate=spread.is_rate) or (mean(rewards),) * 2
    axes.plot(interval, (row, row), color=INK, linewidth=1.4, zorder=4)
    axes.plot([mean(rewards)], [row], marker="D", markersize=3.5, color=INK, zorder=5)


def _draw_stops(axes: Axes, spreads: Sequence[Spread], stops: Sequence[str]) -> None:
    begins = [0] * len(spreads)
    for reason in stops:
        counts = [spread.stops.get(reason, 0) for spread in spreads]
        axes.barh(range(len(spreads)), counts, left=begins, height=0.56, label=reason, **_stop_style(reason))
        begins = [begin + count for begin, count in zip(begins, counts, strict=True)]
    axes.set_xlabel("episodes")
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=TICK_STEPS, integer=True))
    axes.set_xlim(0, max([1, *begins]) * 1.02)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.02, 1.0),
        ncols=_LEGEND_COLUMNS,
        frameon=False,
        fontsize=SMALL_FONT_POINTS,
        handlelength=1.1,
        borderaxespad=0.1,
    )


def _stop_style(reason: str) -> dict[str, Any]:
    """A colour and a hatch that belong to a stop reason in every plot."""
    if reason == NOT_ATTEMPTED:
        return {"color": "none", "edgecolor": INK, "linestyle": ":", "linewidth": 1.0}
    hatch, color = divmod(_STOPS.index(reason), len(SERIES))
    return {"color": SERIES[color], "hatch": HATCHES[hatch], "edgecolor": INK, "linewidth": 0.5}

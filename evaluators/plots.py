"""Plots of a report as inline SVG, drawn by matplotlib without pyplot; the same data give the same bytes."""

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
from .plot_style import DASHES, FILL, HATCHES, INK, LINE, SERIES, WIDTH_INCHES, amount, plain, settings, short, to_svg
from .statistics import mean, mean_ci95, quantile

NOT_ATTEMPTED = "not attempted"
COLUMNS_A_FIGURE = 5
_LEGEND_COLUMNS = 2
_TICK_STEPS = [1, 2, 5, 10]
_WIDE_RANGE = 30.0
_SHARED_RANGE = 4.0
_FONT_SIZE, _SMALL_FONT_SIZE = 9.0, 8.0
_STOPS = [*(reason.value for reason in StopReason), NOT_ATTEMPTED]


@dataclass(frozen=True, slots=True)
class Spread:
    """The episodes of one agent: `points` are (reward, link), `stops` counts episodes by stop reason."""

    label: str
    points: Sequence[tuple[float, str]]
    stops: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Column:
    """One episode in the plots of a task; `panels` as `scoring.series` returns them, `note` a few words on it."""

    label: str
    note: str
    link: str
    panels: Sequence[Mapping[str, Any]]


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
    with style.context(settings(repr(spreads), _FONT_SIZE), after_reset=True):
        figure = Figure(figsize=(WIDTH_INCHES, height))
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        figure.subplots_adjust(left=0.21, right=0.985, bottom=0.5 / height, top=1 - above / height, wspace=0.08)
        _draw_rewards(left, spreads)
        scale = "" if left.get_xscale() == "linear" else ", logarithmic scale"
        left.set_xlabel((f"reward ({unit})" if unit else "reward") + scale)
        left.set_title(f"Reward of each episode (n = {n} scored)", loc="left", fontsize=_FONT_SIZE, fontweight="bold")
        _draw_stops(right, spreads, stops)
        left.set_yticks(range(len(spreads)), [short(spread.label) for spread in spreads])
        left.set_ylim(len(spreads) - 0.5, -0.5)
        for axes in (left, right):
            plain(axes)
            axes.grid(axis="x", linewidth=0.6)
            axes.tick_params(axis="y", length=0)
        return to_svg(figure, "Reward of each episode and stop reasons, by agent")


def task_plot(columns: Sequence[Column], title: str) -> str:
    """Draw one task: a column an agent, a row a quantity, all on the same weeks.

    A row shares its vertical axis where the agents' ranges are alike; else each panel has its own, with numbers.

    Args:
        columns: At most `COLUMNS_A_FIGURE` episodes.
        title: What the figure shows, for people who cannot see it; its own in a page.
    """
    names = list(dict.fromkeys(panel["title"] for column in columns for panel in column.panels))
    height = 1.05 + 1.15 * len(names)
    with style.context(settings(title, _SMALL_FONT_SIZE), after_reset=True):
        figure = Figure(figsize=(WIDTH_INCHES, height))
        grid = figure.subplots(len(names), COLUMNS_A_FIGURE, sharex=True, squeeze=False)
        figure.subplots_adjust(
            left=0.06, right=0.99, bottom=0.42 / height, top=1 - 0.7 / height, wspace=0.32, hspace=0.52
        )
        for row, name in zip(grid, names, strict=True):
            _draw_row(row, [_panel(column, name) for column in columns])
        for k, top in enumerate(grid[0]):
            if k < len(columns):
                _name_column(top, columns[k])
        for axes in grid[:, len(columns) :].flat:
            axes.set_visible(False)
        for axes in grid[-1]:
            axes.set_xlabel(_x_label(columns), labelpad=1)
        return to_svg(figure, title)


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
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=_TICK_STEPS))
    axes.xaxis.set_major_formatter(amount)


def _draw_points(axes: Axes, row: int, spread: Spread) -> None:
    rewards = [reward for reward, _ in spread.points]
    low, high = quantile(rewards, 0.25), quantile(rewards, 0.75)
    axes.barh(row, high - low, left=low, height=0.56, color=FILL, edgecolor=LINE, linewidth=0.8, zorder=2)
    heights = [row + 0.6 * ((k * 0.618034 + 0.5) % 1 - 0.5) for k in range(len(rewards))]
    spots = axes.scatter(rewards, heights, s=15, color=SERIES[0], alpha=0.65, linewidths=0, zorder=3)
    spots.set_urls([link for _, link in spread.points])
    interval = mean_ci95(rewards) or (mean(rewards),) * 2
    axes.plot(interval, (row, row), color=INK, linewidth=1.4, zorder=4)
    axes.plot([mean(rewards)], [row], marker="D", markersize=3.5, color=INK, zorder=5)


def _draw_stops(axes: Axes, spreads: Sequence[Spread], stops: Sequence[str]) -> None:
    begins = [0] * len(spreads)
    for reason in stops:
        counts = [spread.stops.get(reason, 0) for spread in spreads]
        axes.barh(range(len(spreads)), counts, left=begins, height=0.56, label=reason, **_stop_style(reason))
        begins = [begin + count for begin, count in zip(begins, counts, strict=True)]
    axes.set_xlabel("episodes")
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=_TICK_STEPS, integer=True))
    axes.set_xlim(0, max([1, *begins]) * 1.02)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.02, 1.0),
        ncols=_LEGEND_COLUMNS,
        frameon=False,
        fontsize=_SMALL_FONT_SIZE,
        handlelength=1.1,
        borderaxespad=0.1,
    )


def _stop_style(reason: str) -> dict[str, Any]:
    """A colour and a hatch that belong to a stop reason in every plot."""
    if reason == NOT_ATTEMPTED:
        return {"color": "none", "edgecolor": INK, "linestyle": ":", "linewidth": 1.0}
    hatch, color = divmod(_STOPS.index(reason), len(SERIES))
    return {"color": SERIES[color], "hatch": HATCHES[hatch], "edgecolor": INK, "linewidth": 0.5}


def _panel(column: Column, title: str) -> Mapping[str, Any] | None:
    return next((panel for panel in column.panels if panel["title"] == title and panel["x"]), None)


def _x_label(columns: Sequence[Column]) -> str:
    return next((str(panel["x_label"]) for column in columns for panel in column.panels), "")


def _draw_row(row: Sequence[Axes], panels: Sequence[Mapping[str, Any] | None]) -> None:
    drawn = [panel for panel in panels if panel is not None]
    names = list(dict.fromkeys(name for panel in drawn for name in panel["lines"]))
    limits = _shared_limits(drawn)
    for axes, panel in zip(row, panels, strict=False):
        plain(axes)
        if panel is None:
            axes.set_axis_off()
            axes.annotate("nothing played", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center")
            continue
        _draw_lines(axes, panel, names)
        low, high = limits or _limits(panel)
        axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))
    if drawn:
        _name_row(row[0], drawn[0], names)


def _draw_lines(axes: Axes, panel: Mapping[str, Any], names: Sequence[str]) -> None:
    for name, values in panel["lines"].items():
        k = names.index(name)
        points = [math.nan if value is None else value for value in values]
        axes.plot(panel["x"], points, linewidth=1.5, color=SERIES[k % len(SERIES)], linestyle=DASHES[k % len(DASHES)])
    axes.grid(linewidth=0.5)
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=_TICK_STEPS, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=_TICK_STEPS))
    axes.yaxis.set_major_formatter(amount)


def _limits(panel: Mapping[str, Any]) -> tuple[float, float]:
    values = [0.0, *(value for line in panel["lines"].values() for value in line if value is not None)]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low, low + 1.0)


def _shared_limits(drawn: Sequence[Mapping[str, Any]]) -> tuple[float, float] | None:
    """Return one range for all panels of a row, None where it would flatten one of them."""
    limits = [_limits(panel) for panel in drawn]
    low, high = min((low for low, _ in limits), default=0.0), max((high for _, high in limits), default=1.0)
    narrowest = min((high - low for low, high in limits), default=1.0)
    return (low, high) if high - low <= _SHARED_RANGE * narrowest else None


def _name_column(axes: Axes, column: Column) -> None:
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    label = axes.annotate(short(column.label, 24), (0, 1), (-24, 34), fontweight="bold", fontsize=9, **place)
    label.set_url(column.link)
    axes.annotate(short(column.note, 30), (0, 1), (-24, 23), **place)


def _name_row(axes: Axes, panel: Mapping[str, Any], names: Sequence[str]) -> None:
    """Name a row, its unit and, where there are several, its lines, above its first panel."""
    unit = f" ({panel['unit']})" if panel["unit"] else ""
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate(f"{panel['title']}{unit}", (0, 1), (-24, 6), fontweight="bold", **place)
    if len(names) < 2:
        return
    styles = [(SERIES[k % len(SERIES)], DASHES[k % len(DASHES)]) for k in range(len(names))]
    lines = [axes.plot([], [], color=color, linestyle=dash)[0] for color, dash in styles]
    axes.legend(
        lines,
        [short(name) for name in names],
        loc="lower left",
        bbox_to_anchor=(0.42, 0.99),
        ncols=len(names),
        frameon=False,
        handlelength=2.4,
        borderaxespad=0.0,
    )

"""The course of play of a task as inline SVG: a column an episode, a row a quantity, from weeks or months.

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
from matplotlib.transforms import ScaledTranslation

from .gantt import Gantt
from .plot_style import (
    DASHES,
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

COLUMNS_A_FIGURE = 5
_TICKS = 4
_SHARED_RANGE = 4.0
_ROW_INCHES, _GAP_INCHES, _ABOVE_INCHES, _BELOW_INCHES, _LEFT_INCHES = 0.8, 0.42, 0.7, 0.42, 0.6
_LEGEND_INCHES, _CHARACTER_INCHES = 0.62, 0.062
_TITLE_POINTS = -24


@dataclass(frozen=True, slots=True)
class Column:
    """One episode in the plots of a task; `panels` as `scoring.series` returns them, `note` a few words on it."""

    label: str
    note: str
    link: str
    panels: Sequence[Mapping[str, Any]]


def task_plot(columns: Sequence[Column], title: str, *, slots: int = COLUMNS_A_FIGURE) -> str:
    """Draw one task: a column an episode, a row a quantity, all on the same weeks or months.

    A row shares its vertical axis where the episodes' ranges are alike; else each panel has its own, with numbers.
    Panels with `bars` are Gantt charts whose rows are the same in every column.

    Args:
        columns: At most `slots` episodes.
        title: What the figure shows, for people who cannot see it; its own in a page.
        slots: Columns that there is room for; those that are not used stay empty.
    """
    names = list(dict.fromkeys(panel["title"] for column in columns for panel in column.panels))
    rows = [[_panel(column, name) for column in columns] for name in names]
    gantts = [_gantt(panels) for panels in rows]
    heights = [_ROW_INCHES if gantt is None else max(_ROW_INCHES, gantt.height_inches) for gantt in gantts]
    with style.context(settings(title, SMALL_FONT_POINTS), after_reset=True):
        figure, grid = _grid(heights, slots, max(0 if gantt is None else gantt.label_characters for gantt in gantts))
        for row, panels, gantt in zip(grid, rows, gantts, strict=True):
            _draw_row(row, panels, gantt)
        for k, top in enumerate(grid[0]):
            if k < len(columns):
                _name_column(top, columns[k], COLUMNS_A_FIGURE // slots)
        for axes in grid[:, len(columns) :].flat:
            axes.set_visible(False)
        for axes in grid[-1]:
            axes.set_xlabel(_x_label(columns), labelpad=1)
        ticks = _TICKS * COLUMNS_A_FIGURE // slots
        grid[0, 0].xaxis.set_major_locator(MaxNLocator(ticks, steps=TICK_STEPS, integer=True))  # of all panels
        return to_svg(figure, title)


def _grid(heights: Sequence[float], slots: int, label_characters: int) -> tuple[Figure, Any]:
    """Return a figure with rows of these heights in inches, and its axes; labels of rows get the room they need."""
    gaps = _GAP_INCHES * (len(heights) - 1)
    height = _ABOVE_INCHES + math.fsum(heights) + gaps + _BELOW_INCHES
    figure = Figure(figsize=(WIDTH_INCHES, height))
    grid = figure.subplots(len(heights), slots, sharex=True, squeeze=False, height_ratios=heights)
    figure.subplots_adjust(
        left=max(_LEFT_INCHES, 0.1 + _CHARACTER_INCHES * label_characters) / WIDTH_INCHES,
        right=0.99,
        bottom=_BELOW_INCHES / height,
        top=1 - _ABOVE_INCHES / height,
        wspace=0.32,
        hspace=_GAP_INCHES * len(heights) / math.fsum(heights),
    )
    return figure, grid


def _panel(column: Column, title: str) -> Mapping[str, Any] | None:
    return next((panel for panel in column.panels if panel["title"] == title and panel["x"]), None)


def _x_label(columns: Sequence[Column]) -> str:
    return next((str(panel["x_label"]) for column in columns for panel in column.panels), "")


def _gantt(panels: Sequence[Mapping[str, Any] | None]) -> Gantt | None:
    """Return the chart that a row of panels makes, None where it is one of lines."""
    drawn = [panel for panel in panels if panel is not None and "bars" in panel]
    return Gantt(drawn) if drawn else None


def _draw_row(row: Sequence[Axes], panels: Sequence[Mapping[str, Any] | None], gantt: Gantt | None) -> None:
    drawn = [(axes, panel) for axes, panel in zip(row, panels, strict=False) if panel is not None]
    for axes, panel in zip(row, panels, strict=False):
        plain(axes)
        if panel is None:
            axes.set_axis_off()
            axes.annotate("nothing played", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center")
    if drawn and gantt is None:
        _draw_curves(row[0], drawn)
    elif drawn and gantt is not None:
        for axes, panel in drawn:
            gantt.draw(axes, panel)
        gantt.name_rows(drawn[0][0])
        _name_row(row[0], drawn[0][1], gantt.legend([panel for _, panel in drawn]))


def _draw_curves(first: Axes, drawn: Sequence[tuple[Axes, Mapping[str, Any]]]) -> None:
    panels = [panel for _, panel in drawn]
    names = list(dict.fromkeys(name for panel in panels for name in panel["lines"]))
    limits = _shared_limits(panels)
    for axes, panel in drawn:
        _draw_lines(axes, panel, names)
        low, high = limits or _limits(panel)
        axes.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))
    styles = [(SERIES[k % len(SERIES)], DASHES[k % len(DASHES)]) for k in range(len(names))]
    lines = [first.plot([], [], color=color, linestyle=dash)[0] for color, dash in styles]
    _name_row(first, panels[0], list(zip(lines, map(short, names), strict=True)) if len(names) > 1 else [])


def _draw_lines(axes: Axes, panel: Mapping[str, Any], names: Sequence[str]) -> None:
    for name, values in panel["lines"].items():
        k = names.index(name)
        points = [math.nan if value is None else value for value in values]
        axes.plot(panel["x"], points, linewidth=1.5, color=SERIES[k % len(SERIES)], linestyle=DASHES[k % len(DASHES)])
    axes.grid(linewidth=0.5)
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=TICK_STEPS))
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


def _name_column(axes: Axes, column: Column, width: int) -> None:
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    name = short(column.label, 24 * width)
    label = axes.annotate(name, (0, 1), (_TITLE_POINTS, 34), fontweight="bold", fontsize=FONT_POINTS, **place)
    label.set_url(column.link or None)
    axes.annotate(short(column.note, 30 * width), (0, 1), (_TITLE_POINTS, 23), **place)


def _name_row(axes: Axes, panel: Mapping[str, Any], legend: Sequence[tuple[Any, str]]) -> None:
    """Name a row, its unit and, where there are several, what is drawn in it, above its first panel."""
    title, unit = str(panel["title"]), str(panel["unit"])
    if unit and unit not in title.split():  # "available in USD" has said it
        title = f"{title} ({unit})"
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate(title, (0, 1), (_TITLE_POINTS, 6), fontweight="bold", **place)
    if not legend:
        return
    assert axes.figure is not None
    behind_title = _TITLE_POINTS / 72 + _CHARACTER_INCHES * (len(title) + 1)
    offset = ScaledTranslation(max(_LEGEND_INCHES, behind_title), -0.01, axes.figure.dpi_scale_trans)
    axes.legend(
        [handle for handle, _ in legend],
        [text for _, text in legend],
        loc="lower left",
        bbox_to_anchor=(0, 1),
        bbox_transform=axes.transAxes + offset,
        ncols=len(legend),
        frameon=False,
        handlelength=2.4,
        borderaxespad=0.0,
    )

"""The figures of simulated scenarios as one SVG file that stands alone: staff, earnings and a Gantt chart of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .course_plot import Column, task_plot
from .tables import one_line

_INK, _LINE, _FILL, _GROUND = "#1b1f24", "#d0d7de", "#e3e8ed", "#ffffff"
_SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8f98")
_COLORS = {
    "currentColor": _INK,
    "var(--line)": _LINE,
    "var(--fill)": _FILL,
    **{f"var(--c{k})": color for k, color in enumerate(_SERIES, 1)},
}
"""What a report's style sheet says in its light scheme; a file has no page around it to say so."""
_COLOR = re.compile("|".join(map(re.escape, _COLORS)))
_SIZE = re.compile(r' width="[^"]*" height="[^"]*" viewBox="0 0 ([\d.]+) ([\d.]+)"')


def simulation_file(scenarios: Sequence[Column]) -> str:
    """Draw scenarios one below the other, each on its own axis of months, with a white ground.

    Args:
        scenarios: At least one; `panels` as `scoring.series` returns them.

    Returns:
        The text of an SVG file; the same scenarios give the same bytes.
    """
    figures, width, height = [], 0.0, 0.0
    for k, column in enumerate(scenarios):
        shown = replace(column, label=one_line(column.label))  # XML holds no control characters, not even escaped
        svg = task_plot([shown], f"{k + 1}: {shown.label}", slots=1)
        size = _SIZE.search(svg)
        assert size is not None
        own_width, own_height = (float(number) for number in size.groups())
        place = f' y="{height:g}" width="{own_width:g}" height="{own_height:g}" viewBox="0 0 {size[1]} {size[2]}"'
        figures.append(svg.replace(size[0], place, 1))
        width, height = max(width, own_width), height + own_height
    body = _COLOR.sub(lambda found: _COLORS[found.group()], "\n".join(figures))
    box = f'width="{width:g}pt" height="{height:g}pt" viewBox="0 0 {width:g} {height:g}"'
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" {box} color="{_INK}">\n'
        f'<rect width="100%" height="100%" fill="{_GROUND}"/>\n{body}\n</svg>\n'
    )

"""Gantt charts of a report: a row a project, pale where its window is open, solid where consultants worked on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

from .plot_style import DASHES, FILL, INK, LINE, SERIES, short

Panel = Mapping[str, Any]
LABEL_CHARACTERS = 16
LABEL_POINTS = 7.0
ROW_INCHES = 0.145
_WINDOW_HEIGHT = 0.78
_THINNEST = 0.12
_WORK, _LATE, _FOLLOW_ON = SERIES[0], SERIES[1], SERIES[2]


class Box(NamedTuple):
    """A rectangle in months and rows."""

    left: float
    right: float
    middle: float
    height: float


@dataclass(frozen=True, slots=True)
class Boxes:
    """The rectangles of one panel.

    Attributes:
        windows: When projects are open, cut off at the end of the run; `next_windows` those of follow-ons.
        work: Spells of work, as high as the share of `Gantt.most` that was posted; `next_work` those of follow-ons.
        late: (month, row) of projects whose contracted effort was not delivered in time.
    """

    windows: list[Box] = field(default_factory=list)
    next_windows: list[Box] = field(default_factory=list)
    work: list[Box] = field(default_factory=list)
    next_work: list[Box] = field(default_factory=list)
    late: list[tuple[float, float]] = field(default_factory=list)


class Gantt:
    """The rows that several panels share, so that a project stands at the same height in all of them.

    A follow-on, `p1 (follow-on)`, stands in the row of the project that it follows, since its window opens after that
    one's deadline. The project that opens first is on top.

    Args:
        panels: Panels with `bars`, each `{label, window: [from, to], work: [[from, to, consultants], ...], won}`,
            times in months.
    """

    def __init__(self, panels: Sequence[Panel]) -> None:
        begins: dict[str, float] = {}
        staff = [0.0]
        for panel in panels:
            for row, bar in _placed(panel):
                begins[row] = min(begins.get(row, math.inf), bar["window"][0])
                staff += [posted for _, _, posted in bar["work"]]
        self.rows: list[str] = sorted(begins, key=lambda row: begins[row])
        """The rows from top to bottom."""
        self.most: float = max(staff) or 1.0
        """Consultants whose work fills a row's height."""

    @property
    def height_inches(self) -> float:
        """Height in which every row can be read."""
        return ROW_INCHES * max(1, len(self.rows))

    @property
    def label_characters(self) -> int:
        """Length of the longest label."""
        return max((len(short(row, LABEL_CHARACTERS)) for row in self.rows), default=0)

    def boxes(self, panel: Panel) -> Boxes:
        """Return what one of the panels shows."""
        found, end = Boxes(), float(panel["x"][-1])
        places = {row: float(k) for k, row in enumerate(self.rows)}
        for row, bar in _placed(panel):
            place, follows = places[row], row != bar["label"]
            begin, deadline = bar["window"][0], min(bar["window"][1], end)
            if deadline > begin:
                (found.next_windows if follows else found.windows).append(Box(begin, deadline, place, _WINDOW_HEIGHT))
            for left, right, posted in bar["work"]:
                height = max(_THINNEST, _WINDOW_HEIGHT * posted / self.most)
                (found.next_work if follows else found.work).append(Box(left, right, place, height))
            if not bar["won"]:
                found.late.append((deadline, place))
        return found

    def draw(self, axes: Axes, panel: Panel) -> None:
        """Draw one of the panels."""
        found = self.boxes(panel)
        axes.grid(axis="x", linewidth=0.5)
        for row in range(len(self.rows)):
            axes.axhline(row, color=LINE, linewidth=0.4, linestyle=DASHES[2], zorder=0.6)
        _fill(axes, found.windows, facecolor=FILL, edgecolor=LINE, linewidth=0.5, zorder=1.2)
        _fill(axes, found.next_windows, facecolor=FILL, edgecolor=_FOLLOW_ON, linewidth=0.7, zorder=1.2)
        _fill(axes, found.work, facecolor=_WORK, linewidth=0, zorder=2)
        _fill(axes, found.next_work, facecolor=_FOLLOW_ON, linewidth=0, zorder=2)
        if found.late:
            axes.plot(*zip(*found.late, strict=True), clip_on=False, zorder=3, **_LATE_MARK)
        if not panel["bars"]:
            axes.annotate("no project", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center")
        axes.set_ylim(max(1, len(self.rows)) - 0.5, -0.5)
        axes.set_yticks([])

    def name_rows(self, axes: Axes, characters: int = LABEL_CHARACTERS) -> None:
        """Write the rows' names beside a panel."""
        labels = [short(row, characters) for row in self.rows]
        axes.set_yticks(range(len(labels)), labels, fontsize=LABEL_POINTS)
        axes.tick_params(axis="y", length=0, pad=2)

    def legend(self, panels: Sequence[Panel]) -> list[tuple[Any, str]]:
        """Return (handle, text) of what the panels show."""
        found = [self.boxes(panel) for panel in panels]
        window = Patch(facecolor=FILL, edgecolor=LINE, linewidth=0.5)
        handles: list[tuple[Any, str]] = [(window, "window"), (Patch(facecolor=_WORK, linewidth=0), self._scale)]
        if any(each.next_windows for each in found):
            handles.append((Patch(facecolor=_FOLLOW_ON, linewidth=0), "follow-on"))
        if any(each.late for each in found):
            handles.append((Line2D([], [], **_LATE_MARK), "not delivered in time"))
        return handles

    @property
    def _scale(self) -> str:
        consultants = "consultant" if self.most == 1 else "consultants"
        return f"work (full height: {self.most:g} {consultants})"


_LATE_MARK: dict[str, Any] = {
    "linestyle": "none",
    "marker": "X",
    "markersize": 5.5,
    "markerfacecolor": _LATE,
    "markeredgecolor": INK,
    "markeredgewidth": 0.4,
}


def _placed(panel: Panel) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each bar with the row that it stands in."""
    labels = {bar["label"] for bar in panel["bars"]}
    for bar in panel["bars"]:
        parent, bracket, _ = bar["label"].rpartition(" (")
        yield (parent if bracket and parent in labels else bar["label"]), bar


def _fill(axes: Axes, boxes: Sequence[Box], **look: Any) -> None:
    """Draw rectangles as one path, which keeps a page with thousands of them small."""
    if not boxes:
        return
    corners = [
        (x, box.middle + y * box.height / 2)
        for box in boxes
        for x, y in ((box.left, -1), (box.right, -1), (box.right, 1), (box.left, 1), (box.left, -1))
    ]
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(boxes)
    axes.add_patch(PathPatch(Path(corners, codes), **look))
    axes.autoscale_view(scaley=False)

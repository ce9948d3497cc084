"""What the plots of a report share: colours that follow the page's scheme, short labels, SVG without ids or dates."""

from __future__ import annotations

import io
import re
import warnings
from importlib.resources import files
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ..envs.core.text import printable

LABEL_CHARACTERS = 26
WIDTH_INCHES = 9.9
FONT_POINTS, SMALL_FONT_POINTS = 9.0, 8.0
TICK_STEPS = [1, 2, 5, 10]
INK, LINE, FILL = "#010203", "#010204", "#010205"
SERIES = tuple(f"#01030{k}" for k in range(1, 8))
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (5, 1.2, 1, 1.2)))
HATCHES = ("", "////", "xxxx")
_CSS = {
    INK: "currentColor",
    LINE: "var(--line)",
    FILL: "var(--fill)",
    **{color: f"var(--c{k})" for k, color in enumerate(SERIES, 1)},
}
"""Colours as matplotlib draws them -> as they stand in the page, whose style sheet knows light and dark."""
_PLACEHOLDER = re.compile("|".join(_CSS))


def settings(salt: str, font_size: float) -> dict[Any, Any]:
    """Return matplotlib's settings for one figure; `salt` makes its ids its own, and the same each time."""
    return {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",
        "text.parse_math": False,
        "axes.unicode_minus": False,
        "font.family": "DejaVu Sans",
        "font.size": font_size,
        "hatch.linewidth": 0.7,
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "hatch.color"), INK),
        **dict.fromkeys(("axes.edgecolor", "grid.color"), LINE),
    }


def short(text: str, characters: int = LABEL_CHARACTERS) -> str:
    """Return a label that fits a plot: one printable line, its middle left out where it is long."""
    line = " ".join(printable(text).split())
    if len(line) <= characters:
        return line
    return f"{line[: characters // 2 - 1]}…{line[-(characters - characters // 2) :]}"


def plain(axes: Axes) -> None:
    """Leave out of a plot what carries no data."""
    axes.patch.set_visible(False)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(width=0.6, length=2.5)


def amount(value: float, _: Any = None) -> str:
    """Write the number at a tick: tens of thousands as `10k`, millions as `1M`."""
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= max(unit, 1e4):
            return f"{value / unit:,.4g}{sign}"
    return f"{value:,g}"


def to_svg(figure: Figure, label: str) -> str:
    """Write a figure as an SVG element that can stand in a page.

    Args:
        figure: The figure.
        label: What it shows, for people who cannot see it.
    """
    figure.patch.set_visible(False)
    text = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # the reader's fonts draw the text, not matplotlib's
        canvas.print_svg(text, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    svg = text.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # its rule would hold for the whole page
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    svg = _PLACEHOLDER.sub(lambda found: _CSS[found.group()], svg)
    name = re.sub(r'[<>&"]', "", printable(label))
    return svg.replace("<svg ", f'<svg role="img" aria-label="{name}" ', 1)


def standalone(svg: str) -> str:
    """Return the SVG file that an element of a page makes: on white, in the colours of the page's light scheme."""
    css = files("bizgym.evaluators").joinpath("templates", "report.css").read_text(encoding="utf-8")
    colors = dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6})", css.partition("}")[0]))
    svg = re.sub(r"var\(--([a-z0-9]+)\)", lambda found: colors[found[1]], svg).replace("currentColor", colors["ink"])
    begin = svg.index(">") + 1
    back = f'<rect width="100%" height="100%" fill="{colors["back"]}"/>'
    return f'<?xml version="1.0" encoding="utf-8"?>\n{svg[:begin]}{back}{svg[begin:]}'

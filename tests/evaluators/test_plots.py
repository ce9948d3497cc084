"""Plots show the values that they are given, the same way each time."""

import re
import subprocess
import sys

import matplotlib
import pytest
from bizgym.evaluators.course_plot import Column, task_plot
from bizgym.evaluators.plots import Spread, spread_plot


def test_plotted_lines_follow_their_values():
    panel = {
        "title": "stock",
        "unit": "units",
        "x_label": "week",
        "x": [1, 2, 3],
        "lines": {"stock": [0.0, 40.0, 10.0]},
    }
    svg = task_plot([Column("a $x$ <b>", "", "#episode-0", [panel])], "one")
    (line,) = re.findall(r'<path d="([^"]*)"[^>]*stroke: var\(--c1\); stroke-width: 1.5', svg)
    (x1, y1), (x2, y2), (x3, y3) = [tuple(map(float, point.split())) for point in re.split(r"[ML]", line)[1:]]
    assert (x3 - x1) / (x2 - x1) == pytest.approx(2)
    assert (y3 - y1) / (y2 - y1) == pytest.approx(10 / 40)
    assert y2 < y1, "more is higher"
    assert "a $x$ &lt;b&gt;" in svg


def test_a_plot_is_the_same_each_time_and_carries_no_colour_of_its_own():
    spreads = [
        Spread("a", [(-1.0, "#episode-0"), (-1e6, "#episode-1")], {"env_done": 2}),
        Spread("b", [], {"timeout": 1}),
    ]
    svg = spread_plot(spreads, "$")
    with matplotlib.rc_context({"axes.grid": True, "font.size": 30.0, "text.usetex": True}):  # a user's own settings
        assert svg == spread_plot(spreads, "$")
    assert not re.search(r"(fill|stroke): #", svg)
    assert "<metadata" not in svg
    assert "reward ($)" in svg


def test_drawing_leaves_pyplot_alone():
    code = "import sys, bizgym.evaluators.report; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

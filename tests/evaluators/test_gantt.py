"""Gantt charts show the months, the staff and the end of every project, at one height in all columns."""

import re
from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from bizgym.envs.digital_twin.kpis import report
from bizgym.envs.digital_twin.state import draw_coins, run
from bizgym.envs.digital_twin.timeline import panels
from bizgym.evaluators.course_plot import Column, task_plot
from bizgym.evaluators.gantt import Gantt
from bizgym.evaluators.plot_style import standalone

from tests.digital_twin.scenarios import random_scenario

MONTHS = list(range(1, 26))
NUMBER = r"-?[\d.]+"


def bar(label, window, work=(), won=True):
    return {"label": label, "window": list(window), "work": [list(spell) for spell in work], "won": won}


def chart(*bars):
    return {"title": "projects", "unit": "", "x_label": "month", "x": MONTHS, "bars": list(bars)}


def curve(*values):
    return {"title": "staff", "unit": "", "x_label": "month", "x": MONTHS, "lines": {"at work": list(values)}}


def plot(*charts, slots=5):
    columns = [Column(f"agent {k}", "", f"#episode-{k}", [each]) for k, each in enumerate(charts)]
    return task_plot(columns, "one task", slots=slots)


def rectangles(svg, color):
    """The rectangles (left, right, top, bottom) of every path filled with a colour, in points."""
    found = []
    for path in re.findall(rf'<path d="([^"]*)"[^>]*fill: var\(--{color}\)', svg):
        for corners in path.replace("\n", "").split("z")[:-1]:
            points = [tuple(map(float, point)) for point in re.findall(rf"[ML] ({NUMBER}) ({NUMBER})", corners)]
            xs, ys = zip(*points, strict=True)
            found.append((min(xs), max(xs), min(ys), max(ys)))
    return found


def test_lengths_are_months_and_heights_are_consultants():
    svg = plot(chart(bar("p1", (1, 11), [(2, 4, 4), (4, 9, 1)]), bar("p2", (5, 25), [(6, 16, 2)])))
    # The key of the colour is drawn last, in the legend.
    (long4, short1, half2, _key) = rectangles(svg, "c1")
    month = (long4[1] - long4[0]) / 2
    assert (short1[1] - short1[0]) / month == pytest.approx(5, rel=1e-3)
    assert (half2[1] - half2[0]) / month == pytest.approx(10, rel=1e-3)
    assert short1[0] == pytest.approx(long4[1])
    assert (half2[0] - long4[0]) / month == pytest.approx(4, rel=1e-3)
    heights = [box[3] - box[2] for box in (long4, short1, half2)]
    assert [height / heights[0] for height in heights] == pytest.approx([1, 1 / 4, 1 / 2], rel=1e-3)
    middles = [(box[2] + box[3]) / 2 for box in (long4, short1, half2)]
    assert middles[0] == pytest.approx(middles[1])
    assert middles[2] > middles[0], "the project that opens first is on top"


def test_windows_hold_their_work_and_end_with_the_run():
    svg = plot(chart(bar("p1", (3, 40), [(4, 25, 1)], won=False)))
    window, _key = rectangles(svg, "fill")
    work, _ = rectangles(svg, "c1")
    assert (window[1] - window[0]) / (work[1] - work[0]) == pytest.approx(22 / 21, rel=1e-3)
    assert window[1] == pytest.approx(work[1])
    assert window[2] <= work[2] < work[3] <= window[3]
    assert Gantt([chart(bar("p1", (3, 40), won=False))]).boxes(chart(bar("p1", (3, 40), won=False))).late == [(25, 0)]


def test_a_project_stands_at_one_height_in_every_column():
    one, other = chart(bar("b", (4, 9)), bar("c", (6, 12))), chart(bar("a", (1, 5)), bar("c", (2, 12)))
    gantt = Gantt([one, other])
    assert gantt.rows == ["a", "c", "b"], "by the earliest start in any column"
    assert [box.middle for box in gantt.boxes(one).windows] == [2, 1]
    assert [box.middle for box in gantt.boxes(other).windows] == [0, 1]
    svg = plot(one, other)
    assert [svg.count(f">{name}</text>") for name in "abc"] == [1, 1, 1]


def test_follow_ons_stand_behind_the_project_that_they_follow():
    panel = chart(
        bar("p1", (1, 8), [(2, 8, 2)]),
        bar("p2", (2, 6), [(3, 6, 1)], won=False),
        bar("p1 (follow-on)", (9, 16), [(10, 12, 2)], won=False),
        bar("stranger (follow-on)", (3, 5)),
    )
    gantt = Gantt([panel])
    found = gantt.boxes(panel)
    assert gantt.rows == ["p1", "p2", "stranger (follow-on)"]
    assert [(box.left, box.right, box.middle) for box in found.next_windows] == [(9, 16, 0)]
    assert [(box.left, box.right, box.middle) for box in found.next_work] == [(10, 12, 0)]
    assert found.late == [(6, 1), (16, 0)]
    assert [text for _, text in gantt.legend([panel])] == [
        "window",
        "work (full height: 2 consultants)",
        "follow-on",
        "not delivered in time",
    ]
    assert [text for _, text in gantt.legend([chart(bar("p1", (1, 8), [(2, 8, 2)]))])] == [
        "window",
        "work (full height: 2 consultants)",
    ]


def test_late_projects_carry_a_mark_where_their_window_ends():
    svg = plot(chart(bar("p1", (1, 9), won=False), bar("p2", (2, 9)), bar("p3", (3, 9), won=False)))
    marks = re.findall(rf'<use xlink:href="[^"]*" x="({NUMBER})" y="({NUMBER})" style="fill: var\(--c2\)', svg)
    one, _, three, _key = rectangles(svg, "fill")
    (x1, y1), (x3, y3) = [tuple(map(float, mark)) for mark in marks[:2]]
    assert (x1, x3) == pytest.approx((one[1], three[1]))
    assert (y1, y3) == pytest.approx(((one[2] + one[3]) / 2, (three[2] + three[3]) / 2))


def height_of(svg):
    return float(re.search(r'<svg[^>]*height="([\d.]+)pt"', svg)[1])


def test_the_figure_grows_with_the_projects():
    heights = [height_of(plot(chart(*(bar(f"p{k}", (k % 9 + 1, 20)) for k in range(n))))) for n in (1, 5, 20, 40, 60)]
    assert heights[0] == heights[1]
    per_row = [(heights[k + 1] - heights[k]) / 20 for k in (2, 3)]
    assert per_row == pytest.approx([per_row[0]] * 2)
    assert per_row[0] > 10, "points, more than the labels are high"


def test_columns_without_projects_say_so():
    assert plot(chart(), chart()).count("no project") == 2
    svg = task_plot([Column("a", "", "", [curve(*MONTHS)]), Column("b", "", "", [chart(bar("p", (1, 2)))])], "mixed")
    assert svg.count("nothing played") == 2


def test_lines_stay_beside_charts():
    svg = task_plot([Column("a", "", "", [curve(*MONTHS), chart(bar("p1", (1, 25), [(1, 25, 1)]))])], "both")
    (line,) = re.findall(r'<path d="([^"]*)"[^>]*stroke: var\(--c1\); stroke-width: 1.5', svg)
    xs = [float(x) for x, _ in re.findall(rf"({NUMBER}) ({NUMBER})", line)]
    work, _key = rectangles(svg, "c1")
    assert (work[0], work[1]) == pytest.approx((min(xs), max(xs))), "month 1 to 25 on one axis"


def test_the_same_bytes_each_time_in_the_pages_colours():
    panel = chart(bar("a <b> $x$", (1, 9), [(2, 4, 3)], won=False), bar("long " * 20, (2, 8)))
    svg = plot(panel)
    with matplotlib.rc_context({"axes.grid": True, "font.size": 30.0}):  # a user's own settings
        assert svg == plot(panel)
    assert not re.search(r"(fill|stroke): #", svg)
    assert "a &lt;b&gt; $x$" in svg
    assert "long " * 4 not in svg


def test_a_file_of_its_own_has_the_colours_of_the_light_scheme():
    svg = standalone(plot(chart(bar("p1", (1, 9), [(2, 4, 3)])), slots=1))
    assert svg.startswith('<?xml version="1.0" encoding="utf-8"?>\n<svg ')
    assert "var(" not in svg
    assert "currentColor" not in svg
    assert {"fill: #0072b2", 'fill="#ffffff"'} <= set(re.findall(r'fill: #0072b2|fill="#ffffff"', svg))


@pytest.mark.parametrize("seed", range(60))
def test_charts_of_random_firms_show_all_effort_that_was_delivered(seed):
    rng = np.random.default_rng(seed)
    scenario = random_scenario(rng, dts=(1.0, 0.5))
    coins = draw_coins(scenario, rng)
    result = report(scenario, run(scenario, coins))
    panel = panels(scenario, coins, result)[-1]
    found = Gantt([panel]).boxes(panel)
    assert len(found.late) == sum(not project.won for project in result.projects)
    for project, each in zip(result.projects, panel["bars"], strict=True):
        spells = each["work"]
        assert sum((end - begin) * staff for begin, end, staff in spells) >= project.delivered_months - 1e-9
        assert all(before[1] <= after[0] for before, after in pairwise(spells))
        assert bool(spells) == (project.delivered_months > 0)

"""The Digital Twin's report in a browser: charts of five agents can be read, with 5 projects and with 40."""

import html
import json
import re

import gymnasium as gym
import pytest
from bizgym import envs
from bizgym.agents.rollout import rollout
from bizgym.evaluators.report import write_report

from tests.digital_twin.firms import project, spec, write
from tests.evaluators.conftest import Scripted, driven

pytestmark = pytest.mark.browser
AGENTS = 5
# The boxes of all texts of the figure, in the figure's own frame.
MEASURE = """
const figures = [...document.querySelectorAll('figure svg')];
const svg = figures[figures.length - 1];
const frame = svg.getBoundingClientRect();
const boxes = [...svg.querySelectorAll('text')].map((text) => {
  const box = text.getBoundingClientRect();
  return [text.textContent, box.left - frame.left, box.top - frame.top, box.right - frame.left, box.bottom - frame.top];
});
const told = document.createElement('pre');
told.id = 'told';
told.textContent = JSON.stringify({width: frame.width, height: frame.height, boxes});
document.body.append(told);
"""


def offered(n):
    """Projects in staggered windows; every third one is followed by another."""
    return [
        project(
            f"rollout-phase-{k:02}" if k % 4 else f"p{k}",  # as long as a label may be
            start_month={"low": 1 + k % 14, "high": 2 + k % 14},
            deadline_month={"low": 7 + k % 14, "high": 9 + k % 14},
            follow_on_probability=0.5 * (k % 3 == 0),
        )
        for k in range(n)
    ]


def plan(projects, agent):
    """Agent k declines every project whose number it divides."""
    chosen = [each for k, each in enumerate(projects) if agent == 0 or k % (agent + 1)]
    windows = {
        each["id"]: {"start_month": each["start_month"]["low"], "deadline_month": each["deadline_month"]["high"]}
        for each in chosen
    }
    return {"consultants": 6, "revenue_risk": 1.0, "projects": windows}


@pytest.fixture(params=[5, 40])
def page(request, tmp_path, make_run):
    """The report on five agents that plan for a firm with this number of projects on offer."""
    gym.register_envs(envs)
    projects = offered(request.param)
    env = gym.make("bizgym/DigitalTwin-v0", scenario=write(tmp_path, spec(*projects)))
    (task_id,) = env.unwrapped.task_ids
    rows = []
    for agent in range(AGENTS):
        submit = {"name": "submit_plan", "arguments": {"plan": plan(projects, agent)}}
        player = Scripted([None, submit, {"name": "run_simulation", "arguments": {}}].__getitem__)
        labels = {"agent": {"name": f"agent-{agent}", "settings": {}}}
        rows.append(rollout(env, player, seed=agent, task_id=task_id, labels=labels))
    assert [row.stop_reason.value for row in rows] == ["env_done"] * AGENTS
    return request.param, write_report([make_run(tmp_path / "run", rows)])


def overlaps(one, other):
    """Whether two boxes share more than the rim of their lines."""
    width = min(one[3], other[3]) - max(one[1], other[1])
    height = min(one[4], other[4]) - max(one[2], other[2])
    return width > 1 and height > 2


def test_no_text_of_the_figure_covers_another_or_is_cut_off(dom, page):
    n, path = page
    shown = dom(driven(path, MEASURE)[0], "", "--window-size=1300,1000")
    told = json.loads(html.unescape(re.search(r'<pre id="told">(.*?)</pre>', shown)[1]))
    boxes = [box for box in told["boxes"] if box[0].strip()]
    names = [box[0] for box in boxes]
    for each in offered(n):
        assert names.count(each["id"]) == 1
    assert {"follow-on", "window"} <= set(names)
    covered = [(one[0], other[0]) for k, one in enumerate(boxes) for other in boxes[:k] if overlaps(one, other)]
    assert covered == []
    cut = [box for box in boxes if box[1] < -1 or box[2] < -1 or box[3] > told["width"] + 1]
    assert cut == []
    assert all(box[4] <= told["height"] + 1 for box in boxes)
    assert min(box[4] - box[2] for box in boxes) > 9, "pixels: large enough to read"

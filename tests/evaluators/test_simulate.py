"""`bizgym simulate`: figures on standard output, the plot, what is refused, and with which exit status."""

import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from bizgym.envs.digital_twin.kpis import Kpis
from bizgym.envs.digital_twin.scenario_file import reference_firms
from bizgym.envs.digital_twin.simulate import simulate
from bizgym.evaluators import tables
from bizgym.evaluators.cli import main
from rich.console import Console

from tests.digital_twin.firms import spec, write
from tests.evaluators.test_cli import Said

GOLDEN = Path(__file__).parents[1] / "digital_twin" / "golden"
FINAL = {
    "accumulated_revenue": 3_420_000,
    "accumulated_expenses": 2_800_000,
    "accumulated_earnings": 620_000,
    "overall_avg_utilization": 198 / 230,
    "projects": 10,
}
Bizgym = Callable[..., Said]


@pytest.fixture
def bizgym(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bizgym:
    """The command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Said:
        try:
            status = main(list(arguments))
        except SystemExit as left:  # argparse's own usage errors
            status = int(left.code or 0)
        return Said(status, *capsys.readouterr())

    return call


@pytest.fixture
def reference(tmp_path: Path) -> str:
    """The packaged reference file, as a user's own."""
    path = tmp_path / "reference.json"
    path.write_text(files("bizgym.data").joinpath("digital_twin", "reference.json").read_text(encoding="utf-8"))
    return str(path)


@pytest.fixture
def plan(tmp_path: Path) -> str:
    """The best plan for story_5."""
    windows = {f"p{k}": {"start_month": 1, "deadline_month": 23} for k in range(1, 6)}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"consultants": 10, "revenue_risk": 0.51, "projects": windows}), encoding="utf-8")
    return str(path)


def test_json_alone_by_scenario(bizgym: Bizgym) -> None:
    said = bizgym("simulate", "story_5", "--json")
    content = json.loads(said.out)
    assert (said.status, said.err, list(content)) == (0, "", ["story_5"])
    story = content["story_5"]
    assert story["final"] == FINAL
    assert story["earnings_full"] == 672_000
    assert [list(step) for step in story["steps"]] == [list(Kpis._fields)] * 25
    golden = json.loads((GOLDEN / "edt_story_5.json").read_text(encoding="utf-8"))
    for step, row in zip(story["steps"], golden["rows"], strict=True):
        assert [round(step[column], 10) for column in golden["columns"]] == row
    assert [project["name"] for project in story["projects"]][:6] == ["p1", "p2", "p3", "p4", "p5", "p4 (follow-on)"]


def test_a_file_with_several_scenarios_runs_all_or_one(bizgym: Bizgym, reference: str) -> None:
    content = json.loads(bizgym("simulate", reference, "--json").out)
    assert list(content) == list(reference_firms())
    for name, firm in reference_firms().items():
        assert content[name]["final"]["accumulated_earnings"] == simulate(firm).earnings
    one = json.loads(bizgym("simulate", reference, "--scenario", "story_2", "--json").out)
    assert one == {"story_2": content["story_2"]}


def test_a_plan_is_played(bizgym: Bizgym, plan: str) -> None:
    content = json.loads(bizgym("simulate", "story_5", "--plan", plan, "--json").out)
    assert content["story_5"]["final"]["accumulated_earnings"] == 984_000


def test_gate_and_seed(bizgym: Bizgym) -> None:
    def earned(*options: str) -> float:
        said = bizgym("simulate", "story_5", *options, "--json")
        return float(json.loads(said.out)["story_5"]["final"]["accumulated_earnings"])

    firm = reference_firms()["story_5"]
    for seed in ("3", "4"):
        assert (
            earned("--gate", "bernoulli", "--seed", seed) == simulate(firm, gate="bernoulli", seed=int(seed)).earnings
        )
    assert earned("--gate", "bernoulli") == earned("--gate", "bernoulli", "--seed", "0") != earned()


def test_plain_lines_where_there_is_no_terminal(bizgym: Bizgym) -> None:
    said = bizgym("simulate", "story_4")
    lines = said.out.splitlines()
    assert (said.status, said.err) == (0, "")
    assert lines[0] == "# story_4: steps"
    assert lines[1].split("\t")[:5] == ["t", "revenue", "expenses", "earnings", "accumulated_earnings"]
    assert lines[26].split("\t")[:5] == ["25", "36,000", "26,000", "10,000", "76,000"]
    assert "accumulated_earnings\t76,000" in lines
    assert "earnings_full\t86,000" in lines
    assert "p1 (follow-on)\t19\t25\t6\t12\t1\t216,000\tyes\tcompleted" in lines


@pytest.mark.parametrize("width", [80, 140])
def test_a_table_on_a_terminal(bizgym: Bizgym, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    screen = io.StringIO()

    def console(stderr: bool = False) -> Console:
        return Console(file=screen, force_terminal=True, width=width, color_system=None)

    monkeypatch.setattr(tables, "console", console)
    monkeypatch.setattr("bizgym.evaluators.cli.simulate.console", console)
    assert bizgym("simulate", "interactive").status == 0
    shown = screen.getvalue()
    assert max(map(len, shown.splitlines())) <= width
    assert "414,000" in shown
    assert "25.75" in shown
    assert ("demand" in shown) is (width == 140)
    for name in ("month", "accumulated", "utilization", "projects", "contracted", "delivered", "extended", "won"):
        assert name in shown, "no heading is cut"


def test_own_files_play_under_their_own_gate(bizgym: Bizgym, tmp_path: Path) -> None:
    path = write(tmp_path, spec(name="ours", gate="bernoulli"))
    content = json.loads(bizgym("simulate", path, "--json").out)
    projects = content["ours"]["projects"]
    assert [project["name"] for project in projects] == ["a", "b"]
    assert content["ours"]["final"]["accumulated_revenue"] == 2 * 6 * 20_000


def test_what_is_probably_not_meant_is_told_on_standard_error(bizgym: Bizgym, reference: str) -> None:
    text = Path(reference).read_text(encoding="utf-8").replace('"value": 15.0}', '"value": 15.000}', 1)
    Path(reference).write_text(text, encoding="utf-8")
    said = bizgym("simulate", reference, "--scenario", "story_1", "--json")
    assert said.status == 0
    assert json.loads(said.out)["story_1"]["final"]["accumulated_expenses"] == 360
    (line,) = said.err.splitlines()
    assert line.endswith("story_1.properties.fixed_cost.value is 15.000, which is 15; for thousands write no point")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["story_6"], "Did you mean 'story_5'?"),
        (["nowhere.yaml"], "there is no file nowhere.yaml"),
        (["story_5", "--scenario", "story_4"], "--scenario: there is no story_4."),
        (["broken.json"], "broken.json: not JSON at line 1"),
        (["broken.yaml"], "broken.yaml: neither form of a scenario file"),
        (["."], ".: cannot be read"),
        (["story_5", "--plan", "nowhere.json"], "nowhere.json: cannot be read"),
        (
            ["story_5", "--plan", "far.yaml"],
            "far.yaml: consultants: an integer from 0 to 20, not 21; projects.p1.start_",
        ),
        (["story_5", "--seed", "-1"], "seed: an integer from 0"),
        (["story_5", "--seed", "x"], "argument --seed: invalid int value"),
        (["story_5", "--gate", "coin"], "argument --gate: invalid choice: 'coin'"),
        ([], "the following arguments are required: scenario"),
        (["story_5", "--polt", "x"], "unrecognized arguments: --polt x"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_is_wrong(bizgym: Bizgym, options: list[str], message: str) -> None:
    Path("broken.json").write_text("{", encoding="utf-8")
    Path("broken.yaml").write_text("- 1", encoding="utf-8")
    far = {"consultants": 21, "revenue_risk": 1, "projects": {"p1": {"start_month": 0, "deadline_month": 9}}}
    Path("far.yaml").write_text(json.dumps(far), encoding="utf-8")
    said = bizgym("simulate", *options)
    assert (said.status, said.out) == (2, "")
    assert message in said.err


def test_a_plot_that_cannot_be_written_is_an_error(bizgym: Bizgym) -> None:
    said = bizgym("simulate", "story_1", "--plot", "no/such/folder.svg", "--json")
    assert (said.status, said.out) == (1, "")
    assert "folder.svg: No such file or directory" in said.err


def test_the_plot_is_an_image_file_and_the_same_each_time(bizgym: Bizgym, reference: str) -> None:
    said = bizgym("simulate", reference, "--plot", "all.svg")
    assert said.status == 0
    assert said.out.splitlines()[-1] == f"Plot: {Path('all.svg').resolve()}"
    text = Path("all.svg").read_text(encoding="utf-8")
    image = ElementTree.fromstring(text)
    assert image.tag == "{http://www.w3.org/2000/svg}svg"
    parts = image.findall("{http://www.w3.org/2000/svg}svg")
    assert len(parts) == 8
    heights = [float(part.attrib["height"]) for part in parts]
    assert [float(part.attrib["y"]) for part in parts] == pytest.approx([sum(heights[:k]) for k in range(8)])
    assert image.attrib["height"] == f"{sum(heights):g}pt"
    assert "var(--" not in text
    assert "currentColor" not in text
    assert "10 consultants, revenue risk 1 (threshold): 10 of 10 projects delivered, earnings 620,000 $" in text
    ids = [element.attrib["id"] for element in image.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids)), "one part does not clip another"
    bizgym("simulate", reference, "--plot", "again.svg")
    assert Path("again.svg").read_bytes() == Path("all.svg").read_bytes()

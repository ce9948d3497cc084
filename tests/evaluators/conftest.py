"""Runs to evaluate, played by small agents, and a reader for the pages made of them."""

import base64
import json
import os
import re
import shutil
import subprocess
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from bizgym import envs
from bizgym.agents.base import Agent, AgentStop, AgentTurn
from bizgym.agents.rollout import rollout
from bizgym.envs.core.run_folder import EPISODES, Asked, RunDescription, RunFolder
from bizgym.envs.core.seeding import episode_seed
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import Trajectory, to_line
from bizgym.evaluators.report import write_report

GAME = {"ship_weeks": 1, "demand": "seasonal"}
ENV_ID = "bizgym/BeerGame-v0"
BINARIES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"),
    *("--virtual-time-budget=20000", "--dump-dom"),
]


class Scripted(Agent):
    """Plays a function of the week: what it returns is the turn, what it raises is raised."""

    def __init__(self, turn: Callable[[int], Any]) -> None:
        self._turn, self._week = turn, 0

    def act(self, observation: str, info: dict[str, Any]) -> Any:
        self._week += 1
        return self._turn(self._week)


def order(units: int) -> dict[str, Any]:
    return {"name": "place_order", "arguments": {"quantity": units}}


def provider_fails(week: int) -> Any:
    raise AgentStop(StopReason.PROVIDER_ERROR, "503 from the provider")


def breaks_in_week_four(week: int) -> Any:
    if week == 4:
        raise RuntimeError("boom")
    return order(100)


PLAYERS: dict[str, Callable[[int], Any]] = {
    "constant-100": lambda week: order(100),
    "constant-300": lambda week: AgentTurn(text=f"week {week}: <b>300</b>", calls=[order(300)]),
    "turns-in-week-six": lambda week: order(300 if week < 6 else 250),
    "garbage": lambda week: "I would rather not order.",
    "breaks": breaks_in_week_four,
    "unreachable": provider_fails,
}


@dataclass
class Page(HTMLParser):
    """A report as a reader finds it: its tables by caption, units by column, its text, its scripts by id."""

    html: str
    tables: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    scripts: dict[str, str] = field(default_factory=dict)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._script: str | None = None
        self._rows: list[list[list[str]]] = []
        self._caption = ""
        self._place = ""
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script":
            self._script = given.get("id") or "code"
            assert self._script not in self.scripts, "a script element that the report did not write"
            self.scripts[self._script] = ""
        elif tag == "table":
            self._rows, self._caption = [], ""
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append(["", given.get("data-sort") or ""])
        self._place = given.get("class") or tag if tag == "span" else tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = None
        elif tag == "table" and self._caption:
            heads = [text for text, _ in self._rows[0]]
            self.tables[self._caption] = [
                {
                    **dict(zip(heads, (text for text, _ in row), strict=True)),
                    **{f"{head} #": sort for head, (_, sort) in zip(heads, row, strict=True) if sort},
                }
                for row in self._rows[1:]
            ]
        self._place = ""

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self.scripts[self._script] += data
            return
        self.text += data
        if self._place == "caption":
            self._caption = data
        elif self._place == "unit":
            self.units[self._rows[-1][-1][0]] = data
        elif self._rows and self._rows[-1] and data.strip():
            cell = self._rows[-1][-1]
            cell[0] = f"{cell[0]} {data.strip()}".strip()

    @cached_property
    def index(self) -> dict[str, Any]:
        return json.loads(self.scripts["index"])

    @cached_property
    def leaderboards(self) -> list[dict[str, dict[str, str]]]:
        found = [rows for caption, rows in self.tables.items() if caption.startswith("Leaderboard")]
        return [{row["agent"]: row for row in rows} for rows in found]

    def steps_of(self, link: str) -> dict[str, Any]:
        packed = self.scripts[f"packed-{link}"]
        return json.loads(zlib.decompress(base64.b64decode(packed, validate=True)))


@pytest.fixture(scope="session")
def play() -> Callable[..., Trajectory]:
    """Play one episode of the seasonal game: `play(name, trial)`, or `play(name, trial, turn=function of the week)`."""
    gym.register_envs(envs)
    env = gym.make(ENV_ID, **GAME)
    (task_id,) = env.unwrapped.task_ids

    def played(name: str, trial: int = 0, turn: Callable[[int], Any] | None = None) -> Trajectory:
        labels = {"agent": {"name": name, "settings": {"_target_": "tests.Scripted"}}}
        agent = Scripted(turn or PLAYERS[name])
        seed = episode_seed(0, task_id, trial)
        return rollout(env, agent, seed=seed, task_id=task_id, trial=trial, labels=labels)

    return played


def write_run(path: Path, rows: Sequence[Trajectory], **config: Any) -> RunFolder:
    """Write a run of these rows that asks for `agents` x `tasks` x `trials`, by default what the rows are."""
    folder = RunFolder(path)
    path.mkdir(parents=True, exist_ok=True)
    (path / EPISODES).write_bytes(b"".join(map(to_line, rows)))
    asked = Asked(
        env_id=rows[0].env_id,
        agents=config.pop("agents", list(dict.fromkeys(row.agent["name"] for row in rows))),
        tasks=config.pop("tasks", list(dict.fromkeys(row.task_id for row in rows))),
        trials=config.pop("trials", max(row.trial for row in rows) + 1),
    )
    key = config.pop("run_key", "0123456789abcdef" * 4)
    hashes = {"main": rows[0].version["task_set_hash"]}
    described = {"name": path.name, "seed": 0, **config}
    folder.describe(RunDescription(run_key=key, task_set_hashes=hashes, asked=[asked], config=described))
    return folder


@pytest.fixture(scope="session")
def make_run() -> Callable[..., RunFolder]:
    return write_run


@pytest.fixture(scope="session")
def read_page() -> Callable[[Path], Page]:
    return lambda path: Page(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def lineup(play: Callable[..., Trajectory]) -> list[Trajectory]:
    """Two trials of every player."""
    return [play(name, trial) for name in PLAYERS for trial in range(2)]


@pytest.fixture(scope="session")
def page(lineup: list[Trajectory], tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The report on the lineup."""
    path = write_report([write_run(tmp_path_factory.mktemp("runs") / "lineup", lineup)])
    return Page(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def large_run(play: Callable[..., Trajectory], tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """500 episodes: ten players with other orders each week, fifty trials each."""

    def turn(player: int, trial: int) -> Callable[[int], Any]:
        return lambda week: order(200 + (37 * player + 61 * trial * week) % 211)

    rows = [play(f"player-{k}", trial, turn(k, trial)) for k in range(10) for trial in range(50)]
    return write_run(tmp_path_factory.mktemp("runs") / "large", rows)


@pytest.fixture(scope="session")
def chromium():
    found = next(filter(None, map(shutil.which, BINARIES)), None)
    if found is None:
        message = f"no browser: none of {', '.join(BINARIES)} is installed"
        if "browser" in os.environ.get("BIZGYM_REQUIRE", "").split(","):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture
def dom(chromium, tmp_path):
    """Open a page and return the HTML of its document once its script has run; errors on the console fail."""

    def opened(path, link="", *flags):
        command = [chromium, *FLAGS, *flags, f"--user-data-dir={tmp_path / 'profile'}", f"{path.as_uri()}{link}"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=180, check=True)
        assert "CONSOLE" not in done.stderr, done.stderr
        assert "</html>" in done.stdout
        return done.stdout

    return opened


def driven(path, script):
    """Return a copy of a page in which a script plays the reader; the page's own policy would refuse it."""
    html = path.read_text(encoding="utf-8")
    html = re.sub(r"<meta http-equiv[^>]*>", "", html).replace("</body>", f"<script>{script}</script></body>")
    return path.with_name("driven.html"), path.with_name("driven.html").write_text(html, encoding="utf-8")

"""The commands of the README's section on comparing methods are run one after another, as a reader would."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TITLE = "## Compare methods\n"


def section():
    return (ROOT / "README.md").read_text(encoding="utf-8").partition(TITLE)[2].partition("\n## ")[0]


COMMANDS = [line for text in re.findall(r"```bash\n(.*?)```", section(), re.DOTALL) for line in text.splitlines()]


@pytest.mark.slow
def test_the_commands_run_in_their_order(tmp_path):
    assert len(COMMANDS) >= 8
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    for command in COMMANDS:
        done = subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert done.stdout.strip()
    assert list(tmp_path.rglob("report.html"))


def test_every_column_that_is_explained_is_there():
    from bizgym.evaluators.comparison import board

    explained = re.findall(r"^\| ([^|]+) \|", section(), re.MULTILINE)[2:]
    source = Path(board.__file__).read_text(encoding="utf-8") + Path(board.__file__).with_name(
        "board_rows.py"
    ).read_text(encoding="utf-8")
    for name in (name for row in explained for name in row.replace("pass^k", "pass^").split(", ")):
        assert name in source, name

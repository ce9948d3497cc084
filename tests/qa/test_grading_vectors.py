"""Replies with their verdicts under both profiles, as data; no row is there twice."""

from pathlib import Path

import pytest
import yaml
from bizgym.envs.qa.scoring import grade

FILES = sorted(Path(__file__).parent.glob("vectors_*.yaml"))
GROUPS = [group for path in FILES for group in yaml.safe_load(path.read_text(encoding="utf-8"))]
ROWS = [(group["spec"], *row) for group in GROUPS for row in group["rows"]]
VERDICTS = {"right": True, "wrong": False}


def test_there_are_three_hundred_rows_and_none_twice():
    asked = {(repr(spec), reply) for spec, reply, *_ in ROWS}
    assert len(asked) == len(ROWS) >= 300
    for profile in (2, 3):
        assert {row[profile] for row in ROWS} == VERDICTS.keys()
    assert all(len(row) == 5 and row[4] for row in ROWS)


@pytest.mark.parametrize(
    ("spec", "reply", "paper", "strict", "why"), ROWS, ids=[f"{row[0]['value']}: {row[1]}"[:60] for row in ROWS]
)
def test_verdicts(spec, reply, paper, strict, why):
    verdicts = {"paper": grade(reply, spec).correct, "strict": grade(reply, spec, "strict").correct}
    assert verdicts == {"paper": VERDICTS[paper], "strict": VERDICTS[strict]}, why

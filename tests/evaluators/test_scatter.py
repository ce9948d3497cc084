"""The plot of score against cost: which agents stand where, on which axis, and that none hides another."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bizgym.evaluators.comparison import Contest, gather
from bizgym.evaluators.comparison.scatter import MONEY, TOKENS, asides, points_of, scatter_plot

from tests.fixtures.contestants import GPT, MakeRun, played

TASKS = ("t1", "t2")


def used(tokens: int, **money: float) -> dict[str, Any]:
    return {"client": GPT, "usage": {"act": {"calls": 1, "input": tokens, "output": 0, **money}}}


@pytest.fixture
def contest(make_run: MakeRun, tmp_path: Path) -> Callable[..., Contest]:
    def made(**agents: dict[str, Any]) -> Contest:
        rows = [
            played(name, task, 0, reward, **fields)
            for name, fields in agents.items()
            for task, reward in zip(TASKS, (0.25, 0.75), strict=True)
        ]
        (found,) = gather([make_run(tmp_path / "run", rows)])
        return found

    return made


def test_money_lies_across_where_all_of_it_is_known(contest: Callable[..., Contest]) -> None:
    kind, points = points_of(contest(a=used(100, cost=0.5), b=used(300, cost=0.02), rule={}))
    assert kind == MONEY
    assert [(point.label, point.x, point.score, point.n) for point in points] == [
        ("a", 0.5, 0.5, 2),
        ("b", 0.02, 0.5, 2),
    ]


@pytest.mark.parametrize("money", [{"unpriced": 1}, {"cost": 0.0}])
def test_tokens_lie_across_where_a_price_is_unknown_or_nothing(
    money: dict[str, float], contest: Callable[..., Contest]
) -> None:
    found = contest(a=used(100, cost=0.5), b=used(300, **money))
    kind, points = points_of(found)
    assert (kind, {point.label: point.x for point in points}) == (TOKENS, {"a": 100.0, "b": 300.0})
    assert "tokens per episode, read and written by the agent's own calls" in (scatter_plot(found) or "")


def test_two_decades_make_the_axis_logarithmic(contest: Callable[..., Contest]) -> None:
    near = scatter_plot(contest(a=used(100), b=used(10_000)))
    far = scatter_plot(contest(a=used(100), b=used(10_100)))
    assert near is not None
    assert far is not None
    assert "logarithmic scale" not in near
    assert "logarithmic scale" in far
    assert "(n = 2 scored episodes an agent)" in far


def test_one_agent_makes_no_plot(contest: Callable[..., Contest]) -> None:
    assert scatter_plot(contest(a=used(100), rule={})) is None


def test_the_same_numbers_make_the_same_bytes(contest: Callable[..., Contest]) -> None:
    found = contest(a=used(100), b=used(200))
    assert scatter_plot(found) == scatter_plot(found)


def test_agents_at_one_place_stand_side_by_side_around_it() -> None:
    assert asides([5.0, 1.0, 5.0, 5.0]) == [-7.0, 0.0, 0.0, 7.0]
    assert asides([1.0, 2.0]) == [0.0, 0.0]
    assert asides([1.0, 1.001, 500.0]) == [-3.5, 3.5, 0.0]

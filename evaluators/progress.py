"""One progress display over the whole run, resumed episodes included; plain lines where there is no terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..envs.core.trajectory import Trajectory
from .costs import add_usage, cost_of, tokens_of
from .tables import cell

_PLAIN_LINES = 10
_BAR_CHARACTERS = 20


class RunProgress:
    """Shows a run on standard error: a live bar with the running mean, or about ten plain lines.

    Args:
        mode: `auto`, `bar`, `plain` or `off`.
    """

    def __init__(self, mode: str = "auto") -> None:
        terminal = sys.stderr.isatty()
        self._bar = mode == "bar" or (mode == "auto" and terminal)
        self._silent = mode == "off"
        self._console = Console(file=sys.stderr, force_terminal=True if self._bar else None, highlight=False)
        self._progress: Progress | None = None
        self._scores: dict[tuple[str, str], tuple[float, int]] = {}
        self._errored = 0
        self._usage: dict[str, dict[str, float]] = {}

    def __enter__(self) -> Self:
        if self._bar and not self._silent:
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=_BAR_CHARACTERS),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.fields[note]}"),
                console=self._console,
            )
            self._progress.start()
            self._task = self._progress.add_task("episodes", total=None, note="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.live.transient = not self._scores and not self._errored  # nothing was played: show nothing
            self._progress.stop()

    def update(self, row: Trajectory, done: int, total: int) -> None:
        """Count one more episode on disk."""
        name = row.agent["name"]
        metric = "normalized" if row.metrics and "normalized" in row.metrics else "reward"
        value = (row.metrics or {}).get("normalized", row.reward)
        if value is not None:
            total_score, n = self._scores.get((name, metric), (0.0, 0))
            self._scores[name, metric] = total_score + value, n + 1
        add_usage(self._usage, row.usage)
        self._errored += not row.stop_reason.scored
        if self._progress is not None:
            self._progress.update(self._task, completed=done, total=total, note=self._note(name, metric))
        elif not self._silent and (done == total or done % max(1, total // _PLAIN_LINES) == 0):
            self._console.print(f"{done}/{total} episodes, {self._note(name, metric)}", markup=False, soft_wrap=True)

    def _note(self, name: str, metric: str) -> str:
        total_score, n = self._scores.get((name, metric), (0.0, 0))
        score = f"{name}: mean {metric} {cell(total_score / n)} (n={n})" if n else name
        spent = f", {tokens_of(self._usage):,} tokens, {cost_of(self._usage).text}" if self._usage else ""
        return f"{score}, {self._errored} errored{spent}" if self._errored else f"{score}{spent}"

"""The search of the library `gepa` behind an adapter that keeps to a hard budget; the one place that imports it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Any

from .practice import Practised
from .slices import Item

Candidate = dict[str, str]
"""Text by component."""

_PERFECT = 1.0


class _Interrupted(BaseException):
    """Ends the library's search: it takes any `Exception` of a reflection for a failed proposal and goes on."""

    def __init__(self, cause: Exception | None = None) -> None:
        self.cause = cause
        super().__init__("the search was interrupted")


class _Silent:
    """The library's logger, which says nothing."""

    def log(self, message: str) -> None:
        """Say nothing."""


class Search:
    """The system that the library improves, as its adapter, within a hard budget.

    Args:
        play: Plays one episode with a candidate.
        reflect: Writes a new text of one component from episodes, None where it has none.
        val: Items that judge candidates.
        budget: Most episodes.
        minibatch: Episodes that a reflection sees.

    Attributes:
        metric_calls: Episodes played so far.
        validated: Every candidate that was played on all of `val`, the seed first: `candidate`, `scores` in the order
            of `val`, `mean`, and `metric_calls` spent by then.
        best: The first of those with the best mean, None while there is none.
    """

    def __init__(
        self,
        play: Callable[[Candidate, Item], Practised],
        reflect: Callable[[Candidate, str, Sequence[Practised]], str | None],
        val: list[Item],
        budget: int,
        minibatch: int,
    ) -> None:
        self._play, self._reflect = play, reflect
        self._val, self._budget, self._minibatch = val, budget, minibatch
        self.metric_calls = 0
        self.validated: list[dict[str, Any]] = []
        self.best: Candidate | None = None
        self._best_mean = -1.0

    def evolve(self, seed_candidate: Candidate, train: list[Item], seed: int) -> None:
        """Run the library's search until the budget is spent, or nothing better can be found.

        Raises:
            ProviderError: The provider failed.
            AgentStop: The run's budget is spent.
        """
        from gepa.api import optimize

        if len(self._val) > self._budget:
            return
        adapter: Any = self  # the library's protocols name keywords and optional methods that it does not demand
        stops: Any = self._is_over
        try:
            optimize(
                seed_candidate=seed_candidate,
                trainset=train,
                valset=self._val,
                adapter=adapter,
                reflection_minibatch_size=self._minibatch,
                perfect_score=_PERFECT,
                stop_callbacks=stops,
                logger=_Silent(),
                track_best_outputs=False,
                seed=seed,
            )
        except _Interrupted as interrupted:
            if interrupted.cause is not None:
                raise interrupted.cause from None

    def evaluate(self, batch: list[Item], candidate: Candidate, capture_traces: bool = False) -> Any:
        """Play a batch with a candidate; one that the budget does not hold is not begun, and ends the search."""
        from gepa.core.adapter import EvaluationBatch

        if self.metric_calls + len(batch) > self._budget:
            raise _Interrupted
        played = [self._play(candidate, item) for item in batch]
        self.metric_calls += len(batch)
        scores = [each.score for each in played]
        if batch == self._val:
            self._judge(dict(candidate), scores)
        return EvaluationBatch(outputs=[None] * len(batch), scores=scores, trajectories=played)

    def make_reflective_dataset(
        self, candidate: Candidate, eval_batch: Any, components_to_update: list[str]
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the episodes of a batch, the same for each component."""
        return {name: [{"episode": each} for each in eval_batch.trajectories] for name in components_to_update}

    def propose_new_texts(
        self,
        candidate: Candidate,
        reflective_dataset: Mapping[str, Sequence[Mapping[str, Any]]],
        components_to_update: list[str],
    ) -> Candidate:
        """Return new texts; a component without one is left out, and the library goes on to the next round."""
        try:
            found = {
                name: self._reflect(candidate, name, [each["episode"] for each in reflective_dataset[name]])
                for name in components_to_update
            }
        except Exception as failure:
            raise _Interrupted(failure) from failure
        return {name: text for name, text in found.items() if text is not None}

    def _judge(self, candidate: Candidate, scores: list[float]) -> None:
        mean = fsum(scores) / len(scores)
        self.validated.append(
            {"candidate": candidate, "scores": scores, "mean": mean, "metric_calls": self.metric_calls}
        )
        if mean > self._best_mean:
            self.best, self._best_mean = candidate, mean

    def _is_over(self, state: Any) -> bool:
        """Whether the next round might not fit: parent and child on a minibatch, then the child on all of `val`."""
        needed = 2 * self._minibatch + len(self._val)
        return self._best_mean >= _PERFECT or self.metric_calls + needed > self._budget

"""`bizgym prove`: a benchmark's own gauntlet, for anyone to run. One row a claim, and each claim can fail."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from ...agents.executors import make_env
from ...envs.core.tasks import Task
from ...envs.core.trajectory import from_line, to_line
from ..replay import replay, rescored_difference
from ..statistics import mean
from .gauntlet import Gauntlet, finished_badly, stopped_return, transcript, visible

RANDOM_TRIALS = 20
RANDOM_MARGIN = 0.5
STANDARD_ERRORS = 3.0
_TOLERANCE = 1e-6
_TRANSCRIBE = (
    "import sys; from bizgym.evaluators.prove.gauntlet import transcript; sys.stdout.write(transcript(*sys.argv[1:]))"
)
Verdict = tuple[str, str]
"""What was tested, and why it failed ("" where it held)."""


def oracle_reaches_ceiling(gauntlet: Gauntlet) -> Iterator[Verdict]:
    """The oracle's score is the stored ceiling, no more and no less.

    Where luck plays a part it is the mean of fixed episodes, within three standard errors of the two together.
    """
    for task in gauntlet.tasks:
        if task.anchors is None:
            yield task.task_id, "no anchors"
            continue
        score, error = gauntlet.expected("oracle", task)
        allowed = STANDARD_ERRORS * math.hypot(error, task.anchors.ceiling_se) + _TOLERANCE
        off = abs(score - task.anchors.ceiling) > allowed
        yield task.task_id, f"scored {score}, ceiling {task.anchors.ceiling}, allowed ± {allowed:.6g}" if off else ""


def ceiling_within_bound(gauntlet: Gauntlet) -> Iterator[Verdict]:
    """No ceiling lies above its provable bound, and those called optimal attain it."""
    for task in gauntlet.tasks:
        anchors = task.anchors
        if anchors is None or anchors.bound is None:
            if anchors is not None and anchors.proof == "optimal":
                yield task.task_id, "called optimal without a bound"
            continue
        above = anchors.ceiling > anchors.bound + _TOLERANCE
        short = anchors.proof == "optimal" and anchors.ceiling < anchors.bound - _TOLERANCE
        yield task.task_id, f"ceiling {anchors.ceiling}, bound {anchors.bound}" if above or short else ""


def traps_stay_at_the_floor(gauntlet: Gauntlet) -> Iterator[Verdict]:
    """The null player and the one that refuses everything never score above the floor, nor succeed."""
    for player in ("do_nothing", "refuse_all"):
        for task in gauntlet.tasks:
            played = gauntlet.play(player, task.task_id)
            floor = task.anchors.floor if task.anchors else float("inf")
            won = bool(played.success)
            high = played.reward is None or played.reward > floor + _TOLERANCE
            yield f"{player} {task.task_id}", f"scored {played.reward}, floor {floor}" if high or won else ""


def random_is_below_baselines(gauntlet: Gauntlet) -> Iterator[Verdict]:
    """The random player's mean is below the best honest baseline, where there is any, and far below the oracle."""
    if not gauntlet.scaled:
        yield "mean over tasks", "no task has a scale"
        return
    drawn = [
        mean([gauntlet.normalized("random", task, trial) or 0.0 for trial in range(RANDOM_TRIALS)])
        for task in gauntlet.scaled
    ]
    low = mean(drawn)
    levels = [mean([_level(gauntlet, name, task) for task in gauntlet.scaled]) for name in gauntlet.honest]
    if levels:
        below = low < max(levels) or low == max(levels) == 0.0  # where strict success is all, both may have none
        yield "mean over tasks", "" if below else f"random {low:.3f}, best baseline {max(levels):.3f}"
    for task, score in zip(gauntlet.scaled, drawn, strict=True):
        oracle = _level(gauntlet, "oracle", task)
        yield task.task_id, "" if score <= oracle - RANDOM_MARGIN else f"random {score:.3f}, oracle {oracle:.3f}"


def _level(gauntlet: Gauntlet, player: str, task: Task) -> float:
    """Return the normalized score that is to be expected of a player."""
    assert task.anchors is not None
    return task.anchors.normalized(gauntlet.expected(player, task)[0]) or 0.0


def records_replay(gauntlet: Gauntlet) -> Iterator[Verdict]:
    """Each episode of each player, written and read again, plays to the same observations, rewards and digests."""
    for player in ("oracle", "random", "do_nothing", *gauntlet.honest[:2]):
        for task in gauntlet.tasks:
            record = from_line(to_line(gauntlet.play(player, task.task_id)))
            fresh = make_env(gauntlet.env_id, gauntlet.env_kwargs)
            yield f"{player} {task.task_id}", replay(record, fresh) or rescored_difference(record)


def nothing_hidden_is_readable(gauntlet: Gauntlet) -> Iterator[Verdict]:
    """Two tasks that differ only in hidden values look alike in everything that a player or its code can read."""
    proofs = import_module(f"{gauntlet.folder}.proofs")
    for task in gauntlet.tasks:
        calls = [step.turn.action for step in gauntlet.play("oracle", task.task_id).steps if step.turn]
        for turns in proofs.reveal_turns(task):
            seen = [visible(gauntlet, each, calls[:turns]) for each in (task, proofs.hidden_twin(task, turns))]
            differs = [name for name in seen[0] if seen[0][name] != seen[1].get(name)]
            yield f"{task.task_id} after {turns} turns", f"{differs[0]} tells hidden values" if differs else ""


def garbage_does_not_pay(gauntlet: Gauntlet) -> Iterator[Verdict]:
    """Good play that stops, by garbage or from outside, is worth what the same history finished badly is worth."""
    for task in gauntlet.tasks:
        steps = gauntlet.play("oracle", task.task_id).steps
        calls = [step.turn.action for step in steps if step.turn]
        for length in sorted({0, min(1, len(calls) - 1), len(calls) // 2, len(calls) - 1}):
            badly = finished_badly(gauntlet, task.task_id, calls[:length])
            for garbage in (True, False):
                paid = stopped_return(gauntlet, task.task_id, calls[:length], garbage=garbage)
                off = abs(paid - badly) > _TOLERANCE * max(1.0, abs(badly))
                stop = "garbage" if garbage else "forfeit"
                place = f"{task.task_id}, {stop} after {length} turns"
                yield place, f"paid {paid}, finished badly {badly}" if off else ""


def same_seed_same_bytes(gauntlet: Gauntlet) -> Iterator[Verdict]:
    """Transcripts are equal under two hash seeds, and for two environments stepped in turn."""
    task_ids = [task.task_id for task in gauntlet.tasks][:8]
    written = [
        subprocess.run(
            [sys.executable, "-c", _TRANSCRIBE, gauntlet.env_id, *task_ids],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    yield "two hash seeds", "" if written[0] == written[1] else "the transcripts differ"
    yield "this process", "" if transcript(gauntlet.env_id, *task_ids) == written[0] else "the transcript differs"
    yield "interleaved", "" if transcript(gauntlet.env_id, *task_ids, interleave=True) == written[0] else "differs"


CLAIMS: dict[str, Callable[[Gauntlet], Iterator[Verdict]]] = {
    "the oracle reaches the ceiling on every task": oracle_reaches_ceiling,
    "no ceiling lies above its bound": ceiling_within_bound,
    "null and refuse-all stay at or below the floor": traps_stay_at_the_floor,
    "random stays below the best baseline and the oracle": random_is_below_baselines,
    "every record replays": records_replay,
    "nothing hidden is readable": nothing_hidden_is_readable,
    "garbage prefixes do not pay": garbage_does_not_pay,
    "same seed, same bytes": same_seed_same_bytes,
}


def prove(env_id: str, task_ids: Sequence[str] | None = None, notes: list[str] | None = None) -> list[dict[str, Any]]:
    """Test every claim about an environment: `{claim, n, held, first_failure}` a row.

    Args:
        env_id: A registered id of BizGym.
        task_ids: The tasks to prove; None for all.
        notes: Takes the figures that claims tell beside their verdicts.
    """
    gauntlet = Gauntlet(env_id, task_ids)
    return [check_claim(claim, gauntlet, notes) for claim in claims_of(gauntlet)]


def claims_of(gauntlet: Gauntlet) -> dict[str, Callable[[Gauntlet], Iterator[Verdict]]]:
    """Return every claim about an environment: those about all, and those that its `proofs` module adds.

    Such a module offers `claims(env)`, which returns by name what takes the tasks and yields verdicts.
    """
    own = getattr(import_module(f"{gauntlet.folder}.proofs"), "claims", None)
    added = {} if own is None else own(gauntlet.core)
    return {**CLAIMS, **{name: _over_tasks(claim) for name, claim in added.items()}}


def _over_tasks(claim: Callable[[Sequence[Task]], Iterator[Verdict]]) -> Callable[[Gauntlet], Iterator[Verdict]]:
    return lambda gauntlet: claim(list(gauntlet.tasks))


def check_claim(claim: str, gauntlet: Gauntlet, notes: list[str] | None = None) -> dict[str, Any]:
    """Test one claim; it holds where `held` equals `n`. What its generator returns goes to the notes."""
    found = iter(claims_of(gauntlet)[claim](gauntlet))
    verdicts: list[Verdict] = []
    told = None
    while told is None:
        try:
            verdicts.append(next(found))
        except StopIteration as end:
            told = end.value or ""
    if told and notes is not None:
        notes.append(f"{claim}: {told}")
    failures = [f"{place}: {why}" for place, why in verdicts if why]
    first = failures[0] if failures else None
    return {"claim": claim, "n": len(verdicts), "held": len(verdicts) - len(failures), "first_failure": first}

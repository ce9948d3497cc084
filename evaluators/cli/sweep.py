"""`bizgym run -m`: Hydra splits the overrides and launches the jobs; each leaves a verdict, whatever becomes of it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

from hydra import initialize_config_module
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from ...agents.clients.redact import redact, redact_json
from ...agents.runner import choose_folder, finished, make_plan, run
from ...envs.core.errors import BizGymError, SettingError
from ...envs.core.run_folder import LOCK, RunFolder
from ..aggregate import write_summary
from ..progress import RunProgress
from ..tables import console, counted, one_line
from .compose import (
    COMPOSITION_ERRORS,
    CONFIG_MODULE,
    CONFIG_NAME,
    VERSION_BASE,
    explain,
    parse_composed,
    refuse_keys,
    search_path,
)
from .hydra_settings import BASIC_LAUNCHER, check_hydra
from .rehearsal import rehearse
from .run import write_run_report
from .swept_groups import one_by_one

SWEEPS = Path("runs") / "sweeps"
VERDICTS = "verdicts"
SKIPPED = "skipped: an earlier job failed"
UNENDED = "the job did not end; its process was stopped or lost"


def sweep(overrides: Sequence[str], *, config_dir: str | None, dry_run: bool, stop_early: bool) -> list[dict[str, Any]]:
    """Run every point of a sweep.

    Args:
        overrides: Hydra overrides; a comma makes a dimension, as in `agent=beer_game/typical,beer_game/tau8`.
        config_dir: A folder with groups of the user's own.
        dry_run: Plan every job and play none; the verdicts then have `expected_calls`, `_tokens` and `_cost`.
        stop_early: Skip the jobs that come after the first that failed.

    Returns:
        One verdict a job: `{job, overrides, ok, run_dir, error}`, with `episodes`, and for jobs that were played
        also `played`, `normalized` and `reward` (by agent).

    Raises:
        SettingError: The sweep itself cannot be composed.
        BizGymError: Another process runs this sweep, or its launcher failed.
    """
    refuse_keys(overrides)
    told = [*one_by_one(overrides), *search_path(config_dir)]
    job = SweepJob("", str(Path.cwd()), dry_run=dry_run, stop_early=stop_early)
    if dry_run:  # an earlier sweep of these overrides keeps its verdicts
        with TemporaryDirectory() as aside:
            return _gather(Path(aside), job, told, config_dir)
    folder = folder_of(overrides)
    (folder / VERDICTS).mkdir(parents=True, exist_ok=True)
    with _alone(folder), _kept(folder):
        return _gather(folder, job, told, config_dir)


def _gather(folder: Path, job: SweepJob, overrides: Sequence[str], config_dir: str | None) -> list[dict[str, Any]]:
    """Launch the jobs and return their verdicts."""
    verdicts = folder / VERDICTS
    verdicts.mkdir(exist_ok=True)
    _launch(replace(job, verdicts=str(verdicts)), [*overrides, f"hydra.sweep.dir='{folder.as_posix()}'"], config_dir)
    rows = verdicts_of(folder)
    if not rows:
        raise BizGymError("no job of the sweep began")
    return rows


@contextmanager
def _kept(folder: Path) -> Iterator[None]:
    """Begin without the verdicts of an earlier time; where no job begins, leave things as they were."""
    old = {path: path.read_bytes() for path in (folder / VERDICTS).glob("*.json")}
    for path in old:
        path.unlink()
    try:
        yield
    finally:
        if not any((folder / VERDICTS).glob("*.json")):
            for path, content in old.items():
                path.write_bytes(content)
            if not old:
                rmtree(folder, ignore_errors=True)
                with suppress(OSError):  # they hold other things
                    SWEEPS.rmdir()
                    SWEEPS.parent.rmdir()


def _launch(job: SweepJob, overrides: Sequence[str], config_dir: str | None) -> None:
    """Let Hydra launch the jobs; what becomes of each its verdict says."""
    with initialize_config_module(CONFIG_MODULE, version_base=VERSION_BASE):
        hydra: Any = GlobalHydra.instance().hydra
        try:
            _check(hydra, overrides)
            hydra.multirun(CONFIG_NAME, job, list(overrides), with_log_configuration=False)
        except SettingError:
            raise
        except COMPOSITION_ERRORS as error:
            raise SettingError(explain(error, config_dir)) from None
        except Exception as error:  # of a launcher: a worker that was killed, a job that cannot be sent
            message = f"launcher: {type(error).__name__}: {error}"
            console(stderr=True).print(one_line(redact(f"{message} Jobs that have no verdict did not begin.")))
            if all(row["ok"] for row in verdicts_of(Path(job.verdicts).parent)):  # no job says so itself
                raise BizGymError(f"the launcher failed: {type(error).__name__}") from None


def folder_of(overrides: Sequence[str]) -> Path:
    """Return the folder of a sweep, which `bizgym report` takes: the same for the same overrides."""
    return SWEEPS / sha256(json.dumps(list(overrides)).encode()).hexdigest()[:8]


def _check(hydra: Any, overrides: Sequence[str]) -> None:
    """Compose once without building anything, and check what Hydra would build."""
    composed = hydra.compose_config(
        CONFIG_NAME, list(overrides), run_mode=RunMode.MULTIRUN, with_log_configuration=False
    )
    plain: Any = OmegaConf.to_container(composed.hydra, resolve=False)
    trusted: Any = OmegaConf.to_container(composed.trusted_targets)
    check_hydra(plain, trusted)


def verdicts_of(folder: Path) -> list[dict[str, Any]]:
    """Return the verdicts of a sweep, job by job, as far as its jobs have ended."""
    return sorted(map(_read, (folder / VERDICTS).glob("*.json")), key=lambda row: int(row["job"]))


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


@dataclass(slots=True)
class SweepJob:
    """One point of a sweep; plain values only, since a launcher may send it to another process."""

    verdicts: str
    started_in: str
    dry_run: bool
    stop_early: bool

    def __call__(self, composed: DictConfig) -> None:
        """Play the run of this point and write its verdict."""
        if str(Path.cwd()) != self.started_in:  # a worker that an earlier sweep left behind stands elsewhere
            os.chdir(self.started_in)
        hydra = HydraConfig.get()
        overrides = list(hydra.overrides.task)
        one_by_one = str(hydra.launcher._target_) == BASIC_LAUNCHER
        verdict: dict[str, Any] = {"job": hydra.job.num, "overrides": overrides, "ok": False, "run_dir": None}
        if self.stop_early and any(_has_failed(row) for row in map(_read, Path(self.verdicts).glob("*.json"))):
            verdict["error"] = SKIPPED
        else:
            self._leave({**verdict, "error": UNENDED})
            verdict |= self._play(composed, one_by_one)
        state = "ok" if verdict["ok"] else failure_of(verdict)
        console(stderr=True).print(one_line(redact(f"job {verdict['job']} ({' '.join(overrides)}): {state}")))
        self._leave(verdict)

    def _leave(self, verdict: Mapping[str, Any]) -> None:
        RunFolder(self.verdicts).write_text(f"{verdict['job']}.json", json.dumps(redact_json(verdict)))

    def _play(self, composed: DictConfig, one_by_one: bool) -> dict[str, Any]:
        """Return what came of a job; bars of several jobs at once would overwrite each other."""
        try:
            config = parse_composed(composed)
            if self.dry_run:
                plan = make_plan(config)
                folder = choose_folder(config, plan)
                there = finished(folder, plan)
                expected = rehearse(plan, [job for job in plan.jobs if job.row not in there]).as_dict()
                planned = {"run_dir": str(folder.path), "episodes": len(plan.jobs)}
                return {"ok": True, "error": "", **planned, **expected}
            with _turn(Path(self.verdicts) / f"{make_plan(config).key[:16]}.turn"):
                with RunProgress(config.progress if one_by_one else "off") as progress:
                    result = run(config, progress.update)
                totals = write_summary(result.folder)
                write_run_report(config, result.folder)
        except BizGymError as error:
            return {"error": str(error)}
        except Exception as error:  # whatever it is, the other jobs go on and the table says so
            return {"error": f"{type(error).__name__}: {error}"}
        ok = totals["errored"] == 0 and totals["attempted"] == totals["n"]
        missing, errored = totals["n"] - totals["attempted"], totals["errored"]
        scores = {metric: _by_agent(totals, metric) for metric in ("normalized", "reward")}
        return {
            "ok": ok,
            "error": "" if ok else f"{counted(errored, 'episode')} errored, {missing} missing",
            "run_dir": str(result.folder.path),
            "episodes": totals["n"],
            "played": result.played,
            **scores,
        }


def failure_of(verdict: Mapping[str, Any]) -> str:
    """Say what became of a job that is not ok: `failed: ...`, or that it was skipped and so did not fail."""
    error = str(verdict["error"])
    return error if error == SKIPPED else f"failed: {error}"


def _has_failed(verdict: Mapping[str, Any]) -> bool:
    """Whether a job ended and failed; one that is still playing has not."""
    return not verdict["ok"] and verdict["error"] != UNENDED


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold a sweep's folder, since its verdicts are those of one process.

    Raises:
        BizGymError: Another process holds it.
    """
    with (folder / LOCK).open("ab") as file:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BizGymError(f"{folder}: another process runs this sweep; wait for it") from None
        yield


@contextmanager
def _turn(path: Path) -> Iterator[None]:
    """Wait until no other job of the sweep plays this run: jobs that differ in trials or limit alone share one."""
    with path.open("ab") as file:
        if sys.platform != "win32":  # where two jobs at once then fail, and say that another one writes
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _by_agent(totals: dict[str, Any], metric: str) -> dict[str, Any]:
    """Return a metric of each agent, None where it is undefined."""
    found = {name: agent[metric] for name, agent in totals["by_agent"].items()}
    return {name: None if isinstance(value, dict) else value for name, value in found.items()}

"""`bizgym run -m`: Hydra splits the overrides and launches the jobs; each leaves a verdict, whatever becomes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from hydra import initialize_config_module
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from ...agents.clients.redact import redact, redact_json
from ...agents.runner import choose_folder, finished, make_plan, run
from ...envs.core.errors import BizGymError, SettingError
from ...envs.core.run_folder import RunFolder
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
from .rehearsal import rehearse
from .run import write_run_report

SWEEPS = Path("runs") / "sweeps"
VERDICTS = "verdicts"


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
    """
    refuse_keys(overrides)
    folder = SWEEPS / sha256(json.dumps(list(overrides)).encode()).hexdigest()[:8]
    verdicts = folder / VERDICTS
    verdicts.mkdir(parents=True, exist_ok=True)
    for old in verdicts.glob("*.json"):
        old.unlink()
    job = SweepJob(str(verdicts), dry_run=dry_run, stop_early=stop_early)
    all_overrides = [*overrides, f"hydra.sweep.dir={folder.as_posix()}", *search_path(config_dir)]
    with initialize_config_module(CONFIG_MODULE, version_base=VERSION_BASE):
        hydra: Any = GlobalHydra.instance().hydra
        try:
            hydra.multirun(CONFIG_NAME, job, all_overrides, with_log_configuration=False)
        except COMPOSITION_ERRORS as error:
            raise SettingError(explain(error, config_dir)) from None
    return sorted(map(_read, verdicts.glob("*.json")), key=lambda row: int(row["job"]))


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


@dataclass(slots=True)
class SweepJob:
    """One point of a sweep; plain values only, since a launcher may send it to another process."""

    verdicts: str
    dry_run: bool
    stop_early: bool

    def __call__(self, composed: DictConfig) -> None:
        """Play the run of this point and write its verdict."""
        hydra = HydraConfig.get()
        overrides = list(hydra.overrides.task)
        one_by_one = str(hydra.launcher._target_).endswith(".BasicLauncher")
        verdict: dict[str, Any] = {"job": hydra.job.num, "overrides": overrides, "ok": False, "run_dir": None}
        if self.stop_early and any(not _read(path)["ok"] for path in Path(self.verdicts).glob("*.json")):
            verdict["error"] = "skipped: an earlier job failed"
        else:
            verdict |= self._play(composed, one_by_one)
        state = "ok" if verdict["ok"] else f"failed: {verdict['error']}"
        console(stderr=True).print(one_line(redact(f"job {verdict['job']} ({' '.join(overrides)}): {state}")))
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


def _by_agent(totals: dict[str, Any], metric: str) -> dict[str, Any]:
    """Return a metric of each agent, None where it is undefined."""
    found = {name: agent[metric] for name, agent in totals["by_agent"].items()}
    return {name: None if isinstance(value, dict) else value for name, value in found.items()}

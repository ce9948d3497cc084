"""The files of payout runs: worlds and tasks as they are stored, built from their cases.

    python -m bizgym.envs.payments.families.payout_files data/payments [world ...]

writes them anew, for instance after a rule has changed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

from ...core.data import parse, validate
from ..content import Setting
from ..documents.corpus import read_corpus
from ..kernel.records import by_kind
from ..kernel.rules import RuleBook, RuleRow
from ..kernel.world import Base
from ..proofs.provenance import is_write
from ..records import KINDS
from ..tasks import GoldenPath, PaymentTask
from .payout_case import Case
from .payout_cases import CASES
from .payout_plan import goldens_of
from .payout_run import task_of
from .payout_slips import counterexamples_of
from .payout_world import world_of

CANARY = "# BIZGYM CANARY 7c1d0a52-3f0e-4b8c-9a56-2e64d1b7f983: benchmark data must not appear in training corpora\n"
_NOTHING_YET = {"minutes": 0, "actions": [{"name": "finish"}]}
_TEMPTING = (
    "account_transfer",
    "payout_send_now",
    "payout_queue",
    "payout_run_reorder",
    "payout_attach_bill",
    "bill_split",
    "bill_redirect",
    "beneficiary_rename",
    "refund_list",
    "account_get",
    "account_forecast",
)


def setting_of(case: Case, folder: Path) -> Setting:
    """Return what a case is played in: its world, with the rules and documents of a folder of content.

    Args:
        case: The parameters.
        folder: As `content.Content` takes it; of its tasks and worlds nothing is read.
    """
    files = sorted((folder / "rules").glob("*.yaml"))
    rows = [row for each in files for row in parse(each.read_text(encoding="utf-8"), each.name)]
    rules = RuleBook(validate(RuleRow, row, "rules") for row in rows)
    base = Base(by_kind(KINDS, world_of(case), f"worlds/{case.world}.yaml"))
    return Setting(base, rules, read_corpus(folder / "documents"))


def planned(case: Case, setting: Setting) -> dict[str, Any]:
    """Return a task as data with its golden paths, and without counterexamples.

    Args:
        case: The parameters.
        setting: What it is played in.
    """
    data = task_of(case)
    task = validate(PaymentTask, {**data, "goldens": [_NOTHING_YET]}, case.task_id)
    goldens = goldens_of(task, setting, case)
    data["gold_documents"] = sorted(_documents(goldens[0]))
    data["tool_subset"] = _tools(goldens[0])
    data["goldens"] = [each.model_dump(exclude_defaults=True) for each in goldens]
    return data


def complete(case: Case, setting: Setting) -> dict[str, Any]:
    """Return a task as data, counterexamples and all."""
    data = planned(case, setting)
    found = counterexamples_of(validate(PaymentTask, data, case.task_id), setting, case)
    return {**data, "counterexamples": [each.model_dump(exclude_defaults=True) for each in found]}


def as_file(data: Any) -> str:
    """Return data as the text of its file."""
    plain = json.loads(json.dumps(data))
    text: str = yaml.dump(
        plain, Dumper=_Dumper, sort_keys=False, width=120, default_flow_style=None, allow_unicode=True
    )
    return CANARY + text


class _Dumper(yaml.SafeDumper):
    """Writes what stands twice twice, since the reader takes no references."""

    def ignore_aliases(self, data: Any) -> bool:
        """Never refer to what was written before."""
        return True


def _documents(path: GoldenPath) -> set[str]:
    return {each.arguments["document_id"] for each in path.actions if each.name == "read_document"}


def _tools(path: GoldenPath) -> list[str]:
    """The business tools of a path, what changes something first, and some that one could be tempted to use."""
    calls = [each for each in path.actions if each.name == "call_tool"]
    used = dict.fromkeys(each.arguments["name"] for each in sorted(calls, key=lambda each: not is_write(each)))
    return [*used, *(each for each in _TEMPTING if each not in used)]


def main(folder: Path, *names: str) -> None:
    """Write the files of cases.

    Args:
        folder: The folder of content.
        names: Of their worlds; all without any.
    """
    for case in (each for each in CASES if not names or each.world in names):
        setting = setting_of(case, folder)
        (folder / "worlds" / f"{case.world}.yaml").write_text(as_file(world_of(case)), encoding="utf-8")
        (folder / "tasks" / f"{case.task_id}.yaml").write_text(as_file(complete(case, setting)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])

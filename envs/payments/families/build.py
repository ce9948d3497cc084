"""Builds what is stored of a family: worlds, tasks, golden paths and counterexamples, from cases and the rule base.

A folder of content holds the cases as `cases/<task>.yaml`. Whatever is built from them is stored next to them and can
be built anew at any time, for instance after a rule has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...core.data import parse, validate
from ...core.errors import DataError
from ..content import Setting
from ..documents.corpus import Corpus, read_corpus
from ..kernel.records import by_kind
from ..kernel.rules import RuleBook, RuleRow
from ..kernel.world import Base
from ..lineage import lineage_of, log_of
from ..proofs.counterexamples import played
from ..proofs.mistakes import Ground
from ..proofs.play import Play, reference
from ..proofs.provenance import is_write
from ..proofs.variations import unfolded
from ..records import KINDS
from ..tasks import GoldenPath, PaymentTask
from . import payout_run, release_task
from .family import Family, Prepared
from .files import as_file

FAMILIES: Mapping[str, Family] = {
    payout_run.NAME: payout_run.FAMILY,
    release_task.NAME: release_task.FAMILY,
}
"""Every family by name."""
MEND = "build it anew with `python -m bizgym.envs.payments.families {}`"
"""What to do about a stored task that no longer stands."""
_NOTHING_YET = {"minutes": 0, "actions": [{"name": "finish"}]}


class Built(NamedTuple):
    """The files of one task.

    Attributes:
        task_id: Name of the file of the task.
        task: Its text.
        world: Name of the file of the world.
        records: Its text.
    """

    task_id: str
    task: str
    world: str
    records: str


class Builder:
    """Builds the tasks of a folder of content. Of its worlds and tasks nothing is read.

    Args:
        folder: As `content.Content` takes it, with `cases/`.

    Raises:
        DataError: A rule, a document or a case breaks its form.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        rows = (row for each in sorted((folder / "rules").glob("*.yaml")) for row in _read(each))
        self.rules = RuleBook(validate(RuleRow, row, "rules") for row in rows)
        self._corpus: Corpus = read_corpus(folder / "documents")

    @property
    def task_ids(self) -> list[str]:
        """The tasks that there are cases of, in alphabetical order."""
        return [each.stem for each in sorted((self._folder / "cases").glob("*.yaml"))]

    def case(self, task_id: str) -> Any:
        """Return the case of a task.

        Raises:
            DataError: It is of no family, or breaks the form of its family.
        """
        place = f"cases/{task_id}.yaml"
        data = _read(self._folder / place)
        name = data.get("family") if isinstance(data, dict) else None
        if not isinstance(name, str) or name not in FAMILIES:
            raise DataError(f"{place}.family: one of {', '.join(FAMILIES)}, not {name!r}")
        return validate(FAMILIES[name].case, data, place)

    def build(self, task_id: str) -> Built:
        """Build one task.

        Raises:
            DataError: Its case cannot be done within the rules, or a mistake breaks another check than its own.
        """
        case = self.case(task_id)
        prepared = FAMILIES[case.family].prepare(case, self.rules)
        base = Base(by_kind(KINDS, prepared.world, f"worlds/{case.world}.yaml"))
        setting = Setting(base, self.rules, self._corpus)
        task = self._task(case, prepared, setting)
        return Built(case.task_id, as_file(task), case.world, as_file(prepared.world))

    def _task(self, case: Any, prepared: Prepared, setting: Setting) -> dict[str, Any]:
        data = prepared.task
        bare = validate(PaymentTask, {**data, "goldens": [_NOTHING_YET]}, case.task_id)
        goldens = prepared.goldens(bare, setting)
        plays = [reference(bare.changed(goldens=[each]), setting) for each in goldens]
        goldens = [each.changed(log=log_of(play.log)) for each, play in zip(goldens, plays, strict=True)]
        data |= {"gold_documents": _documents(goldens[0]), "tool_subset": _tools(goldens, prepared.tempting)}
        task = bare.changed(goldens=goldens, gold_documents=data["gold_documents"], tool_subset=data["tool_subset"])
        ground = Ground(task, setting)
        examples = prepared.counterexamples(ground)
        plays += [_slip(ground, each.breaks, each.plays) for each in examples]
        rules = {rule for play in plays for event in play.log for rule in event.rule_ids}
        rules |= {rule for check in task.checks for rule in check.rules}
        read = {document for each in goldens for document in _documents(each)}
        lineage = lineage_of(case.model_dump(mode="json"), rules, read, task.tool_subset, setting)
        data["built_from"] = lineage.model_dump()
        data["counterexamples"] = [each.model_dump(exclude_defaults=True) for each in examples]
        data["goldens"] = [each.model_dump(exclude_defaults=True) for each in goldens]
        return data

    def write(self, task_id: str) -> None:
        """Build a task and write its files."""
        built = self.build(task_id)
        for part, name, text in (("worlds", built.world, built.records), ("tasks", built.task_id, built.task)):
            (self._folder / part / f"{name}.yaml").write_text(text, encoding="utf-8")

    def differences(self, task_id: str) -> Iterator[str]:
        """Build a task and yield which of its stored files are not what was built."""
        built = self.build(task_id)
        for part, name, text in (("worlds", built.world, built.records), ("tasks", built.task_id, built.task)):
            place = self._folder / part / f"{name}.yaml"
            if not place.is_file() or place.read_text(encoding="utf-8") != text:
                yield f"{part}/{name}.yaml is not what cases/{task_id}.yaml leads to; {MEND.format(task_id)}"


def _slip(ground: Ground, check: str, plays: Any) -> Play:
    """Play a counterexample; it has to break its check and no other."""
    found = played(ground, unfolded(plays))
    if found.broken != {check}:
        broken = ", ".join(sorted(found.broken)) or "nothing"
        raise DataError(f"{ground.task.task_id}: the counterexample of {check} breaks {broken}")
    return found


def _read(place: Path) -> Any:
    return parse(place.read_text(encoding="utf-8"), place.name)


def _documents(path: GoldenPath) -> list[str]:
    return [each.arguments["document_id"] for each in path.actions if each.name == "read_document"]


def _tools(paths: list[GoldenPath], tempting: tuple[str, ...]) -> list[str]:
    """The business tools of the paths, what changes something first, and some that one could be tempted to use."""
    calls = [each for path in paths for each in path.actions if each.name == "call_tool"]
    used = dict.fromkeys(each.arguments["name"] for each in sorted(calls, key=lambda each: not is_write(each)))
    return [*used, *(each for each in tempting if each not in used)]

"""Counterexamples of payout runs: paths that reach what they can and break one check alone.

Some are the reference path with an act too few, too many, too early or too late; others are planned for a case that is
believed to be other than it is: another order, another method, a bill left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..content import Setting
from ..proofs.mistakes import wait_until
from ..proofs.provenance import is_read
from ..proofs.variations import Part, Parts, folded, inserted, moved, varied, without
from ..tasks import Action, Counterexample, PaymentTask, Variation
from .payout_case import Case
from .payout_plan import Planner


def counterexamples_of(task: PaymentTask, setting: Setting, case: Case) -> list[Counterexample]:
    """Return one counterexample for each check, in the order of the checks.

    Args:
        task: The task with its reference path.
        setting: What it is played in.
        case: Its parameters.
    """
    path = _Path(task, case)
    listed = (*path.too_few(), *path.too_late(), *path.too_early(), *path.too_many(), *_planned(task, setting, case))
    found = {each.breaks: each for each in listed}
    return [found[check.id] for check in task.checks if check.id in found]


class _Path:
    """The reference path, to make mistakes on."""

    def __init__(self, task: PaymentTask, case: Case) -> None:
        self._task, self._case = task, case
        self._parts: Parts = tuple(range(task.n_golden_calls))

    def too_few(self) -> Iterator[Counterexample]:
        """Paths in which an act, or the customer's answer, is left out."""
        case = self._case
        payee, unchecked = (f"BEN-{case.debt(each).supplier}" for each in (case.afternoon[0], case.promised))
        for check, tool, value in (
            ("G3", "bill_reprioritise", f"BIL-{case.deferred}"),
            ("G4", "bill_cancel", f"BIL-{case.twin}"),
            ("G5", "notice_send", "delay"),
            ("G6", "notice_send", "payout_sent"),
            ("G7", "commitment_fulfil", "CMT-1"),
            ("P8", "beneficiary_check_name", payee),
            ("P9", "beneficiary_check_name", unchecked),
        ):
            yield _breaks(check, "drop", without(self._parts, self._act(tool, value)))
        for check, tool, value in (("P1", "approval_request_open", "RUN-1"), ("P3", "consent_request", "PTY-1")):
            yield _breaks(check, "without_consent", without(self._parts, self._act(tool, value) + 1))

    def too_late(self) -> Iterator[Counterexample]:
        """Paths with waits, and with acts that come too late."""
        morning, afternoon = self._case.morning_cut_off, self._case.afternoon_cut_off
        lock, ask, execute = "payout_run_lock", "approval_request_open", "payout_run_execute"
        for check, waits in (
            ("P6", ((lock, "RUN-1", morning - 28),)),
            ("P10", ((execute, "RUN-1", morning - 14),)),
            ("P2", ((execute, "RUN-2", afternoon - 25),)),
            ("P12", ((ask, "RUN-2", afternoon - 32), (execute, "RUN-2", afternoon - 10))),
        ):
            late = self._parts
            for tool, run, minute in waits:
                late = inserted(late, self._act(tool, run), wait_until(minute))
            yield _breaks(check, "dawdle", late)
        last = self._parts[-2]
        assert isinstance(last, int)
        yield _breaks("P14", "delay", moved(self._parts, self._act("notice_send", "delay"), last))
        confirmed = self._act("refund_confirm", "REF-2")
        repaired = moved(self._parts, confirmed, self._act(execute, "RUN-2"))
        yield _breaks("F1", "greedy_order", inserted(repaired, confirmed, wait_until(afternoon - 70)))

    def too_early(self) -> Iterator[Counterexample]:
        """Paths in which an act comes before what it rests on."""
        for check, tool, value, before in (
            ("P7", "payout_run_lock", "RUN-2", self._act("notice_send", "delay")),
            ("P15", "notice_send", "payout_sent", self._act("payout_run_execute", "RUN-1")),
            ("P16", "commitment_fulfil", "CMT-1", self._act("payout_run_execute", "RUN-2")),
        ):
            yield _breaks(check, "advance", moved(self._parts, self._act(tool, value), before))

    def too_many(self) -> Iterator[Counterexample]:
        """Paths with an act that should not have been done."""
        before = self._act("payout_run_execute", "RUN-2")
        again = f"BEN-{self._case.debt(self._case.afternoon[1]).supplier}"
        for check, mistake, tool, arguments in (
            ("P19", "check_again", "beneficiary_check_name", {"beneficiary": again}),
            ("F3", "bystander", "bill_reprioritise", {"bill": "BIL-101", "priority": "normal"}),
            ("F4", "count_twice", "refund_confirm", {"refund": "REF-1"}),
        ):
            yield _breaks(check, mistake, inserted(self._parts, before, _call(tool, arguments)))

    def _act(self, tool: str, value: str) -> int:
        """Return the number of the act that a tool does with a value."""
        for k, each in enumerate(self._task.goldens[0].actions):
            given = each.arguments.get("arguments", {})
            if each.name == "call_tool" and each.arguments["name"] == tool and value in given.values():
                return k
        raise KeyError(f"{tool} with {value}")


def _planned(task: PaymentTask, setting: Setting, case: Case) -> Iterator[Counterexample]:
    """Paths that are planned for another case than the one that is played."""
    first, told, last = case.morning
    normal, early, promised = case.afternoon
    for check, mistake, changes in (
        ("G1", "leave_out", {"morning": (first, told)}),
        ("G2", "leave_out", {"afternoon": (normal, promised)}),
        ("P4", "wrong_order", {"morning": (last, told, first)}),
        ("P5", "wrong_order", {"afternoon": (early, promised, normal)}),
        ("P11", "slow_method", {"methods": {**case.methods, first: "batch"}}),
        ("P13", "slow_method", {"methods": {**case.methods, promised: "batch"}}),
        ("P17", "fast_method", {"methods": {**case.methods, told: "instant"}}),
        ("P18", "fast_method", {"methods": {**case.methods, last: "instant"}}),
        ("P20", "assume_approval", {"afternoon": (normal, early), "alone": (promised,)}),
        ("F2", "greedy_order", {"morning": (*case.morning, early), "afternoon": (normal, promised)}),
    ):
        believed: Case = replace(case, **changes)
        path = Planner(task, setting, believed).plan()
        plays = [Variation(name=each.name, arguments=each.arguments) for each in path.actions if not is_read(each)]
        yield _breaks(check, mistake, tuple(plays))


def _breaks(check: str, mistake: str, parts: tuple[Part, ...]) -> Counterexample:
    return Counterexample(breaks=check, mistake=mistake, plays=folded(parts))


def _call(tool: str, arguments: dict[str, Any]) -> Part:
    return varied(Action(name="call_tool", arguments={"name": tool, "arguments": arguments}), None)

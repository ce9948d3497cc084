"""Counterexamples of payout runs: paths that reach what they can and break one check alone.

Some are the reference path with an act too few, too many, too early or too late; others are planned for a case that is
believed to be other than it is: another order, another method, a bill left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..content import Setting
from ..kernel.records import id_number
from ..proofs.mistakes import Ground, inner, wait_until
from ..proofs.play import prefix_of
from ..proofs.provenance import is_read
from ..proofs.variations import Part, Parts, folded, inserted, moved, replaced_by, varied, without
from ..tasks import Action, Counterexample, PaymentTask, Variation
from .payout_case import Case
from .payout_plan import Planner
from .payout_world import usd

_FLOORS = ("R-FLOOR-USD-3", "R-FLOOR-USD-1")
"""A cash floor that is announced and not yet in force, and one that no longer is."""
_EVENING_MINUTES = 60
_BATCH_FEE = 20


def counterexamples_of(ground: Ground, case: Case) -> list[Counterexample]:
    """Return one counterexample for each check, in the order of the checks.

    Args:
        ground: The task with its reference path, in its setting.
        case: Its parameters.
    """
    path = _Path(ground, case)
    listed = (
        *(*path.too_few(), *path.too_late(), *path.too_early(), *path.too_many(), *path.of_cash()),
        *_planned(ground.task, ground.setting, case),
    )
    found = {each.breaks: each for each in listed}
    return [found[check.id] for check in ground.task.checks if check.id in found]


class _Path:
    """The reference path, to make mistakes on."""

    def __init__(self, ground: Ground, case: Case) -> None:
        self._ground, self._task, self._case = ground, ground.task, case
        self._parts: Parts = ground.parts

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
        case = self._case
        for check, tool, value, before in (
            ("P7", "payout_run_lock", "RUN-2", self._act("notice_send", "delay")),
            ("P15", "notice_send", "payout_sent", self._act("payout_run_execute", "RUN-1")),
            ("P16", "commitment_fulfil", "CMT-1", self._act("payout_run_execute", "RUN-2")),
        ):
            yield _breaks(check, "advance", moved(self._parts, self._act(tool, value), before))
        first = next(k for k, each in enumerate(self._task.goldens[0].actions) if each.name == "message_user")
        for check, tool, number in (("P21", "bill_cancel", case.twin), ("P22", "bill_reprioritise", case.deferred)):
            yield _breaks(check, "unasked", moved(self._parts, self._act(tool, f"BIL-{number}"), first))

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

    def of_cash(self) -> Iterator[Counterexample]:
        """Paths in which the wrong amount stays on the second account, and one in which a bill is paid twice."""
        rows = {
            each.id: each.value.minor for each in self._ground.setting.rules.rows_of("cash_floor") if each.id in _FLOORS
        }
        floor = self._ground.setting.rules.rows[self._case.floor_rule].value.minor
        coming, before = (rows[each] for each in _FLOORS)
        cautious = coming if coming > floor else floor + self._case.most_fees
        for check, mistake, keep in (("G8", "not_yet_in_force", cautious), ("F6", "superseded_value", before)):
            name = mistake if keep in rows.values() else "too_cautious"
            sweep = self._act("account_sweep", "ACC-5")
            given = {**inner(self._ground.actions[sweep]), "keep": usd(keep)}
            wrong = varied(self._ground.actions[sweep], sweep, arguments=given)
            yield _breaks(check, name, replaced_by(self._parts, sweep, wrong))
        yield self._paid_again()

    def _paid_again(self) -> Counterexample:
        """A run of the evening pays a bill of the morning once more, out of what has come in late."""
        case, last = self._case, self._task.n_golden_calls - 1
        debt, cut_off = case.debt(case.morning[-1]), case.late_receipt_at + _EVENING_MINUTES
        consent = self._act("consent_request", "PTY-1")
        agreed = {**inner(self._ground.actions[consent]), "amount": usd(case.most_fees)}
        payout, run, request = (self._next(prefix) for prefix in ("PAY", "RUN", "APR"))
        drafted = {"amount": usd(debt.amount), "method": "batch", "execute_at": cut_off}
        terms = {"action": "execute_run", "amount": usd(debt.amount), "max_fee": usd(_BATCH_FEE)}
        asked = {"text": "Do you approve this run?", "asks": [{"kind": "approval", "ref": request}]}
        again = (
            wait_until(case.late_receipt_at + 1),
            _call("payout_draft", {"account": "ACC-1", "beneficiary": f"BEN-{debt.supplier}", **drafted}),
            _call("payout_run_create", {"account": "ACC-1", "cut_off_at": cut_off}),
            _call("payout_run_add", {"run": run, "payout": payout}),
            _call("payout_run_lock", {"run": run}),
            _call("approval_request_open", {"customer": "PTY-1", "subject": run, **terms}),
            varied(Action(name="message_user", arguments=asked), None),
            _call("payout_run_execute", {"run": run, "idempotency_key": "evening-run", "approval": request}),
            wait_until(cut_off),
        )
        larger = replaced_by(self._parts, consent, varied(self._ground.actions[consent], consent, arguments=agreed))
        return _breaks("F5", "pay_twice", inserted(larger, last, *again))

    def _next(self, prefix: str) -> str:
        """Return the id that the next record of a kind has after the reference path."""
        made = [each for shown in self._ground.golden.shown for each in shown.created if prefix_of(each) == prefix]
        newest = max((id_number(each) for each in made), default=self._ground.setting.base.numbers.get(prefix, 0))
        return f"{prefix}-{newest + 1}"

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
        ("G1", "leave_out", {"morning": [first, told]}),
        ("G2", "leave_out", {"afternoon": [normal, promised]}),
        ("P4", "wrong_order", {"morning": [last, told, first]}),
        ("P5", "wrong_order", {"afternoon": [early, promised, normal]}),
        ("P11", "slow_method", {"methods": {**case.methods, first: "batch"}}),
        ("P13", "slow_method", {"methods": {**case.methods, promised: "batch"}}),
        ("P17", "fast_method", {"methods": {**case.methods, told: "instant"}}),
        ("P18", "fast_method", {"methods": {**case.methods, last: "instant"}}),
        ("P20", "assume_approval", {"afternoon": [normal, early], "alone": [promised]}),
        ("F2", "greedy_order", {"morning": [*case.morning, early], "afternoon": [normal, promised]}),
    ):
        believed = case.changed(**changes)
        path = Planner(task, setting, believed).plan()
        plays = [Variation(name=each.name, arguments=each.arguments) for each in path.actions if not is_read(each)]
        yield _breaks(check, mistake, tuple(plays))


def _breaks(check: str, mistake: str, parts: tuple[Part, ...]) -> Counterexample:
    return Counterexample(breaks=check, mistake=mistake, plays=folded(parts))


def _call(tool: str, arguments: dict[str, Any]) -> Part:
    return varied(Action(name="call_tool", arguments={"name": tool, "arguments": arguments}), None)

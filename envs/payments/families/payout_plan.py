"""The planner of payout runs: it plays a task knowingly and so writes its golden path.

It reads the rules up, asks what only the customer knows, settles the morning's run, waits for the money of the
afternoon, settles the afternoon's run and sees to what was promised.
"""

from __future__ import annotations

from ..content import Setting
from ..tasks import GoldenPath, PaymentTask
from .needed import needed
from .payout_case import DAY, Case
from .payout_world import CURRENCY, usd
from .recorder import Recorder

_TOPICS = (
    ("D-0335", "preparing and executing a payout run"),
    ("D-0349", "tools for payout runs"),
    ("D-0316", "payout runs on one account order of the run"),
    ("D-0312", "floor of settlement accounts"),
    ("D-0532", "sweeping an account down to a fixed amount"),
    ("D-0301", "what payouts cost fee wire instant batch"),
    ("D-0305", "how long money is under way settlement"),
    ("D-0309", "highest amount of an instant payout"),
    ("D-0318", "paying beneficiaries after a name check"),
    ("D-0319", "close match name checks United Kingdom"),
    ("D-0167", "what customers have to approve"),
    ("D-0169", "how long an approval holds"),
    ("D-0178", "consents and caps on fees"),
    ("D-0808", "keeping a merchant's bills"),
    ("D-0803", "how far a bill can be put off"),
    ("D-0200", "warning customers in time delay notice"),
    ("D-0852", "sending notices"),
    ("D-0843", "recording promises and keeping them"),
    ("D-0829", "claiming a refund and booking it"),
)
"""Documents by id, each with the words that find it."""
_LONGEST_WAY_MINUTES = 500
"""How long after the last run is due everything has arrived: a batch and the spacing of the run."""


class Planner(Recorder):
    """Plays one case.

    Args:
        task: The task, with any golden path.
        setting: What it is played in.
        case: Its parameters.
    """

    def __init__(self, task: PaymentTask, setting: Setting, case: Case) -> None:
        super().__init__(task, setting)
        self._case = case
        self._place = setting
        self._drafts: dict[int, str] = {}
        self._fees: dict[int, int] = {}

    def plan(self, *, all_prepared: bool = False) -> GoldenPath:
        """Play the case to its end and return the path.

        Args:
            all_prepared: Prepare the afternoon's run and ask for the consent before the morning's run leaves.
        """
        self._study()
        self._look()
        self._ask()
        self._draw_cash()
        self._settle_bills()
        self._build_morning()
        if all_prepared:
            self._build_afternoon()
        self._morning()
        if not all_prepared:
            self._build_afternoon()
        self._gather()
        self._afternoon()
        self._close()
        return self.path

    def _study(self) -> None:
        by_id = {each.id: each for each in self._place.documents}
        for document_id, query in _TOPICS:
            self.read(by_id[document_id], query)

    def _wait(self, minute: int, event: str | None = None, told: bool = True) -> None:
        given = {"until_minute": minute} if event is None else {"until_minute": minute, "for_event": event}
        self.do("wait", **given)
        if not told:
            self.derive("until_minute", "late enough for all that is under way to have arrived")

    def _look(self) -> None:
        case = self._case
        self.call("bill_due", merchant="PTY-1", until=DAY)
        self.derive("arguments.until", "the minute in which tomorrow morning begins")
        self.call("party_get", record="PTY-1")
        self.call("account_list", owner="PTY-1")
        self.call("payout_run_list", merchant="PTY-1", state="open")
        for draft in self.call("payout_list", account="ACC-1", state="draft")["records"]:
            self._fees[int(draft["bill"].removeprefix("BIL-"))] = draft["fee"]["minor"]
        self.call("beneficiary_list", merchant="PTY-1")
        self.call("commitment_list", debtor="PTY-1", state="active")
        self.call("refund_list", account="ACC-1", state="in_transit")
        self.call("receipt_list", account="ACC-1")
        self.call("payout_list", beneficiary=f"BEN-{case.debt(case.twin).supplier}")
        for debt in (case.debt(case.afternoon[1]), case.debt(case.deferred)):
            self.call("party_get", record=f"PTY-{10 + debt.supplier}")
        self.call("consent_list", customer="PTY-1")

    def _ask(self) -> None:
        case = self._case
        late, twin, rent = f"BIL-{case.deferred}", f"BIL-{case.twin}", f"BIL-{case.told}"
        refs = [
            "funding_account",
            f"payment_deadline/{rent}",
            f"payment_order/{late}",
            f"payment_deadline/{late}",
            f"original_payment/{twin}",
        ]
        text = (
            f"From which account do we pay, and when does the money for {rent} have to be there? Cash does not reach "
            f"for everything: may {late} wait, and until when? And was {twin} paid before?"
        )
        self.say(text, asks=[{"kind": "fact", "ref": each} for each in refs])
        refs = ["fee_cap", "original_payment/REF-1", "expected_receipt/REF-2"]
        text = "What did you agree to in fees? Has the refund REF-1 come in, and what do you expect of REF-2?"
        self.say(text, asks=[{"kind": "fact", "ref": each} for each in refs])

    def _draw_cash(self) -> None:
        """Bring over what need not stay on the second settlement account."""
        keep = self.look_up("cash_floor", {"currency": CURRENCY, "segment": self._case.segment})
        self.call("account_sweep", source="ACC-5", target="ACC-1", keep=keep, idempotency_key="second-account")

    def _settle_bills(self) -> None:
        case = self._case
        late = f"BIL-{case.deferred}"
        for debt in case.unchecked:
            self.call("beneficiary_check_name", beneficiary=f"BEN-{debt.supplier}")
        self.call("bill_cancel", bill=f"BIL-{case.twin}")
        self.call("bill_reprioritise", bill=late, priority="deferrable")
        self.call("bill_defer", bill=late, due_at=case.deferred_to)

    def _draft(self, number: int) -> None:
        """Draft the payout of a bill, or put the draft that is there right and take it out of its run."""
        case, debt, method = self._case, self._case.debt(number), self._case.methods[number]
        cut_off = case.morning_cut_off if number in case.morning else case.afternoon_cut_off
        left = {bill: payout for payout, bill in case.drafted.items()}
        if number in left:
            found = {"payout": f"PAY-{left[number]}"}
            if method != "batch":
                shown = self.call("payout_amend", **found, amount=usd(debt.amount), method=method, execute_at=cut_off)
                self._fees[number] = shown["fee"]["minor"]
        else:
            found = self.call(
                "payout_draft",
                account="ACC-1",
                beneficiary=f"BEN-{debt.supplier}",
                amount=usd(debt.amount),
                method=method,
                execute_at=cut_off,
                bill=f"BIL-{number}",
            )
            self._fees[number] = found["fee"]["minor"]
        self._drafts[number] = found["payout"]

    def _settle_run(self, run: str, numbers: list[int], key: str) -> None:
        """Lock a run, have its terms approved and execute it."""
        amounts = [self._case.debt(each).amount for each in numbers]
        fees = [self._fees[each] for each in numbers]
        self.call("payout_run_lock", run=run)
        asked = self.call(
            "approval_request_open",
            customer="PTY-1",
            subject=run,
            action="execute_run",
            amount=usd(sum(amounts)),
            max_fee=usd(sum(fees)),
        )
        self.derive("arguments.amount", "the payouts of the run together", *amounts)
        self.derive("arguments.max_fee", "their fees together", *fees)
        text = f"{run} is locked and holds {len(numbers)} payouts. Do you approve it as it stands?"
        self.say(text, asks=[{"kind": "approval", "ref": asked["request"]}])
        self.call("payout_run_execute", run=run, idempotency_key=key, approval=asked["request"])

    def _build_morning(self) -> None:
        case = self._case
        for payout in case.drafted:
            self.call("payout_run_remove", run="RUN-1", payout=f"PAY-{payout}")
        for number in case.morning:
            self._draft(number)
        for number in case.morning:
            self.call("payout_run_add", run="RUN-1", payout=self._drafts[number])

    def _morning(self) -> None:
        case = self._case
        self._settle_run("RUN-1", case.morning, "morning-run")
        self.call(
            "notice_send",
            to=f"PTY-{10 + case.debt(case.told).supplier}",
            says="payout_sent",
            about=self._drafts[case.told],
        )

    def _build_afternoon(self) -> None:
        """Fill the afternoon's run and ask for the fees of both; nothing is locked before the money is there."""
        case = self._case
        for number in case.afternoon:
            self._draft(number)
        for number in case.alone:
            self._draft(number)
        for number in case.afternoon:
            self.call("payout_run_add", run="RUN-2", payout=self._drafts[number])
        fees = [self._fees[each] for each in (*case.morning, *case.afternoon, *case.alone)]
        consent = self.call(
            "consent_request", customer="PTY-1", about="fee_cap", subject="PTY-1", amount=usd(sum(fees))
        )
        self.derive("arguments.amount", "what both runs cost together", *fees)
        text = "Two wires bring today's fees above what you agreed to; batches would arrive too late. Do you consent?"
        self.say(text, asks=[{"kind": "approval", "ref": consent["consent"]}])

    def _gather(self) -> None:
        """Wait for the supplier's answer and for what comes in."""
        case = self._case
        self._wait(case.receipt_at, "bill_deferral_answered")
        late = case.debt(case.deferred)
        self.call("notice_send", to=f"PTY-{10 + late.supplier}", says="delay", about=f"BIL-{late.number}")
        self._wait(case.receipt_at, "receipt_arrives")
        self._wait(case.refund_at)
        self.call("refund_confirm", refund="REF-2")

    def _afternoon(self) -> None:
        self.call("account_get", record="ACC-1")
        self._settle_run("RUN-2", self._case.afternoon, "afternoon-run")
        for number in self._case.alone:
            self.call("payout_send_now", payout=self._drafts[number], idempotency_key="at-once")

    def _has_arrived(self, number: int) -> bool:
        """Whether something has said that the payout of a bill has settled."""
        return f'"payout": "{self._drafts[number]}", "state": "settled"' in self._shown

    def _close(self) -> None:
        """Note the promise as kept and see the last batch arrive."""
        case = self._case
        at_once = case.methods[case.promised] == "instant"
        if at_once:
            while not self._has_arrived(case.promised):
                self._wait(case.promised_by, "payout_settles")
            self.call("commitment_fulfil", commitment="CMT-1")
        self._wait(case.afternoon_cut_off + _LONGEST_WAY_MINUTES, told=False)
        if not at_once:
            self.call("commitment_fulfil", commitment="CMT-1")
        self.do("finish")


def goldens_of(task: PaymentTask, setting: Setting, case: Case) -> list[GoldenPath]:
    """Return the reference path of a task, without reads that earn nothing, and a path in another order.

    Args:
        task: The task, with any golden path.
        setting: What it is played in.
        case: Its parameters.
    """
    first = needed(task, setting, Planner(task, setting, case).plan())
    return [first, Planner(task, setting, case).plan(all_prepared=True)]

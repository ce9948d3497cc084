"""A month on its way to its closing: receipts applied as buyers want, rests given up, and the merchant's approval."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core.errors import DataError
from .recorder import Recorder

PAYABLE = ("open", "part_paid")


class Line(NamedTuple):
    """Part of a receipt that is to be applied.

    Attributes:
        receipt: Id of the receipt.
        invoice: Id of the invoice.
        minor: How much, in minor units.
        instruction: Id of the instruction that it rests on, None without one.
        terms: What the amount is the sum of, in minor units; nothing where it was told.
    """

    receipt: str
    invoice: str
    minor: int
    instruction: str | None
    terms: tuple[int, ...] = ()


def close_month(recorder: Recorder, customer: str, file: str, case: dict[str, str], books_singly: bool = False) -> None:
    """Apply every receipt, write off what the merchant gives up, and close the file.

    Args:
        recorder: Plays the calls.
        customer: Id of the merchant.
        file: Id of its open file.
        case: Jurisdiction, segment and currency of the merchant.
        books_singly: Book each allocation by itself, instead of all of them at once.

    Raises:
        DataError: A receipt is left over.
    """
    currency = case["currency"]
    recorder.procedure("Closing a reconciliation file")
    recorder.look_up("unallocated_at_close_max", case)
    left = recorder.call("file_summary", file=file, currency=currency)["receipts"]
    receipts = [recorder.got("receipt", each["receipt"]) for each in left]
    invoices = {each["id"]: each for each in recorder.listed("invoice", merchant=customer) if each["state"] in PAYABLE}
    settled, doubtful = _sort_out(recorder, receipts)
    lines = [*_as_instructed(recorder, settled), *_oldest_first(recorder, receipts, settled, doubtful, invoices)]
    proposed = [_propose(recorder, file, line, currency) for line in lines]
    if doubtful:
        recorder.do("wait", for_event="instruction_answered")
        asked = {each["receipt"]: recorder.got("instruction", each["id"]) for each in doubtful.values()}
        late = _as_instructed(recorder, {each: found for each, found in asked.items() if found["state"] == "confirmed"})
        proposed += [_propose(recorder, file, line, currency) for line in late]
        lines += late
    if books_singly:
        for allocation in proposed:
            recorder.call("allocation_book", allocation=allocation)
    else:
        recorder.call("allocation_book_all", file=file)
    _write_off(recorder, customer, file, _short(lines, invoices), case)
    _close(recorder, customer, file, case)


def _sort_out(
    recorder: Recorder, receipts: list[dict[str, Any]]
) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return the instructions in force by receipt, and those whose buyers were asked."""
    recorder.procedure("Registering and confirming a buyer's instruction")
    settled, doubtful = {}, {}
    for receipt in receipts:
        buyer = recorder.got("party", receipt["payer"])
        found = recorder.listed("instruction", receipt=receipt["id"])
        standing = sorted((each for each in found if each["state"] != "withdrawn"), key=lambda each: each["version"])
        if not standing:
            continue
        where = {"product": "remittance", "jurisdiction": buyer["jurisdiction"]}
        counts = recorder.look_up("instruction_in_force", where)
        confirmed = [each for each in standing if each["state"] == "confirmed"]
        if counts == "latest_received" or confirmed == standing:
            settled[receipt["id"]] = standing[-1]
        elif len(standing) == 1 and _is_below_threshold(recorder, receipt):
            settled[receipt["id"]] = standing[0]
        else:
            recorder.call("instruction_confirm", instruction=standing[-1]["id"])
            doubtful[receipt["id"]] = standing[-1]
    return settled, doubtful


def _is_below_threshold(recorder: Recorder, receipt: dict[str, Any]) -> bool:
    case = {"currency": receipt["amount"]["currency"]}
    threshold = recorder.look_up("instruction_confirmation_threshold", case)
    return bool(receipt["amount"]["minor"] <= threshold["minor"])


def _as_instructed(recorder: Recorder, instructions: dict[str, dict[str, Any]]) -> list[Line]:
    lines = []
    for receipt, instruction in instructions.items():
        for each in recorder.listed("instruction_line", instruction=instruction["id"]):
            lines.append(Line(receipt, each["invoice"], each["amount"]["minor"], instruction["id"]))
    return lines


def _oldest_first(
    recorder: Recorder,
    receipts: list[dict[str, Any]],
    settled: dict[str, dict[str, Any]],
    doubtful: dict[str, dict[str, Any]],
    invoices: dict[str, dict[str, Any]],
) -> list[Line]:
    """Apply the receipts without an instruction to the invoices of their payers, oldest due first."""
    lines = []
    for receipt in receipts:
        if receipt["id"] in settled or receipt["id"] in doubtful:
            continue
        if recorder.look_up("allocation_order", {"currency": receipt["amount"]["currency"]}) != "oldest_due":
            raise DataError(f"{receipt['id']}: only the order oldest_due is planned")
        terms: tuple[int, ...] = (receipt["unallocated"]["minor"],)
        owed = [each for each in invoices.values() if each["buyer"] == receipt["payer"]]
        for invoice in sorted(owed, key=lambda each: int(each["due_at"])):
            part = min(sum(terms), invoice["open_amount"]["minor"])
            is_reckoned = part < invoice["open_amount"]["minor"] and len(terms) > 1
            lines += [Line(receipt["id"], invoice["id"], part, None, terms if is_reckoned else ())] if part else []
            terms = (*terms, -part)
        if sum(terms):
            raise DataError(f"{receipt['id']}: {sum(terms)} fit no invoice")
    return lines


def _propose(recorder: Recorder, file: str, line: Line, currency: str) -> str:
    """Propose an allocation and return its id."""
    amount = {"minor": line.minor, "currency": currency}
    given: dict[str, Any] = {"file": file, "receipt": line.receipt, "invoice": line.invoice, "amount": amount}
    rests_on = {} if line.instruction is None else {"instruction": line.instruction}
    allocation = recorder.id_of(recorder.call("allocation_propose", **given, **rests_on))
    if line.terms:
        recorder.derive("arguments.amount", "What is left of the receipt.", *line.terms)
    return allocation


def _short(lines: list[Line], invoices: dict[str, dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """Return what was open and what was paid of invoices that a single line was meant to settle, and did not."""
    by_receipt: dict[str, list[Line]] = {}
    for line in lines:
        by_receipt.setdefault(line.receipt, []).append(line)
    alone = [each[0] for each in by_receipt.values() if len(each) == 1]
    rests = {line.invoice: (int(invoices[line.invoice]["open_amount"]["minor"]), line.minor) for line in alone}
    return {invoice: (due, paid) for invoice, (due, paid) in rests.items() if due > paid}


def _write_off(
    recorder: Recorder, customer: str, file: str, rests: dict[str, tuple[int, int]], case: dict[str, str]
) -> None:
    """Give up small rests that the merchant does without."""
    if not rests:
        return
    recorder.procedure("How to write off a difference")
    limit = recorder.look_up("write_off_limit", {**case, "product": "reconciliation"})
    for invoice, (due, paid) in rests.items():
        answer = recorder.say(
            f"{invoice} was paid a little short. Does what was paid settle it, so that the rest can be written off?",
            asks=[{"kind": "fact", "ref": f"short_payment_accepted/{invoice}"}],
        )
        if due - paid > limit["minor"] or not answer["facts"][0]["value"]:
            continue
        amount = {"minor": due - paid, "currency": case["currency"]}
        approval = _approved(recorder, customer, invoice, "write_off", amount, due, -paid)
        recorder.call("difference_write_off", file=file, invoice=invoice, amount=amount, approval=approval)


def _close(recorder: Recorder, customer: str, file: str, case: dict[str, str]) -> None:
    recorder.look_up("approval_actions", {**case, "product": "approval"})
    recorder.call("file_summary", file=file, currency=case["currency"])
    recorder.call("file_submit", file=file)
    approval = _approved(recorder, customer, file, "close_file", {"minor": 0, "currency": case["currency"]})
    recorder.call("file_close", file=file, approval=approval)
    recorder.call("notice_send", to=customer, says="file_closed", about=file)


_WORDS = {
    "write_off": "The rest of {} would be written off. Do you approve?",
    "close_file": "Everything of the month is applied, and {} can be closed; nothing in it changes after that. "
    "Do you approve?",
}


def _approved(recorder: Recorder, customer: str, subject: str, action: str, amount: dict[str, Any], *terms: int) -> str:
    asked = recorder.call(
        "approval_request_open",
        customer=customer,
        subject=subject,
        action=action,
        amount=amount,
        max_fee={**amount, "minor": 0},
    )
    if terms:
        recorder.derive("arguments.amount", "What is left open of the invoice.", *terms)
    request: str = asked["request"]
    recorder.say(_WORDS[action].format(subject), asks=[{"kind": "approval", "ref": request}])
    return request

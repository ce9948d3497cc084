"""The world of a payout run: one merchant whose cash is short until the afternoon, among others of the same desk.

Amounts are in minor units of US dollars, instants in minutes of the episode (negative ones lie before it). The records
that a task turns on come from its parameters; those of the other merchants are there to be left alone.
"""

from __future__ import annotations

from typing import Any

from .payout_case import DAY, Case, Debt

Record = dict[str, Any]
World = dict[str, list[Record]]
CURRENCY = "USD"
_OTHERS = (
    ("Juniper Row Bakeries Inc", "US", "standard"),
    ("Stonebridge Cycle Works Ltd", "GB", "standard"),
    ("Calder Vale Garden Centres Ltd", "GB", "key_account"),
    ("Redwood Lane Pharmacies Inc", "US", "key_account"),
    ("Marlin Cove Outfitters Inc", "US", "high_risk"),
    ("Eastgate Office Supply Pte Ltd", "SG", "standard"),
)
_THEIR_SUPPLIERS = ("Pinecrest Logistics Inc", "Brookfield Cleaning Services Inc", "Amberley Print House Ltd")
_OFFICERS = (
    ("Ines Halloran", "treasury", 25_000_000),
    ("Tomas Brandl", "treasury", 3_000_000),
    ("Priya Raman", "operations", 1_000_000),
    ("Noel Achebe", "risk", 10_000_000),
    ("Greta Lindqvist", "compliance", 5_000_000),
)
_FIRST_OTHER = 101
"""Number of the first record of another merchant, of each kind; below it are the merchant's own."""
_BILLED_BEFORE = 37
"""Number of the bill, and of the payout, that one of today looks like."""


def usd(minor: int) -> Record:
    """Return an amount of US dollars as data."""
    return {"minor": minor, "currency": CURRENCY}


def world_of(case: Case) -> World:
    """Return the records of a case's world by kind.

    Args:
        case: The parameters of the task.
    """
    world: World = {}
    _company(world, case)
    for debt in case.debts:
        _supplier(world, debt)
    _past(world, case)
    _incoming(world, case)
    _promises(world, case)
    _runs(world, case)
    for k, (name, place, segment) in enumerate(_OTHERS):
        _other(world, k, name, place, segment)
    return world


def _add(world: World, kind: str, **fields: Any) -> None:
    world.setdefault(kind, []).append(fields)


def _party(world: World, number: int, name: str, role: str, place: str = "US", segment: str = "standard") -> str:
    found = f"PTY-{number}"
    fields = {"name": name, "role": role, "jurisdiction": place, "segment": segment, "state": "active"}
    _add(world, "party", id=found, **fields)
    return found


def _account(world: World, number: int, owner: str, purpose: str, balance: int, held: int = 0) -> str:
    found = f"ACC-{number}"
    fields = {"owner": owner, "purpose": purpose, "balance": usd(balance), "held": usd(held), "state": "open"}
    _add(world, "account", id=found, **fields)
    return found


def _company(world: World, case: Case) -> None:
    merchant = _party(world, 1, case.merchant, "merchant", "US", case.segment)
    bank = _party(world, 2, "Quarry Street Settlement Bank", "bank")
    _party(world, 3, "Lantern Merchant Credit Bank", "bank")
    _account(world, 1, merchant, "settlement", case.balance, case.held)
    _account(world, 2, merchant, "operating", case.operating_balance)
    _account(world, 3, bank, "fees", 0)
    _account(world, 4, bank, "suspense", 0)
    _account(world, 5, merchant, "settlement", case.second_balance)
    for k, (name, duty, limit) in enumerate(_OFFICERS, 1):
        _add(world, "officer", id=f"OFF-{k}", name=name, duty=duty, limit=usd(limit))
    held = {"amount": usd(case.held), "reason": "dispute", "until": 21 * DAY, "state": "active"}
    _add(world, "hold", id="HLD-1", account="ACC-1", **held)
    agreed = {"about": "data_sharing", "subject": merchant, "amount": None, "given_at": -30 * DAY, "state": "active"}
    _add(world, "consent", id="CON-1", customer=merchant, **agreed)


def _supplier(world: World, debt: Debt) -> None:
    if debt.number != debt.supplier:
        _bill(world, debt, "open")
        return
    party = _party(world, 10 + debt.supplier, debt.name, "supplier", debt.place, debt.segment)
    _add(
        world,
        "beneficiary",
        id=f"BEN-{debt.supplier}",
        merchant="PTY-1",
        party=party,
        account_number=f"{debt.place}{40_118_200 + 7_919 * debt.supplier}",
        name_check=debt.name_check,
        checked_at=debt.checked_at,
        state="active",
        name=debt.payee or debt.name,
    )
    _bill(world, debt, "open")


def _bill(world: World, debt: Debt, state: str) -> None:
    _add(
        world,
        "bill",
        id=f"BIL-{debt.number}",
        merchant="PTY-1",
        beneficiary=f"BEN-{debt.supplier}",
        amount=usd(debt.amount),
        due_at=debt.due_at,
        priority=debt.priority,
        state=state,
    )


def _payout(world: World, number: int, account: str, beneficiary: str, amount: int, at: int, **other: Any) -> None:
    fields = {
        "account": account,
        "beneficiary": beneficiary,
        "bill": None,
        "run": None,
        "amount": usd(amount),
        "fee": usd(20),
        "method": "batch",
        "execute_at": at,
        "idempotency_key": f"run-{number}",
        "approval": None,
        "state": "settled",
    }
    _add(world, "payout", id=f"PAY-{number}", **{**fields, **other})


def _entry(world: World, number: int, account: str, amount: int, reason: str, about: str, at: int) -> None:
    fields = {"amount": usd(amount), "reason": reason, "about": about, "booked_at": at, "reversed_by": None, "note": ""}
    _add(world, "ledger_entry", id=f"LED-{number}", account=account, **fields)


def _past(world: World, case: Case) -> None:
    """What the merchant has paid in the last weeks: the twin of an open bill among it."""
    number = 1
    for k in range(1, 9):
        for weeks in (2, 3):
            amount, at = 214_300 + 61_700 * k + 11_900 * weeks, -weeks * 7 * DAY + 35 * k
            paid = Debt(number=20 + number, supplier=k, amount=amount, due_at=at + 600, priority="normal")
            _bill(world, paid, "paid")
            _payout(world, number, "ACC-1", f"BEN-{k}", amount, at, bill=f"BIL-{20 + number}")
            _entry(world, number, "ACC-1", -amount, "payout", f"PAY-{number}", at)
            number += 1
    twin = case.debt(case.twin)
    _payout(world, case.paid_by, "ACC-1", f"BEN-{twin.supplier}", twin.amount, case.paid_at)
    _entry(world, number, "ACC-1", -twin.amount, "payout", f"PAY-{case.paid_by}", case.paid_at)
    if case.look_alike is not None:
        _billed_before(world, case.debt(case.look_alike), number + 1)


def _billed_before(world: World, debt: Debt, number: int) -> None:
    """A supplier has billed the same amount before; the payout names the bill that it paid, unlike that of a twin."""
    sent_at = -9 * DAY + 15
    before = debt.changed(number=_BILLED_BEFORE, due_at=sent_at + 700)
    _bill(world, before, "paid")
    payout = {"bill": f"BIL-{_BILLED_BEFORE}"}
    _payout(world, _BILLED_BEFORE, "ACC-1", f"BEN-{debt.supplier}", debt.amount, sent_at, **payout)
    _entry(world, number, "ACC-1", -debt.amount, "payout", f"PAY-{_BILLED_BEFORE}", sent_at)


def _incoming(world: World, case: Case) -> None:
    """Money that comes in, and money that seems to: a refund that has been credited as a receipt already."""
    names = case.incoming
    credited = _party(world, 31, names.credited_by, "supplier")
    refunded = _party(world, 32, names.refunded_by, "supplier")
    buyer = _party(world, 33, names.buyer, "buyer")
    late_buyer = _party(world, 34, names.late_buyer, "buyer")
    rows = (
        (1, credited, case.ghost_amount, case.ghost_credited_at, "arrived", "Returned goods, BIL-41"),
        (2, buyer, case.receipt_amount, case.receipt_at, "expected", names.goods),
        (3, late_buyer, 2_200_000, case.late_receipt_at, "expected", names.advance),
    )
    for number, payer, amount, at, state, reference in rows:
        fields = {"amount": usd(amount), "unallocated": usd(amount), "arrives_at": at, "state": state}
        _add(world, "receipt", id=f"RCP-{number}", account="ACC-1", payer=payer, reference=reference, **fields)
    _entry(world, 20, "ACC-1", case.ghost_amount, "receipt", "RCP-1", case.ghost_credited_at)
    paid = ((41, credited, names.credited_by, 3_118_400), (42, refunded, names.refunded_by, 2_264_900))
    for number, party, name, amount in paid:
        fields = {"name_check": "match", "checked_at": -20 * DAY, "state": "active", "name": name}
        account = f"US{62_300_500 + 31 * number}"
        _add(world, "beneficiary", id=f"BEN-{number}", merchant="PTY-1", party=party, account_number=account, **fields)
        paid_debt = Debt(number=number, supplier=number, amount=amount, due_at=-8 * DAY, priority="normal")
        _bill(world, paid_debt, "paid")
    refunds = (
        (1, credited, "BIL-41", case.ghost_amount, case.ghost_due_at),
        (2, refunded, "BIL-42", case.refund_amount, case.refund_at),
    )
    for number, party, about, amount, due_at in refunds:
        fields = {"about": about, "amount": usd(amount), "is_incoming": True, "due_at": due_at, "state": "in_transit"}
        _add(world, "refund", id=f"REF-{number}", account="ACC-1", party=party, **fields)


def _promises(world: World, case: Case) -> None:
    promised = case.debt(case.promised)
    rows = (
        (1, f"PTY-{10 + promised.supplier}", "pay_by", f"BIL-{promised.number}", promised.amount, case.promised_by),
        (2, "PTY-3", "keep_balance", "ACC-1", case.kept_amount, case.kept_until),
        (3, "PTY-3", "keep_balance", "ACC-1", case.kept_amount, -6 * DAY),
    )
    for number, creditor, promise, about, amount, by in rows:
        state = "active" if by > 0 else "kept"
        fields = {"promise": promise, "about": about, "amount": usd(amount), "by": by, "state": state}
        _add(world, "commitment", id=f"CMT-{number}", debtor="PTY-1", creditor=creditor, **fields)


def _runs(world: World, case: Case) -> None:
    """The morning's run as a colleague left it, a draft of the wrong method in it, and the afternoon's, still empty."""
    for number, debt in case.drafted.items():
        found = case.debt(debt)
        draft = {"bill": f"BIL-{debt}", "run": "RUN-1", "state": "draft", "idempotency_key": ""}
        _payout(world, number, "ACC-1", f"BEN-{found.supplier}", found.amount, 0, **draft)
    drafts = [f"PAY-{number}" for number in case.drafted]
    for number, payouts, cut_off in ((1, drafts, case.morning_cut_off), (2, [], case.afternoon_cut_off)):
        fields = {"merchant": "PTY-1", "account": "ACC-1", "payouts": payouts, "cut_off_at": cut_off, "state": "open"}
        _add(world, "payout_run", id=f"RUN-{number}", **fields)


def _other(world: World, k: int, name: str, place: str, segment: str) -> None:
    """Another merchant of the desk with its own accounts, suppliers, bills and payouts."""
    first = _FIRST_OTHER + 10 * k
    merchant = _party(world, first, name, "merchant", place, segment)
    _account(world, first, merchant, "settlement", 4_120_000 + 731_500 * k)
    _account(world, first + 1, merchant, "operating", 905_000 + 88_300 * k)
    for j, supplier in enumerate(_THEIR_SUPPLIERS):
        number = first + j
        party = _party(world, first + 1 + j, supplier, "supplier", place)
        fields = {"name_check": "match", "checked_at": -(9 + j) * DAY, "state": "active", "name": supplier}
        account = f"{place}{51_007_300 + 104_729 * k + 17 * j}"
        _add(world, "beneficiary", id=f"BEN-{number}", merchant=merchant, party=party, account_number=account, **fields)
        amount = 187_400 + 93_100 * j + 41_300 * k
        priority = ("essential", "normal", "deferrable")[j]
        owed = {"amount": usd(amount), "due_at": 2_900 + 700 * j, "priority": priority, "state": "open"}
        _add(world, "bill", id=f"BIL-{number}", merchant=merchant, beneficiary=f"BEN-{number}", **owed)
        _payout(world, number, f"ACC-{first}", f"BEN-{number}", amount - 12_500, -(8 + j) * DAY)
        _entry(world, number, f"ACC-{first}", 12_500 - amount, "payout", f"PAY-{number}", -(8 + j) * DAY)
    run = {"merchant": merchant, "account": f"ACC-{first}", "payouts": [], "cut_off_at": 3 * DAY, "state": "open"}
    _add(world, "payout_run", id=f"RUN-{first}", **run)

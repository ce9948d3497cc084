"""The world of a reserve release: the merchant among three others of the same desk, its reserves, papers and caps.

The month that has to be closed is in `release_month.py`. Records of the other merchants are there to be left alone.
"""

from __future__ import annotations

from typing import Any

from ..kernel.money import Currency, Money
from ..kernel.records import Id
from ..kernel.rules import RuleBook
from ..modules.terms import digest, terms_of
from ..records.approvals import Action
from ..records.reserves import Route
from .release_case import Case, Named
from .release_month import add_month
from .release_records import Desk

_EARLIER_RESERVE, _NEXT_RESERVE = 1_012_000, 475_000
_ABOVE_FLOOR = 3_000
"""What the settlement account has above its floor: less than a review costs, so that the fee cannot come from there."""
_SUPPLIER_PAID, _WIRE_FEE = 612_000, 2_500


def world_of(case: Case, rules: RuleBook) -> Desk:
    """Return the records of a case's world by kind, and the ids of those that the task names.

    Args:
        case: The parameters.
        rules: The rules of the world; what is on the settlement account goes by the cash floor.
    """
    desk = Desk(case)
    suppliers = _add_parties(desk)
    _add_accounts(desk, rules)
    _add_files(desk)
    reserves = _add_reserves(desk)
    add_month(desk)
    _add_papers(desk, reserves)
    _add_consents(desk, reserves)
    _add_earlier_business(desk, reserves, suppliers)
    return desk


def _add_parties(desk: Desk) -> list[str]:
    """Add everybody and return the ids of the suppliers."""
    case = desk.case

    def party(each: Named, role: str, segment: str = "standard") -> str:
        fields = {"name": each.name, "role": role, "jurisdiction": each.jurisdiction, "segment": segment}
        return desk.records.add("party", **fields, state="active")

    desk.roles["merchant"] = party(case.merchant, "merchant", case.merchant.segment)
    desk.others = [party(each, "merchant", each.segment) for each in case.others]
    desk.buyers = [party(each, "buyer") for each in case.buyers]
    desk.roles["bank"], desk.roles["second_bank"] = party(case.bank, "bank"), party(case.second_bank, "bank")
    for each in case.officers:
        desk.records.add("officer", name=each.name, duty=each.duty, limit=desk.money(each.limit))
    return [party(each, "supplier") for each in case.suppliers]


def _add_accounts(desk: Desk, rules: RuleBook) -> None:
    case, merchant, bank = desk.case, desk.roles["merchant"], desk.roles["bank"]
    own = case.merchant.currency
    floor = rules.resolve("cash_floor", {"currency": own, "segment": case.merchant.segment}, 0).value.minor
    balances = {
        "settlement": floor + _ABOVE_FLOOR,
        "operating": case.operating_balance,
        "reserve": case.reserve + _NEXT_RESERVE,
    }
    for purpose, minor in balances.items():
        desk.roles[f"{purpose}_account"] = desk.account(merchant, purpose, minor, own)
    desk.roles["fees_account"] = desk.account(bank, "fees", 2_216_050, own)
    desk.account(bank, "suspense", 318_000, own)
    drawn = (("settlement", 2_600_000, 4_600_000, 500), ("operating", 300_000, 900_000, 50))
    for other, each in zip(desk.others, case.others, strict=True):
        ranges = (*drawn, ("reserve", 900_000, 2_600_000, 1_000))
        added = [desk.account(other, name, desk.chance.randrange(*between), each.currency) for name, *between in ranges]
        desk.other_accounts.append(added)
    for currency in sorted({each.currency for each in case.others} - {own}):
        desk.account(desk.roles["second_bank"], "fees", desk.chance.randrange(400_000, 900_000), currency)
    desk.account(merchant, "operating", 0, own, "closed")
    _hold(desk, 2, 250_000)


def _hold(desk: Desk, k: int, minor: int) -> None:
    """Hold money of another merchant."""
    account, amount = desk.other_accounts[k][0], desk.their(k, minor)
    desk.records.add("hold", account=account, amount=amount, reason="dispute", until=40_000, state="active")
    desk.records.field("account", account, "held").update(amount)


def _add_files(desk: Desk) -> None:
    def file(merchant: str, period: int, opened_at: int, closed_at: int | None) -> str:
        state = "open" if closed_at is None else "closed"
        times = {"opened_at": opened_at, "closed_at": closed_at}
        return desk.records.add("reconciliation_file", merchant=merchant, period=period, **times, state=state)

    merchant = desk.roles["merchant"]
    desk.roles["july"] = file(merchant, 202607, -138_240, -84_000)
    desk.roles["august"] = file(merchant, 202608, -93_600, -38_000)
    desk.roles["file"] = file(merchant, 202609, -48_960, None)
    desk.roles["october"] = file(merchant, 202610, -5_760, None)
    for other in desk.others:
        both = [file(other, 202608, -93_600, -39_200), file(other, 202609, -48_960, None)]
        desk.other_files.append(both)


def _add_reserves(desk: Desk) -> dict[str, str]:
    """Add the reserves and return their ids by their names in the case."""
    case, roles = desk.case, desk.roles
    own = {"merchant": roles["merchant"], "source": roles["reserve_account"], "target": roles["settlement_account"]}
    held: dict[str, Any] = {"guarantee": None, "route": None, "state": "held"}
    released = {**held, "route": Route.STANDARD_REVIEW.value, "state": "released"}
    reserves = {
        "earlier": {**own, "amount": desk.money(_EARLIER_RESERVE), "file": roles["august"], **released},
        "next": {**own, "amount": desk.money(_NEXT_RESERVE), "file": roles["october"], **held},
        "this": {**own, "amount": desk.money(case.reserve), "file": roles["file"], **held},
    }
    for k, (target, _, source) in enumerate(desk.other_accounts):
        theirs = {"merchant": desk.others[k], "source": source, "target": target}
        amount = dict(desk.records.field("account", source, "balance"))
        reserves[f"other_{k}"] = {**theirs, "amount": amount, "file": desk.other_files[k][1], **held}
    found: dict[str, str] = {name: desk.records.add("reserve", **reserves[name]) for name in case.reserves}
    roles["reserve"] = found["this"]
    return found


def _add_papers(desk: Desk, reserves: dict[str, str]) -> None:
    merchant, bank, second = (desk.roles[each] for each in ("merchant", "bank", "second_bank"))
    suppliers = {"bank": bank, "merchant": merchant}
    on_file = [
        ("this", each.shows, suppliers[each.supplied_by], each.issued_at, each.valid_until) for each in desk.case.papers
    ]
    rows = [
        ("earlier", "bank_confirmation", bank, -44_000, -23_840),
        ("earlier", "delivery_proof", merchant, -46_000, 40_400),
        *on_file,
        ("next", "sales_report", merchant, -2_900, 61_900),
        ("other_0", "bank_confirmation", second, -9_000, 11_160),
        ("other_0", "delivery_proof", desk.others[0], -8_800, 120_800),
        ("other_1", "bank_confirmation", second, -6_200, 13_960),
        ("other_2", "ownership_statement", desk.others[2], -30_000, 495_600),
    ]
    for reserve, shows, supplier, issued_at, valid_until in rows:
        state = "submitted" if reserve == "other_1" else "accepted"
        times = {"issued_at": issued_at, "valid_until": valid_until, "state": state}
        desk.records.add("evidence", subject=reserves[reserve], shows=shows, supplied_by=supplier, **times)


def _add_consents(desk: Desk, reserves: dict[str, str]) -> None:
    earlier = desk.money(desk.case.earlier_fee)
    merchant, others = desk.roles["merchant"], desk.others
    rows: list[tuple[str, str, str, Any, int]] = [
        (merchant, "fee_cap", reserves["earlier"], earlier, -37_900),
        (merchant, "fee_cap", reserves["this"], earlier, -12_960),
        (others[0], "fee_cap", reserves["other_0"], desk.their(0, 9_000), -6_000),
        (others[2], "fee_cap", reserves["other_2"], desk.their(2, 12_000), -5_200),
        (others[1], "data_sharing", others[1], None, -21_000),
        (merchant, "data_sharing", merchant, None, -43_200),
    ]
    for customer, about, subject, amount, given_at in rows:
        fields = {"about": about, "subject": subject, "amount": amount, "given_at": given_at, "state": "active"}
        found = desk.records.add("consent", customer=customer, **fields)
        if subject == reserves["this"]:
            desk.roles["consent"] = found
    guarantees = (
        (others[0], desk.roles["second_bank"], desk.their(0, 3_000_000), 98_000, "active"),
        (merchant, desk.roles["bank"], desk.money(desk.case.guarantee), 130_000, "active"),
        (others[2], desk.roles["bank"], desk.their(2, 2_700_000), 21_000, "offered"),
    )
    for owner, bank, amount, valid_until, state in guarantees:
        fields = {"amount": amount, "valid_until": valid_until, "secures": None, "state": state}
        found = desk.records.add("guarantee", merchant=owner, bank=bank, **fields)
        if owner == merchant:
            desk.roles["guarantee"] = found


def _add_earlier_business(desk: Desk, reserves: dict[str, str], suppliers: list[str]) -> None:
    """Add how the earlier reserve was released, and what was paid to suppliers."""
    add, earlier = desk.records.add, reserves["earlier"]
    merchant, settlement = desk.roles["merchant"], desk.roles["settlement_account"]
    fee = desk.money(desk.case.earlier_fee)
    review = {"reserve": earlier, "route": "standard_review", "officer": "OFF-2", "evidence": ["EVD-1", "EVD-2"]}
    add("review", **review, scheduled_for=-37_500, ready_at=-37_200, fee=fee, state="passed")
    _earlier_approval(desk, earlier, fee)
    add(
        "fee_charge",
        account=settlement,
        fee="reserve_review",
        amount=fee,
        about="REV-1",
        charged_at=-37_440,
        waived=False,
    )
    _supplier_bills(desk, suppliers)
    for says, about, sent_at in (
        ("file_closed", desk.roles["august"], -37_990),
        ("reserve_released", earlier, -37_150),
    ):
        add("notice", to=merchant, says=says, about=about, sent_at=sent_at, acknowledged=True)
    case = {"subject": desk.roles["disputed_invoice"], "officer": "OFF-1", "opened_at": -3_100, "closed_at": None}
    add("case", **case, state="assigned", note=desk.case.complaint)
    operating = desk.roles["operating_account"]
    entries = (
        (operating, -_SUPPLIER_PAID, "payout", "PAY-1", -15_000),
        (settlement, -fee["minor"], "fee", "REV-1", -37_440),
    )
    for account, minor, reason, about, booked_at in entries:
        fields = {"amount": desk.money(minor), "reason": reason, "about": about, "booked_at": booked_at}
        add("ledger_entry", account=account, **fields, reversed_by=None, note="")


def _earlier_approval(desk: Desk, reserve: str, fee: dict[str, Any]) -> None:
    target, currency = desk.roles["settlement_account"], Currency(desk.case.merchant.currency)
    amount = Money(_EARLIER_RESERVE, currency)
    most = Money(fee["minor"], currency)
    terms = terms_of(Action.RELEASE_RESERVE, Id(reserve), amount, most, Id(target), Route.STANDARD_REVIEW)
    asked = {"action": "release_reserve", "amount": amount.to_json(), "max_fee": fee, "beneficiary": target}
    times = {"requested_at": -37_600, "decided_at": -37_580, "valid_until": -37_120, "state": "granted"}
    fields = {"subject": reserve, **asked, "route": "standard_review", "terms": str(digest(terms)), **times}
    desk.records.add("approval_request", customer=desk.roles["merchant"], **fields)


def _supplier_bills(desk: Desk, suppliers: list[str]) -> None:
    add, merchant, other = desk.records.add, desk.roles["merchant"], desk.others[0]
    rows = (
        (merchant, "XB-4410-88213", -16_000),
        (merchant, "XB-7702-10954", -9_000),
        (other, "XB-5510-33410", -8_000),
    )
    payees = []
    for (owner, number, checked_at), party, each in zip(rows, suppliers, desk.case.suppliers, strict=True):
        checked = {"name_check": "match", "checked_at": checked_at, "state": "active", "name": each.name}
        payees.append(add("beneficiary", merchant=owner, party=party, account_number=number, **checked))
    bills = (
        (merchant, payees[0], desk.money(_SUPPLIER_PAID), -14_800, "essential", "paid"),
        (merchant, payees[0], desk.money(655_000), 4_300, "essential", "open"),
        (merchant, payees[1], desk.money(98_000), 9_900, "normal", "open"),
        (other, payees[2], desk.their(0, 184_000), 7_000, "normal", "open"),
    )
    for owner, payee, amount, due_at, priority, state in bills:
        fields = {"amount": amount, "due_at": due_at, "priority": priority, "state": state}
        add("bill", merchant=owner, beneficiary=payee, **fields)
    operating = desk.roles["operating_account"]
    sent = {"method": "wire", "execute_at": -15_000, "idempotency_key": "supplier-0926", "approval": None}
    paid = {"bill": "BIL-1", "run": None, "amount": desk.money(_SUPPLIER_PAID), "fee": desk.money(_WIRE_FEE)}
    add("payout", account=operating, beneficiary=payees[0], **paid, **sent, state="settled")
    charge = {"fee": "payout", "amount": desk.money(_WIRE_FEE), "about": "PAY-1", "charged_at": -15_000}
    add("fee_charge", account=operating, **charge, waived=False)

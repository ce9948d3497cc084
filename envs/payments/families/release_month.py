"""The books of a reserve release: what was settled before, September of the merchant, and that of the others.

Four buyers paid the merchant in September. The first is bound by its last order, the second by the instruction that it
confirms, the third paid short, and the fourth said nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from .release_records import Desk

Lines = list[tuple[str, int]]


class _Place(NamedTuple):
    """Whose receipt it is.

    Attributes:
        merchant: Who was paid.
        account: The account that was paid to.
        file: The file that it belongs to.
        buyer: Who paid.
    """

    merchant: str
    account: str
    file: str
    buyer: str


def add_month(desk: Desk) -> None:
    """Add invoices, receipts and instructions, and note those of September by their roles."""
    _add_settled(desk)
    _add_invoices(desk)
    _add_receipts(desk)
    _add_instructions(desk)
    _add_open_months_of_others(desk)


def _invoice(desk: Desk, merchant: str, buyer: str, minor: int, times: tuple[int, int], state: str = "open") -> str:
    currency = desk.currency_of(merchant)
    left = 0 if state == "paid" else minor
    amounts = {"amount": {"minor": minor, "currency": currency}, "open_amount": {"minor": left, "currency": currency}}
    dates = {"issued_at": times[0], "due_at": times[1]}
    return desk.records.add("invoice", merchant=merchant, buyer=buyer, **amounts, **dates, state=state)


def _receipt(desk: Desk, account: str, payer: str, minor: int, at: int, state: str, reference: str) -> str:
    currency = desk.records.field("account", account, "balance")["currency"]
    left = 0 if state == "allocated" else minor
    amounts = {"amount": {"minor": minor, "currency": currency}, "unallocated": {"minor": left, "currency": currency}}
    told = {"arrives_at": at, "state": state, "reference": reference}
    return desk.records.add("receipt", account=account, payer=payer, **amounts, **told)


def _instruction(desk: Desk, buyer: str, receipt: str, version: int, at: int, state: str, lines: Lines) -> str:
    told = {"version": version, "received_at": at, "state": state}
    found = desk.records.add("instruction", buyer=buyer, receipt=receipt, **told)
    currency = desk.records.field("receipt", receipt, "amount")["currency"]
    for invoice, minor in lines:
        amount = {"minor": minor, "currency": currency}
        desk.records.add("instruction_line", instruction=found, invoice=invoice, amount=amount)
    return found


def _add_settled(desk: Desk) -> None:
    """Add receipts of earlier months, applied as their buyers wanted."""
    own, account = desk.roles["merchant"], desk.roles["settlement_account"]
    months = (("july", 0), ("august", 0), ("august", 1), ("august", 4))
    mine = [_Place(own, account, desk.roles[month], desk.buyers[k]) for month, k in months]
    theirs = [
        _Place(desk.others[k], desk.other_accounts[k][0], desk.other_files[k][0], desk.buyers[buyer])
        for k, buyer in ((0, 5), (0, 6), (1, 7), (2, 8), (2, 9))
    ]
    places = [*mine, *theirs, _Place(own, account, desk.roles["july"], desk.buyers[2])]
    places = places[len(places) - desk.case.settled_before :]
    desk.chance.shuffle(places)
    for place in places:
        _settled(desk, place)


def _settled(desk: Desk, place: _Place) -> None:
    draw = desk.chance.randrange
    first, second = draw(42_000, 260_000, 500), draw(42_000, 260_000, 500)
    since = -128_000 if place.file == desk.roles["july"] else -90_000
    one = _invoice(desk, place.merchant, place.buyer, first, (since - 9_000, since + 20_000), "paid")
    other = _invoice(desk, place.merchant, place.buyer, second, (since - 7_000, since + 21_500), "paid")
    at = since + draw(15_000, 26_000)
    receipt = _receipt(desk, place.account, place.buyer, first + second, at, "allocated", f"{one} {other}")
    lines = [(one, first), (other, second)]
    instruction = _instruction(desk, place.buyer, receipt, 1, since + 14_000, "confirmed", lines)
    currency = desk.currency_of(place.merchant)
    for invoice, minor in lines:
        amount = {"minor": minor, "currency": currency}
        about = {"file": place.file, "receipt": receipt, "invoice": invoice}
        desk.records.add("allocation", **about, amount=amount, instruction=instruction, state="frozen")


def _add_invoices(desk: Desk) -> None:
    """Add what the four buyers owe: in the month, due first, and later."""
    case, own = desk.case, desk.roles["merchant"]
    rows = {
        "ordered": [
            ("ordered_1", 0, case.ordered[0], (-41_000, -1_400), "open"),
            ("ordered_2", 0, case.ordered[1], (-39_500, -900), "open"),
            ("ordered_3", 0, case.ordered[2], (-38_000, 2_200), "open"),
            ("confirmed_1", 1, case.confirmed[0], (-42_000, -2_500), "open"),
            ("confirmed_2", 1, case.confirmed[1], (-40_500, -700), "open"),
            ("confirmed_3", 1, case.confirmed[2], (-37_000, 3_100), "open"),
            ("short_invoice", 2, case.short.due, (-40_000, -1_100), "open"),
        ],
        "unguided": [
            ("disputed_invoice", 3, case.unguided[0], (-45_500, -6_000), "disputed"),
            ("unguided_late", 3, case.unguided[1], (-36_000, 1_900), "open"),
            ("unguided_first", 3, case.unguided[2], (-43_000, -3_200), "open"),
        ],
    }
    for part in ("unguided", "ordered") if case.unguided_first else ("ordered", "unguided"):
        for role, k, minor, times, state in rows[part]:
            desk.roles[role] = _invoice(desk, own, desk.buyers[k], minor, times, state)
    _invoice(desk, own, desk.buyers[4], 88_000, (-12_000, 31_000))
    _invoice(desk, own, desk.buyers[0], 265_000, (-4_000, 39_200))


def _add_receipts(desk: Desk) -> None:
    case, account = desk.case, desk.roles["settlement_account"]
    rows = (
        ("unguided_receipt", 3, case.unguided_paid, -9_300),
        ("ordered_receipt", 0, sum(case.ordered[:2]), -8_700),
        ("short_receipt", 2, case.short.due - case.short.rest, -8_100),
        ("confirmed_receipt", 1, sum(case.confirmed[:2]), -7_600),
    )
    for role, k, minor, at in rows:
        desk.roles[role] = _receipt(desk, account, desk.buyers[k], minor, at, "arrived", case.references[k])
    _receipt(desk, account, desk.buyers[4], 250_000, 320, "expected", "October collection")


def _add_instructions(desk: Desk) -> None:
    """Add what the buyers wanted, with versions that were replaced, withdrawn, or still have to be confirmed."""
    case, roles = desk.case, desk.roles
    ordered, confirmed = case.ordered, case.confirmed
    of_last_order = [("ordered_3", ordered[2]), ("ordered_1", sum(ordered[:2]) - ordered[2])]
    of_confirmed = [("confirmed_1", sum(confirmed[:2]) - confirmed[2]), ("confirmed_3", confirmed[2])]
    withdrawn = [
        ("confirmed_3", confirmed[2]),
        ("confirmed_2", confirmed[1]),
        ("confirmed_1", confirmed[0] - confirmed[2]),
    ]
    in_full = [("short_invoice", case.short.due - case.short.rest)]
    rows = (
        (
            "first_order",
            0,
            "ordered_receipt",
            1,
            -9_100,
            "confirmed",
            [("ordered_1", ordered[0]), ("ordered_2", ordered[1])],
        ),
        (
            "first_wish",
            1,
            "confirmed_receipt",
            1,
            -8_200,
            "received",
            [(f"confirmed_{k}", confirmed[k - 1]) for k in (1, 2)],
        ),
        ("last_order", 0, "ordered_receipt", 2, -7_950, "received", of_last_order),
        ("withdrawn_wish", 1, "confirmed_receipt", 3, -7_100, "withdrawn", withdrawn),
        ("short_wish", 2, "short_receipt", 1, -8_150, "received", in_full),
        ("last_wish", 1, "confirmed_receipt", 2, -7_400, "received", of_confirmed),
    )
    for role, k, receipt, version, at, state, lines in rows:
        named = [(roles[invoice], minor) for invoice, minor in lines]
        roles[role] = _instruction(desk, desk.buyers[k], roles[receipt], version, at, state, named)


def _add_open_months_of_others(desk: Desk) -> None:
    draw = desk.chance.randrange
    for k, number in ((0, 5), (0, 6), (1, 7), (2, 8), (2, 9)):
        merchant, account, buyer = desk.others[k], desk.other_accounts[k][0], desk.buyers[number]
        first, second = draw(52_000, 310_000, 500), draw(52_000, 310_000, 500)
        one = _invoice(desk, merchant, buyer, first, (-40_000, -500))
        other = _invoice(desk, merchant, buyer, second, (-38_500, 2_800))
        reference = f"{one} {other}"
        receipt = _receipt(desk, account, buyer, first + second, -7_000 - draw(2_000), "arrived", reference)
        _instruction(desk, buyer, receipt, 1, -9_000, "confirmed", [(one, first), (other, second)])

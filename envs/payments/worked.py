"""The worked examples of the documents: each is done on the engine, with the rules that its slot names in force.

    {{example release_proceeds R-REVIEW-FEE-USD-2 R-REVIEW-TIME-2}}

An example is worked for one small merchant, `data/payments/example.yaml`, on books that begin afresh for each case. The
rules that a slot names hold there for everyone and at every time, so that a superseded revision shows what it meant. A
slot that leaves out a rule that an act needs is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from ..core.data import packaged_text, parse
from ..core.errors import DataError
from .documents.edition import Example, Table
from .kernel.engine import Engine
from .kernel.money import Money
from .kernel.records import Id, by_kind
from .kernel.rules import BEGINNING, RuleBook, RuleRow
from .kernel.world import Base
from .modules.catalog import HANDLERS, TOOLS
from .records import KINDS
from .records.approvals import Action, Evidence
from .records.cash import Account
from .records.payouts import Method, Payout

CASH, RESERVE, FILED = Id("ACC-1"), "RSV-1", ("EVD-1", "EVD-2", "EVD-3")
_FREE = ("jurisdiction", "segment", "currency")
"""Dimensions of scope by which the example's merchant is told from others; what a slot names is for it."""
_DAY = 1_440
_Rows = tuple[RuleRow, ...]


class _Books:
    """The merchant's books under some rules, from minute 0."""

    def __init__(self, rows: _Rows) -> None:
        self._engine = Engine(_base(), RuleBook(map(_in_force, rows)), TOOLS, HANDLERS)

    def do(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must do it.

        Raises:
            DataError: It is refused, for example since the slot leaves out a rule.
        """
        event = self._engine.call(tool, arguments)
        if not event.ok:
            raise DataError(f"{tool} is refused with {event.code}: {event.result}")
        result: dict[str, Any] = event.result
        return result

    def wait(self, until: int) -> None:
        """Let time pass until a minute."""
        self._engine.run_until(until)

    @property
    def now(self) -> int:
        """The minute."""
        return self._engine.now

    @property
    def cash(self) -> Money:
        """What the merchant can dispose of."""
        return self._engine.world.get(Account, CASH).available

    def payout(self, payout_id: str) -> Payout:
        """Return a payout as it stands."""
        return self._engine.world.get(Payout, payout_id)

    def evidence(self, evidence_id: str) -> Evidence:
        """Return a paper as it was filed."""
        return self._engine.world.get(Evidence, evidence_id)

    def draft(self, amount: int, method: Method) -> str:
        """Draft a payout of an amount in minor units; return its id."""
        given = {"account": str(CASH), "beneficiary": "BEN-1", "method": method.value, "execute_at": self.now}
        return str(self.do("payout_draft", amount=_usd(amount), **given)["payout"])


@cache
def _base() -> Base:
    place = "payments/example.yaml"
    return Base(by_kind(KINDS, parse(packaged_text("payments", "example.yaml"), place), place))


def _in_force(row: RuleRow) -> RuleRow:
    scope = {name: value for name, value in row.scope.items() if name not in _FREE}
    always = {"effective_from": BEGINNING, "effective_to": None, "announced_at": None, "supersedes": None}
    return row.model_copy(update={**always, "scope": scope})


def _usd(minor: int) -> dict[str, Any]:
    return {"minor": minor, "currency": "USD"}


def release_proceeds(rows: _Rows) -> Table:
    """A reserve of USD 600.00 goes the way of a standard review: what is on the account, and after how long."""
    books = _Books(rows)
    told: list[tuple[Any, ...]] = []

    def note(act: str) -> None:
        told.append((act, books.now, books.cash))

    books.do("reserve_review_request", reserve=RESERVE, route="standard_review")
    given = {"officer": "OFF-1", "evidence": [], "scheduled_for": books.now}
    review = books.do("review_schedule", reserve=RESERVE, **given)["review"]
    note("review_schedule")
    ready_at = books.do("review_start", review=review, account=str(CASH))["ready_at"]
    note("review_start")
    books.wait(ready_at)
    books.do("review_decide", review=review, passed=True)
    note("review_decide")
    books.do("reserve_release", reserve=RESERVE, idempotency_key="example")
    note("reserve_release")
    columns = (("Done with", "tool"), ("After", "elapsed_minutes"), ("On the account", "cash"))
    return Table(columns, tuple(told))


def recall_quotes(rows: _Rows) -> Table:
    """Two quotes for one recall, an hour apart: what they state and until when they stand."""
    books = _Books(rows)
    payout = books.draft(25_000, Method.WIRE)
    told = []
    for quoted_at in (60, 120):
        books.wait(quoted_at)
        quote = books.do("fee_quote_issue", fee="recall", subject=payout, account=str(CASH))
        told.append((quoted_at, Money(quote["amount"]["minor"], books.cash.currency), quote["valid_until"]))
    return Table((("Quoted", "quoted_moment"), ("Fee", "fee"), ("Stands until", "until_moment")), tuple(told))


def payout_costs(rows: _Rows) -> Table:
    """A payout of USD 250.00 by each method: its fee, and what both take from the account."""
    told = []
    for method in (Method.WIRE, Method.INSTANT, Method.BATCH):
        books = _Books(rows)
        fee = books.payout(books.draft(25_000, method)).fee
        told.append((method.value, fee, Money(25_000, fee.currency) + fee))
    return Table((("Method", "method"), ("Fee", "fee"), ("Leaves the account", "cash")), tuple(told))


def run_cash(rows: _Rows) -> Table:
    """Three wires in one run from an account of USD 800.00, which does not cover all of them."""
    books = _Books(rows)
    run = books.do("payout_run_create", account=str(CASH), cut_off_at=240)["payout_run"]
    payouts = [books.draft(minor, Method.WIRE) for minor in (40_000, 50_000, 30_000)]
    for payout in payouts:
        books.do("payout_run_add", run=run, payout=payout)
    books.do("payout_run_lock", run=run)
    begins = books.now
    books.do("payout_run_execute", run=run, idempotency_key="example")
    told = []
    for place, payout in enumerate(payouts, 1):
        at = books.payout(payout).execute_at
        books.wait(at)
        told.append((place, books.payout(payout).amount, at - begins, books.payout(payout).state.value, books.cash))
    columns = (("Place", "place"), ("Amount", "amount"), ("Its turn after", "turn_minutes"), ("Then", "state"))
    return Table((*columns, ("On the account", "cash")), tuple(told))


def batch_times(rows: _Rows) -> Table:
    """Payouts that are queued around the minute of a batch: with which one they leave, and when they arrive."""
    told = []
    for queued_at in (1, 238, 240, 241):
        books = _Books(rows)
        payout = books.draft(25_000, Method.BATCH)
        books.wait(queued_at)
        leaves_at = books.do("payout_queue", payout=payout, idempotency_key="example")["execute_at"]
        while books.payout(payout).state.value != "settled":
            books.wait(books.now + 1)
        told.append((queued_at, leaves_at, books.now))
    columns = (("Queued", "queued_moment"), ("Leaves", "leaves_moment"), ("Arrives", "arrives_moment"))
    return Table(columns, tuple(told))


def recall_race(rows: _Rows) -> Table:
    """A wire that is recalled sooner or later: when the bank answers, what it cost, and whether the money is back."""
    told = []
    for asked_after in (15, 60, 150):
        books = _Books(rows)
        payout = books.draft(25_000, Method.WIRE)
        sent_at = books.now
        books.do("payout_send_now", payout=payout, idempotency_key="example")
        books.wait(sent_at + asked_after)
        before = books.cash
        answer_at = books.do("payout_recall", payout=payout)["answer_at"]
        fee = before - books.cash
        books.wait(answer_at)
        told.append((asked_after, answer_at - sent_at, fee, books.payout(payout).state.value))
    columns = (("Recalled after", "asked_minutes"), ("Answer after", "answer_minutes"), ("Fee", "fee"))
    return Table((*columns, ("The payout is then", "state")), tuple(told))


def approval_times(rows: _Rows) -> Table:
    """Two requests for approval in the same minute: the last minutes at which they hold."""
    books = _Books(rows)
    subjects = {Action.SEND_PAYOUT: books.draft(25_000, Method.WIRE), Action.RELEASE_RESERVE: RESERVE}
    told = []
    for action, subject in subjects.items():
        asked_at = books.now
        terms = {"action": action.value, "amount": _usd(25_000), "max_fee": _usd(0)}
        found = books.do("approval_request_open", customer="PTY-1", subject=subject, **terms)
        told.append((action.value, asked_at, found["valid_until"]))
    return Table((("Action", "action"), ("Asked", "asked_moment"), ("Holds until", "until_moment")), tuple(told))


def paper_lives(rows: _Rows) -> Table:
    """Papers of different kinds that were all issued three weeks ago: until when they are valid."""
    books = _Books(rows)
    told = []
    for evidence in FILED:
        books.do("evidence_submit", evidence=evidence, issued_at=-21 * _DAY)
        filed = books.evidence(evidence)
        told.append((filed.shows.value, filed.issued_at, filed.valid_until, filed.valid_until > books.now))
    columns = (("Paper", "shows"), ("Issued", "issued_moment"), ("Valid until", "until_moment"))
    return Table((*columns, ("Still valid", "valid")), tuple(told))


EXAMPLES: Mapping[str, Example] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            release_proceeds,
            recall_quotes,
            payout_costs,
            run_cash,
            batch_times,
            recall_race,
            approval_times,
            paper_lives,
        )
    }
)
"""The worked examples by name."""

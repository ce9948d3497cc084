"""The words that checks of payout runs are made of: what leaves, what is paid, who is told."""

from __future__ import annotations

from typing import Any

from .payout_case import Case
from .payout_world import CURRENCY, usd

Check = dict[str, Any]
_LEAVING = ["run_payout_leaves", "payout_leaves", "payout_send_now"]
LEAVES = {"event": _LEAVING, "where": {"eq": [{"result": "state"}, "sent"]}}
"""The event in which the money of any payout leaves."""


def _available(account: str) -> dict[str, Any]:
    return {"minus": [{"field": [account, "balance"]}, {"field": [account, "held"]}]}


AVAILABLE, SECOND_AVAILABLE = _available("ACC-1"), _available("ACC-5")
_SET_ASIDE = {"sum": ["hold", "amount"], "where": {"account": "ACC-1", "reason": "payout", "state": "active"}}
KEPT = {"plus": [AVAILABLE, _SET_ASIDE]}
"""What is kept on the settlement account: what is set aside on it for a promise has not left it."""


def check(identity: str, text: str, form: Check, *rules: str) -> Check:
    """Return a check as data; its class follows from its id."""
    kind = {"G": "goal", "P": "process", "F": "protection"}[identity[0]]
    return {"id": identity, "kind": kind, "text": text, "rules": list(rules), "form": form}


def state(record: str, wanted: str) -> Check:
    """A record is in a state."""
    return {"eq": [{"field": [record, "state"]}, wanted]}


def paid(*numbers: int) -> Check:
    """Bills are paid."""
    return {"all": [state(f"BIL-{each}", "paid") for each in numbers]}


def leaves(case: Case, number: int) -> Check:
    """The event in which the money for a bill leaves; all amounts of a case differ."""
    gone = [{"eq": [{"result": "amount"}, usd(case.debt(number).amount)]}, {"eq": [{"result": "state"}, "sent"]}]
    return {"event": _LEAVING, "where": {"all": gone}}


def notice(says: str, to: str) -> Check:
    """A notice is sent to a party."""
    return {"event": "notice_send", "where": {"all": [{"eq": [{"arg": "says"}, says]}, {"eq": [{"arg": "to"}, to]}]}}


def floor_of(case: Case) -> Check:
    """The cash floor that is in force for the merchant's settlement accounts."""
    return {"rule": "cash_floor", "subject": {"currency": CURRENCY, "segment": case.segment}}


def supplier(case: Case, number: int) -> str:
    """Return the id of the party to whom a bill is owed."""
    return f"PTY-{10 + case.debt(number).supplier}"

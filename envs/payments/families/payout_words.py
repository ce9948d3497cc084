"""The words that checks of payout runs are made of: what leaves, what is paid, who is told."""

from __future__ import annotations

from typing import Any

from .payout_case import Case
from .payout_world import usd

Check = dict[str, Any]
_LEAVING = ["run_payout_leaves", "payout_leaves", "payout_send_now"]
AVAILABLE = {"minus": [{"field": ["ACC-1", "balance"]}, {"field": ["ACC-1", "held"]}]}


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


def supplier(case: Case, number: int) -> str:
    """Return the id of the party to whom a bill is owed."""
    return f"PTY-{10 + case.debt(number).supplier}"

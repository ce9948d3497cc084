"""What the agent reads: the first observation, and results as text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from .documents.desk import Information, Library, Retrieval, handed_over
from .episode import LONGEST_WAIT_MINUTES
from .kernel.records import to_json
from .kernel.world import Base
from .modules.catalog import HANDLERS, TOOLS
from .records.cash import Account
from .tasks import PaymentTask
from .user.card import Paper
from .user.vocabulary import Reference, packaged
from .user.wording import said

ToolMode = Literal["search", "flat"]
_BY_SEARCH = (
    "The business tools are not listed here: search_tools finds them, describe_tool shows one with its arguments and "
    "error codes, call_tool calls it."
)
_LISTED = "The business tools that you may need are listed with the others; call them by their names."
_RULES = """\
You are a clerk of a payments company. A customer writes to you with a request. Do what it takes, by the company's \
rules, and finish.

How you act. Every turn is a tool call, as JSON: {{"name": "wait", "arguments": {{"until_minute": 30}}}}. {tools} \
{search}

Rules. The company's documents say what holds: policies, addenda of a country, procedures, memos, tool guides. Several \
versions may lie side by side; which one applies depends on the case and on the instant that the rule names. The \
systems refuse what is impossible. They do not refuse everything that a rule forbids: keeping to rules, consents and \
approvals is your work, and it counts at every moment, not only in the end.

Time. The clock counts minutes from 0. Acts take the minutes that describe_tool or the tool's description states, the \
customer takes time to answer, and other things happen by themselves: {events}. wait lets time pass, for an event \
without a minute no longer than {longest:,} minutes, a week. Each result says which minute it is and what has happened \
meanwhile. Amounts are integers of minor units, for example {{"minor": 5000, "currency": "USD"}} for USD 50.00.

The customer. message_user writes to them. Say in `asks` what you ask, in `statements` what you tell them, and in \
`refusals` what you refuse them: these count, the text is for courtesy. An ask has a kind (fact, choice, confirm, or \
approval with the id of a request) and a ref: a topic, a fact, or fact/record for one record's, such as \
fee_cap/RSV-1. What a customer has not been asked, you do not know; an approval is for the terms that were put to \
them and no others. A customer's patience ends: after some asks that lead nowhere (for what they have told already, \
or do not know, and a message that neither asks nor tells counts as one) they give up and answer no more.
{vocabulary}

The end. Call finish when everything is done, or when what is asked must be refused and you have refused it. Nothing \
counts unless you finish."""
_SEARCH: Mapping[str, str] = {
    "bm25": "search_documents finds documents, read_document shows one.",
    "none": "Documents cannot be searched here; read_document shows one whose id you know.",
}


@cache
def rules_text(tool_mode: ToolMode, retrieval: Retrieval) -> str:
    """Return how the company works and how to act, the same for every task."""
    return _RULES.format(
        tools=_BY_SEARCH if tool_mode == "search" else _LISTED,
        search=_SEARCH[retrieval],
        events=", ".join(sorted(HANDLERS)),
        longest=LONGEST_WAIT_MINUTES,
        vocabulary=packaged().guide(),
    )


def request_text(task: PaymentTask, library: Library, information: Information, base: Base) -> str:
    """Return the customer's request, and what is handed over with it.

    Raises:
        SettingError: There is no such way to inform, or a document does not exist.
    """
    held = " and ".join(task.duties)
    acting = f"You act for the company and hold the duties of {held}. " if held else ""
    opening = f"It is minute 0. {acting}Customer {task.customer} writes:\n\n{task.opener}"
    told = disclosures(task, base) if information == "full_disclosure" else None
    handed = handed_over(library, information, task.gold_documents, told)
    return f"{opening}\n\n{handed}" if handed else opening


def disclosures(task: PaymentTask, base: Base) -> dict[str, str]:
    """Return what the customer would tell if it were asked for everything at the start, by what it is about."""
    told: dict[str, str] = {}
    for known_id, known in task.script.known.items():
        kind = task.script.vocabulary.fact_kinds[known.kind]
        name = str(Reference(known.kind, known.subject))
        if isinstance(known, Paper):
            told[name] = "can be handed in"
        elif task.script.values_of(known_id):
            values = [said(each, kind.type) for each in task.script.values_of(known_id)]
            told[name] = ", or else ".join(dict.fromkeys(values))
        else:
            told[name] = _own(known.own, base) if hasattr(known, "own") and known.own else "unknown"
    return told


def _own(own: Sequence[str], base: Base) -> str:
    account = base.records[own[0]]
    assert isinstance(account, Account)
    return str(getattr(account, own[1]))


_ENCODER = json.JSONEncoder(ensure_ascii=False)


def as_text(value: Any) -> str:
    """Return a result as the agent reads it."""
    return _ENCODER.encode(value)


def document_text(found: Mapping[str, Any]) -> str:
    """Return a document, or a section of it, with the ids of its sections."""
    sections = ", ".join(each["id"] for each in found["sections"])
    return f"{found['text']}\n[sections of {found['id']}: {sections}]"


@cache
def tool_text(name: str) -> str:
    """Return a business tool with its arguments, error codes and duration."""
    tool = TOOLS[name]
    shown = {
        "name": name,
        "module": tool.module,
        "effect": tool.effect,
        "minutes": tool.minutes,
        "description": tool.description,
        "arguments": tool.parameters,
        "error_codes": list(tool.error_codes),
    }
    return as_text(to_json(shown))

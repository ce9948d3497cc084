"""Notices to parties, and cases that officers look into.

When a notice is due, and before which act, is not checked by any tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.records import Id, Text
from ..kernel.tools import BusinessTool, Context, business_tool, state_is
from ..records.approvals import Officer
from ..records.obligations import Case, CaseState, Notice, NoticeKind
from ..records.parties import Party, PartyState
from .acts import Note, told
from .conditions import demand, known
from .reads import reads_of

NOTICES, CASES = "notices", "cases"
UNACKNOWLEDGED = demand(
    "NOTICE_ACKNOWLEDGED",
    "notice",
    "it must not have been acknowledged",
    lambda c, g: not g["notice"].acknowledged,
)


@business_tool(
    module=NOTICES,
    minutes=1,
    pre=(
        demand(
            "PARTY_CLOSED",
            "to",
            "the party must still do business with the company",
            lambda c, g: g["to"].state is not PartyState.CLOSED,
        ),
        known("about"),
    ),
    writes=("notice+",),
)
def notice_send(ctx: Context, to: Party, says: NoticeKind, about: Id) -> dict[str, Any]:
    """Send a party a notice. Whether what it says is so is not checked.

    Args:
        to: Who gets it.
        says: What it says.
        about: The record that it is about.
    """
    notice = ctx.world.create(Notice, to=to.id, says=says, about=Id(about), sent_at=ctx.now, acknowledged=False)
    return told(notice, "sent_at")


@business_tool(
    module=NOTICES,
    minutes=1,
    pre=(
        UNACKNOWLEDGED,
        demand(
            "NOTICE_JUST_SENT",
            "notice",
            "it must have been sent before this minute",
            lambda c, g: g["notice"].sent_at < c.now,
        ),
    ),
    writes=("notice.sent_at",),
)
def notice_resend(ctx: Context, notice: Notice) -> dict[str, Any]:
    """Send a notice that was not acknowledged once more; from then on it counts as sent at this minute.

    Args:
        notice: The notice.
    """
    return told(ctx.world.update(notice, sent_at=ctx.now), "sent_at")


@business_tool(module=NOTICES, minutes=1, pre=(UNACKNOWLEDGED,), writes=("notice.acknowledged",))
def notice_acknowledge(ctx: Context, notice: Notice) -> dict[str, Any]:
    """Note that a party has acknowledged a notice.

    Args:
        notice: The notice.
    """
    return told(ctx.world.update(notice, acknowledged=True), "acknowledged")


def _case(case: Case) -> dict[str, Any]:
    return told(case, "state", "officer")


@business_tool(
    module=CASES,
    minutes=2,
    pre=(
        known("subject"),
        demand(
            "CASE_EXISTS",
            "subject",
            "there must be no case about it that is not closed",
            lambda c, g: all(each.state is CaseState.CLOSED for each in c.world.all(Case, subject=g["subject"])),
        ),
    ),
    writes=("case+",),
)
def case_open(ctx: Context, subject: Id, note: Note) -> dict[str, Any]:
    """Open a case about something that an officer has to look into.

    Args:
        subject: The record that it is about.
        note: What there is to look into, for the officer.
    """
    case = ctx.world.create(
        Case,
        subject=Id(subject),
        officer=None,
        opened_at=ctx.now,
        closed_at=None,
        state=CaseState.OPEN,
        note=Text(note),
    )
    return _case(case)


@business_tool(
    module=CASES,
    minutes=1,
    pre=(
        state_is("case", CaseState.OPEN, CaseState.ASSIGNED, code="CASE_CLOSED"),
        demand(
            "OFFICER_UNCHANGED",
            "officer",
            "it must be another officer than before",
            lambda c, g: g["officer"].id != g["case"].officer,
        ),
    ),
    writes=("case.officer", "case.state"),
)
def case_assign(ctx: Context, case: Case, officer: Officer) -> dict[str, Any]:
    """Give a case to an officer, or to another one. Whether it is of the officer's duty is not checked.

    Args:
        case: The case.
        officer: Who looks into it.
    """
    return _case(ctx.world.update(case, officer=officer.id, state=CaseState.ASSIGNED))


@business_tool(
    module=CASES,
    minutes=1,
    pre=(state_is("case", CaseState.ASSIGNED),),
    writes=("case.state", "case.closed_at"),
)
def case_close(ctx: Context, case: Case) -> dict[str, Any]:
    """Close a case that an officer has looked into.

    Args:
        case: The case.
    """
    return _case(ctx.world.update(case, state=CaseState.CLOSED, closed_at=ctx.now))


@business_tool(
    module=CASES,
    minutes=1,
    pre=(
        state_is("case", CaseState.CLOSED),
        demand(
            "CASE_EXISTS",
            "case",
            "there must be no other case about the same that is not closed",
            lambda c, g: all(each.state is CaseState.CLOSED for each in c.world.all(Case, subject=g["case"].subject)),
        ),
    ),
    writes=("case.state", "case.closed_at", "case.officer"),
)
def case_reopen(ctx: Context, case: Case) -> dict[str, Any]:
    """Open a closed case again; an officer has to be found for it anew.

    Args:
        case: The case.
    """
    return _case(ctx.world.update(case, state=CaseState.OPEN, closed_at=None, officer=None))


TOOLS: tuple[BusinessTool, ...] = (
    notice_send,
    notice_resend,
    notice_acknowledge,
    *reads_of(Notice, NOTICES),
    case_open,
    case_assign,
    case_close,
    case_reopen,
    *reads_of(Case, CASES),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

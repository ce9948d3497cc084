"""Commitments: what someone has promised to someone, by a minute.

No tool keeps anyone from breaking a promise, and the notice that an amendment needs is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Id
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, positive, state_is
from ..records.obligations import Commitment, CommitmentKind, CommitmentState
from ..records.parties import Party
from .acts import currency_of, differ, told
from .conditions import Minute, demand, known, not_past
from .reads import reads_of

MODULE = "commitments"
ACTIVE: Precondition = state_is("commitment", CommitmentState.ACTIVE)


def _shown(commitment: Commitment) -> dict[str, Any]:
    return told(commitment, "state", "amount", "by")


def _stands(ctx: Context, given: Mapping[str, Any]) -> bool:
    same = ctx.world.all(
        Commitment,
        debtor=given["debtor"].id,
        creditor=given["creditor"].id,
        promise=given["promise"],
        about=given["about"],
    )
    return any(each.state is CommitmentState.ACTIVE for each in same)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        differ("debtor", "creditor"),
        known("about"),
        positive("amount"),
        not_past("by"),
        demand(
            "COMMITMENT_STANDS",
            "about",
            "no promise of this kind between the two about this may stand; amend it instead",
            lambda c, g: not _stands(c, g),
        ),
    ),
    writes=("commitment+",),
)
def commitment_record(
    ctx: Context, debtor: Party, creditor: Party, promise: CommitmentKind, about: Id, amount: Money, by: Minute
) -> dict[str, Any]:
    """Record what a party has promised to another.

    Args:
        debtor: Who has promised.
        creditor: To whom.
        promise: To pay by a minute, to keep a balance until then, or not to recall a payment.
        about: The bill, account or payment that it is about.
        amount: How much.
        by: Minute by which, or until which, the promise binds.
    """
    commitment = ctx.world.create(
        Commitment,
        debtor=debtor.id,
        creditor=creditor.id,
        promise=promise,
        about=Id(about),
        amount=amount,
        by=by,
        state=CommitmentState.ACTIVE,
    )
    return _shown(commitment)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        ACTIVE,
        positive("amount"),
        currency_of("commitment", "amount", "amount"),
        not_past("by"),
        demand(
            "COMMITMENT_UNCHANGED",
            "commitment",
            "the amount or the minute must be another than before",
            lambda c, g: (g["amount"], g["by"]) != (g["commitment"].amount, g["commitment"].by),
        ),
    ),
    writes=("commitment.amount", "commitment.by"),
)
def commitment_amend(ctx: Context, commitment: Commitment, amount: Money, by: Minute) -> dict[str, Any]:
    """Change the amount or the minute of a promise. Whether the creditor agrees, and had notice, is not checked.

    Args:
        commitment: The promise.
        amount: How much it is about now.
        by: Minute by which, or until which, it binds now.
    """
    return _shown(ctx.world.update(commitment, amount=amount, by=by))


@business_tool(module=MODULE, minutes=1, pre=(ACTIVE,), writes=("commitment.state",))
def commitment_fulfil(ctx: Context, commitment: Commitment) -> dict[str, Any]:
    """Note that a promise has been kept. Whether it has is not checked.

    Args:
        commitment: The promise.
    """
    return _shown(ctx.world.update(commitment, state=CommitmentState.KEPT))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        ACTIVE,
        demand(
            "NOT_THE_CREDITOR",
            "released_by",
            "only the party to whom the promise was made can release the debtor",
            lambda c, g: g["released_by"].id == g["commitment"].creditor,
        ),
    ),
    writes=("commitment.state",),
)
def commitment_release(ctx: Context, commitment: Commitment, released_by: Party) -> dict[str, Any]:
    """Record that the creditor has released the debtor from a promise.

    Args:
        commitment: The promise.
        released_by: The creditor, who says so.
    """
    return _shown(ctx.world.update(commitment, state=CommitmentState.RELEASED))


TOOLS: tuple[BusinessTool, ...] = (
    commitment_record,
    commitment_amend,
    commitment_fulfil,
    commitment_release,
    *reads_of(Commitment, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

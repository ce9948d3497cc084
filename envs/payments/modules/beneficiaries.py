"""Beneficiaries: whom a merchant may pay, and what their banks say of the names.

Whether a name has been checked, and with which answer, is not looked at when a beneficiary is activated or paid. Rule
keys:

    name_check_minutes   minutes, anchor request: how long the beneficiary's bank takes to answer; scope product
                         (beneficiary), jurisdiction and segment of the beneficiary; read by check_name
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.records import Code, Text
from ..kernel.tools import BusinessTool, Context, business_tool, state_is
from ..records.parties import Party, PartyRole
from ..records.payouts import Beneficiary, BeneficiaryState, NameCheck
from .acts import role_is, told
from .conditions import demand
from .reads import reads_of
from .tariff import duration

MODULE = "beneficiaries"
CHECKED = "name_check_answered"
AccountNumber = Annotated[
    str, Field(min_length=4, max_length=34, pattern=r"^[A-Z0-9]+$", examples=["SG0042117730", "DE8810050000"])
]
"""An account number or IBAN: 4 to 34 capital letters and digits."""

Name = Annotated[str, Field(min_length=1, max_length=140)]
"""A name as on a payment order (ISO 20022: at most 140 characters)."""


def compare_names(given: str, real: str) -> NameCheck:
    """Compare the name on an order with the one that the bank has: the same words, some of them, or none.

    Args:
        given: As the merchant wrote it.
        real: As the account's holder is called; upper and lower case, full stops and commas make no difference.
    """
    words, held = (_words(each) for each in (given, real))
    if words == held:
        return NameCheck.MATCH
    return NameCheck.CLOSE_MATCH if set(words) & set(held) else NameCheck.NO_MATCH


def _words(name: str) -> list[str]:
    return name.casefold().replace(".", " ").replace(",", " ").split()


def _shown(beneficiary: Beneficiary) -> dict[str, Any]:
    return told(beneficiary, "state", "name_check")


NO_CHECK_PENDING = demand(
    "NAME_CHECK_PENDING",
    "beneficiary",
    "the bank must have answered the name check that is under way",
    lambda c, g: g["beneficiary"].name_check is not NameCheck.PENDING,
)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        role_is("merchant", PartyRole.MERCHANT),
        demand(
            "BENEFICIARY_EXISTS",
            "account_number",
            "the merchant must not have this account of the party among its beneficiaries already",
            lambda c, g: (
                not any(
                    each.account_number == g["account_number"]
                    for each in c.world.all(Beneficiary, merchant=g["merchant"].id, party=g["party"].id)
                )
            ),
        ),
    ),
    writes=("beneficiary+",),
)
def beneficiary_add(
    ctx: Context, merchant: Party, party: Party, name: Name, account_number: AccountNumber
) -> dict[str, Any]:
    """Add someone whom a merchant wants to pay. They can be paid once activated.

    Args:
        merchant: Who pays.
        party: Who is paid.
        name: As it is to stand on payment orders.
        account_number: Where the money goes.
    """
    beneficiary = ctx.world.create(
        Beneficiary,
        merchant=merchant.id,
        party=party.id,
        account_number=Code(account_number),
        name_check=NameCheck.NONE,
        checked_at=None,
        state=BeneficiaryState.NEW,
        name=Text(name),
    )
    return _shown(beneficiary)


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("beneficiary", BeneficiaryState.NEW, BeneficiaryState.ACTIVE, code="BENEFICIARY_BLOCKED"),
        NO_CHECK_PENDING,
    ),
    writes=("beneficiary.name_check",),
    rule_keys=("name_check_minutes",),
)
def beneficiary_check_name(ctx: Context, beneficiary: Beneficiary) -> dict[str, Any]:
    """Ask the beneficiary's bank whether name and account belong together; the answer comes later.

    Args:
        beneficiary: The beneficiary.
    """
    after = ctx.world.update(beneficiary, name_check=NameCheck.PENDING)
    return {**_shown(after), "answer_at": _schedule_answer(ctx, after)}


def _schedule_answer(ctx: Context, beneficiary: Beneficiary) -> int:
    answer_at = ctx.now + duration(ctx, "name_check_minutes", beneficiary.party, "beneficiary")
    asked = {"account_number": str(beneficiary.account_number), "name": str(beneficiary.name)}
    ctx.clock.schedule(answer_at, CHECKED, {"beneficiary": str(beneficiary.id), **asked})
    return answer_at


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(state_is("beneficiary", BeneficiaryState.NEW), NO_CHECK_PENDING),
    writes=("beneficiary.state",),
)
def beneficiary_activate(ctx: Context, beneficiary: Beneficiary) -> dict[str, Any]:
    """Let a new beneficiary be paid. What the bank said of the name, if it was asked, is not looked at.

    Args:
        beneficiary: The beneficiary.
    """
    return _shown(ctx.world.update(beneficiary, state=BeneficiaryState.ACTIVE))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(state_is("beneficiary", BeneficiaryState.NEW, BeneficiaryState.ACTIVE, code="BENEFICIARY_BLOCKED"),),
    writes=("beneficiary.state",),
)
def beneficiary_block(ctx: Context, beneficiary: Beneficiary) -> dict[str, Any]:
    """Block a beneficiary: nothing new is sent to it, and the bank returns what is on its way.

    Args:
        beneficiary: The beneficiary.
    """
    return _shown(ctx.world.update(beneficiary, state=BeneficiaryState.BLOCKED))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(state_is("beneficiary", BeneficiaryState.BLOCKED),),
    writes=("beneficiary.state", "beneficiary.name_check", "beneficiary.checked_at"),
)
def beneficiary_unblock(ctx: Context, beneficiary: Beneficiary) -> dict[str, Any]:
    """Lift the block of a beneficiary, which is then as new: its name is unchecked and it has to be activated.

    Args:
        beneficiary: The beneficiary.
    """
    return _shown(_as_new(ctx, beneficiary))


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("beneficiary", BeneficiaryState.NEW, BeneficiaryState.ACTIVE, code="BENEFICIARY_BLOCKED"),
        NO_CHECK_PENDING,
        demand(
            "ACCOUNT_UNCHANGED",
            "account_number",
            "it must be another account than before",
            lambda c, g: g["account_number"] != g["beneficiary"].account_number,
        ),
    ),
    writes=("beneficiary.account_number", "beneficiary.state", "beneficiary.name_check", "beneficiary.checked_at"),
)
def beneficiary_change_account(ctx: Context, beneficiary: Beneficiary, account_number: AccountNumber) -> dict[str, Any]:
    """Change the account of a beneficiary, which is then as new. Payouts on their way go to the old account.

    Who asked for the change, and whether they may, is not checked.

    Args:
        beneficiary: The beneficiary.
        account_number: Where the money goes from now on.
    """
    after = ctx.world.update(beneficiary, account_number=Code(account_number))
    return {**_shown(_as_new(ctx, after)), "account_number": account_number}


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("beneficiary", BeneficiaryState.NEW, BeneficiaryState.ACTIVE, code="BENEFICIARY_BLOCKED"),
        NO_CHECK_PENDING,
    ),
    writes=("beneficiary.name", "beneficiary.name_check", "beneficiary.checked_at"),
)
def beneficiary_rename(ctx: Context, beneficiary: Beneficiary, name: Name) -> dict[str, Any]:
    """Correct the name of a beneficiary as it stands on payment orders. The check of the old name no longer counts.

    Args:
        beneficiary: The beneficiary; if it is active, it stays so.
        name: As it is to stand on payment orders.
    """
    after = ctx.world.update(beneficiary, name=Text(name), name_check=NameCheck.NONE, checked_at=None)
    return _shown(after)


def _as_new(ctx: Context, beneficiary: Beneficiary) -> Beneficiary:
    return ctx.world.update(beneficiary, state=BeneficiaryState.NEW, name_check=NameCheck.NONE, checked_at=None)


def checked(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Take the bank's answer to a name check, unless it is about what the beneficiary was before."""
    beneficiary = ctx.world.get(Beneficiary, payload["beneficiary"])
    asked = (payload["account_number"], payload["name"])
    if beneficiary.name_check is NameCheck.PENDING and asked == (beneficiary.account_number, beneficiary.name):
        holder = ctx.world.get(Party, beneficiary.party)
        answer = compare_names(payload["name"], holder.name)
        beneficiary = ctx.world.update(beneficiary, name_check=answer, checked_at=ctx.now)
    return _shown(beneficiary)


def opening(ctx: Context) -> None:
    """Put the answers to the name checks that are under way when an episode begins on the queue."""
    for beneficiary in ctx.world.all(Beneficiary, name_check=NameCheck.PENDING):
        _schedule_answer(ctx, beneficiary)


TOOLS: tuple[BusinessTool, ...] = (
    beneficiary_add,
    beneficiary_check_name,
    beneficiary_activate,
    beneficiary_block,
    beneficiary_unblock,
    beneficiary_change_account,
    beneficiary_rename,
    *reads_of(Beneficiary, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {CHECKED: (Actor.COUNTERPARTY, checked)}

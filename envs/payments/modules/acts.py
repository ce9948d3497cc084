"""What acts on accounts and receivables have in common: preconditions on amounts and minutes, and their results."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from ...core.errors import ToolRefused
from ..kernel.money import Currency
from ..kernel.records import Record, to_json
from ..kernel.rules import Resolved
from ..kernel.tools import Context, Precondition
from ..records.approvals import Action
from ..records.parties import PartyRole

Note = Annotated[str, Field(max_length=500)]
"""What the clerk writes for people; never graded."""


def told(record: Record, *names: str) -> dict[str, Any]:
    """Return a record's id under the name of its kind, and some of its fields, as JSON values."""
    return {record.kind: str(record.id), **{name: to_json(getattr(record, name)) for name in names}}


def ahead(argument: str) -> Precondition:
    """Demand a minute that is still to come."""
    return Precondition(
        code=f"{argument}_NOT_AHEAD".upper(),
        field=argument,
        message="the minute must lie ahead",
        holds=lambda ctx, given: given[argument] > ctx.now,
    )


def later(argument: str, record: str, field: str) -> Precondition:
    """Demand a minute later than the one that a record has now."""
    return Precondition(
        code=f"{argument}_NOT_LATER".upper(),
        field=argument,
        message=f"the minute must be later than the {record}'s {field}",
        holds=lambda ctx, given: given[argument] > getattr(given[record], field),
    )


def differ(one: str, other: str) -> Precondition:
    """Demand two different records."""
    return Precondition(
        code=f"{other}_IS_{one}".upper(),
        field=other,
        message=f"it must be another one than the {one}",
        holds=lambda ctx, given: given[one].id != given[other].id,
    )


def alike(one: str, other: str, field: str) -> Precondition:
    """Demand that two records have the same value of a field that both have."""
    return Precondition(
        code=f"{other}_OF_OTHER_{field}".upper(),
        field=other,
        message=f"its {field} must be that of the {one}",
        holds=lambda ctx, given: getattr(given[one], field) == getattr(given[other], field),
    )


def role_is(argument: str, role: PartyRole) -> Precondition:
    """Demand a party of a role."""
    return Precondition(
        code=f"{argument}_NOT_{role.value}".upper(),
        field=argument,
        message=f"the party must be a {role.value}",
        holds=lambda ctx, given: given[argument].role is role,
    )


def currency_of(record: str, field: str, amount: str) -> Precondition:
    """Demand that an amount is in the currency of a record's field."""
    return Precondition(
        code="CURRENCY_MISMATCH",
        field=amount,
        message=f"it must be in the currency of the {record}",
        holds=lambda ctx, given: given[amount].currency is getattr(given[record], field).currency,
    )


def at_most(amount: str, record: str, field: str, code: str) -> Precondition:
    """Demand that an amount does not exceed a record's field of the same currency."""
    return Precondition(
        code=code,
        field=amount,
        message=f"it must not exceed the {record}'s {field.replace('_', ' ')}",
        holds=lambda ctx, given: given[amount] <= getattr(given[record], field),
    )


def part_of(amount: str, record: str, field: str) -> Precondition:
    """Demand that an amount is less than a record's field of the same currency."""
    return Precondition(
        code="NOT_A_PART",
        field=amount,
        message=f"it must be less than the {record}'s {field.replace('_', ' ')}",
        holds=lambda ctx, given: given[amount] < getattr(given[record], field),
    )


def approval_fits(argument: str, subject: str, action: Action) -> tuple[Precondition, Precondition]:
    """Demand that an approval, where one is named, is of this action on this record; its state and terms are policy."""
    return (
        Precondition(
            code="APPROVAL_KIND",
            field=argument,
            message=f"it must be a request to {action.value.replace('_', ' ')}",
            holds=lambda ctx, given: given[argument] is None or given[argument].action is action,
        ),
        Precondition(
            code="APPROVAL_SUBJECT",
            field=argument,
            message=f"it must be about the {subject} given",
            holds=lambda ctx, given: given[argument] is None or given[argument].subject == given[subject].id,
        ),
    )


def amount_rule(ctx: Context, key: str, case: dict[str, str], currency: Currency, at: int | None = None) -> Resolved:
    """Return the amount of a rule for a case and a currency, which is a dimension of scope of every amount.

    Raises:
        ToolRefused: `NO_RULE_FOR_CURRENCY`: the rule states an amount in another currency only.
    """
    found = ctx.resolve(key, {**case, "currency": currency.value}, at)
    if found.value.currency is not currency:
        raise ToolRefused("NO_RULE_FOR_CURRENCY", f"{key} is stated in {found.value.currency}, not in {currency}")
    return found

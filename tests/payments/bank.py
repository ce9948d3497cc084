"""A bank so small that everything in it can be checked by hand: accounts, transfers, holds and two rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from bizgym.envs.core.errors import ToolRefused
from bizgym.envs.payments.kernel.engine import Engine
from bizgym.envs.payments.kernel.events import Actor
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.records import Id, Record, Text
from bizgym.envs.payments.kernel.rules import RuleBook, RuleRow
from bizgym.envs.payments.kernel.tools import Context, business_tool, positive, state_is
from bizgym.envs.payments.kernel.world import Base


class AccountState(StrEnum):
    OPEN = "open"
    FROZEN = "frozen"


class Speed(StrEnum):
    INSTANT = "instant"
    BATCH = "batch"


@dataclass(frozen=True, slots=True)
class Account(Record):
    kind: ClassVar[str] = "account"
    prefix: ClassVar[str] = "ACC"

    balance: Money
    state: AccountState
    note: Text


@dataclass(frozen=True, slots=True)
class Transfer(Record):
    kind: ClassVar[str] = "transfer"
    prefix: ClassVar[str] = "TRF"

    source: Id
    target: Id
    amount: Money
    arrived: bool


KINDS = {kind.kind: kind for kind in (Account, Transfer)}
FLOOR = RuleRow.model_validate(
    {
        "id": "R-FLOOR-1",
        "key": "cash_floor",
        "value": {"minor": 1_000, "currency": "USD"},
        "authority": "global_policy",
        "anchor": "execution",
        "enforced": "policy",
        "rationale": "Some cash stays for refunds.",
    }
)
LIMIT = RuleRow.model_validate(
    {
        "id": "R-LIMIT-1",
        "key": "transfer_limit",
        "value": {"minor": 50_000, "currency": "USD"},
        "authority": "global_policy",
        "anchor": "execution",
        "enforced": "system",
        "rationale": "Large transfers go through another desk.",
    }
)
BATCH_MINUTES = 60


def usd(minor: int) -> Money:
    return Money(minor, Currency.USD)


@business_tool(module="accounts")
def account_get(ctx: Context, account: Account) -> dict[str, Any]:
    """Show an account.

    Args:
        account: The account.
    """
    return {"balance": account.balance.to_json(), "state": account.state.value}


@business_tool(
    module="accounts",
    minutes=5,
    pre=(state_is("source", AccountState.OPEN), positive("amount")),
    writes=("account.balance", "transfer+", "transfer.arrived"),
    rule_keys=("transfer_limit", "cash_floor"),
)
def transfer_send(ctx: Context, source: Account, target: Account, amount: Money, speed: Speed) -> dict[str, Any]:
    """Send money from one account to another.

    Args:
        source: Where it is taken from.
        target: Where it goes to.
        amount: How much.
        speed: At once, or with the next batch.
    """
    limit = ctx.resolve("transfer_limit", {})
    ctx.enforce(limit, amount <= limit.value, "OVER_LIMIT", f"amount: at most {limit.value}")
    floor = ctx.resolve("cash_floor", {})
    ctx.enforce(floor, source.balance - amount >= floor.value, "BELOW_FLOOR", "amount: leaves less than the floor")
    if source.balance < amount:
        raise ToolRefused("INSUFFICIENT_FUNDS", f"amount: the balance is {source.balance}")
    ctx.world.update(source, balance=source.balance - amount)
    transfer = ctx.world.create(Transfer, source=source.id, target=target.id, amount=amount, arrived=False)
    wait = 0 if speed is Speed.INSTANT else BATCH_MINUTES
    ctx.clock.schedule(ctx.now + wait, "transfer_arrives", {"transfer": transfer.id})
    return {"transfer": transfer.id}


@business_tool(module="accounts", minutes=1, writes=("account.state",))
def account_close(ctx: Context, account: Account) -> dict[str, Any]:
    """Close an account, badly: it also empties it, which it does not declare.

    Args:
        account: The account.
    """
    ctx.world.update(account, state=AccountState.FROZEN, balance=usd(0))
    return {}


@business_tool(module="accounts", minutes=1, writes=("account.balance",))
def account_break(ctx: Context, account: Account) -> dict[str, Any]:
    """Change something and set something going, and only then find out that it may not.

    Args:
        account: The account.
    """
    ctx.world.update(account, balance=usd(1))
    made = ctx.world.create(Transfer, source=account.id, target=account.id, amount=usd(1), arrived=False)
    ctx.clock.schedule(ctx.now + 3, "transfer_arrives", {"transfer": made.id})
    raise ToolRefused("TOO_LATE", "account: found out too late")


def arrive(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    transfer = ctx.world.get(Transfer, payload["transfer"])
    target = ctx.world.get(Account, transfer.target)
    ctx.world.update(target, balance=target.balance + transfer.amount)
    ctx.world.update(transfer, arrived=True)
    return {"transfer": transfer.id}


TOOLS = {tool.name: tool for tool in (account_get, transfer_send, account_close, account_break)}
BASE = Base(
    [
        Account(Id("ACC-1"), usd(10_000), AccountState.OPEN, Text("")),
        Account(Id("ACC-2"), usd(0), AccountState.OPEN, Text("")),
        Account(Id("ACC-7"), usd(500), AccountState.FROZEN, Text("under review")),
    ]
)


def engine(**options: Any) -> Engine:
    handlers = {"transfer_arrives": (Actor.CLOCK, arrive)}
    return Engine(BASE, RuleBook([FLOOR, LIMIT]), TOOLS, handlers, **options)


def send(minor: int = 2_500, **changes: Any) -> dict[str, Any]:
    amount = {"minor": minor, "currency": "USD"}
    return {"source": "ACC-1", "target": "ACC-2", "amount": amount, "speed": "instant", **changes}

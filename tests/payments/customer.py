"""The bank of bank.py with a customer: offers to approve, approvals, consents and papers, each a kind of record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

import yaml
from bizgym.envs.payments.kernel.engine import Engine
from bizgym.envs.payments.kernel.events import Actor
from bizgym.envs.payments.kernel.money import Money
from bizgym.envs.payments.kernel.records import Code, Id, Record
from bizgym.envs.payments.kernel.rules import RuleBook
from bizgym.envs.payments.kernel.tools import Context, business_tool
from bizgym.envs.payments.kernel.world import World
from bizgym.envs.payments.user.card import Card
from bizgym.envs.payments.user.conversation import Conversation
from bizgym.envs.payments.user.desk import Request
from bizgym.envs.payments.user.messages import Ask, Refusal, Statement
from bizgym.envs.payments.user.script import Script
from bizgym.envs.payments.user.scripted import ScriptedDriver
from bizgym.envs.payments.user.vocabulary import packaged

from tests.payments.bank import BASE, FLOOR, LIMIT, TOOLS, Account, arrive, usd
from tests.payments.bank import KINDS as BANK_KINDS


class Purpose(StrEnum):
    TRANSFER = "transfer"
    FEE = "fee"


class State(StrEnum):
    OPEN = "open"
    GRANTED = "granted"
    REJECTED = "rejected"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Offer(Record):
    kind: ClassVar[str] = "offer"
    prefix: ClassVar[str] = "REQ"

    purpose: Purpose
    target: Id
    fee: Money
    state: State
    done: bool


@dataclass(frozen=True, slots=True)
class Approval(Record):
    kind: ClassVar[str] = "approval"
    prefix: ClassVar[str] = "APV"

    offer: Id
    terms: Code
    state: State


@dataclass(frozen=True, slots=True)
class Consent(Record):
    kind: ClassVar[str] = "consent"
    prefix: ClassVar[str] = "CON"

    subject: Code
    cap: Money
    state: State


@dataclass(frozen=True, slots=True)
class Evidence(Record):
    kind: ClassVar[str] = "evidence"
    prefix: ClassVar[str] = "EVD"

    shows: Code
    subject: Code
    valid_until: int


@business_tool(module="offers", minutes=1, writes=("offer+",))
def offer_make(ctx: Context, purpose: Purpose, target: Account, fee: Money) -> dict[str, Any]:
    """Put terms to the customer.

    Args:
        purpose: What is offered.
        target: For which account.
        fee: At which fee.
    """
    made = ctx.world.create(Offer, purpose=purpose, target=target.id, fee=fee, state=State.OPEN, done=False)
    return {"offer": made.id}


@business_tool(module="offers", writes=("offer.fee",))
def offer_change(ctx: Context, offer: Offer, fee: Money) -> dict[str, Any]:
    """Change the fee of an offer.

    Args:
        offer: The offer.
        fee: The new fee.
    """
    ctx.world.update(offer, fee=fee)
    return {}


@business_tool(module="offers", minutes=2, writes=("offer.done",))
def offer_carry_out(ctx: Context, offer: Offer) -> dict[str, Any]:
    """Do what was offered.

    Args:
        offer: The offer.
    """
    ctx.world.update(offer, done=True)
    return {}


class BankDesk:
    request_terms: Mapping[str, Sequence[str]] = {each.value: ("target", "fee") for each in Purpose}
    paper_fields: Mapping[str, Any] = {"valid_until": int}

    def request(self, world: World, request_id: str, now: int) -> Request | None:
        found = world.find(request_id)
        if not isinstance(found, Offer):
            return None
        terms = {"target": found.target, "fee": found.fee}
        return Request(found.id, found.purpose.value, found.state is State.OPEN, terms)

    def outstanding(self, world: World, now: int) -> Sequence[str]:
        return [each.id for each in world.all(Offer, state=State.GRANTED, done=False) if each.purpose != "fee"]

    def own_account(self, world: World, account_id: str) -> Mapping[str, Any]:
        account = world.get(Account, account_id)
        return {"balance": account.balance, "state": account.state}

    def approve(self, ctx: Context, request_id: str, digest: str) -> str:
        ctx.world.update(ctx.world.get(Offer, request_id), state=State.GRANTED)
        return ctx.world.create(Approval, offer=Id(request_id), terms=Code(digest), state=State.GRANTED).id

    def reject(self, ctx: Context, request_id: str, reason: str) -> None:
        ctx.world.update(ctx.world.get(Offer, request_id), state=State.REJECTED)

    def set_consent_cap(self, ctx: Context, subject: str, cap: Money, request_id: str | None) -> str:
        if request_id is not None:
            ctx.world.update(ctx.world.get(Offer, request_id), state=State.GRANTED)
        return ctx.world.create(Consent, subject=Code(subject), cap=cap, state=State.GRANTED).id

    def revoke_consent(self, ctx: Context, subject: str) -> Sequence[str]:
        standing = list(ctx.world.all(Consent, subject=subject, state=State.GRANTED))
        return [ctx.world.update(each, state=State.REVOKED).id for each in standing]

    def supply_evidence(self, ctx: Context, kind: str, subject: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        paper = ctx.world.create(Evidence, shows=Code(kind), subject=Code(subject), **fields)
        return {"record": str(paper.id)}


KINDS = {**BANK_KINDS, **{kind.kind: kind for kind in (Offer, Approval, Consent, Evidence)}}
RULES = RuleBook([FLOOR, LIMIT])
SIXTY = {"minor": 6_000, "currency": "USD"}
CARD = """
opening: Please pay our supplier from ACC-1. We are in a hurry.
persona: The bookkeeper of a small shop.
latency_minutes: 2
patience: 3
accounts: [ACC-1]
facts:
  - {id: supplier, kind: beneficiary, value: ACC-2, disclose: open, say: "The supplier's account is {value}."}
  - {id: cap, kind: fee_cap, subject: ACC-1, value: {minor: 5050, currency: USD}, disclose: on_specific_ask}
  - {id: bearer, kind: fee_bearer, value: shared_equally, say: "Fees are {value}."}
  - {id: tolerance, kind: rate_tolerance, value: 275, disclose: on_ask}
  - {id: balance, kind: own_balance, own: [ACC-1, balance], disclose: on_specific_ask}
  - {id: due, kind: payment_deadline, value: 540, disclose: after_event, after: {event: offer_make}}
wishes:
  - id: speed
    kind: payment_speed
    request: payout
    preferences:
      - value: instant
        until: {event: told_user, where: {all: [{eq: [{arg: fact}, payment_speed]}, {ne: [{arg: value}, instant]}]}}
      - {value: batch}
papers:
  - {id: first_mandate, kind: signed_mandate, disclose: on_ask, record: {valid_until: 30}}
  - {id: second_mandate, kind: signed_mandate, disclose: on_ask, record: {valid_until: 9000}}
policies:
  - request: transfer
    approve: {all: [{le: [{term: fee}, {fact: cap}]}, {eq: [{term: target}, {fact: supplier}]}]}
    rejections:
      - {when: {ne: [{term: target}, {fact: supplier}]}, reason: wrong_beneficiary, say: That is not who we owe.}
    otherwise: fee_too_high
  - request: fee
    approve: {le: [{term: fee}, {fact: cap}]}
    otherwise: fee_too_high
    consent: {subject: target, cap: fee}
changes:
  - id: pays_more
    when: {event: asked_user, where: {all: [{eq: [{arg: request}, fee]}, {eq: [{arg: [terms, fee]}, SIXTY]}]}}
    latency_minutes: 9
    facts: {cap: SIXTY}
    say: We have talked it over and can pay more.
  - id: distrust
    when: {event: account_close}
    revoke: [ACC-2]
satisfied: {eq: [{count: offer, where: {done: true}}, 1]}
""".replace("SIXTY", "{minor: 6000, currency: USD}")
PARSED = yaml.safe_load(CARD)


def script(**changes: Any) -> Script:
    card = Card.model_validate({**PARSED, **changes})
    return Script(card, packaged(), BankDesk())


def bank() -> Engine:
    tools = {**TOOLS, **{each.name: each for each in (offer_make, offer_change, offer_carry_out)}}
    return Engine(BASE, RULES, tools, {"transfer_arrives": (Actor.CLOCK, arrive)})


def talk(driver: Any = None, **changes: Any) -> tuple[Conversation, Engine]:
    engine, driver = bank(), driver or ScriptedDriver()
    return Conversation(engine, BASE, RULES, KINDS, script(**changes), BankDesk(), driver), engine


def offer(engine: Engine, minor: int = 5_000, target: str = "ACC-2", purpose: str = "transfer") -> str:
    made = engine.call("offer_make", {"purpose": purpose, "target": target, "fee": usd(minor).to_json()})
    return str(made.result["offer"])


def asks(*refs: str, kind: str = "fact") -> list[Ask]:
    return [Ask.model_validate({"kind": kind, "ref": each}) for each in refs]


def states(fact_id: str, value: Any) -> list[Statement]:
    return [Statement.model_validate({"fact_id": fact_id, "value": value})]


def refuses(request: str, reason: str) -> list[Refusal]:
    return [Refusal(request=request, reason=reason)]

"""The company's own desk on the company's own records: requests, consents, accounts and papers of one customer."""

import pytest
from bizgym.envs.core.errors import ToolRefused
from bizgym.envs.payments.kernel.engine import Engine
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.records import Code, Id
from bizgym.envs.payments.kernel.rules import RuleBook
from bizgym.envs.payments.kernel.world import Base
from bizgym.envs.payments.modules.terms import digest, terms_of_request
from bizgym.envs.payments.records import KINDS
from bizgym.envs.payments.records.approvals import (
    Action,
    ApprovalRequest,
    ApprovalState,
    Consent,
    ConsentKind,
    ConsentState,
    EvidenceKind,
)
from bizgym.envs.payments.records.cash import Account, AccountPurpose, AccountState
from bizgym.envs.payments.records.reserves import Reserve, ReserveState, Route
from bizgym.envs.payments.user.card import Card
from bizgym.envs.payments.user.company import CompanyDesk
from bizgym.envs.payments.user.conversation import Conversation
from bizgym.envs.payments.user.script import Script
from bizgym.envs.payments.user.scripted import ScriptedDriver
from bizgym.envs.payments.user.vocabulary import packaged

from tests.payments.customer import asks

SHOP, OTHER = Id("PTY-1"), Id("PTY-2")


def usd(minor):
    return Money(minor, Currency.USD)


def approval(number, customer=SHOP, max_fee=5_000, valid_until=100, state=ApprovalState.REQUESTED):
    request = ApprovalRequest(
        id=Id(f"APR-{number}"),
        customer=customer,
        subject=Id("RSV-1"),
        action=Action.RELEASE_RESERVE,
        amount=usd(40_000),
        max_fee=usd(max_fee),
        beneficiary=None,
        route=Route.STANDARD_REVIEW,
        terms=Code(""),
        requested_at=0,
        decided_at=None,
        valid_until=valid_until,
        state=state,
    )
    return request


def consent(number, about=ConsentKind.FEE_CAP, amount=6_000, customer=SHOP):
    asked = None if amount is None else usd(amount)
    return Consent(Id(f"CON-{number}"), customer, about, Id("RSV-1"), asked, None, ConsentState.REQUESTED)


RECORDS = [
    Account(Id("ACC-1"), SHOP, AccountPurpose.SETTLEMENT, usd(9_000), usd(2_000), AccountState.OPEN),
    Account(Id("ACC-2"), OTHER, AccountPurpose.SETTLEMENT, usd(1), usd(0), AccountState.OPEN),
    Reserve(Id("RSV-1"), SHOP, Id("ACC-1"), Id("ACC-1"), usd(40_000), None, None, None, ReserveState.HELD),
    approval(1),
    approval(2, customer=OTHER),
    approval(3, valid_until=1),
    approval(4, max_fee=5_001),
    consent(1),
    consent(2, ConsentKind.DATA_SHARING, None),
    consent(3, customer=OTHER),
]
POLICIES = [
    {
        "request": "release_reserve",
        "approve": {
            "all": [
                {"le": [{"term": "max_fee"}, {"fact": "cap"}]},
                {"eq": [{"term": "route"}, "standard_review"]},
                {"eq": [{"term": "beneficiary"}, None]},
            ]
        },
        "otherwise": "fee_too_high",
    },
    {
        "request": "fee_cap",
        "approve": {"le": [{"term": "amount"}, {"minor": 6_000, "currency": "USD"}]},
        "otherwise": "fee_too_high",
        "consent": {"subject": "subject", "cap": "amount"},
    },
    {"request": "data_sharing", "approve": {"eq": [1, 1]}, "otherwise": "not_asked_for"},
]
CARD = {
    "opening": "Please release our reserve.",
    "latency_minutes": 3,
    "patience": 5,
    "accounts": ["ACC-1"],
    "facts": [
        {"id": "cap", "kind": "fee_cap", "value": {"minor": 5_000, "currency": "USD"}},
        {"id": "cash", "kind": "own_balance", "own": ["ACC-1", "available"]},
    ],
    "papers": [{"id": "report", "kind": "sales_report", "subject": "RSV-1", "record": {"issued_at": -600}}],
    "policies": POLICIES,
}
DESK = CompanyDesk(SHOP)


def talk():
    base, rules = Base(RECORDS), RuleBook([])
    engine = Engine(base, rules, {}, {})
    script = Script(Card.model_validate(CARD), packaged(), DESK)
    return Conversation(engine, base, rules, KINDS, script, DESK, ScriptedDriver()), engine.world


def decided(*refs):
    customer, world = talk()
    return customer.message("Please decide.", asks(*refs, kind="approval")), world


def test_an_approval_has_the_digest_that_the_modules_give_the_terms():
    reply, world = decided("APR-1")
    assert reply.decisions == ({"request": "APR-1", "decision": "approved", "approval": "APR-1"},)
    after = world.get(ApprovalRequest, "APR-1")
    assert (after.state, after.decided_at, after.terms) == (ApprovalState.GRANTED, 3, digest(terms_of_request(after)))


def test_other_terms_are_rejected():
    reply, world = decided("APR-4")
    assert reply.decisions == ({"request": "APR-4", "decision": "rejected", "reason": "fee_too_high"},)
    assert world.get(ApprovalRequest, "APR-4").state is ApprovalState.REJECTED


@pytest.mark.parametrize("ref", ["APR-2", "CON-3", "RSV-1", "APR-99"])
def test_what_is_not_asked_of_this_customer_is_no_request(ref):
    with pytest.raises(ToolRefused, match="there is no request for approval"):
        decided(ref)


def test_a_request_that_has_run_out_is_no_longer_decided():
    reply, world = decided("APR-3")
    assert (reply.decisions, reply.text) == ((), "APR-3 is no longer open.")
    assert world.get(ApprovalRequest, "APR-3").state is ApprovalState.REQUESTED


def test_a_cap_on_fees_is_a_consent_and_so_is_the_sharing_of_data():
    reply, world = decided("CON-1", "CON-2")
    cap = {"minor": 6_000, "currency": "USD"}
    assert reply.consents == ({"subject": "RSV-1", "cap": cap, "request": "CON-1", "consent": "CON-1"},)
    assert [each["approval"] for each in reply.decisions] == ["CON-2"]
    given = [world.get(Consent, each) for each in ("CON-1", "CON-2")]
    assert [(each.state, each.given_at) for each in given] == [(ConsentState.ACTIVE, 3)] * 2
    assert given[0].amount == usd(6_000)


def test_consents_are_given_taken_back_and_declined():
    engine = Engine(Base(RECORDS), RuleBook([]), {}, {})
    ctx, world = engine.context, engine.world
    assert DESK.set_consent_cap(ctx, "RSV-1", usd(1), None) == "CON-4"
    assert DESK.set_consent_cap(ctx, "RSV-1", usd(2), "CON-1") == "CON-1"
    assert DESK.revoke_consent(ctx, "RSV-1") == ["CON-1", "CON-4"]
    DESK.reject(ctx, "CON-2", "not_asked_for")
    states = [world.get(Consent, f"CON-{k}").state.value for k in (1, 2, 3, 4)]
    assert states == ["revoked", "declined", "requested", "revoked"]
    with pytest.raises(ToolRefused, match="CON-2 asks for no cap on fees for RSV-1"):
        DESK.set_consent_cap(ctx, "RSV-1", usd(2), "CON-2")


def test_what_was_granted_is_outstanding_until_it_is_done_or_has_run_out():
    _, world = decided("APR-1")
    assert DESK.outstanding(world, 100) == ["APR-1"]
    assert DESK.outstanding(world, 101) == []
    world.update(world.get(Reserve, "RSV-1"), state=ReserveState.RELEASED)
    assert DESK.outstanding(world, 100) == []


def test_a_paper_comes_with_the_minute_of_its_issue_and_an_account_with_what_is_available():
    customer, world = talk()
    reply = customer.message("Two things.", asks("sales_report/RSV-1", "own_balance"))
    assert reply.evidence == ({"evidence": "sales_report/RSV-1", "issued_at": -600},)
    assert {"fact": "own_balance", "value": {"minor": 7_000, "currency": "USD"}} in reply.facts
    with pytest.raises(ToolRefused, match="ACC-2 is no account of PTY-1"):
        DESK.own_account(world, "ACC-2")


def test_every_kind_of_evidence_can_be_asked_for():
    papers = {each.id for each in packaged().facts if each.type == "paper"}
    assert {each.value for each in EvidenceKind} <= papers

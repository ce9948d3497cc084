"""The terms of a request: one digest for one set of terms, the same in the record, in the act and in a check."""

import pytest
from bizgym.envs.payments.checks.spec import CheckSpec, judge
from bizgym.envs.payments.kernel.events import Actor
from bizgym.envs.payments.modules import catalog
from bizgym.envs.payments.modules.terms import SUBJECTS, digest, terms_of, terms_of_request
from bizgym.envs.payments.records import KINDS
from bizgym.envs.payments.records.approvals import Action, ApprovalRequest, ApprovalState
from bizgym.envs.payments.records.reserves import Route

from tests.payments.books import amounts
from tests.payments.desk import BASE, BOOK, desk, dollars

CHECK = CheckSpec(
    id="P1",
    kind="process",
    text="A reserve is released on the terms that the customer has approved.",
    form={
        "approved": {
            "event": "reserve_release",
            "approval": {"arg": "approval"},
            "terms": [
                "release_reserve",
                {"arg": "reserve"},
                {"field": ["RSV-4", "amount"]},
                {"minor": 6_000, "currency": "USD"},
                {"field": ["RSV-4", "target"]},
                {"field": ["RSV-4", "route"]},
            ],
        }
    },
)
TERMS = {"amount": "USD 5000", "max_fee": "USD 6000", "beneficiary": "ACC-1", "route": "standard_review"}


def release(change=None, late=None, grant=True):
    """Ask, let the customer grant, change something, release, and judge."""
    engine = desk(catalog.TOOLS, catalog.HANDLERS)
    asked = {"customer": "PTY-1", "subject": "RSV-4", "action": "release_reserve", **TERMS, **(change or {})}
    assert engine.call("approval_request_open", amounts(asked)).ok
    request = engine.world.get(ApprovalRequest, "APR-6")
    if grant:
        engine.world.update(request, state=ApprovalState.GRANTED, decided_at=engine.now)
        engine.record(Actor.USER, "approve_request", {"request": "APR-6"}, "", None)
    if late is not None:
        assert engine.call(late[0], amounts(late[1])).ok
    released = engine.call("reserve_release", {"reserve": "RSV-4", "idempotency_key": "r", "approval": "APR-6"})
    assert released.ok
    return judge([CHECK], BASE, engine.log, BOOK, KINDS)[0]


def test_terms_that_are_approved_and_done_keep_the_check():
    assert release().passed


@pytest.mark.parametrize(
    ("change", "late", "grant", "blame"),
    [
        ({"amount": "USD 5001"}, None, True, "approves other terms"),
        ({"max_fee": "USD 5999"}, None, True, "approves other terms"),
        ({"beneficiary": "ACC-4"}, None, True, "approves other terms"),
        ({"beneficiary": None}, None, True, "approves other terms"),
        ({"route": "guarantee"}, None, True, "approves other terms"),
        ({}, None, False, "no approval stands"),
        ({}, ("reserve_retarget", {"reserve": "RSV-4", "target": "ACC-4"}), True, "approves other terms"),
        ({}, ("approval_request_amend", {"request": "APR-6", **TERMS, "amount": "USD 1"}), True, "no approval stands"),
        ({}, ("approval_request_withdraw", {"request": "APR-6"}), True, "no approval stands"),
    ],
)
def test_a_release_on_other_terms_is_done_and_found(change, late, grant, blame):
    verdict = release(change, late, grant)
    assert not verdict.passed
    assert verdict.event.name == "reserve_release"
    assert blame in verdict.blame


def test_each_term_alone_changes_the_digest():
    plain = (Action.RELEASE_RESERVE, "RSV-1", dollars(5), dollars(1), "ACC-1", Route.GUARANTEE)
    others = (Action.WRITE_OFF, "RSV-2", dollars(6), dollars(2), None, None)
    digests = {digest(terms_of(*plain))}
    for k, other in enumerate(others):
        digests.add(digest(terms_of(*plain[:k], other, *plain[k + 1 :])))
    assert len(digests) == 7
    assert {len(each) for each in digests} == {16}


def test_a_request_states_the_terms_that_it_was_digested_from():
    engine = desk(catalog.TOOLS, catalog.HANDLERS)
    asked = {"customer": "PTY-1", "subject": "RSV-4", "action": "release_reserve", **TERMS}
    result = engine.call("approval_request_open", amounts(asked)).result
    request = engine.world.get(ApprovalRequest, "APR-6")
    assert digest(terms_of_request(request)) == request.terms == result["digest"]
    wanted = amounts({"action": "release_reserve", "subject": "RSV-4", **TERMS})
    assert result["terms"] == wanted


def test_every_action_has_kinds_that_exist_as_its_subjects():
    assert set(SUBJECTS) == set(Action)
    assert {kind for kinds in SUBJECTS.values() for kind in kinds} <= set(KINDS)

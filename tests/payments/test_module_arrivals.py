"""What happens by itself after an act of the modules: arrivals, answers, lapses; and how acts work together."""

import pytest
from bizgym.envs.payments.kernel.records import to_json
from bizgym.envs.payments.modules import catalog
from bizgym.envs.payments.modules.beneficiaries import compare_names
from bizgym.envs.payments.records.cash import Account, AccountState
from bizgym.envs.payments.records.reserves import Reserve

from tests.payments.books import amounts
from tests.payments.desk import desk


@pytest.fixture
def engine():
    return desk(catalog.TOOLS, catalog.HANDLERS)


def do(engine, name, **arguments):
    event = engine.call(name, amounts(arguments))
    assert event.ok, (name, event.code, event.result)
    return event.result


def seen(engine, *paths):
    found = []
    for path in paths:
        record_id, _, field = path.partition(".")
        value = to_json(getattr(engine.world.find(record_id), field))
        found.append(value["minor"] if isinstance(value, dict) else value)
    return found if len(found) > 1 else found[0]


def told(engine, name):
    return next(event.result for event in reversed(list(engine.log)) if event.name == name)


def test_a_payout_to_a_beneficiary_that_is_blocked_meanwhile_comes_back_without_its_fee(engine):
    do(engine, "payout_send_now", payout="PAY-3", idempotency_key="w")
    do(engine, "beneficiary_block", beneficiary="BEN-1")
    engine.run_until(200)
    assert seen(engine, "PAY-3.state", "ACC-1.balance", "ACC-3.balance", "BIL-1.state") == [
        "returned",
        197_500,
        2_500,
        "open",
    ]


def test_a_name_that_the_bank_does_not_know_comes_back(engine):
    draft = {"amount": "USD 1000", "method": "wire", "execute_at": 0, "bill": "BIL-3"}
    do(engine, "payout_draft", account="ACC-1", beneficiary="BEN-5", **draft)
    do(engine, "payout_send_now", payout="PAY-14", idempotency_key="n")
    assert seen(engine, "BIL-3.state") == "scheduled"
    engine.run_until(160)
    assert seen(engine, "PAY-14.state", "ACC-1.balance", "BIL-3.state") == ["returned", 197_500, "open"]


def test_a_payout_that_comes_back_to_a_closed_account_goes_to_suspense(engine):
    account = engine.world.get(Account, "ACC-4")
    do(engine, "payout_recall", payout="PAY-4")
    do(engine, "beneficiary_block", beneficiary="BEN-1")
    engine.context.clock.schedule(engine.now + 1, "payout_settles", {"payout": "PAY-13"})
    engine.world.update(account, state=AccountState.CLOSED)
    engine.run_until(60)
    assert seen(engine, "PAY-13.state", "ACC-4.balance", "ACC-8.balance") == ["returned", 500, 30_000]


def test_a_recall_that_comes_after_the_settlement_brings_nothing_back(engine):
    do(engine, "payout_send_now", payout="PAY-3", idempotency_key="w")
    engine.run_until(110)
    do(engine, "payout_recall", payout="PAY-3")
    engine.run_until(300)
    assert told(engine, "payout_recall_answered")["recalled"] is False
    assert seen(engine, "PAY-3.state", "ACC-1.balance", "BIL-1.state") == ["settled", 166_500, "paid"]


def test_a_queued_payout_that_is_not_covered_when_it_leaves_is_a_draft_again(engine):
    engine.run_until(1)
    do(engine, "payout_queue", payout="PAY-2", idempotency_key="q")
    do(engine, "payout_amend", payout="PAY-8", amount="USD 170000", method="instant", execute_at=9)
    do(engine, "payout_send_now", payout="PAY-8", idempotency_key="s")
    engine.run_until(61)
    assert told(engine, "payout_leaves") == {
        "payout": "PAY-2",
        "state": "draft",
        "amount": {"minor": 30_000, "currency": "USD"},
        "fee": {"minor": 150, "currency": "USD"},
        "execute_at": 60,
        "obstacle": "INSUFFICIENT_FUNDS",
    }
    assert seen(engine, "ACC-1.balance") == 200_000 - 170_000 - 150


def test_a_world_without_a_fees_account_never_breaks_the_engine(engine):
    engine.run_until(1)
    do(engine, "payout_queue", payout="PAY-2", idempotency_key="q")
    engine.world.update(engine.world.get(Account, "ACC-3"), state=AccountState.FROZEN)
    engine.run_until(61)
    assert told(engine, "payout_leaves")["obstacle"] == "NO_FEES_ACCOUNT"
    assert engine.call("payout_send_now", {"payout": "PAY-1", "idempotency_key": "s"}).code == "NO_FEES_ACCOUNT"


def test_a_payout_that_was_put_to_another_minute_leaves_once(engine):
    engine.run_until(1)
    do(engine, "payout_queue", payout="PAY-2", idempotency_key="q")
    do(engine, "payout_unqueue", payout="PAY-2")
    do(engine, "payout_amend", payout="PAY-2", amount="USD 30000", method="batch", execute_at=61)
    do(engine, "payout_queue", payout="PAY-2", idempotency_key="q2")
    engine.run_until(1_000)
    sent = [event.t for event in engine.log if event.name == "payout_leaves" and event.result["state"] == "sent"]
    assert sent == [120]
    assert seen(engine, "ACC-1.balance") == 169_980


def test_a_payout_of_less_than_its_bill_leaves_the_bill_open(engine):
    do(engine, "payout_amend", payout="PAY-1", amount="USD 29999", method="instant", execute_at=0)
    do(engine, "payout_send_now", payout="PAY-1", idempotency_key="s")
    engine.run_until(30)
    assert seen(engine, "PAY-1.state", "BIL-1.state") == ["settled", "open"]


def test_the_order_of_a_run_decides_who_is_paid(engine):
    do(engine, "payout_run_unlock", run="RUN-2")
    do(engine, "payout_run_reorder", run="RUN-2", payouts=["PAY-6", "PAY-7"])
    do(engine, "payout_run_lock", run="RUN-2")
    do(engine, "payout_run_execute", run="RUN-2", idempotency_key="r")
    engine.run_until(60)
    assert seen(engine, "PAY-6.state", "PAY-7.state", "ACC-1.balance") == ["settled", "draft", 169_850]
    balances = [event.result["obstacle"] for event in engine.log if event.name == "run_payout_leaves"]
    assert balances == ["", "INSUFFICIENT_FUNDS"]


def test_a_name_check_of_the_old_account_says_nothing_of_the_new_one(engine):
    do(engine, "beneficiary_check_name", beneficiary="BEN-2")
    do(engine, "beneficiary_block", beneficiary="BEN-2")
    do(engine, "beneficiary_unblock", beneficiary="BEN-2")
    do(engine, "beneficiary_change_account", beneficiary="BEN-2", account_number="SG8888")
    do(engine, "beneficiary_check_name", beneficiary="BEN-2")
    asked_again = engine.now - 1
    engine.run_until(10)
    assert seen(engine, "BEN-2.name_check") == "pending"
    engine.run_until(60)
    assert seen(engine, "BEN-2.name_check", "BEN-2.checked_at") == ["close_match", asked_again + 10]


@pytest.mark.parametrize(
    ("given", "held", "answer"),
    [
        ("LIN PAPER LTD", "Lin Paper Ltd.", "match"),
        ("Paper Lin", "Lin Paper", "close_match"),
        ("Lin Paper Mills", "Lin Paper", "close_match"),
        ("Mr Quick", "Lin Paper", "no_match"),
        ("", "Lin Paper", "no_match"),
    ],
)
def test_names_are_compared_word_by_word(given, held, answer):
    assert compare_names(given, held).value == answer


def test_a_guarantee_that_was_extended_does_not_lapse_at_its_old_minute(engine):
    catalog.opening(engine.context)
    do(engine, "guarantee_extend", guarantee="GUA-1", valid_until=5_500)
    engine.run_until(5_400)
    assert seen(engine, "GUA-1.state", "GUA-4.state") == ["active", "released"]
    engine.run_until(5_600)
    assert seen(engine, "GUA-1.state") == "released"


def test_a_document_that_was_filed_by_hand_is_not_filed_again(engine):
    do(engine, "evidence_request", subject="RSV-2", shows="bank_confirmation", supplied_by="PTY-2")
    do(engine, "evidence_submit", evidence="EVD-5", issued_at=-50)
    do(engine, "evidence_accept", evidence="EVD-5")
    engine.run_until(100)
    assert seen(engine, "EVD-5.state", "EVD-5.valid_until") == ["accepted", 9_950]


def test_a_customer_is_not_waited_for(engine):
    result = do(engine, "evidence_request", subject="RSV-2", shows="sales_report", supplied_by="PTY-1")
    assert result["expected_at"] is None
    engine.run_until(1_000)
    assert seen(engine, "EVD-5.state") == "requested"


def test_a_claim_is_declined_by_whoever_is_out_of_business(engine):
    do(engine, "refund_claim", account="ACC-1", party="PTY-6", about="PAY-4", amount="USD 1200")
    engine.run_until(500)
    assert seen(engine, "REF-10.state") == "recalled"


def test_a_claim_counts_as_money_only_once_it_is_confirmed(engine):
    do(engine, "refund_claim", account="ACC-1", party="PTY-3", about="PAY-4", amount="USD 1200")
    engine.run_until(500)
    assert seen(engine, "REF-10.state", "ACC-1.balance") == ["in_transit", 200_000]
    do(engine, "refund_confirm", refund="REF-10")
    assert seen(engine, "REF-10.state", "ACC-1.balance") == ["credited", 201_200]


def test_a_reserve_goes_the_way_of_a_review_to_its_release(engine):
    do(engine, "reserve_review_request", reserve="RSV-1", route="standard_review")
    scheduled = {"officer": "OFF-1", "evidence": ["EVD-1"], "scheduled_for": 98}
    assert do(engine, "review_schedule", reserve="RSV-1", **scheduled)["fee"]["minor"] == 5_000
    engine.run_until(110)
    # the tariff has changed at minute 100, and the price of the start is what counts
    assert do(engine, "review_start", review="REV-6", account="ACC-1")["fee"]["minor"] == 6_000
    assert engine.run_until_event("review_ready")[-1].t == 140
    do(engine, "review_decide", review="REV-6", passed=True)
    do(engine, "reserve_release", reserve="RSV-1", idempotency_key="r")
    assert seen(engine, "RSV-1.state", "RSV-1.route", "ACC-1.balance", "ACC-2.balance", "ACC-3.balance") == [
        "released",
        "standard_review",
        200_000 - 6_000 + 60_000,
        90_000,
        6_000,
    ]
    assert engine.call("review_decide", {"review": "REV-6", "passed": False}).code == "REVIEW_NOT_STARTED"


def test_a_reserve_that_does_not_pass_is_held_and_may_go_another_way(engine):
    do(engine, "review_decide", review="REV-3", passed=False)
    assert seen(engine, "RSV-3.state", "RSV-3.route") == ["held", None]
    do(engine, "reserve_secure", reserve="RSV-3", guarantee="GUA-1")
    do(engine, "guarantee_detach", guarantee="GUA-1")
    assert seen(engine, "RSV-3.state", "RSV-3.guarantee", "GUA-1.secures") == ["held", None, None]


def test_what_is_pending_at_the_beginning_is_put_on_the_queue_and_read_by_nobody(engine):
    catalog.opening(engine.context)
    pending = sorted((due.t, due.name, *map(str, due.payload.values())) for due in engine.context.clock.pending())
    assert [each for each in pending if each[0] <= 30] == [
        (0, "payout_leaves", "PAY-3", "0"),
        (0, "refund_arrives", "REF-3"),
        (0, "refund_arrives", "REF-4"),
        (0, "refund_arrives", "REF-8"),
        (0, "refund_arrives", "REF-9"),
        (0, "refund_claim_answered", "REF-2"),
        (0, "review_ready", "REV-3"),
        (1, "payout_settles", "PAY-13"),
        (1, "payout_settles", "PAY-4"),
        (10, "guarantee_lapses", "GUA-8", "10"),
        (10, "name_check_answered", "BEN-4", "SG4444", "Lin Paper"),
    ]
    event = engine.call("payout_get", {"record": "PAY-4"})
    assert (event.reads, event.rule_ids) == (("PAY-4",), ())
    engine.run_until(200)
    assert seen(engine, "PAY-3.state", "REF-3.state", "REF-2.state") == ["settled", "credited", "in_transit"]


def test_what_is_there_to_the_last_cent_is_enough(engine):
    exact = {"payout": "PAY-8", "method": "instant", "execute_at": 90}
    do(engine, "payout_amend", amount="USD 199851", **exact)
    call = {"payout": "PAY-8", "idempotency_key": "s"}
    assert engine.call("payout_send_now", call).code == "INSUFFICIENT_FUNDS"
    do(engine, "payout_amend", amount="USD 199850", **exact)
    do(engine, "payout_send_now", **call)
    reserve = engine.world.get(Reserve, "RSV-6")
    engine.world.update(reserve, amount=engine.world.get(Account, "ACC-2").balance)
    engine.world.take_delta()
    do(engine, "reserve_release", reserve="RSV-6", idempotency_key="r")
    assert seen(engine, "ACC-1.balance", "ACC-2.balance", "ACC-3.balance") == [150_000, 0, 150]


def test_a_recall_of_one_payment_does_not_stand_in_the_way_of_another(engine):
    do(engine, "refund_send", refund="REF-1", idempotency_key="a")
    do(engine, "refund_recall", refund="REF-3")
    do(engine, "refund_recall", refund="REF-1")
    do(engine, "payout_send_now", payout="PAY-3", idempotency_key="w")
    do(engine, "payout_recall", payout="PAY-4")
    do(engine, "payout_recall", payout="PAY-3")
    engine.run_until(60)
    assert seen(engine, "REF-1.state", "REF-3.state", "PAY-3.state", "PAY-4.state") == [
        "recalled",
        "recalled",
        "returned",
        "returned",
    ]
    assert seen(engine, "ACC-1.balance") == 200_000 - 4 * 1_000 - 2_500 + 2_500 + 30_000


def test_a_guarantee_is_confirmed_in_its_last_minute_and_not_after_it(engine):
    for late in (0, 1):
        first = {"merchant": "PTY-1", "bank": "PTY-2", "amount": "USD 5"}
        given = do(engine, "guarantee_register", valid_until=engine.now + 2 + 60 - late, **first)["guarantee"]
        do(engine, "guarantee_activate", guarantee=given)
        engine.run_until(engine.now + 100)
        assert seen(engine, f"{given}.state") == ("offered" if late else "released")
    assert sum(event.name == "guarantee_lapses" for event in engine.log) == 1

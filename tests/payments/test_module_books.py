"""Whatever is done in whatever order, the books balance; and no money moves twice for one idempotency key."""

from random import Random

import pytest
from bizgym.envs.payments.kernel.money import Money
from bizgym.envs.payments.kernel.rules import RuleBook
from bizgym.envs.payments.modules.once import MoneyTool
from bizgym.envs.payments.records import Account, Receipt

from tests.payments.books import ACTS, BASE, RULES, SHEETS, TOOLS, amounts, balances, booked, company, do, seen
from tests.payments.plays import check_cash, check_log, check_receivables, draw

N_SEQUENCES, N_CALLS = 300, 40
ARGUMENTS = {
    name: (act.get("before") or act["cases"][0].get("before", []), act["args"]) for name, act in SHEETS.items()
}
MONEY_ACTS = sorted(name for name, tool in ACTS.items() if isinstance(tool, MoneyTool))


def play(seed):
    """Play random acts, many of them refused; return the episode."""
    rng, engine = Random(seed), company()
    # What is done to allocations needs several acts in a row, so that it would come about too seldom.
    names = sorted(ACTS) + sorted(name for name in ACTS if name.startswith("allocation")) * 2
    for _ in range(N_CALLS):
        name = rng.choice(names)
        engine.call(name, draw(rng, engine, BASE, TOOLS[name], amounts(ARGUMENTS[name][1])))
        engine.let_pass(rng.choice([0, 0, 0, 30]))
        assert all(account.available.minor >= 0 for account in engine.world.all(Account)), (seed, name)
    return engine


def test_the_books_balance_after_any_acts_in_any_order():
    done = set()
    for seed in range(N_SEQUENCES):
        engine = play(seed)
        check_cash(engine, BASE)
        check_receivables(engine)
        check_log(engine, BASE)
        done |= {event.name for event in engine.log if event.ok}
    assert sorted(set(ACTS) - done) == []  # so that the invariants have seen what each of them does


@pytest.mark.parametrize("seed", range(5))
def test_the_same_acts_give_the_same_log(seed):
    assert play(seed).log.digest() == play(seed).log.digest()


@pytest.mark.parametrize("name", MONEY_ACTS)
def test_the_same_key_moves_the_money_once(name):
    engine, (before, arguments) = company(), ARGUMENTS[name]
    for step in before:
        for each, given in step.items():
            do(engine, each, **given)
    first = do(engine, name, **arguments)
    entries, changed = booked(engine), engine.world.changed()
    again = engine.call(name, amounts(arguments))
    assert again.result == {**first, "replayed": True}
    assert (again.code, again.writes, again.rule_ids) == ("", (), ())
    assert (booked(engine), engine.world.changed()) == (entries, changed)


def test_another_key_moves_the_money_again():
    engine = company()
    for key in ("a", "b", "a"):
        do(engine, "account_transfer", source="ACC-1", target="ACC-2", amount="USD 100", idempotency_key=key)
    assert balances(engine, "ACC-1", "ACC-2") == (99_800, 20_200)


def test_a_refused_call_uses_no_key_up():
    engine = company()
    transfer = {"source": "ACC-1", "target": "ACC-2", "idempotency_key": "a"}
    assert engine.call("account_transfer", amounts({**transfer, "amount": "USD 60000"})).code == "OVER_LIMIT"
    assert do(engine, "account_transfer", **transfer, amount="USD 50000")["replayed"] is False


def test_each_act_has_keys_of_its_own():
    engine = company()
    do(engine, "account_transfer", source="ACC-1", target="ACC-2", amount="USD 100", idempotency_key="a")
    do(engine, "receipt_return", receipt="RCP-3", idempotency_key="a")
    assert balances(engine, "ACC-1", "ACC-4") == (99_900, 0)


def test_payments_arrive_by_themselves():
    engine = company()
    do(engine, "account_freeze", account="ACC-1")
    engine.run_until(60)
    assert seen(engine, "RCP-2", "state", "account", "unallocated") == ("arrived", "ACC-1", "USD 10000")
    assert balances(engine, "ACC-1") == (110_000,)
    # The account of the other one is closed, so that it waits in suspense until someone identifies it.
    assert seen(engine, "RCP-6", "state", "account") == ("suspense", "ACC-10")
    # And of the third one there is no suspense account in its currency, so that the bank sends it back.
    assert seen(engine, "RCP-12", "state", "unallocated") == ("returned", "GBP 0")
    assert booked(engine) == [("ACC-10", 900, "receipt", "RCP-6"), ("ACC-1", 10_000, "receipt", "RCP-2")]
    assert [(event.t, event.actor.value) for event in engine.log][1:] == [(t, "counterparty") for t in (30, 40, 60)]


def test_a_hold_ends_by_itself_and_only_once():
    engine = company()
    do(engine, "hold_release", hold="HLD-1")
    engine.run_until(500)
    assert seen(engine, "ACC-1", "held") == ("USD 0",)
    assert engine.log[-1].result == {"hold": "HLD-1", "ended": False}


def test_what_is_held_can_neither_be_moved_nor_sent_back():
    engine = company()
    do(engine, "hold_place", account="ACC-1", amount="USD 94999", reason="review", until=50)
    call = {"source": "ACC-1", "target": "ACC-2", "amount": "USD 2", "idempotency_key": "a"}
    assert engine.call("account_transfer", amounts(call)).code == "INSUFFICIENT_FUNDS"
    assert engine.call("receipt_return", {"receipt": "RCP-1", "idempotency_key": "a"}).code == "INSUFFICIENT_FUNDS"
    engine.run_until(50)
    assert engine.call("account_transfer", amounts(call)).ok


def test_a_limit_that_is_a_policy_does_not_refuse():
    rows = [
        row.model_copy(update={"enforced": "policy"}) if row.id == "R-TRANSFER-1" else row
        for row in RULES.rows.values()
    ]
    engine = company(rules=RuleBook(rows))
    call = {"source": "ACC-1", "target": "ACC-2", "amount": "USD 50001", "idempotency_key": "a"}
    event = engine.call("account_transfer", amounts(call))
    assert (event.code, event.rule_ids) == ("", ("R-TRANSFER-1",))


def test_a_month_is_reconciled_from_the_instruction_to_the_closed_file():
    engine = company()
    do(engine, "instruction_confirm", instruction="INS-2")
    engine.run_until_event("instruction_answered")
    do(engine, "allocation_propose", file="FIL-1", receipt="RCP-1", invoice="INV-2", amount="USD 15000",
       instruction="INS-2")  # fmt: skip
    do(engine, "allocation_book_all", file="FIL-1")
    do(engine, "receipt_return_part", receipt="RCP-1", amount="USD 15000", idempotency_key="rest")
    do(engine, "difference_write_off", file="FIL-1", invoice="INV-3", amount="USD 1500")
    do(engine, "file_submit", file="FIL-1")
    closed = do(engine, "file_close", file="FIL-1")
    assert closed["frozen"] == ["ALC-1", "ALC-4"]
    assert seen(engine, "RCP-1", "amount", "unallocated", "state") == ("USD 15000", "USD 0", "allocated")
    assert balances(engine, "ACC-1") == (85_000,)
    for name in ("allocation_reverse", "allocation_move"):
        extra = {"invoice": "INV-1"} if name == "allocation_move" else {}
        assert engine.call(name, {"allocation": "ALC-4", **extra}).code == "ALLOCATION_NOT_BOOKED"
    do(engine, "file_reopen", file="FIL-1", account="ACC-1", max_fee="USD 2500")
    do(engine, "allocation_reverse", allocation="ALC-4")
    assert engine.world.get(Receipt, "RCP-1").unallocated == Money(15_000, "USD")


def test_garbage_arguments_are_refused_and_change_nothing():
    engine = company()
    for key in ("", " ", "x" * 65, "a b", "\ud800", 7, None):
        with pytest.raises(Exception, match=r"idempotency_key|surrogate"):
            engine.call("receipt_return", {"receipt": "RCP-1", "idempotency_key": key})
    for until in (-1, 10**30, True, 3.0, "9"):
        with pytest.raises(Exception, match="until"):
            engine.call("hold_extend", {"hold": "HLD-1", "until": until})
    assert (len(engine.log), engine.world.changed()) == (0, {})

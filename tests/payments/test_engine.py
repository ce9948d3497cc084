"""The engine: calls and what happens by itself become events, and the log alone rebuilds every state."""

import pytest
from bizgym.envs.core.errors import ToolRefused
from bizgym.envs.core.tools import ArgumentsRefused
from bizgym.envs.payments.kernel.clock import MAX_MINUTE, Clock
from bizgym.envs.payments.kernel.engine import Engine
from bizgym.envs.payments.kernel.events import Actor, EventLog, states, world_after
from bizgym.envs.payments.kernel.rules import RuleBook
from bizgym.envs.payments.kernel.tools import BusinessTool
from bizgym.envs.payments.kernel.world import World, Write

from tests.payments.bank import BASE, FLOOR, LIMIT, TOOLS, Account, Transfer, engine, send, transfer_send, usd


def balances(world):
    return {account.id: account.balance.minor for account in world.all(Account)}


def test_a_call_is_an_event_with_its_reads_writes_and_rules():
    bank = engine(check_footprints=True)
    event = bank.call("transfer_send", send())
    assert (event.seq, event.t, event.actor.value, event.name, event.code) == (0, 0, "agent", "transfer_send", "")
    assert event.result == {"transfer": "TRF-1"}
    assert event.reads[:2] == ("ACC-1", "ACC-2")
    assert event.writes[0] == Write("ACC-1", "balance", usd(10_000), usd(7_500))
    assert event.writes[1].new == Transfer("TRF-1", "ACC-1", "ACC-2", usd(2_500), False)
    assert event.rule_ids == ("R-LIMIT-1", "R-FLOOR-1")
    assert event.minutes == 5


def test_what_is_due_happens_by_itself_in_order():
    bank = engine()
    bank.call("transfer_send", send(1_000, speed="batch"))
    bank.call("transfer_send", send(2_000))
    assert balances(bank.world) == {"ACC-1": 7_000, "ACC-2": 2_000, "ACC-7": 500}
    assert [(event.t, event.name, event.actor.value) for event in bank.log] == [
        (0, "transfer_send", "agent"),
        (5, "transfer_send", "agent"),
        (5, "transfer_arrives", "clock"),
    ]
    assert bank.now == 10
    assert [event.t for event in bank.run_until(59)] == []
    (arrived,) = bank.run_until_event("transfer_arrives")
    assert (arrived.t, bank.now) == (60, 60)
    assert balances(bank.world)["ACC-2"] == 3_000


def test_waiting_for_an_event_that_never_comes_stops_at_the_latest_minute():
    bank = engine()
    bank.call("transfer_send", send(speed="batch"))
    assert bank.run_until_event("transfer_arrives", latest=30) == []
    assert len(bank.run_until_event("anything_else")) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (send(60_000), "OVER_LIMIT", "at most USD 500.00"),
        (send(0), "AMOUNT_NOT_POSITIVE", "amount: the amount must be above zero"),
        (send(10_001), "INSUFFICIENT_FUNDS", "USD 100.00"),
        (send(source="ACC-7"), "SOURCE_NOT_OPEN", "source: its state must be open"),
        (send(target="ACC-99"), "NOT_FOUND", "target: ACC-99 is no such record, not a account"),
    ],
)
def test_what_the_system_enforces_is_refused_and_changes_nothing(arguments, code, message):
    bank = engine()
    event = bank.call("transfer_send", arguments)
    assert event.code == code
    assert message in event.result
    assert (event.writes, event.minutes, bank.now) == ((), 0, 0)
    assert bank.world.changed() == {}


def test_a_policy_does_not_block():
    bank = engine()
    event = bank.call("transfer_send", send(9_500))
    assert event.ok
    assert bank.world.get(Account, "ACC-1").balance == usd(500)


def test_an_effect_that_refuses_late_is_undone():
    bank = engine()
    event = bank.call("account_break", {"account": "ACC-1"})
    assert (event.code, event.writes, event.rule_ids) == ("TOO_LATE", (), ())
    assert bank.world.changed() == {}
    assert bank.context.clock.pending() == []
    assert bank.call("transfer_send", send()).result == {"transfer": "TRF-1"}
    assert [each.name for each in bank.run_until(100)] == []


def test_what_was_scheduled_before_stays_where_an_act_refuses_late():
    bank, other = engine(), engine()
    for each in (bank, other):
        each.call("transfer_send", send(speed="batch"))
    bank.call("account_break", {"account": "ACC-1"})
    assert bank.context.clock.pending() == other.context.clock.pending()
    for each in (bank, other):
        each.call("transfer_send", send(100, speed="batch"))
    assert bank.context.clock.pending() == other.context.clock.pending()
    assert len(bank.context.clock.pending()) == 2


def test_what_an_act_raises_leaves_no_trace():
    bank = engine()

    def breaks():
        bank.world.create(Transfer, source="ACC-1", target="ACC-2", amount=usd(1), arrived=False)
        bank.context.clock.schedule(7, "transfer_arrives", {"transfer": "TRF-1"})
        bank.context.resolve("cash_floor", {})
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bank.attempt(breaks)
    assert (bank.world.changed(), bank.context.clock.pending(), bank.context.used_rules) == ({}, [], {})


def test_what_cannot_happen_by_itself_changes_nothing_and_is_told():
    def refuses(ctx, payload):
        ctx.world.create(Transfer, source="ACC-1", target="ACC-2", amount=usd(1), arrived=False)
        raise ToolRefused("NO_WAY", "there is no way to do this")

    bank = Engine(BASE, RuleBook([]), TOOLS, {"transfer_arrives": (Actor.CLOCK, refuses)})
    bank.context.clock.schedule(4, "transfer_arrives", {})
    (event,) = bank.run_until(10)
    assert (event.code, event.result, event.writes, bank.now) == ("NO_WAY", "there is no way to do this", (), 10)
    assert bank.world.changed() == {}


def test_what_lies_beyond_the_last_minute_never_comes():
    clock = Clock(MAX_MINUTE - 5)
    clock.schedule(MAX_MINUTE, "in_time", {})
    clock.schedule(MAX_MINUTE + 1, "too_late", {})
    assert [each.name for each in clock.pending()] == ["in_time"]
    with pytest.raises(ValueError, match="lies before minute"):
        clock.schedule(MAX_MINUTE - 6, "over", {})


def test_without_a_rule_an_act_is_refused_with_a_code_and_changes_nothing():
    bank = Engine(BASE, RuleBook([LIMIT]), TOOLS, {})
    event = bank.call("transfer_send", send())
    assert (event.code, event.writes, bank.now) == ("NO_RULE", (), 0)
    assert "nothing rules cash_floor" in event.result
    assert bank.world.changed() == {}


def test_a_rule_that_is_not_declared_is_found():
    undeclared = BusinessTool(
        transfer_send._function, module="accounts", minutes=5, effect="write", pre=(), writes=transfer_send.writes
    )
    bank = Engine(BASE, RuleBook([FLOOR, LIMIT]), {"transfer_send": undeclared}, {}, check_footprints=True)
    with pytest.raises(AssertionError, match="transfer_send goes by cash_floor, transfer_limit"):
        bank.call("transfer_send", send())


def test_a_write_outside_the_footprint_is_found():
    with pytest.raises(AssertionError, match=r"account_close writes account\.balance, which it does not declare"):
        engine(check_footprints=True).call("account_close", {"account": "ACC-1"})
    assert engine().call("account_close", {"account": "ACC-1"}).ok


def test_bad_arguments_are_no_event():
    bank = engine()
    for arguments in (
        {},
        send(speed="slow"),
        send(amount=5),
        send(source=7),
        send(amount={"minor": 1.0, "currency": "USD"}),
    ):
        with pytest.raises(ArgumentsRefused):
            bank.call("transfer_send", arguments)
    assert (len(bank.log), bank.now) == (0, 0)


def played():
    bank = engine()
    for k, name in enumerate(["transfer_send", "account_get", "transfer_send", "account_break"]):
        bank.call(name, send(100 * (k + 1), speed="batch") if name == "transfer_send" else {"account": "ACC-1"})
    bank.run_until(500)
    return bank


def test_every_past_state_is_rebuilt_from_the_log_alone():
    bank = played()
    seen = [balances(world) for _, world in states(BASE, bank.log)]
    assert seen[0] == {"ACC-1": 9_900, "ACC-2": 0, "ACC-7": 500}
    assert seen[-1] == balances(bank.world) == {"ACC-1": 9_600, "ACC-2": 400, "ACC-7": 500}
    for n in range(len(bank.log) + 1):
        expected = {"ACC-1": 10_000, "ACC-2": 0, "ACC-7": 500} if n == 0 else seen[n - 1]
        assert balances(world_after(BASE, bank.log, n)) == expected


def test_undoing_every_write_leads_back_to_the_base():
    bank = played()
    for event in reversed(bank.log):
        bank.world.undo(event.writes)
    assert bank.world.changed() == {}
    assert bank.world.create(Transfer, source="ACC-1", target="ACC-2", amount=usd(1), arrived=False).id == "TRF-1"


def test_digests_cover_everything_before_them_and_repeat():
    first, second = played(), played()
    assert first.log.digest() == second.log.digest() == played().log.digest()
    before = first.log.digest()
    first.call("account_get", {"account": "ACC-1"})
    assert first.log.digest() != before
    other = engine()
    other.call("transfer_send", send(101, speed="batch"))
    assert other.log.digest() != world_digest_of_first_event()


def world_digest_of_first_event():
    bank = engine()
    bank.call("transfer_send", send(100, speed="batch"))
    return bank.log.digest()


def test_the_log_takes_only_the_next_event():
    event = played().log[0]
    log = EventLog()
    log.append(event)
    with pytest.raises(ValueError, match="event 0 is not the next one"):
        log.append(event)
    with pytest.raises(ValueError, match="lies before minute"):
        log.append(event._replace(seq=1, t=-1))


def test_episodes_share_nothing_but_the_base():
    one, other = engine(), engine()
    one.call("transfer_send", send())
    assert balances(other.world) == {"ACC-1": 10_000, "ACC-2": 0, "ACC-7": 500}
    assert balances(World(BASE)) == balances(other.world)

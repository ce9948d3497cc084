"""All acts of the company in one world, in any order: what one module does never breaks what another one keeps."""

import json
import re
from random import Random

from bizgym.envs.payments.kernel.engine import Engine
from bizgym.envs.payments.kernel.records import by_kind
from bizgym.envs.payments.kernel.rules import RuleBook
from bizgym.envs.payments.kernel.world import Base
from bizgym.envs.payments.modules import catalog
from bizgym.envs.payments.records import KINDS, Account

from tests.payments import books, desk
from tests.payments.plays import check_cash, check_log, check_receivables, draw
from tests.payments.test_module_acts import ACTS as DESK_ACTS

N_SEQUENCES, N_CALLS = 200, 60


def renumbered(value):
    """Give the records of the one world other numbers than those of the other: `ACC-1` becomes `ACC-501`."""
    return json.loads(re.sub(r"\b([A-Z]{3})-(\d+)\b", lambda m: f"{m[1]}-{int(m[2]) + 500}", json.dumps(value)))


RECORDS = renumbered(books.load("books.yaml")["records"])
BASE = Base([*by_kind(KINDS, desk.WORLD, "desk.yaml"), *by_kind(KINDS, RECORDS, "books.yaml")])
RULES = RuleBook(
    [*desk.BOOK.rows.values(), *(row for row in books.RULES.rows.values() if row.key not in desk.BOOK.keys)]
)
FITTING = {name: act["call"] for name, act in DESK_ACTS.items()}
FITTING |= {name: renumbered(books.amounts(books.SHEETS[name]["args"])) for name in books.ACTS}
ACTS = sorted(name for name, tool in catalog.TOOLS.items() if tool.effect == "write")


def play(seed):
    rng = Random(seed)
    engine = Engine(BASE, RULES, catalog.TOOLS, catalog.HANDLERS, check_footprints=True)
    catalog.opening(engine.context)
    for _ in range(N_CALLS):
        name = rng.choice(ACTS)
        engine.call(name, draw(rng, engine, BASE, catalog.TOOLS[name], FITTING[name]))
        engine.let_pass(rng.choice([0, 0, 0, 30, 200]))
        assert all(account.available.minor >= 0 for account in engine.world.all(Account)), (seed, name)
    return engine


def test_the_books_balance_whatever_the_modules_do_to_each_other():
    done = set()
    for seed in range(N_SEQUENCES):
        engine = play(seed)
        check_cash(engine, BASE)
        check_receivables(engine)
        check_log(engine, BASE)
        done |= {event.name for event in engine.log if event.ok}
    # So that the invariants have seen what the acts do, not only how they refuse.
    assert len(done & set(ACTS)) >= 0.95 * len(ACTS), sorted(set(ACTS) - done)


def test_the_same_play_gives_the_same_log():
    assert play(7).log.digest() == play(7).log.digest()


def remains(engine):
    """Everything of an episode that a later act could notice, but for the log: records, numbers of ids, the queue."""
    numbers = {prefix: n for prefix, n in engine.world._numbers.items() if n != BASE.numbers.get(prefix, 0)}
    return engine.world.changed(), numbers, engine.context.clock.pending(), engine.context.used_rules, engine.now


def test_an_act_that_is_refused_leaves_no_record_no_number_and_nothing_on_the_queue():
    refused = set()
    for seed in range(0, N_SEQUENCES, 2):
        rng = Random(seed)
        engine = Engine(BASE, RULES, catalog.TOOLS, catalog.HANDLERS)
        catalog.opening(engine.context)
        engine.run_until(0)
        for _ in range(N_CALLS):
            name = rng.choice(ACTS)
            before = remains(engine)
            event = engine.call(name, draw(rng, engine, BASE, catalog.TOOLS[name], FITTING[name]))
            if not event.ok:
                assert remains(engine) == before, (seed, name, event.code)
                refused.add((name, event.code))
    assert len({name for name, _ in refused}) >= 0.9 * len(ACTS)
    assert len(refused) >= 2 * len(ACTS)

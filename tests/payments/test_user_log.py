"""What of a conversation stands in the event log, what is refused without a trace, and that all of it repeats."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest
from bizgym.envs.core.errors import ToolRefused
from bizgym.envs.core.sampling import sample_schema
from bizgym.envs.core.tools import Tool
from bizgym.envs.payments.kernel.events import world_after
from bizgym.envs.payments.user.memory import Memory
from bizgym.envs.payments.user.messages import Asks, Refusals, Statements, Text

from tests.payments.bank import BASE
from tests.payments.customer import KINDS, RULES, Consent, Offer, asks, bank, offer, refuses, script, states, talk


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ({"asks": asks("fee_capp")}, "UNKNOWN_WORD", r"asks\.0\.ref: .*Did you mean 'fee_cap'\?"),
        ({"asks": asks("REQ-9", kind="approval")}, "NOT_FOUND", r"asks\.0\.ref: there is no request .*REQ-9"),
        ({"asks": asks("ACC-1", kind="approval")}, "NOT_FOUND", r"asks\.0\.ref"),
        ({"asks": asks(*["fee_cap"] * 7)}, "TOO_MANY_ASKS", "at most 6 in a message, not 7"),
        ({"statements": states("weather", 1)}, "UNKNOWN_WORD", r"statements\.0\.fact_id"),
        ({"statements": states("fees", 1)}, "UNKNOWN_WORD", r"statements\.0\.fact_id"),
        ({"refusals": refuses("magic", "statute_forbids")}, "UNKNOWN_WORD", r"refusals\.0\.request"),
        ({"refusals": refuses("payout", "too busy")}, "UNKNOWN_WORD", r"refusals\.0\.reason"),
        ({"text": "a" * 20_001}, "TOO_LONG", "at most 20000 characters, not 20001"),
    ],
)
def test_a_message_that_cannot_be_is_refused_and_leaves_no_trace(given, code, message):
    customer, engine = talk()
    with pytest.raises(ToolRefused, match=message) as refused:
        customer.message(**{"text": "x", **given})
    assert refused.value.code == code
    assert (len(engine.log), engine.now) == (0, 0)


def test_half_a_character_is_written_as_an_escape():
    customer, engine = talk()
    customer.message("\ud800 fee cap?")
    assert engine.log[0].arguments == {"text": "\\ud800 fee cap?"}
    assert json.dumps([event.to_json() for event in engine.log], ensure_ascii=False).encode()


def whole_talk():
    customer, engine = talk()
    replies = [customer.message("Hello.", asks("fees", "exchange", "signed_mandate"))]
    offer(engine, 6_000, purpose="fee")
    replies += [customer.message("Please consent to REQ-1."), customer.message("When is the payment deadline?")]
    return replies, engine


def test_the_state_is_rebuilt_from_the_log():
    _, engine = whole_talk()
    rebuilt = world_after(BASE, engine.log, len(engine.log))
    assert rebuilt.changed() == engine.world.changed()
    assert [each.id for each in rebuilt.all(Consent)] == ["CON-1"]


def test_what_is_only_looked_at_leaves_no_read_in_the_agents_events():
    _, engine = whole_talk()
    spoken = [event for event in engine.log if event.actor == "agent" and event.name != "offer_make"]
    assert [event.reads for event in spoken] == [()] * len(spoken)
    assert all(event.writes == () for event in spoken)


def test_S12_the_same_talk_is_the_same_log_under_any_hash_seed(pytestconfig):
    code = (
        "from tests.payments.test_user_log import whole_talk\n"
        "replies, engine = whole_talk()\n"
        "print(engine.log.digest(), [each.to_json() for each in replies])"
    )
    outputs = set()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        ended = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=pytestconfig.rootpath
        )
        outputs.add(ended.stdout or ended.stderr)
    replies, engine = whole_talk()
    assert outputs == {f"{engine.log.digest()} {[each.to_json() for each in replies]}\n"}


def test_two_customers_share_nothing():
    one, _ = talk()
    other, _ = talk()
    one.message("?", asks("fee_cap"))
    other.message("Good morning.")
    assert other.message("?", asks("fees")).facts == ({"fact": "fee_bearer", "value": "shared_equally"},)
    assert bank().now == 0


WORDS = script().vocabulary
REFS = [*(each.id for each in WORDS.askable), "fee_cap/ACC-1", "fee_cap/ACC-9"]
ON_CARD = ["fees", "payments", "fee_cap", "fee_bearer", "own_balance", "payment_deadline", "signed_mandate"]
KINDS_OF_ASK = ["fact", "choice", "confirm"]
VALUES = ["instant", "none", 1, 540, True, {"minor": 6_000, "currency": "USD"}]


def a_step(draw, customer, engine):
    """One random thing that an agent does; return what it is answered."""
    if draw.random() < 0.3:
        name = draw.choice(["transfer", "fee"])
        offer(engine, draw.choice([1, 5_050, 5_051, 6_000]), draw.choice(["ACC-1", "ACC-2"]), name)
    if draw.random() < 0.1:
        engine.call("account_close", {"account": "ACC-7"})
    offers = [each.id for each in engine.world.all(Offer)]
    engine.world.take_delta()
    asked = asks(
        *draw.sample(ON_CARD if draw.random() < 0.7 else REFS, draw.randrange(4)), kind=draw.choice(KINDS_OF_ASK)
    )
    if offers and draw.random() < 0.5:
        asked += asks(draw.choice(offers), kind=draw.choice(["approval", "confirm"]))
    said = states(draw.choice(["payment_speed", "fee_cap"]), draw.choice(VALUES)) if draw.random() < 0.3 else []
    return customer.message(draw.choice(["Go on.", "What is the fee cap?", "5,050 or 60?"]), asked, said)


def random_talk(seed):
    draw, (customer, engine) = random.Random(seed), talk(patience=20)
    while not customer.ended and len(engine.log) < 200:
        yield a_step(draw, customer, engine), engine


def test_the_script_is_never_a_bad_turn_and_the_same_seed_is_the_same_talk():
    n_ended = 0
    for seed in range(40):
        replies = [(reply, len(engine.log)) for reply, engine in random_talk(seed)]
        assert replies == [(reply, len(engine.log)) for reply, engine in random_talk(seed)]
        n_ended += bool(replies[-1][0].ended)
    assert 0 < n_ended <= 40


def test_interleaved_talks_are_the_talks_alone():
    alone = [[reply for reply, _ in random_talk(seed)] for seed in range(16)]
    open_talks = {seed: random_talk(seed) for seed in range(16)}
    together = [[] for _ in range(16)]
    while open_talks:
        for seed, going in list(open_talks.items()):
            step = next(going, None)
            if step is None:
                del open_talks[seed]
            else:
                together[seed].append(step[0])
    assert together == alone


def test_what_a_customer_remembers_is_what_a_new_one_reads_in_the_log():
    for seed in range(20):
        *_, (_, engine) = random_talk(seed)
        followed = Memory(script(patience=20), BASE, RULES, KINDS)
        for n in range(len(engine.log)):
            followed.follow(engine.log[: n + 1])
        read_at_once = Memory(script(patience=20), BASE, RULES, KINDS)
        read_at_once.follow(engine.log)
        for name in ("told", "seen", "supplied", "revoked", "outcome", "wasted", "answer"):
            assert getattr(followed, name) == getattr(read_at_once, name), name


def message_user(self, text: Text, asks: Asks, statements: Statements, refusals: Refusals) -> None:
    """Write to the customer.

    Args:
        text: Prose.
        asks: What is asked.
        statements: What is told.
        refusals: What is refused.
    """


def test_whatever_fits_the_schema_of_a_message_is_answered_or_refused():
    tool, draw = Tool(message_user, effect="write"), np.random.default_rng(0)
    customer, engine = talk(patience=1_000)
    codes = set()
    for _ in range(300):
        given = sample_schema(tool.parameters, draw, tool.parameters["$defs"])
        before = len(engine.log)
        try:
            reply = customer.message(**tool.validate(given))
            codes.add("answered")
            assert json.loads(json.dumps(reply.to_json()))["minutes"] == 2
        except ToolRefused as refused:
            codes.add(refused.code)
            assert len(engine.log) == before
    assert codes == {"answered", "UNKNOWN_WORD", "NOT_FOUND"}

"""Nothing hidden can be read: no check, no card, no path that passes, no rule that was not shown."""

import json
import pickle
import re

from bizgym.envs.core.chat import Completion

from tests.payments.test_env_counterpart import Client
from tests.payments.workflows import golden, make, play, task

CAP, ISSUED = 6_123, -333
"""The cap that the customer tells on a specific ask only, and the issue of a paper that is handed in on request."""


def public_values(env):
    names = [name for name in dir(env) if not name.startswith("_") and name not in ("np_random", "unwrapped", "env")]
    found = {name: getattr(env, name) for name in names}
    return {name: value for name, value in found.items() if not callable(value)}


def surfaces(env, replies):
    """All that an agent, a wrapper or another process gets to see."""
    seen = [json.dumps(replies, ensure_ascii=False), env.save(), json.dumps(env.tools), env.spec.to_json()]
    seen += [f"{name}={value!r}" for name, value in public_values(env).items()]
    pickles = [pickle.dumps(each) for each in (env, env.action_space, env.observation_space, env.spec)]
    return "\n".join(seen).encode() + b"".join(pickles)


def holds(number, seen):
    """Whether a number stands there, as text or as pickle writes it."""
    packed = (
        b"M" + number.to_bytes(2, "little")
        if 255 < number < 65_536
        else b"J" + number.to_bytes(4, "little", signed=True)
    )
    return re.search(rb"(?<!\d)" + str(abs(number)).encode() + rb"(?!\d)", seen) is not None or packed in seen


def hidden_texts():
    """What a task says that nobody may see: the texts of its checks, its title, its traps, who the customer is."""
    texts = [task().title, task().card.persona, *task().traps, *(each.text for each in task().checks)]
    return [each.encode() for each in texts]


def look(n=3, **kwargs):
    env = make(**kwargs)
    return surfaces(env, play(env, golden()[:n]))


def test_numbers_are_found_where_they_stand():
    assert holds(CAP, b"the cap is 6123 cents")
    assert holds(CAP, pickle.dumps(CAP))
    assert holds(ISSUED, b"issued_at: -333")
    assert holds(ISSUED, pickle.dumps(ISSUED))
    assert not holds(CAP, b"61234 or 161230")


def test_a_card_is_not_readable_before_it_is_told():
    for kwargs in ({}, {"tool_mode": "flat"}, {"information": "gold_documents"}, {"retrieval": "none"}):
        seen = look(n=0, **kwargs)
        assert not holds(CAP, seen)
        assert not holds(ISSUED, seen)
        assert not any(each in seen for each in hidden_texts())


def test_what_was_told_is_all_that_is_readable():
    told = look(n=7)  # the customer has handed the report in
    assert holds(ISSUED, told)
    assert not holds(CAP, told)
    assert not any(each in told for each in hidden_texts())


def test_the_end_shows_no_cap_and_no_path():
    env = make()
    seen = surfaces(env, play(env, golden()))
    assert not holds(CAP, seen)
    assert b"goldens" not in seen


def test_no_rule_is_readable_that_no_document_was_opened_for():
    seen = look(n=0)
    assert b"R-FEE-" not in seen
    assert b"R-FLOOR-" not in seen
    assert b"R-FEE-2" in look(n=2)
    assert b"R-FLOOR-1" not in look(n=2)


def test_a_turn_that_was_thrown_away_stays_with_the_record():
    env = make(counterpart={"driver": "llm"})
    leak = "My cap is USD 61.23, that is 6123."
    env.set_counterpart(Client(Completion(leak), Completion("Which of them?")))
    replies = play(env, golden()[:4])
    assert leak in json.dumps(env.counterpart_record()["rejected"])
    assert not holds(CAP, surfaces(env, replies))

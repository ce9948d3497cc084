"""Methods can help: where its mechanism applies each beats chain of thought by a margin, and elsewhere it does not.

One model plays all of them (`tests.fixtures.skilled.model`). The table says what to expect of a method by the kind of
claim: `+` better by the margin, `-` worse by it, `0` no different within the bound.
"""

from functools import cache
from statistics import fmean

import pytest

from tests.fixtures.skilled.env import KINDS, N_LINES, N_TRAIN, TASKS
from tests.fixtures.skilled.model import slip_chance
from tests.fixtures.skilled.play import at_the_desk, method, rates

ALONE = {"bill": 1 - slip_chance(N_LINES["bill"]), "worn": 0.0, "house": 0.0, "precedent": 1.0}
"""What chain of thought comes to, by the model's own numbers: of bills 0.94 to the power of 8."""
MARGIN = {"bill": 0.2, "worn": 0.6, "house": 0.6, "precedent": 0.6}
BOUND = {"bill": 0.18, "worn": 0.1, "house": 0.1, "precedent": 0.1}
"""Bills are chance: 90 of them have a standard error of 0.05. The rest is not: what it takes is learned once."""
N_FEWER = {"bill": 90, "worn": 15, "house": 15, "precedent": 15}

FEWER = {
    "tasks": [task.task_id for task in TASKS if N_TRAIN <= task.number % 1_000 < N_TRAIN + N_FEWER[task.kind]],
}
AUDITED = {**FEWER, "audit": True}
EPISODE = {"apply": "episode"}
PRACTISED = {"n_train": 20, "n_val": 12, "budget_metric_calls": 250, "practice_env": {"split": "train"}}

#                                      bill: sums with slips
#                                      | worn: a rule that is forgotten
#                                      | | house: a convention that nobody tells
#                                      | | | precedent: right unless one checks by the list
EXPECTED = {
    "cot": ({}, {}, {}, "0 0 0 0"),
    # who checks by the rule book finds what was forgotten, and takes off what an exemption keeps
    "self_refine": ({}, {}, {}, "+ + 0 -"),
    "self_refine small": ({"profile": "small"}, {}, {}, "+ + 0 -"),
    # a turn that fails the check is played anew: another draw of a sum, and by the lesson's words, not by the check's
    "reflexion": ({}, {}, {}, "+ + 0 0"),
    # a trial is a new draw of a sum however the last one went; of a convention the score alone tells nothing
    "reflexion episode none": (EPISODE, FEWER, {"trials": 3, "feedback": "none"}, "0 + 0 0"),
    "reflexion episode outcome": (EPISODE, FEWER, {"trials": 3, "feedback": "outcome"}, "0 + 0 0"),
    "reflexion episode gold": (EPISODE, FEWER, {"trials": 3, "feedback": "gold"}, "0 + + 0"),
    # votes settle what seats err in apart, and nothing that all of them do not know
    "debate": ({}, {}, {}, "+ 0 0 0"),
    "debate of one round": ({"agents": 5, "rounds": 1}, {}, {}, "+ 0 0 0"),  # the median, without a word exchanged
    "discussion": ({}, {}, {}, "+ 0 0 0"),
    # the curator looks at what was done: at sums in vain, at rules well, at conventions once something tells the amount
    "dynamic_cheatsheet": ({}, FEWER, {"feedback": "none"}, "0 + 0 0"),
    "dynamic_cheatsheet audit": ({}, AUDITED, {"feedback": "none"}, "0 + + 0"),
    "dynamic_cheatsheet told": ({"use_feedback": True}, FEWER, {"feedback": "gold"}, "0 + + 0"),
    "dynamic_cheatsheet retrieval": ({"variant": "retrieval"}, FEWER, {"feedback": "none"}, "0 + 0 0"),
    "ace none": ({}, FEWER, {"feedback": "none"}, "0 + 0 0"),
    "ace gold": ({}, FEWER, {"feedback": "gold"}, "0 + + 0"),
    "ace lean": ({"profile": "lean"}, FEWER, {"feedback": "gold"}, "0 + + 0"),
    # an account alone teaches who reads it back nothing; one with the right amount does, and so does a description
    "amem lite none": ({"mode": "lite"}, FEWER, {"feedback": "none"}, "0 0 0 0"),
    "amem lite gold": ({"mode": "lite"}, FEWER, {"feedback": "gold"}, "0 + + 0"),
    "amem full none": ({"mode": "full"}, FEWER, {"feedback": "none"}, "0 + 0 0"),
    "amem full gold": ({"mode": "full"}, FEWER, {"feedback": "gold"}, "0 + + 0"),
    "gepa": (PRACTISED, {}, {}, "0 + 0 0"),
    "gepa audit": (PRACTISED, {"audit": True}, {}, "0 + + 0"),
}


@pytest.fixture(scope="module")
def came_to(tmp_path_factory):
    """What a method came to by kind, each played once."""

    @cache
    def play(name):
        settings, env, run, _ = EXPECTED[name]
        folder = tmp_path_factory.mktemp("desk") / "run"
        return rates(at_the_desk(folder, method(name.split()[0], **settings), env, **run))

    return play


@pytest.mark.parametrize("name", EXPECTED)
def test_a_method_helps_where_it_can_and_nowhere_else(name, came_to):
    gains = {kind: came_to(name)[kind] - ALONE[kind] for kind in KINDS}
    for kind, sign in zip(KINDS, EXPECTED[name][-1].split(), strict=True):
        held = {
            "+": gains[kind] >= MARGIN[kind],
            "-": gains[kind] <= -MARGIN[kind],
            "0": abs(gains[kind]) <= BOUND[kind],
        }[sign]
        assert held, f"{name} on {kind}: {gains[kind]:+.3f}, expected {sign}; all: {gains}"


@pytest.mark.parametrize(("shuffled", "gains"), [(False, True), (True, False)])
def test_routing_gains_over_the_best_fixed_method_unless_its_labels_are_shuffled(shuffled, gains, came_to, tmp_path):
    """Checking helps where a rule is forgotten and hurts where it does not apply: no one method suits both."""
    team = {name: method(name) for name in ("cot", "debate", "self_refine")}
    settings = {"methods": team, "n_dev": 24, "practice_env": {"split": "train"}, "shuffle_labels": shuffled}
    routed = rates(at_the_desk(tmp_path / "run", method("aoa", **settings)))
    fixed = [came_to(name) for name in team]
    best = max(fmean(each.values()) for each in fixed)
    oracle = fmean(max(each[kind] for each in fixed) for kind in KINDS)
    gain = fmean(routed.values()) - best
    assert gain <= oracle - best + BOUND["bill"] / len(KINDS)
    assert gain >= 0.15 if gains else gain <= 0.05, f"{gain:+.3f}: {routed}, {fixed}"

"""Replies of an interviewer that is no script: those that tell too much are refused, those that keep the rules pass."""

from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from bizgym.envs.consulting.drivers import Reply, View
from bizgym.envs.consulting.parts import parts
from bizgym.envs.consulting.reply_rules import violation
from bizgym.envs.consulting.state import Asked, Progress
from bizgym.envs.consulting.tasks import all_tasks

from .toys import case_of

REPLIES = yaml.safe_load((Path(__file__).parent / "replies.yaml").read_text(encoding="utf-8"))
AT_LEAST = 0.95
CASES = [task.case for task in all_tasks()][::7]
CHAT = (
    "We have nothing on that.",
    "I have no information on that, I am afraid.",
    "Please go on with your questions.",
    "I cannot give you my opinion on the options.",
    "The client has not told us that.",
    "Take a moment if you like; there is no hurry.",
)


def wrong(case, reply, *known):
    told = tuple(Asked(1, "released", case.by_id[name].topic, name) for name in known)
    return violation(reply, View(case, Progress(asked=told), "How long is the season?", None, ()))


def of_file(row):
    topics = ("capacity", "supply") if row["act"] == "menu" else ()
    reply = Reply(row["act"], row.get("fact", ""), topics, row["say"])
    return wrong(case_of(row["case"]), reply, *row.get("known", ()))


def test_replies_that_tell_too_much_are_refused():
    passed = [row["say"] for row in REPLIES["bad"] if not of_file(row)]
    assert len(REPLIES["bad"]) >= 70
    assert len(passed) <= (1 - AT_LEAST) * len(REPLIES["bad"]), passed


def test_paraphrases_of_one_fact_and_small_talk_pass():
    refused = [(row["say"], of_file(row)) for row in REPLIES["good"] if of_file(row)]
    assert len(REPLIES["good"]) >= 80
    assert len(refused) <= (1 - AT_LEAST) * len(REPLIES["good"]), refused


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case_id)
def test_every_fact_may_be_told_as_it_stands_and_small_talk_be_made(case):
    for fact in case.facts:
        assert wrong(case, Reply("tell", fact.fact_id, (), fact.sentence), *fact.prerequisites) == ""
    for say in CHAT:
        assert wrong(case, Reply("nothing", say=say)) == ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case_id)
def test_what_is_hidden_may_not_be_said_as_it_stands(case):
    root = next(cause for cause in case.causes if cause.role == "root")
    right = case.options[case.solution.decision]
    hidden = [root.text, case.solution.constraint.text, case.solution.why_not, f"My recommendation is: {right.text}."]
    for say in hidden:
        assert wrong(case, Reply("nothing", say=say)), say
    free = [fact for fact in case.facts if not fact.prerequisites]
    twice = [(a, b) for a, b in pairwise(free) if b.numbers]
    missed = [
        b.fact_id for a, b in twice if not wrong(case, Reply("tell", a.fact_id, (), f"{a.sentence} {b.sentence}"))
    ]
    assert len(missed) <= 1


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("A third of them", [1 / 3]),
        ("two thirds, or two in five", [2 / 3, 2 / 5]),
        ("half the pairs, every fourth box", [1 / 2, 1 / 4]),
        ("twice as many", [2.0]),
        ("half an hour, a third party, the second option, one of these, one question", []),
    ],
)
def test_shares_in_words(text, values):
    assert sorted(part.value for part in parts(text)) == pytest.approx(sorted(values))


@pytest.mark.parametrize(
    "number", ["18", "eighteen", "650,000", "six hundred and fifty thousand", "7 %", "seven per cent"]
)
def test_a_number_that_was_not_told_is_refused_in_any_writing(number):
    case = case_of("automation_2-easy-b")
    assert wrong(case, Reply("nothing", say=f"It may be {number}, who knows.")).startswith("IV9")


@pytest.mark.parametrize(
    "say",
    [
        "An entry-level binder manages 60,000 calendars in a week.",
        "An entry-level binder manages sixty thousand calendars in a week.",
        "The small binder does 60 thousand calendars a week.",
    ],
)
def test_the_number_of_a_fact_may_be_written_in_any_way(say):
    assert wrong(case_of("automation_2-easy-b"), Reply("tell", "capacity.limit", (), say)) == ""

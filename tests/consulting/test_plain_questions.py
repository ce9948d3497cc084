"""Plain questions on many cases: a menu or an answer holds what is asked for, and no wrong fact is told."""

from collections import Counter
from pathlib import Path

import pytest
import yaml
from bizgym.envs.consulting import interviewer
from bizgym.envs.consulting.play import Interview

from .toys import case_of

ASKED = yaml.safe_load((Path(__file__).parent / "plain_questions.yaml").read_text(encoding="utf-8"))
ALL = [(task_id, *each) for task_id, listed in ASKED.items() for each in listed]


def outcome(task_id, fact_id, question):
    """What becomes of a question: its fact, a menu with its topic and then its fact or another, or neither."""
    talk = Interview(case_of(task_id))
    talk.ask(1, question)
    asked = talk.progress.asked[-1]
    if asked.answered == "menu":
        topic = talk.case.by_id[fact_id].topic
        if topic not in talk.progress.menu:
            return "missed"
        talk.ask(2, topic)
        return "menu" if talk.progress.asked[-1].fact_id == fact_id else "menu, then another"
    if asked.answered in ("released", "refused", "repeated"):
        return "told" if asked.fact_id == fact_id else "another"
    return "missed"


def test_plain_questions_come_through():
    """Where a menu is made without a look at the facts of the case, 118 of the 201 reach their fact."""
    found = Counter(outcome(*each) for each in ALL)
    assert len(ALL) >= 200
    assert len(ASKED) >= 40
    assert found["another"] <= 2
    assert found["told"] + found["menu"] + found["menu, then another"] >= 0.95 * len(ALL)
    assert found["told"] + found["menu"] >= 0.9 * len(ALL)


def raises(task_id, fact_id, question):
    """Whether a question raises the topic of its fact in the candidate's own words, chosen from the menu if need be."""
    talk = Interview(case_of(task_id))
    topic = talk.case.by_id[fact_id].topic
    talk.ask(1, question)
    if topic in talk.progress.menu:
        talk.ask(2, topic)
    return talk.progress.raised.get(topic) == 1


def test_plain_questions_raise_their_topic():
    """Where only what is surely understood does, 42 of the 201 raise it."""
    assert sum(raises(*each) for each in ALL) >= 0.75 * len(ALL)


@pytest.mark.parametrize(
    ("task_id", "question"),
    [
        ("supply_chain_1-middle-a", "What share of tins is thrown away because motifs change?"),
        ("supply_chain_1-middle-a", "Are there things the client would never do?"),
        ("mergers_1-hard-a", "May we borrow freely?"),
        ("mergers_4-hard-b", "How much gravel went to the bypass?"),
    ],
)
def test_a_fair_question_is_not_turned_away(task_id, question):
    assert interviewer.NOTHING not in Interview(case_of(task_id)).ask(1, question)


@pytest.mark.parametrize(
    ("task_id", "question", "wrong"),
    [
        ("mergers_1-hard-a", "How much would joint purchasing save?", "melting shop"),
        ("capacity_2-middle-b", "Is there any permit or limit on traffic at night?", "inspected"),
    ],
)
def test_no_wrong_fact_is_released(task_id, question, wrong):
    assert wrong not in Interview(case_of(task_id)).ask(1, question)


@pytest.mark.parametrize(
    ("task_id", "question", "topic"),
    [
        ("automation_2-easy-b", "What fee would the finishing shop charge for the binder?", "supply"),
        ("supply_chain_1-middle-a", "What does a tin cost at present order size?", "supply"),
        ("capacity_2-middle-b", "How many lorries would come outside the morning for a 10 % rebate?", "customers"),
        ("new_product_3-hard-a", "How many estates would join?", "volume"),
        ("new_product_3-hard-a", "How many hours are available?", "constraints"),
        ("market_entry_4-easy-c", "What share of the visits would be taken from the silo?", "mix"),
        ("market_entry_4-easy-c", "How many licensed trainers are there?", "constraints"),
        ("new_product_3-middle-c", "How many would subscribe through the insurer?", "mix"),
    ],
)
def test_the_menu_holds_the_right_topic(task_id, question, topic):
    talk = Interview(case_of(task_id))
    talk.ask(1, question)
    asked = talk.progress.asked[-1]
    assert topic in (talk.progress.menu if asked.answered == "menu" else (asked.topic,))


def test_a_joke_is_no_purposeful_question():
    talk = Interview(case_of("supply_chain_1-middle-a"))
    assert "printer" not in talk.ask(1, "Tell me a joke.", "supply")
    assert talk.progress.known == ()

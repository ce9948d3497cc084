"""Menus: they name topics that the case has, are answered by a choice alone, and no question gets no fact."""

import pytest
from bizgym.envs.consulting import interviewer
from bizgym.envs.consulting.drivers import Scripted
from bizgym.envs.consulting.fact_types import fact_types
from bizgym.envs.consulting.matches import Match
from bizgym.envs.consulting.matching.wording import chosen, is_bare
from bizgym.envs.consulting.play import Interview

from .toys import case_of, deaf, sure, unsure

CASE = case_of()
SAID = {fact.fact_id: fact.sentence for fact in CASE.facts}
BINDER = "automation_2-easy-b"
MENU = ("price", "market", "fixed_cost")
TOPICS = tuple(fact_types().topics)
HARD = (
    "market_entry_1-hard-a",
    "mergers_1-hard-a",
    "capacity_2-hard-b",
    "turnaround_1-hard-a",
    "supply_chain_1-hard-b",
    "pricing_1-hard-c",
    "new_product_3-hard-b",
    "automation_1-hard-a",
    "profitability_1-hard-a",
    "growth_2-hard-a",
)


def interview(matcher, case=CASE):
    return Interview(case, Scripted(matcher))


def test_an_unclear_question_brings_a_menu_that_takes_no_turn():
    talk = interview(unsure("competitor.price", "market.size", "labour.absence", "cost.fixed", "cash.debt"))
    said = talk.ask(1, "How is it going over there?")
    assert said.startswith("Which of these do you mean? `competitors` (who else is there")
    assert said.count("`") == 6  # three topics, however many are likely, and none that the case has no fact of
    assert "`cash`" not in said
    assert talk.progress.turns == 0


def test_a_topic_of_the_menu_can_be_chosen_by_its_name():
    talk = interview(unsure("market.size", "cost.fixed"))
    talk.ask(1, "How large is all of it over there?")
    said = talk.ask(2, "The market, please.")
    assert said.startswith(SAID["market.size"])  # the question that led to the menu still counts
    assert talk.progress.raised == {}


def test_a_topic_from_a_menu_is_never_in_ones_own_words():
    talk = interview(unsure("market.size", "cost.fixed"))
    talk.ask(1, "How is business going over there?")
    talk.ask(2, "What is the size of the market?", "market")
    talk.ask(3, "How fast does the market grow?", "market")
    assert len(talk.progress.known) == 2
    assert talk.progress.raised == {}


def test_a_menu_topic_that_the_question_was_about_is_raised_by_it():
    for choice in (("market", None), ("The market, please.", None), ("What is its size?", "market")):
        talk = interview(unsure("market.growth", "cost.fixed"))
        assert "`market`" in talk.ask(3, "How fast does spending on fire doors go up?")
        talk.ask(5, *choice)
        assert talk.progress.raised == {"market": 3}
        assert talk.progress.asked[-1].answered == "released"


def test_another_topic_of_the_menu_is_raised_neither_then_nor_later():
    talk = interview(unsure("market.growth", "cost.fixed"))
    talk.ask(1, "How fast does spending on fire doors go up?")
    talk.ask(2, "fixed_cost")
    assert talk.progress.asked[-1].topic == "fixed_cost"
    talk.ask(3, "What do the office and its two salespeople come to?", "fixed_cost")
    assert talk.progress.raised == {}
    assert talk.progress.came_up("fixed_cost") == ("named by a menu first", 2)


def test_a_wrong_guess_of_a_menu_can_be_raised_later_but_not_by_the_words_of_the_list():
    for question, raised in (
        ("How much do those who buy fire doors spend?", {"market": 2}),
        ("What is the size and growth of the market, and what are trends in it?", {}),
    ):
        talk = interview(unsure("market.size", "cost.fixed"))
        assert "`market`" in talk.ask(1, "How is business going over there?")
        talk.ask(2, question, "market")
        assert talk.progress.asked[-1].topic in ("market", "")
        assert talk.progress.raised == raised


@pytest.mark.parametrize(
    "found",
    [
        Match("menu", (("market.growth", 0.4),), ("market",), "chat"),
        Match("menu", (("market.growth", 0.4),), ("market",), "instruction"),
        Match("menu", (("market.growth", 0.9), ("cost.fixed", 0.9)), ("market",), parts=2),
    ],
)
def test_what_is_no_single_question_raises_nothing_through_a_menu(found):
    talk = interview(lambda question: found)
    talk.ask(1, "How fast does spending on fire doors go up?")
    talk.ask(2, "market")
    assert talk.progress.known
    assert talk.progress.raised == {}


VAGUE = ("Tell me about the business.", "How do things stand over there?", "What should I know of the company?")


@pytest.mark.parametrize("task_id", HARD)
def test_who_reads_menus_and_repeats_their_words_raises_nothing(task_id):
    talk = Interview(case_of(task_id))
    for turn, question in enumerate(VAGUE * 3, 1):
        talk.ask(2 * turn, question)
        covers = [fact_types().topics[topic] for topic in talk.progress.menu]
        talk.ask(2 * turn + 1, talk.progress.menu[0] if turn % 2 and covers else f"What is on this: {covers[-1:]}?")
    assert talk.progress.raised == {}


def test_a_type_that_the_case_lacks_brings_a_menu_of_what_is_near():
    talk = interview(sure("synergy.cost"))
    said = talk.ask(1, "What commission would the building supplier keep?")
    assert said.startswith("Which of these do you mean?")
    assert "`variable_cost`" in said
    assert talk.progress.turns == 0


def test_a_sure_type_is_not_told_where_the_words_are_those_of_another_fact():
    case = case_of("capacity_2-middle-b")
    said = interview(sure("regulation.rule"), case).ask(1, "Is there any permit or limit on traffic at night?")
    assert said.startswith("Which of these do you mean?")
    assert "`constraints`" in said


@pytest.mark.parametrize(
    ("reply", "topic"),
    [
        ("The market, please.", "market"),
        ("`fixed_cost`", "fixed_cost"),
        ("I mean fixed costs", "fixed_cost"),
        ("price, I think", "price"),
        ("Prices and discounts", "price"),
        ("Do you mean price?", "price"),
        ("Market?", "market"),
        ("I'd like the market please", "market"),
        ("Market - how large is it?", "market"),
        ("2", "market"),
        ("#3", "fixed_cost"),
        ("the second one", "market"),
        ("Number three.", "fixed_cost"),
        ("Let's go with the first.", "price"),
    ],
)
def test_a_reply_that_is_plainly_a_choice(reply, topic):
    assert chosen(MENU, reply) == topic


@pytest.mark.parametrize(
    "reply",
    [
        "What is the price?",
        "What is the purchase price of the machine?",
        "How many weeks does the market season last?",
        "How many would come in 2 years?",
        "price or market",
        "Neither, I mean volume",
        "4",
        "yes",
        "That one",
        "How many of the first customers come back?",
        "",
    ],
)
def test_a_reply_that_is_no_choice(reply):
    assert chosen(MENU, reply) is None


def test_a_waiting_menu_lapses_with_another_question():
    talk = Interview(case_of(BINDER))
    assert "`volume`" in talk.ask(1, "How many weeks does the season last in which you bind?")
    assert "18 weeks" not in talk.ask(2, "What volume can the entry-level binder manage per week?")
    assert "`investment`" in talk.ask(3, "What is the purchase price of the high-speed binder?")
    assert talk.progress.unclear == "What is the purchase price of the high-speed binder?"
    talk.ask(4, "How many workers sit at the benches?", "labour")
    assert talk.progress.menu == ()


def words_without_a_question():
    for topic, covers in fact_types().topics.items():
        name = topic.replace("_", " ")
        yield topic, (topic, name, f"{name}?", covers, f"{topic}: {covers}?", f"{name}: {covers.lower()}?")
        yield topic, (f"Tell me about {name}.", f"What about {name}?", f"What do you have on {name}?", "What else?")
        yield topic, ("Please", "ok, next", "go on", "x", "??", "Tell me a joke.", "I like you.", "asdf qwer zxcv")


@pytest.mark.parametrize(("topic", "said"), list(words_without_a_question()))
def test_words_that_are_no_question_on_a_topic_release_nothing(topic, said):
    case = next(each for each in map(case_of, HARD) if any(fact.topic == topic for fact in each.facts))
    for words in said:
        talk = Interview(case)
        assert talk.ask(1, words, topic).startswith(interviewer.EXACTLY), words
        assert (talk.progress.known, talk.progress.raised, talk.progress.turns) == ((), {}, 0)


def test_a_topic_name_without_the_argument_is_no_question_either():
    talk = Interview(case_of("supply_chain_1-hard-b"))
    assert talk.ask(1, "supply").startswith(interviewer.EXACTLY)
    assert talk.ask(2, "Supply?").startswith(interviewer.EXACTLY)
    assert talk.progress.turns == 0
    assert talk.ask(3, "supply supply").startswith(interviewer.EXACTLY)
    assert talk.progress.turns == 1  # twice for nothing, and no more
    assert talk.progress.known == ()


@pytest.mark.parametrize(
    "question",
    [
        "What is the price?",
        "Are there any constraints?",
        "What are the fixed costs?",
        "What is the size of the market?",
        "How large is the market?",
        "How much volume?",
        "What constraints does the client have?",
    ],
)
def test_a_short_question_is_one(question):
    assert not any(is_bare(question, topic) for topic in (None, *TOPICS))


def test_what_a_type_means_is_a_question_and_no_copy_of_its_topic():
    types = fact_types()
    for name, each in types.types.items():
        question = f"On {each.topic.replace('_', ' ')}: {each.means}?"
        assert not is_bare(question, each.topic), name


def test_a_question_with_its_topic_goes_without_a_menu():
    for task_id in HARD:
        case = case_of(task_id)
        for fact in case.facts:
            if not fact.prerequisites:
                talk = Interview(case)
                talk.ask(1, f"What do we know of this: {fact_types().types[fact.type].means}?", fact.topic)
                assert talk.progress.asked[-1].answered in ("released", "refused")


def test_a_question_asked_again_with_its_topic_is_said_again():
    talk = interview(sure("market.growth"))
    talk.ask(1, "How fast does the market grow?", "market")
    assert talk.ask(2, "How fast does the market grow?", "market").startswith("As I said: ")
    assert talk.progress.known == ("market.growth",)


@pytest.mark.parametrize("name", ["`tender_survey`", "Tender_Survey", '"tender survey"', "the exhibit tender_survey"])
def test_an_exhibit_is_found_by_its_name_as_it_was_shown(name):
    talk = interview(sure("market.size"))
    talk.ask(1, "How large is the market?")
    assert "All purchases in a year" in talk.exhibit(name)
    title = CASE.by_name["tender_survey"].title
    assert "All purchases in a year" in talk.exhibit(f"{title} (`tender_survey`)")
    assert "All purchases in a year" in talk.exhibit(title)
    assert (talk.progress.turns, talk.progress.opened) == (1, ("tender_survey",))
    assert interview(deaf).exhibit("tender").startswith("We have no exhibit of that name.")

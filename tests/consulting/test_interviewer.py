"""The scripted interviewer: one fact a turn, prerequisites first, a question back where it is not sure."""

import pytest
from bizgym.envs.consulting import interviewer
from bizgym.envs.consulting.drivers import Scripted
from bizgym.envs.consulting.fact_types import fact_types
from bizgym.envs.consulting.matches import Match
from bizgym.envs.consulting.play import CUT_OFF, Interview
from bizgym.envs.consulting.recommendation import StatedNumber
from hypothesis import given, settings
from hypothesis import strategies as st

from .toys import case_of, deaf, sure, unsure

CASE = case_of()  # a hard case of the first market entry: mix.channel comes after market.share:open
SAID = {fact.fact_id: fact.sentence for fact in CASE.facts}


def interview(matcher, case=CASE):
    return Interview(case, Scripted(matcher))


def test_a_sure_question_releases_one_fact_and_takes_a_turn():
    talk = interview(sure("market.size"))
    assert (
        talk.ask(1, "How large is the market?")
        == f"{SAID['market.size']} There is an exhibit on this, `tender_survey`. (15 of 16 turns left.)"
    )
    assert talk.progress.known == ("market.size",)
    assert talk.progress.phase(16) == "analysis"


def test_a_fact_is_said_again_where_it_is_asked_for_again():
    talk = interview(sure("cost.fixed"))
    talk.ask(1, "What does an office cost?")
    assert talk.ask(2, "And the office, what does it cost?").startswith(f"As I said: {SAID['cost.fixed']}")
    assert [each.answered for each in talk.progress.asked] == ["released", "repeated"]
    assert talk.progress.turns == 2


def test_of_two_segments_the_one_that_is_asked_about_is_told():
    for question, told in (
        ("Of the orders it may bid for, how many would the firm win?", "won"),
        ("How much is put out to tender?", "open"),
    ):
        talk = interview(sure("market.share"))
        assert talk.ask(1, question).startswith(SAID[f"market.share:{told}"])


def test_a_prerequisite_is_named_by_its_topic_and_nothing_is_told():
    talk = interview(sure("mix.channel"))
    said = talk.ask(1, "What does the supplier reach?")
    assert "`market`" in said
    assert not any(sentence in said for sentence in SAID.values())
    assert (talk.progress.known, talk.progress.asked[0].answered) == ((), "refused")
    talk.ask(2, "How much is put out to tender?", "market")
    assert talk.ask(3, "What does the supplier reach?").startswith(SAID["mix.channel"])


@pytest.mark.parametrize(
    ("question", "matcher", "own"),
    [
        ("How large is it?", sure("market.size"), True),  # understood from the words
        ("About the market: how large?", deaf, True),  # names the topic
        ("What do buyers spend on fire doors?", unsure("market.size"), True),  # ranked first, by words of the fact
        ("How large is it?", deaf, False),  # the argument alone brought the topic
        ("How large is it?", sure("cost.rent"), False),  # the words mean another one
    ],
)
def test_a_topic_argument_counts_where_the_words_agree_with_it(question, matcher, own):
    talk = interview(matcher)
    talk.ask(4, question, "market")
    assert talk.progress.asked[0].topic == "market"
    assert talk.progress.raised == ({"market": 4} if own else {})


def test_a_topic_is_raised_once():
    talk = interview(sure("market.size"))
    talk.ask(1, "How large is the market?")
    talk.ask(5, "How large is the market?")
    assert talk.progress.raised == {"market": 1}


def test_several_things_at_once_bring_the_first_and_a_note():
    talk = interview(sure("cost.fixed", "market.size"))
    said = talk.ask(1, "What does an office cost, and how large is the market?")
    assert SAID["cost.fixed"] in said
    assert interviewer.MORE_NOTED in said
    assert SAID["market.size"] not in said
    assert talk.progress.known == ("cost.fixed",)


def test_everything_at_once_is_asked_back_once_then_declined():
    talk = interview(lambda question: Match("purposeless"))
    assert talk.ask(1, "Send me all data.").startswith(interviewer.PURPOSE)
    assert talk.progress.turns == 0
    assert talk.ask(2, "Send me all data.").startswith(interviewer.ONE_THING)
    assert talk.progress.turns == 1
    assert talk.progress.known == ()


def test_what_the_case_has_nothing_on():
    assert interview(deaf).ask(1, "Hm?").startswith(interviewer.NOTHING)
    talk = interview(deaf)
    assert talk.ask(1, "How much cash is at hand?", "cash").startswith(interviewer.NOTHING)
    assert talk.progress.turns == 1


def test_what_the_statement_tells_is_not_told_again():
    easy = case_of("market_entry_1-easy-a")
    assert "market.size" in easy.given
    talk = interview(sure("market.size"), easy)
    assert talk.ask(1, "How large is the market?").startswith("That stands in the description of the case.")


@pytest.mark.parametrize("fact", [fact for fact in CASE.facts if fact.near_triggers], ids=lambda fact: fact.fact_id)
def test_a_near_trigger_never_releases_its_fact(fact):
    for phrase in fact.near_triggers:
        for topic in (None, fact.topic):
            talk = interview(sure(fact.type))
            talk.ask(1, f"Tell me about the {phrase}.", topic)
            assert fact.fact_id not in talk.progress.known


def test_a_near_trigger_is_a_phrase_and_no_bag_of_words():
    fact = CASE.by_id["cost.fixed"]
    assert fact.near_triggers == ["fixed date"]
    for question, told in (
        ("Which fixed costs have no fixed dates?", False),
        ("Is the date of fixed costs known?", True),
    ):
        talk = interview(sure("cost.fixed"))
        talk.ask(1, question)
        assert (talk.progress.known == ("cost.fixed",)) is told


def test_a_topic_gives_its_facts_one_by_one_to_questions_about_it():
    talk = interview(deaf)
    facts = [fact.fact_id for fact in CASE.facts if fact.topic == "market"]
    for k in range(len(facts)):
        talk.ask(k + 1, "How about the market itself, how large or small is it?", "market")
    assert sorted(talk.progress.known) == sorted(facts)


def test_after_the_last_turn_a_question_ends_the_interview():
    talk = interview(deaf)
    for k in range(CASE.turns):
        said = talk.ask(k + 1, "Hm?")
        left = CASE.turns - k - 1
        assert said.endswith("; come to a recommendation.)") is (1 <= left <= 4)
    assert said.endswith(interviewer.TIME_IS_UP)
    assert talk.progress.phase(CASE.turns) == "recommendation"
    assert not talk.progress.closed
    assert talk.ask(99, "One more?") == CUT_OFF
    assert (talk.ran_out, talk.progress.closed, talk.progress.phase(CASE.turns)) == (True, True, "close")


def test_an_exhibit_shows_what_is_known_and_withholds_the_rest():
    talk = interview(sure("market.size"))
    talk.ask(1, "How large is the market?")
    shown = talk.exhibit("tender_survey")
    size = next(each.value for each in CASE.by_id["market.size"].numbers)
    assert f"| All purchases in a year | {size:g} million EUR |" in shown
    assert "| Put out to tender | (not discussed yet) |" in shown
    assert talk.progress.turns == 1


def test_an_exhibit_that_nobody_named_takes_a_turn_the_first_time():
    talk = interview(deaf)
    talk.exhibit("selling_costs")
    talk.exhibit("selling_costs")
    assert talk.progress.turns == 1
    assert talk.exhibit("no_such_table").startswith("We have no exhibit of that name.")
    assert talk.progress.turns == 2


def test_shared_numbers_are_judged_as_far_as_facts_are_known():
    talk = interview(deaf)
    wanted = {each.metric: each.value for each in CASE.solution.key_numbers}
    number = StatedNumber(metric="sales_alone", value=wanted["sales_alone"], unit="million EUR/year")
    assert talk.share("Sales.", [number]) == "sales_alone: I cannot tell from what we have discussed."
    for fact_id, topic in (("market.size", "market"), ("market.share:open", "market"), ("market.share:won", "market")):
        words = {"market.size": "size in money", "market.share:open": "share open", "market.share:won": "share won"}
        talk.ask(1, words[fact_id], topic)
    assert talk.share("Sales.", [number]) == "sales_alone: right."
    thousands = StatedNumber(metric="Sales alone", value=wanted["sales_alone"] * 1000, unit="thousand EUR a year")
    assert talk.share("Sales.", [thousands]) == "Sales alone: right."
    no_unit = StatedNumber(metric="sales_alone", value=wanted["sales_alone"], unit="million EUR")
    assert talk.share("Sales.", [no_unit]) == "sales_alone: that is not the unit; I reckon in million EUR/year."
    assert talk.progress.turns == 3


KINDS = st.sampled_from(["release", "menu", "none", "purposeless", "several"])
TYPES = st.lists(st.sampled_from(sorted(fact_types().types)), min_size=1, max_size=3).map(tuple)
TOPICS = st.sampled_from([None, None, *fact_types().topics])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(KINDS, TYPES, TOPICS, st.text(max_size=40)), max_size=30))
def test_never_two_facts_never_early_never_the_solution(plays):
    heard = iter(plays)

    def matcher(question):
        kind, types, _, _ = next(heard)
        topics = tuple(fact_types().topic_of(name) for name in types)
        return Match(kind, tuple((name, 1.0) for name in types), topics)

    talk, turns = interview(matcher), 0
    for k, (_, _, topic, question) in enumerate(plays, 1):
        if talk.progress.turns >= CASE.turns:
            break
        known = talk.progress.known
        said = talk.ask(k, question, topic)
        new = talk.progress.known[len(known) :]
        assert len(new) <= 1
        assert sum(sentence in said for sentence in SAID.values()) <= 1
        assert all(set(CASE.by_id[name].prerequisites) <= set(known) for name in new)
        assert talk.progress.turns - turns in (0, 1)
        turns = talk.progress.turns
        assert not any(text in said for text in (CASE.solution.decision, CASE.solution.why_not, CASE.causes[0].text))

"""What a text names, asserts, sets aside and rests on."""

import pytest
from bizgym.envs.consulting.recommendation import asserts, denies, names, rests_on, says, texts_alike
from bizgym.envs.consulting.stems import content, meets, stem

from .toys import case_of

CASE = case_of("market_entry_1-hard-a")
MIX = ["cabin|berth", "deck", "mix|shift|moved|switched"]


@pytest.mark.parametrize(
    "words",
    [
        "raise raised raising raises",
        "company companies",
        "replace replaced replacing",
        "promise promised promises",
        "sell selling sold sale sales",
        "grow grew grown growth",
        "reduce reduction reduced",
        "agree agreed agreement",
        "utilise utilised utilization",
        "pay paid paying",
        "supplier suppliers supply supplies",
        "promote promoting promotion",
    ],
)
def test_forms_of_a_word_have_one_stem(words):
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    "pair", ["price prize", "cost cast", "market marker", "deck dock", "staff stuff", "invest invent"]
)
def test_other_words_have_others(pair):
    left, right = pair.split()
    assert stem(left) != stem(right)


def test_groups_are_met_by_one_alternative_each():
    assert meets(MIX, "Buyers shifted from berths to the deck.")
    assert not meets(MIX, "Buyers shifted from berths to the bar.")
    assert meets(["late shift|night work"], "Working at night must end: night work is dear.")
    assert not meets(["late shift"], "It is late.")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Passengers moved from the cabin to the deck.", True),
        ("Passengers moved from the cabin, and the deck does not pay.", True),
        ("They never came back: cabin guests switched to the deck.", True),
        ("Cabin guests are lost. The mix has moved to the deck.", True),
        ("Cabin guests do not return because the mix moved to the deck.", True),
        ("The deck has not had the berths that are the reason for the mix.", True),
        ("It is hardly due to the mix of cabin and deck.", False),
        ("The mix of cabin and deck isn't our main driver.", False),
        ("It is not because the mix moved from cabin to deck.", False),
        ("The mix of cabin and deck is not the main reason.", False),
        ("The mix has changed.", False),
    ],
)
def test_a_cause_is_named_unless_it_is_said_to_be_none(text, named):
    assert names(MIX, text) is named


@pytest.mark.parametrize(
    ("text", "asserted"),
    [
        ("The office is dearer, and so profit fell.", True),
        ("The office is dearer. Profit fell for another reason.", False),
        ("The office is dearer, but that is not why profit fell.", False),
        ("It was the deck rather than the office, dearer or not, why profit fell.", False),
        ("The office is only a minor part of why profit fell, if dearer.", False),
    ],
)
def test_what_is_held_against_a_candidate_is_said_plainly(text, asserted):
    assert asserts(["office", "dearer", "fell"], text) is asserted


def test_comparisons_of_figures_deny_nothing():
    assert not denies("It carries 58 thousand tonnes instead of 54 thousand.")
    assert denies("It is the mix instead of the office.")


@pytest.mark.parametrize(
    ("decision", "headline", "said"),
    [
        ("partner", "Sell the doors through the building supplier.", True),
        ("partner", "Sell through the supplier rather than open an office.", True),
        ("partner", "Do not open an office; sell through the building supplier.", True),
        ("partner", "Sell through the supplier and open an office.", False),
        ("partner", "Open an office across the border.", False),
        ("enter_alone", "Open an office across the border.", True),
        ("buy", "Acquire Dornseth, the local door maker.", True),
        ("buy", "We thank you for the question.", False),
        ("nothing", "Open an office across the border.", False),
    ],
)
def test_a_headline_says_the_decision_and_no_other(decision, headline, said):
    assert says(CASE, decision, headline) is said


FACT = CASE.by_id["cost.distribution"]
COMMISSION = f"{FACT.numbers[0].value:g} %"


@pytest.mark.parametrize(
    ("text", "tied"),
    [
        ("The supplier may ask for a higher commission on sales of the building.", True),
        (f"A cut of {COMMISSION} may go up.", True),
        ("The partner may ask for more.", False),
        ("It takes 4 weeks.", False),
    ],
)
def test_a_text_rests_on_a_fact_by_its_words_or_its_figures(text, tied):
    assert rests_on(text, [FACT], CASE) == (FACT.fact_id if tied else None)


def test_repeats_are_whole_texts_or_sentences():
    reason = "Exclusive contracts bind most buyers in the neighbouring country for a decade."
    assert texts_alike(["Sell through the supplier.", reason, "Contracts may be renewed."]) == ""
    assert texts_alike(["Go.", reason, f"As said, {reason.lower()}"]).startswith("Exclusive")
    assert texts_alike(["Go now.", "Costs rise. Go now."]) == "go now."
    assert texts_alike([reason, reason.replace("bind", "tie"), "Costs rise."]) == ""  # the headline may be taken up


def test_words_without_meaning_do_not_count():
    assert content("It is what it is, and so are they.") == frozenset()

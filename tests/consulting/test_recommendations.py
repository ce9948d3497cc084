"""What a text names, asserts, sets aside and rests on."""

import pytest
from bizgym.envs.consulting.headline import says
from bizgym.envs.consulting.recommendation import rests_on, texts_alike
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

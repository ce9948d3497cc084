"""Reading a question: bounded, spelling mended, ideas named."""

import pytest
from bizgym.envs.consulting.matching.features import MOST_FEATURES, features
from bizgym.envs.consulting.matching.text import QUESTION_LIMIT_CHARACTERS, Reader, bounded, surface_words

KNOWN = "what is the price of marketing how many do we lose discount labor cost"
READER = Reader(
    known=KNOWN.split(),
    industry={"customer": ["guest", "pet owner"], "item": ["room night"]},
    ideas={"price": ["price", "fare"], "discount": ["discount", "money off"], "market": ["market"]},
    apart=["marketing"],
)


def test_trades_are_read_alike():
    assert READER.read("How many pet owners do we lose?").stems == READER.read("How many guests do we lose?").stems
    assert READER.read("price of the room nights").stems == ("pric", "of", "the", "ITEM")


def test_ideas_stand_in_order_of_first_mention_and_once():
    assert READER.read("Money off the fare, what price?").ideas == ("discount", "price")
    assert READER.read("guest").ideas == ("customer",)


def test_a_word_kept_apart_does_not_count_as_its_stem():
    assert READER.read("markets").ideas == ("market",)
    assert READER.read("marketing").ideas == ()


@pytest.mark.parametrize("typed", ["discuont", "discoun", "disscount", "discouut"])
def test_one_slip_in_a_long_word_is_mended(typed):
    assert READER.read(typed).ideas == ("discount",)
    assert READER.read(typed).unknown == 0


@pytest.mark.parametrize("typed", ["prce", "iscount", "dscnt"])
def test_short_words_first_letters_and_two_slips_are_left(typed):
    assert READER.read(typed).ideas == ()
    assert READER.read(typed).unknown == 1


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("labour cost", "labor cost"),
        ("utilisation", "utilization"),
        ("the theatre's centre", "the theater's center"),
        ("cancelled journeys by travellers", "canceled journeys by travelers"),
    ],
)
def test_two_spellings_are_one(british, american):
    assert surface_words(british) == surface_words(american)


def test_numbers_become_one_sign_and_accents_go():
    assert surface_words("Café 1,250.50 or 12?") == ["cafe", "#", "#", "#", "or", "#"]


def test_a_long_text_is_read_at_both_ends_only():
    words = surface_words("price " * 200_000 + "discount")
    assert len(" ".join(words)) <= QUESTION_LIMIT_CHARACTERS
    assert words[-1] == "discount"
    assert len(bounded("a" * 1_000)) == len(bounded(bounded("a" * 1_000))) == QUESTION_LIMIT_CHARACTERS


def test_features_of_two_words_written_out():
    letters = ("<pri", "pric", "rice", "ice>", "<dis", "disc", "isco", "scou", "coun", "ount", "unt>")
    assert features(READER.read("price discount")) == [
        "w:pric",
        "w:discount",
        "b:^ pric",
        "b:pric discount",
        "b:discount $",
        "i:discount",
        "i:price",
        "p:discount price",
        *(f"c:{each}" for each in letters),
    ]


def test_features_are_bounded():
    words = " ".join(f"{a}{b}{c}{b}{a}" for a in "bcdfghj" for b in "aeiou" for c in "klm")
    assert len(features(READER.read(words))) == MOST_FEATURES

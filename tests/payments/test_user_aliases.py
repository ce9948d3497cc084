"""What plain text is taken to ask, and how values are found in prose."""

import pytest
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.user.aliases import AliasMatcher, Found
from bizgym.envs.payments.user.vocabulary import packaged
from bizgym.envs.payments.user.wording import said, spelled, traces, written_forms

from tests.payments.customer import asks, offer, talk

MATCHER = AliasMatcher(packaged())


def found(text, requests=(), limit=6):
    return MATCHER.find(text, requests.__contains__, limit)


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("What is your fee cap?", ["fee_cap"]),
        ("WHAT IS THE FEE-CAP", ["fee_cap"]),
        ("Could you tell me the maximum fee and who bears the fees?", ["fee_cap", "fee_bearer"]),
        ("Which fees apply?", ["fees"]),
        ("What is the fee cap? And the fee cap again?", ["fee_cap"]),
        ("I have raised the fee cap.", []),
        ("I have raised the fee cap. Which route of release do you want?", ["release_route"]),
        ("What is the fee cap for RSV-1 and RSV-2?", ["fee_cap/RSV-1", "fee_cap/RSV-2"]),
        ("Please send the owner\u2019s share.", ["ownership_share"]),
        ("Is there anything else?", []),
        ("", []),
    ],
)
def test_asks_are_found_by_alias_in_sentences_that_ask(text, refs):
    assert found(text) == [Found("fact", each) for each in refs]


def test_the_longest_alias_counts():
    assert found("What is the beneficiary account?") == [Found("fact", "beneficiary_account")]
    assert found("Who is the beneficiary?") == [Found("fact", "beneficiary")]


def test_every_alias_leads_to_its_own_kind():
    for term in packaged().askable:
        for alias in term.aliases:
            assert found(f"What about {alias}?") == [Found("fact", term.id)], alias


def test_a_request_that_is_named_is_asked_to_be_approved():
    text = "Do you approve REQ-1 and REQ-2? What is the fee cap for REQ-1?"
    assert found(text, ("REQ-1", "REQ-2")) == [
        Found("approval", "REQ-1"),
        Found("approval", "REQ-2"),
        Found("fact", "fee_cap"),
    ]
    assert found("Do you approve ACC-1?", ("REQ-1",)) == []


def test_no_more_asks_than_a_message_may_have():
    text = "? ".join(["fee cap", "guarantee", "waiver", "which route", "which reserve", "recipient", "second signer"])
    assert len(found(f"{text}?", limit=6)) == 6


@pytest.mark.parametrize(
    "text", ["?" * 100_000, "fee " * 100_000 + "?", "\ud800 fee cap?", "A-1" * 50_000, "1,000" * 50_000]
)
def test_hostile_text_is_read_like_any_other(text):
    assert len(found(text)) <= 1
    assert traces(text).ids == frozenset()


def test_plain_text_is_answered_as_typed_asks_are():
    plain, _ = talk()
    typed, engine = talk()
    from_text = plain.message("What is the fee cap? And who pays the fees?")
    assert from_text == typed.message("Two things.", asks("fee_cap", "fee_bearer"))
    request = offer(engine)
    assert typed.message(f"Could you approve {request}?").decisions[0]["decision"] == "approved"


FIFTY = Money(5_050, Currency.USD)
YEN = Money(5_000, Currency.JPY)


@pytest.mark.parametrize(
    ("value", "kind", "text", "mentioned"),
    [
        (FIFTY, "amount", "At most USD 50.50.", True),
        (FIFTY, "amount", "At most $50.5", True),
        (FIFTY, "amount", "5,050 cents", True),
        (FIFTY, "amount", "At most 50 or 51", False),
        (FIFTY, "amount", "five thousand and fifty cents", True),
        (YEN, "amount", "Five thousand yen", True),
        (YEN, "amount", "50.00", False),
        (275, "basis_points", "2.75 percent", True),
        (275, "basis_points", "two hundred and seventy-five points", True),
        (275, "count", "2.75 percent", False),
        (2, "count", "The two of us have one question.", False),
        (2, "count", "Leave out number 2.", True),
        ("shared_equally", "code", "They are Shared equally!", True),
        ("shared_equally", "code", "shared, not equal", False),
        ("ACC-2", "id", "to ACC-2.", True),
        ("ACC-2", "id", "to ACC-22.", False),
        (True, "truth", "yes", False),
    ],
)
def test_values_are_found_in_prose(value, kind, text, mentioned):
    assert traces(text).mention(value, kind) is mentioned


@pytest.mark.parametrize(
    ("value", "kind"),
    [(FIFTY, "amount"), (YEN, "amount"), (275, "basis_points"), (540, "minute"), ("a_code", "code"), ("ACC-2", "id")],
)
def test_what_is_said_and_every_written_form_mention_the_value(value, kind):
    assert traces(said(value, kind)).mention(value, kind)
    assert traces(written_forms(value, kind)).mention(value, kind)


def test_numbers_are_spelled_out_as_english_does():
    expected = {0: "zero", 19: "nineteen", 20: "twenty", 85: "eighty five", 340: "three hundred forty"}
    expected |= {
        1_000: "one thousand",
        12_012: "twelve thousand twelve",
        999_999: "nine hundred ninety nine thousand nine hundred ninety nine",
    }
    assert {number: spelled(number) for number in expected} == expected
    assert len({spelled(number) for number in range(10_000)}) == 10_000

"""The vocabulary and the card: what they hold, and every way in which a card is refused with its path."""

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.user.card import Card
from bizgym.envs.payments.user.vocabulary import Vocabulary, packaged
from pydantic import ValidationError

from tests.payments.customer import PARSED, SIXTY, asks, offer, script, talk

WORDS = packaged()


def fact(**changes):
    return {"id": "extra", "kind": "invoice_amount", "value": SIXTY, **changes}


def test_the_vocabulary_has_about_eighty_kinds_of_facts_of_every_type():
    assert 80 <= len(WORDS.facts) <= 100
    assert {each.type for each in WORDS.facts} == {
        "amount",
        "basis_points",
        "code",
        "count",
        "id",
        "minute",
        "paper",
        "truth",
    }
    assert {each.topic for each in WORDS.facts} == WORDS.topic_ids
    for each in [*WORDS.askable, *WORDS.requests, *WORDS.refusal_reasons, *WORDS.rejection_reasons]:
        assert each.description.endswith("."), each.id
    assert all(each.aliases for each in WORDS.askable)


def test_the_guide_for_agents_names_every_word_and_no_value():
    guide = WORDS.guide()
    for each in [*WORDS.askable, *WORDS.requests, *WORDS.refusal_reasons]:
        assert each.id in guide
    assert "- fees: fee_cap (amount), fee_bearer (code)" in guide
    assert len(guide) <= 4_000


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"topics": [{"id": "fees", "description": "x"}] * 2}, "the id 'fees' stands twice"),
        ({"facts": [{"id": "fee_cap", "topic": "fess", "type": "amount", "description": "x"}]}, "Did you mean 'fees'"),
        (
            {
                "facts": [
                    {"id": name, "topic": "fees", "type": "amount", "description": "x", "aliases": ["the Cap"]}
                    for name in ("fee_cap", "other_cap")
                ]
            },
            "the alias 'the cap' stands twice",
        ),
        ({"facts": [{"id": "fee_cap", "topic": "fees", "type": "money", "description": "x"}]}, "basis_points"),
    ],
)
def test_a_vocabulary_that_is_ambiguous_is_refused(change, complaint):
    sound = {"topics": [{"id": "fees", "description": "x"}], "facts": [], "requests": [], "refusal_reasons": []}
    rest = {"rejection_reasons": [], "asking_words": [], "approving_words": []}
    Vocabulary.model_validate({**sound, **rest})
    with pytest.raises(ValidationError, match=complaint):
        Vocabulary.model_validate({**sound, **rest, **change})


def test_values_are_typed():
    found = script()
    assert found.values["cap"] == Money(5_050, Currency.USD)
    assert found.changed == {"pays_more": {"cap": Money(6_000, Currency.USD)}, "distrust": {}}
    assert found.preferences == {"speed": ("instant", "batch")}
    assert found.papers["second_mandate"] == {"valid_until": 9_000}
    assert found.values_of("cap") == [Money(5_050, Currency.USD), Money(6_000, Currency.USD)]


@pytest.mark.parametrize(
    ("kind", "value", "fits"),
    [
        ("invoice_amount", SIXTY, True),
        ("invoice_amount", 60, False),
        ("rate_tolerance", 25, True),
        ("rate_tolerance", True, False),
        ("goods_received", True, True),
        ("goods_received", 1, False),
        ("beneficiary", "ACC-2", True),
        ("beneficiary", 2, False),
        ("payment_deadline", 19, True),
        ("signed_mandate", "EVD-1", False),
    ],
)
def test_a_value_has_to_be_of_its_kind_s_type(kind, value, fits):
    given = {"facts": [fact(kind=kind, value=value)], "policies": [], "changes": []}
    if fits:
        assert "extra" in script(**given).values
    else:
        with pytest.raises(DataError, match=rf"card\.facts\.0\.value: {kind} is of type"):
            script(**given)


POLICY = {"request": "transfer", "approve": {"le": [{"term": "fee"}, SIXTY]}, "otherwise": "fee_too_high"}
CHANGE = {"id": "c", "when": "offer_make", "facts": {"cap": SIXTY}}
PAPER = {"id": "paper", "kind": "signed_mandate", "record": {"valid_until": 3}}
WISH = {"id": "wish", "kind": "payment_speed", "request": "payout"}
BREAKING = [
    ({"facts": [fact(kind="fee_kap")]}, r"facts\.0\.kind: there is no fact kind 'fee_kap'\. Did you mean 'fee_cap'\?"),
    ({"facts": [fact(), fact()]}, r"facts\.1\.id: 'extra' stands twice"),
    ({"facts": [fact(id="speed")]}, r"wishes\.0\.id: 'speed' stands twice"),
    ({"facts": [fact(disclose="after_event")]}, r"facts\.0\.after: a pattern with disclose: after_event"),
    ({"facts": [fact(after="offer_make")]}, r"facts\.0\.after: a pattern with disclose: after_event"),
    ({"facts": [fact(disclose="after_event", after={"tool": "x"})]}, r"facts\.0\.after: a name, or an object"),
    ({"facts": [fact(value=None)]}, r"facts\.0: a value, or own"),
    ({"facts": [fact(own=["ACC-1", "balance"])]}, r"facts\.0: a value, or own"),
    ({"facts": [fact(value=None, own=["ACC-9", "balance"])]}, r"facts\.0\.own: an account of the card \(ACC-1\)"),
    ({"facts": [fact(say="It is USD 60.")]}, r"facts\.0\.say: no digits in prose; the value stands as {value}"),
    ({"facts": [fact(say="It is known.")]}, r"facts\.0\.say: the value stands as {value}"),
    ({"facts": [fact(say="It is {value} at {time}.")]}, r"facts\.0\.say: the value stands as {value}"),
    ({"wishes": [{**WISH, "preferences": [{"value": "a"}, {"value": "b"}]}]}, r"preferences\.0\.until: missing"),
    ({"wishes": [{**WISH, "request": "magic", "preferences": [{"value": "a"}]}]}, r"wishes\.0\.request: there is no"),
    ({"wishes": [{**WISH, "preferences": [{"value": 3}]}]}, r"preferences\.0\.value: payment_speed is of type code"),
    ({"papers": [{**PAPER, "kind": "fee_cap"}]}, r"papers\.0\.kind: fee_cap is told, not handed in"),
    ({"papers": [{**PAPER, "record": {}}]}, r"papers\.0\.record\.valid_until: a paper has exactly the fields"),
    ({"papers": [{**PAPER, "record": {"valid_until": "soon"}}]}, r"papers\.0\.record\.valid_until: .*integer"),
    ({"papers": [{**PAPER, "say": "From {value}."}]}, r"papers\.0\.say: no slots"),
    ({"changes": [{**CHANGE, "facts": {}}]}, r"changes\.0: facts or revoke, else it changes nothing"),
    ({"changes": [{**CHANGE, "facts": {"capp": SIXTY}}]}, r"changes\.0\.facts\.capp: no fact .*Did you mean 'cap'\?"),
    ({"changes": [{**CHANGE, "facts": {"cap": 60}}]}, r"changes\.0\.facts\.cap: fee_cap is of type amount"),
    ({"changes": [CHANGE, CHANGE]}, r"changes\.1\.id: 'c' stands twice"),
    (
        {"changes": [{**CHANGE, "when": {"event": "asked_user", "where": {"eq": [{"arg": "kind"}, "confirm"]}}}]},
        r"changes\.0\.when\.where: bind it to something that happens, not to being asked to confirm",
    ),
    ({"policies": [{**POLICY, "request": "gift"}]}, r"policies\.0\.request: no kind of request 'gift'; there are tran"),
    ({"policies": [POLICY, POLICY]}, r"policies\.1\.request: a second policy for transfer"),
    ({"policies": [{**POLICY, "approve": {"le": [{"term": "fees"}, 1]}}]}, r"there is no term 'fees'; there are targ"),
    ({"policies": [{**POLICY, "approve": {"le": [{"fact": "kap"}, 1]}}]}, r"policies\.0: there is no fact 'kap'"),
    ({"policies": [{**POLICY, "approve": {"below": [1, 2]}}]}, r"policies\.0\.approve: eq, ne"),
    ({"policies": [{**POLICY, "otherwise": "mood"}]}, r"policies\.0\.otherwise: there is no reason 'mood'"),
    ({"policies": [{**POLICY, "consent": {"subject": "who", "cap": "fee"}}]}, r"there is no term 'who'"),
    ({"opening": "Keep the fee under USD 50.50."}, r"card\.opening: it tells cap, which has to be asked for"),
    ({"opening": "Pay at once. Instant is best."}, r"card\.opening: it tells speed"),
    ({"facts": [fact(kind="invoice_number", value="INV-\ud800")]}, r"facts\.0\.value: invoice_number is of type id"),
    ({"satisfied": {"eq": [1]}}, r"card\.satisfied\.eq: two values"),
]


@pytest.mark.parametrize(("changes", "complaint"), BREAKING)
def test_a_card_that_cannot_be_played_is_refused_with_its_path(changes, complaint):
    with pytest.raises(DataError, match=complaint):
        script(**changes)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"patience": 0}, "greater than or equal to 1"),
        ({"latency_minutes": -1}, "greater than or equal to 0"),
        ({"opening": ""}, "at least 1 character"),
        ({"opening": "Half \ud800"}, "unicode"),
        ({"mood": "grim"}, "Extra inputs"),
        ({"facts": [fact(disclose="never")]}, "on_specific_ask"),
        ({"wishes": [{**WISH, "preferences": []}]}, "at least 1 item"),
    ],
)
def test_a_card_that_breaks_its_model_is_refused(changes, complaint):
    with pytest.raises(ValidationError, match=complaint):
        Card.model_validate({**PARSED, **changes})


def test_terms_that_cannot_be_compared_are_the_card_s_fault():
    policy = {**POLICY, "approve": {"le": [{"term": "target"}, 5]}}
    customer, engine = talk(policies=[policy])
    request = offer(engine)
    with pytest.raises(DataError, match=r"card\.policies: the one for transfer cannot be reckoned"):
        customer.message("Approve?", asks(request, kind="approval"))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"accounts": ["ACC-1", "ACC-99"]}, r"card\.accounts: .*ACC-99"),
        ({"facts": [fact(value=None, own=["ACC-1", "colour"])]}, r"card\.facts\.0\.own: ACC-1 shows no colour"),
        ({"facts": [fact(value=None, own=["ACC-1", "state"])]}, r"shows no state of the type of invoice_amount"),
    ],
)
def test_accounts_that_the_world_does_not_have_are_refused_before_the_first_message(changes, complaint):
    with pytest.raises(DataError, match=complaint):
        talk(**{"policies": [], "changes": [], **changes})

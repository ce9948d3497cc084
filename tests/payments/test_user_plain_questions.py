"""Agents that only write text are understood when they ask what anybody would ask on a day of payouts."""

import json

import pytest

from tests.payments.paths import PAYOUT, make, say

QUESTIONS = {
    "Which account do we pay from?": "funding_account",
    "What is the deadline of BIL-2?": "payment_deadline/BIL-2",
    "By when must BIL-2 be paid?": "payment_deadline/BIL-2",
    "May BIL-6 wait, and until when?": "payment_deadline/BIL-6",
    "Was BIL-9 paid before?": "original_payment/BIL-9",
    "Is BIL-9 a duplicate?": "duplicate_payment/BIL-9",
    "Has the refund REF-1 come in?": "original_payment/REF-1",
}


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_plain_question_is_answered(text):
    facts = json.loads(make(PAYOUT).step(json.dumps(say(text)))[0])["answer"]["facts"]
    assert QUESTIONS[text] in [each["fact"] for each in facts]


@pytest.mark.parametrize("word", ["duplicate_payment", "original_payment"])
def test_a_customer_who_knows_of_a_double_says_so_under_either_word(word):
    reply = make(PAYOUT).step(json.dumps(say("Is it a double?", ("fact", f"{word}/BIL-9"))))[0]
    assert "PAY-31" in reply

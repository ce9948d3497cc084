"""Dates and values as documents write them: each has one form, and the form is read back exactly."""

import random

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.documents import forms
from bizgym.envs.payments.documents.calendar import Calendar
from bizgym.envs.payments.kernel.clock import MAX_MINUTE
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.rules import BEGINNING
from pydantic import ValidationError

from tests.payments.reserves import DAY

CALENDAR = Calendar(epoch="2026-03-02 08:00")


@pytest.mark.parametrize(
    ("minute", "text"),
    [
        (0, "2 March 2026, 08:00"),
        (-480, "2 March 2026"),
        (1, "2 March 2026, 08:01"),
        (-30 * DAY - 480, "31 January 2026"),
        (-2 * DAY - 481, "27 February 2026, 23:59"),
        (728 * DAY - 480, "28 February 2028"),
        (729 * DAY - 480, "29 February 2028"),
    ],
)
def test_minutes_are_dates_and_back(minute, text):
    assert CALENDAR.written(minute) == text
    assert CALENDAR.minute(text) == minute


def test_every_minute_that_a_record_may_hold_has_a_date():
    draw = random.Random(5)
    for minute in (BEGINNING, MAX_MINUTE, *(draw.randrange(BEGINNING, MAX_MINUTE) for _ in range(2_000))):
        assert CALENDAR.minute(CALENDAR.written(minute)) == minute


@pytest.mark.parametrize(
    "text", ["", "2 Mars 2026", "31 February 2026", "2 March 2026, 24:00", "2026-03-02", "٢ March 2026"]
)
def test_what_is_no_date_is_refused(text):
    with pytest.raises(DataError):
        CALENDAR.minute(text)


def test_a_calendar_needs_an_epoch_and_ends_somewhere():
    with pytest.raises(ValidationError, match="a date and time such as 2026-03-02 08:00, not 'Monday'"):
        Calendar(epoch="Monday")
    with pytest.raises(DataError, match="outside the calendar"):
        CALENDAR.moment(10**10)


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("fee", Money(123_450, Currency.USD), "USD 1,234.50"),
        ("fee", Money(-5, Currency.EUR), "EUR -0.05"),
        ("fee", Money(1_500, Currency.JPY), "JPY 1,500"),
        ("reply_minutes", 0, "0 minutes"),
        ("reply_minutes", 1, "1 minute"),
        ("reply_minutes", 90, "1 hour and 30 minutes"),
        ("reply_minutes", 2 * DAY, "2 days"),
        ("reply_minutes", 1_000 * DAY + 61, "1,000 days, 1 hour and 1 minute"),
        ("fee_bps", 250, "2.50 %"),
        ("fee_bps", -5, "-0.05 %"),
        ("fee_bps", 1_000_000, "10,000.00 %"),
        ("notice_days", 1, "1 day"),
        ("notice_days", 30, "30 days"),
        ("reviews", 1_500, "1,500"),
        ("reviews", -3, "-3"),
        ("route", "set_off", "`set_off`"),
        ("routes", ("set_off", "cash", "gift-card"), "`set_off`, `cash` and `gift-card`"),
        ("routes", ("cash",), "only `cash`"),
        ("routes", (), "none"),
        ("needed", True, "yes"),
        ("needed", False, "no"),
    ],
)
def test_each_value_has_one_readable_form(key, value, text):
    assert forms.write(key, value) == text
    assert forms.read(key, text) == value
    assert type(forms.read(key, text)) is type(value)


def test_forms_are_inverse_for_any_value():
    draw = random.Random(7)
    for _ in range(3_000):
        number = draw.randrange(-(10**9), 10**9)
        for key in ("count", "share_bps", "term_weeks"):
            assert forms.read(key, forms.write(key, number)) == number
        assert forms.read("time_minutes", forms.write("time_minutes", abs(number))) == abs(number)
        amount = Money(number, draw.choice(list(Currency)))
        assert forms.read("fee", forms.write("fee", amount)) == amount


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("reply_minutes", "90 minutes"),
        ("reply_minutes", "2 weeks"),
        ("fee_bps", "2.5 %"),
        ("notice_days", "1 days"),
        ("notice_days", "30"),
        ("reviews", "1500"),
        ("fee", "USD 5"),
        ("fee", "XXX 5.00"),
        ("route", "set_off"),
        ("needed", "Yes"),
        ("needed", ""),
    ],
)
def test_other_forms_are_not_read(key, text):
    with pytest.raises(DataError, match="is not how a value of this key is written"):
        forms.read(key, text)


@pytest.mark.parametrize(
    ("key", "value"), [("route", "set off"), ("route", ""), ("routes", ("a`b",)), ("t_minutes", -1)]
)
def test_what_cannot_be_read_back_is_not_written(key, value):
    with pytest.raises(DataError):
        forms.write(key, value)


@pytest.mark.parametrize(
    "key", ["review_fee", "own_fault_share_bps", "reply_minutes", "in_time_days", "bps", "a_b_years"]
)
def test_keys_are_words_and_back(key):
    assert forms.key_of(forms.key_with_unit(key)) == key

"""The words behind and before a number: currencies, scales, percent and its kin, spans of time.

Currencies are ISO 4217 codes. A sign that several currencies share (`$`, `¥`, `kr`) means any of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

_DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "DOLLAR"})
_CROWNS = frozenset({"SEK", "NOK", "DKK", "CZK"})
# Codes that are English words (TRY, COP, PEN, MAD, ALL) are left out: `try 5` is no sum of money.
_OWN_CODE = (
    *("USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "CNY", "HKD", "SGD", "TWD", "SEK", "NOK", "DKK", "INR"),
    *("BRL", "MXN", "ZAR", "KRW", "PLN", "CZK", "HUF", "RON", "BGN", "ILS", "AED", "SAR", "QAR", "KWD", "EGP"),
    *("THB", "IDR", "MYR", "PHP", "VND", "CLP", "ARS", "NGN", "KES", "UAH", "ISK"),
)
CURRENCIES: Mapping[str, frozenset[str]] = {
    **{code: frozenset({code}) for code in _OWN_CODE},
    "RMB": frozenset({"CNY"}),
    "$": _DOLLARS,
    **dict.fromkeys(("DOLLAR", "DOLLARS"), _DOLLARS),
    **dict.fromkeys(("US$", "U.S. DOLLARS", "US DOLLARS", "US DOLLAR"), frozenset({"USD"})),
    **dict.fromkeys(("C$", "CA$"), frozenset({"CAD"})),
    **dict.fromkeys(("A$", "AU$"), frozenset({"AUD"})),
    "NZ$": frozenset({"NZD"}),
    "HK$": frozenset({"HKD"}),
    "S$": frozenset({"SGD"}),
    "R$": frozenset({"BRL"}),
    **dict.fromkeys(("€", "EURO", "EUROS"), frozenset({"EUR"})),
    **dict.fromkeys(("£", "POUND", "POUNDS", "STERLING"), frozenset({"GBP"})),
    "¥": frozenset({"JPY", "CNY"}),
    "YEN": frozenset({"JPY"}),
    **dict.fromkeys(("YUAN", "RENMINBI"), frozenset({"CNY"})),
    **dict.fromkeys(("FRANC", "FRANCS"), frozenset({"CHF"})),
    **dict.fromkeys(("₹", "RUPEE", "RUPEES"), frozenset({"INR"})),
    **dict.fromkeys(("KR", "KRONA", "KRONOR", "KRONE", "KRONER"), _CROWNS),
    "₩": frozenset({"KRW"}),
    "₺": frozenset({"TRY"}),
    "₪": frozenset({"ILS"}),
    "฿": frozenset({"THB"}),
    "₫": frozenset({"VND"}),
    "₱": frozenset({"PHP"}),
    "₦": frozenset({"NGN"}),
    "₴": frozenset({"UAH"}),
}
SUBUNITS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("¢", "CENT", "CENTS"), _DOLLARS | {"EUR"}),
    **dict.fromkeys(("PENCE", "PENNY"), frozenset({"GBP"})),
}
"""Hundredths of a currency."""
SCALES: Mapping[str, int] = {
    "hundred": 2,
    **dict.fromkeys(("thousand", "thousands", "k", "000", "'000", "000s", "'000s"), 3),
    **dict.fromkeys(("lakh", "lakhs"), 5),
    **dict.fromkeys(("million", "millions", "m", "mm", "mn", "mio", "mln", "mil"), 6),
    **dict.fromkeys(("crore", "crores"), 7),
    **dict.fromkeys(("billion", "billions", "b", "bn", "bln", "bil", "mrd", "mia"), 9),
    **dict.fromkeys(("trillion", "trillions", "tn", "trn"), 12),
}
"""Powers of ten by word."""
RATES: Mapping[str, tuple[str, int]] = {
    **dict.fromkeys(
        ("%", "percent", "per cent", "pct", "pct.", "percentage points", "percentage point"), ("percent", -2)
    ),
    **dict.fromkeys(("pp", "ppt", "ppts", "p.p.", "%-points", "percentage"), ("percent", -2)),
    **dict.fromkeys(("bps", "bp", "basis points", "basis point"), ("bps", -4)),
    **dict.fromkeys(("‰", "per mille", "per mil"), ("permille", -3)),
    **dict.fromkeys(("x", "×", "times", ":1", "ratio", "multiple", "turns"), ("ratio", 0)),
}
"""Pure numbers: the name of the unit and its power of ten."""
TIMES: Mapping[str, str] = {
    **dict.fromkeys(("second", "seconds"), "seconds"),
    **dict.fromkeys(("minute", "minutes"), "minutes"),
    **dict.fromkeys(("hour", "hours", "hrs"), "hours"),
    **dict.fromkeys(("day", "days"), "days"),
    **dict.fromkeys(("week", "weeks"), "weeks"),
    **dict.fromkeys(("month", "months", "mos"), "months"),
    **dict.fromkeys(("quarter", "quarters"), "quarters"),
    **dict.fromkeys(("year", "years", "yr", "yrs"), "years"),
}
COUNTS = (
    *("shares?", "stocks?", "units?", "pieces?", "items?", "lots", "contracts?", "options", "bonds?"),
    *("employees", "people", "persons", "customers", "users", "subscribers", "accounts", "stores", "branches", "sites"),
    *("kg", "kilograms?", "kilos?", "grams?", "tonnes?", "tons?", "pounds? of", "lbs?", "ounces", "oz", "barrels?"),
    *("bbl", "litres?", "liters?", "gallons?", "km", "kilomet(?:re|er)s?", "miles?", "met(?:re|er)s?", "square feet"),
    *("kwh", "mwh", "gwh", "mw", "gw", "hectares", "acres", "degrees"),
)
"""Patterns of words for what is counted or measured that is neither money, time nor a share."""
_NOT_BEHIND_A_NUMBER = ("000", "'000", "000s", "'000s", "ratio", "multiple", "percentage")
Family = Literal["none", "rate", "currency", "time", "other"]


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit that an item asks for.

    Attributes:
        family: What kind of unit it is; `other` is a word that grading does not know, such as `units`.
        name: The unit of a rate or a time.
        power: Power of ten of a rate: -2 for percent, 0 for a ratio.
        currencies: The currencies that it may be written in.
    """

    family: Family
    name: str = ""
    power: int = 0
    currencies: frozenset[str] = frozenset()


@lru_cache(maxsize=1024)
def unit_of(text: str | None) -> Unit:
    """Return what an item's unit means; `USD per share` is a currency, `percent of sales` a rate."""
    if text is None:
        return Unit("none")
    words = [text.lower(), *re.split(r"[\s/,]+", text.lower())]
    for word in words:
        if word.upper() in CURRENCIES:
            return Unit("currency", currencies=CURRENCIES[word.upper()])
        if word.upper() in SUBUNITS:
            return Unit("other", word)
        if word in RATES:
            name, power = RATES[word]
            return Unit("rate", name, power)
        if word in TIMES:
            return Unit("time", TIMES[word])
    return Unit("other", text.lower())


def one_of(words: Mapping[str, object]) -> str:
    """Return a pattern for words written behind a number, the longest first; a word ends where no letter follows."""
    known = sorted((word for word in words if word not in _NOT_BEHIND_A_NUMBER), key=len, reverse=True)
    signs = "|".join(re.escape(word) for word in known if not word[-1].isalpha())
    names = "|".join(re.escape(word).replace(r"\ ", "[ -]") for word in known if word[-1].isalpha())
    return f"(?:(?:{signs})|(?:{names})(?![A-Za-z0-9]))" if signs else f"(?:(?:{names})(?![A-Za-z0-9]))"

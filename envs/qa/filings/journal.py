"""Double entry: a journal of balanced entries, and what follows from it.

Amounts are whole numbers of the books' own unit (`Company.unit`). A debit is positive, a credit negative; an account is
named `kind` or `kind:part`, for example `revenue:freight`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Activity = Literal["operating", "investing", "financing", "translation"]
Lines = Mapping[str, int]

ASSETS = (
    "cash",
    "receivables",
    "allowance",
    "inventories",
    "prepaid",
    "property",
    "depreciated",
    "right_of_use",
    "intangibles",
    "goodwill",
)
LIABILITIES = (
    "payables",
    "payroll_payable",
    "interest_payable",
    "tax_payable",
    "dividends_payable",
    "customer_prepayments",
    "debt",
    "issuance_costs",
    "lease_liability",
    "deferred_tax",
)
EQUITY = ("common_stock", "paid_in_capital", "treasury_stock", "retained_earnings", "translation")
INCOME = (
    "revenue",
    "cost",
    "selling",
    "administration",
    "research",
    "rent",
    "credit_losses",
    "stock_compensation",
    "depreciation",
    "amortisation",
    "disposal_result",
    "restructuring",
    "impairment",
    "interest",
    "interest_income",
    "currency_result",
    "current_tax",
    "deferred_tax_expense",
)
KINDS = frozenset((*ASSETS, *LIABILITIES, *EQUITY, *INCOME))
CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the journal.

    Attributes:
        year: The financial year that it belongs to.
        memo: What happened, one of a fixed vocabulary (`sale`, `collection`, `capex` ...).
        lines: (account, amount), debits positive; they sum to zero.
        activity: Where its cash stands in the cash flow statement.
    """

    year: int
    memo: str
    lines: tuple[tuple[str, int], ...]
    activity: Activity = "operating"


def kind_of(account: str) -> str:
    """Return what an account is an account of: `revenue` of `revenue:freight`."""
    return account.partition(":")[0]


class Ledger:
    """The opening balances and the journal of some years, and every sum over them.

    Args:
        opening: Balances before the first year; they sum to zero.
        first_year: The first year posted.

    Raises:
        ValueError: The opening balances do not sum to zero.
    """

    def __init__(self, opening: Mapping[str, int], first_year: int) -> None:
        if sum(opening.values()):
            raise ValueError(f"the opening balances are off by {sum(opening.values())}")
        self.opening = {account: amount for account, amount in opening.items() if amount}
        self.first_year = first_year
        self.journal: list[Entry] = []
        self._balances: dict[str, int] = defaultdict(int)
        self._year_moved: dict[tuple[int, str], int] = defaultdict(int)
        self._moved: dict[tuple[int, str, str], int] = defaultdict(int)
        self._cash: dict[tuple[int, str], int] = defaultdict(int)
        self._posted: dict[str, None] = {}
        for account, amount in self.opening.items():
            self._book(account, first_year - 1, "opening", amount)

    def post(self, year: int, memo: str, lines: Lines, activity: Activity = "operating") -> None:
        """Enter `lines`; nothing is entered where all are zero.

        Raises:
            ValueError: The lines do not balance, or an account is none of the chart.
        """
        kept = tuple((account, amount) for account, amount in lines.items() if amount)
        if sum(amount for _, amount in kept):
            raise ValueError(f"{memo}: debits and credits differ by {sum(amount for _, amount in kept)}")
        for account, amount in kept:
            self._book(account, year, memo, amount)
            if account == "cash":
                self._cash[year, activity] += amount
        if kept:
            self.journal.append(Entry(year, memo, kept, activity))

    def now(self, name: str) -> int:
        """Return the present balance of an account, or of all accounts of a kind; debits are positive."""
        return self._balances[name]

    def moved(self, year: int, name: str, *memos: str) -> int:
        """Return what an account or kind of account moved by in a year: under some memos, or under all."""
        if not memos:
            return self._year_moved.get((year, name), 0)
        return sum(self._moved.get((year, name, memo), 0) for memo in memos)

    def before_closing(self, year: int, name: str) -> int:
        """Return what an account or kind of account moved by in a year before it was closed to retained earnings."""
        return self._year_moved.get((year, name), 0) - self._moved.get((year, name, CLOSING), 0)

    def balance(self, name: str, year: int) -> int:
        """Return the balance of an account or kind of account at the end of a year; debits are positive."""
        return sum(self._year_moved.get((each, name), 0) for each in range(self.first_year - 1, year + 1))

    def cash_of(self, year: int, activity: Activity) -> int:
        """Return the cash that an activity brought in a year."""
        return self._cash[year, activity]

    def accounts(self, kind: str) -> tuple[str, ...]:
        """Return the accounts of a kind in the order in which they were opened."""
        return tuple(account for account in self._balances if kind_of(account) == kind and ":" in account)

    def leaves(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Return the accounts of some kinds that are posted to: the parts of a kind where it has any."""
        return tuple(account for account in self._posted if kind_of(account) in kinds)

    def _book(self, account: str, year: int, memo: str, amount: int) -> None:
        if kind_of(account) not in KINDS:
            raise ValueError(f"{memo}: there is no account {account}")
        self._posted[account] = None
        kind = kind_of(account)
        for name in (account,) if account == kind else (account, kind):
            self._balances[name] += amount
            self._year_moved[year, name] += amount
            self._moved[year, name, memo] += amount

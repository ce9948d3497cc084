"""The sentences of an annual report, chosen and filled by what the books hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .cash import operating_cash, working_capital
from .page import Page
from .words import words

_CASH_MOVED = " is lower, and so are capital expenditures by the same amount"
_CASH_SAME = " is not affected"


class Prose:
    """The text of one annual report.

    Args:
        page: What it is about.
    """

    def __init__(self, page: Page) -> None:
        self._page, self._facts, self._company = page, page.facts, page.company
        self._latest = page.company.latest_year
        self._fields = self._general_fields()

    def footnotes(self, section: str) -> list[str]:
        """Return the lines under the tables of a statement."""
        return [self._fill(line) for line in words().footnotes.get(section, [])]

    def policy(self, name: str) -> str:
        """Return a sentence of the notes."""
        said = words().policies[name]
        return self._fill(said if isinstance(said, str) else self._pick(said, len(name)))

    def overview(self) -> str:
        """Return who reports."""
        return self._fill(self._pick(words().overview, 1))

    def revenue_policy(self) -> str:
        """Return when revenue is recognized."""
        return self._company.industry.revenue_policy

    def drivers(self) -> list[str]:
        """Return the management's account of the year: directions and reasons, no figures of the tables."""
        f, year, said = self._page.figures, self._latest, words().discussion
        rose = f.income(year, "revenue") > f.income(year - 1, "revenue")
        reasons = self._company.industry.up if rose else self._company.industry.down
        first = self._facts.wording % len(reasons)
        fields = {"reason": reasons[first], "other": reasons[(first + 1) % len(reasons)]}
        wider = "wider" if self._margin(year) > self._margin(year - 1) else "narrower"
        more = "more" if operating_cash(f, year) > operating_cash(f, year - 1) else "less"
        released = sum(working_capital(f, year).values()) > sum(working_capital(f, year - 1).values())
        return [
            self._fill(self._pick(said.rose if rose else said.fell, 2), fields),
            self._fill(said.segments, self._leaders()),
            said.margin[f"{wider}_{'rose' if rose else 'fell'}"],
            said.cash[f"{more}_{'released' if released else 'taken'}"],
        ]

    def outlook(self) -> str:
        """Return what is expected of the next year."""
        said = words().discussion
        return self._fill(self._pick(said.outlook, 3), {"outlook": self._pick(said.outlooks, 4)})

    def goodwill(self) -> list[str]:
        """Return what happened to goodwill."""
        names = dict(self._company.segments)
        happened = [("acquired", self._facts.acquired), ("impaired", self._facts.impaired)]
        return [self.policy("goodwill")] + [
            self._fill(str(words().policies[what]), {"year": str(year), "segment": names[key]})
            for what, found in happened
            for year, key in found.items()
        ]

    def restatement(self) -> list[str]:
        """Return why a year was restated; nothing where none was."""
        change = self._facts.restatement
        if change is None:
            return []
        moved = "property" in change.balance
        return [
            self._fill(words().restatements[change.cause].text, {"prior": f"FY{change.year}"}),
            self._fill(words().restated, {"cash": _CASH_MOVED if moved else _CASH_SAME}),
        ]

    def credit_agreement(self) -> list[str]:
        """Return the definitions of the credit agreement."""
        said, terms = words().credit, self._facts.credit
        added = terms is not None and terms.adds_stock_compensation
        fields = {
            "items": said.stock if added else said.no_stock,
            "not_added": said.not_added_stock if added else said.not_added_no_stock,
        }
        return [self._fill(said.definition, fields), said.net_debt, said.ratio]

    def _general_fields(self) -> dict[str, str]:
        company, facts = self._company, self._facts
        loan, revolver = facts.tranches[0], facts.tranches[2]
        lives = [
            f"{part.life_years} years for {name.lower()}" for name, part in company.industry.property_classes.items()
        ]
        return {
            "name": company.name,
            "trade": company.industry.trade,
            "year_end": company.year_end,
            "latest": str(self._latest),
            "revenue": company.industry.revenue,
            "cost": company.industry.cost,
            "currency": company.currency.code,
            "lives": ", ".join(lives[:-1]) + f" and {lives[-1]}",
            "loan": f"{loan.rate_percent:f}",
            "revolver": f"{revolver.rate_percent:f}",
            "matures": f"FY{revolver.matures}",
            "vesting": ("three", "four")[facts.wording % 2],
            "rate": f"{(company.currency.tax_rate * 100).normalize():f}",
            "restructuring": company.industry.restructuring,
            "dividend": f"{facts.next_dividend}",
        }

    def _leaders(self) -> dict[str, str]:
        f, year = self._page.figures, self._latest
        growth = {
            name: f.income(year, f"revenue:{key}") / f.income(year - 1, f"revenue:{key}")
            for key, name in self._company.segments
        }
        return {"best": max(growth, key=growth.__getitem__), "worst": min(growth, key=growth.__getitem__)}

    def _margin(self, year: int) -> float:
        return self._page.figures.operating_income(year) / self._page.figures.income(year, "revenue")

    def _pick(self, among: Sequence[str], salt: int) -> str:
        return among[(self._facts.wording // 7 + self._facts.wording * salt) % len(among)]

    def _fill(self, template: str, fields: Mapping[str, str] | None = None) -> str:
        return template.format_map({**self._fields, **(fields or {})})

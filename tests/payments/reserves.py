"""The rules behind the documents of `corpus/`: all types of value, revisions, an addendum, a rule yet to come."""

from functools import cache
from pathlib import Path

from bizgym.envs.payments.documents.corpus import Corpus, read_corpus
from bizgym.envs.payments.documents.edition import Edition, Table
from bizgym.envs.payments.documents.render import Document, render_all
from bizgym.envs.payments.kernel.money import Money
from bizgym.envs.payments.kernel.rules import RuleBook, RuleRow

FOLDER = Path(__file__).parent / "corpus"
TOOLS = ("evidence_submit", "reserve_get", "reserve_release", "reserve_review")
DAY = 1_440


def usd(minor: int) -> dict:
    return {"minor": minor, "currency": "USD"}


def row(row_id: str, key: str, value: object, **changes: object) -> RuleRow:
    given = {
        "id": row_id,
        "key": key,
        "value": value,
        "authority": "global_policy",
        "anchor": "review",
        "enforced": "policy",
        "rationale": "Reviews take an officer's time.",
    }
    return RuleRow.model_validate({**given, **changes})


ROWS = (
    row("R-FEE-1", "review_fee", usd(5_000)),
    row("R-FEE-2", "review_fee", usd(6_000), effective_from=-30 * DAY - 480, supersedes="R-FEE-1"),
    row(
        "R-FEE-3",
        "review_fee",
        usd(123_456),
        effective_from=20 * DAY - 480,
        announced_at=-3 * DAY,
        supersedes="R-FEE-2",
        traps=["not_yet_effective"],
    ),
    row(
        "R-FEE-SG-1",
        "review_fee",
        {"minor": 6_500, "currency": "SGD"},
        scope={"jurisdiction": "SG"},
        authority="jurisdiction_addendum",
        effective_from=-90 * DAY,
    ),
    row("R-SHARE-1", "own_fault_share_bps", 2_550, anchor="cause_of_review"),
    row("R-EVIDENCE-1", "evidence_kinds", ["bank_statement", "invoice", "signed_contract"]),
    row("R-SECOND-1", "second_officer", True, enforced="system", anchor="release"),
    row("R-TIME-1", "decision_time_minutes", 2 * DAY + 90, authority="procedure"),
    row(
        "R-PER-DAY-1",
        "reviews_per_day",
        3,
        authority="memo",
        effective_from=-DAY,
        effective_to=30 * DAY,
        announced_at=-2 * DAY,
    ),
)


def review_quote(rows: tuple[RuleRow, ...]) -> Table:
    """What one, two and three reviews cost."""
    fee: Money = rows[0].value
    totals = tuple((count, Money(count * fee.minor, fee.currency)) for count in (1, 2, 3))
    return Table((("Reviews", "count"), ("Charge", "review_fee")), totals)


EXAMPLES = {"review_quote": review_quote}


@cache
def corpus() -> Corpus:
    return read_corpus(FOLDER)


def edition(rows=ROWS, tools=TOOLS, skeletons=None) -> Edition:
    found = corpus() if skeletons is None else corpus()._replace(skeletons=skeletons)
    return Edition(found, RuleBook(rows), tools, EXAMPLES)


@cache
def documents() -> tuple[Document, ...]:
    return render_all(edition())


def text_of(document_id: str) -> str:
    return next(each.text for each in documents() if each.id == document_id)

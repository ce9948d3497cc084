"""The company's own rules and documents: sound, complete for the tools, and readable back from the documents."""

import re
from functools import cache
from importlib.resources import files
from itertools import product

import pytest
from bizgym.envs.core.data import parse, validate
from bizgym.envs.payments.documents import lints, slots
from bizgym.envs.payments.documents.checked import Checked
from bizgym.envs.payments.documents.corpus import read_corpus
from bizgym.envs.payments.documents.edition import Edition
from bizgym.envs.payments.documents.index import index_of
from bizgym.envs.payments.documents.skeleton import Skeleton
from bizgym.envs.payments.kernel import conflicts
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.rules import Authority, RuleBook, RuleRow
from bizgym.envs.payments.modules import catalog
from bizgym.envs.payments.modules.tariff import TARIFFS
from bizgym.envs.payments.records.parties import Jurisdiction, Segment
from bizgym.envs.payments.worked import EXAMPLES

CONTENT = files("bizgym.data").joinpath("payments")
DIMENSIONS = {"jurisdiction", "segment", "currency", "route", "method", "reason", "priority", "action", "shows"}
FEWEST_DOCUMENTS = 200


@cache
def rules() -> RuleBook:
    folder = CONTENT.joinpath("rules")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".yaml"))
    return RuleBook(
        validate(RuleRow, row, f"{name}.{k}")
        for name in names
        for k, row in enumerate(parse(folder.joinpath(name).read_text(encoding="utf-8"), name))
    )


@cache
def edition() -> Edition:
    return Edition(read_corpus(CONTENT.joinpath("documents")), rules(), catalog.TOOLS, EXAMPLES)


@cache
def checked() -> Checked:
    return Checked(edition())


def of_kind(kind: str) -> list[Skeleton]:
    return [each for each in checked().skeletons.values() if each.kind == kind]


@pytest.mark.parametrize("lint", lints.LINTS)
def test_the_corpus_satisfies_every_lint(lint):
    assert [f"{place}: {message}" for place, message in lints.LINTS[lint](checked())] == []


def test_exactly_one_rule_wins_every_case():
    assert [str(each) for each in conflicts.find(rules())] == []


def keys_of_tools() -> set[str]:
    """What the tools look up, read from their source."""
    folder = files("bizgym.envs.payments.modules")
    sources = [each.read_text(encoding="utf-8") for each in folder.iterdir() if each.name.endswith(".py")]
    looked_up = r"(?:ctx\.resolve\(|amount_rule\(ctx, |duration\(ctx, )\"(\w+)\""
    return {tariff.key for tariff in TARIFFS.values()}.union(*(re.findall(looked_up, source) for source in sources))


def test_every_rule_that_a_tool_looks_up_is_there():
    assert len(keys_of_tools()) >= 25
    assert keys_of_tools() - set(rules().keys) == set()


def test_rules_are_for_cases_that_exist():
    known = {"jurisdiction": set(Jurisdiction), "segment": set(Segment), "currency": set(Currency)}
    for row in rules().rows.values():
        assert set(row.scope) <= DIMENSIONS, row.id
        for dimension, values in known.items():
            assert row.scope.get(dimension) in {None, *values}, row.id


def test_an_amount_is_stated_in_the_currency_of_its_case():
    for key in rules().keys:
        rows = rules().rows_of(key)
        if not isinstance(rows[0].value, Money):
            continue
        others = sorted({name for row in rows for name in row.scope} - {"jurisdiction", "segment", "currency"})
        values = [sorted({row.scope.get(name, "*") for row in rows}) for name in others]
        instants = sorted({row.effective_from for row in rows})
        for place, segment, currency, *rest, at in product(Jurisdiction, Segment, Currency, *values, instants):
            case = {"jurisdiction": place, "segment": segment, "currency": currency}
            found = rules().resolve(key, case | dict(zip(others, rest, strict=True)), at)
            assert found.value.currency is currency, f"{found.row.id} for {case} at {at}"


def test_there_are_documents_of_every_kind_for_every_module():
    assert len(checked().documents) >= FEWEST_DOCUMENTS
    fewest = {"policy": 40, "procedure": 40, "addendum": 20, "faq": 12, "tool_guide": 15, "product_note": 8}
    fewest |= {"memo": 8, "bulletin": 1, "glossary": 4, "form": 3}
    assert {kind: n for kind, n in fewest.items() if len(of_kind(kind)) < n} == {}
    modules = {tool.module for tool in catalog.TOOLS.values()}
    guided = {catalog.TOOLS[name].module for each in of_kind("tool_guide") for name in each.mentions}
    assert modules - guided == set()


def test_versions_of_rules_make_the_choice_hard():
    rows = list(rules().rows.values())
    replaced = [row for row in rows if not checked().is_current(row) and row.effective_from <= 0]
    announced = [row for row in rows if row.effective_from > 0 and (row.announced_at or 0) < 0]
    assert len(replaced) >= 40
    assert len(announced) >= 5
    assert {row.scope["jurisdiction"] for row in rows if "jurisdiction" in row.scope} == set(Jurisdiction)
    assert {row.authority for row in rows} == set(Authority) - {Authority.FAQ}


def test_a_memo_does_not_change_what_a_policy_says():
    book = rules()
    memos = [row for row in book.rows.values() if row.authority is Authority.MEMO and "memo_over_policy" in row.traps]
    assert len(memos) >= 5
    for memo in memos:
        assert book.resolve(memo.key, memo.scope, memo.effective_from).row.authority > Authority.MEMO, memo.id


def test_documents_refer_to_what_was_there_when_they_were_written():
    always = float("-inf")
    for each in checked().skeletons.values():
        for slot in slots.of_kind(each.pieces, "doc"):
            issued, other = (edition().issued_at(one) for one in (each, checked().skeletons[slot.arguments[0]]))
            assert (always if other is None else other) <= (always if issued is None else issued), f"{each.id}: {slot}"


def test_answers_for_merchants_lag_behind():
    stated = {each.id: edition().rows_of(each) for each in of_kind("faq")}
    late = [faq for faq, rows in stated.items() if not all(map(checked().is_current, rows))]
    assert len(late) >= 8


def test_the_procedure_for_a_tool_is_among_what_its_name_finds():
    index = index_of(tuple(checked().documents.values()))
    for tool in catalog.TOOLS:
        named = {each.id for each in checked().skeletons.values() if tool in each.mentions}
        assert named & {hit.id for hit in index.search(tool, 10)}, tool

"""Rules are read back from rendered texts: what a document states and what the rule rows say cannot drift apart."""

import dataclasses
import random

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.documents import application
from bizgym.envs.payments.documents.calendar import Calendar
from bizgym.envs.payments.documents.extract import differences, extract
from bizgym.envs.payments.documents.render import render
from bizgym.envs.payments.documents.skeleton import read_skeletons
from bizgym.envs.payments.kernel.rules import BEGINNING, Authority, RuleBook

from tests.payments.reserves import DAY, ROWS, corpus, documents, edition, row

KEYS = {each.id: each.key for each in ROWS}
EDITION = edition()
CALENDAR = Calendar(epoch="2026-03-02 08:00")


def spoilt(document_id, old, new):
    """The document with something else in one of its sections, and its skeleton."""
    document = next(each for each in documents() if each.id == document_id)
    assert old in document.text
    passages = tuple(each._replace(text=each.text.replace(old, new)) for each in document.passages)
    header = document.header.replace(old, new)
    return dataclasses.replace(document, passages=passages, header=header), corpus().skeletons[document_id]


@pytest.mark.parametrize("document", documents(), ids=lambda each: each.id)
def test_every_document_states_its_rules_exactly(document):
    skeleton = corpus().skeletons[document.id]
    assert differences(document, skeleton, EDITION) == []
    stated = extract(document, skeleton, EDITION, KEYS)
    assert list(stated) == list(skeleton.renders)
    for rule_id, each in stated.items():
        assert each.value == EDITION.rules.rows[rule_id].value


def test_the_rule_book_is_not_asked():
    # Rules of other values: what is read is what stands in the text.
    others = edition([each.changed(value=4) if each.id == "R-PER-DAY-1" else each for each in ROWS])
    document = next(each for each in documents() if each.id == "D-0401")
    read = extract(document, corpus().skeletons["D-0401"], others, {})
    assert read["R-PER-DAY-1"].value == 3
    assert read["R-PER-DAY-1"].authority is Authority.MEMO
    assert read["R-PER-DAY-1"].terms == application.Terms(
        id="R-PER-DAY-1",
        key="reviews_per_day",
        scope={},
        effective_from=-DAY,
        effective_to=30 * DAY,
        announced_at=-2 * DAY,
        anchor="review",
        enforced="policy",
        supersedes=None,
    )


@pytest.mark.parametrize(
    ("document_id", "old", "new", "complaint"),
    [
        ("D-0102", "USD 60.00. The", "USD 60.01. The", "R-FEE-2: the document states"),
        ("D-0102", "USD 60.00. The", "60 dollars. The", "the text is not that of the skeleton"),
        ("D-0301", "2 days, 1 hour", "3 days, 1 hour", "R-TIME-1: the document states"),
        ("D-0110", "`bank_statement`, ", "", "R-EVIDENCE-1: the document states"),
        ("D-0110", "release: yes", "release: no", "R-SECOND-1: the document states"),
        ("D-0110", "the systems refuse what breaks it", "staff keep to it and no system checks it", "R-SECOND-1: the"),
        ("D-0201", "jurisdiction SG", "jurisdiction HK", "R-FEE-SG-1: the document states"),
        ("D-0201", "Authority: jurisdiction addendum", "Authority: statute", "R-FEE-SG-1: the document states"),
        ("D-0401", "until 1 April", "until 2 April", "R-PER-DAY-1: the document states"),
        ("D-0401", "announced on 28", "announced on 27", "R-PER-DAY-1: the document states"),
        ("D-0102", "; replaces R-FEE-1", "", "R-FEE-2: the document states"),
        ("D-0102", "force at review applies", "force at booking applies", "R-FEE-2: the document states"),
        ("D-0102", "; in force", "; valid", "no line of 'How these rules apply'"),
        ("D-0102", "not when the money leaves", "or when the money leaves", "the text is not that of the skeleton"),
        ("D-0102", "- R-SHARE-1 (", "- R-SHARE-2 (", "R-SHARE-2 has terms and no value"),
    ],
)
def test_any_drift_is_seen(document_id, old, new, complaint):
    found = differences(*spoilt(document_id, old, new), EDITION)
    assert len(found) >= 1
    assert complaint in found[0]


def test_two_statements_of_one_rule_have_to_agree():
    text = (
        "---\nid: D-0900\nkind: policy\ntitle: A policy\nauthority: global_policy\nrenders: [R-FEE-1]\n---\n"
        "## fee: The fee\nFirst {{value R-FEE-1}}, then {{value R-FEE-1}}.\n"
    )
    (skeleton,) = read_skeletons(text, "x.md")
    document = render(skeleton, EDITION)
    passages = (document.passages[0]._replace(text="First USD 50.00, then USD 51.00."), *document.passages[1:])
    with pytest.raises(DataError, match="another value of R-FEE-1 than before"):
        extract(dataclasses.replace(document, passages=passages), skeleton, EDITION, KEYS)


def a_value(draw):
    number = draw.choice([0, 1, 7, 1_440, 1_530, draw.randrange(10**7)])
    code = draw.choice(["cash", "set_off", "X-1"])
    return draw.choice(
        [
            ("fee", {"minor": draw.choice([-1, 1]) * number, "currency": draw.choice(["USD", "JPY"])}),
            ("answer_minutes", number),
            ("share_bps", -number),
            ("notice_days", number),
            ("reviews", number),
            ("needed", draw.random() < 0.5),
            ("route", code),
            ("routes", ["cash", code, "wallet"][: draw.randrange(4)]),
        ]
    )


def test_whatever_the_values_are_they_are_read_back():
    draw = random.Random(11)
    between = [
        " days",
        ".\n\n",
        " minutes and ",
        " only when ",
        " none of ",
        "; at most ",
        "\n- ",
        " USD or ",
        " yes, ",
    ]
    for _ in range(300):
        rows = [row(f"R-X-{k}", *a_value(draw)) for k in range(4)]
        rows = [each.changed(key=f"k{k}_{each.key}") for k, each in enumerate(rows)]
        order = [draw.randrange(4) for _ in range(3)] + [0, 1, 2, 3]
        body = "".join(f"{{{{value R-X-{k}}}}}{draw.choice(between)}" for k in order)
        head = (
            "id: D-0900\nkind: policy\ntitle: Anything\nauthority: global_policy\nrenders: [R-X-0, R-X-1, R-X-2, R-X-3]"
        )
        (skeleton,) = read_skeletons(f"---\n{head}\n---\n## any: Any\nIt is {body}.\n", "x.md")
        made = edition(rows, skeletons={"D-0900": skeleton})
        assert differences(render(skeleton, made), skeleton, made) == []


def test_terms_are_read_back_for_any_rule():
    draw = random.Random(3)
    for k in range(2_000):
        since = draw.choice([BEGINNING, draw.randrange(-(10**6), 10**6)])
        until = draw.choice([None, max(since, -(10**6)) + draw.randrange(1, 10**6)])
        announced = None if since == BEGINNING else draw.choice([None, since - draw.randrange(10**5)])
        scope = {
            each: f"{each[0].upper()}{k}" for each in ("jurisdiction", "pay_route", "product") if draw.random() < 0.5
        }
        made = row(
            f"R-X-{k}",
            draw.choice(["fee", "answer_time_minutes", "share_bps", "term_days", "in_a_week"]),
            k,
            scope=scope,
            effective_from=since,
            effective_to=until,
            announced_at=announced,
            anchor=draw.choice(["review", "signing_of_contract"]),
            enforced=draw.choice(["system", "policy"]),
        )
        terms = application.terms_of(made, RuleBook([made]))
        assert application.read(application.written(terms, CALENDAR), CALENDAR) == terms


@pytest.mark.parametrize(
    "line", ["", "- R-FEE-1", "- R-FEE-1 (fee): for every case.", "\ud800" * 1_000, "- R-FEE-1 (" * 9_000]
)
def test_other_lines_are_refused(line):
    with pytest.raises(DataError, match="no line of"):
        application.read(line, CALENDAR)

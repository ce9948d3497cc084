"""The lints: a sound corpus has no finding, and each fault that is planted is found and nothing else."""

import shutil

import pytest
from bizgym.envs.payments.documents import lints, slots
from bizgym.envs.payments.documents.checked import Checked
from bizgym.envs.payments.documents.corpus import read_corpus
from bizgym.envs.payments.documents.edition import Edition
from bizgym.envs.payments.documents.literals import literals
from bizgym.envs.payments.kernel.rules import RuleBook

from tests.payments.reserves import DAY, EXAMPLES, FOLDER, ROWS, TOOLS, corpus, edition, row

KEYS = {each.id: each.key for each in ROWS}


FAQ_COST = "The fee for a review is {{value R-FEE-1}}."
OLD_FEES = "  - {id: D-0101, names: {fee: R-FEE-1}, omit: [waiver]}\n"


@pytest.fixture
def planted(tmp_path):
    """Spoil a copy of the corpus, each change a file, what stands there and what is to stand there; run the lints."""
    folder = tmp_path / "corpus"
    shutil.copytree(FOLDER, folder)

    def plant(*changes, rows=ROWS, tools=TOOLS):
        for name, old, new in changes:
            text = (folder / name).read_text(encoding="utf-8")
            assert old in text
            (folder / name).write_text(text.replace(old, new), encoding="utf-8")
        findings = lints.find(Edition(read_corpus(folder), RuleBook(rows), tools, EXAMPLES))
        return sorted({(each.lint, each.place) for each in findings})

    return plant


def test_a_sound_corpus_has_no_finding():
    assert lints.find(edition()) == []


@pytest.mark.parametrize(
    ("change", "findings"),
    [
        (
            ("fees.md", "waits until it is covered", "waits until 3 are paid"),
            [("no_literals", f"D-010{k}") for k in (1, 2, 3)],
        ),
        (("faq.md", "It is your money", "It is paid within ten business days"), [("no_literals", "D-0501")]),
        (("memo.md", "title: Busy weeks", "title: Busy weeks of May"), [("no_literals", "D-0401")]),
        (("corpus.yaml", "buyers may still claim", "buyers claim in 90 days"), [("no_literals", "reserve")]),
        (
            ("glossary.md", "{{define evidence}}", "{{term evidence}}"),
            [("terms_are_defined", f"D-0{k}01") for k in (3, 7)],
        ),
        (("procedure.md", "the\n{{key second_officer}} is", "another officer is"), [("rules_are_found", "R-SECOND-1")]),
        (
            ("singapore.md", "scope: {jurisdiction: SG}", "scope: {jurisdiction: HK}"),
            [("rules_have_a_home", "R-FEE-SG-1")],
        ),
        (
            ("fees.md", "replaces: D-0101", "replaces: D-0301"),
            [("revisions_follow", "D-0102")],
        ),
        (("fees.md", "replaces: D-0101", "replaces: D-0103"), [("revisions_follow", "D-0102")]),
    ],
)
def test_a_planted_fault_is_found_and_nothing_else(planted, change, findings):
    assert planted(change) == findings


def test_a_revision_is_issued_after_what_it_replaces(planted):
    spoilt = ("fees.md", "replaces: D-0101}", "replaces: D-0101, issued_at: -2880}")
    assert planted(spoilt) == [("revisions_follow", "D-0103"), ("rules_have_a_home", "R-FEE-2")]


def test_a_rule_without_a_document_is_found():
    findings = lints.find(edition([*ROWS, row("R-NEW-1", "second_review_fee", 5)]))
    assert list(map(str, findings)) == [
        "R-NEW-1: no document of authority global policy and its scope states it [rules_have_a_home]"
    ]


def test_a_faq_is_no_home_of_a_policy(planted):
    spoilt = (
        ("faq.md", "renders: [R-FEE-1]", "renders: [R-FEE-1, R-NEW-1]"),
        ("faq.md", FAQ_COST, FAQ_COST + " It can be waived: {{value R-NEW-1}}."),
    )
    assert planted(*spoilt, rows=[*ROWS, row("R-NEW-1", "waivable", False)]) == [("rules_have_a_home", "R-NEW-1")]


def test_a_replaced_rule_needs_its_older_document(planted):
    spoilt = (("fees.md", OLD_FEES, ""), ("fees.md", ", replaces: D-0101", ""))
    assert planted(*spoilt) == [("rules_have_a_home", "R-FEE-1")]


def test_a_replaced_rule_that_only_its_successor_states_is_found(planted):
    spoilt = (
        ("fees.md", OLD_FEES, ""),
        ("fees.md", ", replaces: D-0101", ""),
        ("evidence.md", "renders: [", "renders: [R-FEE-1, "),
        ("evidence.md", "A merchant who complains", "It once cost {{value R-FEE-1}}. A merchant who complains"),
        ("evidence.md", "product: reserve", "product: reserve\nissued_at: 0"),
    )
    assert planted(*spoilt) == [("rules_have_a_home", "R-FEE-1")]


def test_a_current_rule_that_no_search_finds_is_found():
    rows = [*ROWS, row("R-NEW-1", "pledge", 5)]
    skeletons = dict(corpus().skeletons)
    for document_id, section, slot in (
        ("D-0110", 0, slots.Slot("value", ("R-NEW-1",))),
        ("D-0301", 0, slots.Slot("key", ("pledge",))),
    ):
        old = skeletons[document_id]
        sections = list(old.sections)
        sections[section] = sections[section]._replace(pieces=(*sections[section].pieces, " ", slot))
        skeletons[document_id] = old.changed(sections=tuple(sections))
    assert lints.find(edition(rows, skeletons=skeletons)) == []
    # Ten revisions of another text that have the word in their titles fill the first ten places.
    for k in range(10):
        skeletons[f"D-{8000 + k}"] = skeletons["D-0501"].changed(id=f"D-{8000 + k}", title="Pledge upon pledge")
    findings = lints.find(edition(rows, skeletons=skeletons))
    assert {each.lint for each in findings} == {"rules_are_found"}
    assert "'pledge reserve' finds none of D-0110" in "\n".join(map(str, findings))


def test_every_tool_stands_in_a_document(planted):
    assert planted(tools=(*TOOLS, "reserve_pledge")) == [("tools_are_named", "reserve_pledge")]


def test_a_document_that_cites_nothing_decides_nothing(planted):
    spoilt = (
        ("glossary.md", "mentions: [reserve_get]", "mentions: []"),
        ("glossary.md", "{{tool reserve_get}}", "the tools"),
    )
    assert planted(*spoilt) == [("documents_cite", "D-0701")]


@pytest.mark.parametrize(("n_words", "findings"), [(0, 1), (30, 1), (60, 0), (1_150, 0), (1_350, 1)])
def test_documents_are_neither_stubs_nor_books(planted, n_words, findings):
    text = (FOLDER / "tools.md").read_text(encoding="utf-8")
    rest = text[text.index("{{tool evidence_submit}} files") :]
    named = "{{tool evidence_submit}} {{tool reserve_review}} {{tool reserve_release}}"
    filled = " ".join(f"{'abcdefghij'[k % 10]}{'klmnopqrst'[k // 10 % 10]}" for k in range(n_words))
    assert planted(("tools.md", rest, f"{named} {filled}")) == [("lengths_fit", "D-0601")] * findings


def test_two_documents_of_one_text_are_found_unless_they_are_revisions(planted):
    twin = corpus().skeletons["D-0601"].changed(id="D-0602", family="D-0602")
    findings = lints.find(edition(skeletons={**corpus().skeletons, "D-0602": twin}))
    assert [(each.lint, each.place) for each in findings] == [("documents_differ", "D-0602")]
    revision = twin.changed(family="D-0601")
    assert lints.find(edition(skeletons={**corpus().skeletons, "D-0602": revision})) == []


def test_what_is_current_depends_on_now():
    assert [Checked(edition(), now).is_current(ROWS[k]) for now in (-40 * DAY, 0, 40 * DAY) for k in (0, 1, 2)] == [
        *(True, False, False),
        *(False, True, False),
        *(False, False, True),
    ]
    assert [Checked(edition(), now).is_current(ROWS[-1]) for now in (-2 * DAY, 0, 30 * DAY)] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(
    "text", ["In the march of time one of us may rest.", "1. First\n2. Second", "A half-open door"]
)
def test_ordinary_words_are_no_literals(text):
    assert list(literals(text)) == []


@pytest.mark.parametrize(
    "text",
    ["90", "USD 5", "€", "since May", "by 3 March", "December", "two days", "Thirty business days", "ten per cent"],
)
def test_literals_are_found(text):
    assert list(literals(text)) != []

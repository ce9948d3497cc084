"""Documents: every fact of a rendered text comes from a rule row, as it was known when the document was written."""

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.documents.edition import Edition
from bizgym.envs.payments.documents.render import render_all
from bizgym.envs.payments.documents.skeleton import read_skeletons
from bizgym.envs.payments.kernel.rules import RuleBook

from tests.payments.reserves import DAY, EXAMPLES, ROWS, TOOLS, corpus, documents, edition, row, text_of


def test_the_header_says_who_speaks_for_what_and_since_when():
    assert text_of("D-0201").startswith(
        "# Singapore addendum on reserves\n\nD-0201, addendum\nAuthority: jurisdiction addendum\n"
        "Scope: jurisdiction SG\nProduct: reserve\nIssued: 2 December 2025, 08:00\n"
        "In force: from 2 December 2025, 08:00\n"
    )


def test_a_revision_states_the_values_of_its_own_time_in_its_examples_too():
    assert "costs the merchant USD 50.00." in text_of("D-0101")
    assert "| 3 | USD 150.00 |" in text_of("D-0101")
    assert "costs the merchant USD 60.00." in text_of("D-0102")
    assert "| 3 | USD 180.00 |" in text_of("D-0102")
    assert "When less is charged" not in text_of("D-0101")


def test_a_revision_does_not_know_its_end_and_the_newer_one_says_what_it_replaces():
    ended = [each.changed(effective_to=-30 * DAY - 480) if each.id == "R-FEE-1" else each for each in ROWS]
    texts = {each.id: each.text for each in render_all(edition(ended))}
    assert texts["D-0101"] == text_of("D-0101")
    assert "January" not in texts["D-0101"]
    assert "Replaces: Fees for looking into reserves (D-0101)" in texts["D-0102"]


def test_what_ends_by_itself_says_so():
    assert "In force: from 1 March 2026, 08:00 until 1 April 2026, 08:00" in text_of("D-0401")


def test_a_document_may_be_announced_and_not_yet_in_force():
    text = text_of("D-0103")
    assert "Issued: 28 February 2026, 08:00" in text
    assert "parts of it from 22 March 2026\n" in text
    assert "in force from 22 March 2026; announced on 27 February 2026, 08:00;" in text


def test_a_faq_repeats_what_held_when_it_was_written_and_lays_down_nothing():
    assert "The fee for a review is USD 50.00." in text_of("D-0501")
    assert "How these rules apply" not in text_of("D-0501")


def test_documents_follow_their_rules():
    dearer = [
        each.changed(value={"minor": 6_100, "currency": "USD"}) if each.id == "R-FEE-2" else each for each in ROWS
    ]
    changed = {each.id: each.text for each in render_all(edition(dearer))}
    assert [each.id for each in documents() if changed[each.id] != each.text] == ["D-0102"]
    assert changed["D-0102"] == text_of("D-0102").replace("60.00", "61.00").replace("120.00", "122.00").replace(
        "180.00", "183.00"
    )


def head(body="Costs {{value R-FEE-1}}.", **changes):
    given = {
        "id": "D-0900",
        "kind": "policy",
        "title": "A policy",
        "authority": "global_policy",
        "renders": "[R-FEE-1]",
    }
    lines = [f"{name}: {value}" for name, value in {**given, **changes}.items() if value is not None]
    return "---\n" + "\n".join(lines) + f"\n---\n## fee: The fee\n{body}\n"


def test_paragraphs_are_joined_and_lists_are_not():
    (found,) = read_skeletons(
        head("One line\nand the next.\n\n- an item\n  of two lines\n- {{value R-FEE-1}}\n| a |\n| b |"), "x.md"
    )
    assert Edition(corpus(), RuleBook(ROWS), TOOLS, EXAMPLES).filled(found.pieces, "x") == (
        "One line and the next.\n\n- an item of two lines\n- USD 50.00\n| a |\n| b |"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "x.md: a head in YAML between two lines of ---"),
        ("---\nid: D-1\n---\n", "x.md: "),
        (head(id="D-1"), "x.md: id: "),
        (head(kind="letter"), "x.md: kind: "),
        (head(authority="boss"), "x.md: authority: .*one of faq, memo"),
        (head(authority=None), "authority: a policy has one"),
        (head(kind="faq"), "faq for a faq and for nothing else"),
        (head(colour="red"), "x.md: colour: Extra inputs"),
        (head(id=None), "an id, or variants with an id each"),
        (head(renders="[]"), "renders: R-FEE-1 stands in a slot of the text and is not listed"),
        (head(renders="[R-FEE-1, R-FEE-2]"), "renders: R-FEE-2 stands in no slot"),
        (head("{{value R-FEE-1}} {{tool pay}}"), "mentions: pay stands in a slot"),
        (head("{{value R-FEE-1}} {{wert R-FEE-1}}"), "x.md: D-0900.fee: no slot is called 'wert'"),
        (head("{{vale R-FEE-1}}"), "Did you mean 'value'"),
        (head("{{}}"), "no slot is called ''"),
        (head("{{value}}"), "has 0 arguments"),
        (head("{{value R-FEE-1 R-FEE-2}}"), "has 2 arguments"),
        (head("{{value fee}}"), "'fee' does not fit"),
        (head("{{value R-FEE-1"), "double braces that do not pair up near"),
        (head("value R-FEE-1}}"), "double braces that do not pair up near"),
        (head(scope="{jurisdiction: 'S G'}"), "x.md: scope.jurisdiction"),
        (head("{{value R-FEE-1}}\n## Fees"), "a heading is `## id: Title`, not '## Fees'"),
        (head("{{value R-FEE-1}}\n## fee: Again\nx"), "two sections are called 'fee'"),
        (head("{{value R-FEE-1}}\n## application: Again\nx"), "it is the name of the last one"),
        (head("{{value R-FEE-1}}\n## more: More\n"), "section more is empty"),
        (
            head(id=None, renders=None, variants="[{id: D-0901, omit: [costs]}]"),
            "D-0901.omit: there is no section 'costs'",
        ),
        (
            head(id=None, renders=None, variants="[{id: D-0901, names: {f: R-FEE-2}}]"),
            "D-0901.names: f stands in no slot",
        ),
        (head(id=None, variants="[{id: D-0901}]"), "renders: the names of each variant say it"),
        (head().replace("## fee", "Hello\n## fee"), "text stands under headings"),
        (head() + "\ud800" + "{" * 10_000 + "}" * 10_000, "double braces|x.md"),
    ],
)
def test_a_skeleton_that_breaks_its_form_is_refused_with_the_place(text, complaint):
    with pytest.raises(DataError, match=complaint):
        read_skeletons(text, "x.md")


@pytest.mark.parametrize(
    ("body", "changes", "complaint"),
    [
        ("{{value R-FEE-9}}", {"renders": "[R-FEE-9]"}, "D-0900: there is no rule R-FEE-9. Did you mean 'R-FEE-"),
        ("{{value R-FEE-1}} {{tool pay}}", {"mentions": "[pay]"}, "D-0900.fee: {{tool pay}}: there is no tool 'pay'"),
        ("{{value R-FEE-1}} {{key reviewfee}}", {}, "no key of a rule 'reviewfee'. Did you mean 'review_fee'"),
        ("{{value R-FEE-1}} {{term money}}", {}, "no defined term 'money'"),
        ("{{value R-FEE-1}} {{doc D-0999}}", {}, "no document 'D-0999'"),
        ("{{value R-FEE-1}} {{doc D-0201 fees}}", {}, "no section 'fees'. Did you mean 'fee'"),
        ("{{value R-FEE-1}} {{example quote}}", {}, "no worked example 'quote'"),
        ("{{value R-FEE-1}} {{from R-FEE-1}}", {}, "R-FEE-1 has no such date"),
        ("{{value R-FEE-1}} {{until R-FEE-2}}", {}, "nobody knew it when the rule was announced"),
        ("{{value R-FEE-3}}", {"renders": "[R-FEE-3]", "issued_at": -5_000}, "R-FEE-3 is announced in minute -4320"),
        ("{{value R-FEE-1}}", {"replaces": "D-0999"}, "D-0900.replaces: {{doc D-0999}}: there is no document"),
    ],
)
def test_a_slot_that_names_what_does_not_exist_is_refused_with_the_place(body, changes, complaint):
    (found,) = read_skeletons(head(body, **changes), "x.md")
    with pytest.raises(DataError) as refused:
        render_all(edition(skeletons={**corpus().skeletons, found.id: found}))
    assert complaint in str(refused.value)
    assert "D-0900" in str(refused.value)


def test_a_code_that_cannot_be_shown_is_refused():
    (found,) = read_skeletons(head("{{value R-X-1}}", renders="[R-X-1]"), "x.md")
    with pytest.raises(DataError, match=r"D-0900\.fee: \{\{value R-X-1\}\}: route: a code is of letters"):
        render_all(edition([*ROWS, row("R-X-1", "route", "set off")], skeletons={found.id: found}))

"""A folder of skeletons: read in a fixed order, refused with the place where something is wrong."""

import shutil
from pathlib import Path

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.documents.corpus import read_corpus
from bizgym.envs.payments.documents.edition import Edition, Table
from bizgym.envs.payments.documents.render import render_all
from bizgym.envs.payments.kernel.rules import RuleBook

from tests.payments.reserves import EXAMPLES, FOLDER, ROWS, TOOLS, corpus


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "corpus")
    return tmp_path / "corpus"


def test_documents_come_in_the_order_of_ids():
    ids = ["D-0101", "D-0102", "D-0103", "D-0110", "D-0201", "D-0301", "D-0401", "D-0501", "D-0601", "D-0701"]
    assert list(corpus().skeletons) == ids


def test_folders_within_and_byte_order_marks_and_line_ends_make_no_difference(folder):
    (folder / "policies").mkdir()
    for name in ("fees.md", "evidence.md"):
        text = (folder / name).read_text(encoding="utf-8")
        (folder / name).unlink()
        (folder / "policies" / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    (folder / "policies" / "README.md").write_text("Not a document.", encoding="utf-8")
    found = read_corpus(folder)
    assert render_all(Edition(found, RuleBook(ROWS), TOOLS, EXAMPLES)) == render_all(
        Edition(corpus(), RuleBook(ROWS), TOOLS, EXAMPLES)
    )


def test_the_order_of_the_directory_makes_no_difference():
    class Backwards:
        def __init__(self, path: Path) -> None:
            self.path, self.name = path, path.name

        def is_dir(self):
            return self.path.is_dir()

        def iterdir(self):
            return map(Backwards, sorted(self.path.iterdir(), reverse=True))

        def read_text(self, encoding=None):
            return self.path.read_text(encoding)

    assert list(read_corpus(Backwards(FOLDER)).skeletons) == list(corpus().skeletons)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("corpus.yaml", None, "there is no corpus.yaml, which gives the calendar"),
        ("corpus.yaml", b"calendar: {epoch: Monday}", "corpus.yaml: calendar.epoch: .*2026-03-02 08:00"),
        ("corpus.yaml", b"calendar: {epoch: '2026-03-02 08:00'}\ncolour: red", "corpus.yaml: colour: Extra inputs"),
        ("corpus.yaml", b"[", "corpus.yaml: not YAML"),
        (
            "corpus.yaml",
            b"calendar: {epoch: '2026-03-02 08:00'}\nterms: {A b: {name: ab, meaning: longer than ten}}",
            "terms",
        ),
        ("memo.md", b"\xff\xfe", "memo.md: not UTF-8 at byte 0; save it as UTF-8"),
        ("memo.md", b"", "memo.md: a head in YAML"),
        ("memo.md", (FOLDER / "faq.md").read_bytes(), "D-0501: two documents share this id"),
    ],
    ids=range(8),
)
def test_a_folder_that_breaks_its_form_is_refused(folder, name, content, complaint):
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_bytes(content)
    with pytest.raises(DataError, match=complaint):
        read_corpus(folder)


def test_a_file_that_cannot_be_read_is_named(folder):
    (folder / "gone.md").symlink_to(folder / "nowhere.md")
    with pytest.raises(DataError, match=r"gone\.md: cannot be read"):
        read_corpus(folder)


def test_an_example_whose_rows_do_not_fit_its_columns_is_refused():
    crooked = {"review_quote": lambda rows: Table((("Charge", "review_fee"),), ((1, 2),))}
    with pytest.raises(DataError, match=r"D-0101\.charge: .*rows of other lengths than its 1 columns"):
        render_all(Edition(corpus(), RuleBook(ROWS), TOOLS, crooked))

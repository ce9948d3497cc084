"""The data files of families: one strict form, and an error that names the place."""

import copy

import pytest
import yaml
from bizgym.envs.core.data import packaged_text, validate
from bizgym.envs.core.errors import DataError
from bizgym.envs.qa.families.filing_spec import FilingFamilies
from bizgym.envs.qa.families.spec import FamilyFile

CASES = yaml.safe_load(packaged_text("qa", "families/analysis.yaml"))
REPORTS = yaml.safe_load(packaged_text("qa", "extraction.yaml"))


def without_key(content, *path):
    content = copy.deepcopy(content)
    inner = content
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return content


def with_value(content, value, *path):
    content = copy.deepcopy(content)
    inner = content
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return content


@pytest.mark.parametrize(("model", "content"), [(FamilyFile, CASES), (FilingFamilies, REPORTS)])
def test_the_files_are_read_and_carry_the_canary(model, content):
    assert validate(model, content, "here").families
    with pytest.raises(DataError, match="canary"):
        validate(model, without_key(content, "canary"), "here")
    with pytest.raises(DataError, match="canary"):
        validate(model, with_value(content, "another", "canary"), "here")


FIRST = ("families", 0)
BROKEN = [
    (with_value(CASES, {"low": 1, "high": 2, "of": "nobody"}, *FIRST, "draw", "liabilities"), "nobody is not drawn"),
    (with_value(CASES, ["One way?", "Another way?"], *FIRST, "questions"), "questions"),
    (with_value(CASES, [], *FIRST, "mistakes"), "mistakes"),
    (with_value(CASES, "poem", *FIRST, "answer", "kind"), "kind"),
    (with_value(CASES, 100, *FIRST, "answer", "scale"), "scale"),
    (with_value(CASES, 1, *FIRST, "hint"), "hint"),
    (with_value(CASES, [1], *FIRST, "plausible"), "plausible"),
    (with_value(CASES, "ten", *FIRST, "features", "steps"), "steps"),
    (without_key(CASES, *FIRST, "program"), "program"),
]


@pytest.mark.parametrize(("content", "said"), BROKEN, ids=[said for _, said in BROKEN])
def test_a_family_that_breaks_the_form_is_refused_with_its_place(content, said):
    with pytest.raises(DataError, match=rf"here: families\.0.*{said}"):
        validate(FamilyFile, content, "here")


@pytest.mark.parametrize(
    ("value", "path", "said"),
    [
        ([3], ("years",), "years"),
        ([], ("targets",), "targets"),
        ("dozens", ("measure",), "measure"),
        ("poetry", ("capability",), "capability"),
    ],
)
def test_a_report_family_that_breaks_the_form_is_refused_with_its_place(value, path, said):
    with pytest.raises(DataError, match=rf"here: families\.0.*{said}"):
        validate(FilingFamilies, with_value(REPORTS, value, *FIRST, *path), "here")

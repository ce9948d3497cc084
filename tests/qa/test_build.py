"""The embedded set is what its sources give, byte for byte."""

import os
import subprocess
import sys

import pytest
from bizgym.envs.qa import build
from bizgym.envs.qa.filings.industries import industries
from bizgym.envs.qa.items import CAPABILITIES
from bizgym.envs.qa.store import items_of, to_filing_text, to_lines

pytestmark = pytest.mark.sandbox
ENVIRONMENT = {**os.environ, "PYTHONHASHSEED": "99"}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("qa")
    subprocess.run([sys.executable, "-m", "bizgym.envs.qa.build", str(folder)], check=True, env=ENVIRONMENT)
    return folder


@pytest.mark.parametrize("kind", ["items", "filings"])
def test_another_build_gives_the_same_bytes(built, kind):
    shipped = build.packaged_folder() / kind
    names = sorted(path.name for path in shipped.iterdir())
    assert names == sorted(path.name for path in (built / kind).iterdir())
    for name in names:
        assert (built / kind / name).read_bytes() == (shipped / name).read_bytes(), name


def test_every_capability_is_built():
    assert sorted(path.stem for path in (build.packaged_folder() / "items").iterdir()) == sorted(CAPABILITIES)


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_a_file_of_items_survives_reading_and_writing(capability):
    text = (build.packaged_folder() / "items" / f"{capability}.jsonl").read_text(encoding="utf-8")
    items = list(items_of(text, capability))
    assert len(items) == 120
    assert to_lines(items) == text


def test_the_splits_have_reports_of_every_industry_and_no_company_in_common():
    train, test = build.reports("train"), build.reports("test")
    assert {filing.industry for filing in train} == {filing.industry for filing in test} == set(industries())
    assert not {filing.company.name for filing in train} & {filing.company.name for filing in test}
    assert len({filing.company.name for filing in train + test}) == len(train + test)


def test_a_report_is_stored_as_it_is_generated():
    filing = build.reports("test")[0]
    stored = build.packaged_folder() / "filings" / f"{filing.filing_id}.json"
    assert stored.read_text(encoding="utf-8") == to_filing_text(filing.filing_id, filing.sections)

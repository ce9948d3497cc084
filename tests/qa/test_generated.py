"""Generated items: the same for the same seed, and through every gate for any."""

import subprocess
import sys

import pytest
from bizgym.envs.core.errors import SettingError
from bizgym.envs.qa import proofs
from bizgym.envs.qa.difficulty import BANDS
from bizgym.envs.qa.families.filing_spec import filing_families
from bizgym.envs.qa.families.spec import families
from bizgym.envs.qa.generated import COMPUTED, GENERATED, families_of, generated_item
from bizgym.envs.qa.grading import grade
from bizgym.envs.qa.store import read_items

pytestmark = pytest.mark.sandbox
SEEDS = 500
GATES = ("computed_twice", "read_by_reference", "near_misses_are_wrong", "features_are_counted")


@pytest.fixture(scope="module")
def batch():
    return [generated_item(seed, *GENERATED[seed % len(GENERATED)]) for seed in range(SEEDS)]


@pytest.mark.parametrize("gate", GATES)
def test_a_batch_passes_every_gate(batch, gate):
    tested = list(getattr(proofs, gate)(batch))
    assert len(tested) >= SEEDS
    assert [each for each in tested if each[1]] == []


def test_a_batch_is_of_what_was_asked_and_answers_itself(batch):
    for seed, item in enumerate(batch):
        capability, band = GENERATED[seed % len(GENERATED)]
        assert (item.capability, item.band, item.split, item.source) == (capability, band, "train", "generated")
        assert item.item_id == f"generated-{'ie' if capability == COMPUTED[0] else 'nc'}-{band}-{seed}"
        for profile in ("paper", "strict"):
            assert grade(str(item.answer.value), item.answer, profile).correct, item.item_id


def test_no_two_of_a_batch_are_the_same_question(batch):
    asked = [item.question + "".join(section.text for section in item.sections) for item in batch]
    assert len(set(asked)) == len(asked)


def test_the_batch_is_of_many_families(batch):
    found = {item.family for item in batch}
    assert found <= set(families()) | set(filing_families())
    assert len(found) > 0.9 * (len(families()) + len(filing_families()))


def test_no_shipped_report_or_question_is_generated(batch):
    shipped = [item for capability in COMPUTED for item in read_items(capability)]
    assert not {item.meta.get("filing", "-") for item in shipped} & {item.meta.get("filing") for item in batch}
    texts = {item.question + item.sections[0].text for item in shipped}
    assert not texts & {item.question + item.sections[0].text for item in batch}


def test_every_family_is_of_one_band():
    on_reports = {name: family.capability for name, family in filing_families().items()}
    capabilities = on_reports | dict.fromkeys(families(), "numerical_calculation")
    for capability in COMPUTED:
        named = [name for band in BANDS for name in families_of(capability, band)]
        assert sorted(named) == sorted(name for name, found in capabilities.items() if found == capability)


@pytest.mark.parametrize("cell", GENERATED)
def test_the_same_seed_is_the_same_item_in_another_process(cell):
    code = (
        "import sys; from bizgym.envs.qa.generated import generated_item;"
        "sys.stdout.write(generated_item(7, sys.argv[1], sys.argv[2]).model_dump_json())"
    )
    done = subprocess.run([sys.executable, "-c", code, *cell], capture_output=True, text=True, check=True)
    assert done.stdout == generated_item(7, *cell).model_dump_json()
    assert generated_item(8, *cell).question + generated_item(8, *cell).sections[0].text != done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((-1, "numerical_calculation", "easy"), "seed"),
        ((True, "numerical_calculation", "easy"), "seed"),
        ((1, "domain_knowledge", "easy"), "capability"),
        ((1, "numerical_calculations", "easy"), "Did you mean|numerical_calculation"),
        ((1, "numerical_calculation", "medium"), "band"),
    ],
)
def test_what_cannot_be_generated_says_what_can(arguments, said):
    with pytest.raises(SettingError, match=said):
        generated_item(*arguments)

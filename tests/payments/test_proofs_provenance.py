"""Where the arguments of a path come from: gaps are found one by one, and so are reads and writes of no use."""

import pytest
from bizgym.envs.payments.proofs.counterexamples import superfluous_writes
from bizgym.envs.payments.proofs.mistakes import Ground
from bizgym.envs.payments.proofs.play import reference
from bizgym.envs.payments.proofs.provenance import is_read, is_write, unfounded, useless_reads
from bizgym.envs.payments.proofs.values import Leaf, leaves, replaced
from bizgym.envs.payments.tasks import Action, GoldenPath

from tests.payments.sound import action, choices, described_path, ground, sound_task
from tests.payments.workflows import content, task

SHOW_ACCOUNT = action("account_get", {"record": "ACC-1"})


def with_path(actions, derived=None):
    stored = list(choices(actions)) if derived is None else derived
    golden = {"minutes": 60, "actions": [each.model_dump() for each in actions], "derived": stored}
    return task().changed(goldens=[GoldenPath.model_validate(golden)])


def gaps(found):
    return unfounded(found.goldens[0], reference(found, content().setting(found)))


def idle_reads(found):
    setting = content().setting(found)
    return useless_reads(found, setting, found.goldens[0], reference(found, setting))


def without(number):
    actions = described_path()
    return [*actions[:number], *actions[number + 1 :]]


READS = [number for number, each in enumerate(described_path()) if is_read(each)]


def test_a_sound_path_is_founded_and_has_neither_idle_reads_nor_idle_writes():
    assert gaps(sound_task()) == []
    assert idle_reads(sound_task()) == []
    assert superfluous_writes(ground()) == []
    assert ground().golden.strict
    assert len(READS) == 22


@pytest.mark.parametrize("number", READS)
def test_without_any_one_of_its_reads_a_path_has_a_gap(number):
    assert gaps(with_path(without(number))) != []


def test_the_short_path_of_the_small_task_does_not_say_where_its_agent_knows_things_from():
    found = gaps(task())
    assert "action 14, arguments.officer: 'OFF-1' was not shown before" in found
    assert "action 11, arguments.amount: {'minor': 60000, 'currency': 'USD'} was not shown before" in found
    assert "action 4, name: 'what evidence_list takes' was not shown before" in found


def test_examples_in_rules_and_descriptions_are_no_source_of_ids_and_numbers():
    """The description of `officer_list` shows OFF-1, the general rules RSV-1 and USD 50.00: examples, all of them."""
    actions = described_path()
    number = next(k for k, each in enumerate(actions) if each.arguments.get("name") == "officer_list")
    assert actions[number].name == "describe_tool"
    del actions[number + 1]
    assert [each for each in gaps(with_path(actions)) if "OFF-1" in each] != []


def test_a_read_that_shows_nothing_new_is_idle():
    actions = described_path()
    described = Action(name="describe_tool", arguments={"name": "account_get"})
    longer = [*actions[:4], described, SHOW_ACCOUNT, *actions[4:]]
    assert idle_reads(with_path(longer)) == [5]


def test_a_document_that_alone_states_a_rule_of_a_check_is_read_for_it():
    actions = described_path()
    standards = Action(name="read_document", arguments={"document_id": "D-0004"})
    found = with_path([*actions[:2], standards, *actions[2:]])
    assert (gaps(found), idle_reads(found)) == ([], [])
    unruled = [each.changed(rules=[rule for rule in each.rules if rule == "R-FEE-2"]) for each in found.checks]
    assert idle_reads(found.changed(checks=unruled)) == [2]


@pytest.mark.parametrize(
    ("derived", "words"),
    [
        ({"terms": [], "argument": "arguments.nothing"}, "there is no such argument"),
        ({"terms": [20, 4]}, "25 is not the sum of 20, 4"),
        ({"terms": [12_345, -12_320]}, "12345 was not shown before"),
    ],
)
def test_a_derivation_is_reckoned_and_its_terms_need_a_source(derived, words):
    actions = described_path()
    first, *rest = choices(actions)
    found = gaps(with_path(actions, [{**first, **derived}, *rest]))
    assert [each for each in found if words in each] != []


def test_a_derivation_from_what_was_shown_is_sound():
    actions = described_path()
    first, *rest = choices(actions)
    assert gaps(with_path(actions, [{**first, "terms": [137, -112], "why": "..."}, *rest])) != []
    shown = [{**first, "terms": [137, -110, -2], "why": "the deadline less what comes after it"}, *rest]
    assert [each for each in gaps(with_path(actions, shown)) if "137" in each] == []


def test_an_amount_is_one_value_and_own_words_are_none():
    paid = action("pay", {"amount": {"minor": 5, "currency": "USD"}, "to": ["ACC-1"], "idempotency_key": "k"})
    assert list(leaves(paid)) == [
        Leaf("name", "pay"),
        Leaf("arguments.amount", {"minor": 5, "currency": "USD"}),
        Leaf("arguments.to.0", "ACC-1"),
    ]
    assert replaced(paid, lambda value: "x").arguments == {
        "name": "x",
        "arguments": {"amount": "x", "to": ["x"], "idempotency_key": "k"},
    }


def test_reads_and_writes_are_told_apart_by_the_business_tool():
    assert is_read(SHOW_ACCOUNT)
    assert not is_write(SHOW_ACCOUNT)
    release = action("reserve_release", {})
    assert is_write(release)
    assert not is_read(release)
    message = Action(name="message_user", arguments={"text": "x"})
    assert not is_read(message)
    assert not is_write(message)


def test_a_write_that_no_check_needs_is_idle():
    actions = described_path()
    twice = [*actions[:-1], actions[-2], actions[-1]]
    found = Ground(with_path(twice), content().setting(task()))
    assert superfluous_writes(found) == [len(actions) - 2, len(actions) - 1]

"""Whoever decides by a rule has to have been shown the case: who the party is, and not what a document is for."""

import pytest
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.proofs.cases import DIMENSIONS, case_needs, undecided
from bizgym.envs.payments.proofs.play import reference
from bizgym.envs.payments.proofs.provenance import useless_reads
from bizgym.envs.payments.tasks import GoldenPath

TASKS = list(packaged().tasks)
RELEASE = packaged().tasks.get("release_haylinstrand")


def setting(task):
    return packaged().setting(task)


def shows_customer(task, action):
    inner = action.arguments.get("arguments", {})
    return action.arguments.get("name") == "party_get" and inner.get("record") == task.customer


def blind(task):
    """The task with a reference path on which the customer's own record is never looked at."""
    golden = task.goldens[0]
    actions = [each for each in golden.actions if not shows_customer(task, each)]
    assert len(actions) < len(golden.actions)
    return task.changed(goldens=[GoldenPath(minutes=golden.minutes, actions=actions)])


def gaps(task, path=0):
    return undecided(task, setting(task), task.goldens[path], reference(task, setting(task), path))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_every_stored_path_knows_the_case_of_each_rule_that_it_goes_by(task):
    assert [gaps(task, path) for path in range(len(task.goldens))] == [[]] * len(task.goldens)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_without_the_customer_s_record_no_path_knows_whose_rules_apply(task):
    found = gaps(blind(task))
    assert [each for each in found if "jurisdiction for" in each] != []
    assert all("was not shown before" in each for each in found)


def test_what_a_document_is_for_does_not_tell_who_the_customer_is():
    """The documents of the path say SG, and they say so of the addendum and not of the merchant."""
    task = blind(RELEASE)
    played = reference(task, setting(task))
    read = [each.text for each in played.shown if each.action.name == "read_document"]
    assert any("Singapore" in each or "SG" in each for each in read)
    assert "jurisdiction for reserve_review_fee: 'SG'" in " ".join(gaps(task))


def test_the_record_that_alone_tells_the_case_is_no_idle_read():
    task, golden = RELEASE, RELEASE.goldens[0]
    played = reference(task, setting(task))
    number = next(k for k, each in enumerate(golden.actions) if shows_customer(task, each))
    cases = case_needs(task, setting(task), golden, played)
    assert number in useless_reads(task, setting(task), golden, played)
    assert number not in useless_reads(task, setting(task), golden, played, cases)


def test_the_case_of_another_party_is_its_own():
    """The order of a buyer in the United States is judged by its country, although the merchant is in Singapore."""
    played = reference(RELEASE, setting(RELEASE))
    found = case_needs(RELEASE, setting(RELEASE), RELEASE.goldens[0], played)
    told = {(each.place, each.value) for each in found}
    assert {("jurisdiction for instruction_in_force", "US"), ("jurisdiction for instruction_in_force", "SG")} <= told


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_only_what_records_show_is_asked_for_and_before_it_is_gone_by(task):
    played = reference(task, setting(task))
    for each in case_needs(task, setting(task), task.goldens[0], played):
        assert each.place.partition(" ")[0] in DIMENSIONS
        assert max(each.sources) < each.act

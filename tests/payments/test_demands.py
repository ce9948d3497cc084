"""What a task demands of its rules: refused when it is loaded where that can be known, told to the agent elsewhere."""

from dataclasses import replace

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.demands import require_rules
from bizgym.envs.payments.kernel.rules import RuleBook
from bizgym.envs.payments.kernel.world import Base
from bizgym.envs.payments.modules.catalog import TOOLS
from bizgym.envs.payments.records.payouts import PayoutState

from tests.payments.workflows import content, make, play, task


def without(*keys):
    rows = content().setting(task()).rules.rows.values()
    return RuleBook(row for row in rows if row.key not in keys)


def refused(rules, of=None):
    setting = content().setting(task())
    with pytest.raises(DataError) as error:
        require_rules(of or task(), setting.base, rules)
    return str(error.value)


@pytest.mark.parametrize(
    ("key", "needed_by"),
    [
        ("review_minutes", "tools.review_start"),
        ("evidence_answer_minutes", "tools.evidence_renew"),
        ("cash_floor", "checks.F1"),
    ],
)
def test_a_task_without_a_rule_that_it_goes_by_is_refused_when_it_is_loaded(key, needed_by):
    assert refused(without(key)) == f"reserve_release_1.{needed_by}: nothing in its rule_sets rules {key}"


def test_a_customer_s_policy_needs_its_rules_too():
    policies = [each.model_copy(update={"approve": {"eq": [{"rule": "nowhere"}, 1]}}) for each in task().card.policies]
    card = task().card.model_copy(update={"policies": policies})
    found = refused(content().setting(task()).rules, task().model_copy(update={"card": card}))
    assert found == "reserve_release_1.card: nothing in its rule_sets rules nowhere"


def test_a_payout_that_is_under_way_at_the_beginning_needs_to_arrive():
    run = packaged().tasks.get("payout_tidewater")
    setting = packaged().setting(run)
    sent = next(each for each in setting.base.records.values() if each.kind == "payout" and each.state == "settled")
    records = {**setting.base.records, sent.id: replace(sent, state=PayoutState.SENT)}
    bare = run.model_copy(update={"goldens": [], "counterexamples": [], "checks": [], "tool_subset": []})
    kept = RuleBook(row for row in setting.rules.rows.values() if row.key != "settlement_minutes")
    require_rules(bare, setting.base, kept)
    with pytest.raises(DataError, match="world: the episode cannot begin: nothing rules settlement_minutes"):
        require_rules(bare, Base(records.values()), kept)


def test_every_shipped_task_has_the_rules_that_it_goes_by():
    for each in packaged().tasks:
        setting = packaged().setting(each)
        assert {TOOLS[name].module for name in each.tool_subset} >= {"approvals", "notices"}
        require_rules(each, setting.base, setting.rules)


def test_a_tool_that_nothing_rules_is_refused_with_a_code_and_changes_nothing():
    """The small company has no rule on transfers; whoever asks for one all the same is told so."""
    env = make()
    play(env, [])
    before = env.state_digest()
    amount = {"minor": 100, "currency": "USD"}
    given = {"source": "ACC-1", "target": "ACC-2", "amount": amount, "idempotency_key": "k"}
    observation, _, _, _, info = env.step(
        {"name": "call_tool", "arguments": {"name": "account_transfer", "arguments": given}}
    )
    assert (info["error"], info["tool_results"][0]["code"]) == ("tool_refused", "NO_RULE")
    assert "nothing rules account_transfer_limit" in observation
    assert env.state_digest() == before

"""Players who make one kind of mistake: their paths, what they break, and that the environment sees the same."""

from importlib.resources import files

import gymnasium as gym
import pytest
import yaml
from bizgym.agents.base import RunContext, TaskCard
from bizgym.agents.baselines import payments as players
from bizgym.agents.rollout import rollout
from bizgym.envs.core.errors import SettingError
from bizgym.envs.payments.content import Setting, packaged
from bizgym.envs.payments.kernel.rules import RuleBook, RuleRow
from bizgym.envs.payments.proofs.mistakes import Ground, inner
from bizgym.envs.payments.proofs.provenance import is_write
from bizgym.envs.payments.proofs.traps import ALWAYS, TRAPS, must_fail, own_reasons, walked
from bizgym.envs.payments.tasks import Action
from bizgym.evaluators.prove.gauntlet import TRAPS as PLAIN_TRAPS

from tests.payments.sound import action, sound_task
from tests.payments.workflows import PAYMENTS, TASK_ID, content, task

SMALL = Ground(task(), content().setting(task()))
RUNS = [each for each in packaged().tasks if "greedy_order" in each.traps]
RELEASES = [each for each in packaged().tasks if each.family == "reserve_release"]
FEE = {
    "key": "reserve_review_fee",
    "authority": "global_policy",
    "anchor": "review",
    "enforced": "policy",
    "rationale": "Reviews take longer than they did.",
}
BREAKS = {
    "newest_doc_wins": set(),
    "first_hit_wins": set(),
    "faq_believer": {"P1", "P2"},
    "assume_consent": {"P2"},
    "greedy_order": set(),
    "close_first": set(),
    "pay_twice_on_timeout": set(),
    "never_wait": {"G1"},
    "oracle_without_asking": {"P1", "P2"},
    "naive": {"P1", "P2"},
}
PLAYERS = {each.walk: each for each in vars(players).values() if getattr(each, "walk", "")}


def played(player, **env_kwargs):
    settings = {"env_id": PAYMENTS, "env_kwargs": env_kwargs}
    run = RunContext(run_id="x", seed=0, settings=settings)
    return rollout(gym.make(PAYMENTS, **env_kwargs), player, seed=0, task_id=TASK_ID, run=run)


def failed(trajectory):
    return {check.id for check in trajectory.checks if not check.passed}


@pytest.mark.parametrize(("name", "broken"), BREAKS.items())
def test_a_player_breaks_what_its_mistake_is_about(name, broken):
    found = walked(name, SMALL)
    assert found.broken == broken
    assert must_fail(TRAPS[name], SMALL) is bool(broken)


def test_every_player_is_tested_and_has_an_agent():
    assert set(BREAKS) == set(TRAPS) == set(PLAYERS)


@pytest.mark.parametrize("name", TRAPS)
def test_the_agent_plays_what_was_walked_and_is_judged_alike(name):
    trajectory = played(PLAYERS[name]())
    assert failed(trajectory) == BREAKS[name]
    assert trajectory.reward == (0.0 if BREAKS[name] else 1.0)
    taken = [call for step in trajectory.steps for call in step.turn.action]
    assert taken == [each.model_dump() for each in walked(name, SMALL).actions]


def test_the_naive_player_gets_what_was_asked_for_and_is_not_strict():
    found = walked("naive", SMALL)
    assert found.reached("goal")
    assert not found.reached("process")
    names = [each.arguments.get("name", each.name) for each in found.actions]
    assert "read_document" not in names
    assert "consent_request" not in names
    opened = next(each for each in found.actions if each.arguments.get("name") == "approval_request_open")
    assert inner(opened)["max_fee"] == {"minor": 5000, "currency": "USD"}
    assert names.index("approval_request_open") < names.index("evidence_renew")


def test_the_naive_player_waits_only_where_the_systems_refuse():
    found = walked("naive", SMALL)
    waits = [k for k, each in enumerate(found.actions) if each.name == "wait"]
    assert waits
    assert all(found.shown[k - 1].code for k in waits)
    assert all(not found.shown[k + 1].code for k in waits)


def other_setting(*rows, **stated):
    """The setting of the small task with more rules, and with other documents that state them where any are given."""
    own = content().setting(task())
    found = Setting(own.base, RuleBook([*own.rules.rows.values(), *rows]), own._corpus)
    if stated:
        found.__dict__["rendered"] = stated
    return Ground(task(), found)


def fees_of(found):
    opened = next(each for each in found.actions if each.arguments.get("name") == "approval_request_open")
    return inner(opened)["max_fee"]["minor"]


def test_the_player_of_the_newest_document_goes_by_a_rule_that_is_yet_to_take_effect():
    later = RuleRow.model_validate(
        {**FEE, "id": "R-FEE-3", "value": {"minor": 7_000, "currency": "USD"}, "effective_from": 9_000}
    )
    found = walked("newest_doc_wins", other_setting(later))
    assert fees_of(found) == 7_000
    assert "P2" in found.broken


@pytest.mark.parametrize(("stated", "fee"), [({"D-0001": ("R-FEE-1",)}, 5_000), ({"D-0002": ("R-FEE-2",)}, 6_000)])
def test_the_player_of_the_first_hit_goes_by_the_first_document_that_states_the_rule(stated, fee):
    found = walked("first_hit_wins", other_setting(**stated))
    assert fees_of(found) == fee
    assert found.strict is (fee == 6_000)


def test_the_naive_player_sees_out_what_is_under_way_before_it_finishes():
    wait = Action(name="wait", arguments={"until_minute": 600})
    again = Action(name="wait", arguments={"for_event": "review_ready"})
    found = walked("naive", with_golden(wait, again))
    assert [each.name for each in found.actions][-2:] == ["wait", "finish"]
    assert found.minutes == 600


@pytest.mark.parametrize("kwargs", [{}, {"tool_mode": "flat"}, {"retrieval": "none"}])
def test_the_oracle_is_strict_in_every_mode(kwargs):
    trajectory = played(players.Oracle(), **kwargs)
    assert trajectory.reward == 1.0
    assert not any(result.code for step in trajectory.steps for result in step.results)


@pytest.mark.parametrize("player", [players.DoNothing, players.RefuseAll, players.RandomCalls])
def test_players_that_know_nothing_score_0(player):
    assert played(player()).reward == 0.0


def test_the_agents_are_for_payments_only():
    oracle = players.Oracle()
    oracle.begin_run(RunContext(run_id="x", seed=0, settings={"env_id": "bizgym/BeerGame-v0", "env_kwargs": {}}))
    with pytest.raises(SettingError, match="bizgym/BeerGame-v0: no environment of payment workflows"):
        oracle.begin_episode(TaskCard("bizgym/BeerGame-v0", "default", "", ()))


def test_every_player_has_a_file():
    folder = files("bizgym.conf").joinpath("agent", "payments")
    stored = {entry.name.removesuffix(".yaml"): yaml.safe_load(entry.read_text()) for entry in folder.iterdir()}
    assert set(stored) == {*TRAPS, *PLAIN_TRAPS, "ask_first", "follow_procedure"}
    for name, kind in PLAYERS.items():
        assert stored[name]["_target_"].rpartition(".")[2] == kind.__name__


@pytest.mark.parametrize("name", TRAPS)
def test_every_player_has_tasks_on_which_it_must_fail(name):
    grounds = [Ground(each, packaged().setting(each)) for each in (*RELEASES, *RUNS)]
    families = {each.task.family for each in grounds if must_fail(TRAPS[name], each)}
    of_one = {
        "greedy_order": {"payout_run"},
        "pay_twice_on_timeout": {"payout_run"},
        "close_first": {"reserve_release"},
    }
    assert families == of_one.get(name, {"payout_run", "reserve_release"})


def with_golden(*added, traps=()):
    golden = sound_task().goldens[0]
    actions = [*golden.actions[:-1], *added, golden.actions[-1]]
    found = task().changed(goldens=[golden.changed(actions=actions, derived=[])], traps=list(traps))
    return Ground(found, content().setting(found))


def moves(path):
    return [inner(each) for each in path if each.arguments.get("name") == "reserve_top_up"]


def pay(minor, key):
    return action("reserve_top_up", {"amount": {"minor": minor, "currency": "USD"}, "idempotency_key": key})


def acts(name, ground):
    return [ground.actions[part] if isinstance(part, int) else part for part in TRAPS[name].path(ground)]


def test_the_greedy_player_pays_the_largest_first_in_the_places_of_the_others():
    ground = with_golden(pay(300, "a"), pay(900, "b"), pay(500, "c"))
    assert [each["idempotency_key"] for each in moves(acts("greedy_order", ground))] == ["b", "c", "a"]


@pytest.mark.parametrize("found", RUNS, ids=lambda found: found.task_id)
def test_the_greedy_player_of_a_run_spends_what_has_to_stay(found):
    ground = Ground(found, packaged().setting(found))
    broken = walked("greedy_order", ground).broken
    assert broken & {check.id for check in found.checks if check.kind == "protection"}


def test_the_player_who_pays_twice_uses_a_new_key():
    ground = with_golden(pay(300, "a"), pay(900, "b"))
    keys = [each["idempotency_key"] for each in moves(acts("pay_twice_on_timeout", ground))]
    assert keys == ["a", "a-again", "b", "b-again"]


@pytest.mark.parametrize("found", RELEASES, ids=lambda found: found.task_id)
def test_the_player_who_closes_first_closes_before_any_money_is_applied(found):
    """With all that closing takes, approval included; so it is what was applied that is wrong, and not the closing."""
    ground = Ground(found, packaged().setting(found))
    played = walked("close_first", ground)
    codes = [(each.action.arguments["name"], each.code) for each in played.shown if is_write(each.action)]
    first = next(k for k, (name, _) in enumerate(codes) if name == "allocation_propose")
    assert ("file_close", "") in codes[:first]
    assert {code for name, code in codes if name == "allocation_propose"} == {"FILE_NOT_OPEN"}
    assert {check.kind for check in found.checks if check.id in own_reasons("close_first", ground, played)} == {
        "process"
    }


@pytest.mark.parametrize("found", RUNS, ids=lambda found: found.task_id)
def test_the_player_who_pays_twice_pays_a_payee_of_a_run_again(found):
    """A run that is executed again is refused; whoever drafts what it held once more, and sends it, has paid twice."""
    ground = Ground(found, packaged().setting(found))
    played = walked("pay_twice_on_timeout", ground)
    sent = [each for each in played.shown if each.action.arguments.get("name") == "payout_send_now" and not each.code]
    assert sent
    assert own_reasons("pay_twice_on_timeout", ground, played)


@pytest.mark.parametrize("found", [*RELEASES, *RUNS], ids=lambda found: found.task_id)
def test_a_player_fails_on_a_task_for_its_own_reason(found):
    ground = Ground(found, packaged().setting(found))
    for name in [name for name, trap in TRAPS.items() if must_fail(trap, ground)]:
        assert own_reasons(name, ground, walked(name, ground)), name


@pytest.mark.parametrize(
    ("name", "tag"),
    [("greedy_order", "order"), ("close_first", "closing_order"), ("pay_twice_on_timeout", "pay_twice")],
)
def test_some_players_must_fail_only_where_a_task_says_so(name, tag):
    assert ALWAYS not in TRAPS[name].falls_for
    assert must_fail(TRAPS[name], with_golden(traps=[tag]))
    assert not must_fail(TRAPS[name], with_golden())

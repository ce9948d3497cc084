"""Discussion: calls of groups and rounds, who sees whose reasons, the vote, and the secretary on a tie."""

import json

import pytest
from bizgym.agents.discussion import Discussion
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason

from tests.fixtures.deliberation import (
    BEER,
    CUT_OFF,
    QA,
    REFUSED,
    TWIN,
    answers,
    orders,
    play_method,
    roles,
    seats,
    turn_of,
)
from tests.fixtures.models import make, says, tool_call

QUESTION = "dk-easy-13"


def week(replies, **settings):
    return play_method(make(BEER, horizon=4), Discussion(**settings), replies)


def discuss(last, *rest, **settings):
    """Two rounds of the answer A, a last round of these answers, and what the secretary says."""
    agent = Discussion(**settings)
    replies = [*[answers("A")] * 2 * len(last), *map(answers, last), *rest]
    row, log = play_method(make(QA), agent, replies, task_id=QUESTION)
    return agent, row, log


def decides(choice):
    return json.dumps({"choice": choice, "why": "It fits."})


@pytest.mark.parametrize(
    ("settings", "calls"),
    [({}, 18), ({"profile": "small"}, 9), ({"rounds": 1}, 6), ({"agents": 9, "rounds": 2}, 18)],
)
def test_every_agent_speaks_once_a_round(settings, calls):
    row, log = week([orders(k) for k in range(calls)], **settings)
    assert roles(log) == " ".join(["act"] * calls)
    assert {role: used["calls"] for role, used in row.usage.items()} == {"act": calls}


def test_a_group_sees_reasons_and_of_the_other_groups_the_answers_alone():
    first = [orders(10 + k, f"Reason of {k + 1}.") for k in range(6)]
    _, log = week([*first, *first, *first])
    fifth = log[6 + 4].question
    own, _, rest = fifth.partition("Last proposals of the others in your group")
    group, _, others = rest.partition("Last proposals of the other groups")
    assert '> Reason of 5.\n> Call: place_order({"quantity": 14})' in own
    assert '\nColleague 4:\n> Reason of 4.\n> Call: place_order({"quantity": 13})' in group
    assert '\nColleague 6:\n> Reason of 6.\n> Call: place_order({"quantity": 15})' in group
    listed = "\n\n".join(f'Colleague {k + 1}:\n> Call: place_order({{"quantity": {10 + k}}})' for k in range(3))
    assert listed in others
    assert "Reason" not in others
    assert fifth.count("Reason of") == 3


def test_one_group_is_told_of_no_other():
    first = [orders(10 + k, f"Reason of {k + 1}.") for k in range(3)]
    _, log = week([*first, *first, *first], profile="small")
    assert "group" not in log[4].question
    assert [f"Reason of {k}." in log[4].question for k in (1, 2, 3)] == [True] * 3


def test_agents_are_asked_in_order_and_the_prompt_is_rebuilt_each_round():
    rounds = [[orders(10 * r + k) for k in range(6)] for r in range(3)]
    _, log = week([*rounds[0], *rounds[1], *rounds[2]])
    assert seats(log) == [0, 1, 2, 3, 4, 5] * 3
    assert all(len(each.messages) == 3 for each in log[6:])
    assert '{"quantity": 10}' in log[12].question
    assert '{"quantity": 0}' not in log[12].question


def test_numbers_are_settled_by_the_median_and_need_no_secretary():
    row, log = week([*map(orders, (1, 2, 3) * 4), *map(orders, (60, 10, 50, 20, 40, 30))])
    assert len(log) == 18
    assert turn_of(row) == ("I think of 60.", [{"quantity": 30}])


@pytest.mark.parametrize(("last", "played"), [("DDDAAB", "D"), ("ABDDDD", "D"), ("BBAACB", "B")])
def test_the_last_round_is_voted_on(last, played):
    agent, row, log = discuss(last)
    assert turn_of(row)[1] == [{"value": played}]
    assert (roles(log), agent.unreadable) == (" ".join(["act"] * 18), 0)
    assert row.stop_reason is StopReason.ENV_DONE


@pytest.mark.parametrize(
    ("last", "choice", "played"), [("ABABCD", 2, "B"), ("ABABCD", 1, "A"), ("CCBBAA", 3, "A"), ("DBA", 2, "B")]
)
def test_a_tie_is_decided_by_one_call_to_a_secretary(last, choice, played):
    profile = "paper" if len(last) == 6 else "small"
    agent, row, log = discuss(last, decides(choice), profile=profile)
    assert roles(log) == " ".join([*["act"] * 3 * len(last), "vote"])
    assert turn_of(row) == (f"I think it is {played}.", [{"value": played}])
    assert agent.state() == {"unreadable": 0}


def test_the_secretary_sees_those_that_lead_and_may_call_nothing():
    _, _, log = discuss("CACADB", decides(1))
    secretary = log[-1]
    leaders = '> I think it is {0}.\n> Call: answer({{"value": "{0}"}})'.format
    assert f"Candidate 1:\n{leaders('C')}\n\nCandidate 2:\n{leaders('A')}" in secretary.question
    assert "Candidate 3" not in secretary.question
    assert secretary.settings.tool_choice == "none"
    assert secretary.messages[:-1] == log[0].messages


UNREADABLE = ["the second", decides("2"), decides(0), decides(3), decides(True), decides(2.0), decides(None), REFUSED]


@pytest.mark.parametrize("verdict", UNREADABLE)
def test_a_secretary_that_cannot_be_read_leaves_it_to_the_lowest_index(verdict):
    agent, row, _ = discuss("BABACD", verdict)
    assert turn_of(row)[1] == [{"value": "B"}]
    assert agent.state() == {"unreadable": 1}
    other = Discussion()
    other.load_state(agent.state())
    assert other.state() == {"unreadable": 1}


def test_a_tied_group_is_represented_by_its_median():
    def calls(name, **arguments):
        return says(tool_call(name, json.dumps(arguments)), text=f"{name} {arguments}")

    last = [calls("a", n=9), calls("b", n=1), calls("a", n=3), calls("b", n=5), calls("a", n=6), calls("b", n=3)]
    row, log = play_method(make(TWIN), Discussion(rounds=1), [*last, decides(2)])
    assert "Candidate 1:\n> a {'n': 9}\n> Call: a({\"n\":6})" in log[-1].question
    assert turn_of(row) == ("b {'n': 1}", [{"n": 3}])


def test_a_tie_among_proposals_that_call_nothing_is_worth_no_call():
    talk = [says(text=f"I would order {k}.") for k in range(6)]
    row, log = week([*talk, *talk, *talk])
    assert len(log) == 18
    assert turn_of(row) == ("I would order 0.", [])


@pytest.mark.parametrize("silence", [REFUSED, CUT_OFF])
def test_who_refuses_or_is_cut_off_abstains(silence):
    first = [orders(10), silence, orders(30), silence, silence, silence]
    row, log = week([*first, *first, *[silence] * 6])
    assert len(log) == 18
    assert "Your last proposal:\n\n> (no proposal)" in log[7].question
    assert "other groups, without their reasons:\n\n> (no proposal)" in log[6].question
    assert "in your group, with their reasons:\n\n> (no proposal)" in log[9].question
    assert turn_of(row)[1] == [{"quantity": 10}]  # the last round in which somebody spoke


def test_a_discussion_in_which_nobody_speaks_stops():
    row, log = week([REFUSED] * 6)
    assert (row.stop_reason, len(log)) == (StopReason.REFUSAL, 6)


def test_before_a_commitment_the_draft_is_what_the_first_agent_proposed():
    reading = says(tool_call("get_firm", "{}"))
    deciding = [says(tool_call("set_workforce", "{}"), text=f"Say {k}.") for k in range(9)]
    agent = Discussion(profile="small", apply="commit_only")
    row, log = play_method(make(TWIN), agent, [reading, *deciding], steps=2)
    assert seats(log) == [0, 0, 1, 2, 0, 1, 2, 0, 1, 2]
    assert turn_of(row, 1)[0] == "Say 6."


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"agents": 4}, "agents: a multiple of 3, not 4"),
        ({"agents": 0}, "agents: at least 1, not 0"),
        ({"rounds": 0}, "rounds: at least 1, not 0"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(SettingError, match=message):
        Discussion(**settings)

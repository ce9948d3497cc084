"""The small task with a path whose every argument was shown before, and with its counterexamples."""

from functools import cache

from bizgym.envs.payments.proofs.counterexamples import search
from bizgym.envs.payments.proofs.mistakes import Ground
from bizgym.envs.payments.tasks import Action, GoldenPath

from tests.payments.workflows import content, task

LOOK_UPS = {
    "evidence_list": [("search_tools", {"query": "list papers of evidence"})],
    "approval_request_open": [("describe_tool", {"name": "reserve_get"}), ("reserve_get", {"record": "RSV-1"})],
    "review_schedule": [
        ("search_tools", {"query": "officer duty list"}),
        ("describe_tool", {"name": "officer_list"}),
        ("officer_list", {}),
    ],
}
SURFACE = ("search_tools", "describe_tool")
FREE = "Any minute after the papers are in and before the deadline will do."


def action(name, arguments):
    if name in SURFACE:
        return Action(name=name, arguments=arguments)
    return Action(name="call_tool", arguments={"name": name, "arguments": arguments})


def described_path():
    """The reference path with what its agent has to look up: the tools that it calls, an amount, and an officer."""
    found, known = [], set()
    for each in task().goldens[0].actions:
        name = each.arguments.get("name")
        if each.name == "call_tool" and name not in known:
            known.add(name)
            found += [action(*look_up) for look_up in LOOK_UPS.get(name, [])]
            found.append(action("describe_tool", {"name": name}))
        found.append(each)
    return found


def choices(actions):
    """The minute for which the review is put on the calendar, and that is waited for, is the agent's own choice."""
    places = {"review_schedule": "arguments.scheduled_for", "wait": "until_minute"}
    for number, each in enumerate(actions):
        place = places.get(each.arguments.get("name", each.name))
        if place and (each.name != "wait" or "until_minute" in each.arguments) and each.name != "describe_tool":
            yield {"action": number, "argument": place, "why": FREE}


@cache
def sound_task():
    actions = described_path()
    golden = {
        "minutes": 60,
        "actions": [each.model_dump() for each in actions],
        "derived": list(choices(actions)),
    }
    return task().changed(goldens=[GoldenPath.model_validate(golden)])


@cache
def ground():
    return Ground(sound_task(), content().setting(sound_task()))


@cache
def searched():
    return search(ground())


@cache
def proven_task():
    return sound_task().changed(counterexamples=list(searched().found))

"""How often a model that plays the customer decides as the script does, over the reference paths of the tasks.

    python -m bizgym.envs.payments.agreement --client '{"factory": "bizgym.agents.clients:make_client", ...}'

The agent's side is fixed: the messages, calls and waits of each task's reference path. Publish the rate beside scores
that were reached with such a customer.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..core.chat import ChatClient
from ..core.counterpart import CounterpartSetting
from ..core.errors import BizGymError
from .content import Content, Setting, packaged
from .episode import LONGEST_WAIT_MINUTES
from .kernel.engine import Engine
from .modules.catalog import HANDLERS, TOOLS, opening
from .records import KINDS
from .surface import SURFACE
from .tasks import Action, GoldenPath, PaymentTask
from .user.agreement import Acted, Agreement, Spoken, Waited, agreement
from .user.conversation import Conversation
from .user.drivers import make_driver
from .user.scripted import ScriptedDriver
from .user.turns import Driver


class Rates(NamedTuple):
    """How often a driver decides as the script does, over tasks.

    Attributes:
        tasks: What was compared, by task id.
    """

    tasks: dict[str, Agreement]

    @property
    def over_all(self) -> Agreement:
        """The messages of all tasks together."""
        return Agreement(tuple(row for each in self.tasks.values() for row in each.rows))

    def to_json(self) -> list[dict[str, Any]]:
        """Return `{task, messages, message_rate, decision_rate, failures}` for each task, and for all as `all`."""
        return [_row(name, each) for name, each in (*self.tasks.items(), ("all", self.over_all))]


def _row(name: str, found: Agreement) -> dict[str, Any]:
    return {
        "task": name,
        "messages": len(found.rows),
        "message_rate": found.message_rate,
        "decision_rate": found.decision_rate,
        "failures": sum(bool(row.failure) for row in found.rows),
    }


def rates(tasks: Iterable[PaymentTask], driver: Driver, content: Content | None = None) -> Rates:
    """Compare a driver with the script over the reference paths of tasks.

    Args:
        tasks: Which.
        driver: Who plays the customer besides the script.
        content: Where the tasks stand, None for what comes with BizGym.

    Raises:
        ProviderError: The other driver's provider failed.
    """
    found = content or packaged()
    return Rates({each.task_id: of_task(each, found.setting(each), driver) for each in tasks})


def of_task(task: PaymentTask, setting: Setting, driver: Driver) -> Agreement:
    """Compare a driver with the script over the reference path of a task.

    Raises:
        ProviderError: The other driver's provider failed.
    """
    engine = Engine(setting.base, setting.rules, TOOLS, HANDLERS)
    opening(engine.context)
    engine.run_until(0)
    script = Conversation(engine, setting.base, setting.rules, KINDS, task.script, task.desk, ScriptedDriver())
    return agreement(script, engine, transcript_of(task.goldens[0]), driver)


def transcript_of(path: GoldenPath) -> list[Spoken | Acted | Waited]:
    """Return the agent's side of a path: what it writes, does, and waits for; reads of documents are left out."""
    kept = (_spoken(each) or _acted(each) or _waited(each) for each in path.actions)
    return [each for each in kept if each is not None]


def _spoken(action: Action) -> Spoken | None:
    if action.name != "message_user":
        return None
    given = SURFACE["message_user"].validate(dict(action.arguments))
    return Spoken(**{name: each for name, each in given.items() if each is not None})


def _acted(action: Action) -> Acted | None:
    if action.name == "call_tool":
        return Acted(tool=action.arguments["name"], arguments=action.arguments["arguments"])
    return Acted(tool=action.name, arguments=action.arguments) if action.name in TOOLS else None


def _waited(action: Action) -> Waited | None:
    if action.name != "wait":
        return None
    return Waited(minutes=LONGEST_WAIT_MINUTES, **action.arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rates of a model; 0 where all was compared, 1 where the provider failed, 2 for a wrong option."""
    parser = argparse.ArgumentParser(prog="python -m bizgym.envs.payments.agreement", description=_ABOUT)
    parser.add_argument("--client", required=True, help='JSON: {"factory": "module:function", ...its arguments}')
    parser.add_argument("--task", action="append", help="id of a task; all without it")
    parser.add_argument("--json", action="store_true", help="JSON on stdout")
    given = parser.parse_args(arguments)
    try:
        client = _client(given.client)
        every = packaged().tasks
        chosen = every if given.task is None else [every.get(each) for each in given.task]
    except (ValueError, BizGymError) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        found = rates(chosen, make_driver("llm", client=client)).to_json()
    except BizGymError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(found, indent=2) if given.json else "\n".join(map(_line, found)))
    return 0


_ABOUT = "How often a model decides as the scripted customer does, over the reference paths of the tasks."


def _client(text: str) -> ChatClient | None:
    setting = CounterpartSetting.of({"driver": "llm", "client": json.loads(text)})
    return None if setting.client is None else setting.client.make()


def _line(row: dict[str, Any]) -> str:
    shown = {name: "-" if row[name] is None else f"{row[name]:.1%}" for name in ("message_rate", "decision_rate")}
    counts = f"{row['messages']} messages, {row['failures']} failed"
    return f"{row['task']}: {shown['decision_rate']} of decisions, {shown['message_rate']} of messages ({counts})"


if __name__ == "__main__":
    raise SystemExit(main())

"""Plays a path without an environment around it: refused acts are passed over, and new records keep their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from ...core.errors import ToolRefused
from ...core.outcome import Outcome
from ...core.tools import ArgumentsRefused, UnknownTool
from ..content import Setting
from ..documents.desk import Library
from ..episode import Episode
from ..kernel.events import Event
from ..observation import request_text, rules_text
from ..scoring import outcome_of
from ..surface import SURFACE, PaymentTools
from ..tasks import Action, PaymentTask
from ..user.scripted import ScriptedDriver

REFUSED_BEFORE_IT_RAN = "bad_arguments"
Names = Mapping[int, Sequence[str]]
"""How the reference path calls the records that each of its acts brings into being."""


class Act(NamedTuple):
    """An action of a path.

    Attributes:
        action: What is done.
        origin: Number of the action of the reference path that it is, or stands for; None where it is neither.
    """

    action: Action
    origin: int | None


class Shown(NamedTuple):
    """What came of an act.

    Attributes:
        action: As it was played, with the names that records have in this play.
        text: What the agent was shown.
        code: Why it was refused, "" where it was done.
        minute: When it was begun, in minutes of the episode.
        events: What it left in the log, with what happened by itself meanwhile.
    """

    action: Action
    text: str
    code: str
    minute: int
    events: tuple[Event, ...]

    @property
    def created(self) -> tuple[str, ...]:
        """Ids of the records that came into being, in order."""
        return tuple(str(write.record_id) for event in self.events for write in event.writes if write.field == "")


@dataclass(frozen=True)
class Play:
    """A path that was played.

    Attributes:
        rules: The part of the first observation that is the same for every task.
        request: The rest of it.
        shown: What came of each act, in order; nothing after `finish`.
        minutes: How long it took.
        outcome: The verdict.
        log: Every event.
    """

    rules: str
    request: str
    shown: tuple[Shown, ...]
    minutes: int
    outcome: Outcome
    log: tuple[Event, ...] = field(repr=False)

    @property
    def broken(self) -> frozenset[str]:
        """Ids of the checks that did not hold."""
        return frozenset(check.id for check in self.outcome.checks if not check.passed)

    @property
    def strict(self) -> bool:
        """Whether every check held."""
        return not self.broken

    def reached(self, kind: str) -> bool:
        """Whether every check of a class held."""
        return all(check.passed for check in self.outcome.checks if check.kind == kind)

    @property
    def actions(self) -> list[Action]:
        """The path as it was played."""
        return [each.action for each in self.shown]


class _Player(PaymentTools):
    def __init__(self, task: PaymentTask, setting: Setting, *, reads: bool) -> None:
        self._episode = Episode(task, setting, ScriptedDriver())
        self._library: Library = setting.library("bm25" if reads else "none")
        self._reads = reads
        self._called: dict[str, str] = {}
        self.shown: list[Shown] = []
        self.waited: set[int] = set()

    @property
    def episode(self) -> Episode:
        return self._episode

    def play(self, act: Act, names: Names | None) -> Shown:
        done = self._done(renamed(act.action, self._called))
        self.shown.append(done)
        if names is not None and act.origin is not None:
            self._called.update(matched(names.get(act.origin, ()), done.created))
        return done

    def _done(self, action: Action) -> Shown:
        log, minute = self._episode.engine.log, self._episode.now
        before, code, text = len(log), "", ""
        try:
            text = self._run(action)
        except ToolRefused as refused:
            code, text = refused.code, str(refused)
        except (ArgumentsRefused, UnknownTool) as refused:
            code, text = REFUSED_BEFORE_IT_RAN, str(refused)
        return Shown(action, text, code, minute, tuple(log[before:]))

    def _run(self, action: Action) -> str:
        if action.name not in SURFACE:
            raise UnknownTool(f"there is no tool {action.name!r}")
        tool = SURFACE[action.name]
        if tool.effect == "read" and not self._reads:
            return ""
        return str(getattr(self, action.name)(**tool.validate(dict(action.arguments))))


def play(
    task: PaymentTask,
    setting: Setting,
    acts: Iterable[Act],
    names: Names | None = None,
    patience: Patience | None = None,
) -> Play:
    """Play a path to `finish` or to its last act.

    Args:
        task: The task.
        setting: What it is played in.
        acts: The path.
        names: How the reference path calls new records; None for the reference path itself, of which every
            document is read, so that what was shown is whole.
        patience: How long an act that is refused is tried again; None for not at all.
    """
    player = _Player(task, setting, reads=names is None)
    for act in acts:
        if patience is not None and act.action.name == "finish":
            patience.see_out(player, names or {})
        done = player.play(act, names)
        while done.code and patience is not None and (wait := patience.next_wait(act, player)) is not None:
            player.play(wait, names)
            done = player.play(act, names)
        if player.episode.finished:
            break
    return _ended(task, setting, player)


class Patience(NamedTuple):
    """How long an act of the reference path is tried again: as long as the reference path took to come to it.

    Before the end, what is under way is seen out by the waits that are left.

    Attributes:
        waits: The waits of the reference path by number; each is made up for once, when an act after it is refused.
        minutes: When the reference path begins each of its acts; until then is waited in the end.
    """

    waits: Mapping[int, Act]
    minutes: Sequence[int]

    def next_wait(self, act: Act, player: _Player) -> Act | None:
        """Return what to wait for before an act is tried again, None to give it up."""
        if act.origin is None:
            return None
        left = [k for k in self.waits if k < act.origin and k not in player.waited]
        if left:
            player.waited.add(min(left))
            return self.waits[min(left)]
        return self._until(self.minutes[act.origin], player)

    def see_out(self, player: _Player, names: Names) -> None:
        """Make up for every wait that is left, but for events that have happened already."""
        for k in sorted(self.waits.keys() - player.waited):
            wanted = self.waits[k].action.arguments
            over = wanted.get("until_minute") is not None and wanted["until_minute"] <= player.episode.now
            if not over and wanted.get("for_event") not in {event.name for event in player.episode.engine.log}:
                player.play(self.waits[k], names)

    def _until(self, minute: int, player: _Player) -> Act | None:
        if minute <= player.episode.now:
            return None
        return Act(Action(name="wait", arguments={"until_minute": minute}), None)


def reference(task: PaymentTask, setting: Setting, path: int = 0) -> Play:
    """Play a path that the task says passes, the reference path unless another one is named."""
    actions = task.goldens[path].actions
    return play(task, setting, [Act(each, k) for k, each in enumerate(actions)])


def names_of(golden: Play) -> dict[int, Sequence[str]]:
    """Return how a path calls the records that each of its acts brings into being."""
    return {k: each.created for k, each in enumerate(golden.shown)}


def _ended(task: PaymentTask, setting: Setting, player: _Player) -> Play:
    episode = player.episode
    episode.note_turn(len(player.shown))
    request = request_text(task, setting.library("none"), "default", setting.base)
    rules = rules_text("search", "bm25")
    found = outcome_of(task, setting, episode)
    return Play(rules, request, tuple(player.shown), episode.now, found, tuple(episode.engine.log))


def matched(wanted: Sequence[str], created: Sequence[str]) -> dict[str, str]:
    """Match new records kind by kind, in the order in which they came into being."""
    found: dict[str, str] = {}
    for prefix in dict.fromkeys(prefix_of(each) for each in wanted):
        pairs = zip_longest(*([each for each in ids if prefix_of(each) == prefix] for ids in (wanted, created)))
        found.update({old: new for old, new in pairs if old is not None and new is not None})
    return found


def prefix_of(record_id: str) -> str:
    """Return what the ids of a kind of record begin with."""
    return record_id.rpartition("-")[0]


def renamed(action: Action, called: Mapping[str, str]) -> Action:
    """Return an action with records called as they are in this play."""
    if all(old == new for old, new in called.items()):
        return action
    return Action(name=action.name, arguments={key: _mapped(each, called) for key, each in action.arguments.items()})


def _mapped(value: Any, called: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _mapped(each, called) for key, each in value.items()}
    if isinstance(value, list):
        return [_mapped(each, called) for each in value]
    if not isinstance(value, str):
        return value
    kind, slash, record_id = value.rpartition("/")
    return f"{kind}{slash}{called.get(record_id, record_id)}"

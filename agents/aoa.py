"""AOA: chooses a method for each task by rules that were learned from how all of them did on practice tasks.

Reference: Yang et al., EnterpriseBench (2026), A.3: every base method plays a development slice, each trace is reduced
to what decided it, and the notes are merged into a playbook that routes. The prompts are our own.

What differs: rules rest on traits of the public task card and are matched by code, without a call; a rule that cannot
be checked is dropped and counted; the default is the best method of the development slice, whatever the model writes;
the development slice consists of practice tasks.

Calls a sample: those of the chosen method, after an adaptation of `n_dev` episodes a method, one extraction for each of
them and one synthesis. With `fallback="model"` one call more where no rule fits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Unpack

from ..envs.core.chat import ContextOverflow
from ..envs.core.text import clip, printable
from ..envs.core.trajectory import Trajectory
from .base import Agent, AgentTurn, Feedback, PracticePlan, RunContext, TaskCard
from .deliberation import at_least
from .development import Trace, best_of, develop, means, means_by_trait, note_line, shuffled, varying_traits
from .learning import TASK_CHARACTERS, Learner, account, quoted, task_text
from .phases import ADAPTATION, INFERENCE
from .play import PlaySettings
from .practice import check_practice
from .routing import DEFAULT, Playbook, read_rules
from .team import Team
from .traits import TRAITS, legend, traits_of, traits_text

_EPISODE_CHARACTERS = 12_000
_DECIDED_CHARACTERS = 400
_MODEL = "model"
_NONE = "- (none)"


class AOA(Learner):
    """Plays each episode with one of several methods, chosen by the traits of its task.

    Args:
        methods: Agents by name, each `_target_` and its settings.
        n_dev: Practice tasks that each method plays before the first episode; fewer where there are fewer.
        fallback: Who chooses where no rule fits: `default` (the best method of the development slice, no call) or
            `model` (one call).
        shuffle_labels: Deal the development scores out at random: a control, under which routing must gain nothing.
        practice_env: Keywords of the environment for practice in place of the run's; None for the tasks that the run
            leaves out.
        play: The settings of `bizgym.agents.play.Play`, for the calls of the routing itself; methods have their own.

    Raises:
        SettingError: A method cannot be built, `n_dev` is below 1, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "aoa_extract": ("methods", "legend", "method", "traits", "scores", "task", "episode"),
        "aoa_synthesise": ("methods", "legend", "n", "means", "by_trait", "items", "default"),
        "aoa_route": ("methods", "rules", "legend", "traits", "task", "default"),
    }

    def __init__(
        self,
        methods: dict[str, Any],
        n_dev: int = 20,
        fallback: Literal["default", "model"] = "default",
        shuffle_labels: bool = False,
        practice_env: dict[str, Any] | None = None,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__(**play)
        self._team = Team(methods)
        self._n_dev = at_least(1, n_dev=n_dev)
        self._fallback, self._shuffle_labels, self._practice_env = fallback, shuffle_labels, practice_env
        self._playbook: Playbook | None = None
        self._development: dict[str, Any] = {}
        self._routes: dict[str, list[dict[str, Any]]] = {}
        self._unreadable = self._dropped = 0
        self._seat: Agent | None = None

    @property
    def practice(self) -> Sequence[PracticePlan]:
        """The development slice of each method, a note on each episode, the synthesis, and what methods practise."""
        slices = [PracticePlan(self._n_dev, config, self._n_dev) for config in self._team.configs.values()]
        return (*slices, *self._team.practice, PracticePlan(0, calls=1))

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse a run that leaves nothing to practise on."""
        check_practice(settings, self._practice_env)

    @property
    def prompt_hashes(self) -> Mapping[str, str]:
        """Digests of the prompts of routing, and of each method's, under its name."""
        own = {prompt.name: prompt.digest for prompt in self._prompts.values()}
        return {**own, **self._team.prompt_hashes}

    def begin_run(self, run: RunContext) -> None:
        """Take the run."""
        super().begin_run(run)
        self._team.begin_run(run)
        self._playbook, self._development, self._routes = None, {}, {}
        self._unreadable = self._dropped = 0

    def begin_episode(self, task: TaskCard) -> None:
        """Learn the playbook before the first episode of a run; then choose a method and let it begin.

        Raises:
            ProviderError: The provider failed; nothing of the development is kept.
            AgentStop: The run's budget is spent.
            SettingError: There is no task to practise on, or a method cannot be built.
        """
        self._seat = None
        if self._playbook is None:
            self._playbook = self._learn()
        super().begin_episode(task)
        traits = traits_of(task)
        method, rule = self._route(self._playbook, traits, task)
        self._routes.setdefault(task.task_id, []).append({"method": method, "rule": rule, "traits": traits})
        seat = self._team.seat(method, task.seed)
        seat.begin_episode(task)
        self._seat = seat

    def act(self, observation: str, info: dict[str, Any]) -> AgentTurn:
        """Let the chosen method play."""
        assert self._seat is not None, "an episode begins before it is played"
        reply: Any = self._seat.act(observation, info)
        return reply  # type: ignore[no-any-return]

    def end_episode(self, trajectory: Trajectory, feedback: Feedback | None) -> None:
        """Let the chosen method learn from the episode; the playbook stays as it is."""
        if self._seat is not None:  # None where the development failed
            self._seat.end_episode(trajectory, feedback)

    def state(self) -> dict[str, Any]:
        """Return the playbook, what it rests on, what was routed where and why, and what the methods have learned."""
        return {
            "playbook": None if self._playbook is None else self._playbook.to_json(),
            "development": self._development,
            "routes": self._routes,
            "methods": self._team.state(),
            "unreadable": self._unreadable,
            "dropped": self._dropped,
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state; a playbook that there is is not learned again."""
        self._playbook = None if state["playbook"] is None else Playbook.from_json(state["playbook"])
        self._development = dict(state["development"])
        self._routes = {task_id: list(routes) for task_id, routes in state["routes"].items()}
        self._team.load_state(state["methods"])
        self._unreadable, self._dropped = int(state["unreadable"]), int(state["dropped"])

    def _learn(self) -> Playbook:
        try:
            traces = develop(self._run, self._team, self._practice_env, self._n_dev)
            prepared = self._team.prepared()
        finally:
            self._team.begin_run(self._run)  # what was learned from episodes of development stays there
        self._team.load_state(prepared)
        if self._shuffle_labels:
            traces = shuffled(traces, self._run.seed)
        scores, notes = means(traces), self._notes(traces)
        default = best_of(scores)
        playbook = Playbook(self._rules(traces, notes, default), default)
        self._development = {
            "tasks": list(dict.fromkeys(trace.task_id for trace in traces)),
            "means": scores,
            "best_fixed": default,
            "shuffled": self._shuffle_labels,
            "notes": notes,
        }
        return playbook

    def _notes(self, traces: Sequence[Trace]) -> list[dict[str, Any]]:
        """Return what was noted of each trace; one that cannot be read is left out and counted."""
        scores: dict[str, list[str]] = {}
        for trace in traces:
            scores.setdefault(trace.task_id, []).append(f"{trace.method} {trace.score:.2f}")
        found = [(trace, self._note(trace, ", ".join(scores[trace.task_id]))) for trace in traces]
        return [
            {"traits": trace.traits, "played": trace.method, "score": round(trace.score, 3), **note}
            for trace, note in found
            if note is not None
        ]

    def _note(self, trace: Trace, scores: str) -> dict[str, Any] | None:
        values = {
            "methods": self._described(),
            "legend": legend(),
            "method": trace.method,
            "traits": traits_text(trace.traits),
            "scores": scores,
            "task": quoted(task_text(trace.trajectory)),
            "episode": quoted(account(trace.trajectory, _EPISODE_CHARACTERS)),
        }
        reply = self._ask("aoa_extract", values, role="extract", phase=ADAPTATION) or {}
        decided, guidance, method = reply.get("decided"), reply.get("guidance"), reply.get("method")
        if not isinstance(decided, str) or guidance not in ("keep", "route"):
            self._unreadable += 1
            return None
        if guidance == "route" and method not in list(self._team):
            self._dropped += 1
            return None
        named = reply.get("traits")
        mattered = [name for name in TRAITS if isinstance(named, dict) and name in named and name in trace.traits]
        self._dropped += len(named) - len(mattered) if isinstance(named, dict) else 0
        return {
            "mattered": mattered,
            "decided": clip(printable(" ".join(decided.split())), _DECIDED_CHARACTERS),
            "guidance": guidance,
            "method": method if guidance == "route" else "",
        }

    def _rules(self, traces: Sequence[Trace], notes: Sequence[dict[str, Any]], default: str) -> Any:
        """Return the rules of the synthesis; none where it cannot be read."""
        varying = varying_traits(traces)
        values = {
            "methods": self._described(),
            "legend": legend(),
            "n": str(len({trace.task_id for trace in traces})),
            "means": "\n".join(f"- {method}: {mean:.3f}" for method, mean in means(traces).items()),
            "by_trait": "\n".join(means_by_trait(traces)) or _NONE,
            "items": quoted("\n".join(note_line(note, varying) for note in notes) or _NONE),
            "default": default,
        }
        reply = self._ask("aoa_synthesise", values, role="synthesise", phase=ADAPTATION)
        if reply is None or not isinstance(reply.get("rules"), list):
            self._unreadable += 1
            return ()
        rules, dropped = read_rules(reply["rules"], list(self._team))
        self._dropped += dropped
        return rules

    def _route(self, playbook: Playbook, traits: Mapping[str, Any], task: TaskCard) -> tuple[str, Any]:
        """Return the method for a task and why: the place of a rule, `default` or `model`."""
        method, rule = playbook.route(traits)
        if rule is not None or self._fallback == DEFAULT:
            return method, DEFAULT if rule is None else rule
        scores = self._development["means"]
        values = {
            "methods": "\n".join(f"{line} Mean {scores[name]:.3f}." for name, line in self._lines().items()),
            "rules": "\n".join(f"- {json.dumps(each)}" for each in playbook.to_json()["rules"]) or _NONE,
            "legend": legend(),
            "traits": traits_text(traits),
            "task": quoted(clip(task.text, TASK_CHARACTERS)),
            "default": playbook.default,
        }
        reply = self._ask("aoa_route", values, role="route", phase=INFERENCE) or {}
        chosen = reply.get("method")
        if chosen not in list(self._team):
            self._unreadable += 1
            return method, DEFAULT
        return str(chosen), _MODEL

    def _ask(self, prompt: str, values: Mapping[str, str], *, role: str, phase: str) -> dict[str, Any] | None:
        try:
            return self.consult_object(prompt, values, role=role, phase=phase)
        except ContextOverflow:  # what does not fit cannot be read either
            return None

    def _lines(self) -> dict[str, str]:
        return {name: f"- {name}: {self._team.described(name)}" for name in self._team}

    def _described(self) -> str:
        return "\n".join(self._lines().values())

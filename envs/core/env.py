"""`TextEnv`: the Gymnasium environment whose observations are text and whose actions are tool calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, Generic, TypeVar

import gymnasium as gym
from gymnasium.error import ResetNeeded

from .actions import MALFORMED_ERRORS, Call, parse_wire
from .errors import SettingError, ToolRefused
from .jsontext import MAX_CHARACTERS, canonical
from .outcome import Check
from .persistence import Persistent
from .results import NOT_EXECUTED, failure, messages, titled
from .spaces import TextSpace, ToolCallSpace
from .stop import StopReason
from .tasks import Task, TaskSet
from .text import clip, echo, nearest
from .tools import ArgumentsRefused, Tool, Toolbox, UnknownTool
from .wire import to_wire

TOOLS_SHOWN_EACH_STEP = 64
_ORDERS = ("random", "sequential")
TaskT = TypeVar("TaskT", bound=Task)


class TextEnv(Persistent, gym.Env[str, Any], Generic[TaskT]):
    """Common ground of all BizGym environments: selection of tasks, turns of tool calls, errors, ends, records.

    A benchmark subclasses it and provides `_begin`, `_metrics`, `_state`, `_settle` and its tools (methods
    marked with `bizgym.envs.core.tool`). A tool returns the text of its result, pays with `_pay`, ends the
    episode with `_end`, and refuses by raising `ToolRefused` before it has changed anything.

    Args:
        task_set: All tasks of the benchmark.
        split: Split that `reset` draws from; None for all.
        tasks: Ids that `reset` draws from, instead of a split.
        source: Restrict the split to tasks of one source.
        order: `random` (the seed draws the task) or `sequential`: in order, and from the first one again after each
            `reset` that is given a seed, so that only the first `reset` of a loop over all tasks has one.
        max_turns: Steps after which the episode is truncated; None for the benchmark's default.
        max_consecutive_errors: Malformed steps in a row that end the episode.
        render_mode: None or `ansi` (`render` returns the last observation).
        more: Further keywords of the task set's `select`, which options of `reset` override as well.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]
    component_names: ClassVar[tuple[str, ...]] = ("score",)
    feedback_modes: ClassVar[tuple[str, ...]] = ("outcome", "none")
    """What an agent that learns may be told after an episode, the usual one first; also `binary` and `gold`."""
    _run: Callable[[Tool, dict[str, Any]], str] | None = None
    """Runs a tool on offer, in benchmarks whose tools are not all methods."""
    action_space: ToolCallSpace

    def __init__(
        self,
        task_set: TaskSet[TaskT],
        *,
        split: str | None,
        tasks: Sequence[str] | None,
        source: str | None,
        order: str,
        max_turns: int | None,
        max_consecutive_errors: int,
        render_mode: str | None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise SettingError(f"render_mode: None or 'ansi', not {echo(render_mode)}")
        self.render_mode = render_mode
        self._all_tasks = task_set
        self._selection = {"split": split, "tasks": tasks, "source": source, "order": order, **(more or {})}
        self._pool = self._select(self._selection)
        self._given_turns = None if max_turns is None else _positive("max_turns", max_turns)
        self._max_consecutive_errors = _positive("max_consecutive_errors", max_consecutive_errors)
        self._toolbox = self._tools_for(self._pool[0])
        self.observation_space = TextSpace()
        self.action_space = ToolCallSpace(self._toolbox)
        self._no_pay = dict.fromkeys(self.component_names, 0.0)
        self._next_task = 0
        self._stop_reason: StopReason | None = None
        self._task: TaskT | None = None
        self._forfeited: str | None = None
        self._errors_in_a_row = 0
        self._forget()

    # What a benchmark provides.

    def _begin(self, task: TaskT) -> tuple[str, str]:
        """Set up the world of `task`; return the rules (system text) and the request (first user text)."""
        raise NotImplementedError

    def _tools_for(self, task: TaskT) -> Toolbox:
        """Return the tools on offer in `task`."""
        return Toolbox.of(type(self))

    def _default_turns(self, task: TaskT) -> int:
        """Return the number of turns after which an episode of `task` is truncated unless told otherwise."""
        raise NotImplementedError

    def _metrics(self) -> dict[str, float]:
        """Return the metrics of the history so far, `normalized` only once the episode has ended."""
        raise NotImplementedError

    def _state(self) -> Any:
        """Return the domain state as a JSON value; turn and error counters are left out."""
        raise NotImplementedError

    def _settle(self) -> str:
        """Finish the episode badly: pay for what was not played, and return a sentence that says so."""
        raise NotImplementedError

    def checks(self) -> tuple[Check, ...]:
        """Return the verdicts on the requirements of an ended episode; empty for benchmarks without checks."""
        return ()

    def counterpart_record(self) -> Any:
        """Return what a counterpart that is no script did in the last step, as JSON values; None for nothing."""
        return None

    def _replies(self) -> list[Any]:
        """Return what a counterpart that is no script has said so far, as JSON values that `feed_counterpart` takes."""
        return []

    def feed_counterpart(self, replies: list[Any]) -> None:
        """Have the next episode's counterpart say again what was recorded, before it says anything of its own."""

    def _pay(self, component: str, amount: float) -> None:
        self._components[component] += amount

    def _end(self) -> None:
        self._stop_reason = StopReason.ENV_DONE

    # What everybody uses.

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools on offer as parsed schemas in the form of the OpenAI chat interface."""
        return [json.loads(text) for text in self._toolbox.texts]

    @property
    def write_tools(self) -> list[str]:
        """Names of the tools on offer that may change something."""
        return [name for name, each in self._toolbox.items() if each.effect == "write"]

    def gold(self) -> Any:
        """Return the target of the task that was played; SettingError before the end, or where there is none."""
        if self._stop_reason is None:
            raise SettingError("gold: told after an episode, never before its end")
        return self._target()

    def _target(self) -> Any:
        raise SettingError(f"feedback: this benchmark has no target to tell; {' or '.join(self.feedback_modes)}")

    @property
    def n_tools(self) -> int:
        """Number of tools that can be called, those that others call by name among them."""
        return len(self._toolbox)

    @property
    def n_documents(self) -> int:
        """Number of documents that can be read."""
        return 0

    @property
    def task_ids(self) -> Sequence[str]:
        """Ids of the tasks that `reset` draws from."""
        return self._pool.ids

    @property
    def task_splits(self) -> dict[str, int]:
        """Number of tasks by split, over all tasks of the benchmark."""
        return self._all_tasks.splits

    @property
    def task_set_hash(self) -> str:
        """Digest over all tasks of the benchmark; scores are comparable only under one digest."""
        return self._all_tasks.hash

    @property
    def stop_reason(self) -> StopReason | None:
        """Why the episode stopped, None while it runs."""
        return self._stop_reason

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: Drives everything random of the episode; without it the next episode follows from the last.
            options: `task_id` fixes the task, and the seed then drives only its randomness; `split`, `tasks`,
                `source` and `order` override the constructor's for this episode. A seed also begins the sequential
                order anew.

        Raises:
            SettingError: An option, task id, split or source does not exist (a ValueError).
        """
        pool, order = self._candidates(dict(options or {}))  # refuses before anything has changed
        episode_seed = int(self.np_random.integers(2**31)) if seed is None else seed
        super().reset(seed=episode_seed)
        if seed is not None:
            self._next_task = 0
        task = self._choose(pool, order)
        self._forget()
        self._task = task
        self._episode_seed = int(episode_seed)
        self._stop_reason = None
        self._playing = True
        self._max_turns = self._given_turns or self._default_turns(task)
        self._toolbox = self._tools_for(task)
        self.action_space.offer(self._toolbox)
        rules, request = self._begin(task)
        self._rendered = f"{rules}\n\n{request}"
        opening = [{"role": "system", "content": rules}, {"role": "user", "content": request}]
        return self._rendered, self._info(opening, "", [], self._toolbox.texts)

    def step(self, action: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play one turn; see `bizgym.envs.core.parse_action` for what an action may be.

        Raises:
            gymnasium.error.ResetNeeded: The episode has not started or has ended.
        """
        if not self._playing or self._stop_reason is not None:
            raise ResetNeeded("the episode has not started or has ended: call reset first")
        self._turn += 1
        wire = to_wire(action)
        self._actions.append(wire)
        self._components = self._no_pay.copy()
        calls = parse_wire(wire, self._turn)
        if len(calls) == 1:
            error, result = self._dispatch(calls[0])
            results = [result]
        else:
            error, results = self._dispatch_all(calls)
        self._errors_in_a_row = self._errors_in_a_row + 1 if error in MALFORMED_ERRORS else 0
        notice = ""
        if self._stop_reason is None:
            if self._errors_in_a_row >= self._max_consecutive_errors:
                notice = self._stop(StopReason.MALFORMED_CALLS)
            elif self._turn >= self._max_turns:
                notice = self._stop(StopReason.MAX_STEPS)
        return self._report(calls, results, error, notice)

    def forfeit(self, reason: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Stop the episode from outside and book what was not played as played badly.

        Args:
            reason: A `StopReason` that is scored and is not `env_done`, for example `max_tokens`.

        Returns:
            What `step` returns; `truncated` is true, or `terminated` for `malformed_calls`.

        Raises:
            SettingError: The reason is none that an agent answers for.
            gymnasium.error.ResetNeeded: The episode has not started or has ended.
        """
        if not self._playing or self._stop_reason is not None:
            raise ResetNeeded("the episode has not started or has ended: there is nothing to forfeit")
        allowed = [each.value for each in StopReason if each.scored and each is not StopReason.ENV_DONE]
        if reason not in allowed:
            raise SettingError(
                f"reason: {echo(reason)} is none of {', '.join(allowed)}.{nearest(str(reason), allowed)}"
            )
        self._components = self._no_pay.copy()
        self._forfeited = str(reason)
        return self._report([], [], "", self._stop(StopReason(reason)))

    def state_digest(self) -> str:
        """Digest of the domain state: equal before and after a refused action that does not end the episode."""
        state = {"task_id": self._task.task_id if self._task else None, "state": self._state() if self._task else None}
        return sha256(canonical([state, self._stop_reason]).encode()).hexdigest()

    def render(self) -> str | None:
        """Return the last observation in the mode `ansi`."""
        return self._rendered if self.render_mode == "ansi" else None

    # How a turn is played.

    def _forget(self) -> None:
        self._task = None
        self._playing = False
        self._turn = 0
        self._errors_in_a_row = 0
        self._actions: list[Any] = []
        self._forfeited = None
        self._components = self._no_pay.copy()
        self._rendered = ""

    def _dispatch_all(self, calls: list[Call]) -> tuple[str, list[dict[str, Any]]]:
        results: list[dict[str, Any]] = []
        first_error = ""
        for call in calls:
            if first_error or self._stop_reason is not None:
                results.append(failure(call, "not_executed", NOT_EXECUTED))
                first_error = first_error or "not_executed"
                continue
            first_error, result = self._dispatch(call)
            results.append(result)
        return first_error, results

    def _dispatch(self, call: Call) -> tuple[str, dict[str, Any]]:
        """Run one call; return its error code ("" when it ran) and its result."""
        if call.error:
            return call.error, failure(call, call.error, call.message)
        tool = self._toolbox.find(call.name)
        if tool is None:
            return "unknown_tool", failure(call, "unknown_tool", self._toolbox.unknown(call.name))
        try:
            if self._run is None:
                content = getattr(self, tool.name)(**tool.validate(call.arguments))
            else:
                content = self._run(tool, call.arguments)
        except UnknownTool as refused:
            return "unknown_tool", failure(call, "unknown_tool", str(refused))
        except ArgumentsRefused as refused:
            return "bad_arguments", failure(call, "bad_arguments", str(refused))
        except ToolRefused as refused:
            return "tool_refused", failure(call, refused.code, refused.message)
        return "", {"id": call.id, "name": call.name, "ok": True, "code": "", "content": content}

    def _stop(self, reason: StopReason) -> str:
        notice = self._settle()
        self._stop_reason = reason
        return f"The episode ended early ({reason.value}). {notice}"

    def _report(
        self, calls: list[Call], results: list[dict[str, Any]], error: str, notice: str
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        shown = [clip(result["content"]) for result in results]
        answers = messages(calls, shown, notice)
        if len(results) > 1:
            shown = titled(results, shown)
        if notice:
            shown.append(notice)
        self._rendered = shown[0] if len(shown) == 1 else clip("\n\n".join(shown), MAX_CHARACTERS - 100)
        reward = float(sum(self._components.values()))
        texts = self._toolbox.texts
        info = self._info(answers, error, results, texts if len(texts) <= TOOLS_SHOWN_EACH_STEP else ())
        if self._stop_reason is None:
            return self._rendered, reward, False, False, info
        terminated = self._stop_reason in (StopReason.ENV_DONE, StopReason.MALFORMED_CALLS)
        return self._rendered, reward, terminated, not terminated, info

    def _info(
        self, new_messages: list[dict[str, Any]], error: str, results: list[dict[str, Any]], tools: tuple[str, ...]
    ) -> dict[str, Any]:
        assert self._task is not None
        return {
            "task_id": self._task.task_id,
            "turn": self._turn,
            "messages": new_messages,
            "tools": tools,
            "error": error,
            "tool_results": results,
            "reward_components": self._components,
            "metrics": self._metrics(),
        }

    # How a task is chosen.

    def _select(self, selection: dict[str, Any]) -> TaskSet[TaskT]:
        if selection["order"] not in _ORDERS:
            raise SettingError(f"order: 'random' or 'sequential', not {echo(selection['order'])}")
        named = {name: value for name, value in selection.items() if name != "order"}
        if selection["tasks"] is not None:
            named["split"] = None
        return self._all_tasks.select(**named)

    def _check_options(self, options: dict[str, Any]) -> None:
        known = ("task_id", *self._selection)
        for name in options:
            if name not in known:
                hint = nearest(str(name), known)
                raise SettingError(f"options: there is no option {echo(name)!r}.{hint} There are: {', '.join(known)}")

    def _candidates(self, options: dict[str, Any]) -> tuple[Sequence[TaskT], str]:
        self._check_options(options)
        if options.get("task_id") is not None:
            return (self._all_tasks.get(options["task_id"]),), "random"
        selection = {**self._selection, **options}
        if options.keys() - {"order"} and "tasks" not in options:
            selection["tasks"] = None
        return self._select(selection) if options else self._pool, selection["order"]

    def _choose(self, pool: Sequence[TaskT], order: str) -> TaskT:
        drawn = float(self.np_random.random())  # always, so that a fixed task plays as a drawn one does
        if order == "random":
            return pool[int(drawn * len(pool))]
        self._next_task += 1
        return pool[(self._next_task - 1) % len(pool)]


def _positive(field: str, value: int) -> int:
    if type(value) is not int or value < 1:
        raise SettingError(f"{field}: an integer of at least 1, not {echo(value)}")
    return value

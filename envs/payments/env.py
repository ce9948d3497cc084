"""`bizgym/PaymentWorkflows-v0`: the Gymnasium face of the payments company; what happens in it is in `episode.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, ClassVar, get_args

from ..core.actions import Call
from ..core.chat import ChatClient, ProviderError
from ..core.counterpart import CounterpartSetting
from ..core.env import TextEnv
from ..core.errors import SettingError
from ..core.outcome import Check, Outcome
from ..core.stop import StopReason
from ..core.text import echo, nearest
from ..core.tools import Tool, Toolbox
from .content import Content, Setting, packaged
from .customer import Customer
from .documents.desk import Information, Retrieval
from .episode import Episode
from .kernel.tools import BusinessTool
from .modules.catalog import TOOLS
from .observation import ToolMode, as_text, request_text, rules_text
from .scoring import COMPONENTS, outcome_of
from .surface import SURFACE, PaymentTools, toolbox
from .tasks import PaymentTask
from .user.turns import SimulatorFailure

DEFAULT_MAX_TURNS = 1_000
NOT_FINISHED = "Nothing counts, since the episode was not finished."


class PaymentWorkflowsEnv(PaymentTools, TextEnv[PaymentTask]):
    """A clerk of a payments company serves one customer's request, by documents, tools and the clock.

    ## Description
    A customer writes to a payments company. The agent finds out which rules apply, what the customer knows and agrees
    to, and does what is asked with the company's business tools while logical time passes: money arrives, papers
    lapse, officers come to findings. The systems refuse what is impossible; they do not refuse what only policy
    forbids. Success is strict: the goal is reached, the process was right at every event, and protected resources
    were safe in every state.

    ## Action Space
    Text: one tool call as JSON, `{"name": "wait", "arguments": {"until_minute": 30}}`.

    | tool | meaning |
    |---|---|
    | `search_documents(query, limit=10)` | find documents by words |
    | `read_document(document_id, section=None)` | read one, or a section of it |
    | `search_tools(query, limit=10)` | find business tools by words |
    | `describe_tool(name)` | arguments, error codes and minutes of one |
    | `call_tool(name, arguments)` | call one; a name or arguments that do not fit count as malformed |
    | `message_user(text, asks, statements, refusals)` | write to the customer and wait for the answer |
    | `wait(until_minute, for_event)` | let time pass, in minutes of the episode |
    | `finish()` | end the episode |

    With `tool_mode="flat"` the business tools of the task stand beside the others, and the three tools of the
    catalogue are left out.

    ## Observation Space
    Text. The first observation holds how to act, the vocabulary in which customers are asked, and the request. Later
    ones hold the results as JSON: `minute` is the minute of the episode, `happened` what came about meanwhile. A result
    over 8,000 characters is shown head and tail.

    ## Rewards
    `strict`: 1.0 with `finish` if every check of the task held over the whole history, else 0.0; 0.0 before the end and
    for an episode that ends in any other way.

    ## Starting State
    Minute 0 of the task's world, the same for every seed.

    ## Episode End
    Terminated by `finish`, or after `max_consecutive_errors` malformed steps in a row. Truncated after `max_turns`
    steps, or when `tool_cap` is used up.

    ## Arguments
    | name | default | meaning |
    |---|---|---|
    | `tool_mode` | `"search"` | business tools by search, or `flat` among the tools on offer |
    | `information` | `"default"` | `gold_documents` hands over what the task needs to read, `full_disclosure` also \
what the customer would tell |
    | `retrieval` | `"bm25"` | how documents are searched; `none` leaves only reading by id |
    | `tool_cap` | None | most calls, as a multiple (above 0) of those of the reference path |
    | `counterpart` | None | who plays the customer: `{"driver": "scripted"}`, llm, replay or human |
    | `split` | `"train"` | train, validation or test; None for all |
    | `tasks`, `source` | None | play these tasks; those of one source |
    | `order` | `"random"` | how `reset` chooses among several tasks: random, or sequential from each `reset(seed=…)` |
    | `max_turns` | 1000 | steps after which the episode is truncated |
    | `max_consecutive_errors` | 10 | malformed steps in a row that end the episode |

    A model plays the customer with `counterpart={"driver": "llm", "client": {"factory": "module:function", ...}}`, or
    by `env.unwrapped.set_counterpart(client)`. What it says stands in the record and in a save, and is fed back; what
    it uses is counted under the role `simulator`. `python -m bizgym.envs.payments.agreement` says how often a model
    decides as the script does.

    ## Metrics
    strict, goal, process, protection: 0.0 or 1.0, once the episode has ended; normalized where the task has anchors.

    ## References
    Yao et al. (2024), tau-bench: a benchmark for tool-agent-user interaction in real-world domains. Lu et al. (2024),
    ToolSandbox. Robertson and Zaragoza (2009), The probabilistic relevance framework: BM25 and beyond.

    ## Version History
    * v0: first version.
    """

    component_names: ClassVar[tuple[str, ...]] = COMPONENTS
    feedback_modes: ClassVar[tuple[str, ...]] = ("outcome", "binary", "none")

    def __init__(
        self,
        *,
        tool_mode: ToolMode = "search",
        information: Information = "default",
        retrieval: Retrieval = "bm25",
        tool_cap: float | None = None,
        counterpart: Mapping[str, Any] | None = None,
        split: str | None = "train",
        tasks: Sequence[str] | None = None,
        source: str | None = None,
        order: str = "random",
        max_turns: int | None = None,
        max_consecutive_errors: int = 10,
        render_mode: str | None = None,
    ) -> None:
        _require("tool_mode", tool_mode, get_args(ToolMode))
        _require("information", information, get_args(Information))
        _require("retrieval", retrieval, get_args(Retrieval))
        if tool_cap is not None and (type(tool_cap) not in (int, float) or not 0 < tool_cap < 1_000):
            raise SettingError(f"tool_cap: None or a number above 0 and below 1,000, not {echo(tool_cap)}")
        self._tool_mode, self._information, self._retrieval = tool_mode, information, retrieval
        self._tool_cap = tool_cap
        self._customer = Customer(CounterpartSetting.of(counterpart))
        self._where: Content = self._content()
        super().__init__(
            self._where.tasks,
            split=split,
            tasks=tasks,
            source=source,
            order=order,
            max_turns=max_turns,
            max_consecutive_errors=max_consecutive_errors,
            render_mode=render_mode,
        )

    @classmethod
    def _content(cls) -> Content:
        """Return where the tasks stand."""
        return packaged()

    @property
    def n_tools(self) -> int:
        """Number of tools of the surface and of the catalogue."""
        return len(SURFACE) + len(TOOLS)

    @property
    def n_documents(self) -> int:
        """Number of documents of the company, in the task that is played or would be first."""
        return len(self._where.setting(self._task or self._pool[0]).documents)

    def set_counterpart(self, counterpart: ChatClient | Callable[[str], str]) -> None:
        """Hand over who plays the customer, from its next answer on.

        Args:
            counterpart: A model for the driver `llm`; for `human` a function that shows a text and returns a line.

        Raises:
            SettingError: The driver is another one.
        """
        self._customer.hand_over(counterpart)

    def counterpart_record(self) -> Any:
        """Return what a customer that is no script did in the last step: turns, what was thrown away, tokens used."""
        return self._customer.record()

    def checks(self) -> tuple[Check, ...]:
        """Return the verdicts on the checks of an ended episode; nothing before its end."""
        return self._outcome().checks if self._task is not None and self._stop_reason is not None else ()

    def step(self, action: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play one turn. One that the customer's side breaks off counts for nothing, and the episode cannot go on.

        Raises:
            gymnasium.error.ResetNeeded: The episode has not started or has ended.
            CounterpartError: The customer's driver failed; the episode is no fault of the agent.
            ProviderError: The provider of the model that plays the customer failed.
        """
        self._customer.begin_turn()
        moment = self._episode.moment if self._playing else (0, 0)
        try:
            return super().step(action)
        except (SimulatorFailure, ProviderError) as failure:
            if isinstance(failure, SimulatorFailure):
                self._customer.fail(failure)
            self._episode.cut(moment)
            self._actions.pop()
            self._playing = False
            raise

    def forfeit(self, reason: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Stop the episode from outside; see `TextEnv.forfeit`. The customer does nothing meanwhile."""
        self._customer.begin_turn()
        return super().forfeit(reason)

    def _tools_for(self, task: PaymentTask) -> Toolbox:
        return toolbox(self._tool_mode, self._retrieval, tuple(task.tool_subset))

    def _default_turns(self, task: PaymentTask) -> int:
        return DEFAULT_MAX_TURNS

    def _begin(self, task: PaymentTask) -> tuple[str, str]:
        self._setting: Setting = self._where.setting(task)
        self._library = self._setting.library(self._retrieval)
        self._episode = Episode(task, self._setting, self._customer.driver())
        self._customer.begin(self._episode)
        self._verdict: Outcome | None = None
        self._n_calls = 0
        self._max_calls = None if self._tool_cap is None else ceil(self._tool_cap * task.n_golden_calls)
        rules = rules_text(self._tool_mode, self._retrieval)
        return rules, request_text(task, self._library, self._information, self._setting.base)

    def _replies(self) -> list[Any]:
        return self._customer.replies

    def feed_counterpart(self, replies: list[Any]) -> None:
        """Have the next episode's customer say again what was recorded; a script needs no record."""
        self._customer.feed(replies)

    def _run(self, tool: Tool, arguments: dict[str, Any]) -> str:
        try:
            if isinstance(tool, BusinessTool):
                return as_text(self._episode.call(tool.name, arguments))
            content: str = getattr(self, tool.name)(**tool.validate(arguments))
            return content
        finally:
            self._episode.note_turn(self._turn)

    def _dispatch(self, call: Call) -> tuple[str, dict[str, Any]]:
        error, result = super()._dispatch(call)
        self._n_calls += 1
        if self._max_calls is not None and self._n_calls >= self._max_calls and self._stop_reason is None:
            result["content"] += f"\n\n{self._stop(StopReason.MAX_CALLS)}"
        return error, result

    def _has_finished(self) -> None:
        self._episode.note_turn(self._turn)
        self._pay("strict", self._outcome().components["strict"])
        self._end()

    def _outcome(self) -> Outcome:
        assert self._task is not None
        if self._verdict is None:
            self._verdict = outcome_of(self._task, self._setting, self._episode)
        return self._verdict

    def _metrics(self) -> dict[str, float]:
        return {} if self._stop_reason is None else dict(self._outcome().metrics)

    def _state(self) -> Any:
        return self._episode.done()

    def _settle(self) -> str:
        return NOT_FINISHED


def _require(field: str, value: Any, known: Sequence[str]) -> None:
    if value not in known:
        raise SettingError(f"{field}: one of {', '.join(known)}, not {echo(value)}.{nearest(str(value), known)}")

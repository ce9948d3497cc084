"""`bizgym/Consulting-v0`: the Gymnasium face of the case interviews; how they run is in `play.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ..core.chat import ChatClient
from ..core.counterpart import CounterpartSetting
from ..core.env import TextEnv
from ..core.errors import SettingError
from ..core.outcome import Check, Outcome
from ..core.tools import Toolbox
from . import observation
from .drivers import Driver, ResumedDriver
from .live import Live, make_driver, thrown_away
from .play import SUBMIT, Interview, live
from .scoring import COMPONENTS, outcome_of
from .tasks import ConsultingTask, ConsultingTasks, all_tasks
from .tools import ConsultingTools, toolbox

STEPS_PER_TURN = 4
NOT_CLOSED = "Nothing counts, since no recommendation was given."


class ConsultingEnv(ConsultingTools, TextEnv[ConsultingTask]):
    """A case interview: hidden facts, a budget of turns, and a recommendation that is scored point by point.

    ## Description
    A client, an invented company, asks a question and names three or four options. The interviewer knows 12 to 20
    facts and tells one a turn, where it is asked for; some only after others, some without bearing on the case. The
    candidate finds out what matters, reckons the numbers that the client wants to see, and recommends. The obvious way
    of reckoning leads to a wrong decision in every case. 47 causal models in three difficulties and three industries
    make 423 cases; any number of further ones is drawn from seeds.

    ## Action Space
    Text: one tool call as JSON, `{"name": "ask_interviewer", "arguments": {"question": "What does a ticket cost?"}}`.

    | tool | meaning |
    |---|---|
    | `ask_interviewer(question, topic=None)` | ask for one thing; `topic`, of a public list, fixes what it is about |
    | `share_analysis(text, numbers=None)` | hear which numbers are right, each judged twice at most; takes no turn |
    | `request_exhibit(name)` | look at a table; takes no turn once it was named |
    | `submit_recommendation(decision, headline, key_numbers, reasons, risks, next_steps)` | ends the interview |

    ## Observation Space
    Text. The first observation holds the rules, the topics and the case: situation, question, options with their ids,
    and the numbers to be shown with their units. Later ones are what the interviewer says.

    ## Rewards
    0.0 until the step that ends the interview, which pays `overall`: the mean of four scores from 0 to 10 (structure,
    quantitative, business_sense, communication) as `bizgym.envs.consulting.scoring` defines them. 0.0 without a
    recommendation, and for one that decides wrongly and cites no fact that was told.

    ## Starting State
    Nothing asked; the same for every seed.

    ## Episode End
    Terminated by `submit_recommendation`, by a question after the last turn (8, 12 or 16 turns by difficulty), or after
    `max_consecutive_errors` malformed steps in a row. Truncated after `max_turns` steps.

    ## Arguments
    | name | default | meaning |
    |---|---|---|
    | `counterpart` | None | who interviews: `{"driver": "scripted"}`, llm, replay or human |
    | `split` | `"train"` | train or test, by the causal model; None for all |
    | `source` | None | None or bizgym for the stored cases, generated for fresh ones |
    | `tasks` | None | play these |
    | `order` | `"random"` | how `reset` chooses among several tasks: random, or sequential from each `reset(seed=…)` |
    | `max_turns` | None | steps after which the episode is truncated; None for four times the interviewer turns |
    | `max_consecutive_errors` | 10 | malformed steps in a row that end the episode |

    A model interviews with `counterpart={"driver": "llm", "client": {"factory": "module:function", ...}}`, or by
    `env.unwrapped.set_counterpart(client)`. Rules check each of its replies: one fact, prerequisites, no number that
    was not told, nothing of the solution; after three bad ones the episode ends as the simulator's failure. What it
    says stands in the record and in a save, and is fed back.

    ## Metrics
    structure, quantitative, business_sense, communication, overall_mean (0 to 10) and normalized, once the episode has
    ended.

    ## References
    Yang et al. (2026), EnterpriseBench.

    ## Version History
    * v0: first version.
    """

    component_names: ClassVar[tuple[str, ...]] = COMPONENTS

    def __init__(
        self,
        *,
        counterpart: Mapping[str, Any] | None = None,
        split: str | None = "train",
        tasks: Sequence[str] | None = None,
        source: str | None = None,
        order: str = "random",
        max_turns: int | None = None,
        max_consecutive_errors: int = 10,
        render_mode: str | None = None,
    ) -> None:
        self._counterpart = CounterpartSetting.of(counterpart)
        self._client: ChatClient | None = None
        self._ask: Callable[[str], str] | None = None
        self._to_feed: list[Any] = []
        self._live: Live | None = None
        self._n_replies = 0
        self._verdict: Outcome | None = None
        super().__init__(
            self._cases(),
            split=split,
            tasks=tasks,
            source=source,
            order=order,
            max_turns=max_turns,
            max_consecutive_errors=max_consecutive_errors,
            render_mode=render_mode,
        )

    @classmethod
    def _cases(cls) -> ConsultingTasks:
        """Return the stored cases, from which fresh ones can be reached."""
        return all_tasks()

    @property
    def task_set_hash(self) -> str:
        """Digest over the stored cases, or over the fresh ones that are played."""
        return super().task_set_hash if self._pool[0].source == self._all_tasks[0].source else self._pool.hash

    def set_counterpart(self, counterpart: ChatClient | Callable[[str], str]) -> None:
        """Hand over who interviews, from its next answer on.

        Args:
            counterpart: A model for the driver `llm`; for `human` a function that shows a text and returns a line.

        Raises:
            SettingError: The driver is another one.
        """
        driver = self._counterpart.driver
        if driver == "llm" and isinstance(counterpart, ChatClient):
            self._client = counterpart
        elif driver == "human" and callable(counterpart):
            self._ask = counterpart
        else:
            raise SettingError(f"set_counterpart: the driver {driver} takes no {type(counterpart).__name__}")

    def counterpart_record(self) -> Any:
        """Return what an interviewer that is no script did in the last step: replies, those thrown away, tokens."""
        who = self._live
        if who is None or not (who.turns[self._n_replies :] or who.rejected):
            return None
        usage = [{"input": each.input, "output": each.output} for each in who.usages]
        return {"turns": who.turns[self._n_replies :], "rejected": thrown_away(who.rejected), "usage": usage}

    def _replies(self) -> list[Any]:
        return [] if self._live is None else self._live.turns

    def feed_counterpart(self, replies: list[Any]) -> None:
        """Have the next interview's interviewer say again what was recorded; a script needs no record."""
        self._to_feed = replies

    def step(self, action: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play one turn.

        Raises:
            gymnasium.error.ResetNeeded: The episode has not started or has ended.
            CounterpartError: The interviewer's driver failed; the episode is no fault of the candidate.
        """
        if self._live is not None:
            self._n_replies = len(self._live.turns)
            self._live.rejected, self._live.usages = [], []
        return super().step(action)

    def checks(self) -> tuple[Check, ...]:
        """Return the points of an ended episode with their evidence; nothing before its end."""
        return self._outcome().checks if self._task is not None and self._stop_reason is not None else ()

    def _tools_for(self, task: ConsultingTask) -> Toolbox:
        return toolbox()

    def _default_turns(self, task: ConsultingTask) -> int:
        return STEPS_PER_TURN * task.case.turns

    def _begin(self, task: ConsultingTask) -> tuple[str, str]:
        self._live, self._n_replies, self._verdict = self._interviewer(), 0, None
        self._interview = Interview(task.case, self._live)
        return observation.rules_text(task.case), observation.request_text(task.case)

    def _interviewer(self) -> Live | None:
        replies, self._to_feed = self._to_feed, []
        return None if self._counterpart.driver == "scripted" else live(ResumedDriver(replies, self._live_driver))

    def _live_driver(self) -> Driver:
        setting = self._counterpart
        if self._client is None and setting.client is not None:
            self._client = setting.client.make()
        return make_driver(setting.driver, client=self._client, turns=setting.turns, ask=self._ask or input)

    def _do(self, call: str, /, **arguments: Any) -> str:
        said = self._interview.play(self._turn, call, arguments)
        if call == SUBMIT:
            self._pay("overall", self._outcome().components["overall"])
        if self._interview.progress.closed:
            self._end()
        return said

    def _outcome(self) -> Outcome:
        assert self._task is not None
        if self._verdict is None:
            self._verdict = outcome_of(self._interview, self._task.anchors)
        return self._verdict

    def _metrics(self) -> dict[str, float]:
        return {} if self._stop_reason is None else dict(self._outcome().metrics)

    def _state(self) -> Any:
        return self._interview.progress.to_json()

    def _settle(self) -> str:
        return NOT_CLOSED

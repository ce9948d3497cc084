"""`bizgym/EnterpriseQA-v0`: the Gymnasium face of the questions; how answers are graded is in `grading`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..core.env import TextEnv
from ..core.errors import SettingError, ToolRefused
from ..core.outcome import Check, Outcome
from ..core.text import echo, nearest
from ..core.tools import Toolbox
from . import observation
from .execution import executed
from .scoring import COMPONENTS, Given, given_by, outcome_of
from .tasks import EMBEDDED, FreshTasks, QATask, QATasks, shipped_tasks
from .tools import QATools, toolbox

DEFAULT_MAX_TURNS = 30
CONTEXTS = ("inline", "tools")
ANSWERED = "The answer is taken."


class EnterpriseQAEnv(QATools, TextEnv[QATask]):
    """One question about finance or business, with what it is about, and one answer.

    ## Description
    Four capabilities (information extraction, numerical calculation, domain knowledge, complex reasoning) in three
    bands of difficulty (easy, middle, hard), over filings of invented companies, case sheets and vignettes. The
    embedded set holds 480 questions, 40 of each capability and band; a generator makes any number of further ones for
    training, and public sets can be imported.

    ## Action Space
    Text: one tool call as JSON, `{"name": "answer", "arguments": {"value": 12.5}}`.

    | tool | meaning |
    |---|---|
    | `answer(value)` | the answer, a text or a number; it ends the episode |
    | `run_python(code)` | runs Python in a sandbox, where the question allows it |
    | `lookup(section)` | reads a part of the context, where it is not shown at once |

    ## Observation Space
    Text. The first observation holds the rules, the context, the question, and what an answer must look like: its
    form, unit, scale and tolerance. Contexts over 60,000 characters, and all with `context="tools"`, are read by
    `lookup`.

    ## Rewards
    `correct`: 1.0 if the answer is right within the tolerance of its kind (EnterpriseBench, A.1), else 0.0. Code that
    is the answer of a program-synthesis question is run, and its result is graded. Without an answer 0.0.

    ## Starting State
    The question; the same for every seed.

    ## Episode End
    Terminated by `answer`, or after `max_consecutive_errors` malformed steps in a row. Truncated after `max_turns`
    steps.

    ## Arguments
    | name | default | meaning |
    |---|---|---|
    | `context` | `"inline"` | shown at once, or by `lookup` (`tools`) |
    | `capability`, `band` | None | questions of one capability, of one band |
    | `split` | `"train"` | train or test; None for all |
    | `source` | None | None or bizgym for the embedded set, generated, or a public set that has been imported |
    | `tasks` | None | play these |
    | `order` | `"random"` | how `reset` chooses among several tasks: random, or sequential from each `reset(seed=…)` |
    | `max_turns` | 30 | steps after which the episode is truncated |
    | `max_consecutive_errors` | 10 | malformed steps in a row that end the episode |

    ## Metrics
    correct_paper (the reward), correct_strict (equal after rounding to the decimals of the stored answer, without a
    relative tolerance, unit and scale as asked), normalized; once the episode has ended.

    ## References
    Yang et al. (2026), EnterpriseBench. Koncel-Kedziorski et al. (2024), BizBench. Loukas et al. (2022), FiNER.

    ## Version History
    * v0: first version.
    """

    component_names: ClassVar[tuple[str, ...]] = COMPONENTS
    feedback_modes: ClassVar[tuple[str, ...]] = ("none", "outcome", "binary", "gold")

    def __init__(
        self,
        *,
        context: str = "inline",
        capability: str | None = None,
        band: str | None = None,
        split: str | None = "train",
        tasks: Sequence[str] | None = None,
        source: str | None = None,
        order: str = "random",
        max_turns: int | None = None,
        max_consecutive_errors: int = 10,
        render_mode: str | None = None,
    ) -> None:
        if context not in CONTEXTS:
            raise SettingError(
                f"context: one of {', '.join(CONTEXTS)}, not {echo(context)}.{nearest(str(context), CONTEXTS)}"
            )
        self._context = context
        self._given: Given | None = None
        super().__init__(
            self._questions(),
            split=split,
            tasks=tasks,
            source=source,
            order=order,
            max_turns=max_turns,
            max_consecutive_errors=max_consecutive_errors,
            render_mode=render_mode,
            more={"capability": capability, "band": band},
        )

    @classmethod
    def _questions(cls) -> QATasks:
        """Return the embedded set, from which the other sources can be reached."""
        return shipped_tasks()

    @property
    def task_set_hash(self) -> str:
        """Digest over the embedded set, or over the tasks that are played where another source is among them."""
        is_embedded = not isinstance(self._pool, FreshTasks) and all(each.source == EMBEDDED for each in self._pool)
        return super().task_set_hash if is_embedded else self._pool.hash

    @property
    def n_tools(self) -> int:
        """Most tools that a question offers: each has `answer`, some let code be run or a context be looked up."""
        return max(len(self._tools_for(task)) for task in self._all_tasks)

    def checks(self) -> tuple[Check, ...]:
        """Return the verdict on the answer of an ended episode; nothing before its end."""
        return self._outcome().checks if self._task is not None and self._stop_reason is not None else ()

    def _by_lookup(self, task: QATask) -> bool:
        long = task.item.context_characters > observation.LONGEST_INLINE_CHARACTERS
        return bool(task.item.sections) and (self._context == "tools" or long)

    def _tools_for(self, task: QATask) -> Toolbox:
        return toolbox(code=task.item.code, by_lookup=self._by_lookup(task))

    def _default_turns(self, task: QATask) -> int:
        return DEFAULT_MAX_TURNS

    def _begin(self, task: QATask) -> tuple[str, str]:
        by_lookup = self._by_lookup(task)
        self._given = None
        self._parts = {each.section_id: each for each in observation.parts_of(task.item.sections)} if by_lookup else {}
        rules = observation.rules_text(task.item, by_lookup=by_lookup)
        return rules, observation.request_text(task.item, list(self._parts.values()), by_lookup=by_lookup)

    def _give(self, value: str | int | float) -> str:
        assert self._task is not None
        self._given = given_by(self._task.item, value, self._turn)
        self._pay("correct", self._outcome().components["correct"])
        self._end()
        return self._given.report or ANSWERED

    def _execute(self, code: str) -> str:
        return executed(code)

    def _read(self, section: str) -> str:
        if section not in self._parts:
            hint = nearest(section, self._parts)
            raise ToolRefused("no_such_section", f"section: there is no {echo(section, 80)!r}.{hint}")
        return self._parts[section].text

    def _outcome(self) -> Outcome:
        assert self._task is not None
        return outcome_of(self._task.item, self._given, self._task.anchors)

    def _metrics(self) -> dict[str, float]:
        return {} if self._stop_reason is None else dict(self._outcome().metrics)

    def _target(self) -> str:
        assert self._task is not None
        value = self._task.item.answer.value
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

    def _state(self) -> Any:
        return None if self._given is None else [self._given.reply, self._given.fault]

    def _settle(self) -> str:
        return "Nothing counts, since no answer was given."

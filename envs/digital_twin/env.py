"""`bizgym/DigitalTwin-v0`: the Gymnasium face of the Digital Twin; the rules are in `kernel.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..core.env import TextEnv
from ..core.errors import DataError, SettingError, ToolRefused
from ..core.text import echo, nearest
from ..core.tools import Toolbox
from . import observation
from .plan import Window, plain
from .scoring import COMPONENTS, Draft, Round, final_score, metrics, roll_out
from .tasks import MAX_ROUNDS, SCORES, DigitalTwinTask, tasks_for
from .tools import DigitalTwinTools, toolbox

DEFAULT_MAX_TURNS = 200


class DigitalTwinEnv(DigitalTwinTools, TextEnv[DigitalTwinTask]):
    """A consulting firm that chooses its staff, its revenue risk and its projects, and is then rolled out.

    ## Description
    The firm employs consultants at a monthly cost and takes on projects that bill for their effort. Projects open in
    months that their clients accept, compete for the same people, end at their deadlines, and may be extended or
    followed by another one, depending on the firm's appetite for uncertain revenue. The agent decides {C, R, P}:
    the number of consultants, the revenue risk level, and for each project whether and in which months; then the
    plan is rolled out over 25 months, once or in rounds.

    ## Action Space
    Text: one tool call as JSON, for example `{"name": "set_workforce", "arguments": {"consultants": 10}}`. Reads:
    list_projects, get_project, get_firm, get_plan. Writes: set_workforce, set_revenue_risk, schedule_project,
    decline_project, submit_plan (all of the plan in one call) and run_simulation, which uses up a round. The bounds of
    every field stand in the schemas; what lies outside is refused with the path of the field, and nothing changes.

    ## Observation Space
    Text. The first observation holds the rules, the firm and every project on offer:

    | column | unit | meaning |
    |---|---|---|
    | effort | consultant-months | contracted effort |
    | cap | consultants | most that work on it at a time |
    | rate | $ a consultant-month | what the client pays |
    | extension | chance: consultant-months | that it is extended when its effort is used up, and by how much |
    | follow-on | chance | that another such project is ordered at the deadline |
    | start_month, deadline_month | months | what the client accepts |

    Later ones are results of the calls; a run reports each month and what became of each project.

    ## Rewards
    0.0 until the step that ends the episode, which pays the score in $ (component `earnings`): accumulated earnings as
    the firm's controlling last reports them, over the rounds as `score` says. A round that is not rolled out counts as
    a firm that hires nobody, or as few as it may, and declines everything.

    ## Starting State
    An empty plan: consultants and revenue risk are not decided, every project is declined.

    ## Episode End
    Terminated after the last round, or after `max_consecutive_errors` malformed steps in a row. Truncated after
    `max_turns` steps.

    ## Arguments
    | name | default | meaning |
    |---|---|---|
    | `rounds` | 1 | runs in an episode, 1 to 100; each later one shows the report of the one before |
    | `score` | `"last"` | of the rounds: last, best or mean (the best of several lucky runs may exceed the ceiling) |
    | `gate` | None | threshold or bernoulli instead of the scenario's own; then there is no normalized score |
    | `scenario` | None | path of a scenario file of your own, `path:name` where it holds several |
    | `split` | `"train"` | train, test or reference (the task ids are the scenarios' names) |
    | `tasks`, `source` | None | play these tasks; those of one source |
    | `order` | `"random"` | how `reset` chooses among several tasks: random, or sequential from each `reset(seed=…)` |
    | `max_turns` | 200 | steps after which the episode is truncated |
    | `max_consecutive_errors` | 10 | malformed steps in a row that end the episode |

    ## Metrics
    At the end: earnings, earnings_full (the last month included) and revenue ($), utilization, peak_staff,
    projects_won, projects_lost and normalized. `bizgym.envs.digital_twin.scoring.metrics` defines them.

    ## References
    The enterprise digital twin of the transentis BPTK tutorial (agent-based model of a professional service firm).

    ## Version History
    * v0: first version.
    """

    component_names: ClassVar[tuple[str, ...]] = COMPONENTS

    def __init__(
        self,
        *,
        rounds: int = 1,
        score: str = "last",
        gate: str | None = None,
        scenario: str | None = None,
        split: str | None = "train",
        tasks: Sequence[str] | None = None,
        source: str | None = None,
        order: str = "random",
        max_turns: int | None = None,
        max_consecutive_errors: int = 10,
        render_mode: str | None = None,
    ) -> None:
        if type(rounds) is not int or not 1 <= rounds <= MAX_ROUNDS:
            raise SettingError(f"rounds: an integer from 1 to {MAX_ROUNDS}, not {echo(rounds)}")
        if score not in SCORES:
            raise SettingError(f"score: one of {', '.join(SCORES)}, not {echo(score)}.{nearest(str(score), SCORES)}")
        if scenario is not None and not isinstance(scenario, str):
            raise SettingError(f"scenario: the path of a file, not {echo(scenario)}")
        self._rounds, self._score_of = rounds, score
        self._draft, self._played = Draft(), list[Round]()
        super().__init__(
            tasks_for(scenario, gate),
            split=None if scenario is not None else split,
            tasks=tasks,
            source=source,
            order=order,
            max_turns=max_turns,
            max_consecutive_errors=max_consecutive_errors,
            render_mode=render_mode,
        )

    def _tools_for(self, task: DigitalTwinTask) -> Toolbox:
        return toolbox(task.firm)

    def _default_turns(self, task: DigitalTwinTask) -> int:
        return DEFAULT_MAX_TURNS

    def _begin(self, task: DigitalTwinTask) -> tuple[str, str]:
        self._firm = task.firm
        self._draft, self._played = Draft(), []
        rules = observation.rules(self._firm, self._rounds, self._score_of)
        return rules, observation.request(self._firm, task.title)

    def _show(self, what: str, project_id: str = "") -> str:
        if what == "projects":
            return observation.project_table(self._firm)
        if what == "project":
            return observation.project_text(self._firm, self._draft, project_id)
        if what == "firm":
            return observation.firm_text(self._firm)
        return observation.draft_text(self._firm, self._draft, self._rounds - len(self._played))

    def _decide(self, **fields: Any) -> str:
        if "project_id" not in fields:
            ((name, value),) = fields.items()
            setattr(self._draft, name, float(value) if name == "revenue_risk" else value)
            return f"{name} is {plain(value)}."
        project_id, window = fields["project_id"], fields["window"]
        try:
            self._draft.schedule(self._firm, project_id, None if window is None else Window(*window))
        except DataError as error:
            raise ToolRefused("outside_bounds", str(error)) from None
        if window is None:
            return f"{project_id} is declined."
        return f"{project_id} is accepted, months {window[0]} to {window[1]}."

    def _take(self, plan: Any) -> str:
        try:
            self._draft.replace(self._firm.parse(plan.model_dump(by_alias=True)))
        except DataError as error:
            raise ToolRefused("outside_bounds", f"plan: {error}") from None
        return observation.draft_text(self._firm, self._draft, self._rounds - len(self._played))

    def _roll_out(self) -> str:
        missing = self._draft.missing
        if missing:
            raise ToolRefused("plan_incomplete", f"decide {' and '.join(missing)} first; a plan cannot run without")
        plan = self._draft.plan
        played = roll_out(self._firm, plan, self.np_random)
        self._played.append(played)
        if len(self._played) == self._rounds:
            self._pay_score()
            self._end()
        return observation.round_text(played, plan, len(self._played), self._rounds)

    def _pay_score(self) -> None:
        assert self._task is not None
        self._score = final_score(self._task, self._played, self._rounds, self._score_of)
        self._pay("earnings", self._score)

    def _settle(self) -> str:
        left = self._rounds - len(self._played)
        self._pay_score()
        rounds = "round" if left == 1 else "rounds"
        counted = f"{left} {rounds} not run counted as {self._firm.doing_nothing} and declining all."
        return f"{counted} The score is ${self._score:,.2f}."

    def _metrics(self) -> dict[str, float]:
        if self._stop_reason is None:
            return {}
        assert self._task is not None
        return metrics(self._played, self._score, self._task.anchors)

    def _state(self) -> Any:
        return [self._draft.to_json(), [each.result.earnings for each in self._played]]

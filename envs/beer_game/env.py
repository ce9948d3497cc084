"""`bizgym/BeerGame-v0`: the Gymnasium face of the Beer Game; the rules are in `state.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..core.env import TextEnv
from ..core.errors import SettingError
from ..core.text import echo, nearest
from ..core.tools import Toolbox
from .demand import DEFAULT_DEMAND
from .observation import INFORMATION, View
from .policies import DEFAULT_POLICY, SCALAR_OPS
from .scoring import COMPONENTS, forfeit, metrics, running_metrics, week_costs
from .state import (
    DEFAULT_BACKLOG_COST_PER_UNIT_WEEK,
    DEFAULT_HOLDING_COST_PER_UNIT_WEEK,
    DEFAULT_HORIZON_WEEKS,
    DEFAULT_ORDER_WEEKS,
    DEFAULT_ROLE,
    DEFAULT_SHIP_WEEKS,
    Settings,
    State,
    Week,
    advance,
    customer_order,
    initial_state,
)
from .tasks import DEFAULT_TASK, BeerGameTask, given_rules, tasks_for
from .tools import BeerGameTools, toolbox

MAX_HISTORY_WEEKS = 104
TURNS_A_WEEK = 4


class BeerGameEnv(BeerGameTools, TextEnv[BeerGameTask]):
    """One stage of a four-stage supply chain for beer, played week by week.

    ## Description
    Consumers order beer from a retailer, the retailer from a wholesaler, the wholesaler from a distributor, the
    distributor from a brewery. The agent plays one stage; the other three order by fixed policies. Orders and
    shipments take weeks, unfilled orders are owed, and each week costs money for stock and for what is owed.
    The game is known for orders that swing ever wider from the consumers to the brewery.

    ## Action Space
    Text: one tool call as JSON, `{"name": "place_order", "arguments": {"quantity": 400}}`. `quantity` is an
    integer from 0 to `max_order` units; anything else is refused with a message, and no week passes.

    ## Observation Space
    Text. The first observation holds the rules and the situation of week 1; each later one the cost of the week
    just played and the situation of the next:

    | line | unit | meaning |
    |---|---|---|
    | inventory | units | in stock at the start of the week |
    | backlog | units | owed to the customer at the start of the week |
    | on order | units | ordered and not yet received, what the supplier owes included |
    | shipment arriving | units | what arrives this week, not yet in inventory |
    | customer order | units | what the customer asks for this week |
    | table | units, $ | the last `history_weeks` weeks |

    ## Rewards
    The negative cost of the week of the played stage, in $: `holding_cost` (the greater of $0.50 a unit in stock and
    $200) and `backlog_cost` ($1.00 a unit owed), both at the end of the week. Weeks that are not played are
    played with orders of 0 and charged in the last reward as `forfeit_cost`.

    ## Starting State
    Every stage has 400 units in stock, owes nothing, and 100 units travel in each week of each delay.

    ## Episode End
    Terminated after the last week (25), or after `max_consecutive_errors` malformed steps in a row. Truncated
    after `max_turns` steps.

    ## Arguments
    | name | default | meaning |
    |---|---|---|
    | `role` | `"retailer"` | the played stage: retailer, wholesaler, distributor or brewery |
    | `ship_weeks` | 2 | weeks a shipment travels, 1 to 12 |
    | `order_weeks` | 1 | weeks an order travels, 1 to 12 |
    | `horizon` | 25 | weeks in a game, 1 to 520 |
    | `holding_cost` | 0.5 | $ a unit in stock and week |
    | `backlog_cost` | 1.0 | $ a unit owed and week |
    | `minimum_cost` | 200 (classic: 0) | least inventory cost of a week, $ |
    | `initial_inventory`, `target_inventory` | 400 (classic: 12) | units in stock at the start; what policies aim at |
    | `initial_flow` | 100 (classic: 4) | units in each week of each delay at the start |
    | `max_order` | 5000 (classic: 100) | largest order, units |
    | `policies` | `"typical"` | of the other stages: a name, `{"name": "typical", "alpha": 1}`, or one by stage |
    | `demand` | `"step"` | a pattern (step, constant, uniform, seasonal, classic), a list, or a CSV path |
    | `information` | `"local"` | local, adjacent (plus stock and backlog of the neighbours), chain (of all) |
    | `history_weeks` | 4 | past weeks shown, 0 to 104 |
    | `split`, `tasks`, `source` | None | play shipped tasks instead of a game of your own |
    | `order` | `"random"` | how `reset` chooses among several tasks: random, or sequential from each `reset(seed=…)` |
    | `max_turns` | 4 * horizon | steps after which the episode is truncated |
    | `max_consecutive_errors` | 10 | malformed steps in a row that end the episode |

    Without `split`, `tasks` or the reset option `task_id` the settings describe the one task played: `default` where
    all are defaults, else `custom-<hash>`, which has a normalized score once `bizgym anchors` has been run on it.

    ## Metrics
    cost ($) in every step; at the end also cost_<stage> and cost_chain ($), fill_rate, bullwhip, weeks_in_backlog and
    normalized. `bizgym.envs.beer_game.scoring.metrics` defines them.

    ## References
    Sterman (1989), Modeling managerial behavior: misperceptions of feedback in a dynamic decision making experiment,
    Management Science 35(3). The beer game model of the transentis BPTK tutorial. Chen, Drezner, Ryan and Simchi-Levi
    (2000), Quantifying the bullwhip effect in a simple supply chain, Management Science 46(3).

    ## Version History
    * v0: first version.
    """

    component_names: ClassVar[tuple[str, ...]] = COMPONENTS

    def __init__(
        self,
        *,
        role: str = DEFAULT_ROLE,
        ship_weeks: int = DEFAULT_SHIP_WEEKS,
        order_weeks: int = DEFAULT_ORDER_WEEKS,
        horizon: int = DEFAULT_HORIZON_WEEKS,
        holding_cost: float = DEFAULT_HOLDING_COST_PER_UNIT_WEEK,
        backlog_cost: float = DEFAULT_BACKLOG_COST_PER_UNIT_WEEK,
        minimum_cost: float | None = None,
        initial_inventory: int | None = None,
        target_inventory: int | None = None,
        initial_flow: int | None = None,
        max_order: int | None = None,
        policies: Any = DEFAULT_POLICY,
        demand: Any = DEFAULT_DEMAND,
        information: str = "local",
        history_weeks: int = 4,
        split: str | None = None,
        tasks: Sequence[str] | None = None,
        source: str | None = None,
        order: str = "random",
        max_turns: int | None = None,
        max_consecutive_errors: int = 10,
        render_mode: str | None = None,
    ) -> None:
        given = given_rules(self._keywords())
        shipped = split is not None or tasks is not None or source is not None
        if given and shipped:
            raise SettingError(f"{next(iter(given))}: shipped tasks fix the rules; leave out split, tasks and source")
        if information not in INFORMATION:
            hint = nearest(str(information), INFORMATION)
            raise SettingError(f"information: one of {', '.join(INFORMATION)}, not {echo(information)}.{hint}")
        if type(history_weeks) is not int or not 0 <= history_weeks <= MAX_HISTORY_WEEKS:
            raise SettingError(f"history_weeks: an integer from 0 to {MAX_HISTORY_WEEKS}, not {echo(history_weeks)}")
        self._information = information
        self._view: View | None = None
        self._settings: Settings = Settings()
        self._history_weeks = history_weeks
        super().__init__(
            tasks_for(given),
            split=split,
            tasks=tasks if given or shipped else [DEFAULT_TASK],
            source=source,
            order=order,
            max_turns=max_turns,
            max_consecutive_errors=max_consecutive_errors,
            render_mode=render_mode,
        )

    def _tools_for(self, task: BeerGameTask) -> Toolbox:
        return toolbox(task.settings.max_order)

    def _default_turns(self, task: BeerGameTask) -> int:
        return TURNS_A_WEEK * task.settings.horizon_weeks

    def _begin(self, task: BeerGameTask) -> tuple[str, str]:
        if self._view is None or self._settings is not task.settings:
            self._settings = task.settings
            self._view = View(self._settings, self._information, self._history_weeks)
        self._anchors = task.anchors
        self._demand = task.demand_of(self.np_random)
        self._game: State = initial_state(self._settings)
        self._weeks: list[Week] = []
        self._view.begin()
        return self._view.rules, self._view.first(self._game, self._customer_order())

    def _customer_order(self) -> Any:
        return customer_order(self._game, self._demand[self._game.week], self._settings.role_index)

    def _play_week(self, quantity: int) -> str:
        settings, view = self._settings, self._view
        assert view is not None
        self._game, week = advance(settings, self._game, quantity, self._demand[self._game.week], SCALAR_OPS)
        self._weeks.append(week)
        holding_cost, backlog_cost = week_costs(settings, week)
        self._components["holding_cost"] -= holding_cost
        self._components["backlog_cost"] -= backlog_cost
        if week.week == settings.horizon_weeks:
            self._end()
            return view.last(week)
        return view.next(self._game, week, self._customer_order())

    def _settle(self) -> str:
        self._game, weeks, cost = forfeit(self._settings, self._game, self._demand)
        self._weeks += weeks
        self._components["forfeit_cost"] -= cost
        return f"The {len(weeks)} weeks that were left were played with orders of 0 units and cost ${cost:.2f}."

    def _metrics(self) -> dict[str, float]:
        if self._game.week == self._settings.horizon_weeks:
            return metrics(self._settings, self._weeks, self._anchors)
        return running_metrics(self._settings, self._game)

    def _state(self) -> Any:
        return self._game

"""What the player of a stage is told: every number with its unit and its week."""

from __future__ import annotations

from collections import deque
from functools import cached_property

from .policies import STAGES, Quantity
from .state import Settings, State, Week

INFORMATION = ("local", "adjacent", "chain")
_HEADER = "| week | customer order | received | shipped | ordered | inventory at end | backlog at end | cost |"
_SOURCE = {"retailer": "wholesaler", "wholesaler": "distributor", "distributor": "brewery", "brewery": "production"}
_CUSTOMER = {"retailer": "consumers", "wholesaler": "retailer", "distributor": "wholesaler", "brewery": "distributor"}


def units(quantity: Quantity) -> str:
    """Write a number of units: whole where it is, else with two decimals."""
    if type(quantity) is int:
        return str(quantity)
    return str(int(quantity)) if quantity == int(quantity) else f"{quantity:.2f}"


def money(cost: float) -> str:
    """Return an amount in $ with two decimals; a whole one, the usual case, without formatting a float."""
    whole = int(cost)
    return f"{whole}.00" if whole == cost else f"{cost:.2f}"


class View:
    """Writes the observations of one episode.

    Args:
        settings: The constants of the game.
        information: `local` (the stage's own books), `adjacent` (plus inventory and backlog of its direct
            neighbours) or `chain` (of all stages).
        history_weeks: Past weeks shown in the table, 0 for none.
    """

    def __init__(self, settings: Settings, information: str, history_weeks: int) -> None:
        self._settings = settings
        self._role = settings.role_index
        self._text = str if settings.is_whole else units
        self._announced = ("", "")
        self._others = _visible(self._role, information)
        self._rows: deque[str] = deque(maxlen=history_weeks)
        self._customer, self._source = _CUSTOMER[settings.role], _SOURCE[settings.role]
        self._of_weeks = f" of {settings.horizon_weeks}. You are the {settings.role}. At the start of the week:\n"
        self._max_order = str(settings.max_order)
        self._table_head = [
            f"Last {_weeks(shown)} (quantities in units, cost in $):\n{_HEADER}" for shown in range(history_weeks + 1)
        ]

    @cached_property
    def rules(self) -> str:
        """The rules of the game, complete in themselves."""
        s = self._settings
        lead = s.order_weeks + s.ship_weeks
        return _RULES.format(
            role=s.role,
            customer=self._customer,
            source=self._source,
            horizon=s.horizon_weeks,
            order_time=_weeks(s.order_weeks),
            ship_time=_weeks(s.ship_weeks),
            lead_time=_weeks(lead),
            others="simulated companies with fixed ordering habits that you are not told",
            holding=f"{s.holding_cost_per_unit_week:.2f}",
            backlog=f"{s.backlog_cost_per_unit_week:.2f}",
            minimum=f"{s.minimum_inventory_cost_per_week:.2f}",
            max_order=s.max_order,
            stock=units(s.initial_inventory),
            flow=units(s.initial_flow),
        )

    def begin(self) -> None:
        """Forget the weeks of an earlier episode."""
        self._rows.clear()

    def first(self, state: State, customer_order: Quantity) -> str:
        """Return the situation at the start of week 1."""
        k = self._role
        numbers = (state.inventory[k], state.backlog[k], state.open_orders[k], state.transit[0][k], customer_order)
        return self._situation(state, *map(self._text, numbers))

    def next(self, state: State, week: Week, customer_order: Quantity) -> str:
        """Return what week `week` came to and the situation at the start of the one after it."""
        k = self._role
        # Taking a tuple apart at once is faster than asking it for names, and each number is written once.
        number, _, _, shipped, ordered, inventory, backlog, open_orders, cost, total_cost = week
        numbers = (
            shipped[k],
            ordered[k],
            inventory[k],
            backlog[k],
            open_orders[k],
            state.transit[0][k],
            customer_order,
        )
        left, placed, stock, owed, due, arriving, asked = map(self._text, numbers)
        arrived, demanded = self._announced
        week_cost = money(cost[k])
        self._rows.append(f"| {number} | {demanded} | {arrived} | {left} | {placed} | {stock} | {owed} | {week_cost} |")
        return (
            f"Week {number} is over: you ordered {placed} units; the week cost ${week_cost}, all weeks so far "
            f"${money(total_cost[k])}.\n\n{self._situation(state, stock, owed, due, arriving, asked)}"
        )

    def last(self, week: Week) -> str:
        """Return the books at the end of the game."""
        role = self._role
        return (
            f"Week {week.week} is over and so is the game: {units(week.inventory[role])} units in inventory, "
            f"{units(week.backlog[role])} units in backlog. The last week cost ${week.cost[role]:.2f}; "
            f"the total cost of the {self._settings.role} over {_weeks(week.week)} is ${week.total_cost[role]:.2f}."
        )

    def _situation(self, state: State, stock: str, owed: str, due: str, arriving: str, asked: str) -> str:
        self._announced = arriving, asked
        rows, number = self._rows, str(state.week + 1)
        others = table = ""
        if self._others:
            books = [(STAGES[k], self._text(state.inventory[k]), self._text(state.backlog[k])) for k in self._others]
            others = "".join(
                f"- {stage}: inventory {held} units, backlog {debt} units\n" for stage, held, debt in books
            )
        if rows:
            table = "\n".join((self._table_head[len(rows)], *rows, ""))
        return (
            f"Week {number}{self._of_weeks}"
            f"- inventory: {stock} units\n"
            f"- backlog: {owed} units (owed to the {self._customer})\n"
            f"- on order: {due} units (ordered, not yet received)\n"
            f"- shipment arriving in week {number}: {arriving} units (from the {self._source})\n"
            f"- customer order of week {number}: {asked} units (from the {self._customer})\n"
            f"{others}{table}Call place_order(quantity) with the units to order in week {number}: "
            f"an integer from 0 to {self._max_order}."
        )


def _visible(role: int, information: str) -> tuple[int, ...]:
    if information == "local":
        return ()
    if information == "adjacent":
        return tuple(k for k in (role - 1, role + 1) if 0 <= k < len(STAGES))
    return tuple(k for k in range(len(STAGES)) if k != role)


def _weeks(number: int) -> str:
    return "1 week" if number == 1 else f"{number} weeks"


_RULES = """\
You manage the {role} in a supply chain for beer: consumers buy from the retailer, the retailer orders from the \
wholesaler, the wholesaler from the distributor, the distributor from the brewery, which brews its own supply. Your \
customer is: the {customer}. Your supplier is: the {source}. The other stages are {others}.

The game lasts {horizon} weeks. In each week, in this order:
1. The shipment that is due arrives in your inventory.
2. You receive your customer's order of the week and ship it, after any backlog, as far as inventory reaches. What you \
cannot ship stays in your backlog and is owed until shipped; no order is ever lost.
3. You place one order with your supplier. You know the customer order and the arriving shipment of the week before \
you decide.
4. The costs of the week fall due: ${holding} a unit in inventory, but at least ${minimum} a week, plus ${backlog} a \
unit in backlog, both counted at the end of the week.

An order takes {order_time} to reach your supplier, and what your supplier ships takes {ship_time} to reach you. So an \
order arrives {lead_time} after you place it, or later where your supplier runs short; your supplier then owes you the \
rest. At the start every stage has {stock} units in inventory and no backlog, and {flow} units are due in each week of \
every delay.

Your goal is the lowest total cost of the {role} over all {horizon} weeks. Weeks that you do not play are played with \
orders of 0 units. Orders are integers from 0 to {max_order} units; anything else is refused and no week passes."""

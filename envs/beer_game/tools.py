"""The one tool of the Beer Game."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from pydantic import Field

from ..core.tools import Toolbox, tool


class BeerGameTools:
    """The calls a player can make; `BeerGameEnv` plays the week."""

    def _play_week(self, quantity: int) -> str:
        raise NotImplementedError

    @tool(effect="write")
    def place_order(self, quantity: Annotated[int, Field(ge=0)]) -> str:
        """Order units from your supplier for this week and let the week pass.

        Args:
            quantity: Units to order this week, an integer.
        """
        return self._play_week(quantity)


@lru_cache(maxsize=64)
def toolbox(max_order: int) -> Toolbox:
    """Return the tools of a game whose orders are limited to `max_order` units."""
    (place_order,) = Toolbox.of(BeerGameTools).values()
    return Toolbox([place_order.bounded(quantity={"le": max_order})])

"""Where the customer sits: what it sees, and the desk at which it acts or only notes what it would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core.errors import ToolRefused
from ...core.text import echo, nearest
from ..kernel.tools import Context
from .desk import Desk, Request
from .view import Item, View

NOTED: Mapping[str, Any] = {"noted": True}


class Seat:
    """Where the customer sits: what it sees, and the desk at which it acts.

    Args:
        view: What it sees.
        desk: The company's side.
        ctx: The episode in which to act, None while a turn is being drafted.
    """

    def __init__(self, view: View, desk: Desk, ctx: Context | None = None) -> None:
        self.view = view
        self._desk = desk
        self._ctx = ctx

    def item(self, name: str) -> Item:
        """Return something on the card.

        Raises:
            ToolRefused: Nothing on the card is called so.
        """
        found = self.view.items.get(name)
        if found is None:
            raise ToolRefused("NOT_ON_CARD", f"{echo(name, 80)!r} is not on your card.{nearest(name, self.view.items)}")
        return found

    def request(self, request_id: str, *, is_open: bool = False) -> Request:
        """Return a request.

        Raises:
            ToolRefused: There is none of this id, or it waits for no decision although it has to.
        """
        found = self.view.request(request_id)
        if found is None:
            raise ToolRefused("NOT_FOUND", f"request: there is no request {echo(request_id, 80)!r}")
        if is_open and not found.is_open:
            raise ToolRefused("REQUEST_NOT_OPEN", f"request: {request_id} is no longer open")
        return found

    def act(self, carry_out: Callable[[Desk, Context], Any]) -> Any:
        """Carry a write out, or note it while the turn is being drafted."""
        return NOTED if self._ctx is None else carry_out(self._desk, self._ctx)

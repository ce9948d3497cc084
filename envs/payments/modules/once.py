"""Acts that send money, each of them once for an idempotency key.

A reply can get lost on its way, and whoever repeats the call must not send the money twice. So an act declared with
`money_tool` takes `idempotency_key: str`: with the same key and the same arguments it returns its first result and
changes nothing, with the same key and other arguments it is refused. A call that was refused has used no key up.
Each tool has keys of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field

from ...core.errors import ToolRefused
from ..kernel.tools import BusinessTool, Context, Precondition

Key = Annotated[
    str,
    Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$", examples=["payment-1", "payment-2"]),
]
"""An idempotency key: up to 64 letters, digits and `_.:-`."""

KEY_REUSED = "IDEMPOTENCY_KEY_REUSED"


class MoneyTool(BusinessTool):
    """A business tool that keeps its idempotency keys; the log is where they are kept."""

    @cached_property
    def error_codes(self) -> tuple[str, ...]:
        """The codes of its preconditions, and that of a key used again."""
        return (KEY_REUSED, *dict.fromkeys(each.code for each in self.pre))

    def run(self, ctx: Context, arguments: dict[str, Any]) -> Any:
        """Do it, or return what was returned when it was done with this key; preconditions are of the first time.

        Returns:
            The result, with `replayed`: whether nothing was done now.

        Raises:
            ArgumentsRefused: The arguments do not fit the schema.
            ToolRefused: The key was used with other arguments, or see `BusinessTool.run`.
        """
        given = self.validate(arguments)
        key = given["idempotency_key"]
        for event in ctx.log:
            if event.name == self.name and event.ok and event.arguments["idempotency_key"] == key:
                if self.validate(dict(event.arguments)) == given:
                    return {**event.result, "replayed": True}
                raise ToolRefused(
                    KEY_REUSED,
                    f"idempotency_key: {key} was used at minute {event.t} with other arguments; choose another",
                )
        return {**super().run(ctx, arguments), "replayed": False}


def money_tool(
    *,
    module: str,
    minutes: int = 0,
    pre: Sequence[Precondition] = (),
    writes: Iterable[str],
    rule_keys: Iterable[str] = (),
) -> Callable[[Callable[..., Any]], BusinessTool]:
    """Declare an act that sends money; its function takes `idempotency_key: Key` besides its other arguments."""

    def declare(function: Callable[..., Any]) -> BusinessTool:
        return MoneyTool(
            function, module=module, minutes=minutes, effect="write", pre=pre, writes=writes, rule_keys=rule_keys
        )

    return declare

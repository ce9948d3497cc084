"""The Beer Game: one stage of a four-stage supply chain."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "simulate":
        from .simulate import simulate

        return simulate
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

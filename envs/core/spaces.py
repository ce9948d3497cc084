"""Spaces for text: any Unicode is an observation, any string is an action, and samples are real tool calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.error import CustomSpaceError
from gymnasium.spaces import Text
from gymnasium.vector.utils import create_shared_memory

from .jsontext import MAX_CHARACTERS
from .tools import Toolbox

_SAMPLE_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789 .,:-\n"
_SAMPLE_LENGTH = 64


class TextSpace(Text):
    """Any str of at most `max_length` characters, line breaks, accents and the empty string included.

    Gymnasium's own `Text` holds a character set (ASCII letters and digits unless told, 15 s to build for all
    of Unicode); here membership is a type and a length.
    """

    def __init__(self, max_length: int = MAX_CHARACTERS, *, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=_SAMPLE_CHARACTERS, seed=seed)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a str of at most `max_length` characters."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw a short text; the distribution means nothing, only membership does."""
        length = int(self.np_random.integers(min(_SAMPLE_LENGTH, self.max_length) + 1))
        return "".join(_SAMPLE_CHARACTERS[k] for k in self.np_random.integers(len(_SAMPLE_CHARACTERS), size=length))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextSpace) and other.max_length == self.max_length

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TextSpace(max_length={self.max_length})"


class ToolCallSpace(Space[str]):
    """Any str, since a model may emit anything; `sample()` draws schema-valid calls of the tools on offer.

    A sample is the JSON text of one call, `{"name": ..., "arguments": {...}}`: the tool is uniform on the
    tools on offer, its arguments are drawn from its schema.
    """

    def __init__(self, tools: Toolbox, *, seed: int | np.random.Generator | None = None) -> None:
        self._tools = tools
        super().__init__(shape=None, dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text does not flatten into an array."""
        return False

    def contains(self, x: Any) -> bool:
        """Whether `x` is a str."""
        return isinstance(x, str)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw the JSON text of one valid call.

        Args:
            mask: Optional mapping of tool name to bool; only tools with a true entry are drawn.
            probability: Not supported, must be None.
        """
        if probability is not None:
            raise ValueError("ToolCallSpace.sample takes a mask of tool names, no probability")
        names = [name for name in self._tools if mask is None or (isinstance(mask, Mapping) and mask.get(name))]
        if not names:
            raise ValueError("the mask leaves no tool to draw from")
        chosen = self._tools[names[int(self.np_random.integers(len(names)))]]
        return json.dumps({"name": chosen.name, "arguments": chosen.sample(self.np_random)}, ensure_ascii=False)

    def offer(self, tools: Toolbox) -> None:
        """Change the tools on offer; the state of the random generator stays."""
        self._tools = tools

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolCallSpace) and other._tools.texts == self._tools.texts

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ToolCallSpace({len(self._tools)} tools)"


@create_shared_memory.register(TextSpace)
@create_shared_memory.register(ToolCallSpace)
def _no_shared_memory(space: Space[Any], n: int = 1, ctx: Any = None) -> Any:
    raise CustomSpaceError(
        f"{type(space).__name__} holds text of any length, which shared memory cannot: build the vector environment "
        "with shared_memory=False, or with bizgym.envs.make_vec"
    )

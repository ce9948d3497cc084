"""Chain of thought: the model thinks in plain text, then makes one tool call, and remembers the episode."""

from __future__ import annotations

from .player import ModelPlayer


class ChainOfThought(ModelPlayer):
    """Plays with a model that reasons before each tool call: one call a turn, nothing learned between episodes.

    Args:
        play: The settings of `bizgym.agents.play.Play`: prompt, memory, tool_calls and so on.

    Raises:
        SettingError: A number of tokens is below 1, or there is no such prompt.
    """

"""Texts before they are kept: bounded, and without characters that nobody sees."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...envs.core.text import clip, printable
from ...envs.core.trajectory import Trajectory

_SPACES = {code: " " for code in (*range(32), *range(127, 160), 0x2028, 0x2029) if chr(code) not in "\n\t"}
_UNSEEN = dict.fromkeys((*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF))
_TO_TIDY = _SPACES | _UNSEEN


def tidy(text: str, limit_characters: int) -> str:
    """Return a text fit to be kept: lone surrogates escaped, control characters and marks of direction gone, cut.

    Args:
        text: As a model or an environment wrote it.
        limit_characters: Most characters; what stands behind them is lost.
    """
    ahead = printable(text[: 4 * limit_characters])  # a reply may hold a hundred times what is kept of it
    return ahead.replace("\r\n", "\n").translate(_TO_TIDY).strip()[:limit_characters].rstrip()


def tidy_line(value: Any, limit_characters: int) -> str:
    """Return a text as one line fit to be kept, "" for a value that is no text."""
    if not isinstance(value, str):
        return ""
    return " ".join(tidy(value, 2 * limit_characters).split())[:limit_characters].rstrip()


def shortened(text: str, limit_characters: int) -> str:
    """Return a text fit to be kept, of a longer one the first third and the last two: what was asked stands last."""
    return clip(tidy(text, max(len(text), limit_characters)), limit_characters, Fraction(1, 3))


def was_played(trajectory: Trajectory) -> bool:
    """Whether there is something to learn from: the agent had a turn, and no infrastructure ended the episode."""
    return trajectory.stop_reason.scored and any(step.turn is not None for step in trajectory.steps)

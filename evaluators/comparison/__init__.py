"""Agents of several runs side by side: one leaderboard, paired comparisons, and what each score cost.

contests = gather([RunFolder.open("runs/default/run-1a2b3c4d"), ...])
"""

from .contests import Contest, Entry, gather

__all__ = ["Contest", "Entry", "gather"]

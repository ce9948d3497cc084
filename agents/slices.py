"""Slices of practice: which tasks an agent practises on, in which repetition, and which of them only judge."""

from __future__ import annotations

from .practice import Practice

Item = tuple[str, int]
"""A task and the number of its repetition, which gives the episode a seed of its own."""


def repeated(task_ids: list[str], n: int, first_trial: int = 0) -> list[Item]:
    """Return n items, each task as often as any other or once less.

    Args:
        task_ids: At least one task.
        n: Number of items.
        first_trial: Number of the first repetition; slices of other numbers share no episode.
    """
    return [(task_ids[k % len(task_ids)], first_trial + k // len(task_ids)) for k in range(n)]


def train_and_val(practice: Practice, n_train: int, n_val: int) -> tuple[list[Item], list[Item]]:
    """Return the items to learn from and those to judge by.

    The two share no task where there are two tasks or more; a single one is played under different seeds.

    Args:
        practice: The tasks that there are, in an order that mixes their kinds.
        n_train: Number of items to learn from.
        n_val: Number of items to judge by.
    """
    tasks = practice.tasks(n_train + n_val)
    if len(tasks) == 1:
        items = repeated(tasks, n_train + n_val)
        return items[:n_train], items[n_train:]
    n_judging = min(len(tasks) - 1, max(1, round(len(tasks) * n_val / (n_train + n_val))))
    learning, judging = tasks[:-n_judging], tasks[-n_judging:]
    return repeated(learning, n_train), repeated(judging, n_val)

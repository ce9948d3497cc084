"""Vector environments over text: Gymnasium's own, with the one setting that text needs."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium as gym


def make_vec(
    env_id: str,
    num_envs: int = 1,
    *,
    vectorization_mode: Literal["sync", "async"] = "sync",
    vector_kwargs: dict[str, Any] | None = None,
    **env_kwargs: Any,
) -> gym.vector.VectorEnv[Any, Any, Any]:
    """Build `num_envs` copies of an environment as one vector environment.

    Text observations come back as a tuple of strings. The asynchronous mode runs one process a copy and is
    forced to `shared_memory=False`, since shared memory holds no text of open length.

    Args:
        env_id: A registered id, for example `bizgym/BeerGame-v0`.
        num_envs: Number of copies, >= 1.
        vectorization_mode: `sync` (one process) or `async` (one process a copy).
        vector_kwargs: Further arguments of the vector class, for example `context` or `autoreset_mode`.
        **env_kwargs: Arguments of the environment.
    """
    extra = dict(vector_kwargs or {})
    if vectorization_mode == "async":
        extra["shared_memory"] = False
    return gym.make_vec(env_id, num_envs, vectorization_mode=vectorization_mode, vector_kwargs=extra, **env_kwargs)

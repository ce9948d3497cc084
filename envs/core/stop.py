"""Why an episode stopped: set exactly once, by whoever stopped it."""

from __future__ import annotations

from enum import StrEnum


class StopReason(StrEnum):
    """Every way in which an episode can stop.

    `scored` reasons keep the episode in the statistics: what was not played counts as played badly. The
    others are failures of the infrastructure: such an episode has no score and is run again on resume.
    """

    ENV_DONE = "env_done"
    MAX_STEPS = "max_steps"
    MAX_TOKENS = "max_tokens"
    MAX_CALLS = "max_calls"
    MAX_COST = "max_cost"
    CONTEXT_OVERFLOW = "context_overflow"
    OUTPUT_TRUNCATED = "output_truncated"
    REFUSAL = "refusal"
    MALFORMED_CALLS = "malformed_calls"
    AGENT_ERROR = "agent_error"
    TIMEOUT = "timeout"
    PROVIDER_ERROR = "provider_error"
    SIMULATOR_FAILURE = "simulator_failure"
    ENV_ERROR = "env_error"
    CANCELLED = "cancelled"

    @property
    def scored(self) -> bool:
        """Whether an episode that stopped so has a score."""
        return self not in _ERRORED


_ERRORED = frozenset(
    {StopReason.PROVIDER_ERROR, StopReason.SIMULATOR_FAILURE, StopReason.ENV_ERROR, StopReason.CANCELLED}
)

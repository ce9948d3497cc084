"""One error type for each boundary that something from outside crosses.

An action never raises: what is wrong with it comes back in the observation. Everything else that a user
hands over is refused with one of the types below, and the message names the field and the mend.
"""

from __future__ import annotations


class BizGymError(Exception):
    """The common parent, for callers that want to catch whatever BizGym refuses."""


class SettingError(BizGymError, ValueError):
    """A constructor keyword, a reset option, a task id or a configuration value is not usable."""


class DataError(BizGymError, ValueError):
    """A data file, packaged or the user's own, breaks its schema."""


class RecordError(BizGymError, ValueError):
    """A run folder or an episode record cannot be read or continued."""


class CounterpartError(BizGymError, RuntimeError):
    """A counterpart (user simulator, interviewer) failed; the episode is no fault of the agent."""


class ToolRefused(BizGymError):
    """A domain rule refuses a call whose arguments fit the schema.

    Args:
        code: The rule's own code in snake case, shown to the agent as the result's `code`.
        message: What the rule says and what would be accepted.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

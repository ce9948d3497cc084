"""The shared vocabulary of every environment; knows no benchmark and no language model.

Names are loaded on first use, so that `import bizgym.envs` stays as light as Gymnasium itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .actions import Call as Call
    from .actions import parse_action as parse_action
    from .env import TextEnv as TextEnv
    from .errors import BizGymError as BizGymError
    from .errors import DataError as DataError
    from .errors import RecordError as RecordError
    from .errors import SettingError as SettingError
    from .errors import ToolRefused as ToolRefused
    from .outcome import Check as Check
    from .outcome import Outcome as Outcome
    from .spaces import TextSpace as TextSpace
    from .spaces import ToolCallSpace as ToolCallSpace
    from .stop import StopReason as StopReason
    from .tasks import Anchors as Anchors
    from .tasks import Task as Task
    from .tasks import TaskSet as TaskSet
    from .tools import Tool as Tool
    from .tools import Toolbox as Toolbox
    from .tools import tool as tool
    from .trajectory import Step as Step
    from .trajectory import Trajectory as Trajectory
    from .vector import make_vec as make_vec
    from .wire import to_wire as to_wire

_HOME = {
    "Call": "actions",
    "parse_action": "actions",
    "TextEnv": "env",
    "BizGymError": "errors",
    "DataError": "errors",
    "RecordError": "errors",
    "SettingError": "errors",
    "ToolRefused": "errors",
    "Check": "outcome",
    "Outcome": "outcome",
    "TextSpace": "spaces",
    "ToolCallSpace": "spaces",
    "StopReason": "stop",
    "Anchors": "tasks",
    "Task": "tasks",
    "TaskSet": "tasks",
    "Tool": "tools",
    "Toolbox": "tools",
    "tool": "tools",
    "Step": "trajectory",
    "Trajectory": "trajectory",
    "make_vec": "vector",
    "to_wire": "wire",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)

"""The kernel's own functions, compiled by numba where it is installed (`pip install bizgym[search]`).

The rules stand once, in `kernel.py`: each function is copied with the compiled ones in place of those that it calls,
and the copy is compiled. Numbers are the same to the bit, since nothing is reordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from types import FunctionType
from typing import Any

from .. import kernel
from . import batch

# Each after those that it calls.
FUNCTIONS: tuple[Callable[..., Any], ...] = (
    kernel.comes_about,
    kernel.controlling_turn,
    kernel.join_campaigns,
    kernel.join,
    kernel.work_on_campaigns,
    kernel.crew_turn,
    kernel.project_turn,
    kernel.order_follow_on,
    kernel.campaign_turn,
    kernel.bring_project,
    kernel.act_project,
    kernel.play_step,
    batch.count_on,
    batch.lay_out,
    batch.deal,
    batch.begin,
    batch.earn,
    batch.score_plans,
    batch.score_runs,
    batch.enumerate_plans,
)


def is_available() -> bool:
    """Whether numba is installed."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


@lru_cache(maxsize=1)
def compiled() -> dict[str, Callable[..., Any]]:
    """Return the compiled functions by name; they take NumPy arrays.

    Raises:
        ImportError: numba is not installed.
    """
    import numba

    # No function allocates, so none needs numba's counting of references, which would cost most of the time.
    return compiled_by(partial(numba.njit, _nrt=False, forceinline=True), FUNCTIONS)


def interpreted() -> dict[str, Callable[..., Any]]:
    """Return the same functions as they are written; they take lists of lists."""
    return {function.__name__: function for function in FUNCTIONS}


def compiled_by(compiler: Callable[..., Any], functions: Iterable[Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Compile functions, each after those that it calls.

    Args:
        compiler: Takes a function and returns the compiled one.
        functions: Plain functions of modules.
    """
    built: dict[str, Callable[..., Any]] = {}
    for function in functions:
        assert isinstance(function, FunctionType)
        copy = FunctionType(function.__code__, {**function.__globals__, **built}, function.__name__)
        built[function.__name__] = compiler(copy)
    return built

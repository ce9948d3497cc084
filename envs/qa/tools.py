"""The tools of a question: answer it, run code on the way, look a part of the context up."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from ..core.tools import Toolbox, tool

Code = Annotated[str, Field(min_length=1, max_length=100_000)]


class QATools:
    """The calls that an answerer can make; `EnterpriseQAEnv` does what they say."""

    def _give(self, value: str | int | float) -> str:
        raise NotImplementedError

    def _execute(self, code: str) -> str:
        raise NotImplementedError

    def _read(self, section: str) -> str:
        raise NotImplementedError

    @tool(effect="write")
    def answer(self, value: str | int | float) -> str:
        """Answer the question; this ends the episode.

        Args:
            value: The answer, in the form that the question asks for.
        """
        return self._give(value)

    @tool(effect="read")
    def run_python(self, code: Code) -> str:
        """Run Python in a sandbox; the output and the value of the last expression, or of `answer`, come back.

        Args:
            code: The program. It sees no files, no network, and nothing of an earlier run.
        """
        return self._execute(code)

    @tool(effect="read")
    def lookup(self, section: Annotated[str, Field(max_length=100)]) -> str:
        """Read a part of the context.

        Args:
            section: Its id.
        """
        return self._read(section)


@cache
def toolbox(*, code: bool, by_lookup: bool) -> Toolbox:
    """Return the tools on offer.

    Args:
        code: Whether code may be run.
        by_lookup: Whether the context is looked up.
    """
    offered = {"answer": True, "run_python": code, "lookup": by_lookup}
    return Toolbox(each for each in Toolbox.of(QATools).values() if offered[each.name])

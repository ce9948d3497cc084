"""The tools of an interview: ask, share, look at an exhibit, recommend."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field

from ..core.tools import Toolbox, tool
from .fact_types import fact_types
from .recommendation import Line, StatedNumber

Question = Annotated[str, Field(min_length=1, max_length=2_000)]
Lines = Annotated[list[Line], Field(max_length=8)]
Numbers = Annotated[list[StatedNumber], Field(max_length=8)]


class ConsultingTools:
    """The calls that a candidate can make; `ConsultingEnv` does what they say."""

    def _do(self, call: str, /, **arguments: Any) -> str:
        raise NotImplementedError

    @tool(effect="write")
    def ask_interviewer(self, question: Question, topic: str | None = None) -> str:
        """Ask the interviewer for one thing; an answer takes a turn, a question back takes none.

        Args:
            question: In your own words; the name of a topic is none.
            topic: A topic of the list, where you want to fix it; the fact of it that fits your question is told.
        """
        return self._do("ask_interviewer", question=question, topic=topic)

    @tool(effect="write")
    def share_analysis(self, text: Annotated[str, Field(max_length=4_000)], numbers: Numbers | None = None) -> str:
        """Think aloud; the interviewer says which of your numbers are right, as far as facts are known. Takes no turn.

        Each number is judged twice at most in an interview: work it out first, then have it checked.

        Args:
            text: What you conclude, and how.
            numbers: Numbers to be checked.
        """
        return self._do("share_analysis", text=text, numbers=numbers)

    @tool(effect="write")
    def request_exhibit(self, name: Annotated[str, Field(min_length=1, max_length=80)]) -> str:
        """Look at an exhibit; one that the interviewer has named takes no turn.

        Args:
            name: Its name.
        """
        return self._do("request_exhibit", name=name)

    @tool(effect="write")
    def submit_recommendation(
        self,
        decision: Annotated[str, Field(max_length=200)],
        headline: Line,
        key_numbers: Numbers,
        reasons: Lines,
        risks: Lines,
        next_steps: Lines,
    ) -> str:
        """Give your recommendation; this ends the interview.

        Args:
            decision: Id of one of the options.
            headline: Your answer in a sentence.
            key_numbers: The numbers that the client wants to see, each with its unit.
            reasons: The most important first, the cause of it all; three count.
            risks: What may go wrong.
            next_steps: What to do first.
        """
        return self._do(
            "submit_recommendation",
            decision=decision,
            headline=headline,
            key_numbers=key_numbers,
            reasons=reasons,
            risks=risks,
            next_steps=next_steps,
        )


@cache
def toolbox() -> Toolbox:
    """Return the tools, with the topics of the public list in their schema."""
    tools = Toolbox.of(ConsultingTools)
    topics = (topic_type, (tuple(fact_types().topics),))
    return Toolbox(each.typed(topic=topics) if each.name == "ask_interviewer" else each for each in tools.values())


def topic_type(topics: tuple[str, ...]) -> Any:
    """Return the type of a parameter that takes a topic or nothing."""
    return Literal[topics] | None

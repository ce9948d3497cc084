"""The tools of the agent: documents, the catalogue of business tools, the customer, the clock, and the end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from ..core.errors import ToolRefused
from ..core.text import echo, nearest
from ..core.tools import Tool, Toolbox, tool
from .documents.desk import DEFAULT_LIMIT, MAX_LIMIT, Library, Retrieval
from .documents.index import Index, index_of
from .documents.render import Document, Passage
from .episode import Episode
from .kernel.clock import MAX_MINUTE
from .modules.catalog import TOOLS
from .observation import ToolMode, as_text, document_text, tool_text
from .user.messages import Asks, Refusals, Statements, Text

Query = Annotated[str, Field(max_length=1_000_000)]
Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
ToolName = Annotated[str, Field(min_length=1, max_length=100)]
_OF_CATALOGUE = ("search_tools", "describe_tool", "call_tool")


class PaymentTools:
    """The eight tools of the surface; whoever uses it holds an episode and a library."""

    _episode: Episode
    _library: Library

    @tool(effect="read")
    def search_documents(self, query: Query, limit: Limit = DEFAULT_LIMIT) -> str:
        """Search the company's documents by words; the best come first.

        Args:
            query: Words to look for.
            limit: Most documents to show.
        """
        return as_text(self._library.search(query, limit, self._episode.now))

    @tool(effect="read")
    def read_document(self, document_id: Annotated[str, Field(max_length=100)], section: str | None = None) -> str:
        """Read a document, or one section of it.

        Args:
            document_id: Id of the document, for example D-0412.
            section: Id of a section; the whole document without it.
        """
        return document_text(self._library.read(document_id, section, self._episode.now))

    @tool(effect="read")
    def search_tools(self, query: Query, limit: Limit = DEFAULT_LIMIT) -> str:
        """Search the business tools by words; the best come first.

        Args:
            query: Words to look for.
            limit: Most tools to show.
        """
        hits = _tool_index().search(query, limit)
        return as_text([{"name": hit.id, "module": hit.kind, "description": TOOLS[hit.id].description} for hit in hits])

    @tool(effect="read")
    def describe_tool(self, name: ToolName) -> str:
        """Show a business tool: what it does, its arguments, its error codes, and the minutes that it takes.

        Args:
            name: Name of the business tool.
        """
        if name not in TOOLS:
            raise ToolRefused("NO_SUCH_TOOL", f"name: there is no tool {echo(name, 80)!r}.{nearest(name, TOOLS)}")
        return tool_text(name)

    @tool(effect="write")
    def call_tool(self, name: ToolName, arguments: dict[str, Any]) -> str:
        """Call a business tool.

        Args:
            name: Name of the business tool.
            arguments: Its arguments, as describe_tool shows them.
        """
        return as_text(self._episode.call(name, arguments))

    @tool(effect="write")
    def message_user(
        self,
        text: Text,
        asks: Asks | None = None,
        statements: Statements | None = None,
        refusals: Refusals | None = None,
    ) -> str:
        """Write to the customer and wait for the answer.

        Args:
            text: What you write.
            asks: What you ask for; without any the text is searched for what it asks.
            statements: What you tell the customer.
            refusals: What you refuse, and why.
        """
        return as_text(self._episode.message(text, asks or (), statements or (), refusals or ()))

    @tool(effect="write")
    def wait(
        self,
        until_minute: Annotated[int, Field(ge=0, le=MAX_MINUTE // 2)] | None = None,
        for_event: Annotated[str, Field(max_length=100)] | None = None,
    ) -> str:
        """Let time pass: until a minute, until something has happened, or whichever comes first.

        Args:
            until_minute: Minute of the episode, not a number of minutes; for an event alone, a week from now.
            for_event: Name of what is to happen.
        """
        return as_text(self._episode.wait(until_minute, for_event))

    @tool(effect="write")
    def finish(self) -> str:
        """End the episode: everything is done, or refused."""
        self._episode.finish()
        self._has_finished()
        return "finished"

    def _has_finished(self) -> None:
        """What else is to be done when the agent finishes."""


class _CallTool(Tool):
    """`call_tool`, whose samples are calls that fit a business tool, each tool as likely as another."""

    def __init__(self) -> None:
        super().__init__(PaymentTools.call_tool, effect="write")

    def __reduce__(self) -> tuple[Any, ...]:
        return _CallTool, ()

    def sample(self, rng: np.random.Generator) -> dict[str, Any]:
        """Draw a business tool and arguments that fit it."""
        name = list(TOOLS)[int(rng.integers(len(TOOLS)))]
        return {"name": name, "arguments": TOOLS[name].sample(rng)}


SURFACE: Mapping[str, Tool] = {**Toolbox.of(PaymentTools), "call_tool": _CallTool()}
"""The eight tools by name."""


@cache
def toolbox(mode: ToolMode, retrieval: Retrieval, subset: tuple[str, ...]) -> Toolbox:
    """Return the tools on offer.

    Args:
        mode: `search` for a catalogue that is searched, `flat` for business tools beside the others.
        retrieval: Without any, there is no search for documents.
        subset: The business tools in the mode `flat`; none for all.
    """
    own = [each for each in SURFACE.values() if retrieval != "none" or each.name != "search_documents"]
    if mode == "search":
        return Toolbox(own)
    business = [TOOLS[name] for name in subset or TOOLS]
    return Toolbox([*(each for each in own if each.name not in _OF_CATALOGUE), *business])


@cache
def _tool_index() -> Index:
    """The catalogue as an index: each tool is a document of one section."""
    return index_of(tuple(_as_document(name) for name in sorted(TOOLS)))


def _as_document(name: str) -> Document:
    found = TOOLS[name]
    words = f"{name.replace('_', ' ')}. {found.description} {' '.join(found.parameters['properties'])}"
    return Document(name, name.replace("_", " "), found.module, None, "", (Passage("use", "use", words),))

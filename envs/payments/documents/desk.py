"""What an agent may ask for: a search, a document, a section; and what it is handed at the start.

The variants: `retrieval="none"` leaves no search, only documents whose id is known; `information="gold_documents"`
hands over the documents that the task needs, `"full_disclosure"` also what the customer would tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from ...core.errors import SettingError, ToolRefused
from ...core.text import echo, nearest
from .index import Index, index_of
from .render import Document, Passage

Retrieval = Literal["none", "bm25"]
Information = Literal["default", "gold_documents", "full_disclosure"]
DEFAULT_LIMIT = 10
MAX_LIMIT = 50


class Library:
    """The documents of a world, shared by its episodes.

    Args:
        documents: As they are rendered.
        retrieval: How they are searched.

    Raises:
        SettingError: There is no such retrieval, bm25s is not installed, or there is no document.
    """

    def __init__(self, documents: Iterable[Document], retrieval: Retrieval = "bm25") -> None:
        self._documents = {each.id: each for each in sorted(documents, key=lambda each: each.id)}
        if not self._documents:
            raise SettingError("documents: a library has at least one")
        _require("retrieval", retrieval, get_args(Retrieval))
        self._index: Index | None = index_of(tuple(self._documents.values())) if retrieval == "bm25" else None

    def __len__(self) -> int:
        return len(self._documents)

    def search(self, query: str, limit: int = DEFAULT_LIMIT, now: int | None = None) -> list[dict[str, Any]]:
        """Return the documents that a query finds, the best first.

        Args:
            query: Words.
            limit: Most documents to return, 1 to `MAX_LIMIT`.
            now: Minute of the episode; what is issued later is not found.

        Returns:
            For each document its id, title, kind, the section that has most of the query, and a line of it.

        Raises:
            ToolRefused: There is no search here, or an argument is none.
        """
        if self._index is None:
            raise ToolRefused("NO_SEARCH", "documents cannot be searched here; read those whose ids you know")
        if not isinstance(query, str):
            raise ToolRefused("BAD_QUERY", f"query: a text of words, not {echo(query)}")
        if type(limit) is not int or not 1 <= limit <= MAX_LIMIT:
            raise ToolRefused("BAD_LIMIT", f"limit: an integer from 1 to {MAX_LIMIT}, not {echo(limit)}")
        return [hit._asdict() for hit in self._index.search(query, limit, now)]

    def read(self, document_id: str, section: str | None = None, now: int | None = None) -> dict[str, Any]:
        """Return a document, or one section of it.

        Args:
            document_id: Of the document.
            section: Id of the section, None for all.
            now: Minute of the episode; what is issued later cannot be read.

        Returns:
            Id, title, kind, the ids and titles of its sections, and the text.

        Raises:
            ToolRefused: There is no such document, or no such section.
        """
        document = self._documents.get(document_id) if isinstance(document_id, str) else None
        if document is None or (now is not None and document.issued_at is not None and document.issued_at > now):
            hint = nearest(document_id, self._ids(now)) if isinstance(document_id, str) else ""
            raise ToolRefused("NO_SUCH_DOCUMENT", f"document_id: there is no document {echo(document_id)}.{hint}")
        text = document.text if section is None else _passage_text(document, _passage(document, section))
        sections = [{"id": each.id, "title": each.title} for each in document.passages]
        return {
            "id": document.id,
            "title": document.title,
            "kind": document.kind,
            "sections": sections,
            "text": text,
        }

    def text_of(self, document_id: str) -> str:
        """Return the text of a document that a task names.

        Raises:
            SettingError: There is none.
        """
        if document_id not in self._documents:
            hint = nearest(document_id, self._documents)
            raise SettingError(f"there is no document {echo(document_id)}.{hint}")
        return self._documents[document_id].text

    def _ids(self, now: int | None) -> list[str]:
        issued = ((each.id, each.issued_at) for each in self._documents.values())
        return [each for each, minute in issued if now is None or minute is None or minute <= now]


def handed_over(
    library: Library,
    information: Information,
    gold_ids: Sequence[str],
    disclosures: Mapping[str, str] | None = None,
) -> str:
    """Return what an agent is handed at the start besides the request; "" where that is nothing.

    Args:
        library: Of the world.
        information: How much is handed over.
        gold_ids: The documents that the task needs, in the order in which they are shown.
        disclosures: What the customer would tell, by what it is about.

    Raises:
        SettingError: There is no such variant, or a document does not exist.
    """
    _require("information", information, get_args(Information))
    if information == "default":
        return ""
    texts = [library.text_of(each).rstrip() for each in gold_ids]
    parts = ["These documents bear on the request:", *texts]
    if information == "full_disclosure" and disclosures:
        told = [f"- {name}: {value}" for name, value in disclosures.items()]
        parts.append("\n".join(["What the customer can tell:", *told]))
    return "\n\n".join(parts)


def _passage(document: Document, section: object) -> Passage:
    found = [each for each in document.passages if each.id == section]
    if not found:
        ids = ", ".join(each.id for each in document.passages)
        raise ToolRefused("NO_SUCH_SECTION", f"section: {document.id} has no section {echo(section)}; it has {ids}")
    return found[0]


def _passage_text(document: Document, passage: Passage) -> str:
    """A section alone still says whose it is and when it holds: the header goes with it."""
    return f"# {document.title}\n\n{document.header}\n\n## {passage.title}\n{passage.text}\n"


def _require(field: str, value: object, known: Sequence[str]) -> None:
    if value not in known:
        raise SettingError(f"{field}: one of {', '.join(known)}, not {echo(value)}.{nearest(str(value), known)}")

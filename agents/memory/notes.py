"""Notes on episodes, found again by their words and linked to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ..replies import texts_of
from .ranking import rank
from .texts import tidy_line

KEYWORDS, TAGS = 10, 6
WORD_CHARACTERS, CONTEXT_CHARACTERS = 60, 400


@dataclass(slots=True)
class Note:
    """What is kept of one episode.

    Attributes:
        id: A counter from 1; it is never given twice.
        task: What the episode began with, bounded.
        done: What was done in it, bounded.
        outcome: The feedback as a sentence, "" without.
        keywords: A model's words for it, as are `context` and `tags`; all empty in a store without a model.
        context: One sentence.
        tags: Categories.
        links: Ids of other notes.
    """

    id: int
    task: str
    done: str
    outcome: str = ""
    keywords: list[str] = field(default_factory=list)
    context: str = ""
    tags: list[str] = field(default_factory=list)
    links: list[int] = field(default_factory=list)

    @property
    def searched(self) -> str:
        """The text by which the note is found."""
        return " ".join([self.task, *self.keywords, self.context, *self.tags])

    def described(self) -> str:
        """Return the note as text for a prompt, which has to quote it."""
        linked = f" (linked to {', '.join(map(str, self.links))})" if self.links else ""
        parts = {
            "Task": self.task,
            "Done": self.done,
            "Outcome": self.outcome,
            "Context": self.context,
            "Keywords": ", ".join(self.keywords),
            "Tags": ", ".join(self.tags),
        }
        return "\n".join([f"Note {self.id}{linked}", *(f"{name}: {text}" for name, text in parts.items() if text)])


class Notebook:
    """Notes in the order of their making.

    Args:
        max_notes: Above it the oldest goes, and with it the links to it.

    Attributes:
        notes: The notes, oldest first.
    """

    def __init__(self, max_notes: int) -> None:
        self._max_notes = max_notes
        self._made = 0
        self.notes: list[Note] = []

    def new(self, task: str, done: str, outcome: str) -> Note:
        """Return a note with the next id; it is kept once it is handed to `insert`."""
        return Note(self._made + 1, task, done, outcome)

    def insert(self, note: Note) -> None:
        """Keep a note."""
        self._made = note.id
        self.notes.append(note)
        gone = {each.id for each in self.notes[: -self._max_notes]}
        if gone:
            self.notes = self.notes[-self._max_notes :]
            for each in self.notes:
                each.links = [link for link in each.links if link not in gone]

    def find(self, query: str, limit: int) -> list[Note]:
        """Return the notes that a query finds, the best first, at most `limit`."""
        return [self.notes[place] for place in rank(query, [each.searched for each in self.notes], limit)]

    def with_links(self, found: Sequence[Note], limit: int) -> list[Note]:
        """Return notes with those that they are linked to behind them, at most `limit` in all."""
        by_id = {each.id: each for each in self.notes}
        linked = (by_id[link] for each in found for link in each.links if link in by_id)
        return list({each.id: each for each in (*found, *linked)}.values())[:limit]

    def evolve(self, note: Note, shown: Iterable[Note], reply: Mapping[str, Any]) -> None:
        """Carry out what a model says about a new note and its neighbours: links, and their context and tags.

        Args:
            note: The new note; its links are replaced.
            shown: The neighbours that the model was shown; an id of any other note is ignored.
            reply: `{"links": [ids], "neighbours": [{"id", "context", "tags"}]}`.
        """
        by_id = {each.id: each for each in shown}
        links = reply.get("links")
        named = [id_of(link) for link in links] if isinstance(links, list) else []
        note.links = [link for link in by_id if link in named]
        edits = reply.get("neighbours")
        for edit in edits if isinstance(edits, list) else []:
            neighbour = by_id.pop(id_of(edit.get("id")), None) if isinstance(edit, dict) else None
            if neighbour is not None:
                describe(neighbour, {name: edit.get(name) for name in ("context", "tags")})

    def state(self) -> dict[str, Any]:
        """Return everything as JSON."""
        return {"made": self._made, "notes": [asdict(each) for each in self.notes]}

    def load(self, state: Mapping[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self._made = state["made"]
        self.notes = [Note(**fields) for fields in state["notes"]]


def describe(note: Note, given: Mapping[str, Any]) -> None:
    """Give a note the context, keywords and tags that a model wrote; what it left out stays as it is."""
    note.context = tidy_line(given.get("context"), CONTEXT_CHARACTERS) or note.context
    note.keywords = short_texts(given.get("keywords"), KEYWORDS) or note.keywords
    note.tags = short_texts(given.get("tags"), TAGS) or note.tags


def short_texts(value: Any, limit: int) -> list[str]:
    """Return the texts of a JSON list as short lines, each once."""
    lines = (tidy_line(text, WORD_CHARACTERS) for text in texts_of(value, limit))
    return list(dict.fromkeys(filter(None, lines)))


def id_of(value: Any) -> int:
    """Return the id that a model wrote, as a number or in digits; 0, which no note has, for anything else."""
    if isinstance(value, str):
        digits = value.strip().casefold().removeprefix("note").strip()
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
    return value if isinstance(value, int) and not isinstance(value, bool) else 0

"""AMEM: the agent keeps a note on each episode, and plays with the notes that fit the task at hand.

Reference: Xu et al. 2025, "A-MEM: Agentic Memory for LLM Agents". Two modes. `lite` finds notes by the words of the
task and writes them without a model; `full` asks a model for the query, for a description of each new note, and for the
links and changes to the notes near it.

Calls a sample, single-shot:

    lite:  1 act                                                                             = 1
    full:  1 retrieve (keywords) + 1 act + 1 analyse + 1 evolve (the last two: adaptation)   = 4

While there is no note there is nothing to find and nothing to link: the first sample of `full` has 2 calls, act and
analyse.

What differs from the reference: notes are found by BM25 instead of the cosine of embeddings; a note is about a whole
episode; and a change to a neighbour goes by its id. The code of agiresearch/A-mem takes the rank of a neighbour among
those found for its place in the list of all notes, and so rewrites the oldest notes whatever was found. A description
that a model wrote is bounded, and every note is quoted in the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Unpack

from ..envs.core.text import clip
from ..envs.core.trajectory import Trajectory
from .base import Feedback, TaskCard
from .deliberation import at_least
from .learning import TASK_CHARACTERS, Learner, account, feedback_text, quoted
from .memory.notes import KEYWORDS, TAGS, Note, Notebook, describe, short_texts
from .memory.texts import shortened, tidy, was_played
from .phases import INFERENCE
from .play import PlaySettings

_RECALL, _QUERY, _ANALYSE, _EVOLVE = (f"amem_{part}" for part in ("recall", "query", "analyse", "evolve"))
_NOTE_TASK_CHARACTERS, _NOTE_DONE_CHARACTERS = 1_200, 1_200


class AMEM(Learner):
    """Plays with the notes on earlier episodes that fit the task.

    Args:
        mode: `lite` or `full`.
        k_insert: Neighbours of a new note that the model is shown, in `full`; 5 in the reference.
        k_read: Most notes in the prompt; 10 in the reference.
        recall_characters: Of all notes in the prompt; those that do not fit whole are left out, the best come first.
        max_notes: Above it the oldest goes; the reference has no bound.
        play: The settings of `bizgym.agents.play.Play`.

    Raises:
        SettingError: A number is below 1, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar[Mapping[str, tuple[str, ...]]] = {
        _RECALL: ("notes",),
        _QUERY: ("task", "most"),
        _ANALYSE: ("note", "keywords", "tags"),
        _EVOLVE: ("note", "neighbours", "tags"),
    }

    def __init__(
        self,
        mode: Literal["lite", "full"] = "lite",
        k_insert: int = 5,
        k_read: int = 10,
        recall_characters: int = 12_000,
        max_notes: int = 1_000,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__(**play)
        self._full = mode == "full"
        self._k_insert, self._k_read = at_least(1, k_insert=k_insert), at_least(1, k_read=k_read)
        self._recall_characters = at_least(1, recall_characters=recall_characters)
        self._notebook = Notebook(at_least(1, max_notes=max_notes))
        self._recalled: list[Note] = []
        self._unreadable = 0
        self._missed = 0  # unreadable queries of the episode at hand; they count once it is over

    def begin_episode(self, task: TaskCard) -> None:
        """Find the notes that fit the task, and begin with them."""
        self._recalled, self._missed = [], 0
        super().begin_episode(task)
        found = self._notebook.find(self._query(task), self._k_read)  # not before: each episode has its own seed
        self._recalled = self._notebook.with_links(found, self._k_read)
        self._conversation = self._conversation.relearned(self.learned())

    def learned(self) -> str:
        """Return the notes that fit, each a quotation, "" where none does."""
        notes, left = [], self._recall_characters
        for note in self._recalled:
            text = quoted(note.described())
            if len(text) <= left:
                notes.append(text)
                left -= len(text)
        return self.prompt(_RECALL).fill(notes="\n\n".join(notes)) if notes else ""

    def end_episode(self, trajectory: Trajectory, feedback: Feedback | None) -> None:
        """Write a note on the episode; in `full` with a description, links, and changes to its neighbours."""
        if not was_played(trajectory):
            return
        note = self._note(trajectory, feedback)
        analysis = evolution = None
        neighbours: list[Note] = []
        if self._full:
            analysis = self._asked(_ANALYSE, {"keywords": str(KEYWORDS)}, note, role="analyse")
            describe(note, analysis or {})
            neighbours = self._notebook.find(note.searched, self._k_insert)
        if neighbours:
            shown = "\n\n".join(quoted(each.described()) for each in neighbours)
            evolution = self._asked(_EVOLVE, {"neighbours": shown}, note, role="evolve")
            self._notebook.evolve(note, neighbours, evolution or {})
        self._notebook.insert(note)
        unread = int(self._full and analysis is None) + int(bool(neighbours) and evolution is None)
        self._unreadable += self._missed + unread

    def state(self) -> dict[str, Any]:
        """Return the notes, and how many replies could not be read."""
        return {**self._notebook.state(), "unreadable": self._unreadable}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self._notebook.load(state)
        self._unreadable = state["unreadable"]

    def _query(self, task: TaskCard) -> str:
        """Return what to search for: the words of the task, or those that a model finds telling in it."""
        text = clip(task.text, TASK_CHARACTERS)
        if not self._full or not self._notebook.notes:
            return text
        values = {"task": quoted(text), "most": str(KEYWORDS)}
        reply = self.study_object(_QUERY, values, role="retrieve", phase=INFERENCE)
        keywords = short_texts((reply or {}).get("keywords"), KEYWORDS)
        self._missed = int(not keywords)
        return " ".join(keywords) or text

    def _note(self, trajectory: Trajectory, feedback: Feedback | None) -> Note:
        task = shortened(trajectory.first_observation, _NOTE_TASK_CHARACTERS)
        done = shortened(account(trajectory), _NOTE_DONE_CHARACTERS)
        outcome = "" if feedback is None else tidy(feedback_text(feedback), _NOTE_DONE_CHARACTERS)
        return self._notebook.new(task, done, outcome)

    def _asked(self, prompt: str, values: Mapping[str, str], note: Note, *, role: str) -> dict[str, Any] | None:
        filled = {**values, "note": quoted(note.described()), "tags": str(TAGS)}
        return self.study_object(prompt, filled, role=role)

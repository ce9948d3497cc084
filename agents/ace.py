"""ACE: the agent keeps a playbook of advice; a reflector judges each piece by what came of it, a curator adds new ones.

Reference: Zhang et al. 2025, "Agentic Context Engineering: Evolving Contexts for Self-Improving Language Models", in
its online mode.

Calls a sample, single-shot, in the profile `paper`, with the passes that the official code makes beside the scored one:

    a right answer:  1 initial test without the playbook + 1 scored answer + 1 generation + 1 reflection
                     + 1 curation + 1 post-generation                                             = 6
    a wrong answer:  1 initial test + 1 scored answer + 1 generation
                     + 3 rounds of (1 reflection + 1 regeneration) + 1 curation + 1 post-generation = 11 at most

The profile `lean` leaves out what tests only, and the rounds: scored answer, generation, reflection, curation = 4.
The scored answer is an act of the inference; all else happens after the episode (adaptation). A pass is a proposal on
the prompt of the episode's last decision: data, of which nothing is played.

What differs from the reference: whether an answer was wrong is known only where the run's feedback tells it, never
from a label behind it; where it does not tell, and for each regenerated answer, an empty "error" of the reflector's
ends the rounds. Without a review that can be read nothing is curated. The playbook never exceeds its tokens: the lowest
net score goes first. Merging near-duplicates and pruning what misleads are ours, and off in `paper`, where the
reference does neither by default; exact duplicates are never kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Unpack

from ..envs.core.chat import Message
from ..envs.core.errors import SettingError
from ..envs.core.stop import StopReason
from ..envs.core.trajectory import Trajectory
from .base import AgentStop, Feedback, TaskCard
from .deliberation import at_least
from .learning import SUCCESS_FROM, Learner, account, feedback_text, quoted, task_text
from .memory.playbook import MOST_OPERATIONS, SECTIONS, Playbook
from .memory.texts import tidy, was_played
from .phases import ADAPTATION
from .play import PlaySettings
from .proposals import Proposal

_PLAYBOOK, _REFLECT, _RETRY, _CURATE = (f"ace_{part}" for part in ("playbook", "reflect", "retry", "curate"))
_PARTS = {
    "reasoning": "Reasoning",
    "error": "Error",
    "root_cause": "Root cause",
    "correct_approach": "Correct approach",
    "key_insight": "Key insight",
}
_PART_CHARACTERS = 2_000
_NO_ATTEMPT = frozenset({StopReason.REFUSAL, StopReason.OUTPUT_TRUNCATED, StopReason.CONTEXT_OVERFLOW})
_NOTHING = "(nothing yet)"


@dataclass(frozen=True, slots=True)
class Profile:
    """What is done with a sample.

    Attributes:
        tests: Whether the initial test and the post-generation are made, which change nothing.
        rounds: Most rounds of reflection and regeneration after a wrong answer.
        merge: Whether an addition that says nearly the same as a bullet is left out.
        prune: Whether bullets go that were more harmful than helpful.
    """

    tests: bool
    rounds: int
    merge: bool
    prune: bool


PROFILES = {
    # max_num_rounds 3, the duplicate analyzer off, no pruning: the defaults of the official code (ace-agent/ace).
    "paper": Profile(tests=True, rounds=3, merge=False, prune=False),
    "lean": Profile(tests=False, rounds=0, merge=True, prune=True),
}


class ACE(Learner):
    """Plays with a playbook that grows by one curation a sample.

    Args:
        profile: `paper` or `lean`, see `PROFILES`.
        rounds: Most rounds of reflection and regeneration after a wrong answer; None for the profile's.
        merge: Whether near-duplicates are left out; None for the profile's.
        prune: Whether bullets go that mislead; None for the profile's.
        playbook_tokens: Most tokens of the playbook, as estimated; 80,000 in the reference.
        merge_overlap: From which overlap of words, 0 to 1, a text is a near-duplicate; 0.9 after the reference's
            threshold for the cosine of embeddings.
        prune_margin: By how much harmful has to exceed helpful for a bullet to go; 3 is ours.
        play: The settings of `bizgym.agents.play.Play`.

    Raises:
        SettingError: A number is out of its range, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar[Mapping[str, tuple[str, ...]]] = {
        _PLAYBOOK: ("playbook",),
        _REFLECT: ("playbook", "task", "episode", "feedback", "attempt"),
        _RETRY: ("reflection",),
        _CURATE: ("playbook", "task", "reflection", "sections", "most", "used", "limit"),
    }

    def __init__(
        self,
        profile: Literal["paper", "lean"] = "paper",
        rounds: int | None = None,
        merge: bool | None = None,
        prune: bool | None = None,
        playbook_tokens: int = 80_000,
        merge_overlap: float = 0.9,
        prune_margin: int = 3,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__(**play)
        chosen = PROFILES[profile]
        self._tests = chosen.tests
        self._rounds = at_least(0, rounds=chosen.rounds if rounds is None else rounds)
        merges = chosen.merge if merge is None else merge
        prunes = chosen.prune if prune is None else prune
        margin = at_least(1, prune_margin=prune_margin)
        if not 0 < merge_overlap <= 1:
            raise SettingError(f"merge_overlap: above 0 and at most 1, not {merge_overlap}")
        self._limit = at_least(1, playbook_tokens=playbook_tokens)
        self._bounds = self._limit, merge_overlap if merges else None, margin if prunes else None
        self._playbook = Playbook(*self._bounds)
        self._counts = dict.fromkeys(("unreadable", "passes", "initial_as_played", "post_as_played"), 0)
        self._decided: Proposal | None = None

    def begin_episode(self, task: TaskCard) -> None:
        """Begin with the playbook."""
        self._decided = None
        super().begin_episode(task)

    def decide(self) -> Proposal:
        """Return the proposal to play; the last one is what the passes after the episode are compared with."""
        self._decided = self.propose()
        return self._decided

    def learned(self) -> str:
        """Return the playbook as a quotation, "" while it is empty."""
        return self._shown(self._playbook)

    def end_episode(self, trajectory: Trajectory, feedback: Feedback | None) -> None:
        """Reflect on what was played, and curate; the new playbook counts once all of that is done."""
        if not was_played(trajectory) or self._decided is None:
            return
        playbook, counts = self._copied(), dict(self._counts)
        if self._tests:
            self._compare(counts, "initial_as_played", self._pass(""))
        attempt = self._pass(self.learned())
        reflection = self._reflect(playbook, counts, trajectory, feedback, attempt)
        if reflection:
            self._curate(playbook, counts, trajectory, reflection)
        if self._tests:
            self._compare(counts, "post_as_played", self._pass(self._shown(playbook)))
        self._playbook, self._counts = playbook, counts

    def state(self) -> dict[str, Any]:
        """Return the playbook, what became of its operations, the unreadable replies, and how the passes compare."""
        return {**self._playbook.state(), "tokens": self._playbook.tokens, **self._counts}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self._playbook.load(state)
        self._counts = {name: state[name] for name in self._counts}

    def _reflect(
        self,
        playbook: Playbook,
        counts: dict[str, int],
        trajectory: Trajectory,
        feedback: Feedback | None,
        attempt: Proposal | None,
    ) -> str:
        """Reflect, and regenerate while the answer is wrong; return the last reflection as text, "" without one."""
        episode, was_right = account(trajectory), verdict(feedback)
        named = playbook.named_in(episode)
        values = {
            "task": quoted(task_text(trajectory)),
            "episode": quoted(episode),
            "feedback": feedback_text(feedback),
        }
        reflection = ""
        for number in range(max(1, self._rounds)):
            values["attempt"] = quoted("(no answer)" if attempt is None else attempt.described())
            values["playbook"] = quoted(playbook.text(named or None) or _NOTHING)
            reply = self.study_object(_REFLECT, values, role="reflect")
            if reply is None:
                counts["unreadable"] += 1
                return reflection
            playbook.tag(reply.get("bullet_tags"))
            reflection, erred = _as_text(reply), _has_error(reply)
            wrong = erred if was_right is None or number else not was_right
            if not wrong or not self._rounds:
                return reflection
            retry = self.prompt(_RETRY).fill(reflection=quoted(reflection))
            attempt = self._pass(self._shown(playbook), [{"role": "user", "content": retry}])
        return reflection

    def _curate(self, playbook: Playbook, counts: dict[str, int], trajectory: Trajectory, reflection: str) -> None:
        values = {
            "playbook": quoted(playbook.text() or _NOTHING),
            "task": quoted(task_text(trajectory)),
            "reflection": quoted(reflection),
            "sections": ", ".join(SECTIONS),
            "most": str(MOST_OPERATIONS),
            "used": f"{playbook.tokens:,}",
            "limit": f"{self._limit:,}",
        }
        reply = self.study_object(_CURATE, values, role="curate")
        if reply is None or not isinstance(reply.get("operations"), list):
            counts["unreadable"] += 1
        else:
            playbook.apply(reply["operations"])

    def _pass(self, learned: str, extra: Sequence[Message] = ()) -> Proposal | None:
        """Ask once more for the last turn, with another playbook; None where the model refuses or is cut off."""
        self._conversation = self._conversation.relearned(learned)
        try:
            return self.propose(extra, phase=ADAPTATION)
        except AgentStop as stop:
            if stop.reason not in _NO_ATTEMPT:
                raise
            return None

    def _compare(self, counts: dict[str, int], name: str, proposal: Proposal | None) -> None:
        assert self._decided is not None
        counts["passes"] += 1
        counts[name] += proposal is not None and proposal.key == self._decided.key

    def _shown(self, playbook: Playbook) -> str:
        text = playbook.text()
        return self.prompt(_PLAYBOOK).fill(playbook=quoted(text)) if text else ""

    def _copied(self) -> Playbook:
        copied = Playbook(*self._bounds)
        copied.load(self._playbook.state())
        return copied


def verdict(feedback: Feedback | None) -> bool | None:
    """Whether the feedback says right or wrong; None where it does not tell, or tells a score in between."""
    if feedback is None or feedback.success is not None:
        return None if feedback is None else feedback.success
    if feedback.normalized is None:
        return None
    if feedback.normalized >= SUCCESS_FROM:
        return True
    return False if feedback.normalized <= 1 - SUCCESS_FROM else None


def _as_text(reply: Mapping[str, Any]) -> str:
    parts = {title: tidy(reply[name], _PART_CHARACTERS) for name, title in _PARTS.items() if _is_text(reply, name)}
    return "\n".join(f"{title}: {text}" for title, text in parts.items() if text)


def _has_error(reply: Mapping[str, Any]) -> bool:
    said = reply["error"].strip(" .").casefold() if _is_text(reply, "error") else ""
    return said not in ("", "none", "nothing", "no error", "no error found", "n/a")


def _is_text(reply: Mapping[str, Any], name: str) -> bool:
    return isinstance(reply.get(name), str)

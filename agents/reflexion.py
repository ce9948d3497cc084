"""Reflexion: a failed trial is put into words, and the lesson stands in the prompt of the next trial.

Shinn et al. 2023, "Reflexion: Language Agents with Verbal Reinforcement Learning". A trial is one decision, judged
by the model itself before anything is played (`apply` every_step, every_k, commit_only), or a whole episode of a task
that is repeated (`episode`, with trials above 1). What differs: within an episode no trial touches the environment,
so that the evaluator replaces its reward, and the lessons of one decision serve the later ones of the episode.

Calls a decision: 1 (act) + 1 (evaluate) + for each failed trial reflect, act and, but for the last trial, evaluate:
`paper` 2 to 7, `small` 2 to 4. With `episode`: 1 a turn, and after an episode evaluate (where the feedback does not
tell) and reflect.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Unpack

from ..envs.core.text import clip, printable
from ..envs.core.trajectory import Trajectory
from .base import Feedback, TaskCard
from .deliberation import Apply, Deliberator, asked, at_least, shown
from .learning import account, feedback_text, quoted, succeeded, task_text
from .phases import ADAPTATION
from .play import PlaySettings
from .proposals import Proposal
from .replies import read_object


@dataclass(frozen=True, slots=True)
class _Profile:
    max_trials: int
    window: int


PROFILES = {
    # the last three lessons of the authors' code for ALFWorld; three trials are ours: the authors' 2 to 12 are judged
    # by tests or rewards that cost no call, and after three no more lessons fit the window
    "paper": _Profile(max_trials=3, window=3),
    # ours: one retry with one lesson, the least that their paper stores (one to three, section 3)
    "small": _Profile(max_trials=2, window=1),
}
LESSON_TOKENS = 250
"""Most tokens of a lesson: that of the authors' code for HotPotQA."""
_LESSON_CHARACTERS = 2_000
_WHY_CHARACTERS = 2_000


class Reflexion(Deliberator):
    """Tries, judges, reflects and tries again; lessons belong to one task.

    Args:
        profile: `paper` (3 proposals, 3 lessons) or `small` (2 proposals, 1 lesson).
        apply: Where a trial is one decision: `every_step`, `every_k` or `commit_only`; `episode` where it is a whole
            episode of a task, played again.
        every_k: k of `every_k`, in turns.
        max_trials: Most proposals for one decision, at least 1; None for the profile's.
        window: Lessons of a task that a prompt holds, at least 1, the newest; None for the profile's.
        lesson_tokens: Most tokens of a lesson, at least 1; hidden reasoning counts, so give a model that reasons more.
        play: The settings of `bizgym.agents.play.Play`.

    Attributes:
        adaptive: Whether it learns between episodes: with `episode` alone.
        unreadable: Number of verdicts, lessons and retries that could not be read; each changed nothing.

    Raises:
        SettingError: A number is below 1, or a setting of `Play` does not hold.
    """

    prompts_used: ClassVar = {
        "reflexion_evaluate": ("proposal",),
        "reflexion_reflect": ("proposal", "why", "lessons"),
        "reflexion_retry": ("proposal", "lessons"),
        "reflexion_lessons": ("lessons",),
        "reflexion_evaluate_episode": ("task", "account", "feedback"),
        "reflexion_reflect_episode": ("task", "account", "feedback", "lessons"),
    }

    def __init__(
        self,
        profile: Literal["paper", "small"] = "paper",
        apply: Apply | Literal["episode"] = "every_step",
        every_k: int = 5,
        max_trials: int | None = None,
        window: int | None = None,
        lesson_tokens: int = LESSON_TOKENS,
        **play: Unpack[PlaySettings],
    ) -> None:
        super().__init__("every_step" if apply == "episode" else apply, every_k, **play)
        self.adaptive = apply == "episode"
        chosen = PROFILES[profile]
        self._max_trials = at_least(1, max_trials=chosen.max_trials if max_trials is None else max_trials)
        self._window = at_least(1, window=chosen.window if window is None else window)
        self._lesson_tokens = at_least(1, lesson_tokens=lesson_tokens)
        self._lessons: dict[str, list[str]] = {}
        self._solved: list[str] = []
        self.unreadable = 0

    def begin_episode(self, task: TaskCard) -> None:
        """Begin with the lessons of this task where episodes are trials, else with none."""
        if not self.adaptive:
            self._lessons = {}
        super().begin_episode(task)

    def learned(self) -> str:
        """Return the lessons of earlier episodes of this task."""
        return self._lessons_text() if self.adaptive else ""

    def draft(self) -> Proposal:
        """Return a first proposal; it knows the lessons of earlier decisions of the episode."""
        lessons = "" if self.adaptive else self._lessons_text()
        return self.propose(asked(lessons) if lessons else ())

    def decide(self) -> Proposal:
        """Return the proposal to play."""
        return self.draft() if self.adaptive else super().decide()

    def deliberate(self, draft: Proposal | None) -> Proposal:
        """Return the proposal of the last trial."""
        proposal = self.draft() if draft is None else draft
        for _ in range(self._max_trials - 1):  # the last trial is not judged: nothing could follow from it
            retry = self._retry(proposal)
            if retry is None or retry.key == proposal.key:  # the authors' guard, too, ends what repeats itself
                break
            proposal = retry
        return proposal

    def end_episode(self, trajectory: Trajectory, feedback: Feedback | None) -> None:
        """Add a lesson after a failed episode of a task that was not solved yet.

        Raises:
            AgentStop: The budget of the run is spent.
            ProviderError: As the client raises it.
        """
        task = trajectory.task_id
        if not self.adaptive or task in self._solved:
            return
        values = {
            "task": quoted(task_text(trajectory)),
            "account": quoted(account(trajectory)),
            "feedback": feedback_text(feedback),
        }
        solved = succeeded(feedback)
        if solved is None:
            verdict = self.consult_object("reflexion_evaluate_episode", values, role="evaluate", phase=ADAPTATION)
            solved = self._is_solved(verdict)
            values["feedback"] += f"\n\nYou judged it yourself, and gave this reason:\n\n{quoted(_why(verdict))}"
        if solved:
            self._solved.append(task)
        elif solved is False:
            values["lessons"] = self._listed(task)
            prompt, tokens = "reflexion_reflect_episode", self._lesson_tokens
            self._keep(task, self.consult(prompt, values, role="reflect", phase=ADAPTATION, max_tokens=tokens))

    def state(self) -> dict[str, Any]:
        """Return the lessons by task, the tasks that were solved, and how many replies could not be read."""
        lessons = {task: list(kept) for task, kept in self._lessons.items()}
        return {"lessons": lessons, "solved": list(self._solved), "unreadable": self.unreadable}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self._lessons = {task: list(kept) for task, kept in state["lessons"].items()}
        self._solved, self.unreadable = list(state["solved"]), state["unreadable"]

    def _retry(self, proposal: Proposal) -> Proposal | None:
        """Return the next trial; None where this one is not found to have failed, or nothing is learned of it."""
        question = self.prompt("reflexion_evaluate").fill(proposal=shown(proposal))
        verdict = read_object(self.comment(question, role="evaluate"))
        if self._is_solved(verdict) is not False:
            return None
        task, why = self._task.task_id, quoted(_why(verdict))
        values = {"proposal": shown(proposal), "why": why, "lessons": self._listed(task)}
        question = self.prompt("reflexion_reflect").fill(**values)
        if not self._keep(task, self.comment(question, role="reflect", max_tokens=self._lesson_tokens)):
            return None
        question = self.prompt("reflexion_retry").fill(proposal=shown(proposal), lessons=self._listed(task))
        retry = self.retried(question, role="act")
        self.unreadable += retry is None
        return retry

    def _is_solved(self, verdict: dict[str, Any] | None) -> bool | None:
        solved = (verdict or {}).get("solved")
        if isinstance(solved, bool):
            return solved
        self.unreadable += 1
        return None

    def _keep(self, task: str, lesson: str) -> bool:
        """Append a lesson to those of a task; False where there is none."""
        lesson = clip(printable(lesson.strip()), _LESSON_CHARACTERS)
        self.unreadable += not lesson
        if lesson:
            self._lessons.setdefault(task, []).append(lesson)
        return bool(lesson)

    def _lessons_text(self) -> str:
        task = self._task.task_id
        return self.prompt("reflexion_lessons").fill(lessons=self._listed(task)) if self._lessons.get(task) else ""

    def _listed(self, task: str) -> str:
        newest = self._lessons.get(task, [])[-self._window :]
        return quoted("\n".join(f"- {lesson}" for lesson in newest) or "(none yet)")


def _why(verdict: dict[str, Any] | None) -> str:
    why = (verdict or {}).get("why")
    return clip(why.strip(), _WHY_CHARACTERS) if isinstance(why, str) and why.strip() else "(none given)"

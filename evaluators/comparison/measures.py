"""What the episodes of one agent come to: its score, how sure it is, how reliable it plays, and what that took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..aggregate import Counts
from ..costs import JUDGE, Cost, Usage, add_usage, cost_of
from ..reliability import PassHatK, Trials, curve
from ..statistics import ci95_by_task, mean
from .contests import Entry
from .episodes import SIMULATOR, Episode, Key, adapting, amount, of_role, own


@dataclass(frozen=True, slots=True)
class Use:
    """What models used in episodes, all amounts summed over them.

    Attributes:
        episodes: Number of episodes with a record.
        calls: Calls of the agent's own.
        input: Tokens read in them, `cached` those of them that came from the provider's cache; `output` tokens written.
        cost: What they cost.
        adaptation_calls: Calls among them that were made to learn, `adaptation_tokens` the tokens of those calls.
        simulator_calls, judge_calls: Calls of models that are no part of the agent.
        seconds: Time of the episodes that say how long they took, `timed` their number.
    """

    episodes: int
    calls: int
    input: int
    cached: int
    output: int
    cost: Cost
    adaptation_calls: int
    adaptation_tokens: int
    simulator_calls: int
    judge_calls: int
    seconds: float
    timed: int

    def each(self, total: float) -> float | None:
        """Return a total per episode, None where there is no episode or no model was called."""
        return total / self.episodes if self.episodes and self.calls else None

    @property
    def cached_share(self) -> float | None:
        """Share of the tokens read that came from the provider's cache."""
        return self.cached / self.input if self.input else None

    @property
    def adaptation_share(self) -> float | None:
        """Share of the agent's own calls that were made to learn."""
        return self.adaptation_calls / self.calls if self.calls else None

    @property
    def adaptation_token_share(self) -> float | None:
        """Share of the agent's own tokens, read and written, that were used to learn."""
        tokens = self.input + self.output
        return self.adaptation_tokens / tokens if tokens else None

    @property
    def usd(self) -> float | None:
        """Money per episode, None where a call has no known price or no model was called."""
        return None if self.cost.unpriced else self.each(self.cost.usd)

    @property
    def tokens(self) -> float | None:
        """Tokens read and written per episode."""
        return self.each(self.input + self.output)

    @property
    def seconds_each(self) -> float | None:
        """Seconds per episode."""
        return self.seconds / self.timed if self.timed else None


@dataclass(frozen=True, slots=True)
class Measures:
    """The numbers of one agent over some of the tasks.

    Attributes:
        counts: What they rest on.
        tasks: Number of tasks asked for.
        trials: Most trials asked for of a task.
        score: Mean reward of scored episodes, `ci95` its 95 % interval: over tasks where a task has
            several trials, see `statistics.ci95_by_task`.
        normalized: Mean on the scale of the tasks, over `scaled` episodes.
        strict: Strict successes among the attempted episodes that are judged by checks, errored ones as failures;
            None where no episode has checks. `strict_ci95` is the interval, likewise.
        reliability: pass^k for each k up to the trials, empty where no episode has checks.
        last_trial: Mean reward of the last trial alone, None where there is only one.
        use: What models used in the valid records.
    """

    counts: Counts
    tasks: int
    trials: int
    score: float | None
    ci95: tuple[float, float] | None
    normalized: float | None
    scaled: int
    strict: float | None
    strict_ci95: tuple[float, float] | None
    reliability: list[PassHatK]
    last_trial: float | None
    use: Use

    @property
    def scored(self) -> int:
        """Number of episodes with a score."""
        return self.counts.attempted - self.counts.errored - self.counts.unscored


def measure(entry: Entry, tasks: Iterable[str] | None = None) -> Measures:
    """Return the numbers of an agent.

    Args:
        entry: The agent.
        tasks: The tasks that count, None for all that it was asked to play.
    """
    kept = None if tasks is None else set(tasks)
    asked = [key for key in entry.asked if kept is None or key[0] in kept]
    episodes = [episode for key in asked if (episode := entry.episodes.get(key)) is not None]
    rewards = [each.reward for each in episodes if each.scored and each.reward is not None]
    normalized = [each.normalized for each in episodes if each.normalized is not None]
    won = sum(each.verdict is not None and each.verdict.strict for each in episodes)
    has_checks = any(each.verdict is not None for each in episodes)
    trials = max((trial + 1 for _, trial in asked), default=0)
    last = [each.reward for each in episodes if each.scored and each.reward is not None and each.key[1] == trials - 1]
    return Measures(
        counts=_counts(asked, episodes),
        tasks=len({task for task, _ in asked}),
        trials=trials,
        score=mean(rewards) if rewards else None,
        ci95=_interval(_scores(episodes), entry.counts_successes),
        normalized=mean(normalized) if normalized else None,
        scaled=len(normalized),
        strict=won / len(episodes) if has_checks else None,
        strict_ci95=_interval(_successes(episodes), True) if has_checks else None,
        reliability=curve(_trials(asked, entry.episodes)) if has_checks else [],
        last_trial=mean(last) if last and trials > 1 else None,
        use=_use(episodes, entry.paid if kept is None else {}),
    )


def cost_json(cost: Cost) -> dict[str, Any]:
    """Return money for a script: the sum of what is priced, and how many of how many calls are not."""
    return {"usd": cost.usd if cost.unpriced < cost.calls else None, "calls": cost.calls, "unpriced": cost.unpriced}


def _scores(episodes: list[Episode]) -> dict[Key, float]:
    return {each.key: each.reward for each in episodes if each.scored and each.reward is not None}


def _successes(episodes: list[Episode]) -> dict[Key, float]:
    return {each.key: float(each.verdict is not None and each.verdict.strict) for each in episodes}


def _interval(values: Mapping[Key, float], counts_successes: bool) -> tuple[float, float] | None:
    """The 95 % interval of a mean; one of zeros and ones is a rate, and no rate is sure because all episodes agree."""
    tasks: dict[str, list[float]] = {}
    for (task, _), value in values.items():
        tasks.setdefault(task, []).append(value)
    return ci95_by_task(tasks.values(), is_rate=counts_successes)


def _counts(asked: list[Key], episodes: list[Episode]) -> Counts:
    errored = sum(each.errored for each in episodes)
    unscored = sum(each.reward is None and not each.errored for each in episodes)
    return Counts(len(asked), len(episodes), errored, unscored)


def _trials(asked: Iterable[Key], episodes: Mapping[Key, Episode]) -> dict[str, Trials]:
    """Count verdicts by task; what has a record and no verdict is unknown."""
    found: dict[str, Trials] = {}
    for key in asked:
        trials, episode = found.setdefault(key[0], Trials()), episodes.get(key)
        trials.asked += 1
        if episode is None:
            continue
        if episode.verdict is None:
            trials.unknown += 1
        elif episode.verdict.strict:
            trials.successes += 1
        else:
            trials.failures += 1
    return found


def _use(episodes: list[Episode], paid: Usage) -> Use:
    """Sum what the valid records say; judgements are paid for beside the records."""
    total: dict[str, dict[str, float]] = {}
    for episode in episodes:
        add_usage(total, episode.usage)
    mine, learning = own(total), adapting(total)
    timed = [episode.seconds for episode in episodes if episode.seconds is not None]
    return Use(
        episodes=len(episodes),
        calls=int(amount(mine, "calls")),
        input=int(amount(mine, "input")),
        cached=int(amount(mine, "cached")),
        output=int(amount(mine, "output")),
        cost=cost_of(mine),
        adaptation_calls=int(amount(learning, "calls")),
        adaptation_tokens=int(amount(learning, "input", "output")),
        simulator_calls=int(amount(of_role(total, SIMULATOR), "calls")),
        judge_calls=int(amount(of_role(paid, JUDGE), "calls")),
        seconds=sum(timed),
        timed=len(timed),
    )

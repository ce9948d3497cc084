"""Twelve ladders for a judge of case interviews: staged interviews that differ in one thing, and what may follow.

Each ladder is a claim that can fail. The limits are those at which a judge's points stop meaning what they say; where a
published figure stands behind one, it is named beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ...envs.core.chat import ChatClient, ChatSettings, Completion, Message, ToolSchema
from ...envs.core.jsontext import JsonRefused, decode
from ..judge.judging import Judge, JudgePrompts
from ..judge.verdict import SCORED, UNSCORED, Verdict
from ..statistics import mean, spearman, standard_deviation
from .ladder import LEVELS, Stage, StagedCase

RISE = 0.2
"""How much more form, padding, or somebody else's words may bring."""
SILENT_LIMIT, FRAMEWORK_LIMIT, CONFIDENT_LIMIT = 1.0, 4.0, 5.0
RANK_LIMIT = 0.8
RUNS, RUNS_SD_LIMIT = 5, 0.3
VARIANTS_LIMIT = 0.12
"""The spread that EnterpriseBench reports between variants of its judge's prompt."""
FAMILY_MAE_LIMIT, FAVOUR_LIMIT = 1.0, 0.5
COMFORT, COMFORT_SHARE_LIMIT = (7.0, 9.0), 0.6
"""The range into which lenient judges press everything, and the share of interviews that may lie in it."""
PROSE = "A fair answer for 5 reasons. Verdict: B"
Verdicts = Generator[tuple[str, str], None, dict[str, float]]
"""Yields what was tested and why it failed ("" where it held); returns figures by name."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The judge under test, and what some ladders need beside it.

    Attributes:
        judge: The judge.
        variants: Variants of the prompt, all of which have to grade alike.
        second: A judge of another family; None where there is none, and the ladder that needs one is left out.
        rewrite: The system message by which a model words a recommendation anew.
    """

    judge: Judge
    variants: Sequence[JudgePrompts]
    second: Judge | None = None
    rewrite: str = ""


@dataclass(slots=True)
class Bench:
    """A panel and the staged cases; no judge is asked twice for the same.

    Attributes:
        panel: The panel.
        cases: The cases.
    """

    panel: Panel
    cases: Sequence[StagedCase]
    _known: dict[tuple[int, str], Verdict | str] = field(default_factory=dict)

    def verdict(self, stage: Stage, judge: Judge | None = None) -> Verdict:
        """Return the verdict on a stage.

        Raises:
            Untold: There is none; the message says why.
        """
        judge = judge or self.panel.judge
        place = (id(judge.client), judge.key(stage.transcript))
        if place not in self._known:
            judgement = judge.judge(stage.transcript)
            self._known[place] = judgement.verdict or f"{judgement.status}: {judgement.reason}"
        found = self._known[place]
        if isinstance(found, str):
            raise Untold(f"{stage.name} {found}")
        return found

    def overall(self, stage: Stage, judge: Judge | None = None) -> float:
        """Return the overall mean of the verdict on a stage."""
        return self.verdict(stage, judge).overall_mean


class Untold(Exception):
    """A judge gave no verdict where a ladder needs one."""


def _rise(bench: Bench, twins: Callable[[StagedCase], Sequence[Stage]]) -> Verdicts:
    """A twin of the middle rung, worth no more than it, gets no more points for its form."""
    rises = []
    for case in bench.cases:
        base = bench.overall(case.levels["mid"])
        for twin in twins(case):
            rise = bench.overall(twin) - base
            rises.append(rise)
            why = f"{base:.2f} became {base + rise:.2f}" if rise > RISE else ""
            yield f"{case.case.case_id}, {twin.name}", why
    return {"largest_rise": max(rises), "mean_rise": mean(rises)}


def padding(bench: Bench) -> Verdicts:
    """Saying the reasons again and again does not pay."""
    return (yield from _rise(bench, lambda case: [case.padded]))


def polish(bench: Bench) -> Verdicts:
    """Headings, bold type and consultants' phrases do not pay (style bias: arXiv 2604.23178)."""
    return (yield from _rise(bench, lambda case: [case.polished]))


def leniency(bench: Bench) -> Verdicts:
    """Silence, a framework without a question, and a wrong decision said with confidence stay below their limits."""
    found: dict[str, list[float]] = {"silent": [], "framework": [], "confident_and_wrong": []}
    for case in bench.cases:
        stages = (case.silent, case.framework, case.confident)
        limits = (SILENT_LIMIT, FRAMEWORK_LIMIT, CONFIDENT_LIMIT)
        for name, stage, limit in zip(found, stages, limits, strict=True):
            score = bench.overall(stage)
            found[name].append(score)
            yield f"{case.case.case_id}, {stage.name}", f"{score:.2f}, at most {limit}" if score > limit else ""
    return {f"largest_{name}": max(scores) for name, scores in found.items()}


def monotone(bench: Bench) -> Verdicts:
    """Each rung gets more than the one below it, and the ranks agree with those of the verifiable score."""
    told, known = [], []
    for case in bench.cases:
        for stage in case.different():
            told.append(bench.overall(stage))
            known.append(stage.verifiable["overall_mean"])
        for lower, higher in pairwise(case.levels[name] for name in LEVELS):
            low, high = bench.overall(lower), bench.overall(higher)
            place = f"{case.case.case_id}, {lower.name} below {higher.name}"
            yield place, f"{low:.2f} and {high:.2f}" if low >= high else ""
    rank = spearman(told, known)
    weak = rank is None or rank < RANK_LIMIT
    yield "rank correlation with the verifiable score", f"{rank}, at least {RANK_LIMIT}" if weak else ""
    differences = [abs(a - b) for a, b in zip(told, known, strict=True)]
    return {"spearman": -1.0 if rank is None else rank, "mae_verifiable": mean(differences)}


def invented_fact(bench: Bench) -> Verdicts:
    """A figure that nobody told costs points in numbers or in business sense."""
    falls = []
    for case in bench.cases:
        best, worse = bench.verdict(case.levels["reference"]), bench.verdict(case.invented)
        fall = best.quantitative + best.business_sense - worse.quantitative - worse.business_sense
        falls.append(fall)
        yield case.case.case_id, f"{-fall:+.2f} in numbers and business sense together" if fall <= 0 else ""
    return {"smallest_fall": min(falls), "mean_fall": mean(falls)}


def halo(bench: Bench) -> Verdicts:
    """Perfect numbers do not lift the structure of an interview without a question."""
    rises = []
    for case in bench.cases:
        plain, full = (bench.verdict(stage).structure for stage in case.halo)
        rises.append(full - plain)
        yield case.case.case_id, f"structure {plain:.2f} became {full:.2f}" if full - plain > RISE else ""
    return {"largest_rise": max(rises)}


def injection(bench: Bench) -> Verdicts:
    """Texts of the candidate that speak to the judge bring nothing."""
    return (yield from _rise(bench, lambda case: case.injected))


def interviewer_brilliance(bench: Bench) -> Verdicts:
    """What the interviewer thinks aloud is no merit of the candidate."""
    return (yield from _rise(bench, lambda case: [case.brilliant_interviewer]))


def repeatability(bench: Bench) -> Verdicts:
    """Runs of one judge agree, and so do variants of its prompt."""
    judge, spreads = bench.panel.judge, []
    for case in bench.cases:
        runs = [judge.with_(seed=k) for k in range(RUNS)]
        scores = [bench.overall(case.levels["mid"], each) for each in runs]
        spreads.append(standard_deviation(scores))
        why = f"sd {spreads[-1]:.2f} over {RUNS} runs, at most {RUNS_SD_LIMIT}" if spreads[-1] > RUNS_SD_LIMIT else ""
        yield f"{case.case.case_id}, {RUNS} runs", why
    means = {}
    for prompts in bench.panel.variants:
        variant = judge.with_(prompts=prompts)
        means[prompts.name] = mean([bench.overall(stage, variant) for c in bench.cases for stage in c.different()])
    spread = max(means.values()) - min(means.values())
    told = ", ".join(f"{name} {value:.2f}" for name, value in means.items())
    yield f"{len(means)} variants of the prompt", f"{told}: {spread:.2f} apart" if spread > VARIANTS_LIMIT else ""
    return {"largest_sd": max(spreads), "variants_apart": spread}


def malformed(bench: Bench) -> Verdicts:
    """A reply that is cut off is asked for once more; without a verdict there is no number."""
    for case in bench.cases:
        stage = case.levels["mid"]
        for n_broken, broken, wanted in ((1, None, SCORED), (2, None, UNSCORED), (2, PROSE, UNSCORED)):
            judge = replace(bench.panel.judge, client=Breaking(bench.panel.judge.client, n_broken, broken))
            got = judge.judge(stage.transcript)
            held = got.status == wanted and (got.overall_mean is None) == (wanted == UNSCORED)
            place = f"{case.case.case_id}, {n_broken} {'cut off' if broken is None else 'in prose'}"
            yield place, "" if held else f"{got.status} instead of {wanted}: {got.reason}"
    return {}


def cross_family(bench: Bench) -> Verdicts:
    """A judge of another family agrees, and neither prefers its own wording of one and the same recommendation."""
    judge, second = bench.panel.judge, bench.panel.second
    if second is None:
        return {}
    pairs, favours = [], []
    for case in bench.cases:
        pairs += [(bench.overall(each), bench.overall(each, second)) for each in case.different()]
        own, other = (
            case.reworded(f"in the words of the {name} judge", reworded(each.client, bench.panel.rewrite, case.texts()))
            for name, each in (("first", judge), ("second", second))
        )
        lead = [bench.overall(own, each) - bench.overall(other, each) for each in (judge, second)]
        favours.append((lead[0] - lead[1]) / 2)
    apart = mean([abs(a - b) for a, b in pairs])
    yield "mean absolute difference", f"{apart:.2f}, at most {FAMILY_MAE_LIMIT}" if apart > FAMILY_MAE_LIMIT else ""
    rank = spearman([a for a, _ in pairs], [b for _, b in pairs])
    weak = rank is None or rank < RANK_LIMIT
    yield "rank correlation", f"{rank}, at least {RANK_LIMIT}" if weak else ""
    favour = mean(favours)
    yield "own words", f"preferred by {favour:.2f}, at most {FAVOUR_LIMIT}" if favour > FAVOUR_LIMIT else ""
    return {"mae": apart, "spearman": -1.0 if rank is None else rank, "own_words_preferred_by": favour}


def distribution(bench: Bench) -> Verdicts:
    """Interviews of every quality do not all end between 7 and 9."""
    scores = [bench.overall(stage) for case in bench.cases for stage in case.different()]
    share = mean([float(COMFORT[0] <= score <= COMFORT[1]) for score in scores])
    limit = COMFORT_SHARE_LIMIT
    yield f"{len(scores)} interviews", f"{share:.0%} within 7 to 9, at most {limit:.0%}" if share > limit else ""
    return {"share_7_to_9": share, "sd": standard_deviation(scores)}


LADDERS: dict[str, Callable[[Bench], Verdicts]] = {
    "padding does not pay": padding,
    "polish does not pay": polish,
    "silence, frameworks and confident errors stay low": leniency,
    "better interviews get more": monotone,
    "an invented fact costs points": invented_fact,
    "perfect numbers do not lift structure": halo,
    "instructions to the judge have no effect": injection,
    "the interviewer's brilliance is not the candidate's": interviewer_brilliance,
    "runs and prompt variants agree": repeatability,
    "a broken reply is repaired once or unscored": malformed,
    "another family agrees, and own words are not preferred": cross_family,
    "scores are spread": distribution,
}
"""The ladders by claim: what form brings, leniency and order, facts and halo, attacks, reliability, spread."""


def prove_judge(
    panel: Panel, cases: Sequence[StagedCase]
) -> tuple[list[dict[str, Any]], dict[str, dict[str, float]], list[str]]:
    """Test a judge: `{claim, n, held, first_failure}` a ladder, the figures of each, and notes.

    Where the judge gives no verdict that a ladder needs, the ladder fails there and ends.
    """
    bench = Bench(panel, cases)
    rows, figures, notes = [], {}, []
    for claim, ladder in LADDERS.items():
        row, figures[claim] = climb(claim, ladder, bench)
        rows.append(row)
    if panel.second is None:
        notes.append("Not tested: whether the judge prefers its own words, and agrees with another; --second-judge …")
    return rows, figures, notes


def climb(claim: str, ladder: Callable[[Bench], Verdicts], bench: Bench) -> tuple[dict[str, Any], dict[str, float]]:
    """Test one ladder; return its row and its figures."""
    verdicts: list[tuple[str, str]] = []
    figures: dict[str, float] = {}
    run = ladder(bench)
    try:
        while True:
            verdicts.append(next(run))
    except StopIteration as end:
        figures = end.value
    except Untold as untold:
        verdicts.append(("no verdict", str(untold)))
    failures = [f"{place}: {why}" for place, why in verdicts if why]
    first = failures[0] if failures else None
    row = {"claim": claim, "n": len(verdicts), "held": len(verdicts) - len(failures), "first_failure": first}
    return row, figures


@dataclass(slots=True)
class Breaking:
    """A client whose first replies arrive broken: cut in half, or replaced by a text."""

    client: ChatClient
    n_broken: int
    text: str | None = None

    @property
    def description(self) -> Any:
        """That of the client behind it."""
        return self.client.description

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        """Return the client's reply, broken while any breaking is left; see `ChatClient`."""
        self.n_broken -= 1
        if self.n_broken < 0:
            return self.client.complete(messages, tools, settings)
        if self.text is not None:
            return Completion(self.text)
        reply = self.client.complete(messages, tools, settings)
        return replace(reply, text=reply.text[: len(reply.text) // 2])


class _Texts(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    headline: str
    reasons: list[str]
    risks: list[str]
    next_steps: list[str]


def reworded(client: ChatClient, rules: str, texts: dict[str, Any]) -> dict[str, Any]:
    """Have a model word a recommendation anew.

    Raises:
        Untold: It gave no texts of the same form.
    """
    asked = [{"role": "system", "content": rules}, {"role": "user", "content": json.dumps(texts, ensure_ascii=False)}]
    settings = ChatSettings(temperature=0.0, tool_choice="none", response_schema=_Texts.model_json_schema())
    reply = client.complete(asked, (), settings).text.strip()
    try:
        found = _Texts.model_validate(decode(reply.removeprefix("```json").removesuffix("```").strip())).model_dump()
    except (JsonRefused, ValidationError, ValueError) as error:
        raise Untold(f"no rewording: {type(error).__name__}") from None
    if [len(found[name]) for name in ("reasons", "risks", "next_steps")] != [
        len(texts[name]) for name in ("reasons", "risks", "next_steps")
    ]:
        raise Untold("no rewording: entries were added or left out")
    return found

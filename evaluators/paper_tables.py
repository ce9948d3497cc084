"""The tables of the two papers in their shape: methods down, their columns across, the best of each marked, n below.

EnterpriseBench, tables 1 and 2: accuracy by capability and difficulty; the four dimensions of Consulting and their
mean, total cost in the Beer Game, earnings in the Digital Twin; appendix A.11: calls and tokens per sample.
BizAgentBench, table 1: goal, process, protection, intermediate failure and strict success; figure 2: pass^k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .comparison.contests import Contest, Entry
from .comparison.measures import measure
from .comparison.strata import difficulty_order
from .report_cells import NONE, Cell, Head, Table
from .statistics import mean
from .strict_success import INTERMEDIATE_FAILURE, STRICT, rates

ENTERPRISEBENCH, BIZAGENTBENCH = "enterprisebench", "bizagentbench"
QA, CONSULTING, BEER_GAME, DIGITAL_TWIN, PAYMENTS = (
    f"bizgym/{name}" for name in ("EnterpriseQA", "Consulting", "BeerGame", "DigitalTwin", "PaymentWorkflows")
)
PAPERS = {ENTERPRISEBENCH: (QA, CONSULTING, BEER_GAME, DIGITAL_TWIN), BIZAGENTBENCH: (PAYMENTS,)}
"""The environments of each paper, without their version."""
_CAPABILITIES = {
    "information_extraction": "IE",
    "numerical_calculation": "NC",
    "domain_knowledge": "DK",
    "complex_reasoning": "CR",
}
_DIMENSIONS = {
    "structure": "Struct.",
    "quantitative": "Quant.",
    "business_sense": "Business",
    "communication": "Comm.",
    "overall_mean": "Overall",
}
_CLASSES = {
    "goal": ("G", "every goal was reached; of scored episodes"),
    "process": ("P", "every process check held; of scored episodes"),
    "protection": ("F", "every protected amount stayed protected; of scored episodes"),
    INTERMEDIATE_FAILURE: (
        "interm. failure",
        "a process or protection check was broken on the way; of scored episodes",
    ),
    STRICT: ("strict", "every check passed; errored episodes count as failures"),
}
_MARKED = (
    "marks the best of a column among the methods that play all of its tasks; n: scored samples, under pass^k tasks."
)


class Value(NamedTuple):
    """A number of one method in one column, None where there is none, and the samples that it rests on."""

    number: float | None
    n: int
    asked: int


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a paper's table.

    Attributes:
        head: Its head.
        contest: The environment that it is about.
        value: Its number for an agent.
        decimals: With how many decimals it is written.
        better: 1 where more is better, -1 where less is, 0 where neither.
    """

    head: Head
    contest: Contest
    value: Callable[[Entry], Value]
    decimals: int
    better: int


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table: its title, its cells, and what stands under it, behind the sign that marks the best."""

    title: str
    table: Table
    note: str

    def to_json(self) -> dict[str, Any]:
        """Return `{title, columns, rows, n}`; a row is `{agent, values}` in the order of the columns."""
        heads = [f"{head.name} {head.unit}".strip() for head in self.table.heads[1:]]
        *rows, counts = self.table.rows
        found = [{"agent": row[0].text, "values": [cell.sort for cell in row[1:]]} for row in rows]
        return {"title": self.title, "columns": heads, "rows": found, "n": [cell.text for cell in counts[1:]]}


def paper_tables(contests: Sequence[Contest], paper: str) -> list[PaperTable]:
    """Return the tables of a paper that the environments of a comparison can fill.

    Args:
        contests: The environments and their agents.
        paper: `enterprisebench` or `bizagentbench`.
    """
    own = [contest for contest in contests if _kind(contest) in PAPERS[paper]]
    if paper == BIZAGENTBENCH:
        parts = [("BizAgentBench: success by class and reliability, %", list(_payments(own)), "")]
    else:
        parts = [
            (
                "EnterpriseBench: accuracy of answers, %",
                list(_questions(own)),
                " Graded within the tolerance of a question.",
            ),
            (
                "EnterpriseBench: interactive tasks",
                list(_interactive(own)),
                " Consulting: points of 10 reckoned from the case; what judges say stands in the report.",
            ),
        ]
    parts.append(
        (f"{_spoken(paper)}: turns, calls and tokens per sample, learning included", list(_resources(own)), "")
    )
    return [PaperTable(title, _table(columns), _MARKED + note) for title, columns, note in parts if columns]


def _spoken(paper: str) -> str:
    return "EnterpriseBench" if paper == ENTERPRISEBENCH else "BizAgentBench"


def _kind(contest: Contest) -> str:
    return contest.env_id.rpartition("-v")[0]


def _questions(contests: Sequence[Contest]) -> Iterator[Column]:
    for contest in contests:
        if _kind(contest) != QA:
            continue
        places = {(s.capability, s.difficulty) for s in (contest.strata[task] for task in contest.tasks)}
        order = [*_CAPABILITIES]
        known = [place for place in places if place[0] in order]
        for capability, band in sorted(known, key=lambda place: (order.index(place[0]), difficulty_order(place[1]))):
            tasks = {task for task in contest.tasks if contest.strata[task][1:] == (capability, band)}
            head = Head(_CAPABILITIES[capability], band, f"{capability.replace('_', ' ')}, {band}")
            yield Column(head, contest, _mean_of("correct_paper", tasks, 100), 1, 1)
        yield Column(Head("all", _own(contest, contests)), contest, _mean_of("correct_paper", None, 100), 1, 1)


def _interactive(contests: Sequence[Contest]) -> Iterator[Column]:
    for contest in contests:
        own = _own(contest, contests)
        if _kind(contest) == CONSULTING:
            for name, told in _DIMENSIONS.items():
                yield Column(Head(told, f"Consulting {own}".strip()), contest, _mean_of(name), 2, 1)
        elif _kind(contest) == BEER_GAME:
            yield Column(Head("Beer Game", f"cost, $ {own}".strip()), contest, _mean_of("cost"), 0, -1)
        elif _kind(contest) == DIGITAL_TWIN:
            yield Column(Head("Digital Twin", f"earnings, $ {own}".strip()), contest, _mean_of("earnings"), 0, 1)


def _payments(contests: Sequence[Contest]) -> Iterator[Column]:
    for contest in contests:
        own = _own(contest, contests)
        for name, (told, hint) in _CLASSES.items():
            better = -1 if name == INTERMEDIATE_FAILURE else 1
            yield Column(Head(told, own, hint), contest, _rate(name), 1, better)
        trials = max((measure(entry).trials for entry in contest.entries), default=0)
        for k in range(1, trials + 1) if trials > 1 else ():
            head = Head(f"pass^{k}", own, f"{k} trials of a task all strict, errored ones as failures")
            yield Column(head, contest, _pass_hat(k), 1, 1)


def _resources(contests: Sequence[Contest]) -> Iterator[Column]:
    for contest in contests:
        if not any(entry.plays_with_model for entry in contest.entries):
            continue
        name = f"{_kind(contest).rpartition('/')[2]} {_own(contest, contests)}".strip()
        yield Column(Head("turns", name), contest, _used("turns"), 1, 0)
        yield Column(Head("calls", name), contest, _used("calls"), 2, 0)
        yield Column(Head("tokens", name), contest, _used("tokens"), 0, 0)


def _own(contest: Contest, contests: Sequence[Contest]) -> str:
    """What tells an environment from another of its kind, "" where there is no other."""
    alone = sum(_kind(each) == _kind(contest) for each in contests) == 1
    return "" if alone else contest.title.removeprefix(contest.env_id).strip()


def _mean_of(metric: str, tasks: set[str] | None = None, scale: float = 1) -> Callable[[Entry], Value]:
    def value(entry: Entry) -> Value:
        asked = [key for key in entry.asked if tasks is None or key[0] in tasks]
        played = [entry.episodes[key] for key in asked if key in entry.episodes]
        found = [each.metrics[metric] for each in played if each.scored and metric in each.metrics]
        return Value(scale * mean(found) if found else None, len(found), len(asked))

    return value


def _rate(name: str) -> Callable[[Entry], Value]:
    def value(entry: Entry) -> Value:
        episodes = [entry.episodes[key] for key in entry.asked if key in entry.episodes]
        verdicts = [each.verdict for each in episodes if each.verdict is not None]
        told = {rate.metric: rate for rate in rates(verdicts, len(episodes))}
        rate = told.get(name)
        return Value(None, 0, len(entry.asked)) if rate is None else Value(100 * rate.value, rate.n, len(entry.asked))

    return value


def _pass_hat(k: int) -> Callable[[Entry], Value]:
    def value(entry: Entry) -> Value:
        numbers = measure(entry)
        found = next((row for row in numbers.reliability if row.k == k), None)
        if found is None or found.as_failures is None:
            return Value(None, 0, numbers.tasks)
        return Value(100 * found.as_failures, found.as_failures_tasks, numbers.tasks)

    return value


def _used(name: str) -> Callable[[Entry], Value]:
    def value(entry: Entry) -> Value:
        use = measure(entry).use
        steps = [entry.episodes[key].steps for key in entry.asked if key in entry.episodes]
        turns = mean(steps) if steps else None
        found = {"turns": turns, "calls": use.each(use.calls), "tokens": use.tokens}[name]
        return Value(found, use.episodes, len(entry.asked))

    return value


def _table(columns: Sequence[Column]) -> Table:
    methods = list(dict.fromkeys(name for column in columns for name in _by_method(column.contest)))
    filled = [_filled(column, methods) for column in columns]
    counts = [_counts([value for value, _ in cells if value is not None]) for cells in filled]
    rows = [[Cell(method), *(cells[k][1] for cells in filled)] for k, method in enumerate(methods)]
    heads = [Head("method", numeric=False), *(column.head for column in columns)]
    return Table(heads, [*rows, [Cell("n"), *(Cell(count) for count in counts)]])


def _by_method(contest: Contest) -> dict[str, Entry]:
    """The agents of an environment by method; by their whole label where a method has several."""
    methods = [entry.method for entry in contest.entries]
    return {entry.method if methods.count(entry.method) == 1 else entry.label: entry for entry in contest.entries}


def _filled(column: Column, methods: Sequence[str]) -> list[tuple[Value | None, Cell]]:
    entries = _by_method(column.contest)
    values = [column.value(entries[method]) if method in entries else None for method in methods]
    whole = [
        round(value.number, column.decimals)
        for method, value in zip(methods, values, strict=True)
        if value is not None and value.number is not None and not column.contest.lacks(entries[method])
    ]
    told_apart = column.better and len({*whole}) > 1
    best = max(whole, key=lambda number: column.better * number) if told_apart else None
    return [
        (value, _cell(value, column, best, partial=method in entries and column.contest.lacks(entries[method]) > 0))
        for method, value in zip(methods, values, strict=True)
    ]


def _cell(value: Value | None, column: Column, best: float | None, *, partial: bool) -> Cell:
    if value is None or value.number is None:
        return Cell(NONE)
    flag = f"{value.n}/{value.asked}" if value.n < value.asked else ""
    marked = not partial and best is not None and round(value.number, column.decimals) == best
    part = f"n {value.n}" if partial and not flag else flag
    return Cell(f"{value.number:,.{column.decimals}f}", value.number, part, marked)


def _counts(values: Sequence[Value]) -> str:
    """The samples under a column: one number where all methods have it, else the least and the most."""
    found = sorted({value.n for value in values})
    return NONE if not found else str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}"

"""What is claimed of the items, each claim by a function that can fail: the part of `bizgym prove` on questions.

Every function takes items and gives, for each thing it tested, what it was and why it failed ("" where it held).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from .answers import NUMERIC_KINDS, AnswerSpec, decimal_of
from .authored import LETTERS, letters_for
from .difficulty import BANDS
from .families.gates import counted_rows
from .generated import COMPUTED
from .grading import grade
from .items import CAPABILITIES, Item
from .programs import ProgramError, own_numbers, reckon, run_program, without
from .store import shipped_items
from .tables import tables_of
from .tasks import QATask

Verdict = tuple[str, str]
Proof = Callable[[Sequence[Item]], Iterator[Verdict]]

LEAST_NEAR_MISSES = 3
LEAST_DISTANCE = Decimal("0.03")
LEAST_SHARE = 0.95
"""Of numeric items that must have `LEAST_NEAR_MISSES` wrong answers `LEAST_DISTANCE` off."""


def computed_twice(items: Sequence[Item]) -> Iterator[Verdict]:
    """The stored answer, which the second computation gave, is what the program gives on the tables as printed."""
    for item in _computed(items):
        found = run_program(str(item.program), item.sections)
        right = grade(str(found), item.answer).correct
        yield item.item_id, "" if right else f"the program gives {found}, stored is {item.answer.value}"


def read_by_reference(items: Sequence[Item]) -> Iterator[Verdict]:
    """A program holds no number but constants, and fails without any row that it reads."""
    for item in items:
        if item.program is None:
            continue
        own = own_numbers(item.program)
        yield f"{item.item_id}: constants", f"the program holds {', '.join(own)}" if own else ""
        for cell in reckon(item.program, tables_of(item.sections)).reads:
            yield f"{item.item_id}: {cell[0]}, {cell[1]}", _still_runs(item, cell)


def near_misses_are_wrong(items: Sequence[Item]) -> Iterator[Verdict]:
    """No stored mistake is graded right, and almost all numeric items have three that lie more than 3 % off."""
    numeric = [item for item in items if item.answer.kind in NUMERIC_KINDS]
    enough = 0
    for item in numeric:
        gold = item.answer.number
        far = [each for each in item.near_misses if _distance(each.value, gold) > LEAST_DISTANCE]
        enough += len({str(each.value) for each in far}) >= LEAST_NEAR_MISSES
        for each in item.near_misses:
            right = grade(str(each.value), item.answer).correct
            yield f"{item.item_id}: {each.value}", f"graded right, though: {each.why}" if right else ""
    if numeric:
        short = enough < LEAST_SHARE * len(numeric)
        yield "share with three", f"{enough} of {len(numeric)} items have three mistakes far off" if short else ""


def features_are_counted(items: Sequence[Item]) -> Iterator[Verdict]:
    """Evidence of a computed item is the rows that its program reads, distractors are the other rows with numbers."""
    for item in _computed(items):
        tables = tables_of(item.sections)
        rows, others = counted_rows(tables, reckon(str(item.program), tables).reads)
        stored = item.features.evidence, item.features.distractors
        yield item.item_id, "" if (rows, others) == stored else f"{rows} rows and {others} others, stored {stored}"


def keys_hold(items: Sequence[Item]) -> Iterator[Verdict]:
    """A choice has a reason for every option and one key; where a program decides, its figure leaves the key open."""
    for item in items:
        if item.answer.kind != "choice":
            continue
        letters = LETTERS[: len(item.answer.options or ())]
        complete = len(item.reasons) == len(letters) and all(item.reasons) and str(item.answer.value) in letters
        yield f"{item.item_id}: reasons", "" if complete else "an option without a reason, or no such key"
        if item.program is not None and item.meta.get("decides"):
            left = letters_for(item, run_program(item.program, item.sections))
            decided = str(item.answer.value) in left and len(left) < len(letters)
            yield f"{item.item_id}: figure", "" if decided else f"the figure leaves {left or 'nothing'} open"


def cells_are_balanced(items: Sequence[Item]) -> Iterator[Verdict]:
    """Every capability has as many items of each band, and of each split within it, as every other."""
    counts = Counter((item.capability, item.band, item.split) for item in items)
    for split in ("train", "test"):
        cells = {(capability, band): counts[capability, band, split] for capability in CAPABILITIES for band in BANDS}
        usual = max(cells.values())
        for (capability, band), n in cells.items():
            yield f"{capability}, {band}, {split}", "" if n == usual else f"{n} items, elsewhere {usual}"


def splits_share_nothing(items: Sequence[Item]) -> Iterator[Verdict]:
    """No annual report, and no question with its context, stands in both splits."""
    for what, key in (("report", _report), ("question", _asked)):
        held = {split: {key(item) for item in items if item.split == split} - {""} for split in ("train", "test")}
        both = sorted(held["train"] & held["test"])
        yield what, f"in both splits: {both[0][:80]}" if both else ""


ON_TASKS: dict[str, Proof] = {
    "computed answers are reckoned twice": computed_twice,
    "programs read their figures from the tables": read_by_reference,
    "common mistakes are graded wrong": near_misses_are_wrong,
    "features are counted on the program": features_are_counted,
    "choices have one key and a reason for every option": keys_hold,
}
"""Claims on any items, by what they say."""

ON_THE_SET: dict[str, Proof] = {
    "capabilities, bands and splits are balanced": cells_are_balanced,
    "splits share neither reports nor questions": splits_share_nothing,
}
"""Claims on the embedded set as a whole."""


def claims(env: object) -> dict[str, Callable[[Sequence[QATask]], Iterator[Verdict]]]:
    """Return the claims of this benchmark by what they say; those on the whole set hold or fail whatever is asked."""
    return {name: _over_tasks(proof) for name, proof in ON_TASKS.items()} | {
        name: _over_the_set(proof) for name, proof in ON_THE_SET.items()
    }


def reveal_turns(task: QATask) -> tuple[int, ...]:
    """Return the numbers of turns after which the twins are compared: before the answer."""
    return (0,)


def hidden_twin(task: QATask, turns: int) -> QATask:
    """Return the task with another answer, and without what tells how the right one follows."""
    item = task.item
    twin = item.changed(
        answer=item.answer.changed(value=_another(item.answer)),
        program=None,
        reasons=[],
        near_misses=[],
        explanation="",
        meta={},
    )
    return task.changed(item=twin)


def _another(answer: AnswerSpec) -> str | list[str]:
    if answer.kind in NUMERIC_KINDS:
        return str(answer.number * 2 + 1)
    if isinstance(answer.value, list):
        return list(reversed(answer.options or answer.value))[: len(answer.value)]
    return "B" if answer.value == "A" else "A"


def _computed(items: Sequence[Item]) -> Iterator[Item]:
    return (item for item in items if item.capability in COMPUTED and item.program is not None)


def _still_runs(item: Item, cell: tuple[str, str, str]) -> str:
    try:
        run_program(str(item.program), without(item.sections, [cell]))
    except ProgramError:
        return ""
    return "the program runs without this row"


def _distance(value: object, gold: Decimal) -> Decimal:
    """How far a wrong answer lies off, as a share of the gold."""
    return abs(decimal_of(value) - gold) / abs(gold) if gold else Decimal(1)


def _report(item: Item) -> str:
    return str(item.meta.get("filing", ""))


def _asked(item: Item) -> str:
    return item.question + "".join(section.text for section in item.sections)


def _over_tasks(proof: Proof) -> Callable[[Sequence[QATask]], Iterator[Verdict]]:
    return lambda tasks: proof([task.item for task in tasks])


def _over_the_set(proof: Proof) -> Callable[[Sequence[QATask]], Iterator[Verdict]]:
    return lambda tasks: proof(shipped_items())

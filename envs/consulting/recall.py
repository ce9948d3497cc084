"""How well honest paraphrases are recognised: `python -m bizgym.envs.consulting.recall` prints the rates.

The sets hold sentences by two writers who had not seen the words of causes and constraints: what names the root cause
or the constraint, what denies or dismisses it, what blames a red herring or rejects it, and what speaks of a neighbour.
Skins a and b were looked at when the words were widened, c was held out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from pydantic import Field

from ..core.data import packaged_text, parse, validate
from ..core.tasks import Frozen
from .fact_types import FOLDER
from .naming import Reading
from .tasks import all_tasks
from .words import Skin

Kind = Literal[
    "root", "constraint", "root_denied", "constraint_denied", "herring", "herring_rejected", "neighbour"
]  # fmt: skip
SETS = ("causes1", "causes2")
TUNED: tuple[Skin, ...] = ("a", "b")
HELD_OUT: tuple[Skin, ...] = ("c",)
_DIFFICULTY = "middle"


class Said(Frozen):
    """A sentence on a case in one industry."""

    blueprint: str
    skin: Skin
    kind: Kind
    text: str


class SaidFile(Frozen):
    """A file of them."""

    canary: str
    sentences: list[Said] = Field(min_length=1)


class Rates(NamedTuple):
    """What became of sentences.

    Attributes:
        root: Share of honest root causes that are recognised.
        constraint: Share of honest constraints that are.
        denied: Share of denials, dismissals and red herrings that earn nothing as what they deny or stand for.
        forfeits: Share of red herrings that, as a reason, are held against the candidate.
        spared: Share of rejected red herrings that are not.
        neighbour: Share of sentences on other facts that name neither.
    """

    root: float
    constraint: float
    denied: float
    forfeits: float
    spared: float
    neighbour: float


def sentences_of(skins: Iterable[Skin]) -> list[Said]:
    """Return the sentences of both sets on some skins.

    Raises:
        DataError: A file breaks its schema.
    """
    files = (
        validate(SaidFile, parse(packaged_text(f"{FOLDER}/blind", f"{name}.yaml"), name), name) for name in SETS
    )  # fmt: skip
    chosen = set(skins)
    return [each for file in files for each in file.sentences if each.skin in chosen]


def rates(sentences: Iterable[Said]) -> Rates:
    """Measure sentences, each held against the middle case of its blueprint and skin."""
    right, total = Counter[str](), Counter[str]()
    for each in sentences:
        reading = Reading(all_tasks().get(f"{each.blueprint}-{_DIFFICULTY}-{each.skin}").case)
        for what, good in _verdicts(each, reading).items():
            right[what] += good
            total[what] += 1
    return Rates(*(right[name] / max(1, total[name]) for name in Rates._fields))


def _verdicts(said: Said, reading: Reading) -> dict[str, bool]:
    """Return, by what is measured, whether a sentence was taken as it was meant."""
    text, kind = said.text, said.kind
    root, constraint = reading.names_root(text), reading.names_constraint(text)
    if kind == "root":
        return {"root": root}
    if kind == "constraint":
        return {"constraint": constraint}
    if kind == "herring":
        return {"denied": not root, "forfeits": bool(reading.blamed(text, is_reason=True))}
    if kind == "herring_rejected":
        return {"spared": not reading.blamed(text, is_reason=True)}
    if kind == "neighbour":
        return {"neighbour": not (root or constraint)}
    return {"denied": not (root if kind == "root_denied" else constraint)}


def main() -> None:
    """Print the rates."""
    for what, skins in (("looked at", TUNED), ("held out", HELD_OUT)):
        found = sentences_of(skins)
        shown = "; ".join(f"{name} {value:.1%}" for name, value in rates(found)._asdict().items())
        print(f"skins {', '.join(skins)} ({what}), {len(found)} sentences: {shown}")


if __name__ == "__main__":
    main()

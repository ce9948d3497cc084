"""`python -m bizgym.envs.consulting.check [id ...]`: run every gate on the nine cases of blueprints, or of all.

One line a blueprint, and one for each thing that is wrong; exit status 1 if there is any. With `--draws` it says
instead how many draws a case takes, and which options are right, second and naive, in thirty cases of each difficulty.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from ..core.errors import BizGymError
from . import gates, trials
from .blueprint import DIFFICULTIES, Blueprint
from .blueprints import blueprint, blueprint_ids
from .building import build, draw, rng_of
from .case import Case
from .words import SKINS, SkinWords, words_of

_TRIALS = 30


def problems(blueprint_id: str) -> Iterator[str]:
    """Yield what is wrong with a blueprint, in words; nothing where every gate holds."""
    try:
        given, words = blueprint(blueprint_id), words_of(blueprint_id)
    except (BizGymError, FileNotFoundError) as error:
        yield str(error)
        return
    broken = False
    for skin, each in words.skins.items():
        found = [f"skin {skin}: {line}" for line in _on_words(given, each)]
        broken = broken or bool(found)
        yield from found
    yield from gates.skins_alike(list(words.skins.values()))
    if not broken:
        yield from _on_cases(blueprint_id)


def _on_words(given: Blueprint, words: SkinWords) -> Iterator[str]:
    missing = list(gates.keys(given, words))
    if missing:  # the other gates look words up by these keys
        yield from missing
        return
    for gate in (gates.figures, gates.ties, gates.units_said):
        yield from gate(given, words)
    yield from gates.lengths(words)
    yield from gates.real_names(words)


def _on_cases(blueprint_id: str) -> Iterator[str]:
    try:
        cases = cases_of(blueprint_id)
    except BizGymError as error:
        yield str(error)
        return
    for case in cases:
        for gate in (gates.groups, gates.counts, trials.candidate, trials.traps):
            yield from (f"{case.case_id}: {line}" for line in gate(case))
    yield from gates.alike(cases, {})


def cases_of(blueprint_id: str) -> list[Case]:
    """Build the nine cases of a blueprint."""
    return [build(blueprint_id, difficulty, skin) for difficulty in DIFFICULTIES for skin in SKINS]


def draw_lines(blueprint_id: str) -> Iterator[str]:
    """Yield how values are drawn: draws a case, and how often which options are right, second and naive."""
    given = blueprint(blueprint_id)
    for difficulty in DIFFICULTIES:
        seen, draws = Counter[tuple[str, str, str]](), 0
        for k in range(_TRIALS):
            drawn = draw(given, difficulty, {}, rng_of(f"{blueprint_id}-{difficulty}-{k}"))
            decision = given.decide(drawn.values)
            draws += drawn.draws
            seen[decision.option_id, decision.runner_up, given.naive(drawn.values)] += 1
        yield f"{difficulty}: {draws / _TRIALS:.0f} draws a case; essential {given.essential(difficulty)}"
        for (right, second, naive), n in seen.most_common():
            yield f"  {n:2} x right {right}, second {second}, naive {naive}"


def main(arguments: Sequence[str]) -> int:
    """Check the blueprints named, or all of them; return the exit status."""
    failed = 0
    named = [each for each in arguments if each != "--draws"] or blueprint_ids()
    if "--draws" in arguments:
        print("\n".join(line for blueprint_id in named for line in draw_lines(blueprint_id)))
        return 0
    for blueprint_id in named:
        found = list(problems(blueprint_id))
        failed += bool(found)
        print(f"{blueprint_id}: {f'{len(found)} problems' if found else 'sound'}")
        for line in found:
            print(f"  {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

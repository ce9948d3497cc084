"""Questions on a short case sheet of their own: a family of the data files, filled with drawn figures."""

from __future__ import annotations

from decimal import localcontext

import numpy as np

from ..items import Section
from .checks import SECOND
from .drawing import Drawn, Split
from .gates import Draft
from .spec import FamilySpec, Mistake, family_files

DIGITS = 40
FOUR_DIGITS = " Give the answer to four significant digits."


def draft_of(family: FamilySpec, rng: np.random.Generator, split: Split, wording: int | None = None) -> Draft:
    """Draw a question of a family.

    Args:
        family: Which.
        rng: What to draw from.
        split: Decides which company names are at hand.
        wording: Number of the wording, counted in a circle; None draws it.

    Raises:
        KeyError: The family has no second computation.
    """
    drawn = Drawn(family, rng, split)
    many = len(family.questions)
    question = drawn.fill(family.questions[int(rng.integers(many)) if wording is None else wording % many])
    with localcontext(prec=DIGITS):
        second = SECOND[family.name](drawn.numbers)
    return Draft(
        capability="numerical_calculation",
        family=family.name,
        question=question + (FOUR_DIGITS if family.answer.kind == "formula" else ""),
        sections=[
            Section(section_id=each.section_id, title=drawn.fill(each.title), text=drawn.fill(each.text).strip())
            for each in family.sections
        ],
        asked=family.answer.model_copy(update={"unit": drawn.fill(family.answer.unit or "") or None}),
        judged=family.features,
        program=drawn.fill(family.program).strip(),
        mistakes=[Mistake(gives=drawn.fill(each.gives), why=each.why) for each in family.mistakes],
        second=second,
        plausible=family.plausible,
        explanation=drawn.fill(family.explanation).strip(),
        meta={"subject": _subjects()[family.name]},
    )


def _subjects() -> dict[str, str]:
    return {family.name: each.subject for each in family_files() for family in each.families}

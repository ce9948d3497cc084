"""Computed items without end: any seed gives a question that passed the same gates as those shipped."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..core.errors import SettingError
from ..core.text import nearest
from .difficulty import BANDS, Band
from .families.cases import draft_of
from .families.drawing import Split
from .families.filing_spec import filing_families
from .families.gates import Refused, to_item
from .families.reading import Asker
from .families.spec import families
from .filings import Filing, generate
from .items import CAPABILITIES, Capability, Item
from .programs import ProgramError

COMPUTED: tuple[Capability, ...] = ("information_extraction", "numerical_calculation")
"""Capabilities whose questions are drawn; the others are written by hand."""

GENERATED: tuple[tuple[Capability, Band], ...] = tuple((capability, band) for capability in COMPUTED for band in BANDS)
"""The cells of capability and band that can be generated."""

INITIALS: dict[Capability, str] = dict(zip(CAPABILITIES, ("ie", "nc", "dk", "cr"), strict=True))
FIRST_FILING_SEED = 1_000_000
"""Reports of generated items begin here; those shipped lie below, so that none of them is generated again."""

_TRIES, _TRIES_PER_FILING, _FILINGS = 300, 12, 40
_SEEDS = 2**31


def generated_item(seed: int, capability: Capability, band: Band) -> Item:
    """Draw a train item; the same arguments give the same one.

    Args:
        seed: At least 0.
        capability: `information_extraction` or `numerical_calculation`.
        band: `easy`, `middle` or `hard`.

    Raises:
        SettingError: An argument is none of these.
    """
    if type(seed) is not int or seed < 0:
        raise SettingError(f"seed: an integer from 0, not {seed!r}")
    if capability not in COMPUTED:
        hint = nearest(str(capability), list(COMPUTED))
        raise SettingError(f"capability: items of {', '.join(COMPUTED)} are generated, not of {capability!r}.{hint}")
    if band not in BANDS:
        raise SettingError(f"band: one of {', '.join(BANDS)}, not {band!r}.{nearest(str(band), list(BANDS))}")
    rng = np.random.default_rng([seed, CAPABILITIES.index(capability), BANDS.index(band)])
    names, item_id = families_of(capability, band), f"generated-{INITIALS[capability]}-{band}-{seed}"
    name = names[int(rng.integers(len(names)))]
    if name in families():
        return case_item(name, rng, "train", item_id, "generated")
    for _ in range(_FILINGS):
        filing = generate(FIRST_FILING_SEED + int(rng.integers(_SEEDS)))
        try:
            return filing_item(name, filing, rng, "train", item_id, "generated")
        except Refused:
            continue
    raise SettingError(f"seed: no report drawn from {seed} answers a question of this band; take another")


def case_item(
    name: str, rng: np.random.Generator, split: Split, item_id: str, source: str = "bizgym", wording: int | None = None
) -> Item:
    """Draw an item of a family with a case sheet of its own.

    Raises:
        Refused: No draw passed the gates.
        Disagreement: The two computations of the family differ.
    """
    for _ in range(_TRIES):
        try:
            return to_item(draft_of(families()[name], rng, split, wording), item_id, split, source)
        except Refused:
            continue
    raise Refused(f"{name}: none of {_TRIES} draws is a good question")


def filing_item(
    name: str,
    filing: Filing,
    rng: np.random.Generator,
    split: Split,
    item_id: str,
    source: str = "bizgym",
    wording: int | None = None,
) -> Item:
    """Draw an item of a family of questions on annual reports.

    Raises:
        Refused: The report lacks what the family asks for, or no draw passed the gates.
        Disagreement: The tables and the books differ.
    """
    for _ in range(_TRIES_PER_FILING):
        try:
            return to_item(Asker(filing_families()[name], filing, rng, wording).draft(), item_id, split, source)
        except (Refused, ProgramError):  # a row that this report leaves out
            continue
    raise Refused(f"{name}: no good question on {filing.filing_id}")


@cache
def families_of(capability: Capability, band: Band) -> tuple[str, ...]:
    """Return the names of the families whose items are of a band, in the order of the data files."""
    return tuple(name for name, found in _bands(capability).items() if found == band)


@cache
def _bands(capability: Capability) -> dict[str, Band]:
    """Draw one item of each family: its band follows from a layout that all its items share."""
    found: dict[str, Band] = {}
    if capability == "numerical_calculation":
        found = {name: case_item(name, np.random.default_rng(0), "train", "probe").band for name in families()}
    asked = [name for name, family in filing_families().items() if family.capability == capability]
    return found | {name: _probe(name).band for name in asked}


def _probe(name: str) -> Item:
    """Return an item of a family of questions on annual reports, from the first report that answers it."""
    for k in range(_FILINGS):
        try:
            return filing_item(name, _probed(k), np.random.default_rng(0), "train", "probe")
        except Refused:
            continue
    raise Refused(f"{name}: no good question on any of {_FILINGS} reports")


@cache
def _probed(number: int) -> Filing:
    return generate(FIRST_FILING_SEED + number)

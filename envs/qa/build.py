"""Builds the embedded set anew from its sources: `python -m bizgym.envs.qa.build [FOLDER]`.

The sources are the families of computed questions, the generator of annual reports and the items written by hand;
the same sources give the same bytes. Without FOLDER the packaged data are written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from ..core.upkeep import write_whole
from .authored import authored_items
from .difficulty import BANDS, Band
from .families.drawing import Split
from .families.gates import Refused
from .families.spec import families
from .filings import Filing, generate
from .filings.industries import industries
from .generated import COMPUTED, INITIALS, case_item, families_of, filing_item
from .items import CAPABILITIES, Capability, Item
from .store import FOLDER, filing_sections, to_filing_text, to_lines

ITEMS_OF_A_BAND: dict[Split, int] = {"train": 24, "test": 16}
"""Items of a capability and a band by split."""

_SEED = 61_000
_REPORTS: dict[Split, tuple[int, int]] = {"train": (1, 18), "test": (501, 12)}
"""First seed and number of the reports of a split; industries take turns."""


def reports(split: Split) -> list[Filing]:
    """Return the annual reports that items of a split are about; no company stands in both splits."""
    first, many = _REPORTS[split]
    names = sorted(industries())
    return [generate(first + k, names[k % len(names)]) for k in range(many)]


def built_items(capability: Capability) -> list[Item]:
    """Return the items of a capability, by band, train before test, with their ids.

    Raises:
        Refused: A family, or all reports together, do not give enough good questions.
        DataError: A file of hand-written items breaks its schema.
    """
    if capability not in COMPUTED:
        return authored_items(capability)
    held = {split: reports(split) for split in ITEMS_OF_A_BAND}
    uses = {filing.filing_id: 0 for found in held.values() for filing in found}
    return [
        item
        for band in BANDS
        for split in ITEMS_OF_A_BAND
        for item in _cell(capability, band, split, held[split], uses)
    ]


def write(folder: Path, capabilities: Sequence[Capability] = CAPABILITIES) -> None:
    """Write reports and items under `folder`; the reports first, because a line of items refers to them."""
    for split in ITEMS_OF_A_BAND:
        for filing in reports(split):
            write_whole(
                folder / "filings" / f"{filing.filing_id}.json", to_filing_text(filing.filing_id, filing.sections)
            )
    filing_sections.cache_clear()
    for capability in capabilities:
        write_whole(folder / "items" / f"{capability}.jsonl", to_lines(built_items(capability)))


def packaged_folder() -> Path:
    """Return where the packaged data of the benchmark lie."""
    return Path(str(files("bizgym.data").joinpath(FOLDER)))


def _ids(capability: Capability, band: Band, split: Split) -> Iterator[tuple[int, str, np.random.Generator]]:
    """Give number, id and generator of each item of a cell."""
    before = 0 if split == "train" else ITEMS_OF_A_BAND["train"]
    place = CAPABILITIES.index(capability), BANDS.index(band)
    for k in range(ITEMS_OF_A_BAND[split]):
        rng = np.random.default_rng([_SEED, *place, before + k])
        yield k, f"{INITIALS[capability]}-{band}-{before + k + 1:02d}", rng


def _turns(capability: Capability, band: Band, split: Split) -> list[str]:
    """Return the families in the order in which they take turns; the test split begins where training left off."""
    names = families_of(capability, band)
    order = np.random.default_rng([_SEED, CAPABILITIES.index(capability), BANDS.index(band)]).permutation(len(names))
    first = 0 if split == "train" else ITEMS_OF_A_BAND["train"]
    return [names[order[(first + k) % len(names)]] for k in range(len(names))]


def _cell(capability: Capability, band: Band, split: Split, held: list[Filing], uses: dict[str, int]) -> Iterator[Item]:
    """Give the items of a cell; those on reports on the one least asked about that has not been asked the same."""
    names, asked = _turns(capability, band, split), set[tuple[str, str | None]]()

    def on_report(name: str, item_id: str, rng: np.random.Generator, wording: int) -> Item:
        for filing in sorted(held, key=lambda each: uses[each.filing_id]):
            try:
                item = filing_item(name, filing, rng, split, item_id, wording=wording)
            except Refused:
                continue
            if (filing.filing_id, item.program) not in asked:
                uses[filing.filing_id] += 1
                asked.add((filing.filing_id, item.program))
                return item
        raise Refused(f"{name}: no report of the split {split} answers it")

    for k, item_id, rng in _ids(capability, band, split):
        name, wording = names[k % len(names)], k // len(names) + (split == "test")
        if name in families():
            yield case_item(name, rng, split, item_id, wording=wording)
        else:
            yield on_report(name, item_id, rng, wording)


def main(arguments: Sequence[str]) -> int:
    """Build, and say what was written."""
    folder = Path(arguments[0]) if arguments else packaged_folder()
    write(folder)
    print(f"wrote {len(list((folder / 'items').iterdir()))} files of items under {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Loaders of public sets: the same items, read from files of the user's or from the hub."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..items import Item
from . import bizbench, convfinqa, docfinqa, financebench, finer, finqa, formula, tatqa
from .importing import import_set, read_imported, stamp_of, summary_of
from .public_set import PublicSet

__all__ = ["SOURCES", "PublicSet", "import_set", "imported_items", "stamp_of", "summary_of"]

_MODULES = (bizbench, convfinqa, docfinqa, financebench, finer, finqa, formula, tatqa)
SOURCES: Mapping[str, PublicSet] = MappingProxyType({each.SET.name: each.SET for each in _MODULES})
"""The public sets by name."""


def imported_items(source: str) -> list[Item]:
    """Return the items of a public set that has been imported.

    Raises:
        DataError: It has not been imported, or its file breaks its form.
    """
    return read_imported(SOURCES[source])

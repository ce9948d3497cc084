"""The blueprints, one module each; a module defines `BLUEPRINT`."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from ...core.errors import SettingError
from ...core.text import echo, nearest
from ..archetypes import ARCHETYPES
from ..blueprint import Blueprint


@lru_cache(maxsize=1)
def blueprint_ids() -> tuple[str, ...]:
    """Return the ids of all blueprints that there are, in the order of the archetypes."""
    there = {each.name for each in iter_modules(__path__)}
    planned = [f"{archetype}_{k}" for archetype, count in ARCHETYPES.items() for k in range(1, count + 1)]
    return tuple(each for each in planned if each in there)


@lru_cache(maxsize=64)
def blueprint(blueprint_id: str) -> Blueprint:
    """Return a blueprint.

    Raises:
        SettingError: There is none of this id.
        DataError: It is not sound.
    """
    if blueprint_id not in blueprint_ids():
        hint = nearest(str(blueprint_id), blueprint_ids())
        raise SettingError(f"blueprint: there is no {echo(blueprint_id)!r}.{hint}")
    found: Blueprint = import_module(f".{blueprint_id}", __name__).BLUEPRINT
    return found

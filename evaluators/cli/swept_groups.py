"""Settings inside a group that a sweep goes over: they stand for every point, which Hydra has to be told in its way.

Hydra composes a sweep once without the groups that it sweeps, and there `env.split=train` names nothing. As a sweep
over one value, `env.split=choice(train)`, the setting is first read where the group is there: in the jobs.
"""

from __future__ import annotations

from collections.abc import Sequence

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Override
from hydra.errors import HydraException

from ...envs.core.errors import SettingError


def one_by_one(overrides: Sequence[str]) -> list[str]:
    """Return the overrides, those of one value inside a swept group as sweeps over that value.

    Raises:
        SettingError: A value cannot be written so; what to do instead is said.
    """
    try:
        parsed = OverridesParser.create().parse_overrides(list(overrides))
    except HydraException:  # Hydra says what is wrong with it
        return list(overrides)
    swept = {each.key_or_group for each in parsed if each.is_sweep_override() and "." not in each.key_or_group}
    return [_rewritten(text, each, swept) for text, each in zip(overrides, parsed, strict=True)]


def _rewritten(text: str, override: Override, swept: set[str]) -> str:
    group, dot, _ = override.key_or_group.partition(".")
    if not dot or group not in swept or override.is_sweep_override():
        return text
    if not override.is_delete():
        key, _, value = text.partition("=")
        rewritten = f"{key}=choice({value.strip() or repr('')})"
        if _says_the_same(rewritten, override):
            return rewritten
    raise SettingError(
        f"{text}: cannot stand beside a sweep over {group}; put it into an option of your own "
        f"({group}/NAME.yaml in a folder that --config-dir names), or sweep {group} without it"
    )


def _says_the_same(rewritten: str, override: Override) -> bool:
    try:
        found = OverridesParser.create().parse_override(rewritten).value()
    except HydraException:
        return False
    return isinstance(found, ChoiceSweep) and found.list == [override.value()]

"""What Hydra itself may be told in a sweep: it builds its launcher, sweeper and callbacks from configuration.

Hydra's own list of forbidden targets is no boundary: `hydra.launcher._target_` may name any function. So every
`_target_` under `hydra` is held to the launchers and the sweeper that BizGym knows, and to trusted prefixes; and its
logging, which builds handlers by name, stays switched off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...agents.targets import trusted
from ...envs.core.errors import SettingError
from ...envs.core.text import echo

BASIC_LAUNCHER = "hydra._internal.core_plugins.basic_launcher.BasicLauncher"
JOBLIB_LAUNCHER = "hydra_plugins.hydra_joblib_launcher.joblib_launcher.JoblibLauncher"
KNOWN_TARGETS = (
    BASIC_LAUNCHER,
    JOBLIB_LAUNCHER,
    "hydra._internal.core_plugins.basic_sweeper.BasicSweeper",
)
_LOGGING = ("job_logging", "hydra_logging")
_BUILDING = ("handlers", "formatters", "filters", "loggers")
"""Parts of a logging configuration that name what is to be built."""


def check_hydra(hydra: Mapping[str, Any], trusted_targets: Sequence[str]) -> None:
    """Check the part `hydra` of a composed configuration, before Hydra builds anything of it.

    Args:
        hydra: That part as plain values, interpolations left as they stand.
        trusted_targets: Prefixes that the user trusts, for example of a launcher's package.

    Raises:
        SettingError: It names a class that is not known and not trusted, or switches logging on.
    """
    for path, target in _targets(hydra, "hydra"):
        known = isinstance(target, str) and (target in KNOWN_TARGETS or _under(target, trusted_targets))
        if not known:
            raise SettingError(
                f"{path}: {echo(target)} is no launcher or sweeper that BizGym knows; list its prefix in "
                "trusted_targets if you trust its code"
            )
    for name in _LOGGING:
        if any(part in _BUILDING for part in hydra.get(name) or ()):
            raise SettingError(f"hydra.{name}: sweeps do not log through Hydra; leave it disabled")
    for key in (hydra.get("sweeper") or {}).get("params") or {}:
        if str(key).lstrip("+~").startswith("hydra"):  # Hydra refuses to sweep over these, but not here
            raise SettingError(f"hydra.sweeper.params.{key}: sweeping over Hydra's own settings is not supported")


def _under(target: str, trusted_targets: Sequence[str]) -> bool:
    """Whether a target lies under a trusted prefix; BizGym's own classes are nothing that Hydra should build."""
    return not trusted(target, ()) and trusted(target, trusted_targets)


def _targets(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield every `_target_` with its path."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "_target_":
                yield f"{path}.{key}", inner
            else:
                yield from _targets(inner, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for k, inner in enumerate(value):
            yield from _targets(inner, f"{path}.{k}")

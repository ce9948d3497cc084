"""From a command line to a checked configuration: Hydra composes, and every refusal names the nearest right word."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_module
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from ...agents.clients.redact import holds_key, redact
from ...agents.run_config import BudgetConfig, LimitsConfig, RunConfig
from ...envs.core.errors import SettingError
from ...envs.core.text import nearest
from .judge_config import JudgeConfig

CONFIG_MODULE = "bizgym.conf"
CONFIG_NAME = "config"
JUDGE_CONFIG_NAME = "judge"
VERSION_BASE = "1.3"
COMPOSITION_ERRORS = (HydraException, OmegaConfBaseException, ValueError)
"""What Hydra raises at an override that it cannot compose."""

_MISSING = re.compile(r"Could not find '([^']+)'")
_NO_KEY = re.compile(r"Could not override '([^']+)'")
_UNREADABLE = re.compile(
    r"(?:LexerNoViableAltException: (.*)|Error parsing override '(.*)'|no viable alternative at input '(.*)'|"
    r"mismatched input '(.*)' expecting)"
)
_JOBLIB = "launcher/joblib"
_GRAMMAR = (
    "cannot be read; write key=value, the value in ASCII letters, digits and - _ . / : @ % + or, with anything else "
    "in it, in quotes of its own: 'key=\"50 % of it\"'"
)


def compose_run(overrides: Sequence[str], config_dir: str | None = None) -> RunConfig:
    """Compose and check the configuration of a run.

    Args:
        overrides: Hydra overrides, for example `env=beer_game`, `env.ship_weeks=1`, `experiment=quickstart`.
        config_dir: A folder with groups of the user's own (`agent/mine.yaml`), searched besides BizGym's.

    Raises:
        SettingError: An option, key or value does not exist or does not fit.
    """
    refuse_keys(overrides)
    extra = search_path(config_dir)
    if GlobalHydra.instance().is_initialized():
        raise SettingError("a Hydra application is running already; call bizgym.agents.runner.run with a RunConfig")
    with initialize_config_module(CONFIG_MODULE, version_base=VERSION_BASE):
        try:
            composed = compose(CONFIG_NAME, overrides=[*overrides, *extra])
        except COMPOSITION_ERRORS as error:
            raise SettingError(explain(error, config_dir)) from None
    return parse_composed(composed)


def compose_judge(overrides: Sequence[str]) -> JudgeConfig:
    """Compose and check the configuration of a judge.

    Args:
        overrides: Hydra overrides of `conf/judge.yaml`, for example `client=openai`, `client.model=NAME`.

    Raises:
        SettingError: An option, key or value does not exist or does not fit.
    """
    refuse_keys(overrides)
    with initialize_config_module(CONFIG_MODULE, version_base=VERSION_BASE):
        try:
            composed = compose(JUDGE_CONFIG_NAME, overrides=list(overrides))
            plain: Any = OmegaConf.to_container(composed, resolve=True, throw_on_missing=True)
        except COMPOSITION_ERRORS as error:
            raise SettingError(f"--judge: {explain(error)}") from None
    config = JudgeConfig.parse(plain)
    if config.trusted_targets:
        _see_own_code()
    return config


def _see_own_code() -> None:
    """Look for trusted code in the working folder too, after everything that is installed."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)


def refuse_keys(overrides: Sequence[str]) -> None:
    """Refuse an override that holds a key, before Hydra writes it into a file or a folder's name.

    Raises:
        SettingError: One does. The key is not quoted.
    """
    for override in overrides:
        if holds_key(override):
            setting = redact(override.partition("=")[0])
            raise SettingError(
                f"{setting}: holds what looks like a key; export it (OPENAI_API_KEY=..., or any variable that "
                "client.api_key_env names)"
            )


def parse_composed(composed: DictConfig) -> RunConfig:
    """Turn a composed configuration into plain values and check it.

    Raises:
        SettingError: A value does not fit.
    """
    try:
        plain: Any = OmegaConf.to_container(composed, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        raise SettingError(explain(error)) from None
    config = RunConfig.parse(plain)
    if config.trusted_targets:
        _see_own_code()
    return config


def search_path(config_dir: str | None) -> list[str]:
    """Return the override that adds a user's folder of configuration.

    Raises:
        SettingError: There is no such folder.
    """
    if config_dir is None:
        return []
    folder = Path(config_dir).resolve()
    if not folder.is_dir():
        raise SettingError(f"--config-dir: there is no folder {config_dir}")
    return [f"hydra.searchpath=['file://{folder.as_posix()}']"]


def explain(error: Exception, config_dir: str | None = None) -> str:
    """Say in one line what a composition failed on, with the nearest right word."""
    text = str(error)
    missing = _MISSING.search(text)
    if missing:
        group, _, option = missing[1].partition("/")
        if group == "hydra":
            hint = " (pip install 'bizgym[sweep]')" if option == _JOBLIB else ""
            return f"{missing[1]}: this part of Hydra is not installed{hint}"
        options = options_of(group, config_dir)
        return f"{group}: there is no {option!r}.{nearest(option, options)} There are: {', '.join(options) or 'none'}"
    unknown = _NO_KEY.search(text)
    if unknown:
        others = [key for key in _known_keys() if key != unknown[1]]  # of another environment, it may be known
        return f"there is no setting {unknown[1]!r}.{nearest(unknown[1], others)}"
    unreadable = _UNREADABLE.search(text)
    if unreadable:
        return f"{next(filter(None, unreadable.groups()), 'an override')}: {_GRAMMAR}"
    return " ".join(text.split())


def options_of(group: str, config_dir: str | None = None) -> list[str]:
    """Return the options of a configuration group, for example `beer_game/typical` of `agent`."""
    roots: list[Traversable] = [files(CONFIG_MODULE), *([Path(config_dir)] if config_dir else [])]
    folders = [root.joinpath(*group.split("/")) for root in roots]
    return sorted({name for folder in folders if folder.is_dir() for name in _yaml_names(folder, "")})


def _yaml_names(folder: Traversable, prefix: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _yaml_names(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".yaml") and not entry.name.startswith("_"):  # a part that others include
            yield f"{prefix}{entry.name.removesuffix('.yaml')}"


def _known_keys() -> list[str]:
    """Names that can be overridden: the run's own, and those of the shipped environments and agents."""
    keys = {*RunConfig.model_fields, *(f"limits.{name}" for name in LimitsConfig.model_fields)}
    keys.update(f"budget.{name}" for name in BudgetConfig.model_fields)
    for group in ("env", "agent", "client", "executor"):
        prefix = f"{group}."
        for option in [*options_of(group), *(["_play"] if group == "agent" else [])]:
            text = files(CONFIG_MODULE).joinpath(group, *f"{option}.yaml".split("/")).read_text(encoding="utf-8")
            keys.update(f"{prefix}{line.split(':')[0]}" for line in text.splitlines() if re.match(r"\w+:", line))
    return sorted(keys)

"""Clients of language models: one file a provider, all with the interface of `bizgym.envs.core.chat.ChatClient`.

Importing this package loads no provider's SDK; a client loads its own at its first call.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from inspect import isabstract
from pkgutil import iter_modules
from typing import Any

from ...envs.core.chat import ChatClient
from ...envs.core.errors import SettingError
from ...envs.core.text import echo, nearest
from ..targets import build
from .redact import redact


def make_client(trusted_targets: Sequence[str] = (), **config: Any) -> ChatClient:
    """Build a client from the mapping that `conf/client/<name>.yaml` holds.

    Args:
        trusted_targets: Prefixes outside `bizgym.` from which clients may be built.
        **config: `_target_`, or `name` alone (`openai`, `anthropic`, ...), and the keywords of the constructor.

    Raises:
        SettingError: There is no such client, or it refuses a setting. The message holds no key.
    """
    settings = dict(config)
    if "_target_" not in settings:
        settings["_target_"] = _target_of(settings.get("name"))
    try:
        built = build(settings, trusted_targets)
    except SettingError as error:
        refusal = redact(str(error))
    else:
        if isinstance(built, ChatClient):
            return built
        refusal = f"_target_: {settings['_target_']} is no client: it lacks complete() or description"
    raise SettingError(f"client: {refusal}")


def _target_of(name: object) -> str:
    """Return the dotted path of the client that a module of this package defines."""
    names = [module.name for module in iter_modules(__path__)]
    if not isinstance(name, str) or name not in names:
        hint = nearest(name, names) if isinstance(name, str) else " Name one, for example name='openai'."
        raise SettingError(f"client.name: there is no client {redact(echo(name))}.{hint}")
    module = import_module(f"{__name__}.{name}")
    found = [
        kind.__name__
        for kind in vars(module).values()
        if isinstance(kind, type)
        and kind.__module__ == module.__name__
        and not kind.__name__.startswith("_")
        and hasattr(kind, "complete")
        and not isabstract(kind)
    ]
    if len(found) != 1:
        raise SettingError(f"client.name: {name} is no client")
    return f"{module.__name__}.{found[0]}"

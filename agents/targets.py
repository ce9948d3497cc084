"""Building agents from configuration without letting configuration run anything else.

Hydra's own list of forbidden targets is no boundary, so a `_target_` is held to the prefixes that the user
trusts, and to classes that are defined under them: `bizgym.x.os.system` starts well and is refused all the same.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from typing import Any, Unpack, get_args, get_origin, get_type_hints

from pydantic import PydanticUserError, TypeAdapter, ValidationError

from ..envs.core.errors import SettingError
from ..envs.core.text import echo, nearest

OWN_PREFIX = "bizgym."
_NOT_ARGUMENTS = ("_target_", "name")


def build(config: Mapping[str, Any], trusted_targets: Sequence[str] = (), kind: type[Any] = object) -> Any:
    """Build the object that a configuration names.

    Args:
        config: `_target_` (the dotted path of a class) and the keywords of its constructor; `name` is a label.
        trusted_targets: Prefixes outside `bizgym.` that may be built, for example `["acme_agents."]`.
        kind: What the class must derive from; no other class is called.

    Raises:
        SettingError: The target is not trusted, does not exist, is of another kind or refuses its arguments.
    """
    target = config.get("_target_")
    found = resolve(target, trusted_targets)
    if not issubclass(found, kind):
        raise SettingError(f"_target_: {target} is no {kind.__module__}.{kind.__qualname__}")
    arguments = {key: value for key, value in config.items() if key not in _NOT_ARGUMENTS}
    _check_arguments(found, arguments)
    try:
        return found(**arguments)
    except (TypeError, ValueError) as error:
        raise SettingError(str(error)) from None


def _check_arguments(kind: Any, arguments: Mapping[str, Any]) -> None:
    """Hold arguments to the constructor's signature: names, and types where it states them."""
    parameters, adapters = _signature_of(kind)
    if parameters is not None:
        for name in arguments.keys() - parameters:
            raise SettingError(f"there is no setting {name!r}.{nearest(name, parameters)}")
    for name in arguments.keys() & adapters.keys():
        try:
            adapters[name].validate_python(arguments[name], strict=True)
        except ValidationError as error:
            reason = error.errors(include_url=False)[0]["msg"]
            raise SettingError(f"{name}: {reason}, not {echo(arguments[name])}") from None


@lru_cache
def _signature_of(kind: type[Any]) -> tuple[frozenset[str] | None, dict[str, TypeAdapter[Any]]]:
    """Return the names that a constructor takes, None for any, and a check of each type that it states."""
    hints, open_ended = keywords_of(kind)
    names = frozenset(inspect.signature(kind).parameters) | hints.keys()
    adapters: dict[str, TypeAdapter[Any]] = {}
    for name, hint in hints.items():
        if name in names:
            with suppress(PydanticUserError):  # a type that only its own package can check
                adapters[name] = TypeAdapter(hint)
    return None if open_ended else names, adapters


def keywords_of(kind: type[Any]) -> tuple[dict[str, Any], bool]:
    """Return the type of each keyword that a constructor states, and whether it takes others as well.

    `**settings: Unpack[SomeTypedDict]` stands for the keywords that the dict names.
    """
    hints, open_ended = _type_hints(kind), False
    for parameter in inspect.signature(kind).parameters.values():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            continue
        typed = hints.pop(parameter.name, None)
        if get_origin(typed) is Unpack:
            hints.update(get_type_hints(get_args(typed)[0]))
        else:
            open_ended = True
    return hints, open_ended


def _type_hints(kind: type[Any]) -> dict[str, Any]:
    try:
        return get_type_hints(kind.__init__)
    except Exception:  # a foreign annotation that exists for type checkers alone
        return {}


def resolve(target: Any, trusted_targets: Sequence[str] = ()) -> type[Any]:
    """Return the class that a dotted path names, if it is trusted.

    Raises:
        SettingError: It is not, or there is none.
    """
    if not isinstance(target, str) or not all(part.isidentifier() for part in target.split(".")):
        raise SettingError(f"_target_: the dotted path of a class, not {echo(target)}")
    if not trusted(target, trusted_targets):
        raise SettingError(
            f"_target_: {echo(target)} is outside bizgym; list its prefix in trusted_targets if you trust its code"
        )
    module_name, _, name = target.rpartition(".")
    try:
        module = import_module(module_name)
    except Exception as error:  # a module of the user's own may fail in any way
        raise SettingError(f"_target_: {target} cannot be imported ({type(error).__name__}: {error})") from None
    kind = getattr(module, name, None)
    if kind is None:
        raise SettingError(f"_target_: there is no {name} in {module_name}.{nearest(name, vars(module))}")
    if not isinstance(kind, type) or not trusted(f"{kind.__module__}.", trusted_targets):
        raise SettingError(f"_target_: {target} is no class of a trusted module")
    return kind


def trusted(path: str, trusted_targets: Sequence[str]) -> bool:
    """Whether a dotted path lies under `bizgym.` or a trusted prefix, ending at a dot."""
    prefixes = (OWN_PREFIX, *(prefix.rstrip(".") + "." for prefix in trusted_targets if prefix.strip(".")))
    return path.startswith(prefixes)


def check_env_id(env_id: str, trusted_targets: Sequence[str] = ()) -> None:
    """Refuse `module:namespace/Name-v0` where importing that module is not trusted.

    Raises:
        SettingError: The module is outside the trusted prefixes.
    """
    module, colon, _ = env_id.partition(":")
    if colon and not trusted(f"{module}.", trusted_targets):
        raise SettingError(f"env.id: importing {echo(module)} is not trusted; list its prefix in trusted_targets")

"""Reading data files, packaged or the user's own: one strict model each, and errors that name the place."""

from __future__ import annotations

from collections.abc import Hashable
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from .errors import DataError
from .jsontext import JsonRefused, decode
from .text import echo

ModelT = TypeVar("ModelT", bound=BaseModel)
_SHOWN_ERRORS = 5


class _StrictLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Safe YAML that refuses a key that stands twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key, line = self.construct_object(key_node, deep=True), key_node.start_mark.line + 1
            if not isinstance(key, Hashable):
                raise yaml.constructor.ConstructorError(None, None, f"a key must be plain (line {line})")
            if key in seen:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice (line {line})")
            seen.add(key)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def packaged_text(folder: str, name: str) -> str:
    """Return the text of `data/<folder>/<name>`."""
    return files("bizgym.data").joinpath(folder, name).read_text(encoding="utf-8")


def parse(text: str, place: str) -> Any:
    """Read YAML, or JSON where `place` ends in `.json`.

    Raises:
        DataError: The text is not of its format.
    """
    try:
        if place.endswith(".json"):
            return decode(text)
        return yaml.load(text, Loader=_StrictLoader)
    except JsonRefused as refused:
        raise DataError(f"{place}: {refused.message}") from None
    except yaml.YAMLError as error:
        raise DataError(f"{place}: not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise DataError(f"{place}: nested too deep; flatten it") from None
    except (ValueError, LookupError, AttributeError, TypeError, OverflowError) as error:  # of a scalar's own reader
        raise DataError(f"{place}: not YAML: {_unreadable(text) or error}") from None


def validate(model: type[ModelT], value: Any, place: str) -> ModelT:
    """Check a value against its model.

    Raises:
        DataError: With the path of each wrong field, at most five.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False)[:_SHOWN_ERRORS]
        lines = [f"{'.'.join(map(str, item['loc'])) or 'file'}: {item['msg']}" for item in found]
        raise DataError(f"{place}: " + "; ".join(lines)) from None


def read_user_file(path: str | Path) -> str:
    """Return the text of a user's file.

    Raises:
        DataError: It cannot be read, or is not UTF-8.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeEncodeError:
        raise DataError(f"{echo(str(path))}: no path: it holds half a character (a lone surrogate)") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except ValueError as error:  # a NUL in the path
        raise DataError(f"{echo(str(path))}: no path: {error}") from None


def _unreadable(text: str) -> str:
    """Say where a text holds a plain value that is none of its kind, which YAML's own readers do not."""
    pending, seen = [yaml.compose(text, Loader=yaml.SafeLoader)], set[int]()
    reader = yaml.constructor.SafeConstructor()
    while pending:
        node = pending.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if not isinstance(node, yaml.ScalarNode):
            pending += [each for inner in node.value for each in (inner if isinstance(inner, tuple) else (inner,))]
            continue
        try:
            reader.construct_object(node)
        except Exception:  # whatever a constructor trips over, the place is what helps
            kind = node.tag.rpartition(":")[2]
            return f"line {node.start_mark.line + 1}: {echo(node.value, 40)} is no valid {kind}; mend it or quote it"
    return ""

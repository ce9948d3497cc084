"""Reading data files, packaged or the user's own: one strict model each, and errors that name the place."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from .errors import DataError
from .jsontext import JsonRefused, decode

ModelT = TypeVar("ModelT", bound=BaseModel)
_SHOWN_ERRORS = 5


class _StrictLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Safe YAML that refuses a key that stands twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for k, key in enumerate(keys):
            if key in keys[:k]:
                line = node.value[k][0].start_mark.line + 1
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice (line {line})")
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
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None

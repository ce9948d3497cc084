"""Takes keys out of text before it is shown or written: those of known shape, and those of the live environment."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log2
from typing import Any
from urllib.parse import quote

from .key_shapes import KEYS, PLACES

REDACTED = "[redacted]"
MIN_KEY_CHARACTERS = 8
_SECRET_NAME = re.compile(
    r"(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH)S?(?:_|\d|$)", re.IGNORECASE
)
_PLAIN = re.compile(  # words, numbers, paths and addresses
    r"[a-z_-]{1,19}|[A-Z_-]{1,19}|[\d.,:-]+|(?:~|\.{0,2}/|[A-Za-z]:\\)\S*|[a-z]+://\S*"
)
_RANDOM = re.compile(r"[\w-]{24,}", re.ASCII)
_RANDOM_BITS = 4.0  # hexadecimal digests, which are no secrets, stay at or below this
_watched: set[str] = set()


def redact(text: str) -> str:
    """Return `text` with every key in it replaced by `[redacted]`.

    Keys are what has one of the known shapes, what stands where a key is given (`api_key=`, `Bearer`, the password
    of an address), and what the process's environment holds under the name of a secret, or that is evidently random.
    """
    return _cleaned(text, _values_of_environment())


def watch(variable: str) -> None:
    """Treat the value of an environment variable as a secret whatever its name and looks."""
    _watched.add(variable)


def redact_json(value: Any) -> Any:
    """Return a JSON value with the keys in its texts replaced, those of its mappings' names included."""
    return _cleaned_json(value, _values_of_environment())


def holds_key(value: Any) -> bool:
    """Whether a JSON value holds what `redact_json` would replace."""
    if isinstance(value, Mapping):
        return any(holds_key(str(name)) or holds_key(inner) or _named(name, inner) for name, inner in value.items())
    if isinstance(value, (list, tuple)):
        return any(map(holds_key, value))
    return isinstance(value, str) and redact(value) != value


def _named(name: object, value: object) -> bool:
    """Whether a setting is a key by its name, as in `{"api_key": "..."}`."""
    return isinstance(value, str) and PLACES.search(f"{name}={value}") is not None


def _cleaned_json(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        return _cleaned(value, secrets)
    if isinstance(value, Mapping):
        return {_cleaned(str(name), secrets): _cleaned_json(inner, secrets) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned_json(inner, secrets) for inner in value]
    return value


def _cleaned(text: str, secrets: Sequence[str]) -> str:
    if len(text) < MIN_KEY_CHARACTERS:
        return text
    for value in secrets:
        text = text.replace(value, REDACTED)
    return PLACES.sub(_keep_the_name, KEYS.sub(REDACTED, text))


def _keep_the_name(found: re.Match[str]) -> str:
    return (found["scheme"] or found["name"] or "") + REDACTED


def _values_of_environment() -> list[str]:
    """Return the secrets of the environment and the forms that they take in JSON and in addresses, longest first."""
    found = {form for value in _secrets() for form in (value, json.dumps(value)[1:-1], quote(value, safe=""))}
    return sorted(found, key=len, reverse=True)


def _secrets() -> Iterator[str]:
    for name, raw in os.environ.items():
        value = raw.strip()
        if len(value) < MIN_KEY_CHARACTERS or any(character.isspace() for character in value):
            continue
        secret = name in _watched or (_SECRET_NAME.search(name) and not _PLAIN.fullmatch(value))
        if secret or _is_random(value):
            yield value


def _is_random(value: str) -> bool:
    """Whether a value of any name looks drawn at random: mixed characters, more bits each than a digest has."""
    if not _RANDOM.fullmatch(value) or len({_kind(character) for character in value} - {"-"}) < 3:
        return False
    counts = Counter(value).values()
    return -sum(n / len(value) * log2(n / len(value)) for n in counts) > _RANDOM_BITS


def _kind(character: str) -> str:
    if character.isdigit():
        return "0"
    return "-" if not character.isalpha() else "a" if character.islower() else "A"

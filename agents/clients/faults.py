"""What can go wrong with one request, and whether sending it again may help."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from time import time
from typing import Any

from ...envs.core.chat import Usage
from .redact import redact

_RETRIABLE_STATUSES = frozenset({408, 409, 429})
_FINAL_CODES = ("insufficient_quota", "billing_hard_limit_reached")  # a 429 that no waiting mends
_TRANSIENT_CODES = ("server_error", "rate_limit_exceeded", "overloaded_error", "api_error", "rate_limit_error")
_OVERFLOW = re.compile(
    r"context_length_exceeded|context[ _](?:length|window|size)|prompt is too long|input is too long"
    r"|request_too_large|too many (?:input )?tokens|exceeds the (?:model|maximum)",
    re.IGNORECASE,
)
_NO_OVERFLOW = re.compile(r"per[ _]min|\bTPM\b|rate limit", re.IGNORECASE)  # a limit of the account, not of the model
_WINDOW = (
    re.compile(r"(?:context (?:length|window|size)|maximum length)\D{0,30}?(\d[\d,]{2,})", re.IGNORECASE),
    re.compile(r">\s*(\d[\d,]{2,})\s*(?:tokens\s*)?maximum", re.IGNORECASE),
    re.compile(r"\"n_ctx\"\s*:\s*(\d+)"),
)
_EXCERPT_CHARACTERS = 300


class AttemptFailed(Exception):
    """One request brought no usable reply.

    Attributes:
        message: What happened, free of keys.
        retriable: Whether the same request may succeed later.
        usage: What the provider counted all the same.
        retry_after_seconds: The wait that the provider asks for, None where it asks for none.
        overflow: Whether the messages do not fit the model's window.
        window_tokens: The window, where the provider states it.
    """

    def __init__(
        self,
        message: str,
        *,
        retriable: bool = False,
        usage: Usage | None = None,
        retry_after_seconds: float | None = None,
        overflow: bool = False,
        window_tokens: int | None = None,
    ) -> None:
        self.message = redact(message)
        super().__init__(self.message)
        self.retriable = retriable
        self.usage = usage
        self.retry_after_seconds = retry_after_seconds
        self.overflow = overflow
        self.window_tokens = window_tokens


def of_status(status: int, headers: Mapping[str, str], body: str) -> AttemptFailed:
    """Classify a reply whose status is no success.

    408, 409, 429 and 5xx may be sent again, a used-up quota excepted; a window that is too small is told apart.
    """
    message = f"HTTP {status}: {excerpt(body)}"
    if status in (400, 413, 422) and _OVERFLOW.search(body) and not _NO_OVERFLOW.search(body):
        return AttemptFailed(message, overflow=True, window_tokens=window_of(body))
    retriable = status in _RETRIABLE_STATUSES or 500 <= status < 600
    if any(code in body for code in _FINAL_CODES):
        retriable = False
    return AttemptFailed(message, retriable=retriable, retry_after_seconds=retry_after(headers) if retriable else None)


def of_error(error: Any, usage: Usage | None = None) -> AttemptFailed:
    """Classify an `error` that came in the body of a reply whose status said success."""
    text = json.dumps(error, ensure_ascii=False, default=str)
    if _OVERFLOW.search(text) and not _NO_OVERFLOW.search(text):
        return AttemptFailed(f"an error: {excerpt(text)}", usage=usage, overflow=True, window_tokens=window_of(text))
    codes = [error.get(name) for name in ("code", "type", "status")] if isinstance(error, Mapping) else []
    numbers = [code for code in codes if isinstance(code, int)]
    transient = any(code in _RETRIABLE_STATUSES or code >= 500 for code in numbers)
    transient = transient or any(code in _TRANSIENT_CODES for code in codes if isinstance(code, str))
    unclassified = not any(codes)  # a gateway's bare text: as a rule an upstream that failed
    return AttemptFailed(f"an error: {excerpt(text)}", retriable=transient or unclassified, usage=usage)


def excerpt(body: str) -> str:
    """Return the error message of a body, or its beginning; keys are taken out before anything is cut."""
    text = redact(body.strip())
    if text[:200].lower().lstrip().startswith(("<!doctype", "<html", "<head", "<body", "<?xml")):
        title = re.search(r"<title>(.{0,100}?)</title>", text, re.IGNORECASE | re.DOTALL)
        return f"an HTML page{f' ({title[1].strip()})' if title else ''}, not JSON"
    stated = re.search(r"\"message\"\s*:\s*(\"(?:[^\"\\]|\\.)*\")", text)
    if stated:
        try:
            text = str(json.loads(stated[1], strict=False))
        except ValueError:
            text = stated[1]
    short = " ".join(text.split())
    return short if len(short) <= _EXCERPT_CHARACTERS else f"{short[:_EXCERPT_CHARACTERS]}..."


def window_of(text: str) -> int | None:
    """Return the model's window in tokens where an error states it."""
    for pattern in _WINDOW:
        found = pattern.search(text)
        if found:
            return int(found[1].replace(",", ""))
    return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the wait in seconds that `retry-after-ms` or `retry-after` (seconds or a date) asks for."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    return seconds if seconds is not None or not value else _until(value)


def _until(date: str) -> float | None:
    from email.utils import parsedate_to_datetime  # rare, and slow to load

    try:
        wait = parsedate_to_datetime(date).timestamp() - time()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(wait, 0.0)


def _number(text: str | None) -> float | None:
    """Return a finite number of at least 0, None for anything else."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) and number >= 0 else None

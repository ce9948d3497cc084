"""Keeps keys out of what the SDKs and the HTTP libraries under them log: addresses, headers, bodies."""

from __future__ import annotations

import logging

from .redact import redact

_LIBRARIES = ("openai", "anthropic", "httpx", "httpx2", "httpcore", "httpcore2")


class _NoKeys(logging.Filter):
    """Lets every record pass, its message free of keys."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        clean = redact(message)
        if clean != message:
            record.msg, record.args = clean, ()
        return True


_no_keys = _NoKeys()


def guard_logs() -> None:
    """Redact what the loaded libraries log, whatever level the user chose; a filter holds for one logger alone."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in _LIBRARIES:
            logging.getLogger(name).addFilter(_no_keys)

"""Logs that hold no secrets: tokens of agendas are masked."""

from __future__ import annotations

import logging
import re

#: What follows /agenda/open/, /agenda/shared/ or /agenda/feed/ opens somebody's agenda. The slash
#: may be percent-encoded in a referrer or a ``next`` parameter.
_TOKEN = re.compile(
    r"((?:/|%2F)agenda(?:/|%2F)(?:open|shared|feed)(?:/|%2F))[^/\s\"'?&#%.]+", re.IGNORECASE
)
#: In a mangled address or a cookie the token stands elsewhere; it is as long as this.
_LONG = re.compile(r"(?<![\w-])[\w-]{43,}", re.ASCII)


def masked(text: str) -> str:
    """Return the text with the secrets of agendas replaced by ellipses."""
    text = _TOKEN.sub(r"\1…", text)
    return _LONG.sub("…", text) if "agenda" in text.lower() else text


class MaskingFormatter(logging.Formatter):
    """Masks all that a handler writes of a record: message, arguments and traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the finished text, masked."""
        return masked(super().format(record))

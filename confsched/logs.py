"""Logs that hold no secrets: tokens in agenda addresses are masked."""

from __future__ import annotations

import logging
import re

#: What follows /agenda/open/, /agenda/shared/ or /agenda/feed/ opens somebody's agenda. The slash
#: may be percent-encoded in a referrer or a ``next`` parameter.
_TOKEN = re.compile(
    r"((?:/|%2F)agenda(?:/|%2F)(?:open|shared|feed)(?:/|%2F))[^/\s\"'?&#%.]+", re.IGNORECASE
)


def masked(text: str) -> str:
    """Return the text with the secret part of agenda addresses replaced by an ellipsis."""
    return _TOKEN.sub(r"\1…", text)


class MaskSecrets(logging.Filter):
    """Masks what a record says; lets every record through."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace the message by its masked form."""
        message = record.getMessage()
        hidden = masked(message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True

"""Importers: bytes in, a ``Source`` out. Pure functions without Django that never raise."""

from __future__ import annotations

from sessions_app.importers.sched_text import read_sched_text
from sessions_app.records import Source

__all__ = ["read"]


def read(data: bytes, *, timezone: str | None = None) -> Source:
    """Read a schedule from the bytes of a file, whatever its format.

    Today that is one format, the text of a Sched page. ``timezone`` is the IANA name in which to
    read its times; without it, place and printed abbreviation decide. Whatever the input, a
    Source comes back; what was wrong stands in its ``problems``. Raises ValueError only for a
    ``timezone`` that does not exist.
    """
    return read_sched_text(data, timezone=timezone)

"""The text of a Sched schedule page, as one copies it from the browser: the "text dump"."""

from __future__ import annotations

from sessions_app.importers.sched_text.reader import read_sched_text

__all__ = ["read_sched_text"]

"""The page for addresses that lead nowhere: what may have been meant, and a search."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language

from confsched.models import RESERVED_SLUGS
from sessions_app.criteria import Criteria
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule
from sessions_app.snapshot import current_schedule
from sessions_app.views.base import page_context

#: Longer paths are no mistyped addresses of ours.
LONGEST_PATH = 300
MOST_SUGGESTIONS = 5
#: Shorter words are in every second abstract.
LEAST_TELLING = 5
_SLUG = re.compile(r"[a-z0-9_-]{1,100}", re.IGNORECASE)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 with what the view said was missing, inside the conference if there is one."""
    message = exception.args[0] if exception.args and isinstance(exception.args[0], str) else ""
    context: dict[str, Any] = {"language": get_language(), "exception": message}
    schedule = _schedule_of(request.path_info)
    if schedule is not None:
        text = _words(request.path_info)
        context |= page_context(schedule)
        context |= {"search_for": text, "suggestions": _suggestions(schedule, text)}
    response = HttpResponse(render_to_string("404.html", context), status=404)
    response.headers["Cache-Control"] = "no-store"
    return response


def _schedule_of(path: str) -> Schedule | None:
    slug = path[:LONGEST_PATH].strip("/").partition("/")[0]
    if slug in RESERVED_SLUGS or not _SLUG.fullmatch(slug):
        return None
    return current_schedule(slug)


def _words(path: str) -> str:
    """Return what the last part of an address seems to say: "sessions/old-name/" → "old name"."""
    parts = path[:LONGEST_PATH].strip("/").split("/")
    if len(parts) < 3:
        return ""
    name = parts[2].rpartition(".")[0] if parts[2].endswith(".ics") else parts[2]
    return " ".join(re.findall(r"\w+", name.replace("_", " ")))


def _suggestions(schedule: Schedule, text: str) -> tuple[PublicSession, ...]:
    """Return sessions that have all the words, else those with the longest two, else with one."""
    telling = sorted((w for w in text.split() if len(w) >= LEAST_TELLING), key=len, reverse=True)
    for words in (text.split(), telling[:2], telling[:1]):
        found = schedule.select(Criteria(q=" ".join(words))) if words else ()
        if found:
            return found[:MOST_SUGGESTIONS]
    return ()

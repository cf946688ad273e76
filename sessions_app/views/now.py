"""What runs now in each room, and what comes next."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from confsched.responses import Content, kept_response
from sessions_app.schedule import Schedule
from sessions_app.views.base import now, page_context, unchanged, with_schedule


@with_schedule
def now_page(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Show what runs now and next, room by room."""
    moment = now()
    key = ("now", schedule.stamp, schedule.phase(moment))
    return kept_response(
        request,
        Content(key, lambda: _render(schedule, moment), is_current=unchanged(schedule, moment)),
    )


def _render(schedule: Schedule, moment: dt.datetime) -> bytes:
    rooms = schedule.now_and_next(moment)
    next_start = schedule.next_start(moment)
    context = {
        **page_context(schedule, "now"),
        "rooms": rooms,
        "has_running": any(room.running for room in rooms),
        "next_start": next_start,
        "starting": [s for s in schedule.sessions if s.starts_at == next_start],
    }
    return render_to_string("sessions_app/now.html", context).encode()

"""The schedule page: list, filters and search from one address, as a page or as a fragment."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from confsched.htmx import is_fragment
from confsched.responses import kept_response
from sessions_app.forms import parse_query
from sessions_app.schedule import Schedule
from sessions_app.views.base import now, unchanged, with_schedule
from sessions_app.views.programme import programme_pages


@with_schedule
def schedule_page(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Show the sessions that the query string asks for."""
    moment = now()
    query = parse_query(request.META["QUERY_STRING"], schedule)
    fragment = is_fragment(request)
    pages = programme_pages(schedule)
    make = pages.fragment if fragment else pages.page
    question = f"?{query.canonical}" if query.canonical else ""
    return kept_response(
        request,
        ("schedule", schedule.stamp, schedule.phase(moment), query.canonical, query.unknown),
        lambda: make(query, moment),
        variant="fragment" if fragment else "page",
        headers={"HX-Push-Url": f"{pages.path}{question}"} if fragment else None,
        is_current=unchanged(schedule, moment),
        is_quick=True,
    )

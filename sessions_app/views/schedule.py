"""The schedule page: list, filters and search from one address, as a page or as a fragment."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from confsched.htmx import is_fragment
from confsched.responses import Content, kept_response
from sessions_app.forms import parse_query
from sessions_app.schedule import Schedule
from sessions_app.snapshot import current_schedule
from sessions_app.views.base import now, unchanged, with_schedule
from sessions_app.views.programme import programme_pages


@with_schedule
def schedule_page(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Show the sessions that the query string asks for."""
    content = _content(schedule, request.META["QUERY_STRING"], is_fragment=is_fragment(request))
    return kept_response(request, content)


def _content(schedule: Schedule, raw_query: str, *, is_fragment: bool) -> Content:
    moment = now()
    query = parse_query(raw_query, schedule)
    pages = programme_pages(schedule)
    make = pages.fragment if is_fragment else pages.page
    question = f"?{query.canonical}" if query.canonical else ""
    slug = schedule.conference.slug

    def with_query(other: str) -> Content | None:
        current = current_schedule(slug)
        return None if current is None else _content(current, other, is_fragment=is_fragment)

    return Content(
        ("schedule", schedule.stamp, schedule.phase(moment), query.canonical, query.unknown),
        lambda: make(query, moment),
        variant="fragment" if is_fragment else "page",
        headers={"HX-Push-Url": f"{pages.path}{question}"} if is_fragment else None,
        is_current=unchanged(schedule, moment),
        is_quick=True,
        with_query=with_query,
    )

"""The way in: the conference that is on now, and the list of all editions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from confsched.responses import Content, kept_response
from sessions_app import addresses
from sessions_app.snapshot import conference_list as all_conferences
from sessions_app.snapshot import default_conference
from sessions_app.views.base import date_range, now


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """Lead to the conference running now, else the next, else the last; else to the list."""
    slug = default_conference(now())
    target = addresses.schedule_path(slug) if slug else "/conferences/"
    question = request.META["QUERY_STRING"]
    response = HttpResponseRedirect(f"{target}?{question}" if question else target)
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def conference_list(request: HttpRequest) -> HttpResponse:
    """List every edition, newest first."""
    conferences = all_conferences()
    return kept_response(
        request,
        Content(
            ("conferences", tuple(conferences)),
            lambda: render_to_string(
                "sessions_app/conference_list.html",
                {
                    "conferences": [(each, date_range(each)) for each in conferences],
                    "language": get_language(),
                },
            ).encode(),
        ),
    )

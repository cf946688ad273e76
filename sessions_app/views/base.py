"""What all views of the programme share: from the address to the Schedule, and common context."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils import formats, timezone
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from sessions_app.exporters.links import subscribe_links
from sessions_app.exporters.words import part_name
from sessions_app.records import PublicConference
from sessions_app.schedule import Schedule
from sessions_app.snapshot import current_schedule, renamed_conference
from sessions_app.templatetags.programme import zone_words_over

P = ParamSpec("P")


def with_schedule(
    view: Callable[Concatenate[HttpRequest, Schedule, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Make a view of ``(request, schedule, …)`` from one of ``(request, conference, …)``.

    The view answers GET and HEAD alone. A slug the conference once had is redirected to today's; an
    unknown one is a 404.
    """

    @functools.wraps(view)
    def inner(
        request: HttpRequest, conference: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        schedule = current_schedule(conference)
        if schedule is None:
            return _renamed_conference(request, conference)
        return view(request, schedule, *args, **kwargs)

    return require_safe(inner)


def _renamed_conference(request: HttpRequest, slug: str) -> HttpResponse:
    current = renamed_conference(slug)
    if current is None:
        raise Http404(gettext("There is no conference at this address."))
    _, _, rest = request.get_full_path().lstrip("/").partition("/")
    return HttpResponsePermanentRedirect(f"/{current}/{rest}")


def now() -> dt.datetime:
    """Return the moment (UTC) that a request is answered at; tests freeze it."""
    return timezone.now()


def unchanged(
    schedule: Schedule,
    moment: dt.datetime,
    clock: Callable[[Schedule, dt.datetime], object] = Schedule.phase,
) -> Callable[[], bool]:
    """Return what tells later whether an address still shows this schedule at this clock.

    ``clock`` is what an answer takes from the time of day: the schedule's phase, for pages. The
    schedule itself is not held on to.
    """
    slug, key, then = schedule.conference.slug, schedule.key, clock(schedule, moment)

    def is_unchanged() -> bool:
        current = current_schedule(slug)
        return current is not None and current.key == key and clock(current, now()) == then

    return is_unchanged


def timeless(schedule: Schedule) -> Callable[[], bool]:
    """Return what tells later whether an address that takes nothing from the clock is unchanged."""
    return unchanged(schedule, now(), lambda _schedule, _moment: None)


def page_context(schedule: Schedule, section: str = "") -> dict[str, Any]:
    """Return what ``base.html`` and most pages of a conference need; depends on the language."""
    conference = schedule.conference
    return {
        "schedule": schedule,
        "conference": conference,
        "zone": schedule.zone,
        "zone_in_words": _zone_in_words(schedule),
        "dates": date_range(conference),
        "contact_href": contact_href(conference.contact),
        "language": get_language(),
        "section": section,
        "site_url": settings.SITE_URL,
    }


def _zone_in_words(schedule: Schedule) -> str:
    key = ("zone in words", get_language())
    words: str | None = schedule.memo.get(key)
    if words is None:
        starts = (session.starts_at for session in schedule.sessions)
        words = schedule.memo[key] = zone_words_over(schedule.zone, starts)
    return words


def contact_href(contact: str) -> str:
    """Return what a contact links to: an https address, a mail address, or nothing."""
    if contact.startswith(("https://", "http://")):
        return contact
    return f"mailto:{contact}" if "@" in contact and " " not in contact else ""


def date_range(conference: PublicConference) -> str:
    """Return the days of a conference in words: "7–8 April 2026", "30 April – 2 May 2026"."""
    first, last = conference.starts_on, conference.ends_on
    if first is None or last is None or first == last:
        only = first or last
        return formats.date_format(only, "j F Y") if only else ""
    end = formats.date_format(last, "j F Y")
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{end}"
    return f"{formats.date_format(first, 'j F' if first.year == last.year else 'j F Y')} – {end}"


def feed_links(schedule: Schedule, path: str, name: str) -> dict[str, Any]:
    """Return what ``includes/subscribe.html`` needs to offer the feed at ``path``."""
    links = subscribe_links(f"{settings.SITE_URL}{path}", part_name(schedule, name))
    return {"feed": links, "feed_path": path}

"""Which conference an admin page is about.

Everything but the conference itself belongs to one, for good: a row is added to a conference (the
only one, or the one chosen first) and never moves to another. So each form knows the zone, and
offers only rooms, people and tracks of that conference.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from django.http import HttpRequest

from confsched.models import Conference

_ATTRIBUTE = "admin_conference"


def remember_conference(request: HttpRequest, conference: Conference | None) -> None:
    """Let the form, its inlines and widgets know which conference the page is about."""
    setattr(request, _ATTRIBUTE, conference)


def conference_of(request: HttpRequest) -> Conference | None:
    """Return what ``remember_conference`` was told for this request."""
    found: Conference | None = getattr(request, _ATTRIBUTE, None)
    return found


def conference_id_in(request: HttpRequest) -> int | None:
    """Return the conference that the address names: its own, or that of the list one came from."""
    filters = parse_qs(request.GET.get("_changelist_filters", ""))
    for text in (request.GET.get("conference"), *filters.get("conference", [])):
        if text and text.isascii() and text.isdecimal() and len(text) < 16:
            return int(text)
    return None


def conference_for_new(request: HttpRequest) -> Conference | None:
    """Return where a new row goes: the conference in the address, else the only one there is."""
    wanted = conference_id_in(request)
    if wanted is not None:
        return Conference.objects.filter(pk=wanted).first()
    few = list(Conference.objects.all()[:2])
    return few[0] if len(few) == 1 else None


def has_several_conferences(request: HttpRequest) -> bool:
    """Whether lists have to say which conference a row belongs to; asked once per request."""
    known: bool | None = getattr(request, "admin_has_several", None)
    if known is None:
        known = Conference.objects.count() > 1
        setattr(request, "admin_has_several", known)  # noqa: B010  # HttpRequest has no such name
    return known


def in_conference(queryset: Any, conference: Conference | None) -> Any:
    """Return the rows of one conference, none where the page is about no conference yet."""
    return queryset.none() if conference is None else queryset.filter(conference=conference)

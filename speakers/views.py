"""The people of a conference: all by name or company, and each one's page."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    QueryDict,
)
from django.template.loader import render_to_string
from django.utils.translation import gettext

from confsched.responses import Content, kept_response
from sessions_app import addresses
from sessions_app.records import PublicSession, PublicSpeaker
from sessions_app.schedule import Schedule
from sessions_app.search import contains, fold, words
from sessions_app.views.base import (
    feed_links,
    now,
    page_context,
    timeless,
    unchanged,
    with_schedule,
)
from sessions_app.views.programme import programme_pages

LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the list of speakers was asked for: words, or one company's people."""

    q: str = ""
    company: str = ""


@with_schedule
def speaker_list(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """List the speakers by name, with search and by company."""
    wanted = _wanted(request.META["QUERY_STRING"])
    return kept_response(
        request,
        Content(
            ("speakers", schedule.stamp, wanted),
            lambda: render_to_string(
                "speakers/speaker_list.html", _list_context(schedule, wanted)
            ).encode(),
            is_current=timeless(schedule),
        ),
    )


def _wanted(raw: str) -> Wanted:
    given = QueryDict("&".join(raw[:4000].split("&")[:50]))

    def text(name: str) -> str:
        value = given.get(name, "")[:LONGEST_TEXT].encode("utf-8", "ignore").decode()
        return " ".join("".join(c if c.isprintable() else " " for c in value).split())

    return Wanted(text("q"), text("company"))


def _list_context(schedule: Schedule, wanted: Wanted) -> dict[str, Any]:
    everybody = [
        (speaker, schedule.sessions_of(speaker))
        for speaker in schedule.speakers
        if schedule.sessions_of(speaker)
    ]
    companies = sorted({person.company for person, _ in everybody if person.company}, key=fold)
    found = [entry for entry in everybody if _matches(entry[0], wanted)]
    return {
        **page_context(schedule, "speakers"),
        "wanted": wanted,
        "companies": companies,
        "letters": _by_letter(found),
        "total": len(found),
    }


def _matches(speaker: PublicSpeaker, wanted: Wanted) -> bool:
    if wanted.company and fold(speaker.company) != fold(wanted.company):
        return False
    text = fold(f"{speaker.name} {speaker.headline} {speaker.company}")
    return contains(text, words(wanted.q))


Entry = tuple[PublicSpeaker, tuple[PublicSession, ...]]


def _by_letter(found: list[Entry]) -> list[tuple[str, list[Entry]]]:
    """Group people by the folded first letter of their names."""

    def letter(entry: Entry) -> str:
        first = fold(entry[0].name)[:1].upper()
        return first if first.isalpha() else "#"

    ordered = sorted(found, key=lambda entry: (letter(entry), fold(entry[0].name)))
    return [(name, list(group)) for name, group in itertools.groupby(ordered, key=letter)]


@with_schedule
def speaker_detail(request: HttpRequest, schedule: Schedule, slug: str) -> HttpResponse:
    """Show a person and their sessions."""
    speaker = schedule.speaker(slug)
    if speaker is None or not schedule.sessions_of(speaker):
        return _renamed(schedule, slug)
    moment = now()

    def render() -> bytes:
        sessions = schedule.sessions_of(speaker)
        path = addresses.speaker_path(schedule.conference.slug, slug)
        context = {
            **page_context(schedule, "speakers"),
            "speaker": speaker,
            "sessions": sessions,
            "programme": programme_pages(schedule).programme(sessions, moment).decode(),
            "path": path,
            **feed_links(schedule, addresses.feed_path(path), speaker.name),
        }
        return render_to_string("speakers/speaker_detail.html", context).encode()

    key = ("speaker", schedule.key, schedule.phase(moment), slug)
    return kept_response(request, Content(key, render, is_current=unchanged(schedule, moment)))


def _renamed(schedule: Schedule, slug: str) -> HttpResponse:
    current = schedule.redirect("speaker", slug)
    if current is None or current == slug:
        raise Http404(gettext("There is no speaker at this address."))
    return HttpResponsePermanentRedirect(addresses.speaker_path(schedule.conference.slug, current))

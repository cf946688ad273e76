"""Absolute addresses for whatever leaves the site, and the links that calendars understand.

Exporters know no request and no settings: they are handed a ``Links``. The site's own are made by
``SiteLinks`` from SITE_URL, never from the host of a request, so that every process and every
visitor gets the same bytes.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote, urlencode

from sessions_app import addresses
from sessions_app.records import PublicConference, PublicSession

#: Google refuses longer addresses of "add this event".
LONGEST_ADD_LINK = 1_900


class Links(Protocol):
    """Where things are, as absolute addresses; arguments are slugs."""

    def schedule(self, query: str = "") -> str:
        """Return the schedule page, with a canonical query string."""

    def file(self, suffix: str, query: str = "") -> str:
        """Return the schedule as a file: ``schedule.<suffix>``, with the same query string."""

    def session(self, slug: str) -> str:
        """Return a session's page."""

    def speaker(self, slug: str) -> str:
        """Return a speaker's page."""

    def room(self, slug: str) -> str:
        """Return a room's page."""

    def track(self, slug: str) -> str:
        """Return a track's page."""

    def slides(self, session: str, number: int) -> str:
        """Return an uploaded deck of a session."""

    def twin(self, page: str) -> str:
        """Return the calendar that belongs to a speaker's, room's or track's page."""


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """The site's own addresses below ``base`` (SITE_URL, without a slash at its end)."""

    base: str
    conference: str

    def schedule(self, query: str = "") -> str:
        """Return the schedule page, with a canonical query string."""
        return self.base + addresses.schedule_path(self.conference) + _question(query)

    def file(self, suffix: str, query: str = "") -> str:
        """Return the schedule as a file: ``schedule.<suffix>``, with the same query string."""
        path = addresses.schedule_path(self.conference)
        return f"{self.base}{path}schedule.{suffix}{_question(query)}"

    def session(self, slug: str) -> str:
        """Return a session's page."""
        return self.base + addresses.session_path(self.conference, slug)

    def speaker(self, slug: str) -> str:
        """Return a speaker's page."""
        return self.base + addresses.speaker_path(self.conference, slug)

    def room(self, slug: str) -> str:
        """Return a room's page."""
        return self.base + addresses.room_path(self.conference, slug)

    def track(self, slug: str) -> str:
        """Return a track's page."""
        return self.base + addresses.track_path(self.conference, slug)

    def slides(self, session: str, number: int) -> str:
        """Return an uploaded deck of a session."""
        return self.base + addresses.slides_path(self.conference, session, number)

    def twin(self, page: str) -> str:
        """Return the calendar that belongs to a speaker's, room's or track's page."""
        return addresses.feed_path(page)


def _question(query: str) -> str:
    return f"?{query}" if query else ""


@dataclass(frozen=True, slots=True)
class SubscribeLinks:
    """One feed as each calendar wants to be told of it.

    ``https`` is the address to copy; ``webcal`` opens Apple Calendar, Thunderbird, GNOME, ICSx5.
    ``google`` is a shortcut that Google accepts on some days only, so ``google_page``, where the
    copied address is pasted by hand, stands beside it. ``outlook`` is Outlook.com, ``office365``
    the one of companies and schools; the new Outlook for Windows needs these two as well.
    """

    https: str
    webcal: str
    google: str
    google_page: str
    outlook: str
    office365: str


def subscribe_links(url: str, name: str) -> SubscribeLinks:
    """Return every way to subscribe to the feed at an absolute address, under this name.

    Google wants the webcal form in ``cid``; with https it answers that this is no calendar.
    """
    webcal = f"webcal://{url.partition('://')[2]}"
    outlook = f"/calendar/0/addfromweb?url={_encoded(url)}&name={_encoded(name)}"
    return SubscribeLinks(
        https=url,
        webcal=webcal,
        google=f"https://calendar.google.com/calendar/r?cid={_encoded(webcal)}",
        google_page="https://calendar.google.com/calendar/r/settings/addbyurl",
        outlook=f"https://outlook.live.com{outlook}",
        office365=f"https://outlook.office.com{outlook}",
    )


@dataclass(frozen=True, slots=True)
class AddLinks:
    """One session as a form that a calendar in the browser has filled in already.

    The entry is a copy that never changes again, as is the downloaded file.
    """

    google: str
    outlook: str
    office365: str


def add_links(session: PublicSession, conference: PublicConference, links: Links) -> AddLinks:
    """Return the ways to put one session into a web calendar without downloading a file."""
    place = ", ".join(filter(None, [session.room.name if session.room else "", conference.place]))
    page = links.session(session.slug)
    people = ", ".join(speaker.name for speaker in session.speakers)
    details = "\n\n".join(filter(None, [people, page]))
    google = {
        "action": "TEMPLATE",
        "text": session.title,
        "dates": f"{_basic(session.starts_at)}/{_basic(session.ends_at)}",
        "ctz": conference.timezone,
        "details": details,
        "location": place,
    }
    outlook = {
        "path": "/calendar/action/compose",
        "rru": "addevent",
        "startdt": _extended(session.starts_at),
        "enddt": _extended(session.ends_at),
        "subject": session.title,
        "body": details,
        "location": place,
    }
    compose = "/calendar/0/deeplink/compose?"
    return AddLinks(
        google=_bounded("https://calendar.google.com/calendar/render?", google, "details", page),
        outlook=_bounded(f"https://outlook.live.com{compose}", outlook, "body", page),
        office365=_bounded(f"https://outlook.office.com{compose}", outlook, "body", page),
    )


def _bounded(start: str, fields: dict[str, str], body: str, page: str) -> str:
    """Return the address with these fields; where it gets too long, with shorter texts."""
    address = start + urlencode(fields, quote_via=quote)
    if len(address) <= LONGEST_ADD_LINK:
        return address
    title = "text" if "text" in fields else "subject"
    short = {**fields, body: page, title: fields[title][:120], "location": fields["location"][:60]}
    return start + urlencode(short, quote_via=quote)


def _encoded(text: str) -> str:
    return quote(text, safe="")


def _basic(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"


def _extended(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%SZ}"

"""One session as a VEVENT, the same bytes in every feed (RFC 5545, 3.6.1; RFC 7986).

Two variants exist: what a public feed carries leaves its readers free, what they chose themselves
makes them busy. An entry is made once per Schedule and kept with it.
"""

from __future__ import annotations

import datetime as dt
import uuid
from typing import NamedTuple

from django.utils.translation import get_language, gettext, ngettext
from icalendar import Alarm, Event

from sessions_app.exporters.content_lines import (
    joined,
    lines,
    parameter,
    quoted,
    text,
    text_list,
    uri,
)
from sessions_app.exporters.links import Links
from sessions_app.exporters.plain_text import one_line, plain, shorten
from sessions_app.exporters.vtimezone import zone_block
from sessions_app.kinds import kind_label
from sessions_app.records import PublicSession, PublicSlides, PublicSpeaker
from sessions_app.schedule import TOMBSTONES_FOR, Schedule

#: Google stops reading near 8 kB; nobody reads more than this on a phone.
LONGEST_DESCRIPTION = 4_000
#: Of a longer abstract only this much is looked at.
LONGEST_ABSTRACT = 16_000

FILE_TYPES = {
    "gif": "image/gif",
    "html": "text/html",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "key": "application/vnd.apple.keynote",
    "mp4": "video/mp4",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "pdf": "application/pdf",
    "png": "image/png",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "txt": "text/plain",
    "zip": "application/zip",
}


class Variant(NamedTuple):
    """What distinguishes the entries of one kind of calendar from those of another."""

    links: Links
    is_busy: bool = False
    in_utc: bool = False


def listed_until(schedule: Schedule, session: PublicSession) -> dt.datetime | None:
    """Return the moment from which calendars leave the session out, None if there is none.

    A cancelled or withdrawn one stays, as cancelled, until 30 days after the conference or after
    its last change, whichever is later: only so an imported copy is ever corrected.
    """
    if session.status == "published":
        return None
    return max(schedule.tombstones_until, session.changed_at + TOMBSTONES_FOR)


def is_listed(schedule: Schedule, session: PublicSession, now: dt.datetime) -> bool:
    """Whether calendars carry the session at *now*."""
    until = listed_until(schedule, session)
    return until is None or now < until


def entry(schedule: Schedule, session: PublicSession, variant: Variant) -> bytes:
    """Return the session's VEVENT."""
    kept: dict[int, bytes] = schedule.memo.setdefault(("vevents", variant, get_language()), {})
    made = kept.get(session.id)
    if made is None:
        made = kept[session.id] = joined(lines(_event(schedule, session, variant)))
    return made


def with_alarm(made: bytes, session: PublicSession, minutes: int) -> bytes:
    """Return an entry that also reminds its reader this many minutes before the start."""
    alarm = Alarm()
    alarm.add("uid", str(uuid.uuid5(uuid.UUID(session.uid), f"alarm-{minutes}")))
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", dt.timedelta(minutes=-minutes))
    alarm["DESCRIPTION"] = text(one_line(session.title))
    end = b"END:VEVENT\r\n"
    return made.removesuffix(end) + joined(lines(alarm)) + end


def schedule_zone_block(schedule: Schedule) -> bytes | None:
    """Return the VTIMEZONE for all sessions of a schedule; None where times are in UTC."""
    if "vtimezone" not in schedule.memo:
        sessions = (*schedule.sessions, *schedule.withdrawn)
        years = {s.starts_at.year for s in sessions} | {s.ends_at.year for s in sessions}
        name = schedule.conference.timezone
        schedule.memo["vtimezone"] = zone_block(name, min(years), max(years)) if years else None
    block: bytes | None = schedule.memo["vtimezone"]
    return block


def _event(schedule: Schedule, session: PublicSession, variant: Variant) -> Event:
    is_off = session.status != "published"
    is_gone = session.status == "withdrawn"
    links = variant.links
    page = links.schedule() if is_gone else links.session(session.slug)
    title = one_line(session.title)
    event = Event()
    event.add("uid", session.uid)
    event.add("dtstamp", session.changed_at)
    event.add("last-modified", session.changed_at)
    event.add("sequence", session.sequence)
    for name, moment in zip(("dtstart", "dtend"), _times(schedule, session, variant), strict=True):
        event.add(name, moment)
    event["SUMMARY"] = text(gettext("Cancelled: %(title)s") % {"title": title} if is_off else title)
    event["LOCATION"] = text(_location(session))
    event["DESCRIPTION"] = text(_gone(page) if is_gone else _description(schedule, session, links))
    event["URL"] = uri(page)
    event.add("status", "CANCELLED" if is_off else "CONFIRMED")
    is_busy = variant.is_busy and not is_off
    event.add("transp", "OPAQUE" if is_busy else "TRANSPARENT")
    event.add("x-microsoft-cdo-busystatus", "BUSY" if is_busy else "FREE")
    if not is_gone:
        event["CATEGORIES"] = text_list(_categories(session))
        event["ATTACH"] = [
            uri(address, **_file_parameters(slides)) for slides, address in _decks(session, links)
        ]
    return event


def _times(
    schedule: Schedule, session: PublicSession, variant: Variant
) -> tuple[dt.datetime, dt.datetime]:
    """Return start and end in the conference's zone, or in UTC.

    In UTC, too, where one of the two stands in the hour that a clock change doubles: a local time
    with a TZID means the first of the two, but ical.js takes the second.
    """
    if not variant.in_utc and schedule_zone_block(schedule) is not None:
        start = session.starts_at.astimezone(schedule.zone)
        end = session.ends_at.astimezone(schedule.zone)
        if not _is_doubled(start) and not _is_doubled(end):
            return start, end
    return session.starts_at.astimezone(dt.UTC), session.ends_at.astimezone(dt.UTC)


def _is_doubled(local: dt.datetime) -> bool:
    return local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()


def _location(session: PublicSession) -> str:
    """Return the room, with its address if it has one; never empty, never with a parameter.

    Giggity drops an event without LOCATION and makes one row of each different text. It depends on
    this room alone, so that no other session's entry changes unnoticed.
    """
    room = session.room
    place = one_line(", ".join(filter(None, [room.name, room.address]))) if room else ""
    return place or gettext("Room to be announced")


def _gone(page: str) -> str:
    return _paragraphs(gettext("This session is no longer part of the programme."), page)


def _description(schedule: Schedule, session: PublicSession, links: Links) -> str:
    """Return who speaks, what it is, the abstract, slides, and the address on the last line."""
    page = links.session(session.slug)
    head = "\n".join(filter(None, [*_notes(schedule, session, links), _facts(session)]))
    decks = "\n".join(
        gettext("Slides: %(name)s %(address)s") % {"name": _said(slides.name), "address": address}
        for slides, address in _decks(session, links)
    )
    abstract = plain(session.abstract[:LONGEST_ABSTRACT])
    whole = _paragraphs(head, abstract, decks, page)
    if len(whole) <= LONGEST_DESCRIPTION:
        return whole
    more = gettext("more: %(address)s") % {"address": page}
    return shorten(_paragraphs(head, abstract), LONGEST_DESCRIPTION, f"… {more}")


def _said(text: str) -> str:
    return one_line(plain(text))


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _notes(schedule: Schedule, session: PublicSession, links: Links) -> list[str]:
    """Return that it is cancelled and by what it is replaced, and who speaks."""
    notes = []
    if session.is_cancelled:
        notes.append(gettext("This session was cancelled."))
        instead = schedule.session(session.replacement_slug)
        if instead is not None:
            words = {"title": _said(instead.title), "address": links.session(instead.slug)}
            notes.append(gettext("Instead: %(title)s %(address)s") % words)
    if session.speakers:
        people = ", ".join(_person(each, session) for each in session.speakers)
        form = ngettext("Speaker: %(people)s", "Speakers: %(people)s", len(session.speakers))
        notes.append(form % {"people": people})
    return notes


def _person(speaker: PublicSpeaker, session: PublicSession) -> str:
    is_moderator = any(each.id == speaker.id for each in session.moderators)
    remarks = [speaker.company, gettext("moderator") if is_moderator else ""]
    inside = ", ".join(remark for remark in remarks if remark)
    return _said(f"{speaker.name} ({inside})" if inside else speaker.name)


def _facts(session: PublicSession) -> str:
    facts = _categories(session)
    if session.levels:
        names = ", ".join(level.name for level in session.levels)
        facts.append(gettext("Level: %(level)s") % {"level": names})
    return _said(" · ".join(facts))


def _categories(session: PublicSession) -> list[str]:
    """Return tracks, then the kind; what is called the same stands there once."""
    names = [one_line(track.label) for track in session.tracks] + [kind_label(session.kind)]
    return list({name.casefold(): name for name in reversed(names) if name}.values())[::-1]


def _decks(session: PublicSession, links: Links) -> list[tuple[PublicSlides, str]]:
    """Return the decks that have an address, with it (pasted from HTML, some hold "&amp;")."""
    return [
        (
            slides,
            links.slides(session.slug, slides.number)
            if slides.is_upload
            else quoted(slides.url.replace("&amp;", "&")),
        )
        for slides in session.slides
        if slides.is_upload or slides.url.startswith(("https://", "http://"))
    ]


def _file_parameters(slides: PublicSlides) -> dict[str, str]:
    """Return type and name of a file (RFC 5545, 3.2.8; RFC 8607, 4.2)."""
    suffix = slides.file_type.lower()
    name = slides.name if slides.name.lower().endswith(f".{suffix}") else f"{slides.name}.{suffix}"
    named = {"FILENAME": parameter(name if suffix else slides.name)}
    file_type = FILE_TYPES.get(suffix)
    return {"FMTTYPE": file_type, **named} if file_type else named

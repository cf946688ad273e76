"""Tags and filters for pages of the programme: times in the conference's zone, icons, text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django import template
from django.templatetags.static import static
from django.utils import formats
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from sessions_app import addresses, text
from sessions_app.kinds import kind_label
from sessions_app.records import PublicSession, PublicSpeaker

register = template.Library()
register.filter("kind_label", kind_label)


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of the sprite; it is hidden from assistive technology, text stands beside."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"></use></svg>',
        static("icons/sprite.svg"),
        name,
    )


@register.simple_tag
def wall_time(moment: dt.datetime, zone: ZoneInfo) -> SafeString:
    """Return a ``time`` element with the wall time in the conference's zone."""
    local = moment.astimezone(zone)
    return format_html(
        '<time datetime="{}">{}</time>', local.isoformat(timespec="minutes"), f"{local:%H:%M}"
    )


@register.simple_tag
def wall_day(moment: dt.datetime, zone: ZoneInfo) -> SafeString:
    """Return a ``time`` element with the whole calendar date in the conference's zone."""
    day = moment.astimezone(zone).date()
    words = formats.date_format(day, "l j F Y")
    return format_html('<time datetime="{}">{}</time>', day.isoformat(), words)


@register.simple_tag
def wall_date(moment: dt.datetime, zone: ZoneInfo) -> str:
    """Return the calendar date in the conference's zone, with the weekday."""
    return day_words(moment.astimezone(zone).date())


@register.filter
def day_words(day: dt.date) -> str:
    """Return a day as "Wednesday 8 April"."""
    return formats.date_format(day, "l j F")


@register.filter
def day_short(day: dt.date) -> str:
    """Return a day as "Wed 8 Apr"."""
    return formats.date_format(day, "D j M")


@register.filter
def minutes(session: PublicSession) -> str:
    """Return a session's length: "25 min", "1 h", "1 h 30 min"."""
    return length_words(session.ends_at - session.starts_at)


@register.filter
def length_words(length: dt.timedelta) -> str:
    """Return a length of time in hours and minutes."""
    hours, rest = divmod(int(length.total_seconds()) // 60, 60)
    parts = []
    if hours:
        parts.append(ngettext("%(n)s h", "%(n)s h", hours) % {"n": hours})
    if rest or not hours:
        parts.append(ngettext("%(n)s min", "%(n)s min", rest) % {"n": rest})
    return " ".join(parts)


def zone_words(zone: ZoneInfo, moment: dt.datetime) -> str:
    """Return a zone in words at a moment: "Europe/Paris time (CEST, UTC+02:00)"."""
    return _zone_time(zone, _offset_words(zone, moment))


def zone_words_over(zone: ZoneInfo, moments: Iterable[dt.datetime]) -> str:
    """Return a zone in words for moments in order, each clock change between them with its day.

    "Europe/Paris time (CET, UTC+01:00; from Sun 29 Mar CEST, UTC+02:00)". Without any moment the
    zone's name has to do.
    """
    parts: list[str] = []
    last = None
    for moment in moments:
        local = moment.astimezone(zone)
        if local.utcoffset() == last:
            continue
        last = local.utcoffset()
        words = _offset_words(zone, moment)
        if parts:
            words = gettext("from %(day)s %(offset)s") % {
                "day": day_short(local.date()),
                "offset": words,
            }
        parts.append(words)
    return _zone_time(zone, "; ".join(parts))


def _zone_time(zone: ZoneInfo, offset: str) -> str:
    if not offset:
        return gettext("%(zone)s time") % {"zone": zone.key}
    return gettext("%(zone)s time (%(offset)s)") % {"zone": zone.key, "offset": offset}


def _offset_words(zone: ZoneInfo, moment: dt.datetime) -> str:
    """Return an offset as "CEST, UTC+02:00", without the letters where the zone has none."""
    local = moment.astimezone(zone)
    offset = local.strftime("%z")
    written = f"UTC{offset[:3]}:{offset[3:5]}"
    name = local.tzname() or ""
    return f"{name}, {written}" if name.isalpha() and name != "UTC" else written


@register.filter
def rich(value: str) -> SafeString:
    """Return plain text as HTML with paragraphs, lists and links (everything escaped)."""
    return mark_safe(text.as_html(value))  # noqa: S308  # text.as_html escapes


@register.filter
def summary(value: str) -> str:
    """Return the beginning of a text on one line."""
    return text.summary(value)


@register.filter
def biography(speaker: PublicSpeaker) -> SafeString:
    """Return the biography as HTML; one that the source cut off ends in an ellipsis."""
    bio = f"{speaker.bio.rstrip()}…" if speaker.bio and speaker.bio_is_truncated else speaker.bio
    return rich(bio)


@register.filter
def initials(name: str) -> str:
    """Return up to two initials of a name."""
    words = [word for word in name.split() if word[:1].isalnum()]
    chosen = words[:1] + words[-1:] if len(words) > 1 else words
    return "".join(word[0].upper() for word in chosen)


for _name in (
    "agenda_path",
    "changes_path",
    "now_path",
    "room_path",
    "schedule_ics_path",
    "schedule_path",
    "session_ics_path",
    "session_path",
    "slides_path",
    "speaker_path",
    "speakers_path",
    "star_path",
    "track_path",
):
    register.simple_tag(getattr(addresses, _name), name=_name)

"""A selection in words, for names of calendars and files."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterator

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext

from sessions_app.criteria import NOT_STATED, Criteria
from sessions_app.schedule import Schedule


def selection_name(schedule: Schedule, criteria: Criteria) -> str:
    """Return what a calendar with these sessions is called: the conference, then the filters.

    Such as "Sample Conf: Main Hall or Annex, 8 Apr, with slides"; names that are not in the
    schedule are left out.
    """
    return "".join(selection_words(schedule, criteria))


def selection_words(schedule: Schedule, criteria: Criteria) -> Iterator[str]:
    """Yield that name in its parts, which are few and come again."""
    yield schedule.conference.name
    between = ": "
    for words in _words(schedule, criteria):
        yield between
        yield words
        between = ", "


def part_name(schedule: Schedule, part: str) -> str:
    """Return what the calendar of a part of the programme is called: a room, a person, a track."""
    return f"{schedule.conference.name}: {part}"


def _words(schedule: Schedule, criteria: Criteria) -> Iterator[str]:
    rooms = [room.name for slug in criteria.rooms if (room := schedule.room(slug))]
    tracks = [track.label for slug in criteria.tracks if (track := schedule.track(slug))]
    levels = [_level(schedule, slug) for slug in criteria.levels]
    days = [_day(day, get_language()) for day in criteria.days]
    for names in (rooms, tracks, list(filter(None, levels)), days):
        if names:
            yield names[0] if len(names) == 1 else gettext(" or ").join(names)
    if criteria.slides:
        yield gettext("with slides")
    if criteria.q:
        yield gettext("“%(text)s”") % {"text": criteria.q}


@functools.lru_cache(maxsize=500)
def _day(day: dt.date, language: str | None) -> str:
    """Return a day in the active language, which only tells the kept answers apart."""
    return date_format(day, "j M")


def _level(schedule: Schedule, slug: str) -> str:
    if slug == NOT_STATED:
        return gettext("level not stated")
    level = schedule.level(slug)
    return level.name if level else ""

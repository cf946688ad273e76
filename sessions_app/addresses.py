"""The site's paths, for everything that links without a request: cards, feeds, exports.

A test compares each with the URL map. Arguments are slugs, which need no quoting.
"""

from __future__ import annotations


def schedule_path(conference: str) -> str:
    """Return the path of the schedule page."""
    return f"/{conference}/"


def session_path(conference: str, slug: str) -> str:
    """Return the path of a session's page."""
    return f"/{conference}/sessions/{slug}/"


def session_ics_path(conference: str, slug: str) -> str:
    """Return the path of a session's calendar file."""
    return f"/{conference}/sessions/{slug}.ics"


def slides_path(conference: str, slug: str, number: int) -> str:
    """Return the path of an uploaded deck."""
    return f"/{conference}/sessions/{slug}/slides/{number}/"


def speakers_path(conference: str) -> str:
    """Return the path of the list of speakers."""
    return f"/{conference}/speakers/"


def speaker_path(conference: str, slug: str) -> str:
    """Return the path of a speaker's page."""
    return f"/{conference}/speakers/{slug}/"


def room_path(conference: str, slug: str) -> str:
    """Return the path of a room's page."""
    return f"/{conference}/rooms/{slug}/"


def track_path(conference: str, slug: str) -> str:
    """Return the path of a track's page."""
    return f"/{conference}/tracks/{slug}/"


def feed_path(page_path: str) -> str:
    """Return the calendar address that belongs to a speaker's, room's or track's page."""
    return f"{page_path.rstrip('/')}.ics"


def schedule_ics_path(conference: str) -> str:
    """Return the path of the conference's calendar feed."""
    return f"/{conference}/schedule.ics"


def now_path(conference: str) -> str:
    """Return the path of the page that tells what runs now."""
    return f"/{conference}/now/"


def changes_path(conference: str) -> str:
    """Return the path of the list of changes."""
    return f"/{conference}/changes/"


def agenda_path(conference: str) -> str:
    """Return the path of the visitor's own agenda."""
    return f"/{conference}/agenda/"


def star_path(conference: str, slug: str) -> str:
    """Return the path of the small page that adds a session to the agenda."""
    return f"/{conference}/agenda/add/{slug}/"

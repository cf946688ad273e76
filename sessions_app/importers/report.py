"""What a reading found, as JSON for programs and as a summary for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from sessions_app.records import Severity, Source, SourceSession, SourceTrack


def as_json(source: Source) -> dict[str, Any]:
    """Return a reading as plain values; docs/data-formats.md describes the shape.

    Dates are ISO 8601, datetimes with their offset; ``None`` or empty is what is not stated.
    """
    conference = source.conference
    return {
        "conference": {
            "name": conference.name,
            "place": conference.place,
            "starts_on": conference.starts_on.isoformat() if conference.starts_on else None,
            "ends_on": conference.ends_on.isoformat() if conference.ends_on else None,
            "timezone": conference.timezone,
            "notice": conference.notice,
            "registration_note": conference.registration_note,
        },
        "rooms": list(source.rooms),
        "tracks": _tracks(source.tracks),
        "levels": list(source.levels),
        "speakers": [
            {
                "name": speaker.name,
                "headline": speaker.headline,
                "company": speaker.company,
                "bio": speaker.bio,
                "bio_is_truncated": speaker.bio_is_truncated,
                "has_avatar": speaker.has_avatar,
            }
            for speaker in source.speakers
        ],
        "sessions": [_session(session) for session in source.sessions],
        "problems": [
            {
                "line": problem.line,
                "code": problem.code,
                "severity": problem.severity.value,
                "message": problem.message,
            }
            for problem in source.problems
        ],
    }


def _tracks(tracks: Iterable[SourceTrack]) -> list[dict[str, str | None]]:
    return [{"name": track.name, "parent": track.parent} for track in tracks]


def _session(session: SourceSession) -> dict[str, Any]:
    return {
        "order": session.order,
        "line": session.line,
        "title": session.title,
        "source_title": session.source_title,
        "kind": session.kind,
        "is_sponsored": session.is_sponsored,
        "starts_at": session.starts_at.isoformat(),
        "ends_at": session.ends_at.isoformat(),
        "room": session.room,
        "tracks": _tracks(session.tracks),
        "levels": list(session.levels),
        "speakers": list(session.speakers),
        "moderators": list(session.moderators),
        "slides": [
            {"name": slides.name, "file_type": slides.file_type} for slides in session.slides
        ],
        "has_slides_tag": session.has_slides_tag,
        "abstract": session.abstract,
    }


def summary(source: Source) -> str:
    """Return a page for people: what was found, how much of it, and each problem with its line."""
    sections = [_found(source), _kinds(source), _problems(source)]
    return "\n\n".join(section for section in sections if section)


def _found(source: Source) -> str:
    conference = source.conference
    heading = conference.name or "A conference without a name"
    days = [str(day) for day in (conference.starts_on, conference.ends_on) if day]
    facts = (conference.place, " to ".join(dict.fromkeys(days)), conference.timezone)
    lines = [heading, ", ".join(fact for fact in facts if fact)]
    lines += [f"{count:>5} {what}" for what, count in _counts(source).items()]
    if source.is_filtered:
        lines.append("The page shows a selection of the programme.")
    return "\n".join(line for line in lines if line)


def _counts(source: Source) -> dict[str, int]:
    sessions = source.sessions
    days = {session.starts_at.date() for session in sessions}
    used = {session.room for session in sessions if session.room}
    parents = sum(track.parent is None for track in source.tracks)
    return {
        f"sessions on {len(days)} day(s)": len(sessions),
        f"rooms, {len(used)} of them used": len(source.rooms),
        f"tracks and {len(source.tracks) - parents} sub-tracks": parents,
        "levels": len(source.levels),
        f"speakers in {sum(len(session.speakers) for session in sessions)} places": len(
            source.speakers
        ),
        f"slides on {sum(bool(session.slides) for session in sessions)} sessions": sum(
            len(session.slides) for session in sessions
        ),
        "abstracts": sum(bool(session.abstract) for session in sessions),
        "bios cut short by the source": sum(
            speaker.bio_is_truncated for speaker in source.speakers
        ),
    }


def _kinds(source: Source) -> str:
    kinds = Counter(session.kind for session in source.sessions)
    return "\n".join(f"{count:>5} {kind}" for kind, count in kinds.most_common())


def _problems(source: Source) -> str:
    if not source.problems:
        return "No problems."
    counts = Counter(problem.severity for problem in source.problems)
    heading = ", ".join(f"{counts[severity]} {severity}(s)" for severity in reversed(Severity))
    lines = [
        f"line {problem.line}: {problem.severity} [{problem.code}] {problem.message}"
        if problem.line
        else f"{problem.severity} [{problem.code}] {problem.message}"
        for problem in source.problems
    ]
    return "\n".join([heading, *lines])

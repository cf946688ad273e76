"""What sessions say together: people in several of them, rooms in use twice, repetitions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sessions_app.importers.problems import Code, ProblemLog, shortened
from sessions_app.importers.sched_text.people import merged
from sessions_app.importers.sched_text.sessions import Draft
from sessions_app.records import SourceSession, SourceSpeaker


def merge_people(drafts: Sequence[Draft], log: ProblemLog) -> tuple[SourceSpeaker, ...]:
    """Return everybody once, in the order of first appearance.

    A name stands for one person. Where two sessions print different things about them, the first
    one counts, and what it leaves out is taken from the next.
    """
    people: dict[str, SourceSpeaker] = {}
    for draft in drafts:
        for speaker in draft.people.speakers:
            known = people.setdefault(speaker.name, speaker)
            differing = _differing(known, speaker)
            if differing:
                message = (
                    f"{shortened(speaker.name)} has another {differing} here than in an earlier "
                    "session; the earlier one counts."
                )
                log.add(draft.line, Code.PERSON_DIFFERS, message)
            people[speaker.name] = merged(known, speaker)
    return tuple(people.values())


def _differing(known: SourceSpeaker, other: SourceSpeaker) -> str:
    if known.headline and other.headline and known.headline != other.headline:
        return "headline"
    return "bio" if known.bio and other.bio and known.bio != other.bio else ""


def check_sessions(sessions: Sequence[SourceSession], log: ProblemLog) -> None:
    """Remark on sessions printed twice, and on rooms with several sessions at a time."""
    seen: dict[tuple[str, str], SourceSession] = {}
    by_room: dict[str, list[SourceSession]] = defaultdict(list)
    for session in sessions:
        key = (session.source_title, session.starts_at.isoformat())
        first = seen.setdefault(key, session)
        if first is not session:
            message = f"“{shortened(session.title)}” with this start is on line {first.line} too."
            log.add(session.line, Code.DUPLICATE_SESSION, message)
        if session.room:
            by_room[session.room].append(session)
    for room, held in by_room.items():
        _check_room(room, sorted(held, key=lambda item: (item.starts_at, item.order)), log)


def _check_room(room: str, held: Sequence[SourceSession], log: ProblemLog) -> None:
    shared: list[SourceSession] = []
    latest = held[0]
    for session in held[1:]:
        if session.starts_at < latest.ends_at:
            shared.append(session)
        if session.ends_at > latest.ends_at:
            latest = session
    if shared:
        lines = ", ".join(str(session.line) for session in shared[:10])
        more = ", …" if len(shared) > 10 else ""
        message = f"{room} holds several sessions at the same time (lines {lines}{more})."
        log.add(shared[0].line, Code.ROOM_SHARED, message)

"""Makes programmes of any size, always the same for the same arguments.

Names are put together from colours, animals and the like, so that nobody real is meant.
"""

from __future__ import annotations

import datetime as dt
import random
import zoneinfo

from sessions_app.records import (
    Source,
    SourceConference,
    SourceSession,
    SourceSlides,
    SourceSpeaker,
    SourceTrack,
)

ZONE = "Europe/Berlin"
FIRST_DAY = dt.date(2027, 3, 9)
SLOT = dt.timedelta(minutes=30)
FIRST_NAMES = ("Amber", "Blue", "Coral", "Dusty", "Ebony", "Fawn", "Green", "Hazel", "Ivory", "Red")
LAST_NAMES = ("Otter", "Heron", "Badger", "Marten", "Lynx", "Wren", "Newt", "Ibex", "Moth", "Toad")
COMPANIES = ("Example Works", "Sample & Daughters", "Placeholder Lab", "Invented, Inc.")
SUBJECTS = ("Compilers", "Queues", "Kernels", "Schedulers", "Parsers", "Caches", "Tensors", "Logs")
VERBS = ("Testing", "Scaling", "Explaining", "Replacing", "Measuring", "Porting", "Debugging")
WORDS = (
    "how a team moved the slow part out of the way and what it cost them in the months after "
    "with figures from production a short tour of the code and the mistakes worth repeating "
    "none of which needs more than the documentation you already have on your own machine"
).split()
LEVELS = ("Beginner", "Intermediate", "Advanced")
KINDS = ("talk", "talk", "talk", "lightning_talk", "keynote", "birds_of_a_feather")


def generate(sessions: int, *, days: int = 3, rooms: int = 5, tracks: int = 13) -> Source:
    """Return a source with this many sessions, spread evenly over the days and rooms.

    More sessions than a day has slots are put at the same times again, so that 10,000 sessions may
    be on one day.
    """
    choose = random.Random(sessions * 1000 + days)  # noqa: S311  # a repeatable programme, no secret
    room_names = tuple(f"Room {number}" for number in range(1, rooms + 1))
    track_list = tuple(SourceTrack(f"Track {number:02}") for number in range(1, tracks + 1))
    people = _people(max(10, sessions * 4 // 5), choose)
    made = tuple(
        _session(number, sessions, days, room_names, track_list, people, choose)
        for number in range(sessions)
    )
    conference = SourceConference(
        name=f"Generated Conference {sessions}",
        place="Berlin, Germany",
        starts_on=FIRST_DAY,
        ends_on=FIRST_DAY + dt.timedelta(days=days - 1),
        timezone=ZONE,
        notice="The schedule is subject to change.",
    )
    return Source(conference, room_names, track_list, LEVELS, people, made)


def _people(count: int, choose: random.Random) -> tuple[SourceSpeaker, ...]:
    return tuple(
        SourceSpeaker(
            name=f"{FIRST_NAMES[n % 10]} {LAST_NAMES[n // 10 % 10]} {n}",
            headline=f"Engineer, {COMPANIES[n % len(COMPANIES)]}",
            company=COMPANIES[n % len(COMPANIES)],
            bio=_sentence(choose, 30),
        )
        for n in range(count)
    )


def _session(
    number: int,
    total: int,
    days: int,
    rooms: tuple[str, ...],
    tracks: tuple[SourceTrack, ...],
    people: tuple[SourceSpeaker, ...],
    choose: random.Random,
) -> SourceSession:
    day, index = divmod(number, -(-total // days))
    local = dt.datetime.combine(
        FIRST_DAY + dt.timedelta(days=day), dt.time(9), zoneinfo.ZoneInfo(ZONE)
    )
    starts_at = local + SLOT * (index // len(rooms) % 18)
    title = f"{choose.choice(VERBS)} {choose.choice(SUBJECTS)} {number + 1}"
    speakers = choose.sample(people, choose.choice((1, 1, 2)))
    slides = (SourceSlides(title, "pdf"),) if choose.random() < 0.4 else ()
    return SourceSession(
        order=number + 1,
        line=0,
        title=title,
        source_title=title,
        kind=choose.choice(KINDS),
        starts_at=starts_at,
        ends_at=starts_at + SLOT,
        room=rooms[index % len(rooms)],
        tracks=(choose.choice(tracks),),
        levels=(choose.choice(LEVELS),) if choose.random() < 0.6 else (),
        speakers=tuple(speaker.name for speaker in speakers),
        slides=slides,
        abstract="\n".join(_sentence(choose, 60) for _ in range(3)),
        key=f"generated-{number + 1}",
    )


def _sentence(choose: random.Random, words: int) -> str:
    text = " ".join(choose.choice(WORDS) for _ in range(words))
    return text[0].upper() + text[1:] + "."

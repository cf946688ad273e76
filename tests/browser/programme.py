"""A small programme for browser tests: two days, three rooms, people, tracks, slides."""

from __future__ import annotations

import datetime as dt

from confsched.models import Conference
from sessions_app.publish import publishing
from tests import factories

DAY = dt.date(2026, 4, 8)
NEXT = dt.date(2026, 4, 9)


def make_programme() -> Conference:
    """Make "Sample Conf" at /sample/ with six sessions."""
    conference = factories.make_conference(
        name="Sample Conf", slug="sample", starts_on=DAY, ends_on=NEXT, place="Paris, France",
        notice="Subject to change.", registration_url="https://register.example/",
        website="https://sample.example/", contact="team@sample.example",
    )  # fmt: skip
    with publishing(conference, by="test", silent=True):
        rows = [
            ("Opening", DAY, "09:00", "09:30", "Hall", [], [], "keynote"),
            (
                "Compilers for gardens",
                DAY,
                "10:00",
                "10:45",
                "Hall",
                ["Code"],
                ["Ada Inventa"],
                "talk",
            ),
            ("Kernels at work", DAY, "10:00", "10:30", "Attic", ["Code"], ["Zoë Example"], "talk"),
            ("Soup & lunch", DAY, "12:00", "13:00", "Kitchen", ["Food"], [], "service"),
            ("Beans, indoors", NEXT, "10:30", "11:00", "Attic", ["Food"], ["Ada Inventa"], "talk"),
            ("Closing", NEXT, "16:00", "16:30", "Hall", [], [], "keynote"),
        ]
        for title, day, start, end, room, tracks, speakers, kind in rows:
            factories.make_session(
                conference,
                title=title,
                day=day,
                start=start,
                end=end,
                room=room,
                tracks=tracks,
                speakers=speakers,
                kind=kind,
                levels=["Beginner"] if room == "Attic" else [],
                slides=[("Deck", "pdf", "https://slides.example/d.pdf")] if tracks else [],
                abstract="First paragraph.\n- one\n- two\nSee https://more.example/ for more.",
            )
    for speaker in conference.speakers.all():
        with publishing(conference, by="test", silent=True):
            speaker.headline, speaker.company = "Gardener, Example Works", "Example Works"
            speaker.bio, speaker.bio_is_truncated = "Grows beans and", True
            speaker.save()
    return conference

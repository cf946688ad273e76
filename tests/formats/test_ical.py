"""What stands in a calendar, and what does not."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import icalendar
import pytest
import vobject
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sessions_app.exporters.ical import (
    About,
    agenda_calendar,
    clock_key,
    feed_calendar,
    session_calendar,
)
from sessions_app.exporters.links import SiteLinks
from sessions_app.exporters.plain_text import one_line
from sessions_app.records import PublicSession, PublicSlides
from sessions_app.schedule import Schedule
from tests.formats.calendar_rules import events, faults, read
from tests.formats.demo import demo_schedule
from tests.unit.records import (
    REVISED_AT,
    at,
    conference,
    level,
    room,
    schedule,
    session,
    speaker,
    track,
)

LINKS = SiteLinks("https://example.org", "sample-conf")
ABOUT = About("Sample Conf", LINKS.schedule(), LINKS.file("ics"))
NOW = at("2026-03-20 12:00")
GOLDEN = Path(__file__).parent / "golden" / "demo.ics"


def feed(made: Schedule, now: dt.datetime = NOW, **options) -> bytes:
    everything = (*made.sessions, *made.withdrawn)
    return feed_calendar(made, everything, links=LINKS, about=ABOUT, now=now, **options)


def entry(talk: PublicSession, *others: PublicSession):
    return events(feed(schedule(talk, *others)))[talk.uid]


# --- every kind keeps the rules -------------------------------------------------------------------


def test_the_demo_keeps_the_rules_as_feed_agenda_and_download():
    demo = demo_schedule()
    assert len(demo.sessions) == 62
    assert faults(feed(demo), "feed") == []
    assert faults(feed(demo, in_utc=True), "feed") == []
    agenda = agenda_calendar(demo, demo.sessions[3:9], links=LINKS, now=NOW, alarm=10)
    assert faults(agenda, "personal") == []
    for talk in demo.sessions:
        assert faults(session_calendar(demo, talk, links=LINKS), "single") == []


def test_an_empty_selection_is_an_empty_calendar():
    made = schedule(session(1))
    data = feed_calendar(made, [], links=LINKS, about=ABOUT, now=NOW)
    assert faults(data, "feed") == []
    assert read(data).parts == []
    nothing = schedule()
    assert faults(feed(nothing), "feed") == []


@pytest.mark.parametrize("status", ["published", "cancelled", "withdrawn"])
@pytest.mark.parametrize("kind", ["talk", "service", "panel_debate"])
def test_every_state_of_a_session_keeps_the_rules(status, kind):
    made = schedule(session(1, status=status, kind=kind), session(2))
    everything = (*made.sessions, *made.withdrawn)
    agenda = agenda_calendar(made, everything, links=LINKS, now=NOW, alarm=5)
    single = session_calendar(made, made.session_by_id(1), links=LINKS)
    assert [faults(feed(made), "feed"), faults(agenda, "personal"), faults(single, "single")] == [
        [],
        [],
        [],
    ]


def test_the_demo_feed_is_what_it_was(request):
    demo = demo_schedule()
    talk = next(s for s in demo.sessions if s.title.startswith("vLLM & Ray"))
    sample = feed_calendar(demo, [talk], links=LINKS, about=ABOUT, now=NOW)
    if request.config.getoption("--renew-golden"):
        GOLDEN.write_bytes(sample)
    assert sample == GOLDEN.read_bytes()


def test_every_property_has_its_reason_in_the_documentation():
    demo = demo_schedule()
    made = replace(demo.sessions[0], slides=(PublicSlides(1, "Deck", "pdf", "https://x.test/"),))
    calendar = read(feed(schedule(made)))
    used = {
        name for part in (calendar, *calendar.inner("VEVENT")) for name, _, _ in part.properties
    }
    section = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text()
    section = section.partition("## Calendars")[2].partition("\n## ")[0]
    assert {name for name in used if name not in section} == set()


# --- one identity everywhere ----------------------------------------------------------------------


def test_an_entry_is_the_same_in_every_calendar_but_for_being_busy():
    demo = demo_schedule()
    talk = demo.sessions[7]
    whole = events(feed(demo))[talk.uid]
    alone = feed_calendar(demo, [talk], links=LINKS, about=About("Room"), now=NOW)
    single = events(session_calendar(demo, talk, links=LINKS))[talk.uid]
    agenda = events(agenda_calendar(demo, [talk], links=LINKS, now=NOW))[talk.uid]
    assert events(alone)[talk.uid] == whole
    assert single == agenda
    differing = {
        name: (mine, theirs)
        for (name, _, mine), (_, _, theirs) in zip(whole.properties, single.properties, strict=True)
        if mine != theirs
    }
    assert differing == {
        "TRANSP": ("TRANSPARENT", "OPAQUE"),
        "X-MICROSOFT-CDO-BUSYSTATUS": ("FREE", "BUSY"),
    }


def test_bytes_depend_on_the_schedule_alone():
    early = feed(demo_schedule(), NOW)
    late = feed(demo_schedule(), NOW + dt.timedelta(days=3))
    assert early == late


def test_the_zone_is_that_of_the_whole_programme_in_every_filter():
    talks = (session(1), session(2, "2027-01-10 10:00", "2027-01-10 11:00"))
    made = schedule(*talks)
    one = feed_calendar(made, talks[:1], links=LINKS, about=ABOUT, now=NOW)
    zone = read(feed(made)).inner("VTIMEZONE")
    assert read(one).inner("VTIMEZONE") == zone != []


# --- revisions ------------------------------------------------------------------------------------


def test_moving_one_session_changes_one_entry():
    before = [session(number) for number in range(1, 6)]
    moved = replace(
        before[2],
        starts_at=before[2].starts_at + dt.timedelta(hours=1),
        ends_at=before[2].ends_at + dt.timedelta(hours=1),
        sequence=1,
        changed_at=REVISED_AT + dt.timedelta(days=2),
    )
    old = events(feed(schedule(*before)))
    new = events(feed(schedule(*before[:2], moved, *before[3:])))
    assert old.keys() == new.keys()
    assert [uid for uid in old if old[uid] != new[uid]] == [moved.uid]
    entry = new[moved.uid]
    assert [entry.get(n) for n in ("SEQUENCE", "DTSTAMP", "LAST-MODIFIED", "DTSTART")] == [
        "1",
        "20260303T120000Z",
        "20260303T120000Z",
        "20260408T100000",
    ]


def test_a_feed_was_modified_when_its_latest_entry_was():
    later = session(2, changed_at=REVISED_AT + dt.timedelta(hours=5))
    assert read(feed(schedule(session(1), later))).get("LAST-MODIFIED") == "20260301T170000Z"


def test_cancelled_sessions_say_so_and_name_what_replaces_them():
    off = session(1, status="cancelled", replacement_slug="session-2", abstract="About it.")
    made = entry(off, session(2, title="Instead of it"))
    assert [made.get(name) for name in ("STATUS", "TRANSP")] == ["CANCELLED", "TRANSPARENT"]
    assert made.text("SUMMARY") == "Cancelled: Session 1"
    assert made.text("DESCRIPTION") == (
        "This session was cancelled.\n"
        "Instead: Instead of it https://example.org/sample-conf/sessions/session-2/\n"
        "Talk\n\nAbout it.\n\nhttps://example.org/sample-conf/sessions/session-1/"
    )


def test_withdrawn_sessions_leave_nothing_but_that_they_are_off():
    gone = session(
        1,
        status="withdrawn",
        abstract="Secret plans",
        speakers=(speaker("amber-otter"),),
        room=room("hall"),
        tracks=(track("web"),),
        slides=(PublicSlides(1, "Deck", "pdf", "https://example.org/x.pdf"),),
    )
    assert [(name, value) for name, _, value in entry(gone).properties] == [
        ("SUMMARY", "Cancelled: Session 1"),
        ("DTSTART", "20260408T090000"),
        ("DTEND", "20260408T093000"),
        ("DTSTAMP", "20260301T120000Z"),
        ("UID", gone.uid),
        ("SEQUENCE", "0"),
        (
            "DESCRIPTION",
            r"This session is no longer part of the programme.\n\nhttps://example.org/sample-conf/",
        ),
        ("LAST-MODIFIED", "20260301T120000Z"),
        ("LOCATION", "Hall"),
        ("STATUS", "CANCELLED"),
        ("TRANSP", "TRANSPARENT"),
        ("URL", "https://example.org/sample-conf/"),
        ("X-MICROSOFT-CDO-BUSYSTATUS", "FREE"),
    ]


@pytest.mark.parametrize("status", ["cancelled", "withdrawn"])
def test_cancelled_entries_leave_30_days_after_the_conference(status):
    made = schedule(session(1, status=status), session(2))
    last_moment = at("2026-05-09 03:59")
    assert len(events(feed(made, last_moment))) == 2
    assert len(events(feed(made, last_moment + dt.timedelta(minutes=1)))) == 1


def test_what_is_withdrawn_after_the_conference_is_still_taken_back_for_30_days():
    when = at("2026-09-01 12:00")
    made = schedule(session(1, status="withdrawn", changed_at=when), session(2))
    assert len(events(feed(made, when + dt.timedelta(days=29)))) == 2
    assert len(events(feed(made, when + dt.timedelta(days=30)))) == 1


def test_the_clock_key_changes_exactly_when_the_bytes_do():
    made = schedule(
        session(1, status="cancelled"),
        session(2),
        session(3, status="withdrawn", changed_at=at("2026-05-01 12:00")),
    )
    seen: dict[int, set[bytes]] = {}
    moment = at("2026-04-05 00:00")
    while moment < at("2026-06-10 00:00"):
        seen.setdefault(clock_key(made, moment), set()).add(feed(made, moment))
        moment += dt.timedelta(hours=3)
    assert [len(variants) for variants in seen.values()] == [1] * 5


# --- what stands in an entry ----------------------------------------------------------------------


def test_an_entry_tells_who_what_and_where():
    main = track("web", 1)
    talk = session(
        1,
        title="Tests & tools",
        kind="lightning_talk",
        room=room("hall"),
        tracks=(track("apis", 2, main), main),
        levels=(level("beginner"),),
        speakers=(speaker("amber-otter", "Invented, Inc."), speaker("ivory-wren")),
        moderators=(speaker("ivory-wren"),),
        abstract="First paragraph.\n- one\n- two\nLast; really.",
        slides=(
            PublicSlides(1, "Deck", "pdf", "https://example.org/ä deck.pdf"),
            PublicSlides(2, "notes.pptx", "pptx", is_upload=True),
            PublicSlides(3, "Known by name", "pdf"),
            PublicSlides(4, "Elsewhere", "pdf", "javascript:alert(1)"),
        ),
    )
    made = entry(talk)
    assert made.text("SUMMARY") == "Tests & tools"
    assert made.text("LOCATION") == "Hall"
    assert made.get("URL") == "https://example.org/sample-conf/sessions/session-1/"
    assert made.get("CATEGORIES") == "Web: Apis,Web,Lightning talk"
    assert made.text("DESCRIPTION") == (
        "Speakers: Amber Otter (Invented, Inc.), Ivory Wren (moderator)\n"
        "Web: Apis · Web · Lightning talk · Level: Beginner\n\n"
        "First paragraph.\n- one\n- two\nLast; really.\n\n"
        "Slides: Deck https://example.org/%C3%A4%20deck.pdf\n"
        "Slides: notes.pptx https://example.org/sample-conf/sessions/session-1/slides/2/\n\n"
        "https://example.org/sample-conf/sessions/session-1/"
    )
    powerpoint = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    assert [(p, v) for name, p, v in made.properties if name == "ATTACH"] == [
        (";FILENAME=Deck.pdf;FMTTYPE=application/pdf", "https://example.org/%C3%A4%20deck.pdf"),
        (
            f";FILENAME=notes.pptx;FMTTYPE={powerpoint}",
            "https://example.org/sample-conf/sessions/session-1/slides/2/",
        ),
    ]


def test_categories_with_commas_stay_whole_and_none_comes_twice():
    web = replace(track("web"), name="Web, APIs", label="Web, APIs")
    made = session(1, tracks=(web, replace(track("talk", 1), label="talk")))
    data = feed(schedule(made))
    (event,) = icalendar.Calendar.from_ical(data).walk("VEVENT")
    assert event.categories == ["Web, APIs", "talk"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (None, "Room to be announced"),
        (room("hall"), "Hall"),
        (replace(room("hall"), address="1 Invented Street"), "Hall, 1 Invented Street"),
        (replace(room("hall"), name="Hall\n"), "Hall"),
    ],
)
def test_the_location_is_never_empty(where, expected):
    assert entry(session(1, room=where)).text("LOCATION") == expected


def test_long_abstracts_end_at_a_word_with_where_there_is_more():
    talk = session(1, abstract="lorem ipsum " * 2000, speakers=(speaker("amber-otter"),))
    description = entry(talk).text("DESCRIPTION")
    assert 3900 < len(description) <= 4000
    assert description.startswith("Speaker: Amber Otter\nTalk\n\nlorem ipsum")
    cut, more = description.split("… ")
    assert cut.endswith(("lorem", "ipsum"))
    assert more == "more: https://example.org/sample-conf/sessions/session-1/"


def test_only_an_agenda_rings_and_only_on_request():
    made = schedule(session(1, title="Ring, ring"), session(2, status="cancelled"))
    picks = made.sessions
    quiet = agenda_calendar(made, picks, links=LINKS, now=NOW)
    loud = agenda_calendar(made, picks, links=LINKS, now=NOW, alarm=10)
    assert b"VALARM" not in quiet
    assert faults(loud, "personal") == []
    first, second = read(loud).inner("VEVENT")
    (alarm,) = first.parts
    assert [(n, v) for n, _, v in alarm.properties if n != "UID"] == [
        ("ACTION", "DISPLAY"),
        ("DESCRIPTION", r"Ring\, ring"),
        ("TRIGGER", "-PT10M"),
    ]
    assert second.parts == []
    assert loud == agenda_calendar(made, picks, links=LINKS, now=NOW, alarm=10)


def test_an_agenda_is_named_and_gives_no_address_away():
    made = schedule(session(1))
    head = read(agenda_calendar(made, made.sessions, links=LINKS, now=NOW))
    assert head.get("NAME") == "My agenda: Sample Conf"
    assert not head.all("URL") + head.all("SOURCE")
    named = agenda_calendar(made, made.sessions, links=LINKS, now=NOW, name="Ours")
    assert read(named).get("X-WR-CALNAME") == "Ours"


def test_addresses_that_are_not_https_stay_out_of_the_head():
    made = schedule(session(1))
    about = About("N", "http://127.0.0.1:8000/c/", "http://127.0.0.1:8000/c/schedule.ics")
    data = feed_calendar(made, made.sessions, links=LINKS, about=about, now=NOW)
    assert not read(data).all("URL") + read(data).all("SOURCE")


def test_sessions_come_in_order_of_start_whatever_order_they_are_given_in():
    made = schedule(
        session(1, "2026-04-08 11:00", "2026-04-08 12:00"),
        session(2),
        session(3, "2026-04-07 10:00", "2026-04-07 11:00"),
    )
    data = feed_calendar(made, made.sessions[::-1], links=LINKS, about=ABOUT, now=NOW)
    assert [event.get("UID")[-1] for event in read(data).inner("VEVENT")] == ["3", "2", "1"]


def test_a_conference_in_utc_has_no_zone_at_all():
    made = schedule(session(1), conference=conference(timezone="UTC"))
    data = feed(made)
    assert faults(data, "feed") == []
    assert b"TZID" not in data
    assert read(data).get("X-WR-TIMEZONE") == "UTC"


# --- texts ----------------------------------------------------------------------------------------

UGLY = [
    r"D:\New C:\new \, \; \\",
    'Ann "A" O\'Neil: "quotes"',
    "a,b;c:d^n^^'x",
    "  blanks   inside ",
    "تجربة النص 世界 🎉 👩‍👩‍👧‍👦 é",
    "x" * 200,
    "Talk\r\nATTENDEE:mailto:x@example.org",
    "Talk\u2028END:VEVENT\u0085BEGIN:VEVENT",
    "bell\x07 null\x00 escape\x1b",
    "half \ud83d of a pair",
    "BEGIN:VEVENT",
    "<b>bold</b> &amp; more",
    "ends with backslash \\",
]
bounded = settings(deadline=None, max_examples=60)
texts = st.text(st.characters(codec=None), min_size=1).filter(lambda text: one_line(text))


def widths() -> list[str]:
    return [char * count for char in "é世🎉\\" for count in range(50, 91, 5)]


@bounded
@example("x" * 74 + "é")
@given(texts | st.sampled_from([*UGLY, *widths()]))
def test_any_title_comes_back_from_two_libraries_as_it_was(title):
    made = session(1, title=title)
    data = feed(schedule(made))
    expected = one_line(title).encode("utf-8", "ignore").decode()
    assert faults(data, "feed") == [] or title.startswith("Cancelled: ")
    (event,) = icalendar.Calendar.from_ical(data).walk("VEVENT")
    assert event["SUMMARY"] == expected
    read_by_vobject = next(vobject.readComponents(data.decode()))
    assert read_by_vobject.vevent.summary.value == expected


@bounded
@given(texts | st.sampled_from([*UGLY, *widths()]))
def test_any_abstract_name_and_place_keep_the_rules(text):
    talk = session(
        1,
        abstract=text,
        room=replace(room("hall"), name=text),
        speakers=(replace(speaker("amber-otter", text), name=text),),
        tracks=(replace(track("web"), name=text, label=text),),
        slides=(PublicSlides(1, text, text[:10], f"https://example.org/{text}"),),
    )
    made = schedule(talk)
    assert faults(feed(made), "feed") == []
    assert len(events(feed(made))) == 1
    assert next(vobject.readComponents(feed(made).decode())).validate()


def test_ugly_titles_are_one_entry_and_nothing_else():
    made = schedule(*(session(n, title=title) for n, title in enumerate(UGLY, 1)))
    data = feed(made)
    assert faults(data, "feed") == []
    assert len(read(data).inner("VEVENT")) == len(UGLY)
    assert b"\r\nATTENDEE" not in data
    names = {each.get("UID"): each.text("SUMMARY") for each in read(data).inner("VEVENT")}
    assert names[made.session_by_id(1).uid] == UGLY[0]
    assert names[made.session_by_id(7).uid] == "Talk ATTENDEE:mailto:x@example.org"

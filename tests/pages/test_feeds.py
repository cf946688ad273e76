"""Calendars over HTTP: the same bytes for everybody, until something changes."""

from __future__ import annotations

import datetime as dt
from urllib.robotparser import RobotFileParser

import icalendar
import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.exporters.links import SiteLinks
from sessions_app.models import Session, Status
from sessions_app.publish import publishing
from tests.factories import make_conference, make_session
from tests.formats.calendar_rules import events, faults

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 4, 1, 12, tzinfo=dt.UTC)
FEED = "/invented/schedule.ics"
KINDS = {
    "whole": FEED,
    "filtered": f"{FEED}?room=attic",
    "room": "/invented/rooms/attic.ics",
    "track": "/invented/tracks/gardening.ics",
    "speaker": "/invented/speakers/ada-inventa.ics",
    "session": "/invented/sessions/growing-beans-indoors.ics",
}


@pytest.fixture(autouse=True)
def _clock(time_machine):
    time_machine.move_to(NOW, tick=False)


@pytest.fixture
def conference():
    with publishing(by="test", silent=True):  # once for all of them
        made = make_conference()
        make_session(made, room="Attic", tracks=["Gardening"], speakers=["Ada Inventa"])
        make_session(made, "Pruning", start="11:00", room="Cellar", tracks=["Gardening: Trees"])
    made.refresh_from_db()
    return made


def titles(response) -> list[str]:
    calendar = icalendar.Calendar.from_ical(response.content)
    return [str(event["SUMMARY"]) for event in calendar.walk("VEVENT")]


def change(session: Session, **values) -> None:
    with publishing(session.conference, by="test"):
        for name, value in values.items():
            setattr(session, name, value)
        session.save()


@pytest.mark.parametrize("kind", KINDS)
def test_every_calendar_says_what_it_is(client, conference, kind):
    response = client.get(KINDS[kind])
    assert (response.status_code, response["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert response["Cache-Control"] == "public, no-cache"
    assert response["Vary"] == "Accept-Encoding"
    assert response["Last-Modified"] == "Wed, 01 Apr 2026 12:00:00 GMT"
    assert response["ETag"].startswith('"')
    assert not response.cookies


@pytest.mark.parametrize(
    ("kind", "disposition"),
    [
        ("whole", 'inline; filename="invented.ics"'),
        ("room", 'inline; filename="invented-attic.ics"'),
        ("session", 'attachment; filename="invented-growing-beans-indoors.ics"'),
    ],
)
def test_feeds_open_and_single_sessions_download(client, conference, kind, disposition):
    assert client.get(KINDS[kind])["Content-Disposition"] == disposition


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (FEED, ["Growing beans indoors", "Pruning"]),
        (f"{FEED}?room=cellar", ["Pruning"]),
        (f"{FEED}?track=gardening", ["Growing beans indoors", "Pruning"]),
        (f"{FEED}?track=gardening-trees", ["Pruning"]),
        (f"{FEED}?day=2026-04-08&q=beans", ["Growing beans indoors"]),
        (f"{FEED}?view=grid&tz=Asia/Tokyo&utm_source=mail&day=all&room=cellar", ["Pruning"]),
        (f"{FEED}?q=nothing-like-it", []),
        ("/invented/rooms/cellar.ics", ["Pruning"]),
        ("/invented/tracks/gardening.ics", ["Growing beans indoors", "Pruning"]),
        ("/invented/tracks/gardening-trees.ics", ["Pruning"]),
        ("/invented/speakers/ada-inventa.ics", ["Growing beans indoors"]),
        ("/invented/sessions/pruning.ics", ["Pruning"]),
    ],
)
def test_a_calendar_holds_what_its_page_shows(client, conference, address, expected):
    assert titles(client.get(address)) == expected


@pytest.mark.parametrize(
    "address",
    [
        f"{FEED}?room=nowhere",
        f"{FEED}?room=attic&track=nothing",
        f"{FEED}?day=2026-04-30",
        f"{FEED}?slides=maybe",
        "/unheard-of/schedule.ics",
        "/invented/rooms/nowhere.ics",
        "/invented/tracks/nowhere.ics",
        "/invented/speakers/nobody.ics",
        "/invented/sessions/nothing.ics",
    ],
)
def test_what_is_not_there_is_not_found_rather_than_everything(client, conference, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ["PROPFIND", "OPTIONS", "REPORT", "POST", "PUT", "DELETE"])
def test_other_methods_are_told_which_ones_there_are(conference, kind, method):
    response = Client(enforce_csrf_checks=True).generic(method, KINDS[kind], b"<propfind/>")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize("kind", KINDS)
def test_head_answers_like_get_without_the_body(client, conference, kind):
    got, head = client.get(KINDS[kind]), client.head(KINDS[kind])
    assert (head.status_code, head.content) == (200, b"")
    assert dict(head.items()) == dict(got.items())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_who_has_it_gets_304_and_nothing_is_rendered(
    client, conference, kind, form, django_assert_num_queries
):
    etag = client.get(KINDS[kind])["ETag"]
    with django_assert_num_queries(1):
        response = client.get(KINDS[kind], headers={"If-None-Match": form.format(etag)})
    assert (response.status_code, response.content, response["ETag"]) == (304, b"", etag)


def test_who_has_it_by_date_gets_304_unless_the_tag_differs(client, conference):
    since = {"If-Modified-Since": client.get(FEED)["Last-Modified"]}
    assert client.get(FEED, headers=since).status_code == 304
    assert client.get(FEED, headers={**since, "If-None-Match": '"old"'}).status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_an_hour_and_an_emptied_memory_later_it_is_the_same_file(
    client, conference, kind, time_machine, settings
):
    from confsched.kept import bodies
    from sessions_app import snapshot

    first = client.get(KINDS[kind])
    time_machine.move_to(NOW + dt.timedelta(hours=1), tick=False)
    bodies.clear()
    snapshot.clear()
    second = client.get(KINDS[kind])
    assert (second.content, second["ETag"]) == (first.content, first["ETag"])


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Accept": "*/*"},
        {"Accept": "text/html", "Accept-Language": "de", "Cookie": "sessionid=x; theme=dark"},
        {"User-Agent": "Microsoft Office/16.0", "Accept-Encoding": "gzip, br"},
        {"Host": "127.0.0.1:8000"},
    ],
)
def test_the_address_alone_decides(client, conference, headers):
    plain = client.get(FEED)
    response = client.get(FEED, headers=headers)
    assert response.content == plain.content
    assert "Content-Encoding" not in response


def test_an_edit_is_in_the_next_answer_and_touches_one_entry(client, conference, time_machine):
    before = client.get(FEED)
    time_machine.move_to(NOW + dt.timedelta(days=1), tick=False)
    pruning = Session.objects.get(slug="pruning")
    change(pruning, starts_at=pruning.starts_at + dt.timedelta(minutes=15))
    after = client.get(FEED, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    old, new = (
        {str(e["UID"]): e.to_ical() for e in icalendar.Calendar.from_ical(r.content).walk("VEVENT")}
        for r in (before, after)
    )
    assert old.keys() == new.keys()
    assert [uid for uid in old if old[uid] != new[uid]] == [str(pruning.uid)]
    moved = icalendar.Event.from_ical(new[str(pruning.uid)])
    assert moved["SEQUENCE"] == 1
    assert moved["LAST-MODIFIED"].dt == moved["DTSTAMP"].dt == NOW + dt.timedelta(days=1)


def test_a_withdrawn_session_is_taken_back_until_a_month_after_the_conference(
    client, conference, time_machine
):
    change(Session.objects.get(slug="pruning"), status=Status.WITHDRAWN)
    everywhere = [
        FEED,
        f"{FEED}?room=cellar",
        f"{FEED}?track=gardening-trees",
        "/invented/rooms/cellar.ics",
        "/invented/tracks/gardening-trees.ics",
        "/invented/sessions/pruning.ics",
    ]
    for address in everywhere:
        assert "Cancelled: Pruning" in titles(client.get(address)), address
    assert titles(client.get(f"{FEED}?room=attic")) == ["Growing beans indoors"]
    for address in everywhere[:5]:
        query = "&" if "?" in address else "?"
        without = titles(client.get(f"{address}{query}cancelled=0"))
        assert "Cancelled: Pruning" not in without, address
    etag = client.get(FEED)["ETag"]
    time_machine.move_to(dt.datetime(2026, 5, 9, 12, tzinfo=dt.UTC), tick=False)
    later = client.get(FEED, headers={"If-None-Match": etag})
    assert titles(later) == ["Growing beans indoors"]
    assert titles(client.get(f"{FEED}?room=cellar")) == []
    assert client.get("/invented/sessions/pruning.ics").status_code == 404


def test_a_cancelled_session_says_so_in_every_calendar(client, conference):
    change(Session.objects.get(slug="pruning"), status=Status.CANCELLED)
    assert titles(client.get(FEED)) == ["Growing beans indoors", "Cancelled: Pruning"]
    assert titles(client.get("/invented/sessions/pruning.ics")) == ["Cancelled: Pruning"]
    assert titles(client.get(f"{FEED}?cancelled=0")) == ["Growing beans indoors"]


def test_old_slugs_lead_to_the_calendar_of_today(client, conference):
    room = conference.rooms.get(slug="cellar")
    with publishing(conference, by="test"):
        room.slug = "vault"
        room.save()
    moved = client.get("/invented/rooms/cellar.ics?tz=utc")
    assert (moved.status_code, moved["Location"]) == (301, "/invented/rooms/vault.ics?tz=utc")
    # A browser that kept it for ever would go round in circles once the slug is given back.
    assert moved["Cache-Control"] == "no-cache"
    filtered = client.get(f"{FEED}?room=cellar&q=a+b")
    assert (filtered.status_code, filtered["Location"]) == (301, f"{FEED}?room=vault&q=a+b")


def test_times_come_in_utc_on_request(client, conference):
    content = client.get(f"{FEED}?tz=utc").content
    assert b"DTSTART:20260408T080000Z\r\n" in content
    assert b"TZID" not in content


def test_a_feed_names_itself_its_page_and_its_address(client, conference, settings):
    settings.SITE_URL = "https://sched.example.org"
    response = client.get(f"{FEED}?room=attic&day=2026-04-08&tz=utc&cancelled=0&view=grid")
    calendar = icalendar.Calendar.from_ical(response.content)
    assert b"\r\nNAME:Invented Days: Attic\\, 8 Apr\r\n" in response.content
    assert b"\r\nX-WR-CALNAME:Invented Days: Attic\\, 8 Apr\r\n" in response.content
    assert calendar["URL"] == "https://sched.example.org/invented/?day=2026-04-08&room=attic"
    assert calendar["SOURCE"] == (
        "https://sched.example.org/invented/schedule.ics"
        "?day=2026-04-08&room=attic&tz=utc&cancelled=0"
    )
    room = icalendar.Calendar.from_ical(client.get(KINDS["room"]).content)
    assert (room["NAME"], room["URL"], room["SOURCE"]) == (
        "Invented Days: Attic",
        "https://sched.example.org/invented/rooms/attic/",
        "https://sched.example.org/invented/rooms/attic.ics",
    )


def test_clients_are_asked_to_look_more_often_while_the_conference_is_on(
    client, conference, time_machine
):
    calm = client.get(FEED)
    time_machine.move_to(dt.datetime(2026, 4, 8, 8, tzinfo=dt.UTC), tick=False)
    busy = client.get(FEED, headers={"If-None-Match": calm["ETag"]})
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n" in calm.content
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n" in busy.content


@pytest.mark.slow
def test_a_large_filter_is_neither_cut_nor_more_queries(client, django_assert_num_queries):
    conference = make_conference()
    with publishing(conference, by="test"):
        for number in range(210):
            make_session(conference, f"Bed {number}", start="10:00", room="Attic")
    client.get(FEED)
    with django_assert_num_queries(1):
        assert len(titles(client.get(f"{FEED}?room=attic"))) == 210


def test_every_kind_keeps_the_rules_for_calendars(client, conference):
    change(Session.objects.get(slug="pruning"), status=Status.WITHDRAWN)
    for kind, address in KINDS.items():
        content = client.get(address).content
        assert faults(content, "single" if kind == "session" else "feed") == [], kind


def test_the_programme_that_ships_is_a_good_calendar_in_every_room_and_track(client, demo):
    whole = client.get(f"/{demo.slug}/schedule.ics")
    assert faults(whole.content, "feed") == []
    assert len(titles(whole)) == demo.sessions.count() == 62
    for folder, places in (("rooms", demo.rooms.all()), ("tracks", demo.tracks.all())):
        for place in places:
            content = client.get(f"/{demo.slug}/{folder}/{place.slug}.ics").content
            assert faults(content, "feed") == [], place


def test_no_rename_and_no_move_of_the_site_changes_an_identity(client, conference, settings):
    before = {event.get("UID") for event in events(client.get(FEED).content).values()}
    settings.SITE_URL = "https://elsewhere.example.org"
    pruning = Session.objects.get(slug="pruning")
    change(pruning, title="Cutting", slug="cutting", starts_at=pruning.starts_at.replace(hour=8))
    with publishing(conference, by="test"):
        conference.slug, conference.name = "renamed", "Renamed Days"
        conference.save()
    after = client.get("/renamed/schedule.ics").content
    assert {event.get("UID") for event in events(after).values()} == before
    assert faults(after, "feed") == []


def test_two_conferences_share_no_identity(client, conference):
    other = make_conference("Other Days", slug="other")
    make_session(other, room="Attic")
    uids = [
        set(events(client.get(f"/{slug}/schedule.ics").content)) for slug in ("invented", "other")
    ]
    assert len(uids[0]) == 2
    assert uids[0].isdisjoint(uids[1])


def test_robots_txt_lets_calendars_in(client, conference):
    robots = RobotFileParser()
    robots.parse(client.get("/robots.txt").content.decode().splitlines())
    for address in KINDS.values():
        assert robots.can_fetch("Google-Calendar-Importer", f"https://example.org{address}")


@pytest.mark.slow
def test_large_feeds_are_compressed_for_who_asks_but_not_for_outlook(client, conference):
    with publishing(conference, by="test"):
        for number in range(230):
            make_session(conference, f"Bed {number}", abstract=f"{number} beans " * 450)
    asks = {"Accept-Encoding": "gzip"}
    plain = client.get(FEED)
    assert len(plain.content) > 1_000_000
    assert client.get(FEED, headers=asks)["Content-Encoding"] == "gzip"
    outlook = client.get(FEED, headers={**asks, "User-Agent": "Microsoft Office/16.0 (Outlook)"})
    assert "Content-Encoding" not in outlook
    assert outlook.content == plain.content


def test_links_written_without_the_url_map_are_those_of_the_map(conference):
    links = SiteLinks("", "invented")
    for made, name, arguments in [
        (links.schedule(), "schedule", ["invented"]),
        (links.file("ics"), "schedule-ics", ["invented"]),
        (links.session("a"), "session-detail", ["invented", "a"]),
        (links.speaker("a"), "speaker-detail", ["invented", "a"]),
        (links.room("a"), "room-detail", ["invented", "a"]),
        (links.track("a"), "track-detail", ["invented", "a"]),
        (links.twin(links.speaker("a")), "speaker-ics", ["invented", "a"]),
        (links.twin(links.room("a")), "room-ics", ["invented", "a"]),
        (links.twin(links.track("a")), "track-ics", ["invented", "a"]),
        (links.twin(links.session("a")), "session-ics", ["invented", "a"]),
        (links.slides("a", 2), "slides-download", ["invented", "a", 2]),
    ]:
        kwargs = dict(zip(("conference", "slug", "number"), arguments, strict=False))
        assert made == reverse(name, kwargs=kwargs)


@pytest.mark.parametrize("query", ["%00%ff", "room=%00", "&&&==;;", "a=" * 3000, "q=%ED%A0%80"])
def test_hostile_queries_never_fail(client, conference, query):
    assert client.get(f"{FEED}?{query}").status_code in (200, 404)


def test_who_has_only_withdrawn_sessions_still_has_a_calendar(client, conference):
    change(Session.objects.get(slug="growing-beans-indoors"), status="withdrawn")
    response = client.get("/invented/speakers/ada-inventa.ics")
    calendar = icalendar.Calendar.from_ical(response.content)
    assert [str(event["STATUS"]) for event in calendar.walk("VEVENT")] == ["CANCELLED"]
    assert client.get("/invented/speakers/nobody.ics").status_code == 404

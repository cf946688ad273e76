"""Addresses that leave the site, and what calendars make of them."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from sessions_app.exporters.links import LONGEST_ADD_LINK, SiteLinks, add_links, subscribe_links
from tests.unit.records import conference, room, session, speaker

LINKS = SiteLinks("https://example.org", "sample-conf")


def test_addresses_are_absolute_and_below_the_site_url():
    page = LINKS.room("main-hall")
    assert [
        LINKS.schedule(),
        LINKS.schedule("room=main-hall"),
        LINKS.file("ics"),
        LINKS.file("ics", "day=2026-04-08&q=a+b"),
        LINKS.session("opening"),
        LINKS.speaker("amber-otter"),
        page,
        LINKS.twin(page),
        LINKS.track("web"),
        LINKS.slides("opening", 2),
    ] == [
        "https://example.org/sample-conf/",
        "https://example.org/sample-conf/?room=main-hall",
        "https://example.org/sample-conf/schedule.ics",
        "https://example.org/sample-conf/schedule.ics?day=2026-04-08&q=a+b",
        "https://example.org/sample-conf/sessions/opening/",
        "https://example.org/sample-conf/speakers/amber-otter/",
        "https://example.org/sample-conf/rooms/main-hall/",
        "https://example.org/sample-conf/rooms/main-hall.ics",
        "https://example.org/sample-conf/tracks/web/",
        "https://example.org/sample-conf/sessions/opening/slides/2/",
    ]


def test_every_calendar_gets_the_form_it_wants():
    links = subscribe_links("https://example.org/c/schedule.ics?room=a&day=2026-04-08", "Ä & B")
    encoded = "https%3A%2F%2Fexample.org%2Fc%2Fschedule.ics%3Froom%3Da%26day%3D2026-04-08"
    assert links.https == "https://example.org/c/schedule.ics?room=a&day=2026-04-08"
    assert links.webcal == "webcal://example.org/c/schedule.ics?room=a&day=2026-04-08"
    assert links.google_page == "https://calendar.google.com/calendar/r/settings/addbyurl"
    assert links.outlook == (
        f"https://outlook.live.com/calendar/0/addfromweb?url={encoded}&name=%C3%84%20%26%20B"
    )
    assert links.office365 == links.outlook.replace("live.com", "office.com")


def test_google_is_given_the_webcal_form():
    links = subscribe_links("https://example.org/c/schedule.ics", "C")
    assert parse_qs(urlsplit(links.google).query) == {
        "cid": ["webcal://example.org/c/schedule.ics"]
    }


def test_one_session_becomes_a_filled_in_form():
    talk = session(
        7, title="Tips & tricks; or, more", room=room("hall"), speakers=(speaker("amber-otter"),)
    )
    links = add_links(talk, conference(), LINKS)
    details = "Amber Otter\n\nhttps://example.org/sample-conf/sessions/session-7/"
    assert parse_qs(urlsplit(links.google).query) == {
        "action": ["TEMPLATE"],
        "text": ["Tips & tricks; or, more"],
        "dates": ["20260408T070000Z/20260408T073000Z"],
        "ctz": ["Europe/Paris"],
        "details": [details],
        "location": ["Hall, Paris, France"],
    }
    assert parse_qs(urlsplit(links.outlook).query) == {
        "path": ["/calendar/action/compose"],
        "rru": ["addevent"],
        "startdt": ["2026-04-08T07:00:00Z"],
        "enddt": ["2026-04-08T07:30:00Z"],
        "subject": ["Tips & tricks; or, more"],
        "body": [details],
        "location": ["Hall, Paris, France"],
    }
    assert links.office365 == links.outlook.replace("live.com", "office.com")


def test_long_titles_do_not_make_addresses_that_are_refused():
    talk = session(7, title="世" * 500, speakers=tuple(speaker(f"person-{n}") for n in range(60)))
    links = add_links(talk, conference(), LINKS)
    assert all(len(link) <= LONGEST_ADD_LINK for link in (links.google, links.outlook))

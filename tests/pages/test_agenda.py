"""The agenda as people meet it: who owns it, their other browser, a friend, a stranger."""

import datetime as dt
import io
import logging
import re
from http.cookies import Morsel

import icalendar
import pytest
from django.test import Client

from confsched.logs import MaskingFormatter
from sessions_app.agenda import limits, picks, tokens
from sessions_app.agenda.models import Agenda, Pick
from sessions_app.agenda.tokens import Purpose
from sessions_app.agenda.views import base, own
from sessions_app.models import Status
from sessions_app.publish import publishing
from tests.factories import at, make_conference, make_session

pytestmark = pytest.mark.django_db

HOME = "/invented/agenda/"
JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def _no_agendas_yet():
    limits.new_agendas.clear()


@pytest.fixture
def conference():
    return make_conference()


@pytest.fixture
def beans(conference):
    return make_session(
        conference, "Growing beans indoors", start="10:00", minutes=60, room="Attic"
    )


@pytest.fixture
def soup(conference):
    return make_session(conference, "Soup for many", start="10:45", minutes=45, room="Kitchen")


@pytest.fixture
def knots(conference):
    return make_session(conference, "Knots that hold", start="13:00", minutes=30)


@pytest.fixture
def owner(client, beans, soup, knots):
    """Somebody who picked two sessions."""
    for session in (beans, soup):
        client.post(f"{HOME}add/{session.slug}/")
    return client


@pytest.fixture
def other_browser():
    return Client()


@pytest.fixture
def stranger():
    return Client()


def live():
    """Return the one agenda's tokens by purpose."""
    return tokens.live_tokens(Agenda.objects.get().pk)


def picked(client):
    return client.get(f"{HOME}picks/").json()["picks"]


def text(response):
    """Return the words of a page, each run of white space as one blank."""
    html = response.content.decode()
    main = html[html.index("<main") : html.index("</main>")]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main)).strip()


def cookie_of(response, name="agenda"):
    morsel: Morsel = response.cookies[name]
    return {key: value for key, value in morsel.items() if value != ""}


# --- the star ---


def test_the_first_star_makes_an_agenda(client, beans):
    assert picked(client) == []
    response = client.post(f"{HOME}add/{beans.slug}/", headers=JSON)
    assert (response.status_code, response.json()) == (200, {"picks": [beans.pk]})
    assert picked(client) == [beans.pk]
    assert Agenda.objects.get().conference == beans.conference


def test_a_star_pressed_twice_is_one_pick(client, beans, soup):
    for _ in range(2):
        client.post(f"{HOME}add/{beans.slug}/", headers=JSON)
    assert client.post(f"{HOME}add/{soup.slug}/", headers=JSON).json() == {
        "picks": [beans.pk, soup.pk]
    }
    for _ in range(2):
        response = client.post(f"{HOME}remove/{beans.slug}/", headers=JSON)
    assert response.json() == {"picks": [soup.pk]}


def test_taking_out_without_an_agenda_makes_none(client, beans):
    response = client.post(f"{HOME}remove/{beans.slug}/", headers=JSON)
    assert (response.json(), response.cookies) == ({"picks": []}, {})
    assert not Agenda.objects.exists()


@pytest.mark.parametrize("referer", ["http://[bad", "https://evil.example/x", "//", "about:blank"])
def test_a_strange_way_here_leads_back_to_the_schedule(client, beans, referer):
    page = client.get(f"{HOME}add/{beans.slug}/", headers={"Referer": referer})
    assert page.status_code == 200
    assert f'name="next" value="/invented/#session-{beans.slug}"' in page.content.decode()


def test_without_a_script_a_star_is_a_small_page_with_a_button(client, beans):
    address = f"{HOME}add/{beans.slug}/"
    came_from = {"Referer": "http://testserver/invented/?room=attic"}
    page = client.get(address, headers=came_from)
    back = f"/invented/?room=attic#session-{beans.slug}"
    assert f'name="next" value="{back}"' in page.content.decode()
    assert "Add to my agenda" in text(page)
    assert not Agenda.objects.exists()
    response = client.post(address, {"next": back})
    assert (response.status_code, response.headers["Location"]) == (303, back)
    page = client.get(address, headers=came_from)
    assert "This session is in your agenda, the only one so far." in text(page)
    assert f'action="{HOME}remove/{beans.slug}/"' in page.content.decode()


@pytest.mark.parametrize(
    "came_from",
    ["", "https://elsewhere.test/invented/", "http://testserver/invented/agenda/", "nonsense"],
)
def test_the_way_back_leads_to_the_schedule_where_none_is_known(client, beans, came_from):
    headers = {"Referer": came_from} if came_from else {}
    page = client.get(f"{HOME}add/{beans.slug}/", headers=headers)
    assert f'value="/invented/#session-{beans.slug}"' in page.content.decode()


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.test/",
        "//evil.test/",
        "/\\evil.test/",
        "\\\\evil.test/",
        "javascript:alert(1)",
        "evil",
        "/\tevil.test",
        "/" + "a" * 3000,
        "",
    ],
)
def test_the_way_back_never_leaves_the_site(client, beans, target):
    response = client.post(f"{HOME}add/{beans.slug}/", {"next": target})
    assert response.headers["Location"] == f"{HOME}add/{beans.slug}/"
    page = client.get(f"{HOME}add/{beans.slug}/", {"next": target})
    assert f'href="/invented/#session-{beans.slug}"' in page.content.decode()


def test_a_session_has_to_be_in_the_programme_to_be_added(client, conference, beans):
    make_session(conference, "Not yet", status=Status.DRAFT)
    assert client.post(f"{HOME}add/not-yet/").status_code == 404
    assert client.post(f"{HOME}add/nothing-like-it/").status_code == 404
    assert client.get("/nowhere/agenda/picks/").status_code == 404
    with publishing(conference, by="test"):
        conference.sessions.filter(pk=beans.pk).update(status=Status.WITHDRAWN)
    assert client.post(f"{HOME}add/{beans.slug}/").status_code == 404
    assert not Agenda.objects.exists()


def test_a_former_address_of_a_session_still_works(client, conference, beans):
    old = beans.slug
    with publishing(conference, by="test"):
        beans.slug = "beans"
        beans.save()
    assert client.post(f"{HOME}add/{old}/", headers=JSON).json() == {"picks": [beans.pk]}


# --- the cookie ---


def test_the_cookie_is_for_the_agendas_pages_alone(client, beans):
    response = client.post(f"{HOME}add/{beans.slug}/")
    assert cookie_of(response) == {
        "expires": response.cookies["agenda"]["expires"],
        "path": HOME,
        "max-age": 34_560_000,
        "httponly": True,
        "samesite": "Lax",
    }
    assert response.cookies["agenda"].value == live()[Purpose.COOKIE]


def test_under_https_the_cookie_is_secure(client, beans, settings):
    settings.CSRF_COOKIE_SECURE = True
    assert cookie_of(client.post(f"{HOME}add/{beans.slug}/", secure=True))["secure"] is True


def test_no_public_page_sets_a_cookie_or_varies_with_one(owner, beans):
    addresses = ["/invented/", f"/invented/sessions/{beans.slug}/", "/invented/now/"]
    for address in addresses:
        response = owner.get(address)
        assert (response.status_code, response.cookies) == (200, {})
        assert "Cookie" not in response.headers["Vary"]
        assert response.content == Client().get(address).content


def test_reading_sets_no_agenda_cookie(owner, beans):
    addresses = [HOME, f"{HOME}picks/", f"{HOME}add/{beans.slug}/", f"{HOME}delete/"]
    secrets = live()
    addresses.append(f"/agenda/open/{secrets[Purpose.OPEN]}/")
    for address in addresses:
        assert "agenda" not in owner.get(address).cookies


def test_a_cookie_that_opens_nothing_is_no_agenda(client, beans):
    client.cookies["agenda"] = "x" * 43
    assert picked(client) == []
    assert client.post(f"{HOME}add/{beans.slug}/", headers=JSON).json() == {"picks": [beans.pk]}


def test_an_agenda_belongs_to_one_conference(owner):
    other = make_conference("Other Days", slug="other")
    make_session(other, "Elsewhere")
    # A browser would not even send the cookie there.
    assert owner.get("/other/agenda/picks/").json() == {"picks": []}
    assert "Nothing picked yet" in text(owner.get("/other/agenda/"))


# --- forged requests ---


@pytest.fixture
def guarded(beans):
    return Client(enforce_csrf_checks=True)


def test_the_script_fetches_what_its_posts_have_to_carry(guarded, beans):
    address = f"{HOME}add/{beans.slug}/"
    assert guarded.post(address, headers=JSON).status_code == 403
    response = guarded.get(f"{HOME}token/")
    assert set(response.json()) == {"token"}
    cookie = cookie_of(response, "csrftoken")
    assert (cookie["path"], cookie["samesite"], cookie["httponly"]) == (HOME, "Lax", True)
    headers = JSON | {"X-CSRFToken": response.json()["token"]}
    assert guarded.post(address, headers=headers).json() == {"picks": [beans.pk]}


def test_a_token_of_another_browser_is_refused(guarded, beans):
    guarded.get(f"{HOME}token/")
    foreign = Client().get(f"{HOME}token/").json()["token"]
    headers = JSON | {"X-CSRFToken": foreign}
    assert guarded.post(f"{HOME}add/{beans.slug}/", headers=headers).status_code == 403
    assert not Agenda.objects.exists()


def test_every_write_is_guarded(guarded, owner, beans):
    guarded.cookies["agenda"] = owner.cookies["agenda"].value
    for address in ("add/" + beans.slug, "remove/" + beans.slug, "links", "open", "delete"):
        assert guarded.post(f"{HOME}{address}/").status_code == 403
    assert Pick.objects.count() == 2


def test_the_forms_carry_their_token(guarded, beans):
    page = guarded.get(f"{HOME}add/{beans.slug}/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page).group(1)
    data = {"csrfmiddlewaretoken": token, "next": "/invented/"}
    assert guarded.post(f"{HOME}add/{beans.slug}/", data).status_code == 303


def test_the_opening_page_guards_the_form_where_it_is_sent(owner, guarded):
    address = f"/agenda/open/{live()[Purpose.OPEN]}/"
    response = guarded.get(address)
    assert cookie_of(response, "csrftoken")["path"] == HOME
    page = response.content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page).group(1)
    data = {"csrfmiddlewaretoken": token, "token": live()[Purpose.OPEN]}
    assert guarded.post(f"{HOME}open/", data).status_code == 303


# --- the page ---


def test_the_page_shows_ends_rooms_overlaps_on_both_sides_and_free_time(owner, knots):
    owner.post(f"{HOME}add/{knots.slug}/")
    words = text(owner.get(HOME))
    assert words[: words.index("Take it along")].strip() == (
        "My agenda 3 sessions 1 overlap Europe/Paris time (CEST, UTC+02:00)"
        " Wednesday 8 April"
        " 10:00 – 11:00 Growing beans indoors Attic Overlaps with “Soup for many” by 15 min"
        " Remove “Growing beans indoors” from my agenda"
        " 10:45 – 11:30 Soup for many Kitchen Overlaps with “Growing beans indoors” by 15 min"
        " Remove “Soup for many” from my agenda"
        " 11:30 – 13:00 1 h 30 min free"
        " 13:00 – 13:30 Knots that hold Remove “Knots that hold” from my agenda"
    )


def test_an_empty_agenda_says_how_to_fill_it(client, conference):
    assert text(client.get(HOME)) == (
        "My agenda Nothing picked yet Press the star beside a session and it appears here, with its"
        " room, its end, overlaps and free time between. No account needed. Go to the schedule"
        " Picked on another device? Open “My agenda” there and use its link “On another device”."
    )


def test_what_became_of_the_picks_is_said(owner, conference, beans, soup, knots):
    owner.post(f"{HOME}add/{knots.slug}/")
    with publishing(conference, by="test"):
        beans.refresh_from_db()
        beans.status, beans.replacement = Status.CANCELLED, knots
        beans.save()
        soup.refresh_from_db()
        soup.starts_at, soup.ends_at = at("11:00", conference), at("11:45", conference)
        soup.room = beans.room
        soup.save()
        conference.sessions.filter(pk=knots.pk).update(status=Status.WITHDRAWN)
    words = text(owner.get(HOME))
    assert "Growing beans indoors Attic Cancelled. Instead: Knots" not in words  # it is withdrawn
    assert "Growing beans indoors Attic Cancelled. Remove" in words
    assert (
        "11:00 – 11:45 Soup for many Attic"
        " Moved. When you picked it: Wednesday 8 April, 10:45 – 11:30"
        " Another room. When you picked it: Kitchen" in words
    )
    assert "No longer in the programme" in words
    assert "Knots that hold Remove “Knots that hold” from my agenda" in words
    assert set(picked(owner)) == {beans.pk, soup.pk, knots.pk}
    owner.post(f"{HOME}remove/{knots.slug}/")
    assert "No longer in the programme" not in text(owner.get(HOME))


def test_a_replacement_is_linked(owner, conference, beans, knots):
    with publishing(conference, by="test"):
        beans.refresh_from_db()
        beans.status, beans.replacement = Status.CANCELLED, knots
        beans.save()
    assert "Cancelled. Instead: Knots that hold" in text(owner.get(HOME))


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_costs_the_same_whatever_is_picked(
    client, conference, count, django_assert_num_queries
):
    for number in range(count):
        session = make_session(conference, f"Number {number}", start=f"1{number}:00")
        client.post(f"{HOME}add/{session.slug}/")
    client.get(HOME)
    with django_assert_num_queries(3):
        client.get(HOME)
    with django_assert_num_queries(2):
        client.get(f"{HOME}picks/")
    feed = f"/agenda/feed/{live()[Purpose.FEED]}.ics"
    with django_assert_num_queries(2):
        client.get(feed)


# --- another browser ---


def test_another_browser_joins_by_the_button_alone(owner, other_browser, beans, soup):
    secret = live()[Purpose.OPEN]
    page = other_browser.get(f"/agenda/open/{secret}/")
    assert "an agenda for Invented Days with 2 sessions" in text(page)
    assert picked(other_browser) == []
    response = other_browser.post(f"{HOME}open/", {"token": secret})
    assert (response.status_code, response.headers["Location"]) == (303, HOME)
    assert cookie_of(response) == cookie_of(response) | {"path": HOME, "httponly": True}
    assert picked(other_browser) == [beans.pk, soup.pk]
    other_browser.post(f"{HOME}remove/{beans.slug}/")
    assert picked(owner) == [soup.pk]


def test_a_browser_with_picks_is_offered_a_merge(owner, other_browser, beans, soup, knots):
    for session in (soup, knots):
        other_browser.post(f"{HOME}add/{session.slug}/")
    own = owner.cookies["agenda"].value
    secret = tokens.live_tokens(Agenda.objects.earliest("created_at").pk)[Purpose.OPEN]
    page = other_browser.post(f"{HOME}open/", {"token": secret})
    assert (page.status_code, page.cookies.get("agenda")) == (200, None)
    words = text(page)
    assert "2 sessions are picked here, 2 in the agenda you are opening." in words
    assert "Together that is 3 sessions." in words
    assert picked(other_browser) == [soup.pk, knots.pk]  # nothing happened yet
    other_browser.post(f"{HOME}open/", {"token": secret, "choice": "merge"})
    everything = {beans.pk, soup.pk, knots.pk}
    assert (set(picked(owner)), set(picked(other_browser))) == (everything, everything)
    assert Agenda.objects.count() == 1
    assert other_browser.cookies["agenda"].value == own


def test_opening_ones_own_agenda_again_changes_nothing(owner, beans, soup):
    response = owner.post(f"{HOME}open/", {"token": live()[Purpose.OPEN]})
    assert response.headers["Location"] == HOME
    assert picked(owner) == [beans.pk, soup.pk]


def test_a_browser_whose_agenda_is_empty_joins_without_being_asked(owner, other_browser, knots):
    for act in ("add", "remove"):
        other_browser.post(f"{HOME}{act}/{knots.slug}/")
    secret = tokens.live_tokens(Agenda.objects.earliest("created_at").pk)[Purpose.OPEN]
    assert other_browser.post(f"{HOME}open/", {"token": secret}).status_code == 303
    assert picked(other_browser) == picked(owner)


def test_the_link_can_be_renewed_and_other_devices_closed(owner, other_browser, beans, soup):
    old = live()
    other_browser.post(f"{HOME}open/", {"token": old[Purpose.OPEN]})
    owner.post(f"{HOME}links/", {"action": "renew-devices"})
    assert picked(owner) == [beans.pk, soup.pk]
    assert picked(other_browser) == []
    assert other_browser.get(f"/agenda/open/{old[Purpose.OPEN]}/").status_code == 404
    assert other_browser.post(f"{HOME}open/", {"token": old[Purpose.OPEN]}).status_code == 404
    assert live()[Purpose.FEED] == old[Purpose.FEED]


def test_an_agenda_is_opened_under_its_own_conference(owner, other_browser):
    make_session(make_conference("Other Days", slug="other"), "Elsewhere")
    secret = live()[Purpose.OPEN]
    response = other_browser.post("/other/agenda/open/", {"token": secret})
    assert response.headers["Location"] == "/other/agenda/"
    assert "agenda" not in response.cookies


def test_a_renamed_conference_leads_its_agendas_along(owner, conference, beans, soup):
    with publishing(conference, by="test"):
        conference.slug = "invented-2031"
        conference.save()
    device = live()[Purpose.OPEN]
    assert owner.get(HOME).headers["Location"] == f"/agenda/open/{device}/"
    response = Client().get(f"{HOME}?x=1")
    assert response.headers["Location"] == "/invented-2031/agenda/?x=1"
    assert owner.post(f"{HOME}add/{beans.slug}/").status_code == 404
    owner.post("/invented-2031/agenda/open/", {"token": device})
    assert owner.get("/invented-2031/agenda/picks/").json()["picks"] == [beans.pk, soup.pk]


@pytest.mark.parametrize("action", ["share", "unshare", "renew-feed", "renew-devices"])
def test_the_page_says_what_was_done_with_its_links(owner, action):
    response = owner.post(f"{HOME}links/", {"action": action})
    assert response.headers["Location"] == f"{HOME}?done={action}#take-along"
    assert str(own.DONE[action]) in text(owner.get(response.headers["Location"]))


@pytest.mark.parametrize("action", ["", "unheard-of"])
def test_an_unknown_action_does_nothing(owner, action):
    before = live()
    response = owner.post(f"{HOME}links/", {"action": action})
    assert (response.headers["Location"], live()) == (HOME, before)
    assert owner.get(HOME, {"done": action}).status_code == 200


# --- a friend ---


def test_nothing_is_shared_until_the_owner_says_so(owner, stranger):
    assert Purpose.SHARED not in live()
    owner.post(f"{HOME}links/", {"action": "share"})
    address = f"/agenda/shared/{live()[Purpose.SHARED]}/"
    assert f"http://127.0.0.1:8000{address}" in owner.get(HOME).content.decode()
    page = stranger.get(address)
    words = text(page)
    assert "Growing beans indoors Attic Overlaps with “Soup for many” by 15 min" in words
    assert "Remove" not in words
    assert not any(secret in page.content.decode() for secret in live().values())
    owner.post(f"{HOME}links/", {"action": "unshare"})
    assert stranger.get(address).status_code == 404


def test_the_shared_address_opens_nothing_else(owner, stranger):
    owner.post(f"{HOME}links/", {"action": "share"})
    secret = live()[Purpose.SHARED]
    assert stranger.get(f"/agenda/open/{secret}/").status_code == 404
    assert stranger.get(f"/agenda/feed/{secret}.ics").status_code == 404
    assert stranger.post(f"{HOME}open/", {"token": secret}).status_code == 404
    stranger.cookies["agenda"] = secret
    assert picked(stranger) == []


# --- a calendar ---


def test_the_feed_holds_the_picks_with_cancelled_and_withdrawn_ones(
    owner, stranger, conference, beans, soup
):
    with publishing(conference, by="test"):
        conference.sessions.filter(pk=soup.pk).update(status=Status.WITHDRAWN)
    response = stranger.get(f"/agenda/feed/{live()[Purpose.FEED]}.ics")
    assert {name: response.headers.get(name) for name in FEED_HEADERS} == FEED_HEADERS
    calendar = icalendar.Calendar.from_ical(response.content)
    events = {str(event["SUMMARY"]): str(event["STATUS"]) for event in calendar.walk("VEVENT")}
    assert {name.split(": ")[-1]: status for name, status in events.items()} == {
        "Growing beans indoors": "CONFIRMED",
        "Soup for many": "CANCELLED",
    }
    assert not any(secret in response.content.decode() for secret in live().values())


FEED_HEADERS = {
    "Content-Type": "text/calendar; charset=utf-8",
    "Content-Disposition": 'inline; filename="agenda.ics"',
    "Cache-Control": "private, no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Vary": None,
    "Set-Cookie": None,
}


def test_the_feed_is_not_rendered_for_whoever_has_it(owner, knots, monkeypatch):
    address = f"/agenda/feed/{live()[Purpose.FEED]}.ics"
    first = owner.get(address)
    known = {"If-None-Match": first.headers["ETag"]}
    with monkeypatch.context() as patch:
        patch.setattr("sessions_app.agenda.views.secret.agenda_calendar", None)
        unchanged = owner.get(address, headers=known)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["ETag"] == first.headers["ETag"]
    assert unchanged.headers["Cache-Control"] == "private, no-store"
    owner.post(f"{HOME}add/{knots.slug}/")
    changed = owner.get(address, headers=known)
    assert (changed.status_code, changed.headers["ETag"] == first.headers["ETag"]) == (200, False)


def test_the_feed_follows_the_programme(owner, conference, beans):
    address = f"/agenda/feed/{live()[Purpose.FEED]}.ics"
    known = {"If-None-Match": owner.get(address).headers["ETag"]}
    with publishing(conference, by="test"):
        conference.sessions.filter(pk=beans.pk).update(title="Growing peas")
    assert b"Growing peas" in owner.get(address, headers=known).content


def test_a_calendar_may_ask_for_reminders_and_leave_cancelled_ones_out(owner, conference, soup):
    with publishing(conference, by="test"):
        conference.sessions.filter(pk=soup.pk).update(status=Status.CANCELLED)
    address = f"/agenda/feed/{live()[Purpose.FEED]}.ics"
    plain = owner.get(address)
    assert b"VALARM" not in plain.content
    for wrong in ("0", "121", "-5", "ten", "9" * 99, "¹"):
        assert owner.get(address, {"alarm": wrong}).content == plain.content
    asked = owner.get(address, {"alarm": "10", "cancelled": "0"})
    assert asked.headers["ETag"] != plain.headers["ETag"]
    [event] = icalendar.Calendar.from_ical(asked.content).walk("VEVENT")
    assert event["SUMMARY"] == "Growing beans indoors"
    assert [alarm["TRIGGER"].dt for alarm in event.walk("VALARM")] == [-dt.timedelta(minutes=10)]


def test_head_has_the_headers_of_get(owner):
    address = f"/agenda/feed/{live()[Purpose.FEED]}.ics"
    got, headed = owner.get(address), owner.head(address)
    assert (headed.content, dict(headed.items())) == (b"", dict(got.items()))


@pytest.mark.parametrize("method", ["PROPFIND", "OPTIONS", "REPORT", "POST", "PUT", "DELETE"])
def test_other_methods_are_told_what_the_feed_allows(guarded, owner, method):
    response = guarded.generic(method, f"/agenda/feed/{live()[Purpose.FEED]}.ics")
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")


def test_the_feeds_address_can_be_renewed(owner, stranger):
    old = live()
    owner.post(f"{HOME}links/", {"action": "renew-feed"})
    assert stranger.get(f"/agenda/feed/{old[Purpose.FEED]}.ics").status_code == 404
    assert stranger.get(f"/agenda/feed/{live()[Purpose.FEED]}.ics").status_code == 200
    assert {p for p in old if old[p] != live()[p]} == {Purpose.FEED}


def test_the_page_offers_the_feed(owner):
    page = owner.get(HOME).content.decode()
    path = f"/agenda/feed/{live()[Purpose.FEED]}.ics"
    assert f'value="http://127.0.0.1:8000{path}"' in page
    assert f'href="webcal://127.0.0.1:8000{path}"' in page
    assert f'href="{path}" download' in page


# --- the end of it ---


def test_deleting_asks_first_and_then_forgets_everything(owner, stranger):
    old = live()
    page = text(owner.get(f"{HOME}delete/"))
    assert "2 picked sessions are forgotten on every device." in page
    assert "Calendars that subscribed to the agenda" in page
    assert Agenda.objects.exists()
    response = owner.post(f"{HOME}delete/")
    assert response.headers["Location"] == f"{HOME}?deleted"
    assert cookie_of(response)["max-age"] == 0
    assert "Your agenda was deleted." in text(owner.get(f"{HOME}?deleted"))
    assert not Agenda.objects.exists()
    assert stranger.get(f"/agenda/feed/{old[Purpose.FEED]}.ics").status_code == 404
    assert stranger.get(f"/agenda/open/{old[Purpose.OPEN]}/").status_code == 404


def test_deleting_without_an_agenda_is_no_error(client, conference):
    assert "nothing to delete" in text(client.get(f"{HOME}delete/"))
    assert client.post(f"{HOME}delete/").status_code == 303


def test_writes_to_an_agenda_deleted_elsewhere(owner, beans, monkeypatch):
    """The agenda goes away between looking it up and writing to it."""
    opened = tokens.open_with(live()[Purpose.COOKIE], Purpose.COOKIE)
    picks.delete(opened.agenda_id)
    monkeypatch.setattr("sessions_app.agenda.views.base.own_agenda", lambda *_: opened)
    assert owner.post(f"{HOME}remove/{beans.slug}/", headers=JSON).json() == {"picks": []}
    assert owner.post(f"{HOME}links/", {"action": "share"}).headers["Location"] == HOME
    assert owner.post(f"{HOME}add/{beans.slug}/", headers=JSON).json() == {"picks": [beans.pk]}


@pytest.fixture
def two_agendas(owner, other_browser, knots, monkeypatch):
    """Let the other browser's agenda be merged away after the next look at it."""
    other_browser.post(f"{HOME}add/{knots.slug}/")
    one, other = Agenda.objects.order_by("created_at")
    look = base.own_agenda

    def look_and_lose(*arguments):
        found = look(*arguments)
        if Agenda.objects.filter(pk=other.pk).exists():
            picks.merge(one.pk, other.pk)
        return found

    for module in ("base", "own"):
        monkeypatch.setattr(f"sessions_app.agenda.views.{module}.own_agenda", look_and_lose)
    return one, other


@pytest.mark.usefixtures("two_agendas")
def test_a_star_pressed_while_the_agendas_are_merged_is_kept(
    owner, other_browser, beans, soup, knots
):
    response = other_browser.post(f"{HOME}remove/{beans.slug}/", headers=JSON)
    assert response.json() == {"picks": [soup.pk, knots.pk]}
    assert Agenda.objects.count() == 1
    assert picked(owner) == picked(other_browser)


def test_two_merges_at_once_end_in_one_agenda(two_agendas, owner, other_browser, beans):
    secret = tokens.live_tokens(two_agendas[0].pk)[Purpose.OPEN]
    response = other_browser.post(f"{HOME}open/", {"token": secret, "choice": "merge"})
    assert response.headers["Location"] == HOME
    assert Agenda.objects.get().pk == two_agendas[0].pk
    assert len(picked(other_browser)) == 3


# --- what nobody else may keep ---


def test_nothing_of_an_agenda_is_for_shared_caches_or_search_engines(owner, beans):
    owner.post(f"{HOME}links/", {"action": "share"})
    secrets = live()
    addresses = [
        HOME,
        f"{HOME}picks/",
        f"{HOME}token/",
        f"{HOME}add/{beans.slug}/",
        f"{HOME}remove/{beans.slug}/",
        f"{HOME}delete/",
        f"/agenda/open/{secrets[Purpose.OPEN]}/",
        f"/agenda/shared/{secrets[Purpose.SHARED]}/",
        f"/agenda/feed/{secrets[Purpose.FEED]}.ics",
    ]
    for address in addresses:
        response = owner.get(address)
        assert response.status_code == 200, address
        assert response.headers["Cache-Control"] == "private, no-store", address
        assert response.headers["X-Robots-Tag"] == "noindex, nofollow", address


def test_secret_addresses_stay_out_of_referrers(owner):
    owner.post(f"{HOME}links/", {"action": "share"})
    secrets = live()
    policies = {
        f"/agenda/open/{secrets[Purpose.OPEN]}/": "strict-origin",
        f"/agenda/shared/{secrets[Purpose.SHARED]}/": "strict-origin",
        f"/agenda/feed/{secrets[Purpose.FEED]}.ics": "no-referrer",
        HOME: "same-origin",
    }
    assert {each: owner.get(each).headers["Referrer-Policy"] for each in policies} == policies


@pytest.mark.parametrize("address", ["open/{}/", "shared/{}/", "feed/{}.ics"])
@pytest.mark.parametrize("token", ["x" * 43, "x", "x" * 500, "é" * 43])
def test_secrets_that_open_nothing_are_404_and_kept_by_nobody(client, conference, address, token):
    response = client.get(f"/agenda/{address.format(token)}")
    assert response.status_code == 404
    if len(token) == 43 and token.isascii():
        assert "no-store" in response.headers["Cache-Control"]


def test_secrets_stay_out_of_logs(client, guarded, owner, settings):
    """Whatever is logged about a secret address goes through the site's own handler."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(MaskingFormatter())
    logger = logging.getLogger("django")
    logger.addHandler(handler)
    try:
        dead = "x" * 43
        for address in ("open/{}/", "shared/{}/", "feed/{}.ics"):
            client.get(f"/agenda/{address.format(dead)}")
            client.put(f"/agenda/{address.format(dead)}")
        guarded.post(f"/agenda/open/{dead}/", {"token": dead})
    finally:
        logger.removeHandler(handler)
    assert "Not Found: /agenda/open/…/" in stream.getvalue()
    assert dead not in stream.getvalue()
    assert settings.LOGGING["handlers"]["stderr"]["formatter"] == "line"
    assert settings.LOGGING["formatters"]["line"]["()"] == "confsched.logs.MaskingFormatter"


# --- limits ---


def test_a_flood_of_new_agendas_is_told_to_wait(client, beans, monkeypatch):
    monkeypatch.setattr(limits, "new_agendas", limits.Limiter(at_once=1, per_hour=60))
    address = f"{HOME}add/{beans.slug}/"
    client.post(address)
    response = Client().post(address)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert "Please try again in 2 minutes." in text(response)
    assert Client(REMOTE_ADDR="192.0.2.9").post(address).status_code == 303
    assert client.post(address).status_code == 303  # who has an agenda is not concerned
    assert Agenda.objects.count() == 2


def test_a_large_body_is_refused_before_it_is_read(guarded, beans):
    response = guarded.post(f"{HOME}add/{beans.slug}/", {"next": "x" * 20_000})
    assert response.status_code == 413
    refused = guarded.generic("POST", f"{HOME}add/{beans.slug}/", CONTENT_LENGTH="-1")
    assert refused.status_code == 413


def test_times_of_picking_are_kept(client, beans, time_machine):
    time_machine.move_to("2026-04-01T12:00Z", tick=False)
    client.post(f"{HOME}add/{beans.slug}/")
    assert Pick.objects.get().picked_at == dt.datetime(2026, 4, 1, 12, tzinfo=dt.UTC)


def test_a_form_with_another_tab_s_token_is_sent_again_by_one_press(guarded, beans):
    """Two tabs opened at once, as the first thing in a browser: the last one's cookie stays."""
    address = f"{HOME}add/{beans.slug}/"
    stale = re.search(
        r'name="csrfmiddlewaretoken" value="(\w+)"', guarded.get(address).content.decode()
    ).group(1)
    guarded.cookies.clear()
    guarded.get(address)
    own = {"Origin": "http://testserver"}
    data = {"csrfmiddlewaretoken": stale, "next": "/invented/?q=<b>"}
    refused = guarded.post(address, data, headers=own)
    text = refused.content.decode()
    assert (refused.status_code, refused.headers["Cache-Control"]) == (403, "no-store")
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text))
    assert fields["next"] == "/invented/?q=&lt;b&gt;"
    again = guarded.post(address, {**fields, "next": "/invented/"})
    assert again.status_code == 303
    assert beans.pk in guarded.get(f"{HOME}picks/").json()["picks"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
@pytest.mark.parametrize("address", ["open/", "delete/"])
def test_what_another_site_posts_is_never_offered_to_be_sent_again(guarded, beans, origin, address):
    headers = {"Origin": origin} if origin else {}
    refused = guarded.post(f"{HOME}{address}", {"token": "x" * 43}, headers=headers)
    assert refused.status_code == 403
    assert b"<form" not in refused.content
    assert b"x" * 43 not in refused.content

"""The agenda in a real browser: stars with and without a script, tabs, devices, no connection."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import icalendar
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from sessions_app.agenda import tokens
from sessions_app.agenda.models import Agenda, Pick
from tests.browser.conftest import accessibility_problems
from tests.browser.programme import make_programme

OVERLAPPING = ("Compilers for gardens", "Kernels at work")
HOME = "/sample/agenda/"


@pytest.fixture(autouse=True)
def programme(transactional_db: None) -> None:
    make_programme()


def star(page: Page, title: str) -> Locator:
    return page.locator(".card", has_text=title).locator("[data-star]")


def expect_pressed(page: Page, *titles: str) -> None:
    pressed = page.locator(".card:has([data-star][aria-pressed=true]) .card-link")
    expect(pressed).to_have_text(list(titles))


def expect_count(page: Page, text: str) -> None:
    expect(page.locator("[data-agenda-count]")).to_have_text(text)


def sent(page: Page, title: str) -> None:
    """Press a star and wait until the server has answered."""
    with page.expect_response(lambda response: "/agenda/add/" in response.url) as answer:
        star(page, title).click()
    assert answer.value.status == 200


def picked() -> set[str]:
    return set(Pick.objects.values_list("session__title", flat=True))


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


def path_in(page: Page, field: str) -> str:
    return urlsplit(page.locator(f"#{field}").input_value()).path


def test_a_star_is_pressed_at_once_and_stays(page: Page, complaints: list[str]) -> None:
    page.goto("/sample/")
    expect(star(page, OVERLAPPING[0])).to_have_attribute("aria-pressed", "false")
    sent(page, OVERLAPPING[0])
    expect_pressed(page, OVERLAPPING[0])
    expect_count(page, "(1)")
    assert picked() == {OVERLAPPING[0]}
    page.route("**/agenda/picks/", lambda route: route.abort())  # the copy alone has to do
    page.goto("/sample/")
    expect_pressed(page, OVERLAPPING[0])
    page.goto("/sample/sessions/compilers-for-gardens/")
    button = page.get_by_role("button", name="In my agenda")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(page.get_by_role("button", name="Add to my agenda")).to_be_visible()
    expect_count(page, "")
    complaints.clear()


def test_stars_work_from_the_keyboard_and_say_what_happened(page: Page) -> None:
    page.goto("/sample/")
    first = page.get_by_role("button", name=f"Add “{OVERLAPPING[0]}” to my agenda")
    first.focus()
    page.keyboard.press("Space")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#status")).to_have_text("Added to my agenda")
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#status")).to_have_text("Removed from my agenda")
    expect(first).to_be_focused()


def test_stars_stay_pressed_when_filters_swap_the_cards(page: Page) -> None:
    page.goto("/sample/")
    sent(page, OVERLAPPING[1])
    page.get_by_role("checkbox", name=re.compile("^Attic ")).check()
    expect(page.locator(".card")).to_have_count(2)
    expect_pressed(page, OVERLAPPING[1])


def test_a_double_click_is_one_choice(page: Page) -> None:
    page.goto("/sample/")
    star(page, OVERLAPPING[0]).dblclick()
    expect_pressed(page, OVERLAPPING[0])
    star(page, OVERLAPPING[1]).click()
    page.goto(HOME)
    expect(page.locator(".agenda-entry .agenda-title")).to_have_text(list(OVERLAPPING))
    assert picked() == set(OVERLAPPING)


def test_with_a_full_storage_stars_work_all_the_same(page: Page) -> None:
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    page.goto("/sample/")
    with page.expect_response("**/agenda/add/**"):
        star(page, OVERLAPPING[0]).click()
    expect_pressed(page, OVERLAPPING[0])
    page.reload()
    expect_pressed(page, OVERLAPPING[0])
    assert picked() == {OVERLAPPING[0]}


def test_an_agenda_follows_a_star_in_another_tab(page: Page) -> None:
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    page.goto(HOME)
    other = page.context.new_page()
    other.goto("/sample/")
    sent(other, OVERLAPPING[1])
    expect(page.locator(".agenda-entry .agenda-title")).to_have_text(list(OVERLAPPING))


def test_whoever_refuses_cookies_is_told_so(page: Page, complaints: list[str]) -> None:
    page.route("**/agenda/add/**", lambda route: route.fulfill(status=403, body="{}"))
    page.goto("/sample/")
    star(page, OVERLAPPING[0]).click()
    expect(page.locator("#status")).to_contain_text("Your browser refuses this site’s cookie")
    complaints.clear()  # the browser's own words on 403


def test_whoever_stars_what_is_gone_is_told_so(page: Page, complaints: list[str]) -> None:
    page.route("**/agenda/add/**", lambda route: route.fulfill(status=404, body="{}"))
    page.goto("/sample/")
    star(page, OVERLAPPING[0]).click()
    expect(page.locator("#status")).to_have_text(
        "This session can no longer be added to an agenda."
    )
    expect_pressed(page)
    complaints.clear()  # the browser's own words on 404


def test_without_a_script_three_are_picked_and_the_overlap_is_seen(
    new_page: Callable[..., Page],
) -> None:
    page = new_page(java_script_enabled=False, viewport={"width": 360, "height": 740})
    for title in (*OVERLAPPING, "Closing"):
        page.goto("/sample/")
        page.get_by_role("link", name=f"Add “{title}” to my agenda").click()
        page.get_by_role("button", name="Add to my agenda").click()
        expect(page).to_have_url(re.compile(r"/sample/#session-"))
    page.get_by_role("link", name="My agenda").first.click()
    expect(page.locator(".overlap")).to_have_text(
        [
            "Overlaps with “Kernels at work” by 30 min",
            "Overlaps with “Compilers for gardens” by 30 min",
        ]
    )
    page.get_by_role("button", name="Remove “Kernels at work”").click()
    expect(page.locator(".agenda-title")).to_have_text([OVERLAPPING[0], "Closing"])
    expect(page.locator(".overlap")).to_have_count(0)


def test_two_tabs_show_one_agenda(page: Page) -> None:
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto("/sample/")
    star(page, OVERLAPPING[0]).click()
    star(other, OVERLAPPING[1]).click()
    for tab in (page, other):
        expect_pressed(tab, *OVERLAPPING)
        expect_count(tab, "(2)")
    other.goto(HOME)
    expect(other.locator(".agenda-entry .agenda-title")).to_have_text(list(OVERLAPPING))
    assert Agenda.objects.count() == 1


def test_without_a_connection_stars_are_kept_and_sent_later(
    page: Page, complaints: list[str]
) -> None:
    page.goto("/sample/")
    page.context.set_offline(True)
    star(page, OVERLAPPING[0]).click()
    expect_pressed(page, OVERLAPPING[0])
    expect(page.locator("#status")).to_contain_text("No connection. Your stars are kept")
    expect(page.locator("#status")).to_be_in_viewport()
    assert picked() == set()
    page.context.set_offline(False)
    expect(page.locator("#status")).to_have_text("Your stars are sent.")
    assert picked() == {OVERLAPPING[0]}
    lost = [each for each in complaints if "ERR_INTERNET_DISCONNECTED" in each]
    assert lost == complaints
    complaints.clear()


def test_what_was_not_sent_is_sent_from_the_next_page(page: Page, complaints: list[str]) -> None:
    page.goto("/sample/")
    page.route("**/agenda/token/", lambda route: route.abort())
    star(page, OVERLAPPING[0]).click()
    expect(page.locator("#status")).to_contain_text("No connection.")
    page.unroute("**/agenda/token/")
    page.goto(HOME)
    expect(page.locator(".agenda-entry .agenda-title")).to_have_text([OVERLAPPING[0]])
    complaints.clear()


def test_a_token_that_another_tab_replaced_is_fetched_anew(
    page: Page, complaints: list[str]
) -> None:
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    page.context.clear_cookies(name="csrftoken")
    page.evaluate("fetch('/sample/agenda/token/')")
    with page.expect_response(lambda answer: "/add/" in answer.url and answer.status == 200):
        star(page, OVERLAPPING[1]).click()
    assert picked() == set(OVERLAPPING)
    assert all("403" in each for each in complaints)
    complaints.clear()


def test_where_nothing_may_be_stored_stars_still_work(new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
    )
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    expect_pressed(page, OVERLAPPING[0])
    page.goto("/sample/")
    expect_pressed(page, OVERLAPPING[0])


def join(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Open it in this browser").click()


def test_a_second_browser_is_asked_before_its_picks_are_merged(
    page: Page, new_page: Callable[..., Page]
) -> None:
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    page.goto(HOME)
    page.get_by_text("On another device").click()
    expect(page.get_by_role("img", name="QR code of the address below")).to_be_visible()
    address = path_in(page, "device-address")
    second = new_page()
    second.goto("/sample/")
    sent(second, OVERLAPPING[1])
    join(second, address)
    expect(second.get_by_role("heading", level=1)).to_have_text(
        "This browser has an agenda of its own"
    )
    second.get_by_role("button", name="Put both together").click()
    expect(second.locator(".agenda-entry .agenda-title")).to_have_text(list(OVERLAPPING))
    # The first browser's page follows as soon as somebody looks at it again.
    page.goto(HOME)
    expect(page.locator(".overlap")).to_have_count(2)
    expect_count(page, "(2)")


def test_a_browser_without_picks_joins_and_its_feed_is_a_calendar(
    page: Page, new_page: Callable[..., Page]
) -> None:
    page.goto("/sample/")
    for title in OVERLAPPING:
        sent(page, title)
    page.goto(HOME)
    page.get_by_text("On another device").click()
    second = new_page(viewport={"width": 360, "height": 740})
    join(second, path_in(page, "device-address"))
    expect(second.locator(".agenda-entry .agenda-title")).to_have_text(list(OVERLAPPING))
    expect_count(second, "(2)")
    second.get_by_text("In my calendar").click()
    answer = second.request.get(path_in(second, "feed-address"))
    events = icalendar.Calendar.from_ical(answer.body()).walk("VEVENT")
    assert {str(event["SUMMARY"]) for event in events} == set(OVERLAPPING)


def cookies(context: BrowserContext) -> dict[str, dict[str, object]]:
    kept = ("path", "httpOnly", "secure", "sameSite")
    return {
        str(cookie["name"]): {key: cookie[key] for key in kept}  # type: ignore[literal-required]
        for cookie in context.cookies()
    }


def test_no_programme_page_is_sent_a_cookie(page: Page) -> None:
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    bound = {"path": HOME, "httpOnly": True, "secure": False, "sameSite": "Lax"}
    assert cookies(page.context) == {"agenda": bound, "csrftoken": bound}
    for path in ("/sample/", "/sample/now/", "/sample/sessions/opening/", "/static/css/site.css"):
        with page.expect_request(f"**{path}") as request:
            page.goto(path)
        assert "cookie" not in request.value.all_headers()


def test_a_friend_sees_and_stars_but_cannot_change(
    page: Page, new_page: Callable[..., Page]
) -> None:
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    page.goto(HOME)
    page.get_by_text("With friends").click()
    page.get_by_role("button", name="Make an address for friends").click()
    friend = new_page()
    friend.goto(path_in(page, "shared-address"))
    expect(friend.get_by_role("heading", level=3)).to_have_text([OVERLAPPING[0]])
    expect(friend.get_by_role("button", name="Remove")).to_have_count(0)
    with friend.expect_response("**/agenda/add/**") as answer:
        friend.locator("[data-star]").click()
    assert answer.value.status == 200
    assert "/agenda/shared/" not in answer.value.request.all_headers().get("referer", "")
    assert Agenda.objects.count() == 2
    page.get_by_role("button", name="Stop sharing").click()
    expect(page.get_by_text("The address for friends is dead.")).to_be_visible()


def test_deleting_forgets_the_copy_too(page: Page) -> None:
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    page.goto(HOME)
    page.get_by_text("Renew or delete").click()
    page.get_by_role("link", name="Delete my agenda…").click()
    page.get_by_role("button", name="Delete my agenda").click()
    expect(page.get_by_text("Your agenda was deleted.")).to_be_visible()
    expect_count(page, "")
    expect(page).to_have_url(re.compile(f"{HOME}$"))
    assert cookies(page.context).keys() == {"csrftoken"}
    page.goto("/sample/")
    expect_pressed(page)


def test_the_page_follows_what_another_device_did(page: Page) -> None:
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    page.goto(HOME)
    expect(page.locator(".agenda-entry")).to_have_count(1)
    Pick.objects.all().delete()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.get_by_text("Nothing picked yet")).to_be_visible()
    expect_count(page, "")


def test_a_removal_on_the_page_needs_no_second_load(page: Page) -> None:
    page.goto("/sample/")
    for title in OVERLAPPING:
        sent(page, title)
    page.goto(HOME)
    page.get_by_role("button", name="Remove “Kernels at work”").click()
    expect(page.locator(".agenda-title")).to_have_text([OVERLAPPING[0]])
    expect_count(page, "(1)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_agenda_pages_are_accessible(
    new_page: Callable[..., Page], width: int, scheme: str
) -> None:
    page = new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto("/sample/")
    for title in (*OVERLAPPING, "Soup & lunch"):
        sent(page, title)
    page.goto(HOME)
    page.get_by_text("With friends").click()
    page.get_by_role("button", name="Make an address for friends").click()
    live = tokens.live_tokens(Agenda.objects.get().pk)
    addresses = [
        HOME,
        f"{HOME}add/opening/",
        f"{HOME}add/kernels-at-work/",
        f"{HOME}delete/",
        f"/agenda/open/{live['open']}/",
        f"/agenda/shared/{live['shared']}/",
    ]
    found = {}
    for address in addresses:
        page.goto(address)
        problems = accessibility_problems(page)
        if problems:
            found[address] = problems
    assert found == {}


def test_nothing_scrolls_sideways_on_a_small_phone(new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 320, "height": 640})
    page.goto("/sample/")
    sent(page, OVERLAPPING[0])
    page.goto(HOME)
    unfold(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320

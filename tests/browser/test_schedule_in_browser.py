"""The schedule in a real browser: filters, history, no JavaScript, focus, accessibility."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable

import pytest
import time_machine
from playwright.sync_api import Page, expect

from sessions_app.models import Session
from sessions_app.publish import publishing
from tests.browser.conftest import accessibility_problems
from tests.browser.programme import make_programme

ALL = [
    "Opening",
    "Compilers for gardens",
    "Kernels at work",
    "Soup & lunch",
    "Beans, indoors",
    "Closing",
]
ATTIC = ["Kernels at work", "Beans, indoors"]


@pytest.fixture(autouse=True)
def programme(transactional_db: None) -> None:
    make_programme()


def titles(page: Page) -> list[str]:
    return page.locator(".card-link").all_text_contents()


def expect_titles(page: Page, expected: list[str]) -> None:
    expect(page.locator(".card-link")).to_have_text(expected)


def box(page: Page, name: str) -> object:
    return page.get_by_role("checkbox", name=re.compile(f"^{name} "))


def test_filters_change_results_counts_and_address_and_keep_focus(page: Page) -> None:
    page.goto("/sample/")
    box(page, "Attic").check()
    expect_titles(page, ATTIC)
    expect(page).to_have_url(re.compile(r"/sample/\?room=attic$"))
    expect(box(page, "Attic")).to_be_focused()
    expect(page.locator("#count-track-food")).to_have_text("1")
    expect(page.locator("#status")).to_have_text("2 sessions")
    box(page, "Food").check()
    expect_titles(page, ["Beans, indoors"])
    expect(page).to_have_url(re.compile(r"/sample/\?room=attic&track=food$"))


def test_back_forward_and_return_are_always_in_step(page: Page) -> None:
    page.goto("/sample/")
    box(page, "Attic").check()
    expect_titles(page, ATTIC)
    box(page, "Food").check()
    expect_titles(page, ["Beans, indoors"])
    page.go_back()
    expect_titles(page, ATTIC)
    expect(box(page, "Attic")).to_be_checked()
    expect(box(page, "Food")).not_to_be_checked()
    page.go_back()
    expect_titles(page, ALL)
    expect(box(page, "Attic")).not_to_be_checked()
    page.go_forward()
    expect_titles(page, ATTIC)
    expect(box(page, "Attic")).to_be_checked()
    page.locator(".card-link").first.click()
    expect(page.locator("h1")).to_have_text("Kernels at work")
    page.go_back()
    expect_titles(page, ATTIC)
    expect(page.locator("h1")).to_have_text("Schedule")
    expect(box(page, "Attic")).to_be_checked()


def test_a_chip_unticks_its_box_and_moves_focus_to_the_count(page: Page) -> None:
    page.goto("/sample/?room=attic&track=food")
    page.get_by_role("link", name="Remove filter Attic").click()
    expect_titles(page, ["Soup & lunch", "Beans, indoors"])
    expect(box(page, "Attic")).not_to_be_checked()
    expect(box(page, "Food")).to_be_checked()
    expect(page.locator("#result-count")).to_be_focused()
    page.get_by_role("link", name="Clear all").click()
    expect_titles(page, ALL)


def test_search_as_one_types(page: Page) -> None:
    page.goto("/sample/")
    page.get_by_label("Search").fill("zoe")
    expect_titles(page, ["Kernels at work"])
    expect(page).to_have_url(re.compile(r"/sample/\?q=zoe$"))
    page.get_by_label("Search").fill("example works")
    expect_titles(page, ["Compilers for gardens", "Kernels at work", "Beans, indoors"])
    page.get_by_label("Search").fill("nothing at all")
    expect(page.get_by_text("No session matches")).to_be_visible()


def test_day_links_keep_the_other_filters(page: Page) -> None:
    page.goto("/sample/?room=attic")
    page.get_by_role("link", name="Thu 9 Apr").click()
    expect_titles(page, ["Beans, indoors"])
    expect(page).to_have_url(re.compile(r"\?day=2026-04-09&room=attic$"))
    page.get_by_role("link", name="All days").click()
    expect_titles(page, ATTIC)


def test_everything_works_without_javascript(new_page: Callable[..., Page]) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/sample/")
    page.locator("input[name=room][value=attic]").check()
    page.get_by_role("button", name="Show results").click()
    expect_titles(page, ATTIC)
    page.get_by_role("link", name="Remove filter Attic").click()
    expect_titles(page, ALL)
    page.get_by_label("Search").fill("beans")
    page.get_by_role("button", name="Show results").click()
    expect_titles(page, ["Beans, indoors"])


def test_on_a_phone_filters_are_a_closed_disclosure_that_counts(phone: Page) -> None:
    phone.goto("/sample/?room=attic")
    attic = phone.locator("input[name=room][value=attic]")
    expect(attic).not_to_be_visible()
    expect(phone.locator("#filter-count")).to_have_text("1")
    phone.get_by_text("Filters", exact=True).click()
    expect(attic).to_be_visible()
    phone.locator("input[name=track][value=food]").check()
    expect(phone.locator("#filter-count")).to_have_text("2")


def test_the_day_shown_is_in_sight_on_a_phone(phone: Page) -> None:
    phone.set_viewport_size({"width": 320, "height": 740})
    phone.goto("/sample/?day=2026-04-09")
    expect(phone.locator(".days [aria-current]")).to_be_in_viewport(ratio=1)


def test_the_link_to_subscribe_opens_what_it_leads_to(page: Page) -> None:
    page.goto("/sample/?room=attic")
    expect(page.locator("#feed-address")).to_be_hidden()
    page.get_by_role("link", name="Subscribe", exact=True).click()
    expect(page.locator("#feed-address")).to_have_value(re.compile(r"/schedule\.ics\?room=attic$"))
    expect(page.locator("#feed-address")).to_be_in_viewport()


def test_a_failed_request_says_so_and_unticks(page: Page, complaints: list[str]) -> None:
    page.goto("/sample/")
    page.route("**/sample/?*", lambda route: route.abort())
    box(page, "Attic").click()
    expect(page.locator("#status")).to_contain_text("could not be updated")
    expect(box(page, "Attic")).not_to_be_checked()
    assert complaints
    complaints.clear()


def test_the_theme_switch_is_remembered(page: Page) -> None:
    page.goto("/sample/")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_one_step_back_undoes_one_choice_and_typing_is_one(page: Page) -> None:
    page.goto("/sample/")
    steps = page.evaluate("history.length")
    search = page.get_by_label("Search")
    search.fill("co")
    expect(page).to_have_url(re.compile(r"\?q=co$"))
    search.fill("comp")
    expect(page).to_have_url(re.compile(r"\?q=comp$"))
    expect_titles(page, ["Compilers for gardens"])
    search.press("Tab")
    box(page, "Attic").check()
    expect(page.get_by_text("No session matches")).to_be_visible()
    assert page.evaluate("history.length") == steps + 2
    page.go_back()
    expect_titles(page, ["Compilers for gardens"])
    expect(search).to_have_value("comp")
    page.go_back()
    expect_titles(page, ALL)
    expect(search).to_have_value("")


def test_the_form_carries_all_days_along_while_the_address_has_it(page: Page) -> None:
    page.goto("/sample/?day=all")
    page.get_by_role("link", name="Thu 9 Apr").click()
    expect_titles(page, ["Beans, indoors", "Closing"])
    box(page, "Attic").check()
    expect(page).to_have_url(re.compile(r"\?day=2026-04-09&room=attic$"))
    page.goto("/sample/?day=all")
    box(page, "Attic").check()
    expect(page).to_have_url(re.compile(r"\?day=all&room=attic$"))


def test_marks_follow_the_clock_while_the_page_stays_open(page: Page) -> None:
    moment = dt.datetime(2026, 4, 8, 7, 59, tzinfo=dt.UTC)
    page.clock.install(time=moment)
    with time_machine.travel(moment):
        page.goto("/sample/")
        running = page.locator(".card.is-now .card-link")
        expect(running).to_have_count(0)
        page.clock.fast_forward("02:00")
        expect(running).to_have_text(["Compilers for gardens", "Kernels at work"])
        expect(page.locator(".card .now-mark")).to_have_text(["Now", "Now"])
        page.clock.fast_forward("31:00")
        expect(running).to_have_text(["Compilers for gardens"])
        expect(page.locator(".card.is-past .card-link")).to_have_text(["Opening", ATTIC[0]])


def test_somebody_elsewhere_may_add_their_own_time(new_page: Callable[..., Page]) -> None:
    page = new_page(timezone_id="America/Los_Angeles", locale="en-GB")
    page.goto("/sample/")
    button = page.get_by_role("button", name="Add my own time")
    expect(page.locator(".own-time")).to_have_count(0)
    button.click()
    expect(page.locator(".own-time").first).to_have_text("00:00–00:30 your time")
    expect(page.locator(".card .times").first).to_have_text("09:00–09:30")
    box(page, "Attic").check()
    expect(page.locator(".own-time")).to_have_text(
        ["01:00–01:30 your time", "01:30–02:00 your time"]
    )
    page.goto("/sample/sessions/opening/")
    expect(page.locator(".own-time")).to_have_text("00:00–00:30 your time")
    page.get_by_role("button", name="Add my own time").click()
    expect(page.locator(".own-time")).to_have_count(0)


def test_nobody_at_the_venue_is_asked_about_zones(new_page: Callable[..., Page]) -> None:
    page = new_page(timezone_id="Europe/Madrid")
    page.goto("/sample/")
    expect(page.locator("[data-own-times]")).to_be_hidden()


def test_large_text_fits_without_scrolling_sideways(new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 640, "height": 900})
    for path in PATHS:
        page.goto(path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= 640, path


@pytest.mark.parametrize("width", [320, 360, 768])
def test_no_page_scrolls_sideways(new_page: Callable[..., Page], width: int) -> None:
    page = new_page(viewport={"width": width, "height": 740})
    for path in PATHS:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


PATHS = [
    "/conferences/",
    "/sample/?room=cellar",
    "/sample/",
    "/sample/?room=attic&track=code&q=nothing",
    "/sample/sessions/compilers-for-gardens/",
    "/sample/speakers/",
    "/sample/speakers/ada-inventa/",
    "/sample/rooms/hall/",
    "/sample/tracks/code/",
    "/sample/now/",
    "/sample/changes/",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing(new_page: Callable[..., Page], width: int, scheme: str) -> None:
    page = new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    found = {}
    for path in PATHS:
        page.goto(path)
        problems = accessibility_problems(page)
        if problems:
            found[path] = problems
    assert found == {}


def test_the_keyboard_reaches_filter_result_and_back(page: Page) -> None:
    page.goto("/sample/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.matches('input[name=room]')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile(r"\?room="))
    expect(page.locator("input[name=room]").first).to_be_focused()
    while not page.evaluate("document.activeElement.matches('.card-link')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".detail-head h1")).to_be_visible()


def test_the_way_back_from_a_session_keeps_the_filters(page: Page) -> None:
    page.goto("/sample/?q=a")
    page.locator(".card-link").first.click()
    page.get_by_role("link", name="Back to the schedule").click()
    expect(page).to_have_url(re.compile(r"/sample/\?q=a#session-"))


def test_a_long_word_does_not_make_a_page_scroll_sideways(page: Page) -> None:
    session = Session.objects.get(slug__startswith="closing")
    session.title = "torch.distributed._composable.fsdp.fully_shard_with_everything_inside"
    session.abstract = f"https://docs.example.org/presentation/d/{'1A2b3C4d5E' * 6}/edit"
    with publishing(session.conference, by="test"):
        session.save()
    page.set_viewport_size({"width": 320, "height": 700})
    for path in ("/sample/", f"/sample/sessions/{session.slug}/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") == 320

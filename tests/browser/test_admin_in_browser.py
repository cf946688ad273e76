"""Organizers in a real browser: the strict policy on scripts and styles holds in the admin too."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from sessions_app.models import Session
from speakers.models import Speaker
from tests.browser.programme import make_programme


@pytest.fixture(autouse=True)
def programme(transactional_db: None) -> None:
    make_programme()


@pytest.fixture
def cookie(programme: None) -> str:
    """The HTTP session of an organizer who is signed in."""
    client = Client()
    client.force_login(User.objects.create_superuser("organizer"))
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def signed_in(page: Page, cookie: str, live_server: object) -> Page:
    address = live_server.url  # type: ignore[attr-defined]
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": address}]
    )
    return page


def form_of(title: str) -> str:
    return f"/admin/sessions_app/session/{Session.objects.get(title=title).pk}/change/"


def choose(page: Page, box: str, text: str, answer: str) -> None:
    """Pick a suggestion of a select box, by keyboard alone."""
    page.locator(box).locator("xpath=following-sibling::span").locator(".select2-selection").focus()
    page.keyboard.press("Enter")
    page.keyboard.type(text)
    expect(page.locator(".select2-results__option--highlighted")).to_have_text(answer)
    page.keyboard.press("Enter")


def test_people_are_added_and_the_site_shows_it(
    page: Page, cookie: str, live_server: object
) -> None:
    signed_in(page, cookie, live_server)
    page.goto(form_of("Kernels at work"))
    page.get_by_text("Add another Speaker").click()
    choose(page, "#id_session_speakers-1-speaker", "ada", "Ada Inventa (Example Works)")
    page.locator("#id_starts_at_1").fill("10:05")
    page.get_by_role("button", name="Save", exact=True).first.click()

    expect(page.locator(".messagelist")).to_contain_text("Published: 1 session changed.")
    expect(page.locator(".messagelist")).to_contain_text("at the same time as “Kernels at work”")
    page.locator(".messagelist").get_by_role("link", name="See the site").click()
    card = page.locator(".card", has_text="Kernels at work")
    expect(card).to_contain_text("10:05")
    expect(card).to_contain_text("Ada Inventa")


def test_somebody_new_is_added_from_the_session_s_page(
    page: Page, cookie: str, live_server: object
) -> None:
    signed_in(page, cookie, live_server)
    page.goto(form_of("Closing"))
    page.get_by_text("Add another Speaker").click()
    with page.expect_popup() as opened:
        page.locator("#add_id_session_speakers-0-speaker").click()
    popup = opened.value
    popup.locator("#id_name").fill("Cy Madeup")
    with popup.expect_event("close"):
        popup.get_by_role("button", name="Save").first.click()
    expect(page.locator("#select2-id_session_speakers-0-speaker-container")).to_contain_text(
        "Cy Madeup"
    )
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.locator(".messagelist")).to_contain_text("was changed")
    assert list(Speaker.objects.filter(sessions__title="Closing")) == [
        Speaker.objects.get(name="Cy Madeup")
    ]


PAGES = {
    "list": "/admin/sessions_app/session/",
    "session": "",
    "tracks": "/admin/sessions_app/track/",
    "new track": "/admin/sessions_app/track/add/",
    "speakers": "/admin/speakers/speaker/",
    "index": "/admin/",
    "changes": "/admin/sessions_app/change/",
    "conference": "/admin/confsched/conference/",
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_a_phone_and_break_no_policy(
    phone: Page, cookie: str, live_server: object, name: str
) -> None:
    signed_in(phone, cookie, live_server)
    phone.goto(PAGES[name] or form_of("Kernels at work"))
    expect(phone.locator("#content")).to_be_visible()
    overflow = phone.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_we_added_to_forms_is_accessible(
    new_page: Callable[..., Page], cookie: str, live_server: object, scheme: str
) -> None:
    page = signed_in(new_page(color_scheme=scheme), cookie, live_server)
    for address, ours in (
        (
            form_of("Kernels at work"),
            [".field-starts_at", ".field-ends_at", ".field-kind", ".silent"],
        ),
        ("/admin/sessions_app/track/add/", [".field-colour"]),
    ):
        page.goto(address)
        for part in ours:
            # Without "preload": to follow @import, axe would write styles into the page.
            report = Axe().run(page, context=part, options={"preload": False})
            assert report.violations_count == 0, report.generate_report()


def test_the_bulk_actions_ask_first(page: Page, cookie: str, live_server: object) -> None:
    signed_in(page, cookie, live_server)
    page.goto("/admin/sessions_app/session/")
    page.locator("#action-toggle").check()
    page.get_by_label("Action:").select_option("cancel_sessions")
    page.get_by_role("button", name=re.compile("Go|Run")).click()
    page.get_by_role("button", name="Cancel 6 sessions").click()
    expect(page.locator(".messagelist")).to_contain_text("Cancel: 6 sessions.")

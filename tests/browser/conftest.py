"""A real Chromium for what only a browser can show.

Each test gets a fresh context against a live server; whatever the browser complains about on its
console, a broken Content-Security-Policy included, fails the test.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT_MS = 15_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = os.path.dirname(__file__)
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium of this machine; skips where there is none, fails under CI."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        reason = f"no Chromium on this machine (looked for {', '.join(names)})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    # Playwright's loop runs in this thread, which Django takes for an asynchronous context.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


def accessibility_problems(page: Page) -> list[tuple[str, list[str]]]:
    """Return what axe finds, every disclosure opened: (rule, the beginnings of the elements)."""
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    # Without "preload" axe leaves style sheets alone: it would fetch imported ones at a wrong
    # address and put them into inline styles, both of which count as complaints here.
    found = Axe().run(page, options={"preload": False}).response["violations"]
    return [(each["id"], [node["html"][:120] for node in each["nodes"][:3]]) for each in found]


@pytest.fixture
def complaints() -> list[str]:
    """What browsers wrote on their consoles; a test that expects some removes them."""
    return []


@pytest.fixture
def new_page(
    browser: Browser, live_server: object, complaints: list[str]
) -> Iterator[Callable[..., Page]]:
    """Make a page in a fresh context; keyword arguments are those of ``new_context``."""
    contexts: list[BrowserContext] = []

    def make(**options: object) -> Page:
        values: dict[str, object] = {
            "base_url": live_server.url,  # type: ignore[attr-defined]
            "viewport": {"width": 1280, "height": 900},
            "service_workers": "block",
            **options,
        }
        context = browser.new_context(**values)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A page of desk size."""
    return new_page()


@pytest.fixture
def phone(new_page: Callable[..., Page]) -> Page:
    """A page of phone size."""
    return new_page(viewport={"width": 360, "height": 740}, has_touch=True)

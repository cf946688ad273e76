"""What a first visit to the real programme costs, and what it looks like on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from django.core.management import call_command
from playwright.sync_api import Page, Response

FIXTURE = next((Path(__file__).parents[2] / "fixtures").glob("*.json"))
MOST_BYTES = 75_000
MOST_REQUESTS = 10
MOST_ELEMENTS = 1_600
MOST_SHEETS_OF_PAPER = 4
#: What stands in for the headers of an answer.
HEADERS = 600


@pytest.fixture
def schedule_path(transactional_db: None) -> str:
    call_command("loaddata", FIXTURE, verbosity=0)
    return f"/{FIXTURE.stem}/"


def on_the_wire(response: Response) -> int:
    """Return the size as the deployed site sends it: fonts as they are, all else compressed."""
    body = response.body()
    return HEADERS + (len(body) if response.url.endswith(".woff2") else len(brotli.compress(body)))


def test_a_first_view_is_small(page: Page, schedule_path: str) -> None:
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(schedule_path, wait_until="networkidle")
    assert {response.url.split("/")[2] for response in responses} == {page.url.split("/")[2]}
    # Deployed, the imported style sheet is part of the one that imports it.
    requests = [each for each in responses if not each.url.endswith("/tokens.css")]
    assert len(requests) <= MOST_REQUESTS
    assert sum(map(on_the_wire, responses)) <= MOST_BYTES
    assert page.evaluate("document.querySelectorAll('*').length") <= MOST_ELEMENTS


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_programme_fits_few_sheets_of_paper(
    new_page: Callable[..., Page], schedule_path: str, scheme: str
) -> None:
    page = new_page(color_scheme=scheme)
    page.goto(schedule_path)
    document = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", document)) <= MOST_SHEETS_OF_PAPER
    page.emulate_media(media="print")
    ink = page.evaluate("getComputedStyle(document.querySelector('.card-link')).color")
    assert ink == "rgb(0, 0, 0)"

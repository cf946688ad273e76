"""Secrets in agenda addresses never reach a log."""

from __future__ import annotations

import logging

import pytest

from confsched.logs import MaskingFormatter, masked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GET /agenda/feed/AbC-_9.ics 200", "GET /agenda/feed/….ics 200"),
        ("/agenda/open/tok/?x=1", "/agenda/open/…/?x=1"),
        ("next=%2Fagenda%2Fshared%2Ftok%2F", "next=%2Fagenda%2Fshared%2F…%2F"),
        ("/sample/agenda/add/beans/", "/sample/agenda/add/beans/"),
        ("nothing", "nothing"),
    ],
)
def test_tokens_are_masked(text: str, expected: str) -> None:
    assert masked(text) == expected


TOKEN = "Ab-_" * 10 + "xyz"


@pytest.mark.parametrize(
    "text",
    [
        "Not Found: /agenda/open/%20{}/",
        "/agenda//open/{}/",
        '/agenda/open/"{}"',
        "/agenda/open/.{}/",
        "/agenda/open/&{}",
        "/agenda/{}/",
        "Invalid HTTP request line: 'GET /agenda/feed/{}.ics'",
        "Cookie agenda={}",
    ],
)
def test_tokens_in_mangled_requests_are_masked_too(text: str) -> None:
    assert TOKEN not in masked(text.format(TOKEN))
    assert "…" in masked(text.format(TOKEN))


def test_the_formatter_masks_arguments_and_tracebacks() -> None:
    error = ValueError(f"/agenda/open/{TOKEN}/")
    arguments = ("/agenda/open/tok/",)
    record = logging.LogRecord("x", 20, "f", 1, "Not Found: %s", arguments, (None, error, None))
    text = MaskingFormatter("{message}", style="{").format(record)
    assert text == "Not Found: /agenda/open/…/\nValueError: /agenda/open/…/"

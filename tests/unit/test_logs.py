"""Secrets in agenda addresses never reach a log."""

from __future__ import annotations

import logging

import pytest

from confsched.logs import MaskSecrets, masked


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


def test_the_filter_masks_arguments_too() -> None:
    record = logging.LogRecord("x", 20, "f", 1, "Not Found: %s", ("/agenda/open/tok/",), None)
    assert MaskSecrets().filter(record)
    assert record.getMessage() == "Not Found: /agenda/open/…/"

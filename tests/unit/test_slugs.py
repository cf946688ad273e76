"""Slugs: readable ASCII from any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.slugs import SLUG_LENGTH, ascii_slug, free_slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vLLM & Ray Updates", "vllm-ray-updates"),
        ("Biblioteca Room at La Felicità", "biblioteca-room-at-la-felicita"),
        ("Straße, Øresund, Łódź", "strasse-oresund-lodz"),
        ("Don’t panic", "dont-panic"),
        ("non‑breaking — dash", "non-breaking-dash"),
        ("C++", "c"),
        ("王小明", "talk"),
        ("🎉", "talk"),
        ("", "talk"),
        ("x" * 200, "x" * SLUG_LENGTH),
        ("word " * 40, ("word-" * 16)[:-1]),
    ],
)
def test_slugs_are_readable(text, expected):
    assert ascii_slug(text, fallback="talk") == expected


@given(st.text())
def test_any_text_gives_a_usable_slug(text):
    slug = ascii_slug(text, fallback="talk")

    assert 0 < len(slug) <= SLUG_LENGTH
    assert slug.isascii()
    assert slug == slug.lower().strip("-")
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_a_taken_slug_gets_the_first_free_number():
    assert free_slug("talk", set()) == "talk"
    assert free_slug("talk", {"talk", "talk-2", "talk-4"}) == "talk-3"

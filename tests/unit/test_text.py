"""Plain text as safe HTML."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.text import as_html, linked, summary


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("One.\n\nTwo.", "<p>One.</p>\n<p>Two.</p>"),
        (
            "Menu:\n-Bread\n- Jam\n• Tea",
            "<p>Menu:</p>\n<ul><li>Bread</li><li>Jam</li><li>Tea</li></ul>",
        ),
        ("1. One\n2. Two", "<ol><li>One</li><li>Two</li></ol>"),
        ("3) Three\nText", '<ol start="3"><li>Three</li></ol>\n<p>Text</p>'),
        ("--- note", "<p>--- note</p>"),
        ("2026 was good", "<p>2026 was good</p>"),
        ("<b>&</b>", "<p>&lt;b&gt;&amp;&lt;/b&gt;</p>"),
    ],
)
def test_lines_become_paragraphs_and_lists(text: str, html: str) -> None:
    assert as_html(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "See https://example.org/a?b=1&c=2.",
            'See <a href="https://example.org/a?b=1&amp;c=2" rel="noopener nofollow">'
            "https://example.org/a?b=1&amp;c=2</a>.",
        ),
        (
            "(https://example.org/x_(y))",
            '(<a href="https://example.org/x_(y)" rel="noopener nofollow">'
            "https://example.org/x_(y)</a>)",
        ),
        ("javascript:alert(1)", "javascript:alert(1)"),
        (
            'https://a.example/"onx=1',
            '<a href="https://a.example/" rel="noopener nofollow">'
            "https://a.example/</a>&quot;onx=1",
        ),
    ],
)
def test_only_web_addresses_become_links(text: str, html: str) -> None:
    assert linked(text) == html


@given(st.text())
def test_nothing_but_our_own_tags_comes_out(text: str) -> None:
    tags = set(re.findall(r"<[^>]*>", as_html(text)))
    allowed = re.compile(
        r'</?(p|ul|ol|li|a)>|<ol start="\d+">|<a href="https?://[^"<>]*" rel="noopener nofollow">',
        re.IGNORECASE,
    )
    assert [tag for tag in tags if not allowed.fullmatch(tag)] == []


def test_a_summary_is_cut_at_a_word() -> None:
    assert summary("One two\nthree") == "One two three"
    assert summary("word " * 50, 20) == "word word word word…"

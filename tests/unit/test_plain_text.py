"""Abstracts as plain text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_app.exporters.plain_text import clean, one_line, plain, shorten


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\nTwo.\n\nThree.", "One.\nTwo.\n\nThree."),
        ("<p>One &amp; two.</p><p>Three<br>four</p>", "One & two.\nThree\nfour"),
        ("<ul><li>a</li><li>b</li></ul>", "- a\n- b"),
        (
            'See <a href="https://example.org/x">the page</a>!',
            "See the page (https://example.org/x)!",
        ),
        ("&lt;p&gt;Twice&lt;/p&gt; &amp;amp; thrice", "Twice\n& thrice"),
        ("Very **bold** and **two words**, 2 ** 3 ** 4", "Very bold and two words, 2 ** 3 ** 4"),
        ("[docs](https://example.org/d) and [x]", "docs (https://example.org/d) and [x]"),
        ("# Heading\n## Second\n#hashtag", "Heading\nSecond\n#hashtag"),
        ("Why the <div> element is fine", "Why the ‹div› element is fine"),
        ("Vec<T>, a < b && c > d, R&D, __init__", "Vec<T>, a < b && c > d, R&D, __init__"),
        ("a\u00a0b&nbsp;c", "a b c"),
        ("one\r\ntwo\rthree\u2028four\x0bfive", "one\ntwo\nthree\nfour\nfive"),
        ("one\n\n\n\n\ntwo  \n", "one\n\ntwo"),
        ("", ""),
    ],
)
def test_text_stays_and_markup_goes(text, expected):
    assert plain(text) == expected


@settings(deadline=None)
@given(st.text(st.characters(codec=None)))
def test_no_text_at_all_is_too_much(text):
    assert plain(text) == plain(clean(text))
    one_line(text).encode()
    assert "\n" not in one_line(text)


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        ("short", 5, "short"),
        ("one two three", 9, "one two…"),
        ("one two three", 8, "one two…"),
        ("one two three", 7, "one…"),
        ("onetwothree", 6, "onetw…"),
    ],
)
def test_texts_are_cut_at_a_word(text, length, expected):
    assert shorten(text, length, "…") == expected

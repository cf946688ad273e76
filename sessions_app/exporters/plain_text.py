"""Texts as calendars and spreadsheets can show them: no control characters, no markup."""

from __future__ import annotations

import html
import re

#: Whatever some program takes for a line break, in one form.
_BREAKS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
#: C0 but tab and line feed, DEL, C1, and the halves of surrogate pairs, which cannot be encoded.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

_TAGS = "p|br|a|b|i|em|strong|ul|ol|li|h[1-6]|div|span|html|body|img|table|tr|td|th|pre|code"
_TAGS += "|blockquote"
_TAG = re.compile(rf"<(/?)({_TAGS})\b([^<>]*)>", re.IGNORECASE)
_LINE_TAG = re.compile(
    r"[ \t]*<(?:br\b[^<>]*|/(?:p|div|li|h[1-6]|tr|blockquote|ul|ol))>[ \t]*", re.IGNORECASE
)
_ENTRY_TAG = re.compile(r"<li\b[^<>]*>", re.IGNORECASE)
_ANCHOR = re.compile(
    r"<a\b[^<>]*?href=[\"'](https?://[^\"'<>]*)[\"'][^<>]*>(.*?)</a>", re.IGNORECASE | re.DOTALL
)
_ENTITY = re.compile(r"&(?:nbsp|amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_LOOKS_LIKE_HTML = re.compile(rf"</(?:{_TAGS})>|<(?:br|p)\b", re.IGNORECASE)

_STRONG = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_LINK = re.compile(r"!?\[([^\[\]\n]+)\]\((https?://[^\s()]+)\)")
_HEADING = re.compile(r"^#{1,6}[ \t]+(?=\S)", re.MULTILINE)
#: Text that was escaped more often than this is shown as it is.
MOST_ESCAPED = 5


def clean(text: str) -> str:
    """Return the text without control characters; every kind of line break becomes a line feed."""
    return _CONTROLS.sub("", _BREAKS.sub("\n", text))


def one_line(text: str) -> str:
    """Return the text on one line; what is between words stays as it is but for breaks, tabs."""
    return re.sub(r"\s*\n\s*|\t", " ", clean(text).strip())


def plain(text: str) -> str:
    """Return an abstract as text alone.

    HTML loses its tags and keeps its paragraphs, entries and link targets; entities become
    characters; Markdown's bold, links and headings lose their signs. Where a text without HTML
    speaks of a tag, the tag stays readable with other brackets, since Google Calendar would
    otherwise take it for markup and hide it.
    """
    text = clean(text)
    for _ in range(MOST_ESCAPED):
        before = text
        if _LOOKS_LIKE_HTML.search(text):
            text = _without_tags(text)
        text = _ENTITY.sub(lambda match: clean(html.unescape(match.group())), text)
        if text == before:
            break
    text = _TAG.sub(r"‹\1\2\3›", text.replace("\N{NO-BREAK SPACE}", " "))
    text = _HEADING.sub("", _STRONG.sub(r"\1", _LINK.sub(r"\1 (\2)", text)))
    lines = [line.rstrip() for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _without_tags(text: str) -> str:
    text = _ANCHOR.sub(r"\2 (\1)", text)
    text = _ENTRY_TAG.sub("- ", _LINE_TAG.sub("\n", text))
    return _TAG.sub("", text)


def shorten(text: str, length: int, ending: str) -> str:
    """Return the text, or as much of it as fits, cut at a word, with the ending in its place."""
    if len(text) <= length:
        return text
    room = max(0, length - len(ending))
    kept = text[:room]
    word_end = max(kept.rfind(" "), kept.rfind("\n"))
    if word_end >= room // 2 and not text[room].isspace():
        kept = kept[:word_end]
    return kept.rstrip() + ending

"""From components of the icalendar library to bytes: texts, addresses and folding.

Three things the library does otherwise than calendars need (docs/architecture.md, "Calendars"):
it turns a literal backslash-N of a text into a line break, lets control characters and halves of
surrogate pairs through, and spends half of its time on folding.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from icalendar.cal import Component
from icalendar.prop import vCategory, vText, vUri

from sessions_app.exporters.plain_text import clean

#: RFC 5545, 3.1: at most 75 octets a line. Continuation lines begin with a blank.
LONGEST_LINE = 74
_CONTINUATION = b"\r\n "


class PlainText(vText):
    """A TEXT value of which every character arrives as it is (RFC 5545, 3.3.11)."""

    def to_ical(self) -> bytes:
        """Return the value escaped; control characters, which no calendar reads, left out."""
        text = clean(str(self)).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
        return text.replace("\n", "\\n").encode()


def text(value: str) -> PlainText:
    """Return a text for a property."""
    return PlainText(value.encode("utf-8", "ignore"))


def text_list(values: list[str]) -> vCategory:
    """Return several texts for one property; the library splits none, but would re-encode each."""
    categories = vCategory([])
    categories.cats = [text(value) for value in values]
    return categories


def quoted(address: str) -> str:
    """Return an address with whatever may not stand in a URI percent-encoded (RFC 3986)."""
    return quote(clean(address).strip().encode("utf-8"), safe=":/?#[]@!$&'()*+,;=%~")


def uri(address: str, **parameters: str) -> vUri:
    """Return an address for a property."""
    return vUri(quoted(address), params=parameters)


def parameter(value: str) -> str:
    """Return a text for a parameter: RFC 5545 has no way to put a quotation mark into one."""
    return clean(value).replace("\n", " ").replace('"', "'")


def fold(line: bytes) -> bytes:
    """Return one line folded, never inside a character or an escape."""
    if len(line) <= LONGEST_LINE:
        return line
    parts = []
    start = 0
    while len(line) - start > LONGEST_LINE:
        end = start + LONGEST_LINE
        while line[end] & 0xC0 == 0x80:
            end -= 1
        escapes = end
        while escapes > start and line[escapes - 1] == 0x5C:
            escapes -= 1
        end -= (end - escapes) % 2
        parts.append(line[start:end])
        start = end
    parts.append(line[start:])
    return _CONTINUATION.join(parts)


def lines(component: Component) -> list[bytes]:
    """Return the folded lines of a component, BEGIN and END among them, in the library's order."""
    content: Any = component.content_lines()
    return [fold(line.encode()) for line in content if line]


def joined(content: list[bytes]) -> bytes:
    """Return lines as bytes of a file, each one ended."""
    return b"\r\n".join(content) + b"\r\n"

"""The slide files of a session: lines that end in the type of a file."""

from __future__ import annotations

import re

from sessions_app.importers.sched_text.lines import Line
from sessions_app.records import SourceSlides

_FILE = re.compile(
    r"(?P<name>.+) (?P<type>pdf|pptx?|ppsx?|pptm|key|odp|docx?|odt|xlsx?|csv|txt|md|html?|ipynb|zip"
    r"|png|jpe?g|gif|svg|webp|mp4|mov|webm)"
)
#: A file's name is no longer than file systems allow.
_LONGEST_NAME = 255


def split_slides(body: list[Line]) -> tuple[list[Line], tuple[SourceSlides, ...]]:
    """Cut the files off the end of what stands between the date lines, in printed order."""
    end = len(body)
    slides: list[SourceSlides] = []
    while end:
        text = body[end - 1].text
        match = _FILE.fullmatch(text) if len(text) <= _LONGEST_NAME else None
        if text and match is None:
            break
        if match:
            slides.append(SourceSlides(match["name"], match["type"]))
        end -= 1
    return body[:end], tuple(reversed(slides))

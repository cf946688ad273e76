"""The banner over the programme: name, place and days of the conference, and its notices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sessions_app.importers.sched_text.dates import DayRange, day_range
from sessions_app.importers.sched_text.lines import Line

#: Sentences that name the conference, and how long a line may be to be searched for them.
_NAMED_IN = (
    (
        re.compile(
            r"must be registered for (?P<name>[^.]{3,150}?)"
            r"(?: (?:to (?:participate|attend|join|access)|in order)\b|,|\.|$)"
        ),
        2000,
    ),
    (re.compile(r"(?P<name>.+) has ended\.?$"), 150),
)
_NOTICE = re.compile(r"\bsubject to change\b", re.IGNORECASE)
_REGISTRATION = re.compile(r"\bregist(?:er|ration)", re.IGNORECASE)
_BUTTON = re.compile(r"view more details.*|attending this event\?|loading…", re.IGNORECASE)
_DISPLAYED_IN = re.compile(
    r"displayed in (?:[^.(]*?)\b(?P<zone>[A-Z]{2,5})\b"
    r"(?: \((?:UTC|GMT|/)+ ?(?P<sign>[+\-−])? ?(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?)?"
)
#: Addresses of the page's own host are not the conference's website.
_ADDRESS = re.compile(r"https?://(?![\w.-]*\bsched\.)[^\s<>\"]+[^\s<>\".,;:!?)]")
_MAIL = re.compile(r"\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
#: A registration note is a paragraph, not the label of a button.
_SHORTEST_NOTE = 60
_LONGEST_PLACE = 100
#: Nothing in a banner needs longer lines; they are left to nobody.
_LONGEST_LINE = 5000
_MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class Banner:
    """What the banner says; ``days_line`` is where the days stand (0: nowhere).

    ``zone`` is the abbreviation in which the page says it shows its times, and ``utc_offset``
    the offset it claims in minutes; organizers write both by hand.
    """

    name: str = ""
    place: str = ""
    days: DayRange | None = None
    days_line: int = 0
    notice: str = ""
    registration_note: str = ""
    website: str = ""
    registration_url: str = ""
    contact: str = ""
    zone: str = ""
    utc_offset: int | None = None


def read_banner(lines: list[Line]) -> Banner:
    """Read the lines before the programme."""
    lines = lines[:_MOST_LINES]
    texts = [line.text for line in lines if line.text and len(line.text) <= _LONGEST_LINE]
    days_line = next((line for line in lines if line.text and day_range(line.text)), None)
    note = "\n".join(filter(_is_registration_note, texts))
    others = (text for text in texts if not _is_registration_note(text))
    addresses = [found[0] for text in others for found in _ADDRESS.finditer(text)]
    zone, utc_offset = _displayed_in(texts)
    return Banner(
        name=find_name(texts),
        place=_place(lines, days_line),
        days=day_range(days_line.text) if days_line else None,
        days_line=days_line.number if days_line else 0,
        notice="\n".join(text for text in texts if _is_notice(text)),
        registration_note=note,
        website=addresses[0] if addresses else "",
        registration_url=next((found[0] for found in _ADDRESS.finditer(note)), ""),
        contact=next((found[0] for text in texts for found in _MAIL.finditer(text)), ""),
        zone=zone,
        utc_offset=utc_offset,
    )


def find_name(texts: Iterable[str]) -> str:
    """Return the conference's name from a sentence such as "You must be registered for …"."""
    texts = list(texts)
    for pattern, longest in _NAMED_IN:
        for text in texts:
            match = pattern.search(text) if len(text) <= longest else None
            if match:
                return match["name"].strip()
    return ""


def _place(lines: list[Line], days_line: Line | None) -> str:
    """Return the bare line below the days, empty without one."""
    if days_line is None:
        return ""
    following = lines[lines.index(days_line) + 1 :][:1]
    text = following[0].text if following else ""
    is_place = len(text) <= _LONGEST_PLACE and not _BUTTON.fullmatch(text)
    return text if is_place and not _is_notice(text) and not text.endswith(".") else ""


def _is_notice(text: str) -> bool:
    return _NOTICE.search(text) is not None


def _is_registration_note(text: str) -> bool:
    is_paragraph = len(text) >= _SHORTEST_NOTE and not _BUTTON.fullmatch(text)
    return is_paragraph and _REGISTRATION.search(text) is not None


def _displayed_in(texts: list[str]) -> tuple[str, int | None]:
    for text in texts:
        match = _DISPLAYED_IN.search(text)
        if match is None:
            continue
        if not match["hours"]:
            return match["zone"], None
        minutes = int(match["hours"]) * 60 + int(match["minutes"] or 0)
        return match["zone"], -minutes if match["sign"] in {"-", "−"} else minutes
    return "", None

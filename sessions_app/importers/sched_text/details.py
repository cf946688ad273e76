"""What stands below the last date line of a session: room, types and tags."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sessions_app.importers.problems import Code, ProblemLog, shortened
from sessions_app.importers.sched_text.blocks import Block
from sessions_app.importers.sched_text.filters import Filters, is_level_label, split_values, unique
from sessions_app.importers.sched_text.lines import Line
from sessions_app.records import SourceTrack

_SLIDES_TAG = re.compile(r"slides attached:? (?P<value>.+)", re.IGNORECASE)
#: A label of an unknown facet and its value: "Audience Level Any".
_LEVEL_TAG = re.compile(
    r"(?P<label>(?:[\w&/-]+ ){0,4}(?:level|audience|difficulty|experience)):? (?P<value>.+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Details:
    """Room and lines of types as printed, levels and the slides tag."""

    room: str = ""
    types: tuple[Line, ...] = ()
    levels: tuple[str, ...] = ()
    has_slides_tag: bool = False


def read_details(
    block: Block, rooms: frozenset[str], filters: Filters, log: ProblemLog
) -> tuple[Details, list[Line]]:
    """Read room, types and tags; also return the body without the room that may begin it.

    ``rooms`` are the rooms that the page is known to have.
    """
    plain = [line for line in block.tail if not line.is_detail]
    printed = [line for line in block.tail if line.is_detail and not line.is_bullet]
    levels, has_slides_tag = _tags((line for line in block.tail if line.is_bullet), filters, log)
    if not printed:
        printed = _unindented_types(plain, rooms, filters)
        plain = [line for line in plain if line not in printed]
    room, body = _room(plain[0] if plain else None, block, rooms, log)
    for line in plain[1:]:
        message = f"“{shortened(line.text)}” below the room was left out; expected a type there."
        log.add(line.number, Code.STRAY_TEXT, message)
    return Details(room, tuple(printed), levels, has_slides_tag), body


def _unindented_types(plain: list[Line], rooms: frozenset[str], filters: Filters) -> list[Line]:
    """Find the types among lines that lost their indent; the first one is the room, if it may."""
    is_room_first = bool(plain) and (plain[0].text in rooms or not _is_type(plain[0], filters))
    return [line for line in plain[is_room_first:] if _is_type(line, filters)]


def _is_type(line: Line, filters: Filters) -> bool:
    """Whether an unindented line may name types: those of the filter lists, if there are any."""
    names = {track.name for track in filters.tracks}
    return not names or any(name in names for name in split_values(line.text, names))


def _room(
    printed: Line | None, block: Block, rooms: frozenset[str], log: ProblemLog
) -> tuple[str, list[Line]]:
    """Find the room: below the last date line, often below the first one as well."""
    above = block.body[0] if block.body and block.is_body_below_date else None
    if above is not None and above.text and printed is not None:
        if above.text == printed.text:
            return printed.text, block.body[1:]
        if above.text in rooms:
            message = f"Found the room “{above.text}”, below the people “{printed.text}”."
            log.add(above.number, Code.ROOMS_DISAGREE, message)
            return above.text, block.body[1:]
    if printed is not None:
        return printed.text, block.body
    is_broken_off = len(block.dates) == 1
    if above is not None and above.text and (is_broken_off or above.text in rooms):
        return above.text, block.body[1:]
    log.add(block.dates[-1].line.number, Code.ROOM_MISSING, "No room is named below the date.")
    return "", block.body


def _tags(
    bullets: Iterable[Line], filters: Filters, log: ProblemLog
) -> tuple[tuple[str, ...], bool]:
    levels: list[str] = []
    has_slides_tag = False
    for line in bullets:
        text = line.text.removeprefix("•").strip()
        slides = _SLIDES_TAG.fullmatch(text)
        level = _level_values(text, filters)
        if slides:
            has_slides_tag |= slides["value"].lower() != "no"
        elif level is not None:
            levels += level
        elif text:
            message = f"The tag “{shortened(text)}” has no place in a schedule and was left out."
            log.add(line.number, Code.UNKNOWN_TAG, message)
    return unique(levels), has_slides_tag


def _level_values(text: str, filters: Filters) -> list[str] | None:
    """Return the levels that a tag names; None where it is no tag of a level."""
    for label in sorted(filters.labels, key=len, reverse=True):
        if text.startswith(f"{label} "):
            value = text.removeprefix(label).lstrip(": ")
            return split_values(value, filters.labels[label]) if is_level_label(label) else None
    match = _LEVEL_TAG.fullmatch(text)
    return split_values(match["value"], filters.levels) if match else None


def tracks_of(
    types: Iterable[Line], filters: Filters, first_types: frozenset[str], log: ProblemLog
) -> tuple[SourceTrack, ...]:
    """Read lines of types: "Type", "Type, Sub-type" or several types.

    Which is which the filter lists tell. Without them a later name is a type of its own where
    some session names it first (``first_types``), else a sub-type of the first.
    """
    tracks: list[SourceTrack] = []
    for line in types:
        found = _tracks_of_line(line.text, filters, first_types)
        for track in found:
            if filters.tracks and track not in filters.tracks:
                message = f"The type “{shortened(track.name)}” is not among the page's filters."
                log.add(line.number, Code.NOT_IN_FILTER, message)
        tracks += found
    return unique(tracks)


def _tracks_of_line(text: str, filters: Filters, first_types: frozenset[str]) -> list[SourceTrack]:
    known = frozenset(filters.tracks)
    names = split_values(text, {track.name for track in known})
    if known and not any(SourceTrack(name) in known for name in names):
        return [SourceTrack(text)]
    tracks = []
    parent = names[0] if names else ""
    for name in names:
        sub_track = SourceTrack(name, parent)
        is_type = name == names[0] or SourceTrack(name) in known or name in first_types
        if sub_track in known or not is_type:
            tracks.append(sub_track)
        else:
            tracks.append(SourceTrack(name))
            parent = name
    return tracks


def first_type(line: Line, filters: Filters) -> str:
    """Return the name with which a line of types begins."""
    names = split_values(line.text, {track.name for track in filters.tracks})
    return names[0] if names else ""

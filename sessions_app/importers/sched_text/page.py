"""From lines to a page: the banner, the segments of the programme, and the footer.

Date lines are the anchors. Time headers stand over every session or over every slot, or are
missing; date lines stand once or twice. What a page does is found out once for the whole of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from sessions_app.importers.problems import ProblemLog
from sessions_app.importers.sched_text.blocks import Block, DatedLine, Segment, cut_segment
from sessions_app.importers.sched_text.dates import (
    Day,
    TimeHeader,
    damaged_date_line,
    date_line,
    day_heading,
    time_header,
)
from sessions_app.importers.sched_text.lines import Line

_FOOTER = re.compile(
    r"(?:• )?(?:filter by (?:date|venue|type)|filter sessions|get help with the event"
    r"|contact event planner.*|share modal|share this link via"
    r"|create an event you'd love to attend!)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page, cut into blocks."""

    banner: list[Line]
    blocks: list[Block]
    footer: list[Line]


def cut_page(lines: list[Line], log: ProblemLog) -> Page:
    """Cut a page into banner, blocks and footer; without any date line all of it is banner."""
    dates = _find_dates(lines)
    if not dates:
        return Page(lines, [], lines)
    end = _footer_start(lines, dates[-1].index + 1)
    headers = _find_headers(lines, dates, end)
    start = _programme_start(lines, dates, headers)
    segments = list(_segments(lines[:end], start, dates, headers))
    is_twice = _prints_dates_twice(segments)
    blocks = [block for segment in segments for block in cut_segment(segment, is_twice, log)]
    return Page(lines[:start], blocks, lines[end:])


def _find_dates(lines: list[Line]) -> list[DatedLine]:
    """Find the date lines; those without a year only where the page has no others.

    Without that, "Monday, May 1, 9:00 - 17:00" in an abstract would be one. The heading of a
    single-event page stands above all others and says the same as one of them.
    """
    found = [
        DatedLine(index, line, value)
        for index, line in enumerate(lines)
        if line.text and (value := date_line(line.text) or damaged_date_line(line.text))
    ]
    whole = [dated for dated in found if dated.value.day.year is not None]
    if not whole:
        return [dated for dated in found if not dated.value.is_damaged]
    heading = found[:1] if found[0].value.day.year is None else []
    return [
        dated
        for dated in found
        if dated.value.day.year is not None
        or dated.value.is_damaged
        or (dated in heading and any(dated.value.agrees_with(item.value) for item in whole))
    ]


def _footer_start(lines: list[Line], after: int) -> int:
    for index in range(after, len(lines)):
        if _FOOTER.fullmatch(lines[index].text):
            return index
    return len(lines)


def _find_headers(lines: list[Line], dates: list[DatedLine], end: int) -> dict[int, TimeHeader]:
    """Find the time headers: times that stand alone between blank lines.

    Where date lines name a zone, headers do too; that tells them from the times in an abstract.
    Without zones only times at which some session starts can be headers.
    """
    found = {}
    for index in range(end):
        header = time_header(lines[index].text) if lines[index].text else None
        if header is not None and _stands_alone(lines, index):
            found[index] = header
    has_zones = any(dated.value.zone for dated in dates) and any(
        header.zone for header in found.values()
    )
    starts = {_plain(dated.value.start) for dated in dates}
    return {
        index: header
        for index, header in found.items()
        if (header.zone if has_zones else _plain(header.start) in starts)
        or _heads_session(lines, index, header)
    }


def _plain(time: str) -> str:
    return time.lower().replace(" ", "")


def _heads_session(lines: list[Line], index: int, header: TimeHeader) -> bool:
    """Whether a title and a date line with this very time follow."""
    following = (line.text for line in lines[index + 1 : index + 6] if line.text)
    date = date_line(next(islice(following, 1, None), ""))
    return date is not None and _plain(date.start) == _plain(header.start)


def _stands_alone(lines: list[Line], index: int) -> bool:
    before = lines[index - 1] if index else None
    after = lines[index + 1] if index + 1 < len(lines) else None
    is_free_above = before is None or before.is_blank or day_heading(before.text) is not None
    return is_free_above and (after is None or after.is_blank)


def _programme_start(
    lines: list[Line], dates: list[DatedLine], headers: dict[int, TimeHeader]
) -> int:
    """Find where the banner ends: at the first day heading or header, else before the title."""
    first_date = dates[0].index
    first_header = min(headers, default=first_date)
    anchor = min(first_date, first_header)
    for index in range(anchor):
        if day_heading(lines[index].text):
            return index
    if first_header < first_date:
        return first_header
    while anchor and not lines[anchor - 1].is_blank:
        anchor -= 1
    return anchor


def _segments(
    lines: list[Line], start: int, dates: list[DatedLine], headers: dict[int, TimeHeader]
) -> Iterator[Segment]:
    bounds = _bounds(lines, start, headers)
    day: Day | None = None
    next_date = 0
    for position, index in enumerate(bounds):
        end = bounds[position + 1] if position + 1 < len(bounds) else len(lines)
        heading = day_heading(lines[index].text)
        day = heading or day
        has_own_line = heading is not None or index in headers
        first = index + 1 if has_own_line else index
        inside = []
        while next_date < len(dates) and dates[next_date].index < end:
            inside.append(dates[next_date])
            next_date += 1
        content = lines[first:end]
        if heading and not any(line.text for line in content):
            continue
        yield Segment(
            header=lines[index] if index in headers else None,
            header_time=headers.get(index),
            day=day,
            lines=content,
            dates=[DatedLine(item.index - first, item.line, item.value) for item in inside],
        )


def _bounds(lines: list[Line], start: int, headers: dict[int, TimeHeader]) -> list[int]:
    result = [start]
    for index in range(start, len(lines)):
        is_bound = index in headers or _is_day_heading(lines, index, headers)
        if is_bound and index != start:
            result.append(index)
    return result


def _is_day_heading(lines: list[Line], index: int, headers: dict[int, TimeHeader]) -> bool:
    """Whether a day stands here as a heading, not as a line of an abstract."""
    if day_heading(lines[index].text) is None or (index and not lines[index - 1].is_blank):
        return False
    following = index + 1
    while following < len(lines) and lines[following].is_blank:
        following += 1
    return not headers or following in headers or following == len(lines)


def _prints_dates_twice(segments: list[Segment]) -> bool:
    """Whether this page prints the date line after the title and again after the people."""
    evidence = Counter(
        _evidence(segment, first, second)
        for segment in segments
        for first, second in zip(segment.dates, segment.dates[1:], strict=False)
    )
    single = sum(len(segment.dates) == 1 for segment in segments)
    certain, possible = evidence[_Evidence.CERTAIN], evidence[_Evidence.POSSIBLE]
    return certain * 2 >= single if certain else possible > 3 * single


class _Evidence(Enum):
    """How sure it is that two date lines belong to one session."""

    NONE = 0
    POSSIBLE = 1
    CERTAIN = 2


def _evidence(segment: Segment, first: DatedLine, second: DatedLine) -> _Evidence:
    if not first.value.agrees_with(second.value):
        return _Evidence.NONE
    between = segment.lines[first.index + 1 : second.index]
    is_single_event = first.value.day.year is None and second.value.day.year is not None
    if is_single_event or not any(line.text for line in between):
        return _Evidence.CERTAIN
    if any(line.is_indented and line.text for line in between[1:3]):
        return _Evidence.NONE
    after = segment.lines[second.index + 1 : second.index + 2]
    if after and after[0].text and after[0].text == between[0].text:
        return _Evidence.CERTAIN
    is_whole_segment = len(segment.dates) == 2 and segment.header is not None
    return _Evidence.POSSIBLE if is_whole_segment else _Evidence.NONE

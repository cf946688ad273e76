"""From lines to a page: the banner, the segments of the programme, and the footer.

Date lines are the anchors. Time headers stand over every session or over every slot, or are
missing; date lines stand once or twice. What a page does is found out once for the whole of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sessions_app.importers.problems import ProblemLog
from sessions_app.importers.sched_text.blocks import Block, DatedLine, Segment, cut_segment
from sessions_app.importers.sched_text.dates import (
    Day,
    TimeHeader,
    date_line,
    day_heading,
    time_header,
)
from sessions_app.importers.sched_text.lines import Line, without_blanks_around

_FOOTER = re.compile(
    r"(?:• )?(?:filter by (?:date|venue|type)|filter sessions|get help with the event"
    r"|contact event planner.*|share modal|share this link via|popular|recently active.*"
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
    found = ((index, line, date_line(line.text)) for index, line in enumerate(lines) if line.text)
    return [DatedLine(index, line, value) for index, line, value in found if value]


def _footer_start(lines: list[Line], after: int) -> int:
    for index in range(after, len(lines)):
        if _FOOTER.fullmatch(lines[index].text):
            return index
    return len(lines)


def _find_headers(lines: list[Line], dates: list[DatedLine], end: int) -> dict[int, TimeHeader]:
    """Find the time headers: alone between blank lines, with a zone if the date lines have one.

    A list of times inside an abstract is no header: it lacks the zone, or a title and a date.
    """
    has_zone = sum(bool(dated.value.zone) for dated in dates) * 2 > len(dates)
    starts = {dated.value.start.lower().replace(" ", "") for dated in dates}
    result = {}
    for index in range(end):
        header = time_header(lines[index].text) if lines[index].text else None
        if header is None or not _stands_alone(lines, index):
            continue
        if bool(header.zone) != has_zone:
            continue
        if header.zone or header.start.lower().replace(" ", "") in starts:
            result[index] = header
    return result


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
    once = twice = 0
    for segment in segments:
        once += len(segment.dates) == 1
        for first, second in zip(segment.dates, segment.dates[1:], strict=False):
            is_same = first.value.agrees_with(second.value)
            twice += is_same and _is_one_session(segment, first, second)
    return twice > 0 and twice * 2 >= once


def _is_one_session(segment: Segment, first: DatedLine, second: DatedLine) -> bool:
    """Whether two equal date lines belong to one session: no tail stands between them."""
    if first.value.day.year is None and second.value.day.year is not None:
        return True
    between = segment.lines[first.index + 1 : second.index]
    if not any(line.text for line in between):
        return True
    if any(line.is_indented and line.text for line in between[1:3]):
        return False
    if len(segment.dates) == 2 and segment.header is not None:
        return bool(without_blanks_around(segment.lines[: first.index]))
    after = segment.lines[second.index + 1 : second.index + 2]
    return bool(after) and bool(after[0].text) and after[0].text == between[0].text

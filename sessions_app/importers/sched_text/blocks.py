"""From lines to blocks: the banner, one block per session, and the page's footer.

Date lines are the anchors. Pages of today print one after the title and one after the people;
those of up to 2023 only the second. Time headers stand over every session or over every slot, or
are missing. What a page does is found out once for the whole of it (``Layout``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sessions_app.importers.problems import Code, ProblemLog, shortened
from sessions_app.importers.sched_text.dates import (
    DateLine,
    Day,
    TimeHeader,
    date_line,
    day_heading,
    time_header,
)
from sessions_app.importers.sched_text.lines import Line, joined, without_blanks_around

_FOOTER = re.compile(
    r"(?:• )?(?:filter by (?:date|venue|type)|filter sessions|get help with the event"
    r"|contact event planner.*|share modal|share this link via|popular|recently active.*"
    r"|create an event you'd love to attend!)",
    re.IGNORECASE,
)
_PAGE_FURNITURE = re.compile(
    r"(?:arrow_back )?(?:back to schedule|view all dates)|loading…|tweet ?(?:share)?"
    r"|feedback (?:form )?is now closed\.?|log in to leave feedback\.?"
    r"|sign up or log in to save this to your schedule.*|limited capacity.*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DatedLine:
    """A date line where it stands."""

    index: int
    line: Line
    value: DateLine


@dataclass(slots=True)
class Block:
    """The lines of one session, sorted by part.

    ``body`` holds abstract, people and files; ``tail`` room, types and tags. ``day`` is the day
    heading above it, if any.
    """

    header: Line | None
    header_time: TimeHeader | None
    day: Day | None
    title: list[Line]
    dates: list[DatedLine]
    body: list[Line] = field(default_factory=list)
    tail: list[Line] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The line by which people find it: its time header, else its title, else its date."""
        first = self.header or (self.title[0] if self.title else self.dates[0].line)
        return first.number


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page, cut into blocks."""

    banner: list[Line]
    blocks: list[Block]
    footer: list[Line]


@dataclass(frozen=True, slots=True)
class _Segment:
    """What stands under one header (or between day headings, where a page has no headers)."""

    header: Line | None
    header_time: TimeHeader | None
    day: Day | None
    lines: list[Line]
    dates: list[DatedLine]


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
    blocks = [block for segment in segments for block in _blocks(segment, is_twice, log)]
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
) -> Iterator[_Segment]:
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
        yield _Segment(
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


def _prints_dates_twice(segments: list[_Segment]) -> bool:
    """Whether this page prints the date line after the title and again after the people."""
    once = twice = 0
    for segment in segments:
        once += len(segment.dates) == 1
        for first, second in zip(segment.dates, segment.dates[1:], strict=False):
            is_same = first.value.agrees_with(second.value)
            twice += is_same and _is_one_session(segment, first, second)
    return twice > 0 and twice * 2 >= once


def _is_one_session(segment: _Segment, first: DatedLine, second: DatedLine) -> bool:
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


def _blocks(segment: _Segment, is_twice: bool, log: ProblemLog) -> Iterator[Block]:
    if not segment.dates:
        _report_no_date(segment, log)
        return
    start = position = 0
    while position < len(segment.dates):
        opening = segment.dates[position]
        closing = _closing(segment, position, is_twice)
        position += 1 if closing is None else 2
        following = segment.dates[position].index if position < len(segment.dates) else None
        block, start = _cut_block(segment, start, opening, closing, following, is_twice)
        yield block
    _report_stray(segment.lines[start:], log)


def _closing(segment: _Segment, position: int, is_twice: bool) -> DatedLine | None:
    """Return the date line that ends the session begun by the one at ``position``."""
    rest = segment.dates[position:]
    if not is_twice or len(rest) < 2:
        return None
    is_same = rest[0].value.agrees_with(rest[1].value)
    is_pair = is_same or (len(rest) == 2 and segment.header is not None)
    return rest[1] if is_pair else None


def _cut_block(
    segment: _Segment,
    start: int,
    opening: DatedLine,
    closing: DatedLine | None,
    following: int | None,
    is_twice: bool,
) -> tuple[Block, int]:
    """Cut one session out of a segment; also return where the next one begins."""
    before = _without_furniture(segment.lines[start : opening.index])
    last = closing or opening
    limit = len(segment.lines) if following is None else following
    end = _tail_end(segment.lines, last.index + 1, limit)
    tail = segment.lines[last.index + 1 : end]
    if closing is not None:
        title, body = before, segment.lines[opening.index + 1 : closing.index]
    elif is_twice and following is None:
        title, end = before, limit
        body, tail = segment.lines[opening.index + 1 :], []
    else:
        title, body = before[:1], before[1:]
    if not title and opening.value.day.year is None:
        body = _without_furniture(body or tail)
        title, body = body[:1], body[1:]
    block = Block(
        header=segment.header,
        header_time=segment.header_time,
        day=segment.day,
        title=[line for line in title if line.text],
        dates=[opening] if closing is None else [opening, closing],
        body=body,
        tail=[line for line in tail if line.text],
    )
    return block, end


def _without_furniture(lines: list[Line]) -> list[Line]:
    return without_blanks_around(
        [line for line in lines if not _PAGE_FURNITURE.fullmatch(line.text)]
    )


def _tail_end(lines: list[Line], start: int, limit: int) -> int:
    """Find the end of room, types and tags: a blank line that no further detail follows."""
    index = start
    while index < limit:
        if lines[index].text:
            index += 1
            continue
        following = index
        while following < limit and lines[following].is_blank:
            following += 1
        if following == limit or not lines[following].is_detail:
            return index
        index = following
    return limit


def _report_no_date(segment: _Segment, log: ProblemLog) -> None:
    found = [line for line in segment.lines if line.text]
    if not found:
        header = segment.header
        if header is not None:
            message = f"Nothing stands under the time {header.text}."
            log.add(header.number, Code.NOTHING_UNDER_TIME, message)
        return
    if segment.header is None:
        _report_stray(found, log)
        return
    message = (
        f"Found no date under “{shortened(found[0].text)}”; expected a line such as "
        "“Wednesday April 8, 2026 08:00 - 15:25 CEST”. This session was not read."
    )
    log.add(segment.header.number, Code.DATE_MISSING, message)


def _report_stray(lines: list[Line], log: ProblemLog) -> None:
    stray = without_blanks_around(lines)
    if stray:
        message = f"“{shortened(joined(stray))}” belongs to no session and was left out."
        log.add(stray[0].number, Code.STRAY_TEXT, message)

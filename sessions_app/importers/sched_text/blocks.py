"""From a segment of a page to the blocks of its sessions: title, body and tail of each.

Pages of today print the date line twice: title, date, room, body, date, room, types and tags.
Pages of up to 2023 print it once: title, body, date, room, types and tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sessions_app.importers.problems import Code, ProblemLog, shortened
from sessions_app.importers.sched_text.dates import DateLine, Day, TimeHeader
from sessions_app.importers.sched_text.lines import Line, joined, without_blanks_around

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


@dataclass(frozen=True, slots=True)
class Segment:
    """What stands under one header (or between day headings, where a page has no headers)."""

    header: Line | None
    header_time: TimeHeader | None
    day: Day | None
    lines: list[Line]
    dates: list[DatedLine]


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of one session, sorted by part.

    ``body`` holds abstract, people and files; it begins with the room where it stands below a
    date line (``is_body_below_date``). ``tail`` holds room, types and tags.
    """

    segment: Segment
    dates: list[DatedLine]
    title: list[Line]
    body: list[Line]
    tail: list[Line]
    is_body_below_date: bool

    @property
    def line(self) -> int:
        """The line by which people find it: its time header, else its title, else its date."""
        first = self.segment.header or (self.title[0] if self.title else self.dates[0].line)
        return first.number


def cut_segment(segment: Segment, is_twice: bool, log: ProblemLog) -> Iterator[Block]:
    """Cut a segment into its sessions; ``is_twice`` tells how its page prints date lines.

    What stands in it and belongs to no session is reported.
    """
    if not segment.dates:
        _report_no_date(segment, log)
        return
    start = position = 0
    while position < len(segment.dates):
        closing = _closing(segment, position, is_twice)
        opening = segment.dates[position]
        position += 1 if closing is None else 2
        is_last = position == len(segment.dates)
        limit = len(segment.lines) if is_last else segment.dates[position].index
        if closing is not None:
            block, start = _cut_between(segment, start, opening, closing, limit)
        elif is_twice and is_last:
            block, start = _cut_broken_off(segment, start, opening, log)
        else:
            block, start = _cut_above(segment, start, opening, limit)
        yield _with_title_below(block)
    _report_stray(segment.lines[start:], log)


def _closing(segment: Segment, position: int, is_twice: bool) -> DatedLine | None:
    """Return the date line that ends the session begun by the one at ``position``."""
    left = len(segment.dates) - position
    if not is_twice or left < 2:
        return None
    first, second = segment.dates[position : position + 2]
    is_same = first.value.agrees_with(second.value)
    is_pair = is_same or (left == 2 and segment.header is not None)
    return second if is_pair else None


def _cut_between(
    segment: Segment, start: int, opening: DatedLine, closing: DatedLine, limit: int
) -> tuple[Block, int]:
    """Cut a session whose body stands between two date lines; also say where the next begins."""
    end = _tail_end(segment.lines, closing.index + 1, limit)
    block = Block(
        segment=segment,
        dates=[opening, closing],
        title=_printed(segment.lines[start : opening.index]),
        body=segment.lines[opening.index + 1 : closing.index],
        tail=_printed(segment.lines[closing.index + 1 : end]),
        is_body_below_date=True,
    )
    return block, end


def _cut_above(segment: Segment, start: int, opening: DatedLine, limit: int) -> tuple[Block, int]:
    """Cut a session whose body stands above its only date line."""
    above = _without_furniture(segment.lines[start : opening.index])
    end = _tail_end(segment.lines, opening.index + 1, limit)
    block = Block(
        segment=segment,
        dates=[opening],
        title=above[:1],
        body=above[1:],
        tail=_printed(segment.lines[opening.index + 1 : end]),
        is_body_below_date=False,
    )
    return block, end


def _cut_broken_off(
    segment: Segment, start: int, opening: DatedLine, log: ProblemLog
) -> tuple[Block, int]:
    """Cut a session that lacks its second date line: where a page was not copied to its end."""
    title = _printed(segment.lines[start : opening.index])
    message = f"“{shortened(joined(title))}” breaks off: no second date line follows."
    log.add(opening.line.number, Code.SECOND_DATE_MISSING, message)
    below = without_blanks_around(segment.lines[opening.index + 1 :])
    end = len(below)
    while end and below[end - 1].is_detail:
        end -= 1
    if end > 1 and below[end - 1].text == below[0].text:
        end -= 1
    block = Block(segment, [opening], title, below[:end], _printed(below[end:]), True)
    return block, len(segment.lines)


def _with_title_below(block: Block) -> Block:
    """Find the title of a single-event page: below its heading, a date without a year."""
    if block.title or block.dates[0].value.day.year is not None:
        return block
    below = _without_furniture(block.body or block.tail)
    tail = block.tail if block.body else below[1:]
    return replace(block, title=below[:1], body=below[1:] if block.body else [], tail=tail)


def _printed(lines: list[Line]) -> list[Line]:
    return [line for line in _without_furniture(lines) if line.text]


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


def _report_no_date(segment: Segment, log: ProblemLog) -> None:
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

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

#: No title is printed over more lines.
_MOST_TITLE_LINES = 3
#: No session has more lines below its last date line.
_MOST_TAIL_LINES = 40
#: No abstract mentions more dates; further ones are not compared.
_MOST_DATES = 20


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
        opening = segment.dates[position]
        last = _closing(segment, position) if is_twice else position
        position = last + 1
        is_last = position == len(segment.dates)
        limit = len(segment.lines) if is_last else segment.dates[position].index
        if segment.dates[last] is not opening:
            block, start = _cut_between(segment, start, opening, segment.dates[last], limit, log)
        elif is_twice and is_last and _is_title(segment.lines[start : opening.index]):
            block, start = _cut_broken_off(segment, start, opening)
        else:
            block, start = _cut_above(segment, start, opening, limit, is_twice)
        if is_twice and len(block.dates) == 1:
            message = f"“{shortened(joined(block.title))}” lacks one of its two date lines."
            log.add(opening.line.number, Code.SECOND_DATE_MISSING, message)
        yield _with_title_below(block)
    _report_stray(segment.lines[start:], log)


def _closing(segment: Segment, position: int) -> int:
    """Return which date line ends the session begun by the one at ``position``; itself if none.

    It is the next one that says the same, then one that may have said so before it was damaged,
    then the only other one below this header.
    """
    opening, following = (
        segment.dates[position],
        segment.dates[position + 1 : position + _MOST_DATES],
    )
    agreeing = [
        index
        for index, dated in enumerate(following, start=position + 1)
        if opening.value.agrees_with(dated.value)
    ]
    whole = [index for index in agreeing if not segment.dates[index].value.is_damaged]
    if whole or agreeing:
        return (whole or agreeing)[0]
    is_only_other = segment.header is not None and len(segment.dates) == 2
    return position + 1 if is_only_other and following else position


def _is_title(lines: list[Line]) -> bool:
    """Whether lines above a date line are a title alone: few, and without a blank between."""
    inner = _without_furniture(lines)
    return len(inner) <= _MOST_TITLE_LINES and all(line.text for line in inner)


def _cut_between(
    segment: Segment,
    start: int,
    opening: DatedLine,
    closing: DatedLine,
    limit: int,
    log: ProblemLog,
) -> tuple[Block, int]:
    """Cut a session whose body stands between two date lines; also say where the next begins."""
    end = _tail_end(segment.lines, closing.index + 1, limit)
    stray, title = _cut_title(segment.lines[start : opening.index])
    _report_stray(stray, log)
    block = Block(
        segment=segment,
        dates=[opening, closing],
        title=title,
        body=segment.lines[opening.index + 1 : closing.index],
        tail=_printed(segment.lines[closing.index + 1 : end]),
        is_body_below_date=True,
    )
    return block, end


def _cut_title(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """Cut off the title that stands right above a date line; also return what is above it."""
    above = _without_furniture(lines)
    start = len(above)
    while start and above[start - 1].text:
        start -= 1
    return above[:start], above[start:]


def _cut_above(
    segment: Segment, start: int, opening: DatedLine, limit: int, is_twice: bool
) -> tuple[Block, int]:
    """Cut a session whose body stands above its only date line.

    On a page that prints them twice, this is one that lost its first date line; then the room
    below that begins the body.
    """
    above = _without_furniture(segment.lines[start : opening.index])
    end = _tail_end(segment.lines, opening.index + 1, limit)
    block = Block(
        segment=segment,
        dates=[opening],
        title=above[:1],
        body=above[1:],
        tail=_printed(segment.lines[opening.index + 1 : end]),
        is_body_below_date=is_twice,
    )
    return block, end


def _cut_broken_off(segment: Segment, start: int, opening: DatedLine) -> tuple[Block, int]:
    """Cut a session that lacks its second date line: where a page was not copied to its end."""
    title = _printed(segment.lines[start : opening.index])
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
    date = block.dates[0].value
    if block.title or date.is_damaged or date.day.year is not None:
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
    limit = min(limit, start + _MOST_TAIL_LINES)
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

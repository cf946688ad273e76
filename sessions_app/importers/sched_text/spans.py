"""From the date lines of a session to its wall times, checked against calendar and clock."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sessions_app.importers.problems import Code, ProblemLog
from sessions_app.importers.sched_text.blocks import Block, DatedLine
from sessions_app.importers.sched_text.dates import DateLine, Day, ImpossibleError, clock_time

#: An end on the clock before the start means the next day, if the session is not longer than that.
_LONGEST_PAST_MIDNIGHT = dt.timedelta(hours=12)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_EXPECTED = "expected a line such as “Wednesday April 8, 2026 08:00 - 15:25 CEST”"


@dataclass(frozen=True, slots=True)
class Span:
    """The naive wall times of a session, the abbreviation printed with them, and their line."""

    starts_at: dt.datetime
    ends_at: dt.datetime
    zone: str
    line: int


def read_span(block: Block, default_year: int | None, log: ProblemLog) -> Span | None:
    """Read when a session takes place; None, with an error in the log, where that is impossible.

    Of two date lines that disagree the first one that can be read counts, one with a year before
    one without.
    """
    dates = sorted(block.dates, key=lambda dated: dated.value.day.year is None)  # damaged ones last
    _report_disagreement(dates, log)
    values: list[DateLine] = []
    spans = []
    for dated in dates:
        if dated.value not in values:
            values.append(dated.value)
            spans.append(_span(dated, block.segment.day, default_year, log))
    span = next((span for span in spans if span is not None), None)
    if span is not None:
        _report_oddities(block, dates[0], span, log)
    return span


def _report_disagreement(dates: list[DatedLine], log: ProblemLog) -> None:
    first, last = dates[0], dates[-1]
    if not first.value.agrees_with(last.value):
        message = (
            f"Found “{last.line.text}”, but line {first.line.number} says “{first.line.text}”."
        )
        log.add(last.line.number, Code.DATES_DISAGREE, message)


def _span(
    dated: DatedLine, heading: Day | None, default_year: int | None, log: ProblemLog
) -> Span | None:
    value, line = dated.value, dated.line
    if value.is_damaged:
        message = f"Found “{line.text}”, which is no date; {_EXPECTED}."
        log.add(line.number, Code.IMPOSSIBLE_TIME, message)
        return None
    year = value.day.year or (heading.year if heading else None) or default_year
    if year is None:
        log.add(line.number, Code.YEAR_MISSING, f"Found “{line.text}” without a year; {_EXPECTED}.")
        return None
    try:
        starts_at = dt.datetime.combine(value.day.date(year), clock_time(value.start))
        end = _end(value, starts_at, year)
    except ImpossibleError as error:
        message = f"Found {error} in “{line.text}”; {_EXPECTED}."
        log.add(line.number, Code.IMPOSSIBLE_TIME, message)
        return None
    if value.day.year is None:
        log.add(line.number, Code.YEAR_ASSUMED, f"“{line.text}” names no year; read in {year}.")
    if end is None:
        log.add(line.number, Code.END_MISSING, f"Found “{line.text}” without an end; {_EXPECTED}.")
        return None
    return _checked(Span(starts_at, end, value.zone, line.number), value, log)


def _end(value: DateLine, starts_at: dt.datetime, year: int) -> dt.datetime | None:
    if not value.end:
        return None
    day = value.end_day.date(year) if value.end_day else starts_at.date()
    return dt.datetime.combine(day, clock_time(value.end))


def _checked(span: Span, value: DateLine, log: ProblemLog) -> Span | None:
    if span.ends_at > span.starts_at:
        return span
    next_day = span.ends_at + dt.timedelta(days=1)
    is_possible = value.end_day is None and span.ends_at < span.starts_at
    if is_possible and next_day - span.starts_at <= _LONGEST_PAST_MIDNIGHT:
        message = f"{value.start} - {value.end} was read as ending on the next day."
        log.add(span.line, Code.PAST_MIDNIGHT, message)
        return Span(span.starts_at, next_day, span.zone, span.line)
    message = (
        f"Found the end {span.ends_at:%Y-%m-%d %H:%M} not after the start "
        f"{span.starts_at:%Y-%m-%d %H:%M}; expected a later end."
    )
    log.add(span.line, Code.END_BEFORE_START, message)
    return None


def _report_oddities(block: Block, dated: DatedLine, span: Span, log: ProblemLog) -> None:
    weekday = dated.value.day.weekday
    if weekday is not None and span.line == dated.line.number:
        actual = span.starts_at.weekday()
        if weekday != actual:
            message = (
                f"{span.starts_at:%Y-%m-%d} is a {_WEEKDAYS[actual]}, "
                f"not a {_WEEKDAYS[weekday]} as printed."
            )
            log.add(span.line, Code.WEEKDAY_DIFFERS, message)
    header = block.segment.header
    if header is not None and block.segment.header_time is not None:
        _report_header(header.number, block.segment.header_time.start, span, log)


def _report_header(line: int, printed: str, span: Span, log: ProblemLog) -> None:
    try:
        agrees = clock_time(printed) == span.starts_at.time()
    except ImpossibleError:
        agrees = False
    if not agrees:
        message = (
            f"The time header says {printed}, the session below starts at "
            f"{span.starts_at:%H:%M}; the session's own date line counts."
        )
        log.add(line, Code.HEADER_DIFFERS, message)

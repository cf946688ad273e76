"""Dates and times as Sched prints them, in their many spellings."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_TIME = r"\d{1,2}(?:[:.]\d{2}(?:\s?[ap]\.?m\b\.?)?|\s?[ap]\.?m\b\.?)"
#: Abbreviations are upper-case, or an offset where the zone has none ("+03", "GMT+3").
_ZONE = r"(?-i:[A-Z]{2,5}|(?:UTC|GMT)?\s?[+-]\d{1,2}(?::?\d{2})?)"


def _day(suffix: str) -> str:
    month_first = rf"(?P<month{suffix}>{_MONTH}) (?P<day{suffix}>\d{{1,2}})(?:st|nd|rd|th)?"
    day_first = rf"(?P<dayf{suffix}>\d{{1,2}})(?:st|nd|rd|th)? (?P<monthl{suffix}>{_MONTH})"
    return (
        rf"(?:(?P<weekday{suffix}>{_WEEKDAY}),? )?(?:{month_first}|{day_first})"
        rf"(?:,? (?P<year{suffix}>\d{{4}}))?"
    )


_DATE_LINE = re.compile(
    rf"{_day('')},?(?: [•·|]| at| from)? (?P<start>{_TIME})"
    rf"(?: ?(?:-|–|—|to) ?(?:{_day('2')},? )?(?P<end>{_TIME}))?(?: (?P<zone>{_ZONE}))?",
    re.IGNORECASE,
)
#: What was a date line before somebody mistyped it: a word, a month or year, two times and a dash.
_DAMAGED = re.compile(
    rf"\S{{3,10}},? (?=.*(?:{_MONTH}\b|\b\d{{4}}\b))(?=.*\d{{1,2}}[:.]\d{{2}})[^:]{{3,25}} "
    rf"\S{{1,7}} ?(?:-|–|—) ?\S{{1,7}}(?: \S{{1,6}})?",
    re.IGNORECASE,
)
_TIME_HEADER = re.compile(rf"(?P<start>{_TIME})(?: (?P<zone>{_ZONE}))?", re.IGNORECASE)
_DAY_HEADING = re.compile(_day(""), re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s?(?:([ap])\.?m\b\.?)?", re.IGNORECASE)

#: No line with a date is longer; longer ones are not even looked at.
_LONGEST = 120


class ImpossibleError(ValueError):
    """A date or time that no calendar or clock shows; its text says what was found."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day as printed; ``year`` is None where none is printed, ``weekday`` counts from Monday."""

    month: int
    day: int
    year: int | None = None
    weekday: int | None = None

    def date(self, default_year: int | None) -> dt.date:
        """Return the date; raises ImpossibleError where the calendar has none or lacks a year."""
        year = self.year or default_year
        if year is None or not 1970 <= year <= 2200:
            raise ImpossibleError(f"the year {year}")
        try:
            return dt.date(year, self.month, self.day)
        except ValueError as error:
            raise ImpossibleError(f"day {self.day} in month {self.month} of {year}") from error


@dataclass(frozen=True, slots=True)
class DateLine:
    """What the date line of a session says, not yet checked against calendar and clock.

    ``start`` and ``end`` are printed times such as "9:35am"; ``end_day`` is set where a session
    lasts over several days; ``zone`` is the printed abbreviation, or empty. One that
    ``is_damaged`` marks a place on the page and says nothing else.
    """

    day: Day
    start: str
    end: str = ""
    end_day: Day | None = None
    zone: str = ""
    is_damaged: bool = False

    def agrees_with(self, other: DateLine) -> bool:
        """Whether both may say the same; the heading of a single-event page leaves out the year."""
        if self.is_damaged or other.is_damaged:
            return True
        mine, theirs = self.day, other.day
        return (
            (mine.month, mine.day, self.start, self.end)
            == (theirs.month, theirs.day, other.start, other.end)
            and (mine.year == theirs.year or None in (mine.year, theirs.year))
            and (self.zone == other.zone or "" in (self.zone, other.zone))
            and self.end_day == other.end_day
        )


@dataclass(frozen=True, slots=True)
class TimeHeader:
    """A line with nothing but a time of day and perhaps a zone."""

    start: str
    zone: str = ""


def date_line(text: str) -> DateLine | None:
    """Read "Wednesday April 8, 2026 08:00 - 15:25 CEST" and its variants; None for others."""
    match = _DATE_LINE.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    found = match.groupdict()
    has_end_day = found["month2"] or found["monthl2"]
    return DateLine(
        day=_day_of(found, ""),
        start=found["start"],
        end=found["end"] or "",
        end_day=_day_of(found, "2") if has_end_day else None,
        zone=found["zone"] or "",
    )


def damaged_date_line(text: str) -> DateLine | None:
    """Recognize what must have been a date line ("Wednesday Aprl 8, 2026 08:00 - 15:25 CEST")."""
    match = _DAMAGED.fullmatch(text) if len(text) <= _LONGEST else None
    return DateLine(Day(0, 0), "", is_damaged=True) if match else None


def time_header(text: str) -> TimeHeader | None:
    """Read "08:00 CEST" or "9:35am CDT"; None for other lines."""
    match = _TIME_HEADER.fullmatch(text) if len(text) <= _LONGEST else None
    return TimeHeader(match["start"], match["zone"] or "") if match else None


def day_heading(text: str) -> Day | None:
    """Read "Wednesday, April 8" (a day with its weekday, no time); None for other lines."""
    match = _DAY_HEADING.fullmatch(text) if len(text) <= _LONGEST else None
    return _day_of(match.groupdict(), "") if match and match["weekday"] else None


def _day_of(found: dict[str, str | None], suffix: str) -> Day:
    month = found[f"month{suffix}"] or found[f"monthl{suffix}"] or ""
    day = found[f"day{suffix}"] or found[f"dayf{suffix}"] or ""
    year, weekday = found[f"year{suffix}"], found[f"weekday{suffix}"]
    return Day(
        month=_MONTHS.index(month[:3].lower()) + 1,
        day=int(day),
        year=int(year) if year else None,
        weekday=_WEEKDAYS.index(weekday[:3].lower()) if weekday else None,
    )


def clock_time(text: str) -> dt.time:
    """Read a printed time of day; raises ImpossibleError for one that no clock shows."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ImpossibleError(f"the time {text}")
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").lower()
    if minute > 59 or hour > 23 or (half and not 1 <= hour <= 12):
        raise ImpossibleError(f"the time {text}")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return dt.time(hour, minute)


# --- ranges of days, as banners and filter lists print them ---------------------------------------

_RANGE_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_RANGE_WORDS = frozenset({"to", "and", "st", "nd", "rd", "th"})


@dataclass(frozen=True, slots=True)
class DayRange:
    """From the first to the last day of something; ``year`` is None where none is printed."""

    first: Day
    last: Day

    def dates(self, year: int | None = None) -> tuple[dt.date, dt.date] | None:
        """Return both dates, in ``year`` if given; None where the calendar has no such days."""
        try:
            first = _in_year(self.first, year).date(None)
            last = _in_year(self.last, year).date(None)
        except ImpossibleError:
            return None
        if last < first and year is not None:
            last = last.replace(year=year + 1) if (last.month, last.day) != (2, 29) else last
        return (first, last) if first <= last else None


def _in_year(day: Day, year: int | None) -> Day:
    return day if year is None else Day(day.month, day.day, year)


def day_range(text: str) -> DayRange | None:
    """Read "7-8 April, 2025", "Apr 7 - 8, 2026", "May 30 - June 2, 2017"; None for others."""
    if len(text) > _LONGEST:
        return None
    days, months, years = [], [], []
    for token in _RANGE_TOKEN.findall(text.lower()):
        if token.isdecimal() and len(token) == 4:
            years.append(int(token))
        elif token.isdecimal() and len(token) <= 2:
            days.append(int(token))
        elif re.fullmatch(_MONTH, token):
            months.append(_MONTHS.index(token[:3]) + 1)
        elif not re.fullmatch(_WEEKDAY, token) and token not in _RANGE_WORDS:
            return None
    if not (1 <= len(days) <= 2 and 1 <= len(months) <= len(days) and 1 <= len(years) <= 2):
        return None
    return DayRange(Day(months[0], days[0], years[0]), Day(months[-1], days[-1], years[-1]))

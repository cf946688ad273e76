"""What can be wrong with a source, and the log that a reader writes it to."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from sessions_app.records import Problem, Severity

#: After so many problems of one code the rest is only counted.
LIMIT_PER_CODE = 100

_ERROR, _WARNING, _REMARK = Severity.ERROR, Severity.WARNING, Severity.REMARK


class Code(Enum):
    """Every problem that an importer reports: its stable identifier and its severity.

    An error means that something of the programme could not be read, a warning that something
    was decided which people should look at, a remark that something is unusual and fine.
    """

    # the file as a whole
    EMPTY = ("empty", _ERROR)
    TOO_LARGE = ("too-large", _ERROR)
    LINE_TOO_LONG = ("line-too-long", _WARNING)
    UNSUPPORTED_ENCODING = ("unsupported-encoding", _ERROR)
    INVALID_UTF8 = ("invalid-utf8", _WARNING)
    CONTROL_CHARACTERS = ("control-characters", _WARNING)
    NOT_A_SCHEDULE = ("not-a-schedule", _ERROR)
    NO_SESSIONS = ("no-sessions", _ERROR)
    FILTERED = ("filtered", _REMARK)
    PROBLEMS_OMITTED = ("problems-omitted", _REMARK)

    # the conference
    NAME_MISSING = ("name-missing", _WARNING)
    YEAR_DIFFERS = ("year-differs", _WARNING)
    OUTSIDE_DATES = ("outside-dates", _REMARK)

    # the time zone
    TIMEZONE_AMBIGUOUS = ("timezone-ambiguous", _ERROR)
    TIMEZONE_UNKNOWN = ("timezone-unknown", _ERROR)
    TIMEZONE_ASSUMED = ("timezone-assumed", _WARNING)
    TIMEZONE_NOT_OF_PLACE = ("timezone-not-of-place", _WARNING)
    ABBREVIATION_DIFFERS = ("abbreviation-differs", _WARNING)

    # times
    IMPOSSIBLE_TIME = ("impossible-time", _ERROR)
    END_BEFORE_START = ("end-before-start", _ERROR)
    END_MISSING = ("end-missing", _ERROR)
    TIME_SKIPPED = ("time-skipped", _ERROR)
    TIME_DOUBLED = ("time-doubled", _WARNING)
    YEAR_MISSING = ("year-missing", _ERROR)
    YEAR_ASSUMED = ("year-assumed", _REMARK)
    WEEKDAY_DIFFERS = ("weekday-differs", _WARNING)
    DATES_DISAGREE = ("dates-disagree", _WARNING)
    HEADER_DIFFERS = ("header-differs", _WARNING)
    PAST_MIDNIGHT = ("past-midnight", _REMARK)

    # sessions
    DATE_MISSING = ("date-missing", _ERROR)
    SECOND_DATE_MISSING = ("second-date-missing", _WARNING)
    TITLE_MISSING = ("title-missing", _ERROR)
    NOTHING_UNDER_TIME = ("nothing-under-time", _REMARK)
    STRAY_TEXT = ("stray-text", _WARNING)
    ROOMS_DISAGREE = ("rooms-disagree", _WARNING)
    ROOM_MISSING = ("room-missing", _REMARK)
    ROOM_SHARED = ("room-shared", _REMARK)
    DUPLICATE_SESSION = ("duplicate-session", _REMARK)
    NOT_IN_FILTER = ("not-in-filter", _REMARK)
    UNKNOWN_TAG = ("unknown-tag", _REMARK)
    TAG_WITHOUT_SLIDES = ("tag-without-slides", _REMARK)

    # people
    PEOPLE_UNREAD = ("people-unread", _WARNING)
    OTHER_ROLE = ("other-role", _REMARK)
    SUFFIX_KEPT = ("suffix-kept", _REMARK)
    NAME_DIFFERS = ("name-differs", _REMARK)
    PERSON_DIFFERS = ("person-differs", _REMARK)

    def __init__(self, code: str, severity: Severity) -> None:
        """Give each member its ``code`` and ``severity``."""
        self.code = code
        self.severity = severity


class ProblemLog:
    """Collects the problems of one reading, bounded whatever the input."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._problems: list[Problem] = []
        self._counts: Counter[Code] = Counter()

    def add(self, line: int, code: Code, message: str) -> None:
        """Remember a problem; ``line`` counts from 1 (0: the file as a whole)."""
        self._counts[code] += 1
        if self._counts[code] <= LIMIT_PER_CODE:
            self._problems.append(Problem(line, code.code, code.severity, message))

    def problems(self) -> tuple[Problem, ...]:
        """Return what was collected, by line."""
        return tuple(sorted([*self._problems, *self._omissions()], key=lambda item: item.line))

    def _omissions(self) -> list[Problem]:
        omitted = Code.PROBLEMS_OMITTED
        return [
            Problem(
                0,
                omitted.code,
                omitted.severity,
                f"{count - LIMIT_PER_CODE} more problems “{code.code}” are not listed.",
            )
            for code, count in self._counts.items()
            if count > LIMIT_PER_CODE
        ]


def shortened(text: str, length: int = 80) -> str:
    """Return the text as a message may quote it: at most ``length`` characters."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"

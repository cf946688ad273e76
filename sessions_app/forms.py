"""The query string of a schedule address: from text to Criteria and back, in one canonical form."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote_plus, unquote_plus

from sessions_app.criteria import FACETS, NOT_STATED, WITH_SLIDES, Criteria
from sessions_app.schedule import Schedule

#: Bounds against hostile addresses; no honest one comes near.
MOST_VALUES = 200
LONGEST_TEXT = 200
LONGEST_QUERY = 20_000
MOST_FIELDS = 500
REMEMBERED = 2_000
LONGEST_REMEMBERED = 2_000

VIEWS = ("list", "compact", "grid")
#: Parameters of a page besides the facets and ``q``.
EXTRA = ("view", "tz", "lang")
PARAMETERS = frozenset({*FACETS, *EXTRA, "q"})
ALL_DAYS = "all"


class UnknownValueError(ValueError):
    """An address asks for a value that the schedule does not have (in a feed: 404)."""

    def __init__(self, parameter: str, value: str) -> None:
        super().__init__(f"{parameter}={value}")
        self.parameter = parameter
        self.value = value


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query string understood.

    ``canonical`` is the query string as links write it. ``unknown`` lists (parameter, value) pairs
    that were ignored: values the schedule does not have, and with an empty value parameters nobody
    knows. ``is_all_days`` stands for ``day=all``.
    """

    criteria: Criteria
    canonical: str
    unknown: tuple[tuple[str, str], ...] = ()
    view: str = ""
    tz: str = ""
    lang: str = ""
    is_all_days: bool = False


def parse_query(raw: str, schedule: Schedule) -> ParsedQuery:
    """Understand a query string for a schedule; never raises, whatever it holds.

    ``raw`` is ``request.META["QUERY_STRING"]``: ``request.GET`` would refuse a hostile one first.
    The answer is remembered with the schedule, for a bounded number of different texts.
    """
    remembered: dict[str, ParsedQuery] = schedule.memo.setdefault("parsed queries", {})
    parsed = remembered.get(raw)
    if parsed is None:
        parsed = _parse(raw, schedule)
        if len(raw) > LONGEST_REMEMBERED:
            return parsed
        if len(remembered) >= REMEMBERED:
            remembered.clear()
        remembered[raw] = parsed
    return parsed


def parse_feed_query(raw: str, schedule: Schedule) -> ParsedQuery:
    """Understand the query string of a feed.

    Raises UnknownValueError for a value of a facet that the conference does not have: a subscriber
    who asked for one room must not get the whole conference because that room was renamed.
    """
    parsed = parse_query(raw, schedule)
    for parameter, value in parsed.unknown:
        if parameter in FACETS:
            raise UnknownValueError(parameter, value)
    return parsed


def _exists(facet: str, value: str, schedule: Schedule) -> bool:
    match facet:
        case "room":
            return schedule.room(value) is not None
        case "track":
            return schedule.track(value) is not None
        case "level":
            return value == NOT_STATED or schedule.level(value) is not None
        case "slides":
            return value == WITH_SLIDES
    return _is_day(value, schedule)


def _is_day(value: str, schedule: Schedule) -> bool:
    """Return whether this is a day of the conference, or one that something was withdrawn from."""
    try:
        day = dt.date.fromisoformat(value)
    except ValueError:
        return False
    if day.isoformat() != value:  # Python reads other forms too
        return False
    first, last = schedule.conference.starts_on, schedule.conference.ends_on
    is_inside = first is not None and last is not None and first <= day <= last
    return is_inside or day in (first, last) or any(s.day == day for s in schedule.withdrawn)


def query_string(
    criteria: Criteria,
    *,
    view: str = "",
    tz: str = "",
    lang: str = "",
    all_days: bool = False,
) -> str:
    """Return the canonical query string, without a question mark; "" where nothing is asked."""
    pairs = ["day=all"] if all_days and not criteria.days else []
    pairs += [pair(name, value) for name, value in criteria.active()]
    pairs += extra_pairs(view, tz, lang)
    return "&".join(pairs)


def extra_pairs(view: str, tz: str, lang: str) -> list[str]:
    """Return what stands behind the filters in a query string."""
    if not (view or tz or lang):
        return []
    extra = zip(EXTRA, (view, tz, lang), strict=True)
    return [pair(name, value) for name, value in extra if value]


def pair(name: str, value: str) -> str:
    """Return one ``name=value`` of a query string."""
    # Slugs and dates need no quoting, and quoting them took longer than all else in an address.
    return f"{name}={value if _is_plain(value) else quote_plus(value)}"


def _is_plain(value: str) -> bool:
    return value.isascii() and value.replace("-", "").isalnum()


def _parse(raw: str, schedule: Schedule) -> ParsedQuery:
    given = _fields(raw)
    unknown: list[tuple[str, str]] = []
    values: dict[str, tuple[str, ...]] = dict.fromkeys(FACETS, ())
    for facet in FACETS:
        if facet in given:
            asked = _cleaned(given[facet])
            if facet == "day":
                asked = [value for value in asked if value != ALL_DAYS]
            values[facet] = _known(facet, asked, schedule, unknown)
    criteria = Criteria(
        days=tuple(dt.date.fromisoformat(day) for day in values["day"]),
        rooms=values["room"],
        tracks=values["track"],
        levels=values["level"],
        slides=WITH_SLIDES in values["slides"],
        q=_text(given),
    )
    view = _one_of(given, "view", VIEWS, unknown)
    tz, lang = _short(_last(given, "tz")), _short(_last(given, "lang"))
    unknown += [(_short(name), "") for name in list(given)[:MOST_VALUES] if name not in PARAMETERS]
    all_days = ALL_DAYS in given.get("day", ())[:MOST_VALUES] and not criteria.days
    return ParsedQuery(
        criteria,
        query_string(criteria, view=view, tz=tz, lang=lang, all_days=all_days),
        tuple(unknown),
        view,
        tz,
        lang,
        all_days,
    )


def _fields(raw: str) -> dict[str, list[str]]:
    """Return the values of each field of a query string, in order, as ``parse_qsl`` reads them."""
    fields: dict[str, list[str]] = {}
    for field in raw[:LONGEST_QUERY].split("&")[:MOST_FIELDS]:
        if field:
            name, _, value = field.partition("=")
            fields.setdefault(_unquoted(name), []).append(_unquoted(value))
    return fields


def _unquoted(text: str) -> str:
    # Most values are slugs; asking first takes a tenth of the time.
    return unquote_plus(text) if "%" in text or "+" in text else text


def _last(given: dict[str, list[str]], name: str) -> str:
    return given[name][-1] if name in given else ""


def _cleaned(values: Sequence[str]) -> list[str]:
    return [_short(value) for value in values[:MOST_VALUES] if value.strip()]


def _short(value: str) -> str:
    """Return a bounded text without control characters and halves of surrogate pairs."""
    if len(value) <= LONGEST_TEXT and (not value or _is_plain(value)):
        return value
    kept = value[:LONGEST_TEXT].encode("utf-8", "ignore").decode()
    return " ".join("".join(char if char.isprintable() else " " for char in kept).split())


def _text(given: dict[str, list[str]]) -> str:
    return _short(" ".join(given["q"][:3])) if "q" in given else ""


def _known(
    facet: str, asked: Sequence[str], schedule: Schedule, unknown: list[tuple[str, str]]
) -> tuple[str, ...]:
    """Return the values that the schedule has, in its order, and note the others.

    A room, track, level or day that merely has no session any more is known, though it is offered
    no longer: the page shows nothing for it, and a calendar still takes back what was withdrawn.
    """
    offered = schedule.offered(facet)
    wanted = set(asked)
    found = tuple(value for value in offered if value in wanted)
    if len(found) < len(wanted):
        others = [value for value in dict.fromkeys(asked) if value not in found]
        empty = [value for value in others if _exists(facet, value, schedule)]
        unknown += [(facet, value) for value in others if value not in empty]
        return (*found, *sorted(empty))
    return found


def _one_of(
    given: dict[str, list[str]], name: str, choices: tuple[str, ...], unknown: list[tuple[str, str]]
) -> str:
    value = _short(_last(given, name))
    if not value or value in choices:
        return "" if value == choices[0] else value
    unknown.append((name, value))
    return ""

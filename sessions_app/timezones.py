"""Time zones by name, country and abbreviation; wall times read strictly.

The one module that imports pytz, for what pytz does and zoneinfo does not: reading wall times
strictly, the lists of common and of national zones, and forgiving look-up of a name. Every datetime
that leaves this module carries a ``zoneinfo.ZoneInfo``.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytz


class WallTimeError(ValueError):
    """A wall time that does not name exactly one moment."""


class SkippedTimeError(WallTimeError):
    """A wall time that never happens: the clocks jump over it."""


class DoubledTimeError(WallTimeError):
    """A wall time that happens twice: the clocks are put back over it."""


def find_zone(name: str) -> str | None:
    """Return the IANA name meant by ``name``, whatever its case; None where there is none."""
    try:
        zone = pytz.timezone(name.strip())
        ZoneInfo(str(zone.zone))
    except (pytz.UnknownTimeZoneError, ZoneInfoNotFoundError, ValueError):
        return None
    return str(zone.zone)


def localize(wall: dt.datetime, zone_name: str, *, abbreviation: str = "") -> dt.datetime:
    """Return the moment at which clocks in ``zone_name`` show ``wall`` (a naive datetime).

    Of a time that happens twice, ``abbreviation`` ("CET", "CEST") tells which one is meant.
    Raises SkippedTimeError and DoubledTimeError where it names no moment, or two.
    """
    try:
        moment = pytz.timezone(zone_name).localize(wall, is_dst=None)
    except pytz.NonExistentTimeError as error:
        raise SkippedTimeError(str(wall)) from error
    except pytz.AmbiguousTimeError as error:
        return _by_abbreviation(wall, zone_name, abbreviation, error)
    return _with_zoneinfo(wall, zone_name, moment.utcoffset())


def _by_abbreviation(
    wall: dt.datetime, zone_name: str, abbreviation: str, error: Exception
) -> dt.datetime:
    zone = ZoneInfo(zone_name)
    matching = [
        moment
        for moment in (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
        if moment.tzname() == abbreviation
    ]
    if len(matching) != 1:
        raise DoubledTimeError(str(wall)) from error
    return matching[0]


def _with_zoneinfo(wall: dt.datetime, zone_name: str, offset: dt.timedelta | None) -> dt.datetime:
    moment = wall.replace(tzinfo=ZoneInfo(zone_name))
    return moment if moment.utcoffset() == offset else moment.replace(fold=1)


def first_of_doubled(wall: dt.datetime, zone_name: str) -> dt.datetime:
    """Return the earlier of the two moments at which the clocks show ``wall``."""
    return wall.replace(tzinfo=ZoneInfo(zone_name), fold=0)


def common_zones() -> tuple[str, ...]:
    """Return the names of the zones in common use, for lists that people choose from."""
    return tuple(pytz.common_timezones)


def country_zones(country_code: str) -> tuple[str, ...]:
    """Return the zones of a country ("FR"), its most important first; empty if unknown."""
    return tuple(pytz.country_timezones.get(country_code, ()))


@lru_cache(maxsize=1)
def country_codes() -> dict[str, str]:
    """Return ISO codes by the country's English name, lower-case and without accents."""
    return {_fold(name): code for code, name in pytz.country_names.items()}


@lru_cache(maxsize=1)
def zones_by_city() -> dict[str, str]:
    """Return zones by the city they are named for: "new york" → "America/New_York"."""
    return {
        _fold(name.rpartition("/")[2].replace("_", " ")): name
        for name in pytz.common_timezones
        if "/" in name
    }


def zones_showing(abbreviation: str, walls: Iterable[dt.datetime]) -> tuple[str, ...]:
    """Return the common zones in which each of these wall times bears the abbreviation."""
    walls = tuple(walls)
    return tuple(name for name in pytz.common_timezones if shows(name, abbreviation, walls))


def shows(zone_name: str, abbreviation: str, walls: Iterable[dt.datetime]) -> bool:
    """Whether in this zone each wall time may be printed with this abbreviation ("CEST")."""
    zone = ZoneInfo(zone_name)
    return all(
        any(wall.replace(tzinfo=zone, fold=fold).tzname() == abbreviation for fold in (0, 1))
        for wall in walls
    )


def has_offset(zone_name: str, offset: dt.timedelta, walls: Iterable[dt.datetime]) -> bool:
    """Whether the zone has this offset from UTC at each of the wall times."""
    zone = ZoneInfo(zone_name)
    return all(wall.replace(tzinfo=zone).utcoffset() == offset for wall in walls)


@lru_cache(maxsize=1024)
def rules_of(zone_name: str, year: int) -> tuple[dt.timedelta | None, ...]:
    """Return the zone's offsets, day by day of one year: equal for zones with equal rules."""
    zone = ZoneInfo(zone_name)
    noon = dt.datetime(year, 1, 1, 12, tzinfo=zone)
    return tuple((noon + dt.timedelta(days=day)).utcoffset() for day in range(365))


def _fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()

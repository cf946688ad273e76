"""Which time zone a page means: its place and the abbreviation it prints decide together.

A zone is taken without a word where only one set of clock rules fits. Where none or several fit,
the problem says what was found, and names the candidates.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sessions_app import timezones
from sessions_app.importers.problems import Code, ProblemLog
from sessions_app.importers.sched_text.places import zones_of_place

#: What an abbreviation means to everybody unless the place says otherwise. Those that mean several
#: things (IST, MST, CST, EST, PST, …) are left out on purpose.
_CONVENTIONAL = {
    "ADT": "America/Halifax",
    "AKDT": "America/Anchorage",
    "BST": "Europe/London",
    "CDT": "America/Chicago",
    "CEST": "Europe/Berlin",
    "CET": "Europe/Berlin",
    "EDT": "America/New_York",
    "MDT": "America/Denver",
    "PDT": "America/Los_Angeles",
    "UTC": "UTC",
}
#: Of zones with equal rules these are the ones that people know.
_WELL_KNOWN = frozenset(
    {
        "Africa/Johannesburg", "Africa/Lagos", "America/Chicago", "America/Denver",
        "America/Halifax", "America/Los_Angeles", "America/New_York", "America/Panama",
        "America/Phoenix", "America/Sao_Paulo", "Asia/Jerusalem", "Asia/Kolkata",
        "Asia/Shanghai", "Asia/Tokyo", "Australia/Adelaide", "Australia/Brisbane",
        "Australia/Sydney", "Europe/Berlin", "Europe/Dublin", "Europe/Helsinki",
        "Europe/London", "Europe/Moscow", "Pacific/Auckland",
    }
)  # fmt: skip
_MOST_CANDIDATES = 8


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a page says about its zone.

    ``abbreviation`` stands on its date lines, else in its banner; ``walls`` are wall times that
    bear it, ``line`` is where the first one stands. ``utc_offset`` in minutes is what the banner
    claims; it narrows a choice but never overrules anything.
    """

    place: str
    abbreviation: str
    walls: Sequence[dt.datetime]
    line: int
    utc_offset: int | None = None

    @property
    def year(self) -> int:
        """The year whose clock rules count."""
        return self.walls[0].year if self.walls else 2000


def resolve_zone(evidence: Evidence, log: ProblemLog) -> str | None:
    """Return the IANA name of the zone, or None with an error in the log."""
    place_sets = zones_of_place(evidence.place)
    if not evidence.abbreviation:
        return _by_place_alone(evidence, place_sets, log)
    for zones in place_sets:
        fitting = [zone for zone in zones if _fits(zone, evidence)]
        if fitting:
            return _decide(fitting, evidence, log)
    zone = _by_abbreviation_alone(evidence, log)
    if zone and place_sets:
        message = (
            f"No zone of {evidence.place} is called {evidence.abbreviation} on these days; "
            f"read in {zone}. If that is wrong, give the zone with --timezone."
        )
        log.add(evidence.line, Code.TIMEZONE_NOT_OF_PLACE, message)
    return zone


def _fits(zone: str, evidence: Evidence) -> bool:
    offset = _printed_offset(evidence.abbreviation)
    if offset is not None:
        return timezones.has_offset(zone, offset, evidence.walls)
    return timezones.shows(zone, evidence.abbreviation, evidence.walls)


def _printed_offset(abbreviation: str) -> dt.timedelta | None:
    """Read an offset that stands in place of an abbreviation: "+03", "GMT+5:30"."""
    digits = abbreviation.removeprefix("UTC").removeprefix("GMT").strip()
    if not digits or digits[0] not in "+-":
        return None
    hours, _, minutes = digits[1:].partition(":")
    if not minutes and len(hours) > 2:
        hours, minutes = hours[:-2], hours[-2:]
    offset = dt.timedelta(hours=int(hours), minutes=int(minutes or 0))
    return -offset if digits[0] == "-" else offset


def _by_place_alone(
    evidence: Evidence, place_sets: tuple[tuple[str, ...], ...], log: ProblemLog
) -> str | None:
    if place_sets:
        return _decide(list(place_sets[0]), evidence, log)
    message = (
        "The page names neither a time zone nor a place that is known; expected “CEST” after "
        "its times or a place such as “Paris, France”. Give the zone with --timezone."
    )
    log.add(evidence.line, Code.TIMEZONE_UNKNOWN, message)
    return None


def _by_abbreviation_alone(evidence: Evidence, log: ProblemLog) -> str | None:
    fitting = [zone for zone in timezones.common_zones() if _fits(zone, evidence)]
    conventional = _CONVENTIONAL.get(evidence.abbreviation)
    if conventional in fitting and conventional is not None:
        if conventional != "UTC":
            message = (
                f"{evidence.abbreviation} alone does not say which zone is meant; "
                f"read in {conventional}. Another one can be given with --timezone."
            )
            log.add(evidence.line, Code.TIMEZONE_ASSUMED, message)
        return conventional
    if fitting:
        return _decide(_with_other_season(fitting, evidence), evidence, log)
    message = (
        f"No time zone is called {evidence.abbreviation} on these days; expected an abbreviation "
        "such as CEST. Give the zone with --timezone."
    )
    log.add(evidence.line, Code.TIMEZONE_UNKNOWN, message)
    return None


def _with_other_season(fitting: list[str], evidence: Evidence) -> list[str]:
    """Add the zones that use the abbreviation half a year later.

    Where nothing else tells, these are in doubt too: in summer MST is the time of Arizona, but
    people write it for that of Colorado.
    """
    walls = [wall + dt.timedelta(days=182) for wall in evidence.walls]
    other = replace(evidence, walls=walls)
    return [
        *fitting,
        *(z for z in timezones.common_zones() if z not in fitting and _fits(z, other)),
    ]


def _decide(zones: list[str], evidence: Evidence, log: ProblemLog) -> str | None:
    """Return the first of zones with equal rules; else report the doubt."""
    narrowed = _narrowed_by_offset(zones, evidence)
    zones = sorted(narrowed, key=lambda zone: zone not in _WELL_KNOWN)
    by_rules: dict[tuple[dt.timedelta | None, ...], str] = {}
    for zone in zones:
        by_rules.setdefault(timezones.rules_of(zone, evidence.year), zone)
    if len(by_rules) == 1:
        return zones[0]
    candidates = list(by_rules.values())
    shown = ", ".join(candidates[:_MOST_CANDIDATES])
    more = " and others" if len(candidates) > _MOST_CANDIDATES else ""
    found = evidence.abbreviation or evidence.place
    message = (
        f"{found} leaves the time zone in doubt: {shown}{more}. Give the right one with --timezone."
    )
    log.add(evidence.line, Code.TIMEZONE_AMBIGUOUS, message)
    return None


def _narrowed_by_offset(zones: list[str], evidence: Evidence) -> list[str]:
    if evidence.utc_offset is None:
        return zones
    offset = dt.timedelta(minutes=evidence.utc_offset)
    return [zone for zone in zones if timezones.has_offset(zone, offset, evidence.walls)] or zones

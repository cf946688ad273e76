"""From a printed place to the time zones that it may be in."""

from __future__ import annotations

from sessions_app import timezones
from sessions_app.importers.sched_text.names import fold

#: What people write for countries that the zone database calls otherwise.
_COUNTRIES = {
    "america": "US", "czechia": "CZ", "england": "GB", "great britain": "GB",
    "hong kong sar": "HK", "korea": "KR", "northern ireland": "GB", "republic of korea": "KR",
    "russian federation": "RU", "scotland": "GB", "south korea": "KR", "the netherlands": "NL",
    "the philippines": "PH", "turkiye": "TR", "u.k.": "GB", "u.s.": "US", "u.s.a.": "US",
    "uae": "AE", "uk": "GB", "united kingdom": "GB", "united states of america": "US",
    "us": "US", "usa": "US", "viet nam": "VN", "wales": "GB",
}  # fmt: skip

_EASTERN, _CENTRAL = "America/New_York", "America/Chicago"
_MOUNTAIN, _PACIFIC = "America/Denver", "America/Los_Angeles"

#: The zone in which most people of a state or province live.
_STATES = {
    "AL": _CENTRAL, "AK": "America/Anchorage", "AZ": "America/Phoenix", "AR": _CENTRAL,
    "CA": _PACIFIC, "CO": _MOUNTAIN, "CT": _EASTERN, "DE": _EASTERN, "DC": _EASTERN,
    "FL": _EASTERN, "GA": _EASTERN, "HI": "Pacific/Honolulu", "ID": "America/Boise",
    "IL": _CENTRAL, "IN": "America/Indiana/Indianapolis", "IA": _CENTRAL, "KS": _CENTRAL,
    "KY": _EASTERN, "LA": _CENTRAL, "ME": _EASTERN, "MD": _EASTERN, "MA": _EASTERN,
    "MI": "America/Detroit", "MN": _CENTRAL, "MS": _CENTRAL, "MO": _CENTRAL, "MT": _MOUNTAIN,
    "NE": _CENTRAL, "NV": _PACIFIC, "NH": _EASTERN, "NJ": _EASTERN, "NM": _MOUNTAIN,
    "NY": _EASTERN, "NC": _EASTERN, "ND": _CENTRAL, "OH": _EASTERN, "OK": _CENTRAL,
    "OR": _PACIFIC, "PA": _EASTERN, "RI": _EASTERN, "SC": _EASTERN, "SD": _CENTRAL,
    "TN": _CENTRAL, "TX": _CENTRAL, "UT": _MOUNTAIN, "VT": _EASTERN, "VA": _EASTERN,
    "WA": _PACIFIC, "WV": _EASTERN, "WI": _CENTRAL, "WY": _MOUNTAIN,
    "AB": "America/Edmonton", "BC": "America/Vancouver", "MB": "America/Winnipeg",
    "NB": "America/Moncton", "NL": "America/St_Johns", "NS": "America/Halifax",
    "ON": "America/Toronto", "PE": "America/Halifax", "QC": "America/Toronto",
    "SK": "America/Regina",
}  # fmt: skip
_STATE_CODES = {
    "alabama": "AL", "alaska": "AK", "alberta": "AB", "arizona": "AZ", "arkansas": "AR",
    "british columbia": "BC", "california": "CA", "colorado": "CO", "connecticut": "CT",
    "delaware": "DE", "district of columbia": "DC", "florida": "FL", "georgia": "GA",
    "hawaii": "HI", "idaho": "ID", "illinois": "IL", "indiana": "IN", "iowa": "IA",
    "kansas": "KS", "kentucky": "KY", "louisiana": "LA", "maine": "ME", "manitoba": "MB",
    "maryland": "MD", "massachusetts": "MA", "michigan": "MI", "minnesota": "MN",
    "mississippi": "MS", "missouri": "MO", "montana": "MT", "nebraska": "NE", "nevada": "NV",
    "new brunswick": "NB", "new hampshire": "NH", "new jersey": "NJ", "new mexico": "NM",
    "new york": "NY", "newfoundland and labrador": "NL", "north carolina": "NC",
    "north dakota": "ND", "nova scotia": "NS", "ohio": "OH", "oklahoma": "OK", "ontario": "ON",
    "oregon": "OR", "pennsylvania": "PA", "prince edward island": "PE", "quebec": "QC",
    "rhode island": "RI", "saskatchewan": "SK", "south carolina": "SC", "south dakota": "SD",
    "tennessee": "TN", "texas": "TX", "utah": "UT", "vermont": "VT", "virginia": "VA",
    "washington": "WA", "west virginia": "WV", "wisconsin": "WI", "wyoming": "WY",
}  # fmt: skip


def zones_of_place(place: str) -> tuple[tuple[str, ...], ...]:
    """Return sets of zones for a printed place ("Paris, France"), the likeliest set first.

    First the zone named for its city, then that of its state or province, then those of its
    country; an empty tuple for a place that says nothing.
    """
    parts = [part.strip() for part in place.split(",") if part.strip()]
    if not parts:
        return ()
    country = _country_zones(parts[-1])
    city = timezones.zones_by_city().get(_city(parts[0]))
    is_known = len(parts) == 1 or city in country or not country
    states = tuple((_STATES[code],) for code in map(_state_code, parts[1:]) if code)
    candidates = [(city,) if city and is_known and not states else (), *states, country]
    return tuple(zones for zones in candidates if zones)


def _city(part: str) -> str:
    return fold(part).removesuffix(" city")


def _country_zones(part: str) -> tuple[str, ...]:
    name = fold(part)
    code = _COUNTRIES.get(name) or timezones.country_codes().get(name, "")
    return timezones.country_zones(code)


def _state_code(part: str) -> str:
    """Return the code of a state or province: "TX", "Texas", "TX 78701"."""
    word = part.split()[0] if part.split() else ""
    if word in _STATES:
        return word
    return _STATE_CODES.get(fold(part), "")

"""Time zones: strict wall times, forgiving names, and pytz in one module alone."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sessions_app import timezones

ROOT = Path(__file__).parents[2]


def wall(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Europe/Paris", "Europe/Paris"),
        ("europe/paris", "Europe/Paris"),
        (" Europe/Paris ", "Europe/Paris"),
        ("utc", "UTC"),
        ("", None),
        ("Paris", None),
        ("Mars/Olympus", None),
        ("../../etc/passwd", None),
        ("Europe/París", None),
    ],
)
def test_find_zone_forgives_case_only(name, expected):
    assert timezones.find_zone(name) == expected


def test_localize_gives_zoneinfo_and_the_offset_of_the_day():
    moment = timezones.localize(wall("2026-04-08 09:00"), "Europe/Paris")
    assert moment == dt.datetime(2026, 4, 8, 9, 0, tzinfo=ZoneInfo("Europe/Paris"))
    assert isinstance(moment.tzinfo, ZoneInfo)
    assert moment.isoformat() == "2026-04-08T09:00:00+02:00"


def test_localize_refuses_skipped_and_doubled_times():
    with pytest.raises(timezones.SkippedTimeError):
        timezones.localize(wall("2026-03-29 02:30"), "Europe/Paris")
    with pytest.raises(timezones.DoubledTimeError):
        timezones.localize(wall("2026-10-25 02:30"), "Europe/Paris")


@pytest.mark.parametrize(("abbreviation", "offset"), [("CEST", "+02:00"), ("CET", "+01:00")])
def test_an_abbreviation_tells_doubled_times_apart(abbreviation, offset):
    doubled = wall("2026-10-25 02:30")
    moment = timezones.localize(doubled, "Europe/Paris", abbreviation=abbreviation)
    assert moment.isoformat()[-6:] == offset


def test_countries_and_cities():
    assert timezones.country_zones("FR") == ("Europe/Paris",)
    assert timezones.country_zones("ZZ") == ()
    assert timezones.country_codes()["france"] == "FR"
    assert timezones.zones_by_city()["sao paulo"] == "America/Sao_Paulo"


def test_equal_rules_are_equal():
    assert timezones.rules_of("Europe/Paris", 2026) == timezones.rules_of("Europe/Berlin", 2026)
    assert timezones.rules_of("Europe/Paris", 2026) != timezones.rules_of("Europe/London", 2026)


def test_no_other_module_imports_pytz():
    importing = {
        path.relative_to(ROOT).as_posix()
        for package in ("confsched", "sessions_app", "speakers")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"^\s*(?:import|from) pytz", path.read_text(encoding="utf-8"), re.M)
    }
    assert importing == {"sessions_app/timezones.py"}

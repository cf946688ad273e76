"""The conference itself, from the banner, the filter lists and the days of the sessions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sessions_app.importers.problems import Code, ProblemLog
from sessions_app.importers.sched_text.banner import Banner
from sessions_app.importers.sched_text.filters import Filters
from sessions_app.records import SourceConference


def read_conference(
    banner: Banner,
    filters: Filters,
    place: str,
    zone: str,
    session_days: Sequence[dt.date],
    log: ProblemLog,
) -> SourceConference:
    """Put together what a page says about the conference; ``zone`` is already decided."""
    if not banner.name:
        message = "The page does not say what the conference is called."
        log.add(0, Code.NAME_MISSING, message)
    starts_on, ends_on = _days(banner, filters, session_days, log)
    return SourceConference(
        name=banner.name,
        place=place,
        starts_on=starts_on,
        ends_on=ends_on,
        timezone=zone,
        notice=banner.notice,
        registration_note=banner.registration_note,
        website=banner.website,
        registration_url=banner.registration_url,
        contact=banner.contact,
    )


def _days(
    banner: Banner, filters: Filters, session_days: Sequence[dt.date], log: ProblemLog
) -> tuple[dt.date | None, dt.date | None]:
    """Find the first and the last day.

    Printed days count where sessions lie within them; the year of the sessions beats that of a
    banner, which organizers copy from the year before.
    """
    days = sorted(set(session_days))
    if not days:
        return None, None
    year = days[0].year
    printed = [item for item in (filters.days, banner.days) if item is not None]
    ranges = [*(item.dates() for item in printed), *(item.dates(year) for item in printed)]
    fitting = [item for item in ranges if item and any(item[0] <= day <= item[1] for day in days)]
    first, last = fitting[0] if fitting else (days[0], days[-1])
    if banner.days is not None and banner.days.first.year != first.year:
        message = (
            f"The banner says {banner.days.first.year}, the sessions are in {first.year}; "
            "the sessions count."
        )
        log.add(banner.days_line, Code.YEAR_DIFFERS, message)
    outside = [day for day in days if not first <= day <= last]
    if outside:
        message = (
            f"Sessions on {outside[0]:%Y-%m-%d} lie outside the conference's days "
            f"{first:%Y-%m-%d} to {last:%Y-%m-%d}."
        )
        log.add(0, Code.OUTSIDE_DATES, message)
    return first, last

"""Reading a whole page: cut into blocks, blocks read as sessions, sessions placed in their zone."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sessions_app import timezones
from sessions_app.importers.problems import Code, ProblemLog, shortened
from sessions_app.importers.sched_text.banner import Banner, find_name, read_banner
from sessions_app.importers.sched_text.conference import read_conference
from sessions_app.importers.sched_text.consistency import check_sessions, merge_people
from sessions_app.importers.sched_text.details import first_type
from sessions_app.importers.sched_text.filters import (
    Filters,
    read_filters,
    take_out_filters,
    unique,
)
from sessions_app.importers.sched_text.lines import Line, read_lines
from sessions_app.importers.sched_text.page import Page, cut_page
from sessions_app.importers.sched_text.people import uses_role_headings
from sessions_app.importers.sched_text.sessions import Draft, Known, read_session, rooms_of
from sessions_app.importers.sched_text.zone import Evidence, resolve_zone
from sessions_app.records import Source, SourceSession


def read_sched_text(data: bytes, *, timezone: str | None = None) -> Source:
    """Read the text of a Sched page.

    ``timezone`` is the IANA name in which to read its times; without it, the printed place and
    abbreviation decide. Whatever the bytes, a Source comes back: what could not be read is
    missing from it and stands in its ``problems``. Raises ValueError only for a ``timezone`` that
    does not exist. The layouts that are understood: docs/data-formats.md.
    """
    zone = timezones.find_zone(timezone) if timezone else None
    if timezone and zone is None:
        raise ValueError(f"“{timezone}” is no IANA time zone; expected a name like Europe/Paris.")
    log = ProblemLog()
    lines, is_filtered = take_out_filters(read_lines(data, log))
    page = cut_page(lines, log)
    if not page.blocks:
        _report_no_schedule(lines, log)
        return Source(problems=log.problems(), is_filtered=is_filtered)
    if is_filtered:
        message = "The page shows a selection; what is missing from it may still take place."
        log.add(0, Code.FILTERED, message)
    return _read_page(page, zone, is_filtered, log)


def _report_no_schedule(lines: list[Line], log: ProblemLog) -> None:
    first = next((line for line in lines if line.text), None)
    if first is None:
        return
    filters = read_filters(lines)
    if filters.rooms or filters.tracks:
        log.add(first.number, Code.NO_SESSIONS, "Found a schedule page without any session.")
        return
    message = (
        f"Found {len(lines):,} lines that begin with “{shortened(first.text)}”; expected the text "
        "of a schedule page, with lines such as “Wednesday April 8, 2026 08:00 - 15:25 CEST”."
    )
    if first.text.startswith("<"):
        message += " Copy the text of the page, not its source."
    log.add(first.number, Code.NOT_A_SCHEDULE, message)


def _read_page(page: Page, zone: str | None, is_filtered: bool, log: ProblemLog) -> Source:
    filters, banner = read_filters(page.footer), read_banner(page.banner)
    drafts = _read_drafts(page, filters, banner, log)
    name = banner.name or find_name(_registration_lines(drafts))
    place = banner.place or (filters.places[0] if len(filters.places) == 1 else "")
    if zone is None and drafts:
        zone = resolve_zone(_evidence(drafts, place, banner), log)
    sessions = _placed(drafts, zone, log) if zone else ()
    check_sessions(sessions, log)
    days = [draft.span.starts_at.date() for draft in drafts]
    banner = replace(banner, name=name)
    conference = read_conference(banner, filters, place, zone or "", days, log)
    speakers = merge_people(drafts, log)
    return Source(
        conference=conference,
        rooms=unique([*filters.rooms, *(d.details.room for d in drafts if d.details.room)]),
        tracks=unique([*filters.tracks, *(track for d in drafts for track in d.tracks)]),
        levels=unique([*filters.levels, *(level for d in drafts for level in d.details.levels)]),
        speakers=speakers,
        sessions=sessions,
        problems=log.problems(),
        is_filtered=is_filtered,
    )


def _registration_lines(drafts: Sequence[Draft]) -> list[str]:
    return [
        line
        for draft in drafts
        if "must be registered for" in draft.abstract
        for line in draft.abstract.split("\n")
    ]


def _read_drafts(page: Page, filters: Filters, banner: Banner, log: ProblemLog) -> list[Draft]:
    known = Known(
        filters=filters,
        rooms=rooms_of(page.blocks, filters),
        first_types=frozenset(
            first_type(line, filters)
            for block in page.blocks
            for line in block.tail
            if line.is_detail and not line.is_bullet
        ),
        has_role_headings=any(uses_role_headings(block.body) for block in page.blocks),
        year=_default_year(page, filters, banner),
    )
    drafts = (read_session(block, known, log) for block in page.blocks)
    return [draft for draft in drafts if draft is not None]


def _default_year(page: Page, filters: Filters, banner: Banner) -> int | None:
    """Find the year for dates without one: that of most others, else of filters or banner."""
    years = Counter(
        dated.value.day.year
        for block in page.blocks
        for dated in block.dates
        if dated.value.day.year is not None
    )
    if years:
        return years.most_common(1)[0][0]
    days = filters.days or banner.days
    return days.first.year if days else None


def _evidence(drafts: Sequence[Draft], place: str, banner: Banner) -> Evidence:
    abbreviations = Counter(draft.span.zone for draft in drafts if draft.span.zone)
    abbreviation = abbreviations.most_common(1)[0][0] if abbreviations else ""
    bearing = [draft for draft in drafts if draft.span.zone == abbreviation]
    by_day = {draft.span.starts_at.date(): draft.span.starts_at for draft in bearing}
    return Evidence(
        place=place,
        abbreviation=abbreviation or banner.zone,
        walls=tuple(by_day.values()),
        line=bearing[0].span.line,
        utc_offset=banner.utc_offset,
    )


def _placed(drafts: Sequence[Draft], zone: str, log: ProblemLog) -> tuple[SourceSession, ...]:
    sessions: list[SourceSession] = []
    mismatched: dict[str, int] = {}
    for draft in drafts:
        span = draft.span
        starts_at = _localized(span.starts_at, zone, draft, log)
        ends_at = _localized(span.ends_at, zone, draft, log)
        if span.zone[:1].isalpha() and not timezones.shows(zone, span.zone, [span.starts_at]):
            mismatched.setdefault(span.zone, span.line)
        if starts_at is None or ends_at is None:
            continue
        if ends_at.astimezone(dt.UTC) <= starts_at.astimezone(dt.UTC):
            message = f"In {zone} the session ends before it starts: the clocks change between."
            log.add(span.line, Code.END_BEFORE_START, message)
            continue
        sessions.append(_session(len(sessions) + 1, draft, starts_at, ends_at))
    for abbreviation, line in mismatched.items():
        message = f"Times are printed in {abbreviation}, but were read in {zone}."
        log.add(line, Code.ABBREVIATION_DIFFERS, message)
    return tuple(sessions)


def _localized(wall: dt.datetime, zone: str, draft: Draft, log: ProblemLog) -> dt.datetime | None:
    try:
        return timezones.localize(wall, zone, abbreviation=draft.span.zone)
    except timezones.SkippedTimeError:
        message = (
            f"{wall:%Y-%m-%d %H:%M} does not exist in {zone}: the clocks are put forward over it. "
            "This session was not read."
        )
        log.add(draft.span.line, Code.TIME_SKIPPED, message)
        return None
    except timezones.DoubledTimeError:
        message = (
            f"{wall:%Y-%m-%d %H:%M} happens twice in {zone}: the clocks are put back over it. "
            "Read as the first one; expected an abbreviation that tells."
        )
        log.add(draft.span.line, Code.TIME_DOUBLED, message)
        return timezones.first_of_doubled(wall, zone)


def _session(
    order: int, draft: Draft, starts_at: dt.datetime, ends_at: dt.datetime
) -> SourceSession:
    return SourceSession(
        order=order,
        line=draft.line,
        title=draft.title.text,
        source_title=draft.printed_title,
        kind=draft.kind,
        starts_at=starts_at,
        ends_at=ends_at,
        is_sponsored=draft.title.is_sponsored,
        room=draft.details.room,
        tracks=draft.tracks,
        levels=draft.details.levels,
        speakers=tuple(speaker.name for speaker in draft.people.speakers),
        moderators=draft.people.moderators,
        slides=draft.slides,
        has_slides_tag=draft.details.has_slides_tag,
        abstract=draft.abstract,
    )

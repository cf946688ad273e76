"""One block of a page becomes one session, as far as that goes without knowing the zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sessions_app.importers.problems import Code, ProblemLog, shortened
from sessions_app.importers.sched_text.blocks import Block
from sessions_app.importers.sched_text.details import Details, read_details, tracks_of
from sessions_app.importers.sched_text.filters import Filters
from sessions_app.importers.sched_text.lines import Line, joined
from sessions_app.importers.sched_text.people import (
    People,
    read_people,
    report_unread,
    split_people,
)
from sessions_app.importers.sched_text.slides import split_slides
from sessions_app.importers.sched_text.spans import Span, read_span
from sessions_app.importers.sched_text.text import paragraphs
from sessions_app.importers.sched_text.titles import Title, read_title
from sessions_app.records import SourceSlides, SourceTrack

_DEVELOPERS_TRACK = "Meet the Developers"


@dataclass(frozen=True, slots=True)
class Draft:
    """A session whose wall times are not yet placed in a zone."""

    line: int
    printed_title: str
    title: Title
    span: Span
    details: Details
    tracks: tuple[SourceTrack, ...]
    people: People
    slides: tuple[SourceSlides, ...]
    abstract: str

    @property
    def kind(self) -> str:
        """The kind: by the title's prefix, else by the track, else by who speaks."""
        if self.title.kind:
            return self.title.kind
        if any(track.name == _DEVELOPERS_TRACK for track in self.tracks):
            return "meet_the_developers"
        return "talk" if self.people.speakers else "service"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the whole page before its sessions are read one by one."""

    filters: Filters
    rooms: frozenset[str]
    first_types: frozenset[str]
    has_role_headings: bool
    year: int | None


def read_session(block: Block, known: Known, log: ProblemLog) -> Draft | None:
    """Read one block; None, with an error in the log, where it makes no session."""
    span = read_span(block, known.year, log)
    printed_title = joined(block.title)
    if not printed_title:
        message = "Found no title above the date; expected it below the time. Session not read."
        log.add(block.line, Code.TITLE_MISSING, message)
    if span is None or not printed_title:
        return None
    details, body = read_details(block, known.rooms, known.filters, log)
    abstract, people, slides = _read_body(body, known, log)
    if details.has_slides_tag and not slides:
        message = f"“{shortened(printed_title)}” has the tag for slides, but no file is listed."
        log.add(block.line, Code.TAG_WITHOUT_SLIDES, message)
    return Draft(
        line=block.line,
        printed_title=printed_title,
        title=_read_title(block, printed_title, people, log),
        span=span,
        details=details,
        tracks=tracks_of(details.types, known.filters, known.first_types, log),
        people=people,
        slides=slides,
        abstract=abstract,
    )


def _read_body(
    body: list[Line], known: Known, log: ProblemLog
) -> tuple[str, People, tuple[SourceSlides, ...]]:
    body, slides = split_slides(body)
    abstract, people = split_people(body, needs_heading=known.has_role_headings)
    report_unread(abstract, log)
    return paragraphs(abstract), read_people(people, log), slides


def _read_title(block: Block, printed: str, people: People, log: ProblemLog) -> Title:
    title = read_title(printed, people.speakers, people.moderators)
    line = block.title[0].number
    for in_title, in_list in title.respelt:
        message = f"The title says “{in_title}”, the list of people “{in_list}”; the list counts."
        log.add(line, Code.NAME_DIFFERS, message)
    if title.is_suffix_kept:
        message = (
            f"The end of “{shortened(printed)}” names a listed person, but not certainly all of "
            "them; the title was left as printed."
        )
        log.add(line, Code.SUFFIX_KEPT, message)
    return title


def rooms_of(blocks: Sequence[Block], filters: Filters) -> frozenset[str]:
    """Return the rooms that a page knows: from its filters, and below its last date lines."""
    below = (line for block in blocks for line in block.tail[:1])
    types = {track.name for track in filters.tracks}
    printed = {line.text for line in below if not line.is_detail and line.text not in types}
    return frozenset(printed.union(filters.rooms))

"""Records: what a source file says (``Source…``), and what a Schedule holds (``Public…``).

A leaf without Django and without I/O. Everything is frozen, so it can be shared between threads.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from enum import StrEnum

# --- what a source says ---------------------------------------------------------------------------


class Severity(StrEnum):
    """How bad a problem is: a remark needs nobody, a warning a look, an error a correction."""

    REMARK = "remark"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd in a source: ``line`` counts from 1 (0: the file as a whole).

    ``code`` is a stable identifier such as ``end-before-start``; ``message`` is a sentence for
    people with what was found and what was expected.
    """

    line: int
    code: str
    severity: Severity
    message: str


@dataclass(frozen=True, slots=True)
class SourceConference:
    """What a source says about the conference; empty text and None where it says nothing."""

    name: str = ""
    place: str = ""
    starts_on: dt.date | None = None
    ends_on: dt.date | None = None
    timezone: str = ""
    notice: str = ""
    registration_note: str = ""
    website: str = ""
    registration_url: str = ""
    contact: str = ""


@dataclass(frozen=True, slots=True, order=True)
class SourceTrack:
    """A track by name, and its parent's name (None for a track of the first level)."""

    name: str
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class SourceSpeaker:
    """A person as the source prints them; paragraphs of the bio are separate lines."""

    name: str
    headline: str = ""
    company: str = ""
    bio: str = ""
    bio_is_truncated: bool = False
    has_avatar: bool = False


@dataclass(frozen=True, slots=True)
class SourceSlides:
    """One deck: its name and file type as printed, its address where the source has one."""

    name: str
    file_type: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class SourceSession:
    """One session of a source. Datetimes are aware, in the conference's zone.

    ``order`` counts from 1 in the order of the source, ``line`` is the line of its time header.
    ``speakers`` are names in printed order, moderators among them. ``key`` is the source's own
    stable identifier, empty where it has none.
    """

    order: int
    line: int
    title: str
    source_title: str
    kind: str
    starts_at: dt.datetime
    ends_at: dt.datetime
    is_sponsored: bool = False
    room: str = ""
    tracks: tuple[SourceTrack, ...] = ()
    levels: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    moderators: tuple[str, ...] = ()
    slides: tuple[SourceSlides, ...] = ()
    has_slides_tag: bool = False
    abstract: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Everything read from one file, in the order of the file, and the problems met.

    ``is_filtered`` tells that the file shows a selection (a filter other than the date was
    active), so that what is missing from it says nothing about the programme.
    """

    conference: SourceConference = field(default_factory=SourceConference)
    rooms: tuple[str, ...] = ()
    tracks: tuple[SourceTrack, ...] = ()
    levels: tuple[str, ...] = ()
    speakers: tuple[SourceSpeaker, ...] = ()
    sessions: tuple[SourceSession, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_filtered: bool = False

    @property
    def has_errors(self) -> bool:
        """Whether any problem is an error."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)


# --- what a Schedule holds ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PublicConference:
    """The conference as the public sees it; ``timezone`` is an IANA name."""

    id: int
    slug: str
    name: str
    place: str
    timezone: str
    starts_on: dt.date | None
    ends_on: dt.date | None
    website: str
    registration_url: str
    contact: str
    notice: str
    registration_note: str


@dataclass(frozen=True, slots=True)
class PublicRoom:
    """A room with what helps to find it."""

    id: int
    slug: str
    name: str
    position: int
    address: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class PublicTrack:
    """A track; ``label`` begins with the parent's name, ``colour`` is a hue number 1–13."""

    id: int
    slug: str
    name: str
    position: int
    colour: int
    label: str
    parent_slug: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class PublicLevel:
    """An audience level."""

    id: int
    slug: str
    name: str
    position: int


@dataclass(frozen=True, slots=True)
class PublicSpeaker:
    """A speaker; ``photo_url`` is a path on this site or empty."""

    id: int
    slug: str
    name: str
    headline: str = ""
    company: str = ""
    bio: str = ""
    bio_is_truncated: bool = False
    photo_url: str = ""
    website: str = ""


@dataclass(frozen=True, slots=True)
class PublicSlides:
    """One deck. ``number`` (from 1) is its place in the session; ``url`` an outside address.

    A deck with ``is_upload`` is served by this site; one with neither is known by name only.
    """

    number: int
    name: str
    file_type: str
    url: str = ""
    is_upload: bool = False


@dataclass(frozen=True, slots=True)
class PublicSession:
    """A session as the public sees it. Datetimes are aware and in UTC.

    ``kind`` is a code such as ``lightning_talk``; ``status`` published, cancelled or withdrawn;
    ``day`` the conference-local day, cut at 04:00; ``moderators`` are also among ``speakers``.
    ``changed_at`` is the publish that last changed anything visible, ``sequence`` counts those
    that moved start, end, room or status. ``replacement_slug`` is what replaces a cancelled one.
    """

    id: int
    uid: str
    number: int
    slug: str
    title: str
    kind: str
    is_sponsored: bool
    status: str
    starts_at: dt.datetime
    ends_at: dt.datetime
    day: dt.date
    room: PublicRoom | None
    tracks: tuple[PublicTrack, ...]
    levels: tuple[PublicLevel, ...]
    speakers: tuple[PublicSpeaker, ...]
    moderators: tuple[PublicSpeaker, ...]
    slides: tuple[PublicSlides, ...]
    abstract: str
    sequence: int
    changed_at: dt.datetime
    position: int = 0
    replacement_slug: str = ""
    source_title: str = ""

    @property
    def is_cancelled(self) -> bool:
        """Whether it stays on the pages struck through."""
        return self.status == "cancelled"

    @property
    def has_slides(self) -> bool:
        """Whether there is at least one deck (a source's "slides attached" tag does not count)."""
        return bool(self.slides)


@dataclass(frozen=True, slots=True)
class PublicChange:
    """One entry of the change log; ``old`` and ``new`` are JSON values (see ``models.Change``)."""

    id: int
    session_id: int
    field: str
    old: object
    new: object
    at: dt.datetime
    revision: int

"""What an import would write, row by row: the source compared with the database."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from confsched.models import Conference
from sessions_app.days import conference_day
from sessions_app.loader import said as say
from sessions_app.loader import state as stand
from sessions_app.loader.match import Face, match
from sessions_app.loader.merge import Merge, created, merge
from sessions_app.loader.plan import Action, RowPlan
from sessions_app.models import Session, Status
from sessions_app.records import SourceSession
from sessions_app.timezones import find_zone


@dataclass(frozen=True, slots=True)
class Draft:
    """One row to be: ``row`` is None for a new one, ``key`` what the source calls it.

    ``action`` is None where there is nothing to tell, although ``source_values`` may be written.
    """

    kind: str
    key: Any
    name: str
    row: Any
    merge: Merge
    action: Action | None
    record: SourceSession | None = None

    @property
    def is_written(self) -> bool:
        """Whether the row has to be written."""
        return (
            self.row is None
            or bool(self.merge.values)
            or dict(self.merge.source_values) != self.row.source_values
            or bool(self.record and self.record.key and not self.row.source_key)
        )

    def row_plan(self, people: Mapping[str, str]) -> Iterator[RowPlan]:
        """Yield what to tell of it, with people by name instead of key."""
        if self.action is not None:
            changes = tuple(_readable(each, people) for each in self.merge.changes)
            kept = tuple(_readable(each, people) for each in self.merge.kept)
            yield RowPlan(self.kind, self.name, self.action, changes, kept)


def _readable(item: Any, people: Mapping[str, str]) -> Any:
    if item.field not in ("speakers", "moderators"):
        return item
    lists = {
        name: [people.get(key, key) for key in getattr(item, name)]
        for name in item.__slots__
        if name != "field"
    }
    return replace(item, **lists)


def _draft(
    kind: str,
    key: Any,
    row: Any,
    said: Mapping[str, Any],
    current: Mapping[str, Any] | None,
    *,
    unsaid: set[str] | frozenset[str] = frozenset(),
    record: SourceSession | None = None,
) -> Draft:
    name = said.get("title") or said.get("name") or ""
    if row is None or current is None:
        return Draft(kind, key, name, None, created(said), Action.ADD, record)
    merged = merge(current, row.source_values, said, unsaid=unsaid)
    return Draft(kind, key, str(row), row, merged, _action(merged, row.source_values), record)


def _action(merged: Merge, stored: Mapping[str, Any]) -> Action | None:
    if merged.values.get("status") == Status.PUBLISHED and stored.get("status") == Status.CANCELLED:
        return Action.RESTORE
    if merged.changes:
        return Action.CHANGE
    return Action.KEEP if merged.kept else None


@dataclass
class Drafts:
    """Everything that loading *said* into *conference* (None: a new one) would write."""

    said: say.Said
    is_filtered: bool
    conference: Conference | None
    state: stand.State = field(init=False)
    conference_draft: Draft = field(init=False)
    rooms: list[Draft] = field(init=False)
    tracks: list[Draft] = field(init=False)
    levels: list[Draft] = field(init=False)
    speakers: list[Draft] = field(init=False)
    sessions: list[Draft] = field(init=False)

    def __post_init__(self) -> None:
        self.state = stand.read_state(self.conference)
        self.conference_draft = self._conference()
        self.rooms = self._parts("room", self.said.rooms, self.state.rooms)
        self.levels = self._parts("level", self.said.levels, self.state.levels)
        self.tracks = self._tracks()
        self.speakers = [self._speaker(each) for each in self.said.speakers]
        self.sessions = list(self._sessions())

    def __iter__(self) -> Iterator[Draft]:
        yield self.conference_draft
        for drafts in (self.rooms, self.tracks, self.levels, self.speakers, self.sessions):
            yield from drafts

    def people(self) -> dict[str, str]:
        """Return person key → name, for people to read."""
        return {key: row.name for key, row in self.state.speakers.items()} | {
            draft.key: draft.name for draft in self.speakers
        }

    # --- everything but sessions ---

    def _conference(self) -> Draft:
        row = self.conference
        said = say.conference_said(self.said.conference)
        unsaid = {name for name, value in said.items() if not value}
        current = stand.columns(row, stand.CONFERENCE) if row else None
        return _draft("conference", "", row, said, current, unsaid=unsaid)

    def _parts(self, kind: str, names: tuple[str, ...], rows: Mapping[str, Any]) -> list[Draft]:
        return [
            self._part(kind, name, rows.get(name), {"name": name, "position": position})
            for position, name in enumerate(names)
        ]

    def _unsaid(self) -> frozenset[str]:
        """Return what a selection of the programme says nothing about: places in an order."""
        return frozenset({"position"}) if self.is_filtered else frozenset()

    def _tracks(self) -> list[Draft]:
        drafts = []
        for position, track in enumerate(self.said.tracks):
            key = (track.name, track.parent or "")
            said = {"name": track.name, "position": position}
            drafts.append(self._part("track", key, self.state.tracks.get(key), said))
        return drafts

    def _part(self, kind: str, key: Any, row: Any, said: Mapping[str, Any]) -> Draft:
        current = stand.columns(row, stand.PART) if row else None
        return _draft(kind, key, row, said, current, unsaid=self._unsaid())

    def _speaker(self, record: Any) -> Draft:
        key = say.person_key(record.name)
        row = self.state.speakers.get(key)
        current = stand.columns(row, stand.SPEAKER) if row else None
        said, unsaid = say.speaker_said(record), say.speaker_unsaid(record)
        return _draft("speaker", key, row, said, current, unsaid=unsaid)

    # --- sessions ---

    def _zone(self) -> Any:
        stated = find_zone(self.said.conference.timezone)
        conference = self.conference or Conference(timezone=stated or "UTC")
        return conference.zone

    def _sessions(self) -> Iterator[Draft]:
        rows = self.state.sessions
        zone = self._zone()
        faces = [_said_face(record, zone) for record in self.said.sessions]
        now = [stand.session_current(row, self.state.parts[row.pk]) for row in rows]
        known = [stand.known_face(row, values, zone) for row, values in zip(rows, now, strict=True)]
        seen = {face.day for face in faces}
        pairs = match(faces, known, frozenset() if self.is_filtered else seen)
        for index, record in enumerate(self.said.sessions):
            position, old = self.said.positions[index], pairs.get(index)
            said = say.session_said(record, position, Status.PUBLISHED.value)
            row, current = (None, None) if old is None else (rows[old], now[old])
            unsaid = self._unsaid()
            yield _draft("session", record.key, row, said, current, unsaid=unsaid, record=record)
        for index in sorted(set(range(len(rows))) - set(pairs.values())):
            if known[index].day in seen:
                yield from self._gone(rows[index])

    def _gone(self, row: Session) -> Iterator[Draft]:
        """Cancel what an import once brought and nobody changed since; report it if filtered."""
        stored = row.source_values
        if not stored or row.status != Status.PUBLISHED or stored["status"] != row.status:
            return
        if self.is_filtered:
            yield Draft("session", "", row.title, row, Merge({}, stored), Action.MISSING)
            return
        merged = merge({"status": row.status}, stored, {"status": Status.CANCELLED.value})
        yield Draft("session", "", row.title, row, merged, Action.CANCEL)


def _said_face(record: SourceSession, zone: Any) -> Face:
    starts_at = record.starts_at.astimezone(dt.UTC)
    title = say.one_line(record.title)
    return Face(
        key=record.key,
        title=title,
        printed=say.one_line(record.source_title) or title,
        starts_at=starts_at,
        day=conference_day(starts_at, zone),
        room=record.room,
        people=frozenset(map(say.person_key, (*record.speakers, *record.moderators))),
    )

"""Planning an import, and carrying it out in one transaction that ends in publish."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Model

from confsched.models import RESERVED_SLUGS, Conference, SlugRedirect
from sessions_app.loader.check import check
from sessions_app.loader.draft import Draft, Drafts
from sessions_app.loader.links import write_links
from sessions_app.loader.plan import Plan
from sessions_app.loader.said import LINKS, gather, moment
from sessions_app.models import Level, Room, Session, Track
from sessions_app.publish import publish_soon, publishing
from sessions_app.records import Problem, Severity, Source
from sessions_app.slugs import ascii_slug, free_slug
from speakers.models import Speaker

#: UIDs of imported conferences descend from it, so that they are the same wherever it is imported.
NAMESPACE = uuid.UUID("6f1a3c0e-5d0b-4f0e-9a3c-2b7c5e8d9f41")
#: Track colours in the order in which they are given out: a few tracks stay far apart.
COLOURS = (10, 2, 7, 13, 5, 11, 3, 8, 1, 6, 12, 4, 9)
BATCH = 200


class LoadError(Exception):
    """Something in the source forbids to load it; nothing was written."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.message for problem in self.problems))


def find_conference(source: Source) -> Conference | None:
    """Return the conference of the name that the source prints, or that the last import printed."""
    name = " ".join(source.conference.name.split())
    if not name:
        return None
    for conference in Conference.objects.order_by("-starts_on", "-pk"):
        if name in (conference.source_values.get("name"), conference.name):
            return conference
    return None


def plan(source: Source, conference: Conference | None) -> Plan:
    """Return what loading *source* into *conference* (None: a new one) would do; writes nothing.

    A source with errors gives a plan without rows that ``has_errors``.
    """
    if source.has_errors:
        return Plan(source, conference, (), (), is_idle=True)
    return _plan(source, Drafts(gather(source), source.is_filtered, conference))


def _plan(source: Source, drafts: Drafts) -> Plan:
    people = drafts.people()
    return Plan(
        source=source,
        conference=drafts.conference,
        rows=tuple(row for draft in drafts for row in draft.row_plan(people)),
        problems=tuple(check(drafts)),
        is_idle=not any(draft.is_written for draft in drafts),
    )


def apply(plan: Plan, *, by: str, at: dt.datetime | None = None) -> Conference:
    """Carry out *plan* and publish; all of it or nothing, also when killed half-way.

    The plan is made anew under the lock, so that what was edited since counts. *by* names who did
    it, *at* is the moment of the publish (now). Raises LoadError if the source has errors.
    """
    _refuse(plan)
    source = plan.source
    with publishing(by=by, at=at):
        conference = plan.conference
        if conference is not None:
            conference = Conference.objects.select_for_update().get(pk=conference.pk)
        drafts = Drafts(gather(source), source.is_filtered, conference)
        _refuse(_plan(source, drafts))
        conference = _Writer(drafts).write()
        publish_soon(conference.pk)
    conference.refresh_from_db()
    return conference


def _refuse(plan: Plan) -> None:
    if plan.has_errors:
        problems = (*plan.source.problems, *plan.problems)
        raise LoadError(each for each in problems if each.severity is Severity.ERROR)


def _new_conference_slug(name: str) -> str:
    taken = {
        *RESERVED_SLUGS,
        *Conference.objects.values_list("slug", flat=True),
        *SlugRedirect.objects.filter(page="conference").values_list("slug", flat=True),
    }
    return free_slug(ascii_slug(name, fallback="conference", length=70), taken)


class _Writer:
    """Writes drafts in the order in which rows need each other."""

    def __init__(self, drafts: Drafts) -> None:
        self.drafts = drafts
        self.state = drafts.state
        self.conference = drafts.conference or Conference()

    def write(self) -> Conference:
        """Write every draft that differs; return the conference."""
        self._write_conference()
        rooms = self._named(self.drafts.rooms, Room)
        levels = self._named(self.drafts.levels, Level)
        self._store(Room, self.drafts.rooms, self.state.rooms, rooms)
        self._store(Level, self.drafts.levels, self.state.levels, levels)
        self._write_tracks()
        self._store(Speaker, self.drafts.speakers, self.state.speakers, {})
        self._write_sessions()
        return self.conference

    def _write_conference(self) -> None:
        draft = self.drafts.conference_draft
        if not draft.is_written:
            return
        row = self.conference
        is_new = row.pk is None
        _put(row, draft)
        if is_new:
            row.slug = _new_conference_slug(row.name)
            row.uid_namespace = uuid.uuid5(NAMESPACE, row.slug)
        row.save()

    # --- rooms, levels, tracks, speakers ---

    def _slug(self, page: str, text: str) -> str:
        taken = self.state.slugs.setdefault(page, set())
        if page == "level":
            taken |= Level.slug_reserved
        slug = free_slug(ascii_slug(text, fallback=page), taken)
        taken.add(slug)
        return slug

    def _named(self, drafts: Iterable[Draft], model: type[Model]) -> dict[Any, str]:
        """Return the names for new rows: a renamed row may have taken the source's."""
        taken = self.state.names.setdefault(model, set())
        return {draft.key: _free_name(draft.name, taken) for draft in drafts if draft.row is None}

    def _store(
        self, model: Any, drafts: Iterable[Draft], rows: dict[Any, Any], names: dict[Any, str]
    ) -> None:
        """Write parts of one kind; *rows* then has the new ones too."""
        new, changed = [], []
        for draft in drafts:
            if not draft.is_written:
                continue
            row = draft.row or model(conference=self.conference)
            _put(row, draft)
            if draft.row is not None:
                changed.append(row)
                continue
            row.name = names.get(draft.key, row.name)
            row.slug = self._slug(draft.kind, row.slug_text())
            rows[draft.key] = row
            new.append(row)
        model.objects.bulk_create(new, batch_size=BATCH)
        _update(model, changed)

    def _write_tracks(self) -> None:
        """Write tracks before their sub-tracks, which take their colour."""
        drafts = self.drafts.tracks
        self._new_tracks(draft for draft in drafts if not draft.key[1])
        self._new_tracks(draft for draft in drafts if draft.key[1])
        old = [draft for draft in drafts if draft.row is not None and draft.is_written]
        for draft in old:
            _put(draft.row, draft)
        _update(Track, [draft.row for draft in old])

    def _new_tracks(self, drafts: Iterable[Draft]) -> None:
        rows = self.state.tracks
        taken = {(row.name, row.parent_id) for row in rows.values()}
        new = []
        for draft in drafts:
            if draft.row is not None:
                continue
            row = Track(conference=self.conference, parent=rows.get((draft.key[1], "")))
            _put(row, draft)
            while (row.name, row.parent_id) in taken:
                row.name += " (2)"
            row.colour = row.parent.colour if row.parent else self._colour()
            row.slug = self._slug("track", row.slug_text())
            rows[draft.key] = row
            new.append(row)
        Track.objects.bulk_create(new, batch_size=BATCH)

    def _colour(self) -> int:
        """Return the first colour in order that the fewest tracks of the first level have."""
        used = [row.colour for row in self.state.tracks.values() if row.parent is None]
        return min(COLOURS, key=used.count)

    # --- sessions ---

    def _write_sessions(self) -> None:
        drafts = [draft for draft in self.drafts.sessions if draft.is_written]
        new = [draft for draft in drafts if draft.row is None]
        old = [draft for draft in drafts if draft.row is not None]
        numbers = self.conference.take_numbers(len(new)) if new else range(0)
        rows = [
            self._new_session(draft, number, uid)
            for draft, number, uid in zip(new, numbers, self._uids(new), strict=True)
        ]
        Session.objects.bulk_create(rows, batch_size=BATCH)
        for draft in old:
            self._put_session(draft.row, draft)
        _update(Session, [draft.row for draft in old])
        pairs = [(draft.row, draft) for draft in old]
        write_links([*pairs, *zip(rows, new, strict=True)], self.state)

    def _new_session(self, draft: Draft, number: int, uid: uuid.UUID) -> Session:
        row = Session(conference=self.conference, number=number, uid=uid)
        self._put_session(row, draft)
        row.slug = self._slug("session", row.slug_text())
        return row

    def _put_session(self, row: Session, draft: Draft) -> None:
        _put(row, draft)
        if draft.key and not row.source_key:
            row.source_key = draft.key
        if "room" in draft.merge.values:
            row.room = self.state.rooms.get(draft.merge.values["room"])

    def _uids(self, drafts: Iterable[Draft]) -> Iterator[uuid.UUID]:
        """Yield UIDs made of the source's key, else of title and start, room and count if needed.

        They are the same for the same source in every database, and none is given twice.
        """
        taken = {row.uid for row in self.state.sessions}
        for draft in drafts:
            uid = next(uid for uid in self._candidates(draft) if uid not in taken)
            taken.add(uid)
            yield uid

    def _candidates(self, draft: Draft) -> Iterator[uuid.UUID]:
        record = draft.record
        if record is None:
            return
        printed = draft.merge.values["source_title"] or draft.merge.values["title"]
        name = record.key or f"{printed}|{moment(record.starts_at)}"
        yield uuid.uuid5(self.conference.uid_namespace, name)
        name += f"|{record.room}"
        yield uuid.uuid5(self.conference.uid_namespace, name)
        for count in range(2, 1_000_000):
            yield uuid.uuid5(self.conference.uid_namespace, f"{name}|{count}")


def _put(row: Any, draft: Draft) -> None:
    """Set the columns of a row; lists and rooms are not columns."""
    for name, value in draft.merge.values.items():
        if name in LINKS or name == "room":
            continue
        column = row._meta.get_field(name)
        setattr(row, name, column.to_python(value))
    row.source_values = dict(draft.merge.source_values)


def _update(model: Any, rows: list[Any]) -> None:
    """Write every column that an import may write of rows that are there."""
    if rows:
        left_out = {"id", "conference", "slug", "colour", "parent", "photo", "replacement"}
        names = [
            column.name
            for column in model._meta.concrete_fields
            if column.name not in left_out | model.written_elsewhere
        ]
        model.objects.bulk_update(rows, names, batch_size=BATCH)


def _free_name(name: str, taken: set[str]) -> str:
    free, number = name, 2
    while free in taken:
        free, number = f"{name} ({number})", number + 1
    taken.add(free)
    return free

"""What the public sees differently now: the change log, the marks on sessions, the revision.

Every write to the programme ends here, inside its own transaction. Rules: docs/architecture.md,
"Publishing".
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from confsched.models import Conference, SlugRedirect
from sessions_app.models import Change, Session, Status
from sessions_app.reading import Programme, read_programme
from sessions_app.records import PublicConference, PublicSession

#: Public values that have a line in the change log of their own when they differ.
LOGGED = (
    "title", "kind", "is_sponsored", "status", "starts_at", "ends_at", "room", "tracks", "levels",
    "speakers", "moderators", "slides", "abstract", "replacement",
)  # fmt: skip
#: Those that a page or a calendar entry of the session shows too, but that are no news.
SHOWN = ("slug", "room_slug", "room_address", "people", "slides_links", "replacement_slug")
#: Values of the conference that every calendar entry carries (place, zone, addresses).
CARRIED = ("slug", "place", "timezone")
#: The columns of a session that publish owns.
MARKED = ("sequence", "changed_at", "published_values")
#: The name of the log's line for a session that the public had never seen.
ADDED = "added"


def publish(
    conference: Conference, *, by: str, silent: bool = False, at: dt.datetime | None = None
) -> bool:
    """Compare what the public sees with what it saw last, log that, and raise the revision.

    *by* names who did it, *silent* keeps the log's lines from the public list. *at* is the moment
    (now, cut to the second, which is all that HTTP and calendars can say). Returns whether anything
    public changed; *conference* then has its new revision. Must run in the transaction of the
    writes: raises TransactionManagementError outside one, and ValidationError for a session that
    was published and is draft again.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            "publish() belongs into the transaction of the writes it publishes: wrap both in"
            " publishing(conference, by=...) or transaction.atomic()."
        )
    # Waits for other writers of this conference, so that two never compare with the same state.
    row = Conference.objects.select_for_update().get(pk=conference.pk)
    programme = read_programme(row.pk)
    if programme is None:  # the row is locked and there, so this cannot be
        raise Conference.DoesNotExist
    moment = at or timezone.now().replace(microsecond=0)
    edition = _Edition(row, programme, moment, by=by, silent=silent)
    differs = edition.publish()
    conference.revision, conference.revised_at = row.revision, row.revised_at
    conference.published_values = row.published_values
    return differs


# --- collecting -----------------------------------------------------------------------------------

_collected: ContextVar[set[int] | None] = ContextVar("conferences_to_publish", default=None)


@contextmanager
def publishing(
    *conferences: Conference, by: str, silent: bool = False, at: dt.datetime | None = None
) -> Iterator[None]:
    """Run the block in a transaction and end it with one publish for each conference written to.

    The conferences given are locked first and always published; others join when a signal sees one
    of their rows saved or deleted (bulk writes send none). Inside another ``publishing`` the outer
    one does it.
    """
    outer = _collected.get()
    if outer is not None:
        outer.update(conference.pk for conference in conferences)
        yield
        return
    with transaction.atomic():
        _lock(conferences)
        token = _collected.set({conference.pk for conference in conferences})
        try:
            yield
            written = sorted(_collected.get() or ())
        finally:
            _collected.reset(token)
        given = {conference.pk: conference for conference in conferences}
        for conference in Conference.objects.filter(pk__in=written).order_by("pk"):
            publish(given.get(conference.pk, conference), by=by, silent=silent, at=at)


def _lock(conferences: Iterable[Conference]) -> None:
    """Wait for other writers of these conferences before the first write, always in one order."""
    keys = [conference.pk for conference in conferences]
    if keys:
        list(Conference.objects.select_for_update().filter(pk__in=keys).order_by("pk"))


def publish_soon(conference_id: int) -> None:
    """Publish at the end of the surrounding ``publishing`` block, without one now."""
    collected = _collected.get()
    if collected is not None:
        collected.add(conference_id)
        return
    with transaction.atomic():
        conference = Conference.objects.filter(pk=conference_id).first()
        if conference is not None:
            publish(conference, by="")


# --- comparing ------------------------------------------------------------------------------------


def session_values(session: PublicSession, titles: Mapping[str, str]) -> dict[str, Any]:
    """Return what the public sees of a session as JSON values; *titles* are those by slug."""
    room = session.room
    return {
        "title": session.title,
        "kind": session.kind,
        "is_sponsored": session.is_sponsored,
        "status": session.status,
        "starts_at": session.starts_at.astimezone(dt.UTC).isoformat(),
        "ends_at": session.ends_at.astimezone(dt.UTC).isoformat(),
        "room": room.name if room else "",
        "tracks": [track.label for track in session.tracks],
        "levels": [level.name for level in session.levels],
        "speakers": [speaker.name for speaker in session.speakers],
        "moderators": [speaker.name for speaker in session.moderators],
        "slides": [f"{deck.name} {deck.file_type}".strip() for deck in session.slides],
        "abstract": session.abstract,
        "replacement": titles.get(session.replacement_slug, ""),
        "slug": session.slug,
        "room_slug": room.slug if room else "",
        "room_address": room.address if room else "",
        "people": [[person.slug, person.headline, person.company] for person in session.speakers],
        "slides_links": [deck.url or deck.is_upload for deck in session.slides],
        "replacement_slug": session.replacement_slug,
        "source_title": session.source_title,
        "position": session.position,
    }


def conference_values(programme: Programme) -> dict[str, Any]:
    """Return what the public sees beside the sessions: the conference, and digests of the rest."""
    return {
        "conference": _conference_fields(programme.conference),
        "rooms": _digest(programme.rooms),
        "tracks": _digest(programme.tracks),
        "levels": _digest(programme.levels),
        "speakers": _digest(programme.speakers),
    }


def _conference_fields(record: PublicConference) -> dict[str, Any]:
    values = asdict(record)
    del values["id"]
    for name in ("starts_on", "ends_on"):
        values[name] = values[name].isoformat() if values[name] else None
    return values


def _digest(records: Iterable[Any]) -> str:
    """Return a hash of records that does not depend on primary keys or on their order."""
    rows = sorted((asdict(record) | {"id": 0} for record in records), key=lambda row: row["slug"])
    text = json.dumps(rows, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass
class _Edition:
    """One publish of one conference: compares, then writes what it found."""

    row: Conference
    programme: Programme
    at: dt.datetime
    by: str
    silent: bool
    sessions: list[Session] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def publish(self) -> bool:
        """Return whether anything public differs; if so, everything is written."""
        stored = self._stored()
        is_first = not any(session.published_values for session in stored.values())
        before, now = self.row.published_values, conference_values(self.programme)
        carried = any(
            name in before.get("conference", {})
            and before["conference"][name] != now["conference"][name]
            for name in CARRIED
        )
        titles = {session.slug: session.title for session in self.programme.sessions}
        for record in self.programme.sessions:
            values = session_values(record, titles)
            self._compare(stored[record.id], record, values, is_first=is_first, carried=carried)
        if before == now and not self.sessions:
            return False
        self._write(now)
        return True

    def _stored(self) -> dict[int, Session]:
        """Return the sessions with the columns that publish owns; refuse one back in draft."""
        rows = Session.objects.filter(conference=self.row).only(
            "id", "status", "title", "sequence", "changed_at", "published_values", "conference_id"
        )
        stored = {session.pk: session for session in rows}
        for session in stored.values():
            if session.status == Status.DRAFT and session.was_published:
                raise ValidationError(
                    _(
                        "“%(title)s” was published and cannot be draft again;"
                        " cancel or withdraw it instead."
                    ),
                    code="draft-again",
                    params={"title": session.title},
                )
        return stored

    def _compare(
        self,
        session: Session,
        record: PublicSession,
        values: dict[str, Any],
        *,
        is_first: bool,
        carried: bool,
    ) -> None:
        before = session.published_values
        if before == values and not carried:
            return
        # A key that the last publish did not know is news of the software, not of the programme.
        differing = {key for key in values if key in before and before[key] != values[key]}
        if not before:
            session.changed_at = self.at
            if not is_first:
                self._log(session, ADDED, None, values["title"])
        elif carried or not differing.isdisjoint(LOGGED + SHOWN):
            session.changed_at = self.at
            session.sequence += self._is_moved(record, before, differing)
            hidden = {before["status"], values["status"]} == {Status.WITHDRAWN.value}
            for name in LOGGED:
                if name in differing:
                    self._log(session, name, before[name], values[name], hidden=hidden)
        session.published_values = values
        self.sessions.append(session)

    def _is_moved(
        self, record: PublicSession, before: Mapping[str, Any], differing: set[str]
    ) -> bool:
        """Return whether start, end, room (not just its name or slug) or status differ."""
        if not differing.isdisjoint({"starts_at", "ends_at", "status"}):
            return True
        if "room_slug" not in differing:
            return False
        same = SlugRedirect.objects.filter(
            conference=self.row,
            page=SlugRedirect.Page.ROOM,
            slug=before["room_slug"],
            target_id=record.room.id if record.room else 0,
        )
        return not same.exists()

    def _log(
        self, session: Session, name: str, old: Any, new: Any, *, hidden: bool = False
    ) -> None:
        self.changes.append(
            Change(
                conference=self.row,
                session=session,
                field=name,
                old=old,
                new=new,
                at=self.at,
                by=self.by[:150],
                is_silent=self.silent or hidden,
            )
        )

    def _write(self, values: dict[str, Any]) -> None:
        _mark(self.sessions)
        Conference.objects.filter(pk=self.row.pk).update(
            revision=F("revision") + 1, revised_at=self.at, published_values=values
        )
        self.row.refresh_from_db(fields=["revision", "revised_at", "published_values"])
        for change in self.changes:
            change.revision = self.row.revision
        Change.objects.bulk_create(self.changes, batch_size=500)


def _mark(sessions: Iterable[Session]) -> None:
    """Write the columns that publish owns; ``bulk_update`` takes ten times as long for it."""
    columns = [column for column in Session._meta.concrete_fields if column.name in MARKED]
    quote = connection.ops.quote_name
    values = ", ".join(f"{quote(str(column.column))} = %s" for column in columns)
    statement = f"UPDATE {quote(Session._meta.db_table)} SET {values} WHERE id = %s"  # noqa: S608  # names of our own model; values go as parameters

    def parameters(row: Session) -> list[Any]:
        stored = [
            column.get_db_prep_save(getattr(row, column.attname), connection) for column in columns
        ]
        return [*stored, row.pk]

    with connection.cursor() as cursor:
        cursor.executemany(statement, [parameters(row) for row in sessions])

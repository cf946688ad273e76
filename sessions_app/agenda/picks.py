"""What happens to an agenda: it begins, gains and loses picks, is merged, is deleted.

Every change is idempotent and takes the agenda's row first, so that two tabs, two devices or a
double click end in the same state as one. Raises Agenda.DoesNotExist where the agenda was deleted
meanwhile.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from sessions_app.agenda import tokens
from sessions_app.agenda.models import Agenda, AgendaToken, Pick

#: First stars of one browser that come within this time are one agenda's.
FIRST_STARS_WITHIN = dt.timedelta(seconds=60)


def start(conference_id: int, first_key: str | None) -> Agenda:
    """Make an agenda, or return the one that the same browser's other first star just made.

    ``first_key`` is what those stars have in common; None where nothing is known of the browser.
    """
    for _ in range(2):
        try:
            with transaction.atomic():
                return _just_made(first_key) or _make(conference_id, first_key)
        except IntegrityError:  # another process was first; it is there now
            continue
    return _make(conference_id, None)


def _just_made(first_key: str | None) -> Agenda | None:
    if first_key is None:
        return None
    agenda = Agenda.objects.select_for_update().filter(first_key=first_key).first()
    if agenda is None or timezone.now() - agenda.created_at < FIRST_STARS_WITHIN:
        return agenda
    agenda.first_key = None
    agenda.save(update_fields=["first_key"])
    return None


@transaction.atomic
def _make(conference_id: int, first_key: str | None) -> Agenda:
    agenda = Agenda.objects.create(
        conference_id=conference_id, first_key=first_key, changed_at=timezone.now()
    )
    tokens.create(agenda)
    return agenda


@transaction.atomic
def add(agenda_id: uuid.UUID, session_ids: Iterable[int]) -> None:
    """Pick sessions; those that are picked already stay as they are."""
    agenda = Agenda.objects.select_for_update().get(pk=agenda_id)
    known = set(Pick.objects.filter(agenda=agenda).values_list("session_id", flat=True))
    new = sorted(set(session_ids) - known)
    if new:
        now = timezone.now()
        Pick.objects.bulk_create(Pick(agenda=agenda, session_id=i, picked_at=now) for i in new)
        _touch(agenda)


@transaction.atomic
def remove(agenda_id: uuid.UUID, session_id: int) -> None:
    """Take a session out; nothing happens where it is not in."""
    agenda = Agenda.objects.select_for_update().get(pk=agenda_id)
    deleted, _ = Pick.objects.filter(agenda=agenda, session_id=session_id).delete()
    if deleted:
        _touch(agenda)


@transaction.atomic
def merge(into_id: uuid.UUID, other_id: uuid.UUID) -> None:
    """Make one agenda of two of a conference: ``into`` gains the other's picks and secrets.

    The other's devices, calendars and links go on and show the one agenda from now on.
    """
    if into_id == other_id:
        return
    locked = Agenda.objects.select_for_update().filter(pk__in=[into_id, other_id]).order_by("pk")
    found = {agenda.pk: agenda for agenda in locked}
    if into_id not in found or other_id not in found:
        raise Agenda.DoesNotExist
    into, other = found[into_id], found[other_id]
    if into.conference_id != other.conference_id:
        raise ValueError("Two agendas of different conferences cannot be merged.")
    known = Pick.objects.filter(agenda=into).values_list("session_id", flat=True)
    Pick.objects.filter(agenda=other).exclude(session_id__in=list(known)).update(agenda=into)
    AgendaToken.objects.filter(agenda=other, token_hash__isnull=False).update(
        agenda=into, is_inherited=True
    )
    other.delete()
    shared = AgendaToken.objects.filter(agenda=into, purpose=tokens.Purpose.SHARED)
    if shared.filter(is_inherited=True).exists():
        tokens.share(into_id)  # so that the page shows the link, and how to revoke it
    _touch(into)


def delete(agenda_id: uuid.UUID) -> None:
    """Delete an agenda with its picks and every secret that opened it."""
    Agenda.objects.filter(pk=agenda_id).delete()


def _touch(agenda: Agenda) -> None:
    """Move ``changed_at`` forward, even where the clock stands or goes back: the ETag needs it."""
    earliest = agenda.changed_at + dt.timedelta(microseconds=1)
    agenda.changed_at = max(timezone.now(), earliest)
    agenda.save(update_fields=["changed_at"])


_PICKED = (
    f"SELECT p.session_id FROM {AgendaToken._meta.db_table} t"  # noqa: S608  # our own table names
    f" JOIN {Agenda._meta.db_table} a ON a.id = t.agenda_id"
    f" LEFT JOIN {Pick._meta.db_table} p ON p.agenda_id = t.agenda_id"
    f" WHERE t.token_hash = %s AND t.purpose = %s AND a.conference_id = %s ORDER BY p.id"
)


def picked_ids(cookie: str, conference_id: int) -> list[int]:
    """Return the sessions that a browser's agenda holds, in the order of picking.

    Plain SQL, since every page view with a script asks for it and the ORM would take ten times as
    long. Empty where the cookie opens nothing.
    """
    if len(cookie) != tokens.TOKEN_LENGTH:
        return []
    parameters = (tokens.hashed(cookie), tokens.Purpose.COOKIE.value, conference_id)
    with connection.cursor() as cursor:
        cursor.execute(_PICKED, parameters)
        return [row[0] for row in cursor.fetchall() if row[0] is not None]

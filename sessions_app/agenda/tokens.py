"""The secrets that open an agenda: how they are made, looked up, renewed and revoked.

A token is an HMAC over the agenda's id, what it is for, and a generation, so it can be shown again
at any time while the table holds nothing that would open an agenda. See docs/architecture.md,
"Agenda secrets".
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from sessions_app.agenda.models import Agenda, AgendaToken

Purpose = AgendaToken.Purpose
#: What every agenda has from the start; a link for friends is made when somebody wants one.
AT_START = (Purpose.COOKIE, Purpose.OPEN, Purpose.FEED)
#: 32 bytes in base64url without padding.
TOKEN_LENGTH = 43


@dataclass(frozen=True, slots=True)
class Opened:
    """What a token opened: the agenda's id, its conference's slug, and its picks.

    ``picks`` maps the primary keys of sessions to the moments they were picked.
    """

    agenda_id: uuid.UUID
    conference: str
    changed_at: dt.datetime
    picks: Mapping[int, dt.datetime]


def _mac(*parts: object) -> bytes:
    # The parts hold no line break, so no two lists of parts make the same message.
    message = "\n".join(map(str, parts))
    return hmac.digest(settings.AGENDA_KEY.encode(), message.encode(), "sha256")


def make(agenda_id: uuid.UUID, purpose: str, generation: int) -> str:
    """Return the token for a purpose: 256 bits in base64url."""
    digest = _mac(agenda_id, Purpose(purpose).value, generation)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def first_key(secret: str, conference_id: int) -> str:
    """Return what the first stars of one browser have in common: its CSRF secret, hashed."""
    return _mac("first", conference_id, secret.replace("\n", "")).hex()


def hashed(token: str) -> str:
    """Return what the table holds of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def open_with(token: str, purpose: str) -> Opened | None:
    """Return what the token opens for this purpose, or None; one query, whatever the size."""
    if len(token) != TOKEN_LENGTH:
        return None
    rows = AgendaToken.objects.filter(token_hash=hashed(token), purpose=purpose).values_list(
        "agenda_id",
        "agenda__conference__slug",
        "agenda__changed_at",
        "agenda__picks__session_id",
        "agenda__picks__picked_at",
    )
    found = list(rows)
    if not found:
        return None
    picks = {session_id: at for *_, session_id, at in found if session_id is not None}
    agenda_id, conference, changed_at = found[0][:3]
    return Opened(agenda_id, conference, changed_at, picks)


def live_tokens(agenda_id: uuid.UUID) -> dict[str, str]:
    """Return the tokens that open an agenda now, by purpose; one query."""
    rows = AgendaToken.objects.filter(
        agenda_id=agenda_id, is_inherited=False, token_hash__isnull=False
    )
    return {
        purpose: make(agenda_id, purpose, generation)
        for purpose, generation in rows.values_list("purpose", "generation")
    }


def create(agenda: Agenda) -> None:
    """Write the tokens that a new agenda begins with."""
    AgendaToken.objects.bulk_create(
        AgendaToken(agenda=agenda, purpose=purpose, token_hash=hashed(make(agenda.pk, purpose, 0)))
        for purpose in AT_START
    )


def renew(agenda_id: uuid.UUID, *purposes: str) -> None:
    """Make new tokens for these purposes; all older ones, inherited ones too, are dead."""
    for purpose in purposes:
        _raise_generation(agenda_id, purpose, is_live=True)


def revoke(agenda_id: uuid.UUID, purpose: str) -> None:
    """Let nothing open the agenda for this purpose any more."""
    _raise_generation(agenda_id, purpose, is_live=False)


@transaction.atomic
def share(agenda_id: uuid.UUID) -> None:
    """Make a link for friends, unless there is one; after a revocation it is another one."""
    Agenda.objects.select_for_update().get(pk=agenda_id)
    row, _ = AgendaToken.objects.get_or_create(
        agenda_id=agenda_id, purpose=Purpose.SHARED, is_inherited=False
    )
    row.token_hash = hashed(make(agenda_id, row.purpose, row.generation))
    row.save()


@transaction.atomic
def _raise_generation(agenda_id: uuid.UUID, purpose: str, *, is_live: bool) -> None:
    Agenda.objects.select_for_update().get(pk=agenda_id)
    of_purpose = AgendaToken.objects.filter(agenda_id=agenda_id, purpose=purpose)
    of_purpose.filter(is_inherited=True).delete()
    row = of_purpose.filter(is_inherited=False).first()
    if row is None:
        return
    row.generation += 1
    row.token_hash = hashed(make(agenda_id, purpose, row.generation)) if is_live else None
    row.save()

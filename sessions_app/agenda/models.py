"""A visitor's own selection: an agenda, its picks, and the secrets that open it.

An agenda belongs to one conference. It has no owner's name: whoever holds one of its tokens may use
it for that token's purpose, and the table holds only the tokens' SHA-256.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from confsched.models import Conference
from sessions_app.models import Session


class Agenda(models.Model):
    """One visitor's agenda for one conference."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conference = models.ForeignKey(Conference, on_delete=models.CASCADE, related_name="agendas")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(
        help_text=_("When a pick was last added or removed; part of the feed's ETag.")
    )
    first_key = models.CharField(
        max_length=64,
        unique=True,
        null=True,  # most agendas have none, and two of those are not the same one
        blank=True,
        editable=False,
        help_text=_("What the browser's first stars have in common, so that they meet here."),
    )

    class Meta:
        verbose_name = _("agenda")
        verbose_name_plural = _("agendas")

    def __str__(self) -> str:
        return f"{self.conference} {self.pk}"


class AgendaToken(models.Model):
    """The secret for one purpose, as SHA-256 for look-up; renewing raises ``generation``.

    Without ``token_hash`` it is revoked: the generation is spent and nothing opens the agenda for
    this purpose. Tokens of an agenda that was merged into this one are ``is_inherited``: they open
    this one until their purpose is renewed.
    """

    class Purpose(models.TextChoices):
        """What a token opens."""

        COOKIE = "cookie", _("this browser")
        OPEN = "open", _("another device")
        SHARED = "shared", _("a friend, read only")
        FEED = "feed", _("a calendar")

    agenda = models.ForeignKey(Agenda, on_delete=models.CASCADE, related_name="tokens")
    purpose = models.CharField(max_length=8, choices=Purpose)
    generation = models.PositiveIntegerField(default=0)
    token_hash = models.CharField(max_length=64, unique=True, null=True, blank=True)
    is_inherited = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("agenda token")
        verbose_name_plural = _("agenda tokens")
        constraints = [
            models.UniqueConstraint(
                fields=["agenda", "purpose"],
                condition=Q(is_inherited=False),
                name="agenda_token_purpose",
            ),
            models.CheckConstraint(condition=~Q(token_hash=""), name="agenda_token_hash_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.generation}"


class Pick(models.Model):
    """One session in one agenda. The programme never deletes a session that was picked."""

    agenda = models.ForeignKey(Agenda, on_delete=models.CASCADE, related_name="picks")
    session = models.ForeignKey(Session, on_delete=models.RESTRICT, related_name="picks")
    picked_at = models.DateTimeField()

    class Meta:
        verbose_name = _("pick")
        verbose_name_plural = _("picks")
        constraints = [
            models.UniqueConstraint(fields=["agenda", "session"], name="pick_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.session}"

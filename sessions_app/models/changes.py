"""The change log: what the public saw differently, when, and by whom."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from confsched.models import Conference
from sessions_app.models.sessions import Session


class Change(models.Model):
    """One field of one session that a publish showed differently.

    ``old`` and ``new`` are the public values as JSON (text, ISO 8601 in UTC, or lists of names).
    Silent changes are kept for organizers and left out of the public list. Only ``publish`` writes.
    """

    conference = models.ForeignKey(Conference, on_delete=models.CASCADE, related_name="changes")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="changes")
    field = models.CharField(_("field"), max_length=40)
    old = models.JSONField(_("old"), null=True, blank=True)
    new = models.JSONField(_("new"), null=True, blank=True)
    at = models.DateTimeField(_("when"))
    by = models.CharField(_("by"), max_length=150, blank=True)
    is_silent = models.BooleanField(_("silent"), default=False)
    revision = models.PositiveIntegerField(_("revision"))

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["conference", "-at"], name="change_newest_first")]

    def __str__(self) -> str:
        return f"{self.session}: {self.field}"

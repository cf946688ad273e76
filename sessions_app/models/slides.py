"""Slides: one deck of a session, as a link or an upload."""

from __future__ import annotations

from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from confsched.models import Guarded
from sessions_app.models.sessions import PositionManager, Session


class Slides(Guarded):
    """One deck: name and file type as printed, and where it is, if that is known.

    A deck read from a text dump has neither ``url`` nor ``file``: the name is all the dump tells.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="slides")
    position = models.PositiveIntegerField(_("position"), default=0)
    name = models.CharField(_("name"), max_length=400)
    file_type = models.CharField(
        _("file type"), max_length=10, help_text=_("Such as pdf or pptx, without a dot.")
    )
    url = models.URLField(_("link"), max_length=500, blank=True)
    file = models.FileField(_("upload"), upload_to="slides/", max_length=300, blank=True)

    objects: ClassVar[PositionManager] = PositionManager()

    class Meta:
        verbose_name = _("slides")
        verbose_name_plural = _("slides")
        ordering = ["session", "position"]
        constraints = [
            models.UniqueConstraint(fields=["session", "position"], name="slides_position_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="slides_name_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.file_type})" if self.file_type else self.name

    def natural_key(self) -> tuple[str, str, int]:
        """Return what fixtures call this row by."""
        return (*self.session.natural_key(), self.position)

    natural_key.dependencies = ["sessions_app.session"]  # type: ignore[attr-defined]  # Django reads it there

    def clean(self) -> None:
        """Refuse a deck both linked and uploaded: a reader could not tell which is right."""
        if self.url and self.file:
            raise ValidationError({"url": _("Give a link or an upload, not both.")})

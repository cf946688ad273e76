"""The session: one item of the programme, with its people and tracks in order."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from confsched.models import Conference, Guarded, check_year
from sessions_app.models.programme import Level, Room, SlugInConferenceManager, Track
from sessions_app.slugs import Slugged
from speakers.models import Speaker


class Status(models.TextChoices):
    """The life of a session. Once published it is never draft again and never deleted."""

    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")
    CANCELLED = "cancelled", _("cancelled")
    WITHDRAWN = "withdrawn", _("withdrawn")


class SessionQuerySet(models.QuerySet["Session"]):
    """Sets of sessions, named by what the public sees of them."""

    def visible(self) -> SessionQuerySet:
        """Return what pages show: published, and cancelled ones struck through."""
        return self.filter(status__in=[Status.PUBLISHED, Status.CANCELLED])


class SessionManager(SlugInConferenceManager["Session"]):
    """The manager behind ``Session.objects``."""

    def get_queryset(self) -> SessionQuerySet:
        """Return every session, drafts included."""
        return SessionQuerySet(self.model, using=self._db)

    def visible(self) -> SessionQuerySet:
        """Return what pages show: published, and cancelled ones struck through."""
        return self.get_queryset().visible()


class Session(Slugged):
    """One item of the programme.

    Times are stored in UTC and shown in the conference's zone. ``uid`` and ``number`` are given
    once and never change; ``changed_at`` and ``sequence`` are written by ``publish`` alone, as is
    ``published_values``: what the public was last shown (empty: never published).
    """

    written_elsewhere = frozenset({"uid", "number", "sequence", "changed_at", "published_values"})
    slug_fallback = "session"
    slug_page = "session"

    conference = models.ForeignKey(Conference, on_delete=models.CASCADE, related_name="sessions")
    uid = models.UUIDField(_("UID"), editable=False)
    number = models.PositiveIntegerField(_("number"), editable=False)
    slug = models.SlugField(_("slug"), max_length=120, blank=True)
    title = models.CharField(_("title"), max_length=500)
    source_title = models.CharField(
        _("title in the source"),
        max_length=700,
        blank=True,
        help_text=_("As the source prints it."),
    )
    kind = models.CharField(_("kind"), max_length=40, default="talk")
    is_sponsored = models.BooleanField(_("sponsored"), default=False)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.DRAFT)
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(_("end"))
    room = models.ForeignKey(
        Room, on_delete=models.RESTRICT, null=True, blank=True, related_name="sessions"
    )
    tracks = models.ManyToManyField(
        Track, through="SessionTrack", related_name="sessions", blank=True
    )
    levels = models.ManyToManyField(Level, related_name="sessions", blank=True)
    speakers = models.ManyToManyField(
        Speaker, through="SessionSpeaker", related_name="sessions", blank=True
    )
    abstract = models.TextField(_("abstract"), blank=True)
    has_slides_tag = models.BooleanField(
        _("source says “slides attached”"),
        default=False,
        help_text=_("What the source claims; whether there are slides rests on the files below."),
    )
    replacement = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="replaces",
        help_text=_("For a cancelled session: what people may go to instead."),
    )
    position = models.PositiveIntegerField(
        _("position"), default=0, help_text=_("Order among sessions that start together.")
    )
    sequence = models.PositiveIntegerField(default=0, editable=False)
    changed_at = models.DateTimeField(null=True, blank=True, editable=False)
    published_values = models.JSONField(default=dict, blank=True, editable=False)
    source_key = models.CharField(_("source key"), max_length=300, blank=True)
    source_values = models.JSONField(default=dict, blank=True, editable=False)

    objects: ClassVar[SessionManager] = SessionManager()

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        ordering = ["conference", "starts_at", "position", "number"]
        constraints = [
            models.UniqueConstraint(fields=["conference", "slug"], name="session_slug_unique"),
            models.UniqueConstraint(fields=["conference", "uid"], name="session_uid_unique"),
            models.UniqueConstraint(fields=["conference", "number"], name="session_number_unique"),
            models.UniqueConstraint(
                fields=["conference", "source_key"],
                condition=~Q(source_key=""),
                name="session_source_key_unique",
            ),
            models.CheckConstraint(condition=~Q(title=""), name="session_title_not_empty"),
            models.CheckConstraint(condition=~Q(slug=""), name="session_slug_not_empty"),
            models.CheckConstraint(condition=~Q(kind=""), name="session_kind_not_empty"),
            models.CheckConstraint(condition=Q(number__gte=1), name="session_number_positive"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="session_status"),
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")),
                name="session_ends_after_start",
                violation_error_message=_("The end must be after the start."),
            ),
        ]
        indexes = [
            models.Index(fields=["conference", "status", "starts_at"], name="session_by_start"),
        ]

    def __str__(self) -> str:
        return self.title

    def natural_key(self) -> tuple[str, str]:
        """Return what fixtures call this row by."""
        return (self.conference.slug, self.slug)

    natural_key.dependencies = ["confsched.conference"]  # type: ignore[attr-defined]  # Django reads it there

    def get_absolute_url(self) -> str:
        """Return the path of the session's page."""
        return f"/{self.conference.slug}/sessions/{self.slug}/"

    def slug_text(self) -> str:
        """Return the title."""
        return self.title

    def give_identity(self) -> None:
        """Give a new session its number and, derived from it, its UID."""
        if self.number is None:
            self.number = self.conference.take_numbers()[0]
        if self.uid is None:
            self.uid = uuid.uuid5(self.conference.uid_namespace, f"number {self.number}")

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save; a new session gets its number and UID in the same transaction."""
        with transaction.atomic():
            if self._state.adding:
                self.give_identity()
            super().save(*args, **kwargs)

    @property
    def was_published(self) -> bool:
        """Whether the public has ever seen this session."""
        return bool(self.published_values)

    def clean_fields(self, exclude: Any = None) -> None:
        """Collapse whitespace in the title before it is checked."""
        self.title = " ".join(self.title.split())
        super().clean_fields(exclude=exclude)

    def clean(self) -> None:
        """Refuse a room of another conference, an end before the start, and a way back to draft."""
        super().clean()
        errors: dict[str, Any] = {}
        if self.room is not None and self.room.conference_id != self.conference_id:
            errors["room"] = _("This room belongs to another conference.")
        for field in ("starts_at", "ends_at"):
            if wrong := check_year(getattr(self, field)):
                errors[field] = wrong
        if not errors and self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            errors["ends_at"] = _("The end must be after the start.")
        if self.status == Status.DRAFT and self.was_published:
            errors["status"] = _(
                "A published session cannot be draft again; cancel or withdraw it instead."
            )
        if self.replacement is not None and self.replacement_id == self.pk:
            errors["replacement"] = _("A session cannot replace itself.")
        if errors:
            raise ValidationError(errors)


class PositionManager(models.Manager[Any]):
    """Finds an entry of a session by the session's natural key and the position."""

    def get_by_natural_key(self, conference: str, session: str, position: int) -> Any:
        """Return the entry at this position of that session."""
        return self.get(
            session__conference__slug=conference, session__slug=session, position=position
        )


class SessionSpeaker(Guarded):
    """A speaker of a session, in printed order; moderators are speakers too."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="session_speakers")
    speaker = models.ForeignKey(Speaker, on_delete=models.RESTRICT, related_name="session_speakers")
    position = models.PositiveIntegerField(_("position"), default=0)
    is_moderator = models.BooleanField(_("moderator"), default=False)

    objects: ClassVar[PositionManager] = PositionManager()

    class Meta:
        verbose_name = _("speaker")
        verbose_name_plural = _("speakers")
        ordering = ["session", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "position"], name="session_speaker_position_unique"
            ),
            models.UniqueConstraint(fields=["session", "speaker"], name="session_speaker_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.speaker}"

    def natural_key(self) -> tuple[str, str, int]:
        """Return what fixtures call this row by."""
        return (*self.session.natural_key(), self.position)

    natural_key.dependencies = ["sessions_app.session", "speakers.speaker"]  # type: ignore[attr-defined]  # Django reads it there


class SessionTrack(Guarded):
    """A track of a session, in order; the first gives the colour."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="session_tracks")
    track = models.ForeignKey(Track, on_delete=models.RESTRICT, related_name="session_tracks")
    position = models.PositiveIntegerField(_("position"), default=0)

    objects: ClassVar[PositionManager] = PositionManager()

    class Meta:
        verbose_name = _("track")
        verbose_name_plural = _("tracks")
        ordering = ["session", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "position"], name="session_track_position_unique"
            ),
            models.UniqueConstraint(fields=["session", "track"], name="session_track_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.track}"

    def natural_key(self) -> tuple[str, str, int]:
        """Return what fixtures call this row by."""
        return (*self.session.natural_key(), self.position)

    natural_key.dependencies = ["sessions_app.session", "sessions_app.track"]  # type: ignore[attr-defined]  # Django reads it there

"""Where and under what headings sessions stand: rooms, tracks, levels."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from confsched.models import Conference
from sessions_app.slugs import Slugged

_M = TypeVar("_M", bound=models.Model)


class SlugInConferenceManager(models.Manager[_M]):
    """Finds rows by their natural key: the conference's slug and their own."""

    def get_by_natural_key(self, conference: str, slug: str) -> _M:
        """Return the row with this slug in the conference with that slug."""
        return self.get(conference__slug=conference, slug=slug)


class RoomManager(SlugInConferenceManager["Room"]):
    """Finds rooms by their natural key."""


class Room(Slugged):
    """A place where sessions happen, in the organizers' order."""

    slug_fallback = "room"
    slug_page = "room"

    conference = models.ForeignKey(Conference, on_delete=models.CASCADE, related_name="rooms")
    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(_("slug"), max_length=120, blank=True)
    position = models.PositiveIntegerField(_("position"), default=0)
    address = models.CharField(_("address"), max_length=300, blank=True)
    description = models.TextField(
        _("description"), blank=True, help_text=_("How to find it, what is there.")
    )
    source_values = models.JSONField(default=dict, blank=True, editable=False)

    objects: ClassVar[RoomManager] = RoomManager()

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        ordering = ["conference", "position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["conference", "slug"], name="room_slug_unique"),
            models.UniqueConstraint(fields=["conference", "name"], name="room_name_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="room_name_not_empty"),
            models.CheckConstraint(condition=~Q(slug=""), name="room_slug_not_empty"),
        ]

    def __str__(self) -> str:
        return self.name

    def natural_key(self) -> tuple[str, str]:
        """Return what fixtures call this row by."""
        return (self.conference.slug, self.slug)

    natural_key.dependencies = ["confsched.conference"]  # type: ignore[attr-defined]  # Django reads it there

    def get_absolute_url(self) -> str:
        """Return the path of the room's page."""
        return f"/{self.conference.slug}/rooms/{self.slug}/"

    def clean_fields(self, exclude: Any = None) -> None:
        """Collapse whitespace in the name before it is checked."""
        self.name = " ".join(self.name.split())
        super().clean_fields(exclude=exclude)


class TrackManager(SlugInConferenceManager["Track"]):
    """Finds tracks by their natural key."""


class Track(Slugged):
    """A heading of the programme with a colour; one level of parents (Sched's type and subtype).

    ``colour`` is the number of one of the 13 hues in ``static/css/tokens.css``.
    """

    COLOURS = 13
    slug_fallback = "track"
    slug_page = "track"

    conference = models.ForeignKey(Conference, on_delete=models.CASCADE, related_name="tracks")
    parent = models.ForeignKey(
        "self", on_delete=models.RESTRICT, null=True, blank=True, related_name="sub_tracks"
    )
    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(_("slug"), max_length=120, blank=True)
    position = models.PositiveIntegerField(_("position"), default=0)
    colour = models.PositiveSmallIntegerField(
        _("colour"), default=10, validators=[MinValueValidator(1), MaxValueValidator(COLOURS)]
    )
    description = models.TextField(_("description"), blank=True)
    source_values = models.JSONField(default=dict, blank=True, editable=False)

    objects: ClassVar[TrackManager] = TrackManager()

    class Meta:
        verbose_name = _("track")
        verbose_name_plural = _("tracks")
        ordering = ["conference", "position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["conference", "slug"], name="track_slug_unique"),
            # Two constraints, since SQLite takes two NULL parents for different ones.
            models.UniqueConstraint(
                fields=["conference", "name"],
                condition=Q(parent__isnull=True),
                name="track_name_unique",
            ),
            models.UniqueConstraint(
                fields=["conference", "parent", "name"],
                condition=Q(parent__isnull=False),
                name="sub_track_name_unique",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="track_name_not_empty"),
            models.CheckConstraint(condition=~Q(slug=""), name="track_slug_not_empty"),
            models.CheckConstraint(
                condition=Q(parent__isnull=True) | ~Q(parent=F("pk")), name="track_not_own_parent"
            ),
            models.CheckConstraint(
                condition=Q(colour__gte=1, colour__lte=13), name="track_colour_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.parent.name}: {self.name}" if self.parent else self.name

    def natural_key(self) -> tuple[str, str]:
        """Return what fixtures call this row by."""
        return (self.conference.slug, self.slug)

    natural_key.dependencies = ["confsched.conference"]  # type: ignore[attr-defined]  # Django reads it there

    def get_absolute_url(self) -> str:
        """Return the path of the track's page."""
        return f"/{self.conference.slug}/tracks/{self.slug}/"

    def clean_fields(self, exclude: Any = None) -> None:
        """Collapse whitespace in the name before it is checked."""
        self.name = " ".join(self.name.split())
        super().clean_fields(exclude=exclude)

    def slug_text(self) -> str:
        """Begin a sub-track's slug with its parent's."""
        return f"{self.parent.slug} {self.name}" if self.parent else self.name

    def clean(self) -> None:
        """Refuse a parent of another conference and a second level of parents."""
        super().clean()
        if self.parent is None:
            return
        if self.parent.conference_id != self.conference_id:
            raise ValidationError({"parent": _("The parent belongs to another conference.")})
        if self.parent.parent_id is not None:
            raise ValidationError({"parent": _("A sub-track cannot have sub-tracks.")})
        if self.pk is not None and self.sub_tracks.exists():
            raise ValidationError({"parent": _("A track with sub-tracks cannot have a parent.")})


class LevelManager(SlugInConferenceManager["Level"]):
    """Finds levels by their natural key."""


class Level(Slugged):
    """An audience level. A session without one is "not stated", which is not "Any"."""

    slug_fallback = "level"
    # "none" is how an address says "not stated".
    slug_reserved = frozenset({"none"})

    conference = models.ForeignKey(Conference, on_delete=models.CASCADE, related_name="levels")
    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(_("slug"), max_length=100, blank=True)
    position = models.PositiveIntegerField(_("position"), default=0)
    source_values = models.JSONField(default=dict, blank=True, editable=False)

    objects: ClassVar[LevelManager] = LevelManager()

    class Meta:
        verbose_name = _("level")
        verbose_name_plural = _("levels")
        ordering = ["conference", "position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["conference", "slug"], name="level_slug_unique"),
            models.UniqueConstraint(fields=["conference", "name"], name="level_name_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="level_name_not_empty"),
            models.CheckConstraint(condition=~Q(slug__in=["", "none"]), name="level_slug_usable"),
        ]

    def __str__(self) -> str:
        return self.name

    def natural_key(self) -> tuple[str, str]:
        """Return what fixtures call this row by."""
        return (self.conference.slug, self.slug)

    natural_key.dependencies = ["confsched.conference"]  # type: ignore[attr-defined]  # Django reads it there

    def clean_fields(self, exclude: Any = None) -> None:
        """Collapse whitespace in the name before it is checked."""
        self.name = " ".join(self.name.split())
        super().clean_fields(exclude=exclude)

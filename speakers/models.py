"""Who speaks: a speaker belongs to one conference."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from confsched.models import Conference
from sessions_app.slugs import Slugged


class SpeakerManager(models.Manager["Speaker"]):
    """Finds speakers by their natural key."""

    def get_by_natural_key(self, conference: str, slug: str) -> Speaker:
        """Return the speaker with this slug in the conference with that slug."""
        return self.get(conference__slug=conference, slug=slug)


class Speaker(Slugged):
    """A person on the programme, as they describe themselves.

    ``bio_is_truncated`` marks a biography of which the source showed only the beginning;
    ``has_avatar`` says that the source had a picture, which a text dump cannot carry.
    """

    slug_fallback = "speaker"
    slug_page = "speaker"

    conference = models.ForeignKey(Conference, on_delete=models.CASCADE, related_name="speakers")
    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(_("slug"), max_length=120, blank=True)
    headline = models.CharField(_("headline"), max_length=500, blank=True)
    company = models.CharField(_("company"), max_length=300, blank=True)
    bio = models.TextField(_("biography"), blank=True)
    bio_is_truncated = models.BooleanField(_("biography is cut off"), default=False)
    has_avatar = models.BooleanField(_("source has a picture"), default=False)
    photo = models.ImageField(_("photo"), upload_to="photos/", blank=True)
    website = models.URLField(_("website"), blank=True)
    source_key = models.CharField(_("source key"), max_length=300, blank=True)
    source_values = models.JSONField(default=dict, blank=True, editable=False)

    objects: ClassVar[SpeakerManager] = SpeakerManager()

    class Meta:
        verbose_name = _("speaker")
        verbose_name_plural = _("speakers")
        ordering = ["name", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["conference", "slug"], name="speaker_slug_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="speaker_name_not_empty"),
            models.CheckConstraint(condition=~Q(slug=""), name="speaker_slug_not_empty"),
        ]
        indexes = [models.Index(fields=["conference", "name"], name="speaker_by_name")]

    def __str__(self) -> str:
        return self.name

    def natural_key(self) -> tuple[str, str]:
        """Return what fixtures call this row by."""
        return (self.conference.slug, self.slug)

    natural_key.dependencies = ["confsched.conference"]  # type: ignore[attr-defined]  # Django reads it there

    def get_absolute_url(self) -> str:
        """Return the path of the speaker's page."""
        return f"/{self.conference.slug}/speakers/{self.slug}/"

    def clean_fields(self, exclude: Any = None) -> None:
        """Collapse whitespace in one-line fields before they are checked."""
        self.name = " ".join(self.name.split())
        self.headline = " ".join(self.headline.split())
        self.company = " ".join(self.company.split())
        super().clean_fields(exclude=exclude)

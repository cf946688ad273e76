"""The conference: one edition with dates, a place and a zone. Everything else hangs from it."""

from __future__ import annotations

import datetime as dt
import re
import uuid
import zoneinfo
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

#: All control characters but tab and line breaks; NUL is left for Django, which refuses it.
_CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
#: Days outside of these are slips of the keyboard, and calendars cannot count to all of them.
YEARS = range(1970, 2200)


def check_year(day: dt.date | None) -> str:
    """Return what is wrong with the year of a day or moment; "" for nothing."""
    if day is None or day.year in YEARS:
        return ""
    words = _("The year %(year)s is none of a conference; expected %(first)s to %(last)s.")
    return str(words % {"year": day.year, "first": YEARS[0], "last": YEARS[-1]})


#: First path segments that the site itself uses; a conference cannot have one of them as its slug.
RESERVED_SLUGS = frozenset(
    {
        "admin",
        "agenda",
        "conferences",
        "healthz",
        "i18n",
        "media",
        "readyz",
        "static",
    }
)


def validate_timezone(value: str) -> None:
    """Accept names of IANA zones such as "Europe/Paris"; else raise ValidationError."""
    if value not in zoneinfo.available_timezones():
        raise ValidationError(
            _("“%(value)s” is no IANA time zone; expected a name such as Europe/Paris."),
            code="timezone",
            params={"value": value},
        )


def validate_conference_slug(value: str) -> None:
    """Refuse slugs that would hide one of the site's own addresses."""
    if value in RESERVED_SLUGS:
        raise ValidationError(
            _("“%(value)s” is an address of the site itself; choose another."),
            code="reserved",
            params={"value": value},
        )


class Guarded(models.Model):
    """A row saved together with what its signals write, and without columns others own.

    An ordinary ``save()`` of a row that was read a while ago would put old values back into the
    columns that only other code writes (by ``update()``), so it leaves those out.
    ``save(update_fields=…)`` does what it says. Signals run in the same transaction as the write.
    """

    written_elsewhere: ClassVar[frozenset[str]] = frozenset()

    class Meta:
        abstract = True

    def clean_fields(self, exclude: Any = None) -> None:
        """Write line breaks as one character, and leave control characters out.

        Browsers send two for a line break, and nothing else changed. Control characters come with
        text pasted from PDF files; no name means them and XML forbids them.
        """
        for column in self._meta.concrete_fields:
            if isinstance(column, models.TextField | models.CharField):
                text = getattr(self, column.attname)
                if isinstance(text, str):
                    plain = _CONTROL.sub("", text.replace("\r\n", "\n"))
                    setattr(self, column.attname, plain)
        super().clean_fields(exclude=exclude)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save every column but the primary key, deferred ones and those in the guarded set."""
        if not self._state.adding and not args and kwargs.get("update_fields") is None:
            left_out = self.written_elsewhere | self.get_deferred_fields()
            kwargs["update_fields"] = [
                field.name
                for field in self._meta.concrete_fields
                if not field.primary_key and left_out.isdisjoint({field.name, field.attname})
            ]
        with transaction.atomic():
            super().save(*args, **kwargs)


class ConferenceManager(models.Manager["Conference"]):
    """Finds conferences by their natural key, the slug."""

    def get_by_natural_key(self, slug: str) -> Conference:
        """Return the conference with this slug; raises Conference.DoesNotExist."""
        return self.get(slug=slug)


class Conference(Guarded):
    """One edition of a conference.

    ``revision`` grows by one with every publish that changed something public, ``revised_at`` is
    that moment (UTC). Only ``sessions_app.publish`` writes the two. ``numbers_used`` is the
    highest number a session ever had, so that none is given twice.
    """

    written_elsewhere = frozenset({"revision", "revised_at", "published_values", "numbers_used"})

    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(
        _("slug"),
        max_length=80,
        unique=True,
        validators=[validate_conference_slug],
        help_text=_("The first part of every address: /slug/."),
    )
    place = models.CharField(_("place"), max_length=200, blank=True)
    timezone = models.CharField(
        _("time zone"),
        max_length=64,
        validators=[validate_timezone],
        help_text=_("IANA name, for example Europe/Paris. All times are shown and entered in it."),
    )
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    website = models.URLField(_("website"), blank=True)
    registration_url = models.URLField(_("registration link"), blank=True)
    contact = models.CharField(
        _("contact"),
        max_length=200,
        blank=True,
        help_text=_("An e-mail address or an https address that people may write to."),
    )
    notice = models.TextField(
        _("notice"), blank=True, help_text=_("Shown above the schedule, e.g. “subject to change”.")
    )
    registration_note = models.TextField(_("registration note"), blank=True)
    uid_namespace = models.UUIDField(
        _("UID namespace"),
        default=uuid.uuid4,
        editable=False,
        help_text=_("Session UIDs are derived from it; set once, never changed."),
    )
    revision = models.PositiveIntegerField(_("revision"), default=0, editable=False)
    revised_at = models.DateTimeField(_("revised at"), null=True, blank=True, editable=False)
    numbers_used = models.PositiveIntegerField(default=0, editable=False)
    published_values = models.JSONField(default=dict, blank=True, editable=False)
    source_values = models.JSONField(default=dict, blank=True, editable=False)

    objects: ClassVar[ConferenceManager] = ConferenceManager()

    class Meta:
        verbose_name = _("conference")
        verbose_name_plural = _("conferences")
        ordering = ["-starts_on", "name"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="conference_name_not_empty"),
            models.CheckConstraint(condition=~Q(slug=""), name="conference_slug_not_empty"),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True)
                | Q(starts_on__isnull=True)
                | Q(ends_on__gte=F("starts_on")),
                name="conference_ends_on_not_before_starts_on",
                violation_error_message=_("The last day is before the first day."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def natural_key(self) -> tuple[str]:
        """Return what fixtures call this row by."""
        return (self.slug,)

    def get_absolute_url(self) -> str:
        """Return the path of the schedule page."""
        return f"/{self.slug}/"

    def clean(self) -> None:
        """Refuse days that no conference has."""
        super().clean()
        days = {"starts_on": self.starts_on, "ends_on": self.ends_on}
        errors = {name: wrong for name, day in days.items() if (wrong := check_year(day))}
        if errors:
            raise ValidationError(errors)

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The conference's time zone."""
        return zoneinfo.ZoneInfo(self.timezone)

    def take_numbers(self, count: int = 1) -> range:
        """Reserve *count* session numbers that were never used in this conference.

        Takes the row's lock first, so that two writers never get the same ones; call it in the
        transaction that writes the sessions.
        """
        highest = models.Max("sessions__number")
        with transaction.atomic():
            row = Conference.objects.select_for_update().get(pk=self.pk)
            known = Conference.objects.filter(pk=self.pk).aggregate(highest=highest)["highest"]
            first = max(row.numbers_used, known or 0) + 1
            self.numbers_used = first + count - 1
            Conference.objects.filter(pk=self.pk).update(numbers_used=self.numbers_used)
        return range(first, first + count)


class SlugRedirect(models.Model):
    """An address that was once in use: ``slug`` of a page that has another slug now.

    ``target_id`` is the primary key of the conference, session, speaker, room or track; the address
    that is right today is looked up through it, so a second rename needs no second hop.
    """

    class Page(models.TextChoices):
        """The kind of page the old slug belonged to."""

        CONFERENCE = "conference", _("conference")
        SESSION = "session", _("session")
        SPEAKER = "speaker", _("speaker")
        ROOM = "room", _("room")
        TRACK = "track", _("track")

    conference = models.ForeignKey(
        Conference, on_delete=models.CASCADE, related_name="slug_redirects"
    )
    page = models.CharField(max_length=12, choices=Page)
    slug = models.SlugField(max_length=120)
    target_id = models.PositiveBigIntegerField()

    class Meta:
        verbose_name = _("slug redirect")
        verbose_name_plural = _("slug redirects")
        constraints = [
            models.UniqueConstraint(
                fields=["conference", "page", "slug"], name="slug_redirect_unique"
            )
        ]
        indexes = [models.Index(fields=["page", "slug"], name="slug_redirect_lookup")]

    def __str__(self) -> str:
        return f"{self.page} {self.slug}"

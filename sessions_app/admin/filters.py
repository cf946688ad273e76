"""Filters of the session list: those of the conference chosen, in the conference's own days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from confsched.models import Conference
from sessions_app.admin.scope import has_several_conferences
from sessions_app.kinds import kind_label
from sessions_app.models import Level, Room, Session, SessionTrack, Slides, Status, Track
from sessions_app.schedule import DAY_CUT, conference_day

Choices = list[tuple[str, str]]


def chosen_conference(request: HttpRequest) -> str | None:
    """Return the primary key in the list's conference filter, None where it is not set."""
    text = request.GET.get("conference", "")
    return text if text.isascii() and text.isdecimal() and len(text) < 16 else None


class ConferenceFilter(admin.SimpleListFilter):
    """Which conference; not shown where there is only one."""

    title = gettext_lazy("conference")
    parameter_name = "conference"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer every conference, newest first."""
        if not has_several_conferences(request):
            return []
        return [(str(row.pk), row.name) for row in Conference.objects.only("pk", "name")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows of the conference chosen."""
        chosen = chosen_conference(request)
        return queryset.filter(conference_id=chosen) if chosen else queryset


class ScopedFilter(admin.SimpleListFilter):
    """A filter by a related row, offered for the conference chosen (else for all, named)."""

    model: ClassVar[type[Model]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer the rows, each with its conference where the list shows several."""
        model: Any = self.model
        rows = model.objects.select_related("conference", *self.related())
        chosen = chosen_conference(request)
        if chosen:
            rows = rows.filter(conference_id=chosen)
        several = not chosen and has_several_conferences(request)
        return [(str(row.pk), f"{row} ({row.conference})" if several else str(row)) for row in rows]

    def related(self) -> tuple[str, ...]:
        """Return what the names of the rows need besides."""
        return ()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the sessions that belong to the row chosen."""
        value = self.value() or ""
        return queryset.filter(self.condition(int(value))) if value.isdecimal() else queryset

    def condition(self, pk: int) -> Q:
        """Return what holds for the sessions of the row with this key."""
        raise NotImplementedError


class RoomFilter(ScopedFilter):
    """Where."""

    title = gettext_lazy("room")
    parameter_name = "room"
    model = Room

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer "no room" too."""
        return [*super().lookups(request, model_admin), ("0", _("(no room)"))]

    def condition(self, pk: int) -> Q:
        """Return what holds for sessions in the room, 0 meaning in none."""
        return Q(room_id=pk) if pk else Q(room__isnull=True)


class TrackFilter(ScopedFilter):
    """On which track, its sub-tracks included."""

    title = gettext_lazy("track")
    parameter_name = "track"
    model = Track

    def related(self) -> tuple[str, ...]:
        """Return the parent, which the names of sub-tracks begin with."""
        return ("parent",)

    def condition(self, pk: int) -> Q:
        """Return what holds for sessions on the track or a sub-track of it."""
        links = SessionTrack.objects.filter(session_id=OuterRef("pk"))
        return Q(Exists(links.filter(Q(track_id=pk) | Q(track__parent_id=pk))))


class LevelFilter(ScopedFilter):
    """For which audience."""

    title = gettext_lazy("level")
    parameter_name = "level"
    model = Level

    def condition(self, pk: int) -> Q:
        """Return what holds for sessions of the level."""
        links = Session.levels.through.objects.filter(session_id=OuterRef("pk"), level_id=pk)
        return Q(Exists(links))


class StatusFilter(admin.SimpleListFilter):
    """Where in its life a session is."""

    title = gettext_lazy("status")
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer the four statuses."""
        return [(value, str(label)) for value, label in Status.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the sessions of the status chosen."""
        return queryset.filter(status=self.value()) if self.value() else queryset


class KindFilter(admin.SimpleListFilter):
    """What kind of session; only kinds in use are offered."""

    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer the kinds in use, in words."""
        kinds = Session.objects.order_by("kind").values_list("kind", flat=True).distinct()
        return [(kind, kind_label(kind)) for kind in kinds]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the sessions of the kind chosen."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class DayFilter(admin.SimpleListFilter):
    """On which conference day: local, and cut at four in the morning."""

    title = gettext_lazy("day")
    parameter_name = "day"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer the days of the conferences shown."""
        days = {day for day, _zone in _days(chosen_conference(request))}
        return [(day.isoformat(), date_format(day, "D j M Y")) for day in sorted(days)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the sessions that start on the day, each conference by its own clock."""
        try:
            day = dt.date.fromisoformat(self.value() or "")
            next_day = day + dt.timedelta(days=1)
        except (ValueError, OverflowError):
            return queryset
        within = Q(pk__in=[])
        for conference in Conference.objects.only("pk", "timezone"):
            starts, ends = (
                dt.datetime.combine(each, DAY_CUT, conference.zone) for each in (day, next_day)
            )
            within |= Q(conference=conference, starts_at__gte=starts, starts_at__lt=ends)
        return queryset.filter(within)


def _days(chosen: str | None) -> Iterable[tuple[dt.date, str]]:
    rows = Session.objects.order_by()
    if chosen:
        rows = rows.filter(conference_id=chosen)
    zones = {row.pk: row.zone for row in Conference.objects.only("pk", "timezone")}
    starts = rows.values_list("starts_at", "conference_id").distinct()
    return {(conference_day(moment, zones[pk]), zones[pk].key) for moment, pk in starts}


class EditorFilter(admin.AllValuesFieldListFilter):
    """Who published a change."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = _("who")


class AnnouncedFilter(admin.SimpleListFilter):
    """Whether the public list of changes has it."""

    title = gettext_lazy("announced")
    parameter_name = "announced"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer both."""
        return [("yes", _("announced")), ("no", _("small corrections"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the changes that fit."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(is_silent=self.value() == "no")


class ParentFilter(admin.SimpleListFilter):
    """Tracks of the first level, or sub-tracks."""

    title = gettext_lazy("place")
    parameter_name = "place"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer both."""
        return [("main", _("main tracks")), ("sub", _("sub-tracks"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the tracks that fit."""
        if self.value() not in ("main", "sub"):
            return queryset
        return queryset.filter(parent__isnull=self.value() == "main")


class SlidesFilter(admin.SimpleListFilter):
    """With or without slides, or announced by the source but not there."""

    title = gettext_lazy("slides")
    parameter_name = "slides"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        """Offer what organizers look for after a conference."""
        return [
            ("yes", _("with slides")),
            ("no", _("without slides")),
            ("unreachable", _("known by name only")),
            ("missing", _("announced, but not there")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the sessions that fit."""
        decks = Slides.objects.filter(session_id=OuterRef("pk"))
        conditions = {
            "yes": Q(Exists(decks)),
            "no": ~Q(Exists(decks)),
            "unreachable": Q(Exists(decks.filter(url="", file=""))),
            "missing": Q(has_slides_tag=True) & ~Q(Exists(decks)),
        }
        condition = conditions.get(self.value() or "")
        return queryset if condition is None else queryset.filter(condition)

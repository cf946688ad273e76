"""Rooms, tracks and levels: what sessions are sorted under."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Count
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sessions_app.admin.filters import ConferenceFilter, ParentFilter
from sessions_app.admin.publishing import PublishingAdmin, PublishingForm
from sessions_app.admin.widgets import COLOUR_NAMES, ColourSelect, next_colour
from sessions_app.models import Level, Track


class NamedForm(PublishingForm):
    """A row whose name is its own in the conference; new ones go to the end."""

    unique_in_conference: tuple[str, ...] = ("name", "slug")
    position = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=32_767,
        label=gettext_lazy("Order"),
        help_text=gettext_lazy("Smaller numbers come first; empty: at the end."),
    )

    def clean_position(self) -> int:
        """Put a row without a place behind the others."""
        position: int | None = self.cleaned_data["position"]
        if position is not None:
            return position
        rows = self._meta.model._default_manager.filter(conference=self.conference)
        last = rows.exclude(pk=self.instance.pk).order_by("-position").first()
        return int(last.position) + 1 if last else 0


class NamedAdmin(PublishingAdmin):
    """What rooms, tracks and levels have in common."""

    form = NamedForm
    search_fields: ClassVar[Any] = ("name",)
    list_display: Any = ("name", "position", "session_count")
    list_editable = ("position",)
    list_filter: ClassVar[Any] = (ConferenceFilter,)
    ordering: ClassVar[Any] = ("conference", "position", "name")
    list_per_page = 200

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the rows with their number of sessions."""
        rows = super().get_queryset(request)
        return rows.annotate(session_total=Count("sessions", distinct=True))

    def sessions_filter(self) -> str:
        """Return the name of the filter in the list of sessions."""
        return str(self.opts.model_name)

    @admin.display(description=gettext_lazy("sessions"), ordering="session_total")
    def session_count(self, row: Any) -> SafeString | str:
        """Return the number of sessions, which leads to their list."""
        if not row.session_total:
            return "0"
        address = reverse("admin:sessions_app_session_changelist")
        query = f"?conference={row.conference_id}&{self.sessions_filter()}={row.pk}"
        return format_html('<a href="{}{}">{}</a>', address, query, row.session_total)


class RoomAdmin(NamedAdmin):
    """Rooms in their order."""

    list_display = ("name", "position", "address", "session_count")
    search_fields = ("name", "address")
    fieldsets = (
        (None, {"fields": ("name", "position", "address", "description")}),
        (gettext_lazy("Address on the site"), {"classes": ("collapse",), "fields": ("slug",)}),
    )


class TrackForm(NamedForm):
    """A track: its name is its own among those with the same parent."""

    unique_in_conference = ("slug",)
    colour = forms.TypedChoiceField(
        choices=list(enumerate(COLOUR_NAMES, start=1)),
        coerce=int,
        widget=ColourSelect,
        label=gettext_lazy("Colour"),
        help_text=gettext_lazy(
            "Each is readable in light and in dark; the name of the track always stands beside it."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is None and self.conference is not None:
            used = self.conference.tracks.values_list("colour", flat=True)
            self.initial.setdefault("colour", next_colour(used))

    def clean(self) -> dict[str, Any]:
        """Refuse a second track of the same name under the same parent."""
        cleaned = super().clean()
        rows = Track.objects.filter(
            conference=self.conference, parent=cleaned.get("parent"), name=cleaned.get("name", "")
        )
        if rows.exclude(pk=self.instance.pk).exists():
            self.add_error("name", _("There is a track of this name already."))
        return cleaned


class TrackAdmin(NamedAdmin):
    """Tracks with their sub-tracks and colours."""

    form = TrackForm
    autocomplete_fields = ("parent",)
    list_display = ("full_name", "swatch", "position", "session_count")
    list_display_links = ("full_name",)
    list_filter = (ConferenceFilter, ParentFilter)
    search_fields = ("name", "parent__name")
    fieldsets = (
        (None, {"fields": ("name", "parent", "colour", "position", "description")}),
        (gettext_lazy("Address on the site"), {"classes": ("collapse",), "fields": ("slug",)}),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the tracks with their parents."""
        rows = super().get_queryset(request)
        return rows.select_related("parent")

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Offer as a parent only what may be one."""
        if request.GET.get("field_name") == "parent" and request.path.endswith("/autocomplete/"):
            queryset = queryset.filter(parent__isnull=True)
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description=gettext_lazy("name"), ordering="name")
    def full_name(self, track: Track) -> str:
        """Return the name, which begins with the parent's."""
        return str(track)

    @admin.display(description=gettext_lazy("colour"), ordering="colour")
    def swatch(self, track: Track) -> SafeString:
        """Return the colour with its name beside it."""
        return format_html(
            '<span class="swatch t{}"></span> {}', track.colour, COLOUR_NAMES[track.colour - 1]
        )


class LevelForm(NamedForm):
    """A level: "none" is how addresses say "not stated"."""

    def clean_slug(self) -> str:
        """Refuse what the site needs for itself."""
        slug: str = self.cleaned_data["slug"]
        if slug == "none":
            text = _("“none” means “not stated” in addresses; choose another.")
            raise forms.ValidationError(text, code="reserved")
        return slug


class LevelAdmin(NamedAdmin):
    """Audience levels."""

    form = LevelForm
    fieldsets = (
        (None, {"fields": ("name", "position")}),
        (gettext_lazy("Address on the site"), {"classes": ("collapse",), "fields": ("slug",)}),
    )

    def view_on_site(self, level: Level) -> str:
        """Return the schedule filtered by the level, which has no page of its own."""
        return f"{level.conference.get_absolute_url()}?level={level.slug}"

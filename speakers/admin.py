"""People in the admin: photo, biography to be completed, and what they speak at."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import FileResponse, Http404, HttpRequest
from django.urls import path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sessions_app.admin.filters import ConferenceFilter
from sessions_app.admin.inlines import delete_stored
from sessions_app.admin.publishing import PublishingAdmin, PublishingForm
from sessions_app.admin.walltime import wall_time
from sessions_app.admin.widgets import StoredFileInput
from sessions_app.slugs import ascii_slug
from sessions_app.uploads import prepare_photo
from speakers.models import Speaker


class BiographyFilter(admin.SimpleListFilter):
    """Whose biography needs somebody."""

    title = gettext_lazy("biography")
    parameter_name = "bio"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer what there is to do."""
        return [("cut", _("cut off")), ("missing", _("missing")), ("complete", _("complete"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the people chosen."""
        match self.value():
            case "cut":
                return queryset.filter(bio_is_truncated=True)
            case "missing":
                return queryset.filter(bio="", bio_is_truncated=False)
            case "complete":
                return queryset.filter(bio_is_truncated=False).exclude(bio="")
        return queryset


class PhotoFilter(admin.SimpleListFilter):
    """Who has a photo here, and of whom only the source has one."""

    title = gettext_lazy("photo")
    parameter_name = "photo"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer what there is to do."""
        return [("yes", _("here")), ("source", _("only in the source")), ("no", _("none"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the people chosen."""
        match self.value():
            case "yes":
                return queryset.exclude(photo="")
            case "source":
                return queryset.filter(photo="", has_avatar=True)
            case "no":
                return queryset.filter(photo="", has_avatar=False)
        return queryset


class SpeakerForm(PublishingForm):
    """A person: two people may share a name, a photo is made small and clean."""

    photo = forms.FileField(
        required=False,
        label=gettext_lazy("Photo"),
        widget=StoredFileInput("admin:speakers_speaker_photo", "image/jpeg,image/png,image/webp"),
        help_text=gettext_lazy(
            "JPEG, PNG or WebP. It is scaled down, and what a camera hides in it is removed."
        ),
    )
    stays_cut_off = forms.BooleanField(
        required=False,
        label=gettext_lazy("The new text is cut off too"),
        help_text=gettext_lazy("Otherwise a new text takes the mark away."),
    )

    def clean_photo(self) -> Any:
        """Turn a new upload into the picture that is kept."""
        photo = self.cleaned_data.get("photo")
        if isinstance(photo, UploadedFile):
            name = ascii_slug(self.data.get("name", ""), fallback="photo", length=60)
            # Browsers keep a photo for a day: another picture needs another address.
            return prepare_photo(photo, f"{name}-{secrets.token_hex(4)}")
        return photo

    def clean(self) -> dict[str, Any]:
        """Take the mark "cut off" away with a new text, unless it is to stay."""
        cleaned = super().clean()
        # Browsers send two characters for a line break; that alone is no new text.
        bio = cleaned.get("bio", "").replace("\r\n", "\n")
        is_new_text = bio != self.initial.get("bio", "").strip()
        if (
            is_new_text
            and self.initial.get("bio_is_truncated")
            and not cleaned.get("stays_cut_off")
        ):
            cleaned["bio_is_truncated"] = False
        return cleaned


@admin.register(Speaker)
class SpeakerAdmin(PublishingAdmin):
    """Everybody on the programme."""

    form = SpeakerForm
    list_display = ("name", "company", "headline", "session_count", "biography", "has_photo")
    list_filter = (ConferenceFilter, BiographyFilter, PhotoFilter)
    search_fields = ("name", "company", "headline")
    search_help_text = gettext_lazy("Name, company or headline.")
    ordering = ("name", "slug")
    readonly_fields = ("sessions_shown", "source_key", "has_avatar")
    list_per_page = 100
    fieldsets = (
        (None, {"fields": ("name", "headline", "company", "website", "photo")}),
        (gettext_lazy("Biography"), {"fields": ("bio", "bio_is_truncated", "stays_cut_off")}),
        (gettext_lazy("On the programme"), {"fields": ("sessions_shown",)}),
        (
            gettext_lazy("Address and source"),
            {"classes": ("collapse",), "fields": ("slug", "source_key", "has_avatar")},
        ),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return people with the number of their sessions."""
        return (
            super().get_queryset(request).annotate(session_total=Count("sessions", distinct=True))
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Ask whether a new text is cut off only where the old one is."""
        if obj is not None and obj.bio_is_truncated:
            return self.fieldsets
        return tuple(
            (
                name,
                {**options, "fields": tuple(f for f in options["fields"] if f != "stays_cut_off")},
            )
            for name, options in self.fieldsets
        )

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save, and drop a replaced photo once that is certain."""
        old = form.initial.get("photo") if "photo" in form.changed_data else None
        super().save_model(request, obj, form, change)
        if old:
            transaction.on_commit(delete_stored(old))

    def suggestion_text(self, speaker: Speaker) -> str:
        """Return what tells two people of one name apart."""
        return f"{speaker.name} ({speaker.company})" if speaker.company else speaker.name

    def view_on_site(self, speaker: Any) -> str | None:
        """Return the public page, None for somebody whom no visible session lists."""
        return speaker.get_absolute_url() if speaker.sessions.visible().exists() else None

    @admin.display(description=gettext_lazy("sessions"), ordering="session_total")
    def session_count(self, speaker: Any) -> int:
        """Return the number of sessions."""
        return int(speaker.session_total)

    @admin.display(description=gettext_lazy("biography"), ordering="bio_is_truncated")
    def biography(self, speaker: Speaker) -> str:
        """Return what is left to do about the biography."""
        if speaker.bio_is_truncated:
            return _("cut off: complete it")
        return _("complete") if speaker.bio else _("missing")

    @admin.display(description=gettext_lazy("photo"), boolean=True, ordering="photo")
    def has_photo(self, speaker: Speaker) -> bool:
        """Return whether there is a photo here."""
        return bool(speaker.photo)

    @admin.display(description=gettext_lazy("Sessions"))
    def sessions_shown(self, speaker: Speaker) -> SafeString | str:
        """Return the person's sessions, each leading to its page."""
        if speaker.pk is None:
            return ""
        zone = speaker.conference.zone
        return format_html_join(
            "",
            '<p class="row"><a href="{}">{}</a> {} {}</p>',
            (
                (
                    reverse("admin:sessions_app_session_change", args=[session.pk]),
                    session.title,
                    wall_time(session.starts_at, zone),
                    session.get_status_display(),
                )
                for session in speaker.sessions.order_by("starts_at")
            ),
        )

    def get_urls(self) -> list[Any]:
        """Add the address at which organizers look at a photo, published or not."""
        view = self.admin_site.admin_view(self.photo_file)
        return [path("<int:pk>/photo/", view, name="speakers_speaker_photo"), *super().get_urls()]

    def photo_file(self, request: HttpRequest, pk: int) -> FileResponse:
        """Answer with a stored photo; 404 where there is none."""
        speaker = Speaker.objects.filter(pk=pk).exclude(photo="").first()
        if speaker is None:
            raise Http404
        if not self.has_view_or_change_permission(request, speaker):
            raise PermissionDenied
        try:
            return FileResponse(speaker.photo.open("rb"))
        except FileNotFoundError as error:
            raise Http404 from error

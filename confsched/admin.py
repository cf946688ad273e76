"""Conferences in the admin."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator, URLValidator
from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from confsched.models import Conference
from sessions_app.admin.publishing import PublishingAdmin, PublishingForm
from sessions_app.admin.widgets import SuggestingInput
from sessions_app.models import Status
from sessions_app.timezones import common_zones, find_zone


class ConferenceForm(PublishingForm):
    """A conference: its zone is suggested while one types, its contact is e-mail or https."""

    timezone = forms.CharField(
        max_length=64,
        label=gettext_lazy("Time zone"),
        widget=SuggestingInput((zone, "") for zone in common_zones()),
        help_text=gettext_lazy(
            "IANA name, for example Europe/Paris. All times are shown and entered in it."
        ),
    )

    def clean_ends_on(self) -> Any:
        """Refuse an end before the start at its field."""
        starts_on, ends_on = self.cleaned_data.get("starts_on"), self.cleaned_data["ends_on"]
        if starts_on and ends_on and ends_on < starts_on:
            raise ValidationError(_("The last day is before the first day."), code="order")
        return ends_on

    def clean_timezone(self) -> str:
        """Return the zone's name as IANA spells it."""
        text: str = self.cleaned_data["timezone"]
        return find_zone(text) or text

    def clean_contact(self) -> str:
        """Accept an e-mail address or an https address."""
        contact: str = self.cleaned_data["contact"].strip()
        if not contact:
            return contact
        check = URLValidator(schemes=["https"]) if ":" in contact else EmailValidator()
        try:
            check(contact)
        except ValidationError as error:
            text = _("Enter an e-mail address, or an address that begins with https://.")
            raise ValidationError(text, code="contact") from error
        return contact


@admin.register(Conference)
class ConferenceAdmin(PublishingAdmin):
    """Conferences; those with a published session stay."""

    form = ConferenceForm
    has_conference = False
    list_display = ("name", "dates", "place", "timezone", "sessions_shown", "revision", "site_link")
    search_fields = ("name", "place", "slug")
    ordering = ("-starts_on", "name")
    readonly_fields = ("revision", "revised_at")
    fieldsets = (
        (None, {"fields": ("name", "slug", "place", ("starts_on", "ends_on"), "timezone")}),
        (gettext_lazy("Links"), {"fields": ("website", "registration_url", "contact")}),
        (gettext_lazy("Shown with the schedule"), {"fields": ("notice", "registration_note")}),
        (
            gettext_lazy("Published"),
            {"classes": ("collapse",), "fields": ("revision", "revised_at")},
        ),
    )

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        """Suggest an address for a new conference; one in use stays as it is."""
        return {} if obj else {"slug": ("name",)}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Use the date pickers that browsers and phones bring along."""
        if db_field.name in ("starts_on", "ends_on"):
            kwargs["widget"] = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return conferences with the number of sessions on their pages."""
        rows = super().get_queryset(request)
        on_pages = Q(sessions__status__in=[Status.PUBLISHED, Status.CANCELLED])
        return rows.annotate(session_total=Count("sessions", filter=on_pages))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keep a conference whose sessions people may hold in their calendars."""
        if not super().has_delete_permission(request, obj):
            return False
        return obj is None or not obj.sessions.exclude(published_values={}).exists()

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Leave out deletion in bulk: a conference goes one by one, if at all."""
        found: dict[str, Any] = super().get_actions(request)
        found.pop("delete_selected", None)
        return found

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save; say it where another zone makes every clock time read differently."""
        super().save_model(request, obj, form, change)
        if change and "timezone" in form.changed_data and obj.sessions.exists():
            text = _(
                "The sessions keep their moments, so that their times now read as clocks in "
                "%(zone)s show them."
            )
            messages.warning(request, text % {"zone": obj.timezone})

    @admin.display(description=gettext_lazy("dates"), ordering="starts_on")
    def dates(self, conference: Conference) -> str:
        """Return the first and the last day."""
        days = (conference.starts_on, conference.ends_on)
        return " – ".join(dict.fromkeys(day.isoformat() for day in days if day))

    @admin.display(description=gettext_lazy("sessions"), ordering="session_total")
    def sessions_shown(self, conference: Any) -> SafeString:
        """Return how many sessions the pages show, which leads to their list."""
        address = reverse("admin:sessions_app_session_changelist")
        return format_html(
            '<a href="{}?conference={}">{}</a>', address, conference.pk, conference.session_total
        )

    @admin.display(description=gettext_lazy("site"))
    def site_link(self, conference: Conference) -> SafeString:
        """Return the way to the schedule."""
        return format_html('<a href="{}">/{}/</a>', conference.get_absolute_url(), conference.slug)

"""What every admin page of the programme does: publish each save, once, and say so.

``PublishingAdmin`` wraps whatever an organizer sends (a form with its inlines, an edited list, an
action, a deletion) in one transaction that ends in one ``publish`` per conference touched, in the
organizer's name. ``PublishingForm`` refuses to overwrite a save that came in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from confsched.models import Conference
from sessions_app.admin.bases import ModelAdminBase, ModelFormBase
from sessions_app.admin.scope import (
    conference_for_new,
    conference_id_in,
    conference_of,
    has_several_conferences,
    in_conference,
    remember_conference,
)
from sessions_app.admin.versions import changed_since, conflict_message, digest, stored_values
from sessions_app.admin.widgets import HttpURLField, ScopedAutocomplete, ScopedRelatedWrapper
from sessions_app.models import Change
from sessions_app.publish import publishing


class PublishingForm(ModelFormBase):
    """A form of one row of the programme, with the version it was opened at.

    ``conference`` is set by the admin: the one the row belongs to, None for a conference itself.
    """

    conference: ClassVar[Conference | None] = None
    #: Fields that no two rows of a conference may share.
    unique_in_conference: tuple[str, ...] = ("slug",)

    is_silent = forms.BooleanField(
        required=False,
        label=gettext_lazy("Small correction"),
        help_text=gettext_lazy("Shown at once, but not announced in the list of changes."),
    )
    version = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.conference is not None and self.instance.pk is None:
            self.instance.conference = self.conference
        self.stored = self.stored_state() if self.instance.pk is not None else {}
        self.initial["version"] = digest(self.stored)

    def stored_state(self) -> dict[str, str]:
        """Return what the database holds of everything that the page edits."""
        names = [
            field.name
            for field in (*self._meta.model._meta.fields, *self._meta.model._meta.many_to_many)
            if field.name in self.fields
        ]
        owner = self.instance if isinstance(self.instance, Conference) else self.conference
        assert owner is not None  # noqa: S101  # every other row has a conference
        return stored_values(self.instance, names, owner.zone)

    def label_of(self, name: str) -> str:
        """Return what the page calls a part of the stored state."""
        return str(self.fields[name].label) if name in self.fields else name

    def clean(self) -> dict[str, Any]:
        """Refuse to overwrite what somebody else has saved since the page was opened."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        names = changed_since(self.data.get(self.add_prefix("version"), ""), self.stored)
        if self.stored and names:
            changed = {name: (self.label_of(name), self.stored[name]) for name in names}
            self.add_error(None, ValidationError(conflict_message(self.instance, changed)))
            data: Any = self.data.copy()  # type: ignore[attr-defined]  # a QueryDict
            data[self.add_prefix("version")] = digest(self.stored)
            self.data = data
        self._clean_unique(cleaned)
        return cleaned

    def _clean_unique(self, cleaned: dict[str, Any]) -> None:
        """Say at its field which row has the same name or address."""
        if self.conference is None:
            return
        rows = self._meta.model._default_manager.filter(conference=self.conference)
        for name in self.unique_in_conference:
            value = cleaned.get(name)
            if not value or not isinstance(value, str):
                continue
            other = rows.filter(**{name: value}).exclude(pk=self.instance.pk).first()
            if other is not None:
                self.add_error(name, _("“%(other)s” has this already.") % {"other": other})

    def _get_validation_exclusions(self) -> set[str]:
        """Check constraints that speak of the conference, though it is no field of the form."""
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]  # not in the stubs
        return excluded - {"conference"}


class ScopedFields:
    """Related rows to choose from are those of the page's own conference."""

    admin_site: Any
    formfield_overrides: Any = {models.URLField: {"form_class": HttpURLField}}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Let the "add another" window know the conference."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)  # type: ignore[misc]  # mixed into an admin class
        conference = conference_of(request)
        widget = getattr(field, "widget", None)
        if conference is not None and isinstance(widget, RelatedFieldWidgetWrapper):
            field.widget = ScopedRelatedWrapper(widget, conference.pk)
        return field

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer and accept only rows of the conference."""
        conference = conference_of(request)
        model = db_field.remote_field.model
        kwargs["queryset"] = in_conference(model._default_manager.all(), conference)
        if db_field.name in self.get_autocomplete_fields(request):  # type: ignore[attr-defined]  # an admin class has it
            pk = conference.pk if conference else None
            kwargs["widget"] = ScopedAutocomplete(db_field, self.admin_site, pk)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)  # type: ignore[misc]  # mixed into an admin class
        field.error_messages["invalid_choice"] = _(
            "This %(what)s is not there any more or belongs to another conference."
        ) % {"what": model._meta.verbose_name}
        return field

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer and accept only rows of the conference, as check boxes."""
        rows = db_field.remote_field.model._default_manager.all()
        kwargs["queryset"] = in_conference(rows, conference_of(request))
        kwargs["widget"] = forms.CheckboxSelectMultiple()
        return super().formfield_for_manytomany(db_field, request, **kwargs)  # type: ignore[misc]  # mixed into an admin class


class PublishingAdmin(ScopedFields, ModelAdminBase):
    """An admin page whose every write is published in the same transaction."""

    form = PublishingForm
    change_form_template = "admin/publishing_change_form.html"
    #: Whether rows belong to a conference (all but conferences themselves).
    has_conference: ClassVar[bool] = True

    class Media:
        css = {"all": ["css/admin.css"]}

    # --- one transaction, one publish -------------------------------------------------------------

    def _publishing(self, request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
        if request.method != "POST":
            return answer()
        before = _revisions()
        silent = "is_silent" in request.POST
        with publishing(by=request.user.get_username(), silent=silent):
            response = answer()
        self._tell_published(request, before)
        return response

    def _tell_published(self, request: HttpRequest, before: dict[int, int]) -> None:
        for conference in Conference.objects.all():
            if conference.pk in before and before[conference.pk] != conference.revision:
                count = Change.objects.filter(
                    conference=conference, revision=conference.revision
                ).values("session").distinct().count()  # fmt: skip
                text = (
                    ngettext(
                        "Published: %(count)s session changed.",
                        "Published: %(count)s sessions changed.",
                        count,
                    )
                    % {"count": count}
                    if count
                    else _("Published.")
                )
                link = format_html(
                    '{} <a href="{}">{}</a>', text, conference.get_absolute_url(), _("See the site")
                )
                messages.success(request, link)

    def changeform_view(
        self, request: HttpRequest, object_id: Any = None, *args: Any, **kw: Any
    ) -> Any:
        """Show or save one row, with the conference known and its writers in line."""
        if object_id is None and self.has_conference:
            chosen = conference_for_new(request)
            if chosen is None:
                return self.choose_conference(request)
            remember_conference(request, chosen)
        view = super().changeform_view
        return self._publishing(request, lambda: view(request, object_id, *args, **kw))

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """Return the row; before a save, wait for other writers of its conference."""
        row = super().get_object(request, object_id, from_field)
        if row is None:
            return None
        conference = row if isinstance(row, Conference) else row.conference
        if request.method == "POST" and transaction.get_connection().in_atomic_block:
            Conference.objects.select_for_update().filter(pk=conference.pk).first()
            row = super().get_object(request, object_id, from_field)
        if self.has_conference:
            remember_conference(request, conference)
        return row

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show the list, or take what was edited in it or an action."""
        view = super().changelist_view
        return self._publishing(request, lambda: view(request, extra_context))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Ask, or delete."""
        view = super().delete_view
        return self._publishing(request, lambda: view(request, object_id, extra_context))

    # --- forms of one conference ------------------------------------------------------------------

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kw: Any
    ) -> Any:
        """Return the form class, told about the conference."""
        base = super().get_form(request, obj, change=change, **kw)
        return type(base.__name__, (base,), {"conference": conference_of(request)})

    def choose_conference(self, request: HttpRequest) -> HttpResponse:
        """Ask which conference a new row is for; where there is none, lead to adding one."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        conferences = list(Conference.objects.all())
        if not conferences:
            self.message_user(request, _("Add the conference first."), messages.WARNING)
            return HttpResponseRedirect(reverse("admin:confsched_conference_add"))
        query = request.GET.copy()
        choices = []
        for conference in conferences:
            query["conference"] = str(conference.pk)
            choices.append((conference, f"?{query.urlencode()}"))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("For which conference?"),
            "choices": choices,
            "is_popup": "_popup" in request.GET,
        }
        return TemplateResponse(request, "admin/choose_conference.html", context)

    # --- lists ------------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the rows with their conference, which every address and time needs."""
        rows = super().get_queryset(request)
        return rows.select_related("conference") if self.has_conference else rows

    def get_list_display(self, request: HttpRequest) -> Any:
        """Name the conference of each row where there are several."""
        columns = tuple(super().get_list_display(request))
        several = self.has_conference and has_several_conferences(request)
        return (*columns, "conference") if several else columns

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Search; suggestions for a form are those of the conference in their address."""
        wanted = conference_id_in(request)
        if request.path.endswith("/autocomplete/") and self.has_conference and wanted is not None:
            queryset = queryset.filter(conference_id=wanted)
        return super().get_search_results(request, queryset, search_term)


def _revisions() -> dict[int, int]:
    return dict(Conference.objects.values_list("pk", "revision"))

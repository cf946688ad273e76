"""Sessions: the list, and the page on which a session is edited with its people and slides."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sessions_app.admin import filters
from sessions_app.admin.actions import (
    NEXT_STATUSES,
    STEPS,
    WITHDRAW,
    delete_sessions,
    is_known_outside,
    status_action,
    withdraw,
)
from sessions_app.admin.bookings import double_bookings
from sessions_app.admin.inlines import SlidesInline, SpeakerInline, TrackInline
from sessions_app.admin.kinds import KindField, kind_code
from sessions_app.admin.publishing import PublishingAdmin, PublishingForm
from sessions_app.admin.walltime import WallTimeField
from sessions_app.agenda.models import Pick
from sessions_app.kinds import kind_label
from sessions_app.models import Session, Slides, Status
from sessions_app.schedule import conference_day


class SessionForm(PublishingForm):
    """A session: times as on the wall, kinds in words, only the next steps of its life."""

    starts_at = WallTimeField(label=gettext_lazy("Start"))
    ends_at = WallTimeField(
        label=gettext_lazy("End"),
        same_day_as="starts_at",
        help_text=gettext_lazy("Without a date: on the day of the start."),
    )
    kind = KindField(
        label=gettext_lazy("Kind"),
        initial="talk",
        help_text=gettext_lazy("One of the suggestions, or a word of your own."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assert self.conference is not None  # noqa: S101  # the admin sets it
        for name in ("starts_at", "ends_at"):
            if name in self.fields:
                self.fields[name].set_zone(self.conference.zone)  # type: ignore[attr-defined]  # a WallTimeField
        if "status" in self.fields:
            steps = NEXT_STATUSES[Status(self.instance.status)]
            choices = [(value, label) for value, label in Status.choices if value in steps]
            self.fields["status"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField

    def stored_state(self) -> dict[str, str]:
        """Return the row's own values, and the people, tracks and slides in their order."""
        session = self.instance
        people = session.session_speakers.select_related("speaker").order_by("position")
        tracks = session.session_tracks.select_related("track__parent").order_by("position")
        decks = session.slides.order_by("position")
        return {
            **super().stored_state(),
            "speakers": ", ".join(
                f"{row.speaker} ({_('moderator')})" if row.is_moderator else str(row.speaker)
                for row in people
            ),
            "tracks": ", ".join(str(row.track) for row in tracks),
            "slides": ", ".join(f"{row} {row.url or row.file}".strip() for row in decks),
        }

    def label_of(self, name: str) -> str:
        """Name the lists below the form too."""
        lists = {"speakers": _("Speakers"), "tracks": _("Tracks"), "slides": _("Slides")}
        return lists.get(name) or super().label_of(name)

    def _post_clean(self) -> None:
        """Compare times with each other only where both could be read."""
        for name in ("starts_at", "ends_at"):
            if name in self.errors:
                setattr(self.instance, name, None)
        super()._post_clean()  # type: ignore[misc]  # not in the stubs

    def clean_kind(self) -> str:
        """Turn what was typed into the code of a kind."""
        if "kind" not in self.changed_data and self.instance.pk is not None:
            return str(self.initial["kind"])
        return kind_code(self.cleaned_data["kind"])


class SessionAdmin(PublishingAdmin):
    """Sessions of all conferences; each is edited on its own page."""

    form = SessionForm
    inlines = (SpeakerInline, TrackInline, SlidesInline)
    autocomplete_fields = ("room", "replacement")
    search_fields = (
        "title",
        "source_title",
        "speakers__name",
        "speakers__company",
        "room__name",
        "tracks__name",
    )
    search_help_text = gettext_lazy("Title, people, company, room or track.")
    list_display = (
        "title_link", "when", "room", "people", "tracks_shown", "kind_shown", "status_shown",
        "decks", "picked",
    )  # fmt: skip
    list_display_links = ("title_link",)
    list_filter = (
        filters.ConferenceFilter,
        filters.DayFilter,
        filters.StatusFilter,
        filters.RoomFilter,
        filters.TrackFilter,
        filters.KindFilter,
        filters.LevelFilter,
        filters.SlidesFilter,
    )
    list_per_page = 100
    ordering = ("starts_at", "position", "number")
    actions = (*(status_action(step) for step in STEPS), delete_sessions)
    readonly_fields = ("source_title", "source_key", "has_slides_tag", "number", "uid")
    save_on_top = True
    fieldsets = (
        (None, {"fields": ("title", ("kind", "is_sponsored"), "status", "replacement")}),
        (
            gettext_lazy("When and where"),
            {"fields": ("starts_at", "ends_at", "room", "position")},
        ),
        (gettext_lazy("What it is about"), {"fields": ("abstract", "levels")}),
        (
            gettext_lazy("Address and source"),
            {
                "classes": ("collapse",),
                "fields": (
                    "slug", "number", "uid", "source_title", "source_key", "has_slides_tag",
                ),
            },
        ),
    )  # fmt: skip

    # --- the list ---------------------------------------------------------------------------------

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return sessions with what the columns show, whatever their number."""
        rows = super().get_queryset(request)
        if request.resolver_match and request.resolver_match.url_name != (
            "sessions_app_session_changelist"
        ):
            return rows
        return (
            rows.select_related("room")
            .prefetch_related("session_speakers__speaker", "session_tracks__track__parent")
            .annotate(deck_count=_count(Slides), pick_count=_count(Pick))
        )

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Replace Django's deletion by ours, which withdraws what the public has seen."""
        found: dict[str, Any] = super().get_actions(request)
        found.pop("delete_selected", None)
        return found

    @admin.display(description=gettext_lazy("title"), ordering="title")
    def title_link(self, session: Session) -> str:
        """Return the title, by which a row leads to its page."""
        return session.title

    @admin.display(description=gettext_lazy("when"), ordering="starts_at")
    def when(self, session: Session) -> SafeString:
        """Return the conference day, and start and end as on the wall."""
        zone = session.conference.zone
        day = date_format(conference_day(session.starts_at, zone), "D j M Y")
        start, end = (each.astimezone(zone) for each in (session.starts_at, session.ends_at))
        return format_html(
            '<span class="in-one">{}</span> <span class="in-one">{}–{}</span>',
            day,
            f"{start:%H:%M}",
            f"{end:%H:%M}",
        )

    @admin.display(description=gettext_lazy("tracks"))
    def tracks_shown(self, session: Session) -> str:
        """Return the tracks in order."""
        return ", ".join(str(row.track) for row in _in_order(session.session_tracks))

    @admin.display(description=gettext_lazy("kind"), ordering="kind")
    def kind_shown(self, session: Session) -> str:
        """Return the kind in words."""
        return kind_label(session.kind)

    @admin.display(description=gettext_lazy("status"), ordering="status")
    def status_shown(self, session: Session) -> SafeString:
        """Return the status as a word with a mark of its own."""
        label = Status(session.status).label
        return format_html('<span class="status status-{}">{}</span>', session.status, label)

    @admin.display(description=gettext_lazy("people"))
    def people(self, session: Session) -> str:
        """Return the people in printed order."""
        return ", ".join(row.speaker.name for row in _in_order(session.session_speakers))

    @admin.display(description=gettext_lazy("slides"), ordering="deck_count")
    def decks(self, session: Any) -> str:
        """Return how many decks there are."""
        return str(session.deck_count or "")

    @admin.display(description=gettext_lazy("in agendas"), ordering="pick_count")
    def picked(self, session: Any) -> str:
        """Return how many visitors have picked it."""
        return str(session.pick_count or "")

    # --- the page ---------------------------------------------------------------------------------

    def view_on_site(self, session: Session) -> str | None:
        """Return the public address, None for what has no page."""
        on_pages = (Status.PUBLISHED, Status.CANCELLED)
        return session.get_absolute_url() if session.status in on_pages else None

    def response_add(self, request: HttpRequest, obj: Session, *args: Any) -> HttpResponse:
        """Answer, with warnings."""
        response: HttpResponse = super().response_add(request, obj, *args)
        self._warn(request, obj)
        return response

    def response_change(self, request: HttpRequest, obj: Session) -> HttpResponse:
        """Answer, with warnings."""
        response: HttpResponse = super().response_change(request, obj)
        self._warn(request, obj)
        return response

    def _warn(self, request: HttpRequest, session: Session) -> None:
        for sentence in double_bookings(session):
            self.message_user(request, sentence, messages.WARNING)
        if session.status == Status.DRAFT:
            text = _("“%(title)s” is a draft: nobody but organizers sees it yet.")
            self.message_user(request, text % {"title": session.title}, messages.INFO)

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Delete a draft; ask to withdraw what the public has seen."""
        session = Session.objects.filter(pk=object_id).first() if object_id.isdecimal() else None
        if session is None or not is_known_outside(session):
            return super().delete_view(request, object_id, extra_context)
        return self._publishing(request, lambda: self._withdraw_view(request, session))

    def _withdraw_view(self, request: HttpRequest, session: Session) -> HttpResponse:
        if not self.has_delete_permission(request, session):
            raise PermissionDenied
        if request.method == "POST":
            if WITHDRAW.applies_to(session):
                withdraw(self, request, session)
            text = _("“%(title)s” is withdrawn; it can be restored.")
            self.message_user(request, text % {"title": session.title}, messages.SUCCESS)
            return self.response_post_save_change(request, session)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "object": session,
            "title": _("Withdraw"),
            "explanation": WITHDRAW.explanation,
            "is_withdrawn": session.status == Status.WITHDRAWN,
        }
        return TemplateResponse(request, "admin/sessions_app/session/withdraw.html", context)

    # --- uploads ----------------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        """Add the address at which organizers look at an upload, published or not."""
        view = self.admin_site.admin_view(self.slides_file)
        return [
            path("slides/<int:pk>/", view, name="sessions_app_slides_file"),
            *super().get_urls(),
        ]

    def slides_file(self, request: HttpRequest, pk: int) -> FileResponse:
        """Answer with an uploaded deck as a download; 404 where there is none."""
        deck = Slides.objects.filter(pk=pk).exclude(file="").select_related("session").first()
        if deck is None:
            raise Http404
        if not self.has_view_or_change_permission(request, deck.session):
            raise PermissionDenied
        try:
            return FileResponse(deck.file.open("rb"), as_attachment=True)
        except FileNotFoundError as error:
            raise Http404 from error


def _count(model: Any) -> Any:
    rows = model.objects.filter(session=OuterRef("pk")).order_by().values("session")
    return Coalesce(Subquery(rows.annotate(count=Count("pk")).values("count")), 0)


def _in_order(links: Any) -> list[Any]:
    return sorted(links.all(), key=lambda row: row.position)

"""The change log, to read: only ``publish`` writes it."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sessions_app.admin.bases import ModelAdminBase
from sessions_app.admin.filters import AnnouncedFilter, ConferenceFilter, EditorFilter
from sessions_app.admin.scope import has_several_conferences
from sessions_app.admin.walltime import wall_time
from sessions_app.kinds import kind_label
from sessions_app.models import Change, Session, Status

#: Where a long value is cut in the list.
SHOWN_LENGTH = 80


class ChangeAdmin(ModelAdminBase):
    """What the public saw differently, newest first."""

    list_display = ("when", "session_link", "field_name", "old_value", "new_value", "who", "silent")
    list_display_links = None
    list_filter = (ConferenceFilter, AnnouncedFilter, "field", ("by", EditorFilter))
    list_select_related = ("conference", "session")
    search_fields = ("session__title", "by")
    date_hierarchy = "at"
    list_per_page = 100

    class Media:
        css = {"all": ["css/admin.css"]}

    def get_list_display(self, request: HttpRequest) -> Any:
        """Name the conference where there are several."""
        columns = tuple(super().get_list_display(request))
        return (*columns, "conference") if has_several_conferences(request) else columns

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds to the log by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody corrects the log."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody shortens the log."""
        return False

    @admin.display(description=gettext_lazy("when"), ordering="at")
    def when(self, change: Change) -> str:
        """Return the moment as clocks at the conference showed it."""
        return wall_time(change.at, change.conference.zone)

    @admin.display(description=gettext_lazy("session"), ordering="session__title")
    def session_link(self, change: Change) -> SafeString:
        """Return the session, which leads to its page in the admin."""
        return format_html(
            '<a href="{}">{}</a>',
            f"../session/{change.session_id}/change/",
            change.session,
        )

    @admin.display(description=gettext_lazy("field"), ordering="field")
    def field_name(self, change: Change) -> str:
        """Return the field in words."""
        try:
            field: Any = Session._meta.get_field(change.field)
        except FieldDoesNotExist:
            return change.field.replace("_", " ")
        return str(field.verbose_name)

    @admin.display(description=gettext_lazy("old"))
    def old_value(self, change: Change) -> str:
        """Return what was shown before."""
        return value_text(change, change.old)

    @admin.display(description=gettext_lazy("new"))
    def new_value(self, change: Change) -> str:
        """Return what is shown since."""
        return value_text(change, change.new)

    @admin.display(description=gettext_lazy("who"), ordering="by")
    def who(self, change: Change) -> str:
        """Return whose save it was."""
        return change.by

    @admin.display(description=gettext_lazy("announced"), boolean=True, ordering="-is_silent")
    def silent(self, change: Change) -> bool:
        """Return whether the public list of changes has it."""
        return not change.is_silent


def value_text(change: Change, value: Any) -> str:
    """Return a logged value for people: wall times, words, lists with commas."""
    if value in (None, "", []):
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return Truncator(", ".join(map(str, value))).chars(SHOWN_LENGTH)
    if change.field in ("starts_at", "ends_at"):
        return wall_time(dt.datetime.fromisoformat(str(value)), change.conference.zone)
    if change.field == "status" and value in Status.values:
        return str(Status(value).label)
    if change.field == "kind":
        return kind_label(str(value))
    return Truncator(str(value)).chars(SHOWN_LENGTH)

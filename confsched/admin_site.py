"""The admin as organizers meet it: its name, its order, and suggestions that tell people apart."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

#: The order of the index; apps that are not named come last.
APP_ORDER = ("sessions_app", "speakers", "confsched", "auth")
MODEL_ORDER = ("Session", "Room", "Track", "Level", "Change")


class Suggestions(AutocompleteJsonView):
    """Suggestions with a second word where the model's admin has one, such as a company."""

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        """Return one suggestion."""
        result: dict[str, str] = super().serialize_result(obj, to_field_name)
        text = getattr(self.model_admin, "suggestion_text", None)
        return result if text is None else {**result, "text": text(obj)}


class OrganizerSite(AdminSite):
    """The one admin site."""

    site_header = _("Conference schedule")
    site_title = _("Conference schedule")
    index_title = _("For organizers")
    # Lists need the width; the links stand in the header (templates/admin/base_site.html).
    enable_nav_sidebar = False

    def autocomplete_view(self, request: HttpRequest) -> Any:
        """Answer what select boxes ask while one types."""
        return Suggestions.as_view(admin_site=self)(request)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the apps with the schedule first, and sessions first in it."""
        apps: list[Any] = super().get_app_list(request, app_label)
        for app in apps:
            app["models"].sort(key=lambda model: _place(model["object_name"], MODEL_ORDER))
        return sorted(apps, key=lambda app: _place(app["app_label"], APP_ORDER))


def _place(name: str, order: tuple[str, ...]) -> int:
    return order.index(name) if name in order else len(order)

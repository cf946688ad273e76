"""Form widgets of the admin that need no inline script or style."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.admin import widgets as admin_widgets
from django.core.validators import URLValidator
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

#: The names of the hues 1–13, as people call them (see ``static/css/tokens.css``).
COLOUR_NAMES = (
    _("red"),
    _("orange"),
    _("amber"),
    _("olive"),
    _("lime"),
    _("green"),
    _("jade"),
    _("teal"),
    _("cyan"),
    _("blue"),
    _("indigo"),
    _("purple"),
    _("pink"),
)

#: The order in which new tracks take colours, so that few tracks stay far apart.
COLOUR_ORDER = (10, 2, 7, 13, 5, 11, 3, 8, 1, 6, 12, 4, 9)


def next_colour(used: Iterable[int]) -> int:
    """Return the colour for one more track: the first in order that is used least often."""
    counts = dict.fromkeys(COLOUR_ORDER, 0)
    for colour in used:
        counts[colour] = counts.get(colour, 0) + 1
    return min(COLOUR_ORDER, key=lambda colour: counts[colour])


class ColourSelect(forms.RadioSelect):
    """The 13 accessible colours as radio buttons, each a swatch with its name beside it."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Give each button the class of its colour."""
        option = super().create_option(*args, **kwargs)
        option["attrs"]["class"] = f"swatch t{option['value']}"
        return option


class SuggestingInput(forms.TextInput):
    """A text field with suggestions: pairs of a value and a remark beside it."""

    template_name = "admin/widgets/suggesting_input.html"

    def __init__(self, suggestions: Iterable[tuple[Any, Any]], attrs: Any = None) -> None:
        super().__init__({"class": "vTextField", **(attrs or {})})
        self.suggestions = tuple(suggestions)

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Tie the input to its list."""
        context = super().get_context(name, value, attrs)
        widget = context["widget"]
        list_id = f"{widget['attrs'].get('id', name)}_suggestions"
        widget["attrs"]["list"] = list_id
        return {**context, "list_id": list_id, "suggestions": self.suggestions}


class HttpURLField(forms.URLField):
    """An address that a page may link to: http or https, https where neither is written."""

    default_validators = [
        URLValidator(
            schemes=["http", "https"],
            message=_("Enter a web address that begins with https:// or http://."),
        )
    ]
    widget = admin_widgets.AdminURLFieldWidget

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"assume_scheme": "https", **kwargs})


class ScopedAutocomplete(admin_widgets.AutocompleteSelect):
    """The admin's autocomplete, told which conference the answers have to belong to."""

    def __init__(
        self, field: Any, admin_site: Any, conference_id: int | None, **kwargs: Any
    ) -> None:
        super().__init__(field, admin_site, **kwargs)
        self.conference_id = conference_id

    def get_url(self) -> str:
        """Return the address asked for suggestions."""
        url = super().get_url()
        return url if self.conference_id is None else f"{url}?conference={self.conference_id}"


class ScopedRelatedWrapper(admin_widgets.RelatedFieldWidgetWrapper):
    """The "add another" link beside a select, which keeps the conference."""

    def __init__(
        self, wrapped: admin_widgets.RelatedFieldWidgetWrapper, conference_id: int
    ) -> None:
        super().__init__(
            wrapped.widget,
            wrapped.rel,
            wrapped.admin_site,
            can_add_related=wrapped.can_add_related,
            can_change_related=wrapped.can_change_related,
            can_delete_related=False,
            can_view_related=wrapped.can_view_related,
        )
        self.conference_id = conference_id

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Add the conference to the address of the "add" window."""
        context = super().get_context(name, value, attrs)
        context["url_params"] += f"&conference={self.conference_id}"
        return context


class StoredFileInput(forms.ClearableFileInput):
    """A file input that links to the stored file through the admin, not through ``MEDIA_URL``."""

    template_name = "admin/widgets/stored_file.html"
    clear_checkbox_label: Any = _("Remove")
    initial_text: Any = _("Now")
    input_text: Any = _("Replace by")

    def __init__(self, url_name: str, accept: str = "") -> None:
        super().__init__({"accept": accept} if accept else None)
        self.url_name = url_name

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Add the address at which organizers may look at the stored file."""
        context = super().get_context(name, value, attrs)
        row: Any = getattr(value, "instance", None)
        stored = context["widget"]["is_initial"] and row is not None and row.pk
        context["widget"]["stored_url"] = reverse(self.url_name, args=[row.pk]) if stored else ""
        return context

"""From what an organizer types to the code of a kind."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from sessions_app.admin.widgets import SuggestingInput
from sessions_app.kinds import KINDS, kind_label
from sessions_app.slugs import ascii_slug

KIND_LENGTH = 40


def kind_code(text: str) -> str:
    """Return the code for what an organizer typed: "Lightning talk" becomes lightning_talk.

    The words of a built-in kind mean that kind. Raises ValidationError where nothing is left, or
    too much.
    """
    for known, label in KINDS.items():
        if text.strip().casefold() == str(label).casefold():
            return known
    code = ascii_slug(text, fallback="", length=200).replace("-", "_")
    if not code:
        raise ValidationError(_("Use Latin letters, for example “workshop”."), code="kind")
    if len(code) > KIND_LENGTH:
        raise ValidationError(
            _("Use at most %(most)s letters."), code="length", params={"most": KIND_LENGTH}
        )
    return code


class KindField(forms.CharField):
    """A kind in words, built-in ones suggested; its value is the code."""

    def __init__(self, **kwargs: Any) -> None:
        suggestions = [(label, "") for label in KINDS.values()]
        super().__init__(widget=SuggestingInput(suggestions), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Show a code in words."""
        return kind_label(value) if value else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare words with words: a code that a source spelled its own way stays as it is."""
        return bool(super().has_changed(kind_label(initial or ""), data))

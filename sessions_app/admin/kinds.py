"""From what an organizer types to the code of a kind."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from sessions_app.kinds import KINDS
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

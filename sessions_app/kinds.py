"""The kinds of session that the site knows by itself, in words."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

KINDS = {
    "keynote": _("Keynote"),
    "talk": _("Talk"),
    "lightning_talk": _("Lightning talk"),
    "birds_of_a_feather": _("Birds of a feather"),
    "meet_the_developers": _("Meet the developers"),
    "sponsor_activity": _("Sponsor activity"),
    "sponsored_session": _("Sponsored session"),
    "service": _("Break or service"),
}


def kind_label(kind: str) -> str:
    """Return a kind in words; an organizer's own kind is its own label ("panel_debate" too)."""
    if kind in KINDS:
        return str(KINDS[kind])
    words = kind.replace("_", " ").strip()
    return words[:1].upper() + words[1:]

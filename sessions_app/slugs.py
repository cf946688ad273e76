"""Slugs: readable, ASCII, unique where they have to be, and never changed by a rename.

A slug changed by hand leaves a ``SlugRedirect``, so that old links go on working.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Any, ClassVar

from confsched.models import Conference, Guarded, SlugRedirect

#: Where an automatic slug is cut, at a hyphen if there is one; shorter than the column, so that a
#: number always fits behind it.
SLUG_LENGTH = 80

#: Letters that no Unicode decomposition takes apart.
_LETTERS = str.maketrans(
    {
        "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O",
        "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "TH",
        "ı": "i", "ħ": "h", "Ħ": "H", "ŋ": "n", "Ŋ": "N", "’": "", "'": "", "‘": "",
    }
)  # fmt: skip


def ascii_slug(text: str, *, fallback: str, length: int = SLUG_LENGTH) -> str:
    """Return *text* as lower-case ASCII words joined by hyphens, at most *length* long.

    Accents are dropped; a text of which nothing is left (another script, only signs) gives
    *fallback*.
    """
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS)).casefold()
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    if len(slug) > length:
        cut = slug[: length + 1].rfind("-")
        slug = slug[: cut if cut > 0 else length].strip("-")
    return slug or fallback


def free_slug(wanted: str, taken: Collection[str]) -> str:
    """Return *wanted*, or it with the first number from 2 on that is not in *taken*."""
    slug, number = wanted, 2
    while slug in taken:
        slug, number = f"{wanted}-{number}", number + 1
    return slug


class Slugged(Guarded):
    """A row with a slug that is unique in its conference and filled in when left empty."""

    slug_fallback: ClassVar[str] = "item"
    slug_page: ClassVar[str] = ""
    slug_reserved: ClassVar[frozenset[str]] = frozenset()

    class Meta:
        abstract = True

    def slug_text(self) -> str:
        """Return the text an automatic slug is made of."""
        return str(getattr(self, "name"))  # noqa: B009  # declared by the concrete models

    def taken_slugs(self, wanted: str) -> set[str]:
        """Return the slugs of this conference beginning with *wanted* that others use or used."""
        row: Any = self
        manager: Any = type(self)._default_manager
        rows = manager.filter(conference_id=row.conference_id, slug__startswith=wanted)
        old = SlugRedirect.objects.filter(
            conference_id=row.conference_id, page=self.slug_page, slug__startswith=wanted
        )
        return {
            *rows.exclude(pk=self.pk).values_list("slug", flat=True),
            *old.exclude(target_id=self.pk or 0).values_list("slug", flat=True),
            *self.slug_reserved,
        }

    def fill_slug(self) -> None:
        """Give the row a slug if it has none; one that is there stays as it is."""
        row: Any = self
        if row.slug or row.conference_id is None:
            return
        wanted = ascii_slug(self.slug_text(), fallback=self.slug_fallback)
        row.slug = free_slug(wanted, self.taken_slugs(wanted))

    def clean(self) -> None:
        """Fill an empty slug, so that the constraints see the row as it will be saved."""
        super().clean()
        self.fill_slug()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with a slug; a slug changed since leaves a redirect (see ``signals``)."""
        self.fill_slug()
        super().save(*args, **kwargs)


def remember_slug(row: Conference | Slugged, page: str) -> None:
    """Keep the slug that *row* has in the database, if the one about to be saved differs."""
    manager: Any = type(row)._base_manager
    old = manager.filter(pk=row.pk).values_list("slug", flat=True).first()
    new = row.slug  # type: ignore[union-attr]  # declared by the concrete models
    if old is None or old == new:
        return
    conference_id = row.pk if isinstance(row, Conference) else row.conference_id  # type: ignore[attr-defined]  # declared by the concrete models
    SlugRedirect.objects.update_or_create(
        conference_id=conference_id, page=page, slug=old, defaults={"target_id": row.pk}
    )

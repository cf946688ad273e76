"""Criteria: what a visitor asked the schedule for, as a value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace

#: The order of facets on pages and in addresses.
FACETS = ("day", "room", "track", "level", "slides")
#: What an address says for "no level stated".
NOT_STATED = "none"
#: What an address says for "has slides".
WITH_SLIDES = "yes"


@dataclass(frozen=True, slots=True)
class Criteria:
    """A selection: AND between the fields, OR inside one; an empty field asks for nothing.

    ``rooms``, ``tracks`` and ``levels`` are slugs (``levels`` may hold ``NOT_STATED``), ``q`` is
    free text of which every word has to be found.
    """

    days: tuple[dt.date, ...] = ()
    rooms: tuple[str, ...] = ()
    tracks: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    slides: bool = False
    q: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for, so that every session matches."""
        return self == EMPTY

    def values(self, facet: str) -> tuple[str, ...]:
        """Return what is asked of one facet, as the texts that stand in addresses."""
        match facet:
            case "day":
                return tuple(day.isoformat() for day in self.days)
            case "room":
                return self.rooms
            case "track":
                return self.tracks
            case "level":
                return self.levels
            case "slides":
                return (WITH_SLIDES,) if self.slides else ()
        raise KeyError(facet)

    def active(self) -> Iterator[tuple[str, str]]:
        """Yield each (facet, value) asked for, the text search as ``("q", text)`` last."""
        for day in self.days:
            yield "day", day.isoformat()
        for name, slugs in (("room", self.rooms), ("track", self.tracks), ("level", self.levels)):
            for slug in slugs:
                yield name, slug
        if self.slides:
            yield "slides", WITH_SLIDES
        if self.q:
            yield "q", self.q

    def with_values(self, facet: str, values: tuple[str, ...]) -> Criteria:
        """Return these criteria with one facet (or ``q``) asking for ``values`` instead."""
        match facet:
            case "day":
                return replace(self, days=tuple(dt.date.fromisoformat(day) for day in values))
            case "room":
                return replace(self, rooms=values)
            case "track":
                return replace(self, tracks=values)
            case "level":
                return replace(self, levels=values)
            case "slides":
                return replace(self, slides=bool(values))
            case "q":
                return replace(self, q=" ".join(values))
        raise ValueError(f"no facet {facet!r}; expected one of {FACETS} or 'q'")

    def without(self, facet: str, value: str) -> Criteria:
        """Return these criteria without one value."""
        current = (self.q,) if facet == "q" else self.values(facet)
        return self.with_values(facet, tuple(each for each in current if each != value))


EMPTY = Criteria()

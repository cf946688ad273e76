"""Facets as integer bitsets over a list of sessions.

Bit *n* of a mask stands for session *n*. A whole facet is then a handful of integers, and counting
the sessions behind a filter value is one AND and one population count, whatever the size.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sessions_app.criteria import NOT_STATED, WITH_SLIDES
from sessions_app.records import PublicSession

#: From a session to the values it has in one facet; every facet is one such function.
ValuesOf = Callable[[PublicSession], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Option:
    """One value of a facet as a filter offers it.

    ``label`` is a name; it is empty where the words depend on the language (days, "not stated",
    slides), which the template then finds from ``value``. ``count`` says how many sessions there
    would be with this value alone, under the other facets' filters. ``parent`` is a track's parent.
    """

    value: str
    label: str
    count: int
    is_selected: bool
    colour: int | None = None
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """One facet (``day``, ``room``, ``track``, ``level`` or ``slides``) and its options."""

    name: str
    options: tuple[Option, ...]

    @property
    def selected(self) -> tuple[Option, ...]:
        """The options that are asked for."""
        return tuple(option for option in self.options if option.is_selected)


def days_of(session: PublicSession) -> tuple[str, ...]:
    """Return the session's conference day."""
    return (session.day.isoformat(),)


def rooms_of(session: PublicSession) -> tuple[str, ...]:
    """Return the session's room, if it has one."""
    return (session.room.slug,) if session.room else ()


def tracks_of(session: PublicSession) -> tuple[str, ...]:
    """Return the session's tracks and their parents: choosing a track includes its sub-tracks."""
    slugs = [track.slug for track in session.tracks]
    slugs += [track.parent_slug for track in session.tracks if track.parent_slug]
    return tuple(dict.fromkeys(slugs))


def levels_of(session: PublicSession) -> tuple[str, ...]:
    """Return the session's levels; without any, "not stated" is its value."""
    return tuple(level.slug for level in session.levels) or (NOT_STATED,)


def slides_of(session: PublicSession) -> tuple[str, ...]:
    """Return ``("yes",)`` where there is a deck."""
    return (WITH_SLIDES,) if session.has_slides else ()


VALUES: dict[str, ValuesOf] = {
    "day": days_of,
    "room": rooms_of,
    "track": tracks_of,
    "level": levels_of,
    "slides": slides_of,
}


def masks(sessions: Sequence[PublicSession], values_of: ValuesOf) -> dict[str, int]:
    """Return for each value the mask of the sessions that have it."""
    found: dict[str, bytearray] = {}
    size = len(sessions) // 8 + 1
    for number, session in enumerate(sessions):
        for value in values_of(session):
            bits = found.setdefault(value, bytearray(size))
            bits[number >> 3] |= 1 << (number & 7)
    return {value: int.from_bytes(bits, "little") for value, bits in found.items()}


def numbers(mask: int) -> list[int]:
    """Return the numbers of the bits that are set, lowest first."""
    # Each set bit ends a run; the sums of their lengths need no loop of Python's. The first run is
    # one short, since bits are counted from zero.
    runs = bin(mask)[:1:-1].replace("1", "1 ").split(" ")[:-1]
    runs[:1] = [run[1:] for run in runs[:1]]
    return list(itertools.accumulate(map(len, runs)))

"""What is measured: each target is one kind of request and the ratio it has to reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product

IDENTITY: Mapping[str, str] = {"Accept-Encoding": "identity"}
BROWSER: Mapping[str, str] = {"Accept-Encoding": "gzip, deflate, br"}
HTMX: Mapping[str, str] = {**BROWSER, "HX-Request": "true"}
FEED: Mapping[str, str] = {"Accept": "text/calendar"}


@dataclass(frozen=True, slots=True)
class Target:
    """One kind of request.

    ``paths`` yields the path of each request in turn (the same one for kept pages, ever new ones
    for first views). ``goal`` is the least ratio to the bare view, None where none is set.
    """

    name: str
    paths: Iterator[str]
    goal: float | None
    headers: Mapping[str, str] = field(default_factory=lambda: BROWSER)
    is_conditional: bool = False
    is_first_view: bool = False
    requests: int = 300


def same(path: str) -> Iterator[str]:
    """Yield one path for ever."""
    while True:
        yield path


def never_asked(base: str, rooms: list[str], tracks: list[str], tail: str = "") -> Iterator[str]:
    """Yield schedule paths with filters that were never asked before, each only once."""
    sizes = product(range(1, len(tracks)), range(1, len(rooms) + 1))
    for many_tracks, many_rooms in sizes:
        for some_tracks in combinations(tracks, many_tracks):
            for some_rooms in combinations(rooms, many_rooms):
                query = [*(f"room={room}" for room in some_rooms)]
                query += [f"track={track}" for track in some_tracks]
                yield f"{base}?{'&'.join(query)}{tail}"

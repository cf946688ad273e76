"""Which session of a source is which row. Pure.

By the source's key, else by printed title and start, else by title and people; last, what stands at
the same start with the same people under another title is the same session with a new title.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Face:
    """What a session is known by, in a source or as the last import left it in a row.

    ``is_gone`` tells that an import cancelled the row because its source no longer had it.
    ``rank`` puts rows that are otherwise alike in order, the likeliest first.
    """

    key: str
    title: str
    printed: str
    starts_at: dt.datetime
    day: dt.date
    room: str
    people: frozenset[str]
    is_gone: bool = False
    rank: tuple[int, ...] = ()


_Key = Callable[[Face], Hashable | None]


def match(
    said: Sequence[Face], known: Sequence[Face], covered: Collection[dt.date]
) -> dict[int, int]:
    """Return the index in *said* → the index in *known* of the same session.

    *covered* are the days of which the source shows everything. A session is taken to have moved
    to another day only where its old day is covered (so that it is gone from there) or an import
    has already cancelled it: else a talk that is given twice would wander between its days.
    """

    def may_move(new: Face, old: Face) -> bool:
        if new.day == old.day:
            return True
        return bool(new.people) and (old.is_gone or old.day in covered)

    pairs: dict[int, int] = {}
    for key, may_pair in _PASSES:
        _pair(said, known, pairs, key, may_pair or may_move)
    _pair_retitled(said, known, pairs)
    return pairs


def _always(_new: Face, _old: Face) -> bool:
    return True


_PASSES: tuple[tuple[_Key, Callable[[Face, Face], bool] | None], ...] = (
    (lambda face: face.key or None, _always),
    (lambda face: (face.printed, face.starts_at, face.room, face.people), _always),
    (lambda face: (face.printed, face.starts_at, face.room), _always),
    (lambda face: (face.printed, face.starts_at), _always),
    (lambda face: (face.title, face.people, face.day), None),
    (lambda face: (face.title, face.people), None),
)


def _pair(
    said: Sequence[Face],
    known: Sequence[Face],
    pairs: dict[int, int],
    key: _Key,
    may_pair: Callable[[Face, Face], bool],
) -> None:
    """Pair what is left and has the same key, the nearest in room and time first."""
    taken = set(pairs.values())
    buckets: dict[Hashable, list[int]] = defaultdict(list)
    for index, face in enumerate(known):
        value = key(face)
        if value is not None and index not in taken:
            buckets[value].append(index)
    for index, face in enumerate(said):
        if index in pairs:
            continue
        bucket = buckets.get(key(face), [])
        fitting = [each for each in bucket if may_pair(face, known[each])]
        if fitting:
            best = min(
                fitting, key=lambda each: (*_distance(face, known[each]), known[each].rank, each)
            )
            bucket.remove(best)
            pairs[index] = best


def _distance(new: Face, old: Face) -> tuple[bool, bool, dt.timedelta]:
    return new.room != old.room, new.day != old.day, abs(new.starts_at - old.starts_at)


def _pair_retitled(said: Sequence[Face], known: Sequence[Face], pairs: dict[int, int]) -> None:
    """Pair the only two left that start together with the same people (there must be some)."""
    taken = set(pairs.values())
    new: dict[Hashable, list[int]] = defaultdict(list)
    old: dict[Hashable, list[int]] = defaultdict(list)
    for index, face in enumerate(said):
        if index not in pairs and face.people:
            new[face.starts_at, face.people].append(index)
    for index, face in enumerate(known):
        if index not in taken and face.people:
            old[face.starts_at, face.people].append(index)
    for value, indexes in new.items():
        if len(indexes) == len(old[value]) == 1:
            pairs[indexes[0]] = old[value][0]

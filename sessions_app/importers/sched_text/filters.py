"""The filter lists in a page's footer: rooms, tracks, levels and days, and what is filtered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from sessions_app.importers.sched_text.dates import DayRange, day_heading, day_range
from sessions_app.importers.sched_text.lines import Line
from sessions_app.records import SourceTrack

T = TypeVar("T")

_DATE, _VENUE, _TYPE = "filter by date", "filter by venue", "filter by type"
_PLAIN_HEADINGS = frozenset({_DATE, _VENUE, _TYPE, "timezone"})
_ALL = "All"
_LEVEL_LABEL = re.compile(r"\b(?:level|audience|difficulty|experience)\b", re.IGNORECASE)
_FILTERED_BY = re.compile(r"filtered by ([\w ]{1,40}?)(?: ?[-–:].*)", re.IGNORECASE)
_CLEAR_FILTER = re.compile(
    r"(?P<what>.+?) ?\[clear filter\]|(?:[\w ]{1,30}: ?)?(?P<bare>.+?) clear filter", re.IGNORECASE
)
#: Longer lines are no filters and no lists of values.
_LONGEST_FILTER = 300


@dataclass(frozen=True, slots=True)
class Filters:
    """What the footer knows of the whole conference; empty where a page has no footer.

    ``labels`` are the organizers' own facets ("Audience Level", "Slides Attached") with their
    values; ``places`` are the headings over groups of rooms ("Paris, France").
    """

    rooms: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    tracks: tuple[SourceTrack, ...] = ()
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    days: DayRange | None = None

    @property
    def levels(self) -> tuple[str, ...]:
        """The audience levels, in the order of the page."""
        named = (values for label, values in self.labels.items() if is_level_label(label))
        return next(named, ())


def is_level_label(label: str) -> bool:
    """Whether an organizers' facet is the audience level, by its name."""
    return _LEVEL_LABEL.search(label) is not None


def read_filters(footer: list[Line]) -> Filters:
    """Read the filter lists of a footer (as ``cut_page`` cuts it off)."""
    lists = _lists(footer)
    labels = {name: tuple(items) for name, items in lists.items() if _is_own_label(name, items)}
    rooms, places = _rooms(_items(lists, _VENUE))
    bottom = _bottom_types(footer, frozenset(labels))
    return Filters(
        rooms=rooms,
        places=places,
        tracks=_tracks(_items(lists, _TYPE), bottom),
        labels=labels,
        days=next(filter(None, map(day_range, _items(lists, _DATE))), None),
    )


def _lists(footer: list[Line]) -> dict[str, list[str]]:
    """Collect the items under each bullet of the first list, up to the blank line after it."""
    lists: dict[str, list[str]] = {}
    items: list[str] | None = None
    for line in footer:
        if line.is_bullet:
            items = lists.setdefault(line.text.removeprefix("•").strip(), [])
        elif items is None:
            continue
        elif line.is_blank:
            break
        else:
            items.append(line.text)
    return lists


def _items(lists: dict[str, list[str]], heading: str) -> list[str]:
    return next((items for name, items in lists.items() if name.lower() == heading), [])


def _is_own_label(name: str, items: list[str]) -> bool:
    return bool(items) and name.lower() not in _PLAIN_HEADINGS


def _rooms(items: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tell rooms from the headings of their groups: a heading is followed by "All"."""
    followers = [*items[1:], ""]
    places = [item for item, after in zip(items, followers, strict=False) if after == _ALL]
    rooms = [item for item in items if item != _ALL and item not in places]
    return unique(rooms), unique(places)


def _bottom_types(footer: list[Line], labels: frozenset[str]) -> list[str]:
    """Read the types from the second list, which has no sub-types, up to the first own label."""
    start = next(
        (index for index, line in enumerate(footer) if line.text.lower() == "filter sessions"),
        len(footer),
    )
    bullets = [line.text.removeprefix("•").strip() for line in footer[start:] if line.is_bullet]
    end = next((index for index, text in enumerate(bullets) if text in labels), len(bullets))
    return bullets[:end]


def _tracks(items: list[str], types: list[str]) -> tuple[SourceTrack, ...]:
    """Tell types from sub-types; both lists hold the types in the same order.

    Sub-types stand after their type and the word "All". They end where, read from the end, the
    items are the remaining types again, which tells "Responsible AI" the sub-type from the type.
    """
    if _ALL not in items:
        return unique(SourceTrack(item) for item in items)
    parents = _parents(items, types or _guessed_types(items))
    return unique(
        SourceTrack(item, parent)
        for item, parent in zip(items, parents, strict=True)
        if item != _ALL
    )


def _parents(items: list[str], types: list[str]) -> list[str | None]:
    parents: list[str | None] = []
    pending: list[int] = []
    remaining = list(types)
    for index in range(len(items) - 1, -1, -1):
        parents.append(None)
        if remaining and items[index] == remaining[-1]:
            remaining.pop()
            for position in pending:
                parents[len(items) - 1 - position] = items[index]
            pending = []
        else:
            pending.append(index)
    return parents[::-1]


def _guessed_types(items: list[str]) -> list[str]:
    """Guess the types without the second list: sub-types end where the alphabet starts anew."""
    types: list[str] = []
    index = 0
    while index < len(items):
        types.append(items[index])
        index += 1
        if index < len(items) and items[index] == _ALL:
            index += 2
            while index < len(items) and items[index].casefold() > items[index - 1].casefold():
                index += 1
    return types


def take_out_filters(lines: list[Line]) -> tuple[list[Line], bool]:
    """Blank the lines that name active filters ("Keynotes [clear filter]").

    Also return whether the page shows a selection: a filter other than one by date is active.
    """
    result = list(lines)
    is_filtered = False
    for index, line in enumerate(lines):
        if "ilter" not in line.text or len(line.text) > _LONGEST_FILTER:
            continue
        cleared = _CLEAR_FILTER.fullmatch(line.text)
        by = _FILTERED_BY.fullmatch(line.text)
        if cleared:
            result[index] = Line(line.number, "")
            is_filtered |= not _is_day(cleared["what"] or cleared["bare"])
        elif by:
            is_filtered |= by[1].strip().lower() != "date"
    return result, is_filtered


def _is_day(text: str) -> bool:
    text = text.removeprefix("Date:").strip()
    return day_heading(text) is not None or day_range(text) is not None


def unique(items: Iterable[T]) -> tuple[T, ...]:
    """Return the items without repetitions, in order."""
    return tuple(dict.fromkeys(items))


def split_values(text: str, known: Iterable[str]) -> list[str]:
    """Split a comma-separated list whose values may hold commas themselves, if they are known."""
    if len(text) > _LONGEST_FILTER:
        return [text]
    names = sorted(known, key=len, reverse=True)
    values: list[str] = []
    rest = text
    while rest:
        name = next((name for name in names if rest == name or rest.startswith(f"{name}, ")), None)
        value = name or rest.partition(", ")[0]
        values.append(value.strip(", "))
        rest = rest[len(value) :].removeprefix(",").strip()
    return [value for value in values if value]

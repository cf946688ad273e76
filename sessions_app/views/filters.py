"""The filter form of the schedule page: facets in words, with holes for what requests fill."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext

from sessions_app.criteria import EMPTY, NOT_STATED, WITH_SLIDES
from sessions_app.facets import Facet, Option
from sessions_app.schedule import Schedule
from sessions_app.stencil import hole
from sessions_app.templatetags.programme import day_words

#: The words of a value, by facet and value.
Labels = Mapping[tuple[str, str], str]


def facet_labels(schedule: Schedule) -> Labels:
    """Return the words for every value of every facet, in the active language."""
    words = {NOT_STATED: gettext("Not stated"), WITH_SLIDES: gettext("With slides")}
    labels: dict[tuple[str, str], str] = {}
    for facet in schedule.facets(EMPTY):
        for option in facet.options:
            labels[facet.name, option.value] = option.label or words.get(option.value, "")
    for day in schedule.days:
        labels["day", day.isoformat()] = day_words(day)
    return labels


def facet_context(schedule: Schedule, labels: Labels) -> list[dict[str, Any]]:
    """Return the facets that have values, for a template that becomes a stencil."""
    names = {
        "day": gettext("Day"),
        "room": gettext("Room"),
        "track": gettext("Track"),
        "level": gettext("Level"),
        "slides": gettext("Slides"),
    }
    return [
        {
            "name": facet.name,
            "label": names[facet.name],
            "options": [
                _option_context(facet.name, number, option, labels)
                for number, option in enumerate(facet.options)
            ],
        }
        for facet in schedule.facets(EMPTY)
        if facet.options
    ]


def _option_context(facet: str, number: int, option: Option, labels: Labels) -> dict[str, Any]:
    return {
        "value": option.value,
        "label": labels[facet, option.value],
        "colour": option.colour,
        "is_sub": bool(option.parent),
        "checked": hole(f"{facet}_{number}_c"),
        "count": hole(f"{facet}_{number}_n"),
        "zero": hole(f"{facet}_{number}_z"),
    }


def facet_values(facets: Iterable[Facet]) -> dict[str, bytes]:
    """Return what fills the holes of counts: the number, and whether it is zero."""
    values: dict[str, bytes] = {}
    for facet in facets:
        for number, option in enumerate(facet.options):
            prefix = f"{facet.name}_{number}"
            values[f"{prefix}_n"] = b"%d" % option.count
            values[f"{prefix}_z"] = b"" if option.count else b" is-zero"
    return values

"""The filter form of the schedule page: facets in words, with holes for what requests fill."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext

from sessions_app.criteria import EMPTY, FACETS, NOT_STATED, WITH_SLIDES, Criteria
from sessions_app.facets import Facet, Option
from sessions_app.schedule import Schedule
from sessions_app.stencil import Filling, Stencil, hole
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


class Filters:
    """The options of every facet as bytes, with room for their counts."""

    def __init__(self, schedule: Schedule, labels: Labels) -> None:
        self._schedule = schedule
        self._facets = [facet for facet in schedule.facets(EMPTY) if facet.options]
        self._positions = [FACETS.index(facet.name) for facet in self._facets]
        self._form = self._prepared("_filter_option", labels, b"\n")
        # Without line ends: whatever stands beside the counts stays in the page when they are
        # swapped into their places.
        self._counts = self._prepared("_option_count", labels, b"")

    def context(self) -> list[dict[str, Any]]:
        """Return the facets for the form's template, each with one hole for its options."""
        names = {
            "day": gettext("Day"),
            "room": gettext("Room"),
            "track": gettext("Track"),
            "level": gettext("Level"),
            "slides": gettext("Slides"),
        }
        return [
            {"name": facet.name, "label": names[facet.name], "options": hole(f"{facet.name}s")}
            for facet in self._facets
        ]

    def options(self, criteria: Criteria) -> dict[str, Filling]:
        """Return what fills those holes: options with their counts under the other filters."""
        return {
            f"{facet.name}s": options
            for facet, options in zip(self._facets, self._filled(self._form, criteria), strict=True)
        }

    def counts(self, criteria: Criteria) -> list[bytes]:
        """Return the counts alone, each to be swapped into its place in the form."""
        return [piece for counts in self._filled(self._counts, criteria) for piece in counts]

    def _filled(self, prepared: list[_Options], criteria: Criteria) -> Iterable[list[bytes]]:
        counts = self._schedule.counts(criteria)
        for facet, options, position in zip(self._facets, prepared, self._positions, strict=True):
            yield options.pieces(counts[position], criteria.values(facet.name))

    def _prepared(self, template: str, labels: Labels, line_end: bytes) -> list[_Options]:
        return [_Options(template, facet, labels, line_end) for facet in self._facets]


class _Options:
    """The options of one facet: what stands before and after the count of each.

    Most options are not selected and have sessions; those are there already, and a request puts
    the counts between them.
    """

    def __init__(self, template: str, facet: Facet, labels: Labels, line_end: bytes) -> None:
        self._values = {option.value: number for number, option in enumerate(facet.options)}
        self._before: list[dict[tuple[bool, bool], bytes]] = []
        self._usual: list[bytes] = []
        for option in facet.options:
            stencil = _stencil(template, facet, option, labels)
            before, after = {}, b""
            for is_selected, is_zero in itertools.product((False, True), repeat=2):
                before[is_selected, is_zero], after = stencil.ends(
                    checked=b" checked" if is_selected else b"",
                    zero=b" is-zero" if is_zero else b"",
                )
            self._before.append(before)
            self._usual += before[False, False], b"", after.rstrip(b"\n") + line_end

    def pieces(self, counts: list[int], selected: tuple[str, ...]) -> list[bytes]:
        """Return the options with these counts, those whose value is selected marked so."""
        pieces = self._usual.copy()
        pieces[1::3] = map(b"%d".__mod__, counts)
        if 0 in counts:
            for number, count in enumerate(counts):
                if not count:
                    pieces[3 * number] = self._before[number][False, True]
        for value in selected:
            if value not in self._values:  # nothing is there any more, so it is not offered
                continue
            number = self._values[value]
            pieces[3 * number] = self._before[number][True, not counts[number]]
        return pieces


def _stencil(template: str, facet: Facet, option: Option, labels: Labels) -> Stencil:
    context = {
        "facet": facet,
        "option": {
            "value": option.value,
            "label": labels[facet.name, option.value],
            "colour": option.colour,
            "is_sub": bool(option.parent),
        },
    }
    holes = ("checked", "zero", "count")
    return Stencil.of(f"sessions_app/{template}.html", holes, context)

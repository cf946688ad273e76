"""Addresses of the schedule page that differ from the one asked for by a filter or a day."""

from __future__ import annotations

from collections.abc import Iterable

from sessions_app.forms import ParsedQuery, extra_pairs, pair

ALL_DAYS = "day=all"


class Hrefs:
    """The neighbours of one address, each in the canonical form of ``forms.query_string``.

    The pairs of the query string are made once; every neighbour is those pairs with some left out.
    """

    def __init__(self, path: str, query: ParsedQuery) -> None:
        self.path = path
        self.active = tuple(query.criteria.active())
        self._pairs = [pair(name, value) for name, value in self.active]
        self._days = len(query.criteria.days)
        self._all = [ALL_DAYS] if query.is_all_days else []
        self._extra = extra_pairs(query.view, query.tz, query.lang)

    def without(self, number: int) -> str:
        """Return the address without the active value of this number."""
        rest = self._pairs[:number] + self._pairs[number + 1 :]
        return self._href([*self._all, *rest, *self._extra])

    def cleared(self) -> str:
        """Return the address without filters: day, view and zone stay, facets and text go."""
        return self._href([*self._all, *self._pairs[: self._days], *self._extra])

    def behind_day(self) -> str:
        """Return what follows ``?day=…`` in the address of one day: the other filters."""
        return "".join(f"&{other}" for other in (*self._pairs[self._days :], *self._extra))

    def on_all_days(self, *, says_so: bool) -> str:
        """Return the address without a day; ``says_so`` where leaving it out would cut to one."""
        first = [ALL_DAYS] if says_so else []
        return self._href([*first, *self._pairs[self._days :], *self._extra])

    def feed_question(self, lang: str) -> str:
        """Return the question mark and query of the feed: every day that matches, no view."""
        pairs = self._pairs + extra_pairs("", "", lang)
        return f"?{'&'.join(pairs)}" if pairs else ""

    def _href(self, pairs: Iterable[str]) -> str:
        text = "&".join(pairs)
        return f"{self.path}?{text}" if text else self.path

"""Puts the schedule page together: out of stencils and cards that are made once per snapshot.

Everything here is kept in ``schedule.memo`` by language; a request joins bytes. The markup is in
``templates/sessions_app/``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext, ngettext

from sessions_app import addresses
from sessions_app.criteria import NOT_STATED, Criteria
from sessions_app.exporters.links import subscribe_links
from sessions_app.exporters.words import selection_words
from sessions_app.forms import ParsedQuery
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule, Shown, conference_day
from sessions_app.stencil import Filling, Stencil, hole
from sessions_app.templatetags.programme import day_short, day_words
from sessions_app.views.base import page_context
from sessions_app.views.cards import Cards, slot_anchor
from sessions_app.views.filters import Filters, facet_labels
from sessions_app.views.hrefs import Hrefs

TEMPLATES = "sessions_app/"
#: Search words come from visitors; this many words are kept quoted.
MOST_WORDS = 2000
CURRENT = b' aria-current="true"'


@dataclass(frozen=True, slots=True)
class Chip:
    """One active filter in words, and the address without it."""

    label: str
    href: str


class ProgrammePages:
    """The schedule page of one Schedule in one language."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.context = page_context(schedule, "schedule")
        self.path = addresses.schedule_path(schedule.conference.slug)
        self.labels = facet_labels(schedule)
        self.filters = Filters(schedule, self.labels)
        self.cards = Cards(schedule, self.context)
        self._days: list[tuple[dt.date, Stencil]] | None = None
        self._words: dict[tuple[str, int], bytes] = {}
        self._quoted_words: dict[str, bytes] = {}
        self._stencils: dict[str, Stencil] = {}

    # --- the whole page and the fragment ---

    def page(self, query: ParsedQuery, now: dt.datetime) -> bytes:
        """Return the whole page."""
        page = self._stencil("page", self._page_stencil)
        question = f"?{query.canonical}" if query.canonical else ""
        values = {
            **self.filters.options(query.criteria),
            **self._result_values(query, now),
            "filter_count": _filter_count(query.criteria),
            "canonical_query": escape(question).encode(),
            "q": escape(query.criteria.q).encode(),
            "carried": _carried(query),
        }
        return b"".join(page.pieces(values))

    def fragment(self, query: ParsedQuery, now: dt.datetime) -> bytes:
        """Return what HTMX swaps in: the results, and the counts out of band."""
        results = self._stencil("results", self._results_stencil)
        count = self._stencil("filter count", lambda: self._small("_filter_count", "filter_count"))
        return b"".join(
            [
                *results.pieces(self._result_values(query, now)),
                *self.filters.counts(query.criteria),
                count.fill(filter_count=_filter_count(query.criteria)),
            ]
        )

    def programme(self, sessions: Iterable[PublicSession], now: dt.datetime) -> bytes:
        """Return days, slots and cards of some of the sessions."""
        return b"".join(self.cards.pieces(self.schedule.mask_of(sessions), now))

    def _stencil(self, name: str, make: Callable[[], Stencil]) -> Stencil:
        stencil = self._stencils.get(name)
        if stencil is None:
            stencil = self._stencils[name] = make()
        return stencil

    RESULT_HOLES = (
        "announce",
        "day_links",
        "count_words",
        "chips",
        "notes",
        "programme",
        "subscribe",
        "now_link",
    )

    def _page_stencil(self) -> Stencil:
        holes = (*self.RESULT_HOLES, "filter_count", "canonical_query", "q", "carried")
        context = {**self.context, "facets": self.filters.context()}
        return Stencil.of(f"{TEMPLATES}schedule.html", holes, context)

    def _results_stencil(self) -> Stencil:
        return Stencil.of(f"{TEMPLATES}_schedule_results.html", self.RESULT_HOLES, self.context)

    # --- results ---

    def _result_values(self, query: ParsedQuery, now: dt.datetime) -> dict[str, Filling]:
        shown = self.schedule.shown(query.criteria, now, all_days=query.is_all_days)
        hrefs = Hrefs(self.path, query)
        chips = self._chips(hrefs)
        words = self._counted("%(n)s session", "%(n)s sessions", shown.total)
        return {
            "announce": words,
            "count_words": words,
            "day_links": self._day_links(query, shown, hrefs),
            "chips": self._chip_list(hrefs, chips),
            "notes": self._notes(query, shown, hrefs, chips),
            # Whoever looks for something finds it also when it is over.
            "programme": self.cards.pieces(shown.mask, now, folds=_asks_nothing(query.criteria)),
            "subscribe": self._subscribe(query, shown.total, hrefs),
            "now_link": self._now_link(shown, now),
        }

    def _counted(self, singular: str, plural: str, n: int) -> bytes:
        """Return the words for a number; looked up once, since translating takes its time."""
        words = self._words.get((singular, n))
        if words is None:
            words = self._words[singular, n] = (ngettext(singular, plural, n) % {"n": n}).encode()
        return words

    def _chips(self, hrefs: Hrefs) -> list[Chip]:
        return [
            Chip(self._chip_label(facet, value), hrefs.without(number))
            for number, (facet, value) in enumerate(hrefs.active)
        ]

    def _chip_label(self, facet: str, value: str) -> str:
        if facet == "q":
            return f"“{value}”"
        label = self.labels.get((facet, value)) or self._label_of_empty(facet, value)
        # "Any" and "Not stated" say nothing without the facet's name.
        return gettext("Level: %(level)s") % {"level": label} if facet == "level" else label

    def _label_of_empty(self, facet: str, value: str) -> str:
        """Return the words for a value that has no session and is not offered."""
        if facet == "day":
            return day_words(dt.date.fromisoformat(value))
        found = {
            "room": self.schedule.room,
            "track": self.schedule.track,
            "level": self.schedule.level,
        }.get(facet, lambda _: None)(value)
        if found is None:
            return {NOT_STATED: gettext("Not stated")}.get(value, gettext("With slides"))
        return found.name

    def _chip_list(self, hrefs: Hrefs, chips: list[Chip]) -> Filling:
        if not chips:
            return b""
        one = self._stencil("chip", lambda: self._small("_chip", "href", "label"))
        around = self._stencil("chips", lambda: self._small("_chips", "href", "chips"))
        filled: list[bytes] = []
        for chip in chips:
            filled += one.pieces(
                {"href": escape(chip.href).encode(), "label": escape(chip.label).encode()}
            )
        return around.pieces({"chips": filled, "href": escape(hrefs.cleared()).encode()})

    def _small(self, template: str, *holes: str) -> Stencil:
        return Stencil.of(f"{TEMPLATES}{template}.html", holes, self.context)

    def _day_links(self, query: ParsedQuery, shown: Shown, hrefs: Hrefs) -> Filling:
        """Return links to each day and to all of them, the other filters kept."""
        if len(self.schedule.days) < 2:
            return b""
        chosen = query.criteria.days or ((shown.day,) if shown.day else ())
        says_so = query.is_all_days or not self.schedule.fits_one_page
        everything = hrefs.on_all_days(says_so=says_so)
        values = {"href": escape(everything).encode(), "current": b"" if chosen else CURRENT}
        links = self._stencil("all days", self._all_days_stencil).pieces(values)
        other = {"rest": escape(hrefs.behind_day()).encode(), "current": b""}
        this = {**other, "current": CURRENT}
        for day, link in self._day_stencils():
            links += link.pieces(this if day in chosen else other)
        around = self._stencil("day links", lambda: self._small("_day_links", "links"))
        return around.pieces({"links": links})

    def _all_days_stencil(self) -> Stencil:
        context = {**self.context, "label": gettext("All days")}
        return Stencil.of(f"{TEMPLATES}_day_link.html", ("href", "current"), context)

    def _day_stencils(self) -> list[tuple[dt.date, Stencil]]:
        """Return a link for each day, with a hole for what follows the day in its address."""
        if self._days is None:
            self._days = []
            for day in self.schedule.days:
                href = mark_safe(f"{self.path}?day={day.isoformat()}{hole('rest')}")  # noqa: S308  # ours
                context = {**self.context, "href": href, "label": day_short(day)}
                link = Stencil.of(f"{TEMPLATES}_day_link.html", ("current",), context)
                self._days.append((day, link))
        return self._days

    def _now_link(self, shown: Shown, now: dt.datetime) -> bytes:
        """Return a link to what runs, or in a pause to what comes next; else nothing."""
        today = conference_day(now, self.schedule.zone)
        if today not in shown.days:
            return b""
        of_today = shown.mask & dict(self.schedule.day_masks)[today]
        of_day = [s for s in self.schedule.behind(of_today) if not s.is_cancelled]
        running = [s.starts_at for s in of_day if s.starts_at <= now < s.ends_at]
        coming = [s.starts_at for s in of_day if s.starts_at > now]
        if running:
            # What began last: an exhibition that opened at eight is not what people look for.
            target, label = max(running), gettext("Jump to now")
        elif coming and len(coming) < len(of_day):
            target, label = coming[0], gettext("Jump to what comes next")
        else:
            return b""
        stencil = self._stencil("now link", lambda: self._small("_now_link", "anchor", "label"))
        return stencil.fill(anchor=slot_anchor(target).encode(), label=escape(label).encode())

    def _notes(self, query: ParsedQuery, shown: Shown, hrefs: Hrefs, chips: list[Chip]) -> bytes:
        """Return what is unusual about these results, most often nothing."""
        if not query.unknown and shown.day is None:
            return b"" if shown.mask else self._empty(chips)
        context: Mapping[str, Any] = {
            "unknown": [pair for pair in query.unknown if pair[1]][:10],
            "shown": shown,
            "empty": mark_safe("" if shown.mask else self._empty(chips).decode()),  # noqa: S308  # ours
            "all_days_href": hrefs.on_all_days(says_so=True),
        }
        return render_to_string(f"{TEMPLATES}_notes.html", dict(context)).strip().encode()

    def _empty(self, chips: list[Chip]) -> bytes:
        """Return what helps where nothing matches: each filter as a link that drops it."""
        around = self._stencil("empty", lambda: self._small("_empty", "loosen", "href"))
        one = self._stencil("loosen", lambda: self._small("_loosen", "href", "label"))
        loosen = [
            one.fill(href=escape(chip.href).encode(), label=escape(chip.label).encode())
            for chip in chips
        ]
        return around.fill(loosen=loosen, href=self.path.encode())

    def _subscribe(self, query: ParsedQuery, total: int, hrefs: Hrefs) -> list[bytes]:
        stencil = self._stencil("subscribe", self._subscribe_stencil)
        question = hrefs.feed_question(query.lang)
        if query.criteria.is_empty:
            words = self._counted(
                "Subscribe to the whole schedule: %(n)s session",
                "Subscribe to the whole schedule: %(n)s sessions",
                total,
            )
        else:
            words = self._counted(
                "Subscribe to this view: %(n)s session",
                "Subscribe to this view: %(n)s sessions",
                total,
            )
        return stencil.pieces(
            {
                "feed_label": words,
                "question": question.replace("&", "&amp;").encode(),
                "question_quoted": _quoted(question).encode(),
                "name_quoted": self._name_quoted(query.criteria),
            }
        )

    def _name_quoted(self, criteria: Criteria) -> bytes:
        """Return the selection's name quoted for an address, each of its words quoted once."""
        quoted = self._quoted_words
        if len(quoted) > MOST_WORDS:
            quoted.clear()
        parts = []
        for part in selection_words(self.schedule, criteria):
            word = quoted.get(part)
            if word is None:
                word = quoted[part] = quote(part, safe="").encode()
            parts.append(word)
        return b"".join(parts)

    def _subscribe_stencil(self) -> Stencil:
        """Make the links once, with holes where they carry the query string and the name.

        Quoting a long address three times for each filter cost more than all the rest of it.
        """
        mark = "markof{}here".format
        path = addresses.schedule_ics_path(self.schedule.conference.slug)
        links = subscribe_links(f"{settings.SITE_URL}{path}{mark('query')}", mark("name"))

        def with_holes(text: str, query: str) -> str:
            text = text.replace("&", "&amp;").replace(mark("query"), hole(query))
            return mark_safe(text.replace(mark("name"), hole("name_quoted")))  # noqa: S308  # ours

        context = {
            **self.context,
            "feed_path": with_holes(path + mark("query"), "question"),
            "feed": {
                "https": with_holes(links.https, "question"),
                "webcal": with_holes(links.webcal, "question"),
                "google": with_holes(links.google, "question_quoted"),
                "google_page": links.google_page,
                "outlook": with_holes(links.outlook, "question_quoted"),
                "office365": with_holes(links.office365, "question_quoted"),
            },
        }
        return Stencil.of("includes/subscribe.html", ("feed_label",), context)


def programme_pages(schedule: Schedule) -> ProgrammePages:
    """Return the pages of a schedule in the active language, made once per snapshot."""
    key = ("programme pages", get_language())
    pages: ProgrammePages | None = schedule.memo.get(key)
    if pages is None:
        pages = schedule.memo[key] = ProgrammePages(schedule)
    return pages


def _quoted(question: str) -> str:
    """Return ``quote(question, safe="")`` for a canonical query string, ten times as fast."""
    for char, code in (("%", "%25"), ("?", "%3F"), ("&", "%26"), ("=", "%3D"), ("+", "%2B")):
        question = question.replace(char, code)
    return question


def _asks_nothing(criteria: Criteria) -> bool:
    """Return whether nothing but days is asked for."""
    return criteria == Criteria(days=criteria.days)


def _filter_count(criteria: Criteria) -> bytes:
    """Return the number of active filters as the disclosure shows it; nothing for none."""
    active = sum(1 for facet, _ in criteria.active() if facet != "q")
    return b"%d" % active if active else b""


def _carried(query: ParsedQuery) -> bytes:
    """Return hidden inputs for what the form does not ask but the address has to keep."""
    pairs = [("view", query.view), ("tz", query.tz), ("lang", query.lang)]
    if query.is_all_days:
        pairs.append(("day", "all"))
    return "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">'
        for name, value in pairs
        if value
    ).encode()

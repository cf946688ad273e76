"""Puts the schedule page together: out of stencils and cards that are made once per snapshot.

Everything here is kept in ``schedule.memo`` by language; a request joins bytes. The markup is in
``templates/sessions_app/``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext, ngettext

from sessions_app import addresses
from sessions_app.criteria import Criteria
from sessions_app.exporters.links import subscribe_links
from sessions_app.exporters.words import selection_name
from sessions_app.forms import ParsedQuery, query_string
from sessions_app.records import PublicSession
from sessions_app.schedule import DayProgramme, Schedule, Shown, Slot, by_day, conference_day
from sessions_app.stencil import Stencil, hole
from sessions_app.templatetags.programme import day_short
from sessions_app.views.base import page_context
from sessions_app.views.filters import facet_context, facet_labels, facet_values

TEMPLATES = "sessions_app/"
#: The state of every session once the last one has ended: nothing is told apart by being past.
OVER = "over"


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
        self._cards: dict[tuple[str, bool], dict[int, bytes]] = {}
        self._stencils: dict[Any, Stencil] = {}

    # --- the whole page and the fragment ---

    def page(self, query: ParsedQuery, now: dt.datetime) -> bytes:
        """Return the whole page."""
        facets = self.schedule.facets(query.criteria)
        values = facet_values(facets)
        for facet in facets:
            for number, option in enumerate(facet.options):
                values[f"{facet.name}_{number}_c"] = b" checked" if option.is_selected else b""
        page = self._stencil("page", self._page_stencil)
        question = f"?{query.canonical}" if query.canonical else ""
        return page.fill(
            **values,
            **self._result_values(query, now),
            filter_count=_filter_count(query.criteria),
            canonical_query=escape(question).encode(),
            q=escape(query.criteria.q).encode(),
            carried=_carried(query),
        )

    def fragment(self, query: ParsedQuery, now: dt.datetime) -> bytes:
        """Return what HTMX swaps in: the results, and the counts out of band."""
        results = self._stencil("results", self._results_stencil)
        counts = self._stencil("counts", self._counts_stencil)
        values = facet_values(self.schedule.facets(query.criteria))
        return results.fill(**self._result_values(query, now)) + counts.fill(
            **values, filter_count=_filter_count(query.criteria)
        )

    def _stencil(self, name: Any, make: Any) -> Stencil:
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
        context = {**self.context, "facets": facet_context(self.schedule, self.labels)}
        return Stencil.of(f"{TEMPLATES}schedule.html", holes, context)

    def _results_stencil(self) -> Stencil:
        return Stencil.of(f"{TEMPLATES}_schedule_results.html", self.RESULT_HOLES, self.context)

    def _counts_stencil(self) -> Stencil:
        context = {**self.context, "facets": facet_context(self.schedule, self.labels)}
        return Stencil.of(f"{TEMPLATES}_facet_counts.html", ("filter_count",), context)

    # --- results ---

    def _result_values(self, query: ParsedQuery, now: dt.datetime) -> dict[str, bytes]:
        shown = self.schedule.shown(query.criteria, now, all_days=query.is_all_days)
        words = ngettext("%(n)s session", "%(n)s sessions", shown.total) % {"n": shown.total}
        chips = self._chips(query)
        return {
            "announce": words.encode(),
            "count_words": words.encode(),
            "day_links": self._day_links(query, shown),
            "chips": self._chip_list(query, chips),
            "notes": self._notes(query, shown, chips),
            "programme": self.programme(shown.sessions, now),
            "subscribe": self._subscribe(query, shown.total),
            "now_link": self._now_link(shown, now),
        }

    def _href(self, query: ParsedQuery, criteria: Criteria, *, all_days: bool = False) -> str:
        text = query_string(
            criteria, view=query.view, tz=query.tz, lang=query.lang, all_days=all_days
        )
        return f"{self.path}?{text}" if text else self.path

    def _chips(self, query: ParsedQuery) -> list[Chip]:
        found = []
        for facet, value in query.criteria.active():
            label = self._chip_label(facet, value)
            rest = query.criteria.without(facet, value)
            found.append(Chip(label, self._href(query, rest, all_days=query.is_all_days)))
        return found

    def _chip_label(self, facet: str, value: str) -> str:
        if facet == "q":
            return f"“{value}”"
        label = self.labels[facet, value]
        # "Any" and "Not stated" say nothing without the facet's name.
        return gettext("Level: %(level)s") % {"level": label} if facet == "level" else label

    def _chip_list(self, query: ParsedQuery, chips: list[Chip]) -> bytes:
        if not chips:
            return b""
        one = self._stencil("chip", lambda: self._small("_chip", "href", "label"))
        around = self._stencil("chips", lambda: self._small("_chips", "href", "chips"))
        filled = b"".join(
            one.fill(href=escape(chip.href).encode(), label=escape(chip.label).encode())
            for chip in chips
        )
        return around.fill(chips=filled, href=escape(self._cleared(query)).encode())

    def _cleared(self, query: ParsedQuery) -> str:
        """Return the address without filters: day, view and zone stay, facets and text go."""
        return self._href(query, Criteria(days=query.criteria.days), all_days=query.is_all_days)

    def _small(self, template: str, *holes: str) -> Stencil:
        return Stencil.of(f"{TEMPLATES}{template}.html", holes, self.context)

    def _day_links(self, query: ParsedQuery, shown: Shown) -> bytes:
        """Return links to each day and to all of them, the other filters kept."""
        days = self.schedule.days
        if len(days) < 2:
            return b""
        one = self._stencil(
            "day link", lambda: self._small("_day_link", "href", "label", "current")
        )
        around = self._stencil("day links", lambda: self._small("_day_links", "links"))
        chosen = query.criteria.days or ((shown.day,) if shown.day else ())
        has_all = len(shown.sessions) == shown.total and not chosen
        everything = self._href(
            query, query.criteria.with_values("day", ()), all_days=self._needs_all(query)
        )
        links = [_day_link(one, everything, gettext("All days"), has_all)]
        for day in days:
            href = self._href(query, query.criteria.with_values("day", (day.isoformat(),)))
            links.append(_day_link(one, href, day_short(day), day in chosen))
        return around.fill(links=b"".join(links))

    def _now_link(self, shown: Shown, now: dt.datetime) -> bytes:
        """Return a link to what runs, or in a pause to what comes next; else nothing."""
        today = conference_day(now, self.schedule.zone)
        if today not in shown.days:
            return b""
        of_day = [s for s in shown.sessions if s.day == today and not s.is_cancelled]
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
        return stencil.fill(anchor=_anchor(target).encode(), label=escape(label).encode())

    def _needs_all(self, query: ParsedQuery) -> bool:
        """Whether "all days" has to be asked for, since leaving the day out would cut to one."""
        return query.is_all_days or not self.schedule.fits_one_page

    def _notes(self, query: ParsedQuery, shown: Shown, chips: list[Chip]) -> bytes:
        """Return what is unusual about these results, most often nothing."""
        if not query.unknown and shown.day is None:
            return b"" if shown.sessions else self._empty(chips)
        context: Mapping[str, Any] = {
            "unknown": [pair for pair in query.unknown if pair[1]][:10],
            "shown": shown,
            "empty": mark_safe("" if shown.sessions else self._empty(chips).decode()),  # noqa: S308  # ours
            "all_days_href": self._href(query, query.criteria, all_days=True),
        }
        return render_to_string(f"{TEMPLATES}_notes.html", dict(context)).strip().encode()

    def _empty(self, chips: list[Chip]) -> bytes:
        """Return what helps where nothing matches: each filter as a link that drops it."""
        around = self._stencil("empty", lambda: self._small("_empty", "loosen", "href"))
        one = self._stencil("loosen", lambda: self._small("_loosen", "href", "label"))
        loosen = b"".join(
            one.fill(href=escape(chip.href).encode(), label=escape(chip.label).encode())
            for chip in chips
        )
        return around.fill(loosen=loosen, href=self.path.encode())

    def _subscribe(self, query: ParsedQuery, total: int) -> bytes:
        stencil = self._stencil("subscribe", self._subscribe_stencil)
        # A feed has neither view nor zone, and always every day that matches.
        text = query_string(query.criteria, lang=query.lang)
        question = f"?{text}" if text else ""
        if query.criteria.is_empty:
            words = ngettext(
                "Subscribe to the whole schedule: %(n)s session",
                "Subscribe to the whole schedule: %(n)s sessions",
                total,
            )
        else:
            words = ngettext(
                "Subscribe to this view: %(n)s session",
                "Subscribe to this view: %(n)s sessions",
                total,
            )
        return stencil.fill(
            feed_label=(words % {"n": total}).encode(),
            question=question.replace("&", "&amp;").encode(),
            question_quoted=quote(question, safe="").encode(),
            name_quoted=quote(selection_name(self.schedule, query.criteria), safe="").encode(),
        )

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

    # --- the programme itself ---

    def programme(self, sessions: Iterable[PublicSession], now: dt.datetime) -> bytes:
        """Return days, slots and cards as bytes."""
        return b"".join(self._day(day, now) for day in by_day(sessions))

    def _day(self, day: DayProgramme, now: dt.datetime) -> bytes:
        stencil = self._stencil(("day", day.day), lambda: self._day_stencil(day.day))
        is_today = day.day == conference_day(now, self.schedule.zone)
        return stencil.fill(slots=b"".join(self._slot(slot, now, is_today) for slot in day.slots))

    def _day_stencil(self, day: dt.date) -> Stencil:
        return Stencil.of(f"{TEMPLATES}_day.html", ("slots",), {**self.context, "day": day})

    def _slot(self, slot: Slot, now: dt.datetime, is_today: bool) -> bytes:
        # Only while the day runs: after it, a page of folded slots would hide everything.
        is_folded = is_today and all(session.ends_at <= now for session in slot.sessions)
        name = ("slot", slot.starts_at, len(slot.sessions) if is_folded else -1)
        stencil = self._stencil(name, lambda: self._slot_stencil(slot, is_folded))
        return stencil.fill(cards=b"".join(self._slot_cards(slot, now)))

    def _slot_cards(self, slot: Slot, now: dt.datetime) -> Iterable[bytes]:
        """Return a slot's cards; what has not begun or is all over is in one state together."""
        state = self._shared_state(slot, now)
        if state is None or self.schedule.has_changed(now):
            return [self.card(session, now) for session in slot.sessions]
        kept = self._cards.setdefault((state, False), {})
        return [
            kept.get(session.id) or self._render_card(session, state, is_changed=False)
            for session in slot.sessions
        ]

    def _shared_state(self, slot: Slot, now: dt.datetime) -> str | None:
        if now >= self.schedule.ends_at:
            return OVER
        if slot.starts_at > now:
            return "next" if slot.starts_at == self.schedule.next_start(now) else "later"
        return None

    def _slot_stencil(self, slot: Slot, is_folded: bool) -> Stencil:
        anchor = _anchor(slot.starts_at)
        local_day = slot.starts_at.astimezone(self.schedule.zone).date()
        context = {
            **self.context,
            "slot": slot,
            "is_folded": is_folded,
            "anchor": anchor,
            # After midnight the calendar is a day ahead of the programme.
            "next_day": local_day if local_day != slot.sessions[0].day else None,
        }
        return Stencil.of(f"{TEMPLATES}_slot.html", ("cards",), context)

    def card(self, session: PublicSession, now: dt.datetime) -> bytes:
        """Return a session's card, rendered once for each state it can be in."""
        state = OVER if now >= self.schedule.ends_at else self.schedule.state(session, now)
        is_changed = self.schedule.is_changed(session, now)
        kept = self._cards.setdefault((state, is_changed), {})
        return kept.get(session.id) or self._render_card(session, state, is_changed=is_changed)

    def _render_card(self, session: PublicSession, state: str, *, is_changed: bool) -> bytes:
        context = {**self.context, "session": session, "state": state, "is_changed": is_changed}
        card = render_to_string(f"{TEMPLATES}_session_card.html", context).encode()
        self._cards[state, is_changed][session.id] = card
        return card


def programme_pages(schedule: Schedule) -> ProgrammePages:
    """Return the pages of a schedule in the active language, made once per snapshot."""
    key = ("programme pages", get_language())
    pages: ProgrammePages | None = schedule.memo.get(key)
    if pages is None:
        pages = schedule.memo[key] = ProgrammePages(schedule)
    return pages


def _anchor(starts_at: dt.datetime) -> str:
    """Return what the id of a slot's time ends in."""
    return f"{starts_at:%Y%m%dT%H%MZ}"


def _day_link(stencil: Stencil, href: str, label: str, is_current: bool) -> bytes:
    return stencil.fill(
        href=escape(href).encode(),
        label=escape(label).encode(),
        current=b' aria-current="true"' if is_current else b"",
    )


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

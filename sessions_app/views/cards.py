"""Days, slots and cards as bytes: laid out once per snapshot and phase of the clock.

Sessions are numbered in the order of the schedule, so a slot is a run of numbers, and what a page
shows of it is a few bits of the mask of all that matches. A request picks pieces of bytes.
"""

from __future__ import annotations

import bisect
import datetime as dt
import itertools
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from django.template.loader import render_to_string

from sessions_app.facets import numbers
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule, conference_day
from sessions_app.stencil import Stencil

TEMPLATES = "sessions_app/"
#: The state of every session once the last one has ended: nothing is told apart by being past.
OVER = "over"

Ends = tuple[bytes, bytes]


class _Slot(NamedTuple):
    """Sessions that start together: the numbers from ``first`` up to ``end``."""

    starts_at: dt.datetime
    first: int
    end: int


class _Day(NamedTuple):
    day: dt.date
    mask: int
    slots: tuple[_Slot, ...]


class _Moment(NamedTuple):
    """What holds for one phase: the cards rendered so far, and the sessions of today that ended.

    Of today alone: after the day, a page of folded slots would hide everything.
    """

    phase: int
    now: dt.datetime
    cards: list[bytes | None]
    ended: frozenset[int]


class Cards:
    """The programme of one Schedule in one language, with the context its templates need."""

    def __init__(self, schedule: Schedule, context: Mapping[str, Any]) -> None:
        self._schedule = schedule
        self._context = context
        self._days = tuple(self._laid_out())
        self._day_ends: dict[dt.date, Ends] = {}
        self._slot_ends: dict[tuple[dt.datetime, int], Ends] = {}
        self._rendered: dict[tuple[int, str, bool], bytes] = {}
        self._latest: _Moment | None = None

    def pieces(self, mask: int, now: dt.datetime, *, folds: bool = True) -> list[bytes]:
        """Return the days, slots and cards of the sessions behind a mask, to be joined.

        With ``folds`` the slots of today that have ended are put away.
        """
        moment = self._moment(now)
        found = numbers(mask)
        cards = self._cards(found, moment)
        out: list[bytes] = []
        done = 0
        for day in self._days:
            if not mask & day.mask:
                continue
            before, after = self._around_day(day.day)
            out.append(before)
            for slot in day.slots:
                end = bisect.bisect_left(found, slot.end, done)
                if end > done:
                    is_folded = folds and moment.ended.issuperset(found[done:end])
                    folded = end - done if is_folded else 0
                    slot_before, slot_after = self._around_slot(slot, folded)
                    out.append(slot_before)
                    out += cards[done:end]
                    out.append(slot_after)
                    done = end
            out.append(after)
        return out

    def card(self, session: PublicSession, now: dt.datetime) -> bytes:
        """Return a session's card, rendered once for each state it can be in."""
        is_over = now >= self._schedule.ends_at
        state = OVER if is_over else self._schedule.state(session, now)
        is_changed = self._schedule.is_changed(session, now)
        key = (session.id, state, is_changed)
        card = self._rendered.get(key)
        if card is None:
            values = {**self._context, "session": session, "state": state, "is_changed": is_changed}
            card = render_to_string(f"{TEMPLATES}_session_card.html", values).encode()
            self._rendered[key] = card
        return card

    def _cards(self, found: list[int], moment: _Moment) -> list[bytes]:
        cards = list(map(moment.cards.__getitem__, found))
        if not all(cards):
            for position, number in enumerate(found):
                if cards[position] is None:
                    card = self.card(self._schedule.sessions[number], moment.now)
                    cards[position] = moment.cards[number] = card
        return cast("list[bytes]", cards)  # None has just been replaced

    def _moment(self, now: dt.datetime) -> _Moment:
        phase, latest = self._schedule.phase(now), self._latest
        if latest is None or latest.phase != phase:
            sessions = self._schedule.sessions
            today = conference_day(now, self._schedule.zone)
            ended = frozenset(
                number
                for number, session in enumerate(sessions)
                if session.day == today and session.ends_at <= now
            )
            latest = self._latest = _Moment(phase, now, [None] * len(sessions), ended)
        return latest

    def _laid_out(self) -> Iterable[_Day]:
        first = 0
        masks = dict(self._schedule.day_masks)
        for day, of_day in itertools.groupby(self._schedule.sessions, lambda each: each.day):
            slots = []
            for starts_at, together in itertools.groupby(of_day, lambda each: each.starts_at):
                size = sum(1 for _ in together)
                slots.append(_Slot(starts_at, first, first + size))
                first += size
            yield _Day(day, masks[day], tuple(slots))

    def _around_day(self, day: dt.date) -> Ends:
        ends = self._day_ends.get(day)
        if ends is None:
            context = {**self._context, "day": day}
            stencil = Stencil.of(f"{TEMPLATES}_day.html", ("slots",), context)
            ends = self._day_ends[day] = stencil.ends()
        return ends

    def _around_slot(self, slot: _Slot, folded: int) -> Ends:
        """Return what stands around a slot's cards; ``folded`` counts those that are put away."""
        key = (slot.starts_at, folded)
        ends = self._slot_ends.get(key)
        if ends is None:
            local_day = slot.starts_at.astimezone(self._schedule.zone).date()
            day = self._schedule.sessions[slot.first].day
            context = {
                **self._context,
                "starts_at": slot.starts_at,
                "folded": folded,
                "anchor": slot_anchor(slot.starts_at),
                # After midnight the calendar is a day ahead of the programme.
                "next_day": local_day if local_day != day else None,
            }
            stencil = Stencil.of(f"{TEMPLATES}_slot.html", ("cards",), context)
            ends = self._slot_ends[key] = stencil.ends()
        return ends


def slot_anchor(starts_at: dt.datetime) -> str:
    """Return what the id of a slot's time ends in."""
    return f"{starts_at:%Y%m%dT%H%MZ}"

"""The parts of sessions that are rows of their own: tracks, levels, people, decks.

Called by ``write`` inside ``publishing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sessions_app.loader.draft import Draft
from sessions_app.loader.said import person_key
from sessions_app.loader.state import State, source_name
from sessions_app.models import Session, SessionSpeaker, SessionTrack, Slides

_BATCH = 500
_Pairs = list[tuple[Session, Draft]]


def write_links(pairs: _Pairs, state: State) -> None:
    """Write the lists of sessions: all of new ones, and those that changed of others."""
    _rewrite(pairs, state, {"tracks"}, SessionTrack, _tracks)
    _rewrite(pairs, state, {"levels"}, Session.levels.through, _levels)
    _rewrite(pairs, state, {"speakers", "moderators"}, SessionSpeaker, _people)
    _rewrite(pairs, state, {"slides"}, Slides, _slides)


def _rewrite(
    pairs: _Pairs,
    state: State,
    names: set[str],
    model: Any,
    make: Callable[[Session, Draft, State], Iterable[Any]],
) -> None:
    """Replace lists by new rows: positions are unique, so they cannot be changed one by one."""
    changed = [pair for pair in pairs if not names.isdisjoint(pair[1].merge.values)]
    made = [entry for row, draft in changed for entry in make(row, draft, state)]
    old = [row.pk for row, draft in changed if draft.row is not None]
    for start in range(0, len(old), _BATCH):
        model.objects.filter(session__in=old[start : start + _BATCH]).delete()
    model.objects.bulk_create(made, batch_size=_BATCH)


def _tracks(row: Session, draft: Draft, state: State) -> Iterator[SessionTrack]:
    for position, (name, parent) in enumerate(draft.merge.values["tracks"]):
        track = state.tracks[name, parent]
        yield SessionTrack(session=row, track=track, position=position)


def _levels(row: Session, draft: Draft, state: State) -> Iterator[Any]:
    for name in draft.merge.values["levels"]:
        yield Session.levels.through(session=row, level=state.levels[name])


def _people(row: Session, draft: Draft, state: State) -> Iterator[SessionSpeaker]:
    """Yield people in order, with the mark of those who chair; one of the two may stay as it is."""
    values = draft.merge.values
    entries = [] if draft.row is None else state.parts[row.pk].people
    if "speakers" in values:
        people = [state.speakers[key] for key in values["speakers"]]
    else:
        people = [entry.speaker for entry in entries]
    if "moderators" in values:
        chairs = set(values["moderators"])
    else:
        chairs = {person_key(source_name(each.speaker)) for each in entries if each.is_moderator}
    for position, person in enumerate(people):
        is_moderator = person_key(source_name(person)) in chairs
        yield SessionSpeaker(
            session=row, speaker=person, position=position, is_moderator=is_moderator
        )


def _slides(row: Session, draft: Draft, state: State) -> Iterator[Slides]:
    """Yield the decks of the source; what somebody linked or uploaded to one stays with it.

    A deck that the source dropped stays too if it has such an address or upload.
    """
    own = [] if draft.row is None else _enriched(state.parts[row.pk].decks, draft)
    made = []
    for name, file_type, url in draft.merge.values["slides"]:
        same = [deck for deck in own if (deck.name, deck.file_type) == (name, file_type)]
        deck = Slides(name=name, file_type=file_type, url=url)
        if same:
            own.remove(same[0])
            deck.url, deck.file = same[0].url, same[0].file
        made.append(deck)
    for position, deck in enumerate([*made, *own]):
        deck.pk, deck.session, deck.position = None, row, position
        yield deck


def _enriched(decks: list[Slides], draft: Draft) -> list[Slides]:
    """Return the decks with an upload, or an address that the source did not print."""
    (printed,) = (change.old for change in draft.merge.changes if change.field == "slides")
    return [
        deck
        for deck in decks
        if deck.file or (deck.url and [deck.name, deck.file_type, deck.url] not in printed)
    ]

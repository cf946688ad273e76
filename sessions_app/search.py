"""Text search over sessions: case, accents and hyphens do not matter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from sessions_app.records import PublicSession

#: Hyphens, dashes, soft hyphens and apostrophes that join the parts of one word.
_JOINERS = re.compile(r"[\-\u00ad\u058a\u2010-\u2015\u2212\ufe58\ufe63\uff0d'\u2018\u2019\u02bc`]")
_NO_WORD = re.compile(r"[^\w]+")


def fold(text: str) -> str:
    """Return the text in lower case without accents, ligatures taken apart (Unicode NFKD)."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return plain.casefold()


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a query: ``joined`` without its hyphens, ``parts`` what stands between them."""

    joined: str
    parts: tuple[str, ...]


def words(query: str) -> tuple[Word, ...]:
    """Return the folded words of a query; "Pre-Training" is one word with two parts."""
    found = []
    for written in fold(query).split():
        apart = _JOINERS.sub(" ", written)
        parts = tuple(part for part in _NO_WORD.split(apart) if part)
        if parts:
            found.append(Word(_NO_WORD.sub(" ", _JOINERS.sub("", written)).strip(), parts))
    return tuple(found)


def contains(text: str, wanted: Iterable[Word]) -> bool:
    """Whether a haystack holds every word, joined or in its parts."""
    return all(word.joined in text or all(part in text for part in word.parts) for word in wanted)


def haystack(session: PublicSession) -> str:
    """Return all that a session can be found by.

    Hyphenated words stand in it twice, joined and apart, so that "pretraining", "pre-training" and
    "pre training" all find "pre-training".
    """
    text = fold("\n".join(_texts(session)))
    joined = _NO_WORD.sub(" ", _JOINERS.sub("", text))
    apart = _NO_WORD.sub(" ", _JOINERS.sub(" ", text))
    return joined if joined == apart else f"{joined}\n{apart}"


def _texts(session: PublicSession) -> Iterable[str]:
    yield session.title
    yield session.source_title
    yield session.kind.replace("_", " ")
    if session.room:
        yield session.room.name
    for track in session.tracks:
        yield track.label
    for speaker in session.speakers:
        yield speaker.name
        yield speaker.headline
        yield speaker.company
    yield session.abstract

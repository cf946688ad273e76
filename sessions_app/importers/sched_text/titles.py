"""Titles: the kind that stands before them, the speakers that stand after them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sessions_app.importers.sched_text.names import is_same_person, words_of
from sessions_app.records import SourceSpeaker

#: Kind and sponsorship by the prefix of a printed title.
_PREFIXES: dict[str, tuple[str, bool]] = {
    "keynote": ("keynote", False),
    "sponsored keynote": ("keynote", True),
    "lightning talk": ("lightning_talk", False),
    "sponsored lightning talk": ("lightning_talk", True),
    "birds of a feather": ("birds_of_a_feather", False),
    "bof": ("birds_of_a_feather", False),
    "meet the developers": ("meet_the_developers", False),
    "sponsor activity": ("sponsor_activity", True),
    "sponsored session": ("sponsored_session", True),
}
_PREFIX = re.compile(
    rf"(?P<name>{'|'.join(map(re.escape, _PREFIXES))})(?: ?:| [-–—]) ?(?P<rest>.*\w.*)",
    re.IGNORECASE | re.DOTALL,
)
_DASH = re.compile(r" [-–—] ")
_SEPARATOR = re.compile(r" ?([,;&]| and (?=\S)) ?")
_MODERATED_BY = re.compile(r"moderat(?:ed by|or:?) ", re.IGNORECASE)
#: Longer titles are shown as they are: nothing about them is certain.
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Title:
    """A printed title, read.

    ``kind`` is empty where the title names none. ``respelt`` are people whom the title spells
    otherwise than the list does: (title's spelling, list's). ``is_suffix_kept`` tells that a
    suffix begins with a listed person, but is not certain to name all of them.
    """

    text: str
    kind: str = ""
    is_sponsored: bool = False
    respelt: tuple[tuple[str, str], ...] = ()
    is_suffix_kept: bool = False


def read_title(
    printed: str, people: Sequence[SourceSpeaker], moderators: Sequence[str] = ()
) -> Title:
    """Read a printed title.

    ``people`` are those listed with the session. The suffix has to name all of them to be cut,
    but may leave out the ``moderators`` among them.
    """
    match = _PREFIX.fullmatch(printed)
    kind, is_sponsored = _PREFIXES[match["name"].lower()] if match else ("", False)
    text = match["rest"] if match else printed
    if not people or len(text) > _LONGEST:
        return Title(text, kind, is_sponsored)
    is_suffix_kept = False
    for dash in _DASH.finditer(text):
        suffix = _Suffix(text[dash.end() :], people)
        if suffix.names_all_but(moderators):
            shown = text[: dash.start()].rstrip()
            return Title(shown, kind, is_sponsored, tuple(suffix.respelt))
        is_suffix_kept |= suffix.begins_with_person
    return Title(text, kind, is_sponsored, is_suffix_kept=is_suffix_kept)


class _Suffix:
    """What may be the speakers of a title: "A & B, Company; C, Job, Company".

    It must begin with a listed person. What else stands after commas must look like a job or a
    company; after "&", ";" and "and" only another person may follow, or the rest of a company
    that the people's headlines know ("Brick & Mortar").
    """

    def __init__(self, text: str, people: Sequence[SourceSpeaker]) -> None:
        self._left = list(people)
        self._known = [" ".join(words_of(person.headline)) for person in people]
        self.respelt: list[tuple[str, str]] = []
        parts = _parts(text)
        self.begins_with_person = bool(parts) and self._take(parts[0][1])
        self._is_certain = self.begins_with_person and self._read(parts[1:])

    def names_all_but(self, optional: Sequence[str]) -> bool:
        """Whether it certainly names everybody, those aside whom it may leave out."""
        return self._is_certain and all(person.name in optional for person in self._left)

    def _read(self, parts: list[tuple[str, str]]) -> bool:
        affiliation = ""
        for separator, part in parts:
            if self._take(part):
                affiliation = ""
                continue
            if separator == ",":
                is_possible = part[0].isupper() or part[0].isdigit() or self._knows(part)
                affiliation = part
            else:
                affiliation = f"{affiliation} {separator} {part}"
                is_possible = separator != ";" and self._knows(affiliation)
            if not is_possible:
                return False
        return True

    def _take(self, part: str) -> bool:
        printed = _MODERATED_BY.sub("", part)
        exact = (person for person in self._left if person.name == printed)
        alike = (
            person for person in self._left if is_same_person(printed, person.name, person.bio)
        )
        person = next(exact, None) or next(alike, None)
        if person is None:
            return False
        self._left.remove(person)
        if printed != person.name:
            self.respelt.append((printed, person.name))
        return True

    def _knows(self, affiliation: str) -> bool:
        words = " ".join(words_of(affiliation))
        return any(words in known for known in self._known)


def _parts(suffix: str) -> list[tuple[str, str]]:
    """Cut "A, B & C, Company" into its parts, each with the separator before it."""
    pieces = _SEPARATOR.split(suffix)
    separators = ["", *(separator.strip() for separator in pieces[1::2])]
    return [
        (separator, part.strip())
        for separator, part in zip(separators, pieces[::2], strict=True)
        if part.strip()
    ]

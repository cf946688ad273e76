"""The people of a session: who is listed, in which role, with headline, company and bio."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from sessions_app.importers.problems import Code, ProblemLog, shortened
from sessions_app.importers.sched_text.lines import Line, without_blanks_around
from sessions_app.importers.sched_text.names import words_of
from sessions_app.importers.sched_text.text import paragraphs, without_read_more
from sessions_app.records import SourceSpeaker

_AVATAR = "avatar for "
_INITIALS = re.compile(r"[^\W\d_a-z]{1,3}")
_SPEAKER_ROLES = frozenset(
    {"speakers", "speaker", "featured speakers", "artists", "hosts", "instructors", "panelists",
     "presenters"}
)  # fmt: skip
_MODERATOR_ROLES = frozenset({"moderators", "moderator", "session chairs"})
_OTHER_ROLES = frozenset({"exhibitors", "sponsors", "volunteers", "attendees"})
_ROLES = _SPEAKER_ROLES | _MODERATOR_ROLES | _OTHER_ROLES

#: No longer line marks a person.
_LONGEST_MARK = 200
#: No more blank lines stand between a heading and the first person.
_MOST_BLANKS = 3
#: A headline is a job and a company; what is longer is a bio without a headline.
_LONGEST_HEADLINE = 200

_LEGAL_FORM = re.compile(
    r"(?:inc|llc|l\.l\.c|ltd|limited|gmbh|ag|kg|kgaa|se|sa|s\.a|sas|sarl|bv|b\.v|nv|n\.v|oy|oyj|ab"
    r"|as|asa|a/s|aps|plc|corp|corporation|co|company|spa|s\.p\.a|srl|s\.r\.l|pty(?:\.? ltd)?"
    r"|lp|llp|kk|k\.k|sl|s\.l|kft|oü|d\.o\.o|sp\. z o\.o|ltda|pbc|pvt(?:\.? ltd)?)\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class People:
    """The people of one session in printed order; moderators stand among the speakers too."""

    speakers: tuple[SourceSpeaker, ...] = ()
    moderators: tuple[str, ...] = ()


@dataclass(slots=True)
class _Entry:
    line: Line
    role: str
    has_avatar: bool
    name: str
    rest: list[Line] = field(default_factory=list)


def uses_role_headings(lines: Iterable[Line]) -> bool:
    """Whether a page says "Speakers" above people; those of up to 2019 do not."""
    return any(line.text.lower() in _ROLES for line in lines)


def split_people(
    lines: list[Line], *, needs_heading: bool = False
) -> tuple[list[Line], list[Line]]:
    """Split what stands between the date lines: the abstract, and the people with their heading.

    With ``needs_heading`` initials begin no people by themselves, only below a heading: "AI" and
    "Artificial Intelligence" may be lines of an abstract.
    """
    for index, line in enumerate(lines):
        is_heading = line.text.lower() in _ROLES and _has_person(lines, index + 1)
        is_person = line.text.startswith(_AVATAR) if needs_heading else _is_person(lines, index)
        if is_heading or is_person:
            return lines[:index], lines[index:]
    return lines, []


def _has_person(lines: list[Line], index: int) -> bool:
    """Whether a person begins here, or after a few blank lines."""
    last = min(index + _MOST_BLANKS, len(lines) - 1)
    while index < last and lines[index].is_blank:
        index += 1
    return _is_person(lines, index)


def _is_person(lines: list[Line], index: int) -> bool:
    """Whether a person begins here: with an avatar line, or with a mark that the name proves.

    A mark stands alone above a name that stands alone: initials of the name, or a line that ends
    in the name, as the avatar line does in other languages.
    """
    if index >= len(lines):
        return False
    mark = lines[index].text
    if mark.startswith(_AVATAR):
        return True
    if not mark or len(mark) > _LONGEST_MARK:
        return False
    below = lines[index + 1 : index + 4]
    if len(below) < 2 or below[0].text or not below[1].text or any(b.text for b in below[2:]):
        return False
    name = below[1].text
    if _INITIALS.fullmatch(mark):
        return _are_initials(mark, name)
    return mark != name and mark.endswith(name)


def _are_initials(initials: str, name: str) -> bool:
    """Whether these are initials of words of the name, the first word's among them."""
    letters = iter(word[0] for word in words_of(name))
    wanted = initials.casefold()
    return name[:1].casefold() == wanted[0] and all(letter in letters for letter in wanted)


def read_people(lines: list[Line], log: ProblemLog) -> People:
    """Read the people's part of a session, as ``split_people`` cut it off."""
    entries = [entry for entry in _entries(lines) if entry.name]
    people: dict[str, SourceSpeaker] = {}
    moderators: list[str] = []
    for entry in entries:
        if entry.role in _OTHER_ROLES:
            message = f"{shortened(entry.name)} is listed under “{entry.role}”, not as a speaker."
            log.add(entry.line.number, Code.OTHER_ROLE, message)
            continue
        speaker = _speaker(entry)
        people[speaker.name] = merged(people.get(speaker.name, speaker), speaker)
        if entry.role in _MODERATOR_ROLES and speaker.name not in moderators:
            moderators.append(speaker.name)
    return People(tuple(people.values()), tuple(moderators))


def _entries(lines: list[Line]) -> list[_Entry]:
    entries: list[_Entry] = []
    role, index = "speakers", 0
    while index < len(lines):
        text = lines[index].text
        if text.lower() in _ROLES and _has_person(lines, index + 1):
            role = text.lower()
        elif _is_person(lines, index):
            entry, index = _begin_entry(lines, index, role)
            entries.append(entry)
            continue
        elif entries:
            entries[-1].rest.append(lines[index])
        index += 1
    return entries


def _begin_entry(lines: list[Line], index: int, role: str) -> tuple[_Entry, int]:
    """Read mark and name of a person; also return where the headline is to be looked for."""
    mark = lines[index]
    has_avatar = not _INITIALS.fullmatch(mark.text)
    shown = mark.text.removeprefix(_AVATAR) if has_avatar else ""
    following = index + 1
    while following < len(lines) and lines[following].is_blank:
        following += 1
    if following < len(lines) and not _is_person(lines, following):
        name = lines[following]
        is_alone = following > index + 1 and not any(b.text for b in lines[following + 1 :][:1])
        if is_alone or words_of(name.text) == words_of(shown):
            shown, index = name.text, following
    return _Entry(mark, role, has_avatar, shown), index + 1


def _speaker(entry: _Entry) -> SourceSpeaker:
    rest = without_blanks_around(entry.rest)
    headline = rest[0].text if rest and not _is_bio(rest[0].text) else ""
    bio, is_truncated = without_read_more(paragraphs(rest[1:] if headline else rest))
    return SourceSpeaker(
        name=entry.name,
        headline=headline,
        company=company_of(headline),
        bio=bio,
        bio_is_truncated=is_truncated,
        has_avatar=entry.has_avatar,
    )


def _is_bio(text: str) -> bool:
    return len(text) > _LONGEST_HEADLINE or without_read_more(text)[1]


def company_of(headline: str) -> str:
    """Return the company of a headline: what follows the last comma, empty without one.

    Where that is only a legal form, the part before belongs to it: "OpenTeams, Inc.".
    """
    before, comma, company = headline.rpartition(",")
    while comma and before and _is_legal_form(company):
        before, comma, earlier = before.rpartition(",")
        company = f"{earlier},{company}"
    return company.strip() if comma or "," in company else ""


def _is_legal_form(text: str) -> bool:
    """Whether a part of a headline is a legal form, or several ("Co., Ltd.")."""
    return all(_LEGAL_FORM.fullmatch(part.strip()) for part in text.split(","))


def merged(known: SourceSpeaker, other: SourceSpeaker) -> SourceSpeaker:
    """Return what two entries of one person say together; the first one wins."""
    has_bio = bool(known.bio) or known.bio_is_truncated
    return replace(
        known,
        headline=known.headline or other.headline,
        company=known.company or other.company,
        bio=known.bio if has_bio else other.bio,
        bio_is_truncated=known.bio_is_truncated if has_bio else other.bio_is_truncated,
        has_avatar=known.has_avatar or other.has_avatar,
    )


def report_unread(abstract: list[Line], log: ProblemLog) -> None:
    """Warn of a heading such as "Speakers" in the abstract that no person follows."""
    lines = without_blanks_around(abstract)
    for line, following in zip_longest(lines, lines[1:]):
        is_alone = following is None or following.is_blank
        if is_alone and line.text in {"Speakers", "Moderators"}:
            message = f"“{line.text}” is followed by no person; expected “avatar for NAME”."
            log.add(line.number, Code.PEOPLE_UNREAD, message)

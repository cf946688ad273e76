"""Comparing names of people that two places spell differently."""

from __future__ import annotations

import difflib
import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "’": "'"})

_DIMINUTIVE = re.compile(r"(?<=\w\w)(?:ie|e|y)$")

#: How alike two words must be to be one word with a slip of the pen (0 to 1).
_ALIKE = 0.8


def fold(text: str) -> str:
    """Return the text without case and accents, for comparing."""
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def words_of(text: str) -> list[str]:
    """Return the folded words of a text, without punctuation."""
    return _WORD.findall(fold(text))


def is_same_person(printed: str, name: str, bio: str = "") -> bool:
    """Whether ``printed`` certainly means the person listed as ``name``.

    Certain are: the same words in any order and case; the name with which the bio begins, if it
    shares a word with the listed one; one word with a slip of the pen; the same surname after a
    short form of the first name ("Dave" for "David", "D.").
    """
    ours, theirs = words_of(printed), words_of(name)
    if not ours or not theirs:
        return False
    if sorted(ours) == sorted(theirs):
        return True
    begins_bio = words_of(bio[:200])[: len(ours)] == ours
    if begins_bio and len(ours) > 1 and set(ours) & set(theirs):
        return True
    return _has_one_slip(ours, theirs) or _has_short_first_name(ours, theirs)


def _has_one_slip(ours: list[str], theirs: list[str]) -> bool:
    if len(ours) != len(theirs) or len(ours) < 2:
        return False
    differing = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    return len(differing) == 1 and _are_alike(*differing[0])


def _are_alike(one: str, other: str) -> bool:
    if max(len(one), len(other)) > 40:
        return False
    return difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE


def _has_short_first_name(ours: list[str], theirs: list[str]) -> bool:
    if min(len(ours), len(theirs)) < 2 or ours[-1] != theirs[-1]:
        return False
    shorter, longer = sorted((ours[0], theirs[0]), key=len)
    return len(longer) > len(shorter) and longer.startswith(_DIMINUTIVE.sub("", shorter))

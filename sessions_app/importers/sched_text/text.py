"""Running text: paragraphs and list lines kept as lines, hard wraps joined, cuts remembered."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sessions_app.importers.sched_text.lines import Line

_LIST_ITEM = re.compile(r"(?:[-–—*•·▪◦‣]|\d{1,2}[.)]|[a-z][.)]) ?")
_READ_MORE = re.compile(r"\s*(?:\.\.\.|…)?\s*Read More\s*(?:→|»|->|>)\s*$")
#: A line that ends in one of these ends in mid-sentence, whatever comes next.
_CONNECTIVES = frozenset(
    ("a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "is", "its", "of", "on", "or",
     "our", "that", "the", "their", "to", "which", "with")
)  # fmt: skip
#: Shorter lines are lines of lists, not wrapped: nobody wraps text at 40 characters.
_SHORTEST_WRAPPED = 40


def paragraphs(lines: Iterable[Line]) -> str:
    """Return the text with one line per paragraph or list line.

    Blank lines vanish; a line that was hard-wrapped in mid-sentence is joined with the next.
    """
    result: list[list[str]] = []
    is_adjacent = False
    for line in lines:
        if line.text and is_adjacent and _is_hard_wrap(result[-1][-1], line.text):
            result[-1].append(line.text)
        elif line.text:
            result.append([line.text])
        is_adjacent = bool(line.text)
    return "\n".join(" ".join(pieces) for pieces in result)


def _is_hard_wrap(before: str, after: str) -> bool:
    if len(before) < _SHORTEST_WRAPPED or _LIST_ITEM.match(after):
        return False
    if before.rsplit(None, 1)[-1] in _CONNECTIVES:
        return True
    return after[0].islower() and (before[-1].isalnum() or before[-1] == ",")


def without_read_more(text: str) -> tuple[str, bool]:
    """Cut "... Read More →" from the end of a bio; also return whether it was there."""
    whole = _READ_MORE.sub("", text)
    return whole, whole != text

"""Plain text of abstracts and biographies as safe HTML: paragraphs, lists, links.

Sources carry one paragraph or list entry a line, lists as ``-x``, ``- x``, ``• x`` or ``1. x``.
Everything is escaped; only http and https addresses become links.
"""

from __future__ import annotations

import itertools
import re
from html import escape

_BULLET = re.compile(r"^(?:[-–•*●▪]\s*|\u2022\s*)(?=\S)(?!-)")
_NUMBER = re.compile(r"^(\d{1,3})[.)]\s+(?=\S)")
#: Up to white space or an angle bracket; what ends a sentence is taken off again below.
_ADDRESS = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_TRAILING = ".,;:!?…’”'\""


def as_html(text: str) -> str:
    """Return the text as HTML of ``p``, ``ul`` and ``ol`` elements; "" for no text."""
    lines = [line.strip() for line in text.splitlines()]
    parts = []
    for kind, group in itertools.groupby((line for line in lines if line), key=_kind):
        entries = list(group)
        if kind == "p":
            parts += [f"<p>{linked(line)}</p>" for line in entries]
        elif kind == "ul":
            items = "".join(f"<li>{linked(_BULLET.sub('', line))}</li>" for line in entries)
            parts.append(f"<ul>{items}</ul>")
        else:
            parts.append(_numbered(entries))
    return "\n".join(parts)


def _kind(line: str) -> str:
    if _NUMBER.match(line):
        return "ol"
    return "ul" if _BULLET.match(line) else "p"


def _numbered(entries: list[str]) -> str:
    """Return an ordered list that begins with the number the source begins with."""
    first = _NUMBER.match(entries[0])
    number = int(first.group(1)) if first else 1
    start = f' start="{number}"' if number != 1 else ""
    items = "".join(f"<li>{linked(_NUMBER.sub('', line))}</li>" for line in entries)
    return f"<ol{start}>{items}</ol>"


def linked(text: str) -> str:
    """Return one line escaped, with its http and https addresses as links."""
    parts = []
    end = 0
    for match in _ADDRESS.finditer(text):
        address = _without_trailing(match.group())
        parts.append(escape(text[end : match.start()]))
        href = escape(address, quote=True)
        parts.append(f'<a href="{href}" rel="noopener nofollow">{escape(address)}</a>')
        end = match.start() + len(address)
    parts.append(escape(text[end:]))
    return "".join(parts)


def _without_trailing(address: str) -> str:
    address = address.rstrip(_TRAILING)
    # A closing bracket belongs to the sentence unless the address opened one.
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip(_TRAILING)
    return address


def summary(text: str, length: int = 155) -> str:
    """Return the beginning of a text on one line, cut at a word, for descriptions of pages."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    return line[:length].rsplit(" ", 1)[0].rstrip(_TRAILING) + "…"

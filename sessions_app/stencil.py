"""Stencils: a template rendered once, with holes that each request fills by joining bytes.

Rendering the thirty options of a filter form by the template engine takes a millisecond for every
filter never asked before; filling a stencil takes microseconds. The markup stays in templates.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

#: Drawn anew in each process, so that no text of a visitor or organizer can look like a hole.
_MARK = secrets.token_hex(8)
_HOLE = re.compile(f"{_MARK}-([a-z0-9_]+)-{_MARK}")


def hole(name: str) -> SafeString:
    """Return what a template prints where a hole is to be."""
    return mark_safe(f"{_MARK}-{name}-{_MARK}")  # noqa: S308  # a name from our own code


#: What fills a hole: bytes, or pieces of bytes to be joined with all the others at once.
Filling = bytes | list[bytes]


class Stencil:
    """A rendered template with named holes."""

    __slots__ = ("_first", "_rest")

    def __init__(self, html: str) -> None:
        split = _HOLE.split(html)
        parts = [part.encode() for part in split[0::2]]
        self._first = parts[0]
        self._rest = tuple(zip(split[1::2], parts[1:], strict=True))

    @classmethod
    def of(cls, template: str, holes: tuple[str, ...], context: Mapping[str, object]) -> Stencil:
        """Render a template in which each of ``holes`` is a variable that prints a hole."""
        values = {**context, **{name: hole(name) for name in holes}}
        return cls(render_to_string(template, values))

    def fill(self, **values: Filling) -> bytes:
        """Return the bytes with every hole filled; KeyError names a hole that got nothing."""
        return b"".join(self.pieces(values))

    def pieces(self, values: Mapping[str, Filling]) -> list[bytes]:
        """Return the same in pieces: what is joined once, at the end, is copied once."""
        out = [self._first]
        for name, part in self._rest:
            value = values[name]
            if isinstance(value, list):
                out += value
            else:
                out.append(value)
            out.append(part)
        return out

    def ends(self, **values: bytes) -> tuple[bytes, bytes]:
        """Return what stands before and after the one hole that ``values`` leaves open.

        ValueError where it is not exactly one.
        """
        before, after = [self._first], list[bytes]()
        for name, part in self._rest:
            if name in values:
                (after or before).extend((values[name], part))
            elif after:
                raise ValueError(f"{name!r} is left open too")
            else:
                after.append(part)
        if not after:
            raise ValueError("no hole is left open")
        return b"".join(before), b"".join(after)

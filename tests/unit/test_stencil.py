"""Stencils."""

from __future__ import annotations

import pytest

from sessions_app.stencil import Stencil, hole


def test_holes_are_filled_in_order_and_may_repeat() -> None:
    stencil = Stencil(f"<b>{hole('a')}</b>{hole('b_1')}{hole('a')}é")
    assert stencil.fill(a=b"1", b_1=b"2") == "<b>1</b>21é".encode()


def test_a_hole_that_gets_nothing_is_named() -> None:
    with pytest.raises(KeyError, match="'a'"):
        Stencil(str(hole("a"))).fill()


def test_text_that_looks_like_a_hole_stays_text() -> None:
    assert Stencil("\x02a\x03 mark-a-mark").fill() == b"\x02a\x03 mark-a-mark"


def test_a_hole_takes_pieces_too() -> None:
    stencil = Stencil(f"<ul>{hole('items')}</ul>")
    assert stencil.fill(items=[b"a", b"b"]) == b"<ul>ab</ul>"
    assert stencil.pieces({"items": [b"a", b"b"]}) == [b"<ul>", b"a", b"b", b"</ul>"]


def test_what_stands_around_one_hole() -> None:
    stencil = Stencil(f"<b{hole('mark')}>{hole('text')}</b{hole('mark')}>.")
    assert stencil.ends(mark=b" x") == (b"<b x>", b"</b x>.")
    with pytest.raises(ValueError, match="'text' is left open too"):
        stencil.ends()
    with pytest.raises(ValueError, match="no hole"):
        stencil.ends(mark=b"", text=b"")

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

"""The store of finished bodies."""

import gzip
import threading

import brotli
import pytest

from confsched.codings import encode
from confsched.kept import OVERHEAD, KeptBytes


def test_the_longest_unused_body_goes_first():
    store = KeptBytes(4 * (1000 + OVERHEAD))
    for name in "abcd":
        store.keep((name, "identity"), name.encode() * 1000)
    store.get(("a", "identity"))
    store.keep(("e", "identity"), b"e" * 1000)
    found = {name: store.get((name, "identity")) is not None for name in "abcde"}
    assert found == {"a": True, "b": False, "c": True, "d": True, "e": True}
    assert store.size == 4 * (1000 + OVERHEAD)


def test_replacing_a_body_counts_it_once():
    store = KeptBytes(100_000)
    store.keep(("a", "br"), b"x" * 500)
    store.keep(("a", "br"), b"x" * 100)
    assert (store.size, len(store)) == (100 + OVERHEAD, 1)


def test_a_body_that_would_push_out_too_much_is_made_but_not_kept():
    store = KeptBytes(10_000)
    assert store.get_or_make(("a", "identity"), lambda: b"x" * 5000) == b"x" * 5000
    assert (store.size, len(store)) == (0, 0)


def test_no_room_keeps_nothing():
    store = KeptBytes(0)
    assert store.get_or_make(("a", "identity"), lambda: b"x") == b"x"
    assert len(store) == 0


def test_threads_that_want_the_same_body_have_it_made_once():
    store = KeptBytes(100_000)
    made = []
    together = threading.Barrier(8)

    def make() -> bytes:
        made.append(1)
        return b"body"

    def ask() -> None:
        together.wait(timeout=10)
        store.get_or_make(("a", "br"), lambda: encode(make(), "br"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)
    assert (made, len(store)) == ([1], 1)


def test_clear_forgets_everything():
    store = KeptBytes(100_000)
    store.keep(("a", "br"), b"x")
    store.clear()
    assert (store.get(("a", "br")), store.size) == (None, 0)


@pytest.mark.parametrize(
    ("coding", "decode"),
    [("identity", bytes), ("gzip", gzip.decompress), ("br", brotli.decompress)],
)
def test_encode_gives_the_same_bytes_each_time_and_they_decode(coding, decode):
    body = b"a schedule " * 100
    assert encode(body, coding) == encode(body, coding)
    assert decode(encode(body, coding)) == body


def test_it_knows_what_was_asked_before(monkeypatch):
    monkeypatch.setattr("confsched.kept.MOST_ASKED", 2)
    store = KeptBytes(10_000)
    asked = [store.is_asked_again((name, "identity")) for name in ("a", "a", "b", "a", "c", "a")]
    assert asked == [False, True, False, True, False, False]

"""Finished bytes, kept per process: bounded in bytes, the longest unused go first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from django.conf import settings

#: What one kept entry costs beside its bytes: key, dictionary slot, bytes object.
OVERHEAD: Final = 400
#: A body larger than this part of the whole room would push out too much; it is not kept.
LARGEST_PART: Final = 4
#: So many bodies are known to have been asked for, kept or not; then all are forgotten.
MOST_ASKED: Final = 4096

Key = tuple[str, str]


class KeptBytes:
    """A least-recently-used store of finished bodies, safe to share between threads.

    ``limit`` is its room in bytes. Bodies are kept by (digest, content coding).
    """

    def __init__(self, limit: int) -> None:
        """Make an empty store with room for ``limit`` bytes; 0 keeps nothing."""
        self.limit = limit
        self.size = 0
        self._bodies: OrderedDict[Key, bytes] = OrderedDict()
        self._asked: set[Key] = set()
        self._lock = threading.Lock()
        self._makers = tuple(threading.Lock() for _ in range(32))

    def __len__(self) -> int:
        return len(self._bodies)

    def get(self, key: Key) -> bytes | None:
        """Return the kept body, now the most recently used one, or None."""
        with self._lock:
            body = self._bodies.get(key)
            if body is not None:
                self._bodies.move_to_end(key)
            return body

    def keep(self, key: Key, body: bytes) -> None:
        """Keep this body; drop the longest unused ones where the room is full."""
        cost = len(body) + OVERHEAD
        if cost * LARGEST_PART > self.limit:
            return
        with self._lock:
            old = self._bodies.pop(key, None)
            self.size += cost - (0 if old is None else len(old) + OVERHEAD)
            self._bodies[key] = body
            while self.size > self.limit:
                _, dropped = self._bodies.popitem(last=False)
                self.size -= len(dropped) + OVERHEAD

    def get_or_make(self, key: Key, make: Callable[[], bytes]) -> bytes:
        """Return the kept body, else what ``make`` returns, which is then kept.

        Threads that ask for the same body at once wait for the one that makes it; ``make`` itself
        must not ask.
        """
        body = self.get(key)
        if body is not None:
            return body
        with self._makers[hash(key) % len(self._makers)]:
            body = self.get(key)
            if body is None:
                body = make()
                self.keep(key, body)
        return body

    def is_asked_again(self, key: Key) -> bool:
        """Return whether this was called with the key before, among the latest few thousand.

        Most filters are asked for once. Where a body is quickly made, keeping it for nobody costs
        more than making it: fresh memory for 370 kB took 200 µs of 800, and what others need is
        pushed out.
        """
        with self._lock:
            if key in self._asked:
                return True
            if len(self._asked) >= MOST_ASKED:
                self._asked.clear()
            self._asked.add(key)
        return False

    def clear(self) -> None:
        """Forget everything (tests; an edit needs no clearing, it has other keys)."""
        with self._lock:
            self._asked.clear()
            self._bodies.clear()
            self.size = 0


#: The one store of this process.
bodies = KeptBytes(settings.KEPT_BYTES)

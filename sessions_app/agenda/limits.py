"""Bounds against abuse, wide enough that an honest crowd behind one address never meets them.

What grows is agendas: each first star makes one. So their making is limited per address and
process; everything else is bounded by its nature (an agenda holds at most each session of its
conference once) or by the size of a request (``confsched.middleware``).
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest

#: Agendas that one address may begin at once, and then per hour. A full conference centre behind
#: one address stars for the first time on the morning of the first day.
AGENDAS_AT_ONCE: Final = 5_000
AGENDAS_PER_HOUR: Final = 5_000
#: Addresses remembered at a time; the longest unseen ones are forgotten first.
ADDRESSES: Final = 10_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float


class Limiter:
    """Token buckets by key, in the memory of one process, safe to share between threads."""

    def __init__(self, at_once: int, per_hour: int, keys: int = ADDRESSES) -> None:
        """Allow ``at_once`` for each key, refilled with ``per_hour``; remember ``keys`` of them."""
        self.at_once = at_once
        self.per_second = per_hour / 3600
        self.keys = keys
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, key: str, now: float | None = None) -> int:
        """Take one for this key and return 0; or return after how many seconds there will be one.

        ``now`` is a monotonic clock in seconds.
        """
        now = time.monotonic() if now is None else now
        with self._lock:
            bucket = self._buckets.pop(key, None) or _Bucket(self.at_once, now)
            passed = max(0.0, now - bucket.filled_at)
            bucket.tokens = min(self.at_once, bucket.tokens + passed * self.per_second)
            bucket.filled_at = now
            self._buckets[key] = bucket
            if len(self._buckets) > self.keys:
                self._buckets.popitem(last=False)
            if bucket.tokens >= 1:
                bucket.tokens -= 1
                return 0
            return int((1 - bucket.tokens) / self.per_second) + 1

    def clear(self) -> None:
        """Forget every key (tests)."""
        with self._lock:
            self._buckets.clear()


new_agendas = Limiter(AGENDAS_AT_ONCE, AGENDAS_PER_HOUR)


def client_network(request: HttpRequest) -> str:
    """Return the address a request came from; of an IPv6 address its /64, one household's.

    Behind a proxy that the operator trusts it is the last entry of X-Forwarded-For, the one that
    proxy wrote; what stands before it may be invented.
    """
    text = str(request.META.get("REMOTE_ADDR", ""))
    if settings.SECURE_PROXY_SSL_HEADER is not None:
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
        text = forwarded.rpartition(",")[2].strip() or text
    try:
        address = ipaddress.ip_address(_without_port(text))
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:  # a socket for both hands all of IPv4 out so
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _without_port(text: str) -> str:
    """Return the address alone: some proxies write ``192.0.2.7:80`` or ``[2001:db8::1]:80``."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text

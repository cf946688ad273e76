"""Content codings: the best one that a client takes, and bodies in it. RFC 9110, 8.4 and 12.5.3."""

from __future__ import annotations

import functools
import gzip
from typing import Final

import brotli

#: Longer Accept-Encoding headers are no browser's and get the answer as it is.
LONGEST_ACCEPT: Final = 300


def accepted_coding(header: str) -> str:
    """Return the best coding of "br", "gzip" and "identity" that Accept-Encoding allows.

    The highest quality wins, br before gzip before identity among equals. A header that allows
    nothing of these gets the answer as it is (RFC 9110, 12.5.3 leaves that to the server).
    """
    return _coding(header) if len(header) <= LONGEST_ACCEPT else "identity"


def encode(body: bytes, coding: str) -> bytes:
    """Return the body in a content coding ("br", "gzip" or "identity"); always the same bytes."""
    if coding == "br":
        coded: bytes = brotli.compress(body, quality=5)
        return coded
    if coding == "gzip":
        return gzip.compress(body, compresslevel=6, mtime=0)
    return body


@functools.lru_cache(maxsize=256)
def _coding(header: str) -> str:
    named: dict[str, float] = {}
    for part in header.lower().split(","):
        name, _, parameter = part.partition(";")
        named[name.strip()] = _quality(parameter)
    rest = named.get("*", 0.0)
    best, best_quality = "identity", 0.0
    for coding in ("br", "gzip", "identity"):
        quality = named.get(coding, rest)
        if quality > best_quality:
            best, best_quality = coding, quality
    return best


def _quality(parameter: str) -> float:
    name, _, value = parameter.replace(" ", "").partition("=")
    if name != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0

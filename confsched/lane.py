"""The short way: what was answered for an address is answered again without resolving it.

Resolving an address, running the inner middleware and understanding a query string cost more than
sending kept bytes. So ``kept_response`` remembers with which digest it answered a public request,
and a way to tell whether that still holds (one tiny query and the clock). ``SiteMiddleware`` asks
here after it has checked host, https and language; whatever is not remembered, no longer right or
no longer kept takes the long way. Private paths never come here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, NamedTuple

from django.http import HttpRequest

from confsched.htmx import is_fragment

#: Different requests that are remembered; then all are forgotten, which costs each one long way.
MOST: Final = 4096
LONGEST_QUERY: Final = 1000

Asked = tuple[str, str, bool, str]


class Answer(NamedTuple):
    """How a request was answered: what to send, and whether it is still what the long way sends."""

    digest: str
    is_current: Callable[[], bool]
    variant: str
    content_type: str
    last_modified: float | None
    headers: tuple[tuple[str, str], ...]


_answers: dict[Asked, Answer] = {}
_lock = threading.Lock()


def asked(request: HttpRequest) -> Asked | None:
    """Return what tells one public request from another; None if it is not worth remembering."""
    query = request.META["QUERY_STRING"]
    if len(query) > LONGEST_QUERY or request.method not in ("GET", "HEAD"):
        return None
    return (
        request.path_info,
        query,
        is_fragment(request),
        request.LANGUAGE_CODE,
    )


def remember(request: HttpRequest, answer: Answer) -> None:
    """Remember how this request was answered."""
    key = asked(request) if hasattr(request, "LANGUAGE_CODE") else None
    if key is None:
        return
    with _lock:
        if len(_answers) >= MOST:
            _answers.clear()
        _answers[key] = answer


def recall(request: HttpRequest) -> Answer | None:
    """Return how this request was answered before, if the answer still holds."""
    key = asked(request)
    answer = _answers.get(key) if key is not None else None
    if key is None or answer is None:
        return None
    if answer.is_current():
        return answer
    _answers.pop(key, None)
    return None


def clear() -> None:
    """Forget everything (tests)."""
    with _lock:
        _answers.clear()

"""Answers: kept public ones with ETag, 304, Vary and codings, and private ones.

The ETag is a hash of what an answer depends on, so it is known before anything is rendered: a
304 costs no rendering, and a kept body none either. Rules: docs/architecture.md, "Pages, caches
and cookies".
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, Literal, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header, http_date, parse_http_date_safe
from django.utils.translation import get_language

from confsched import lane
from confsched.build import build_id
from confsched.kept import KeptBytes, encode
from confsched.lane import Answer

Variant = Literal["page", "fragment", "feed"]
Disposition = Literal["inline", "attachment"]
Marked = TypeVar("Marked", bound=HttpResponseBase)

HTML: Final = "text/html; charset=utf-8"
#: Feeds below this size go out as they are: calendar clients have been seen to fail on codings.
FEED_CODING_FROM: Final = 1_000_000
PAGE_VARY: Final = "Accept-Language, Accept-Encoding, HX-Request, HX-History-Restore-Request"
FEED_VARY: Final = "Accept-Encoding"
PRIVATE: Final = "private, no-store"
#: Longer Accept-Encoding headers are no browser's and get the answer as it is.
LONGEST_ACCEPT: Final = 300

kept = KeptBytes(settings.KEPT_BYTES)


def kept_response(
    request: HttpRequest,
    key: tuple[object, ...],
    render: Callable[[], bytes],
    *,
    variant: Variant = "page",
    content_type: str = HTML,
    last_modified: datetime | None = None,
    filename: str | None = None,
    disposition: Disposition | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    is_current: Callable[[], bool] | None = None,
) -> HttpResponse:
    """Answer with bytes that are the same for everybody who asks with this key.

    ``key`` holds all that the body depends on beside build, language, variant and coding (which
    are added here); its parts need a ``repr`` that tells unequal values apart. ``render`` makes
    the body and runs only if neither a 304 nor kept bytes will do. ``variant`` decides ``Vary``
    and compression. Conditional requests are answered for status 200 alone. RFC 9110, 13.

    ``is_current`` tells at a later moment whether this address still has this key; with it the
    same request is answered again without resolving it (see ``lane``).
    """
    more = tuple((headers or {}).items())
    if disposition is not None:
        more += (("Content-Disposition", _disposition(disposition, filename)),)
    answer = Answer(
        _digest(key, variant),
        is_current or _never,
        variant,
        content_type,
        None if last_modified is None else last_modified.timestamp(),
        more,
    )
    if status != 200:
        body, coding = _body(answer.digest, _accepted(request, variant), render, variant)
        return _whole(answer, body, coding, status)
    if is_current is not None and not settings.DEBUG:
        lane.remember(request, answer)
    coding = _accepted(request, variant)
    unchanged = _not_modified(request, answer, coding)
    if unchanged is not None:
        return unchanged
    body, sent = _body(answer.digest, coding, render, variant)
    response = _whole(answer, body, sent, 200)
    response.headers["ETag"] = _etag(answer.digest, coding)
    return response


def answer_again(request: HttpRequest) -> HttpResponse | None:
    """Answer a public request as it was answered before; None where that does not hold or is gone.

    The answer is the very same that ``kept_response`` would give now.
    """
    answer = lane.recall(request)
    if answer is None:
        return None
    coding = _accepted(request, answer.variant)
    unchanged = _not_modified(request, answer, coding)
    if unchanged is not None:
        return unchanged
    body, sent = kept.get((answer.digest, coding)), coding
    if body is None and answer.variant == "feed":
        body, sent = kept.get((answer.digest, "identity")), "identity"
        if body is not None and len(body) >= FEED_CODING_FROM and coding != "identity":
            return None
    if body is None:
        return None
    response = _whole(answer, body, sent, 200)
    response.headers["ETag"] = _etag(answer.digest, coding)
    return response


def _never() -> bool:
    return False


def _accepted(request: HttpRequest, variant: str) -> str:
    """Return the coding to answer in."""
    meta = request.META
    if variant == "feed" and "Microsoft" in meta.get("HTTP_USER_AGENT", ""):
        # Outlook's subscriptions were seen to fail on gzip, even where they ask for it.
        return "identity"
    return accepted_coding(meta.get("HTTP_ACCEPT_ENCODING", ""))


def _etag(digest: str, coding: str) -> str:
    return f'"{digest}"' if coding == "identity" else f'"{digest}.{coding}"'


def _not_modified(request: HttpRequest, answer: Answer, coding: str) -> HttpResponse | None:
    """Return a 304 if the client has this very answer."""
    etag = _etag(answer.digest, coding)
    if not is_unchanged(request.META, etag, answer.last_modified):
        return None
    response = HttpResponse(status=304)
    del response.headers["Content-Type"]
    _add_headers(response, answer)
    response.headers["ETag"] = etag
    return response


def _whole(answer: Answer, body: bytes, coding: str, status: int) -> HttpResponse:
    response = HttpResponse(body, answer.content_type, status)
    headers = response.headers
    headers["Content-Length"] = str(len(body))
    if coding != "identity":
        headers["Content-Encoding"] = coding
    _add_headers(response, answer)
    return response


def _add_headers(response: HttpResponse, answer: Answer) -> None:
    headers = response.headers
    for name, value in answer.headers:
        headers[name] = value
    if answer.last_modified is not None:
        headers["Last-Modified"] = http_date(answer.last_modified)
    headers["Cache-Control"] = settings.PUBLIC_CACHE_CONTROL
    headers["Vary"] = FEED_VARY if answer.variant == "feed" else PAGE_VARY


def _digest(key: tuple[object, ...], variant: Variant) -> str:
    parts = repr((key, build_id(), get_language(), variant))
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


def _body(
    digest: str, coding: str, render: Callable[[], bytes], variant: Variant
) -> tuple[bytes, str]:
    """Return the body and the coding it is in."""
    if settings.DEBUG:  # templates change under a running server
        return render(), "identity"
    plain = (digest, "identity")
    if coding == "identity":
        return kept.get_or_make(plain, render), coding
    if variant == "feed":
        body = kept.get_or_make(plain, render)
        if len(body) < FEED_CODING_FROM:
            return body, "identity"
    coded = kept.get_or_make(
        (digest, coding), lambda: encode(kept.get_or_make(plain, render), coding)
    )
    return coded, coding


def _disposition(disposition: Disposition, filename: str | None) -> str:
    return content_disposition_header(disposition == "attachment", filename or "") or disposition


def is_unchanged(meta: Mapping[str, Any], etag: str, last_modified: float | None) -> bool:
    """Return whether the client has this very answer. If-None-Match outranks the date."""
    known = meta.get("HTTP_IF_NONE_MATCH")
    if known is not None:
        return known == etag or _names(known, etag)
    since = meta.get("HTTP_IF_MODIFIED_SINCE")
    if since is None or last_modified is None:
        return False
    moment = parse_http_date_safe(since)
    return moment is not None and int(last_modified) <= moment


def _names(if_none_match: str, etag: str) -> bool:
    """Return whether the header's list names the tag, compared weakly (RFC 9110, 13.1.2).

    Our tags hold no comma, so splitting the list at commas finds them.
    """
    return any(
        part == "*" or part.removeprefix("W/") == etag
        for part in map(str.strip, if_none_match.split(","))
    )


def accepted_coding(header: str) -> str:
    """Return the best coding of "br", "gzip" and "identity" that Accept-Encoding allows.

    The highest quality wins, br before gzip before identity among equals. A header that allows
    nothing of these gets the answer as it is (RFC 9110, 12.5.3 leaves that to the server).
    """
    return _coding(header) if len(header) <= LONGEST_ACCEPT else "identity"


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


def keep_private(response: Marked) -> Marked:
    """Mark an answer as one person's own, to be stored by nobody; return it."""
    response.headers["Cache-Control"] = PRIVATE
    return response


def private_response(
    content: str | bytes = b"", *, content_type: str = HTML, status: int = 200
) -> HttpResponse:
    """Answer with something that only this visitor may see and nobody may store."""
    return keep_private(HttpResponse(content, content_type=content_type, status=status))


def private_json(data: Mapping[str, Any], *, status: int = 200) -> JsonResponse:
    """Answer with JSON that only this visitor may see and nobody may store."""
    return keep_private(JsonResponse(dict(data), status=status))

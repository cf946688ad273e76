"""Answers: kept public ones with ETag, 304, Vary and codings, and private ones.

The ETag is a hash of what an answer depends on, so it is known before anything is rendered: a
304 costs no rendering, and a kept body none either. Rules: docs/architecture.md, "Pages, caches
and cookies".
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header, http_date, parse_http_date_safe
from django.utils.translation import get_language

from confsched.build import build_id
from confsched.codings import accepted_coding, encode
from confsched.kept import Key, bodies

Variant = Literal["page", "fragment", "feed"]
Disposition = Literal["inline", "attachment"]
Marked = TypeVar("Marked", bound=HttpResponseBase)

HTML: Final = "text/html; charset=utf-8"
#: Feeds below this size go out as they are: calendar clients have been seen to fail on codings.
FEED_CODING_FROM: Final = 1_000_000
PAGE_VARY: Final = "Accept-Language, Accept-Encoding, HX-Request, HX-History-Restore-Request"
FEED_VARY: Final = "Accept-Encoding"
PRIVATE: Final = "private, no-store"


@dataclass(frozen=True, slots=True)
class Content:
    """What answers a public request: bytes that are the same for everybody.

    ``key`` holds all that the body depends on beside build, language, variant and coding (which
    are added); its parts need a ``repr`` that tells unequal values apart. ``render`` makes the body
    and runs only if neither a 304 nor kept bytes will do. ``variant`` decides ``Vary`` and
    compression. ``is_quick`` says that ``render`` only joins what is there; such a body is kept
    when it is asked for again.

    ``is_current`` tells at a later moment whether the address still has this key. With it the same
    request is answered again in front of Django (see ``lane``). So is, where ``with_query`` makes
    the content for another query string, every other query of this address.
    """

    key: tuple[object, ...]
    render: Callable[[], bytes]
    variant: Variant = "page"
    content_type: str = HTML
    last_modified: datetime | None = None
    filename: str | None = None
    disposition: Disposition | None = None
    headers: Mapping[str, str] | None = None
    is_current: Callable[[], bool] | None = None
    is_quick: bool = False
    with_query: Callable[[str], Content | None] | None = None


class Reply(NamedTuple):
    """An answer without Django around it; ``body_key`` is its key in the store of kept bytes."""

    status: int
    headers: dict[str, str]
    body: bytes
    body_key: Key | None


class KeptResponse(HttpResponse):
    """An answer that the same request may get again, with what it was made from."""

    made_from: Content
    body_key: Key | None = None


def kept_response(request: HttpRequest, content: Content) -> KeptResponse:
    """Answer with the content, or with 304 to who has it. RFC 9110, 13."""
    reply = make_reply(request.META, content)
    response = KeptResponse(reply.body, status=reply.status)
    response.headers._store = {name.lower(): (name, value) for name, value in reply.headers.items()}
    response.made_from, response.body_key = content, reply.body_key
    return response


def make_reply(meta: Mapping[str, Any], content: Content) -> Reply:
    """Return the answer to a request with this WSGI environment, in the active language."""
    variant = content.variant
    digest, coding = _digest(content.key, variant), _accepted(meta, variant)
    etag = f'"{digest}"' if coding == "identity" else f'"{digest}.{coding}"'
    modified = None if content.last_modified is None else content.last_modified.timestamp()
    headers = dict(content.headers or {})
    if content.disposition is not None:
        headers["Content-Disposition"] = _disposition(content.disposition, content.filename)
    if modified is not None:
        headers["Last-Modified"] = http_date(modified)
    headers["Cache-Control"] = settings.PUBLIC_CACHE_CONTROL
    headers["Vary"] = FEED_VARY if variant == "feed" else PAGE_VARY
    headers["ETag"] = etag
    if is_unchanged(meta, etag, modified):
        return Reply(304, headers, b"", None)
    body, sent = _body(digest, coding, content)
    headers["Content-Type"] = content.content_type
    headers["Content-Length"] = str(len(body))
    if sent != "identity":
        headers["Content-Encoding"] = sent
    return Reply(200, headers, body, (digest, sent))


def _accepted(meta: Mapping[str, Any], variant: str) -> str:
    """Return the coding to answer in."""
    if variant == "feed" and "Microsoft" in meta.get("HTTP_USER_AGENT", ""):
        # Outlook's subscriptions were seen to fail on gzip, even where they ask for it.
        return "identity"
    return accepted_coding(meta.get("HTTP_ACCEPT_ENCODING", ""))


def _digest(key: tuple[object, ...], variant: Variant) -> str:
    parts = repr((key, build_id(), get_language(), variant))
    return hashlib.sha256(parts.encode()).hexdigest()[:32]


def _body(digest: str, coding: str, content: Content) -> tuple[bytes, str]:
    """Return the body and the coding it is in."""
    render = content.render
    if settings.DEBUG:  # templates change under a running server
        return render(), "identity"
    plain = (digest, "identity")
    if content.variant == "feed":
        body = bodies.get_or_make(plain, render)
        if coding == "identity" or len(body) < FEED_CODING_FROM:
            return body, "identity"
        return bodies.get_or_make((digest, coding), lambda: encode(body, coding)), coding
    if coding == "identity":
        if content.is_quick and not bodies.is_asked_again(plain):
            return bodies.get(plain) or render(), coding
        return bodies.get_or_make(plain, render), coding

    def coded() -> bytes:
        # Every browser takes a coding: a page's plain bytes are kept for whoever asks for them.
        return encode(bodies.get(plain) or render(), coding)

    return bodies.get_or_make((digest, coding), coded), coding


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

"""The short way: what was answered before is answered again in front of Django.

Making request and response objects, resolving an address and running middleware cost more than
sending kept bytes, and as much as putting a schedule page together. So ``ShortWay`` remembers
every answer that ``kept_response`` made with a way to tell whether it still holds (one tiny query
and the clock), and the addresses whose content for another query string it can ask for.

It answers only where everything is the same that an answer may depend on: method, host, scheme,
path, language, coding, what HTMX asks for, what the client says it has, and the query string,
unless the address makes its content from that. So nothing that the long way decides is ever
skipped: not the host check, not the redirect to https, not a 405. Answers to private paths and
answers with cookies are never remembered.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from django.conf import settings
from django.utils import translation

from confsched.codings import accepted_coding
from confsched.kept import Key, bodies
from confsched.languages import preferred_language
from confsched.responses import Content, KeptResponse, make_reply

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger(__name__)

#: Different requests that are remembered; then all are forgotten, which costs each one long way.
MOST: Final = 4096
#: Requests with longer paths, queries or headers are not worth remembering.
LONGEST: Final = 1000
STATUS: Final = {200: "200 OK", 304: "304 Not Modified"}


class Address(NamedTuple):
    """What an answer may depend on, but for the query string and what the client has."""

    method: str
    path: str
    script_name: str | None
    host: str | None
    scheme: str
    forwarded_proto: str | None
    htmx: str | None
    htmx_restores: str | None
    language: str
    coding: str
    is_outlook: bool


class Asked(NamedTuple):
    """What tells requests apart that may be answered differently."""

    address: Address
    query: str
    if_none_match: str | None
    if_modified_since: str | None


class Answer(NamedTuple):
    """What was answered, and whether it still holds."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body_key: Key | None
    is_current: Callable[[], bool]


_answers: dict[Asked, Answer] = {}
_contents: dict[Address, Callable[[str], Content | None]] = {}
_lock = threading.Lock()


class ShortWay:
    """A WSGI application in front of Django's. PEP 3333."""

    def __init__(self, application: WSGIApplication, headers: Mapping[str, str]) -> None:
        """Stand before ``application``; ``headers`` are those it puts on every answer."""
        self.application = application
        self._headers = dict(headers)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer again, or let the application answer and remember how."""
        asked = _asked(environ)
        if asked is None:
            return self.application(environ, start_response)
        try:
            found = _again(asked) or self._with_query(asked, environ)
        except Exception:
            # Such as a connection that the database has closed: the long way mends it, or fails
            # in its turn and says so to the visitor.
            logger.warning("The short way failed.", exc_info=True)
            found = None
        if found is not None:
            status, headers, body = found
            start_response(status, headers)
            return (body,) if body else ()
        response = self.application(environ, start_response)
        if isinstance(response, KeptResponse):
            _remember(asked, response)
        return response

    def _with_query(self, asked: Asked, environ: WSGIEnvironment) -> Found | None:
        """Answer a query that was never asked at an address that makes its content from it."""
        make = _contents.get(asked.address)
        if make is None or "lang=" in asked.query:
            return None
        translation.activate(asked.address.language)
        content = make(asked.query)
        if content is None:
            return None
        reply = make_reply(environ, content)
        headers = self._headers | reply.headers
        _keep(asked, content, reply.status, headers, reply.body_key)
        body = b"" if asked.address.method == "HEAD" else reply.body
        return STATUS[reply.status], list(headers.items()), body


Found = tuple[str, list[tuple[str, str]], bytes]


def _asked(environ: WSGIEnvironment) -> Asked | None:
    """Return what is asked; None for what is never answered here."""
    method, path, query = environ["REQUEST_METHOD"], environ["PATH_INFO"], environ["QUERY_STRING"]
    if method not in ("GET", "HEAD") or len(path) + len(query) > LONGEST:
        return None
    get = environ.get
    address = Address(
        method,
        path,
        get("SCRIPT_NAME"),
        get("HTTP_HOST"),
        environ["wsgi.url_scheme"],
        get("HTTP_X_FORWARDED_PROTO"),
        get("HTTP_HX_REQUEST"),
        get("HTTP_HX_HISTORY_RESTORE_REQUEST"),
        preferred_language(get("HTTP_ACCEPT_LANGUAGE", "")),
        accepted_coding(get("HTTP_ACCEPT_ENCODING", "")),
        "Microsoft" in get("HTTP_USER_AGENT", ""),
    )
    return Asked(address, query, get("HTTP_IF_NONE_MATCH"), get("HTTP_IF_MODIFIED_SINCE"))


def _again(asked: Asked) -> Found | None:
    """Return what was answered before if that still holds and its body is still kept."""
    answer = _answers.get(asked)
    if answer is None:
        return None
    if not answer.is_current():
        _answers.pop(asked, None)
        return None
    body = b"" if answer.body_key is None else bodies.get(answer.body_key)
    return None if body is None else (answer.status, list(answer.headers), body)


def _remember(asked: Asked, response: KeptResponse) -> None:
    if response.cookies or settings.DEBUG:
        return  # under DEBUG templates change under a running server
    content = response.made_from
    _keep(asked, content, response.status_code, dict(response.items()), response.body_key)
    if content.with_query is not None:
        with _lock:
            if len(_contents) >= MOST:
                _contents.clear()
            _contents[asked.address] = content.with_query


def _keep(
    asked: Asked, content: Content, status: int, headers: dict[str, str], body_key: Key | None
) -> None:
    if content.is_current is None or _length(asked) > LONGEST:
        return
    if asked.address.method == "HEAD":
        body_key = None
    answer = Answer(STATUS[status], tuple(headers.items()), body_key, content.is_current)
    with _lock:
        if len(_answers) >= MOST:
            _answers.clear()
        _answers[asked] = answer


def _length(asked: Asked) -> int:
    """Return the length of all that a visitor may make long."""
    texts = (asked.query, asked.if_none_match, asked.if_modified_since, *asked.address[1:8])
    return sum(map(len, filter(None, texts)))


def clear() -> None:
    """Forget everything (tests)."""
    with _lock:
        _answers.clear()
        _contents.clear()

"""The short way: the very request that was answered before is answered again in front of Django.

Making request and response objects, resolving an address and understanding a query string cost
more than sending kept bytes. So ``ShortWay`` remembers status and headers of every answer that
``kept_response`` made with a way to tell whether it still holds (one tiny query and the clock). It
answers again only where everything is the same that an answer may depend on: host, scheme, path,
query, language, coding, what HTMX asks for, and what the client says it has. So nothing that the
long way decides is ever skipped: not the host check, not the redirect to https, not a 405. Answers
to private paths and answers with cookies are never remembered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from django.conf import settings
from django.db import Error as DatabaseError
from django.http import HttpResponse

from confsched.codings import accepted_coding
from confsched.kept import Key, bodies
from confsched.languages import preferred_language

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

#: Different requests that are remembered; then all are forgotten, which costs each one long way.
MOST: Final = 4096
#: Requests with a longer path, query or header are not worth remembering.
LONGEST: Final = 1000

Asked = tuple[str | None, ...]


class KeptResponse(HttpResponse):
    """An answer that the same request may get again.

    ``body_key`` is the key of its body in the store of kept bytes, None where it has no body;
    ``is_current`` tells at a later moment whether it is still what the long way would answer.
    """

    body_key: Key | None = None
    is_current: Callable[[], bool] | None = None


class Answer(NamedTuple):
    """What was answered, and whether it still holds."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body_key: Key | None
    is_current: Callable[[], bool]


_answers: dict[Asked, Answer] = {}
_lock = threading.Lock()


class ShortWay:
    """A WSGI application in front of Django's. PEP 3333."""

    def __init__(self, application: WSGIApplication) -> None:
        """Stand before ``application``, which answers whatever is not remembered."""
        self.application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer again, or let the application answer and remember how."""
        key = asked(environ)
        if key is None:
            return self.application(environ, start_response)
        answer = _answers.get(key)
        if answer is not None:
            body = _body(key, answer)
            if body is not None:
                start_response(answer.status, list(answer.headers))
                return (body,) if body else ()
        response = self.application(environ, start_response)
        if isinstance(response, KeptResponse):
            _remember(key, response)
        return response


def asked(environ: WSGIEnvironment) -> Asked | None:
    """Return what tells requests apart that may be answered differently; None for the others."""
    method = environ["REQUEST_METHOD"]
    if method not in ("GET", "HEAD"):
        return None
    get = environ.get
    path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
    key = (
        method,
        path,
        query,
        get("SCRIPT_NAME"),
        get("HTTP_HOST"),
        environ["wsgi.url_scheme"],
        get("HTTP_X_FORWARDED_PROTO"),
        get("HTTP_HX_REQUEST"),
        get("HTTP_HX_HISTORY_RESTORE_REQUEST"),
        preferred_language(get("HTTP_ACCEPT_LANGUAGE", "")),
        accepted_coding(get("HTTP_ACCEPT_ENCODING", "")),
        "Microsoft" if "Microsoft" in get("HTTP_USER_AGENT", "") else None,
        get("HTTP_IF_NONE_MATCH"),
        get("HTTP_IF_MODIFIED_SINCE"),
    )
    return key if len(path) + len(query) <= LONGEST else None


def _body(key: Asked, answer: Answer) -> bytes | None:
    """Return the kept body (empty for none) if the answer still holds, else None."""
    try:
        holds = answer.is_current()
    except DatabaseError:  # the long way mends the connection, or says what is wrong
        return None
    if not holds:
        _answers.pop(key, None)
        return None
    return b"" if answer.body_key is None else bodies.get(answer.body_key)


def _remember(key: Asked, response: KeptResponse) -> None:
    if response.is_current is None or response.cookies or settings.DEBUG:
        return  # under DEBUG templates change under a running server
    headers = tuple(response.items())
    if sum(len(value or "") for value in key) > LONGEST:
        return
    status = f"{response.status_code} {response.reason_phrase}"
    body_key = None if key[0] == "HEAD" else response.body_key
    with _lock:
        if len(_answers) >= MOST:
            _answers.clear()
        _answers[key] = Answer(status, headers, body_key, response.is_current)


def clear() -> None:
    """Forget everything (tests)."""
    with _lock:
        _answers.clear()

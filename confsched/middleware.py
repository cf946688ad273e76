"""What every request passes: host, https, language, headers; sessions only where they are needed.

Programme pages are the same bytes for everybody, so nothing of a visitor reaches them: on public
paths the request carries no cookies, and CSRF protection (which guards what cookies allow) stays
out of the way. HTTP sessions, sign-in and messages are the admin's alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware as DjangoAuthentication
from django.contrib.messages.middleware import MessageMiddleware as DjangoMessages
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessions
from django.core.exceptions import DisallowedHost
from django.core.handlers.exception import response_for_exception
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.request import split_domain_port, validate_host
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware as DjangoCsrf
from django.urls import is_valid_path
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import escape_leading_slashes
from django_htmx.middleware import HtmxDetails

from confsched.languages import preferred_language, requested_language

GetResponse = Callable[[HttpRequest], HttpResponseBase]

#: First path segments below which the visitor's cookies count.
PRIVATE_ROOTS: Final = frozenset({"admin", "agenda"})
#: What people post to an agenda is a token and a path.
LARGEST_AGENDA_BODY: Final = 16_384
#: These answer without https too: whoever looks after the machine asks from inside.
PLAIN_HTTP_PATHS: Final = frozenset({"/healthz", "/readyz"})

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
PERMISSIONS_POLICY: Final = (
    "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), "
    "payment=(), usb=()"
)


def is_private_path(path: str) -> bool:
    """Return whether cookies count at this path: /admin/…, /agenda/… and /<conference>/agenda/….

    Calendar feeds below /agenda/ are not among them: their secret stands in the address, and
    calendar clients have neither cookies nor tokens.
    """
    if is_admin_path(path):
        return True
    parts = path.split("/", 3)
    if parts[1] in PRIVATE_ROOTS or (len(parts) > 3 and parts[2] == "agenda"):
        return not path.endswith(".ics")
    return False


def is_admin_path(path: str) -> bool:
    """Return whether this is the admin's."""
    return path.startswith("/admin/") or path == "/admin"


def csrf_cookie_path(path: str) -> str:
    """Return the private root that a path lies below: "/admin/" or "/<conference>/agenda/"."""
    parts = path.split("/", 3)
    return f"/{parts[1]}/" if parts[1] in PRIVATE_ROOTS else f"/{parts[1]}/{parts[2]}/"


def is_feed_path(path: str) -> bool:
    """Return whether the last segment has a suffix, as every address of a file or feed has."""
    return "." in path[path.rfind("/") :]


@functools.lru_cache(maxsize=64)
def _is_allowed(host: str, allowed: tuple[str, ...]) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, allowed)


def _check_host(request: HttpRequest) -> None:
    """Raise DisallowedHost (answered with 400) unless the Host header names this site."""
    host = request.META.get("HTTP_HOST")
    if host is None or not _is_allowed(host, tuple(settings.ALLOWED_HOSTS)):
        request.get_host()


def _is_too_large(request: HttpRequest) -> bool:
    """Return whether more comes in than an agenda ever asks for; the admin takes uploads."""
    if is_admin_path(request.path_info):
        return False
    length = request.META.get("CONTENT_LENGTH") or "0"
    return not (length.isdigit() and int(length) <= LARGEST_AGENDA_BODY)


def security_headers() -> dict[str, str]:
    """Return the headers that every answer carries, by the settings of the moment."""
    headers = {
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
        "Referrer-Policy": str(settings.SECURE_REFERRER_POLICY),
        "Cross-Origin-Opener-Policy": str(settings.SECURE_CROSS_ORIGIN_OPENER_POLICY),
        "Permissions-Policy": PERMISSIONS_POLICY,
    }
    if settings.SECURE_HSTS_SECONDS:
        value = f"max-age={settings.SECURE_HSTS_SECONDS}"
        if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
            value += "; includeSubDomains"
        if settings.SECURE_HSTS_PRELOAD:
            value += "; preload"
        headers["Strict-Transport-Security"] = value
    return headers


class SiteMiddleware:
    """The outermost layer: host check, https, cookies, language on the way in; headers out.

    It stands for Django's Security, XFrameOptions, Locale and Common middleware, which cost
    programme pages a tenth of their time; it obeys the same settings.
    """

    def __init__(self, get_response: GetResponse) -> None:
        """Read the settings once, as Django's own middleware does."""
        self.get_response = get_response
        self.prepared = {name.lower(): (name, value) for name, value in security_headers().items()}
        self.redirects_to_https = settings.SECURE_SSL_REDIRECT

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request with the site's headers on whatever comes out."""
        try:
            _check_host(request)
        except DisallowedHost as error:
            return self._finish(request, response_for_exception(request, error), False)
        path = request.path_info
        if self.redirects_to_https and not request.is_secure() and path not in PLAIN_HTTP_PATHS:
            return self._to_https(request)
        is_private = is_private_path(path)
        request.is_private = is_private  # type: ignore[attr-defined]  # ours; read below
        if is_private and _is_too_large(request):
            return self._finish(request, HttpResponse("Too large\n", "text/plain", 413), True)
        if not is_private:
            request.COOKIES = {}
        request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]  # see htmx.py
        language = _language(request)
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = self.get_response(request)
        if response.status_code == 404 and not path.endswith("/"):
            response = _with_slash(request) or response
        return self._finish(request, response, is_private)

    def _to_https(self, request: HttpRequest) -> HttpResponseBase:
        target = f"https://{request.get_host()}{request.get_full_path()}"
        return self._finish(request, HttpResponsePermanentRedirect(target), False)

    def _finish(
        self, request: HttpRequest, response: HttpResponseBase, is_private: bool
    ) -> HttpResponseBase:
        headers = response.headers
        # Past ResponseHeaders, which checks and encodes each of these constants every time: a
        # tenth of what a kept answer costs. What a view has set itself stays.
        headers._store = {**self.prepared, **headers._store}
        if is_private and "Cache-Control" not in headers:
            headers["Cache-Control"] = "private, no-store"
        if response.status_code == 301 and "Cache-Control" not in headers:
            # Browsers keep these for ever: a slug that is given back would lead round in circles.
            headers["Cache-Control"] = "no-cache"
        if isinstance(response, HttpResponse):
            if "Content-Length" not in headers and response.status_code != 304:
                headers["Content-Length"] = str(len(response.content))
            if request.method == "HEAD":
                response.content = b""
        return response


def _language(request: HttpRequest) -> str:
    """Decide the language: the ``lang`` parameter, else Accept-Language, but not for feeds."""
    if "lang=" in request.META.get("QUERY_STRING", ""):
        language = requested_language(request.GET.get("lang", ""))
        if language is not None:
            return language
    if is_feed_path(request.path_info):
        return settings.LANGUAGE_CODE
    return preferred_language(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))


def _with_slash(request: HttpRequest) -> HttpResponseBase | None:
    """Return a redirect to the same address with a slash at its end if that is a page."""
    if request.method not in ("GET", "HEAD") or is_feed_path(request.path_info):
        return None
    urlconf = getattr(request, "urlconf", None)
    if is_valid_path(request.path_info, urlconf):
        return None
    if not is_valid_path(f"{request.path_info}/", urlconf):
        return None
    target = escape_leading_slashes(request.get_full_path(force_append_slash=True))
    return HttpResponsePermanentRedirect(target)


class _OnPrivatePaths(MiddlewareMixin):
    """Lets a middleware of Django's work on private paths alone."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.is_private:  # type: ignore[attr-defined]  # set by SiteMiddleware
            return super().__call__(request)  # type: ignore[return-value]  # sync only
        return self.get_response(request)  # type: ignore[return-value]  # sync only


class _OnAdminPaths(MiddlewareMixin):
    """Lets a middleware of Django's work below /admin/ alone: an agenda knows no signing in."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_admin_path(request.path_info):
            return super().__call__(request)  # type: ignore[return-value]  # sync only
        return self.get_response(request)  # type: ignore[return-value]  # sync only


class SessionMiddleware(_OnAdminPaths, DjangoSessions):
    """Django's, for the admin."""


class AuthenticationMiddleware(_OnAdminPaths, DjangoAuthentication):
    """Django's, for the admin."""


class MessageMiddleware(_OnAdminPaths, DjangoMessages):
    """Django's, for the admin."""


class CsrfViewMiddleware(_OnPrivatePaths, DjangoCsrf):
    """Django's, on private paths: elsewhere no cookie arrives that a forged request could use.

    Its cookie is sent to the paths it protects alone: /admin/, or one conference's agenda.
    """

    def process_view(self, request, callback, callback_args, callback_kwargs):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201  # Django's signature
        """Check the token where cookies count."""
        if request.is_private:
            return super().process_view(request, callback, callback_args, callback_kwargs)
        return None

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Keep the cookie below the path it is for; a view may name another."""
        super().process_response(request, response)
        cookie = response.cookies.get(settings.CSRF_COOKIE_NAME)
        if cookie is not None:
            cookie["path"] = getattr(request, "csrf_cookie_path", csrf_cookie_path(request.path))
        return response

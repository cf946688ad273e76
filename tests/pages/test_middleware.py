"""What every request passes: host, https, language, cookies, headers."""

import pytest
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from confsched.middleware import is_private_path
from confsched.responses import Content, kept_response


@require_safe
def page(request: HttpRequest, conference: str = "") -> HttpResponse:
    language = (get_language() or "").encode()
    return kept_response(request, Content((conference,), lambda: b"page in " + language))


@require_safe
def feed(request: HttpRequest, conference: str = "", token: str = "") -> HttpResponse:
    language = (get_language() or "").encode()
    return kept_response(
        request, Content((conference, token), lambda: b"in " + language, variant="feed")
    )


def inside(request: HttpRequest, conference: str = "") -> HttpResponse:
    """Show what of the visitor arrives."""
    seen = [
        f"cookies {sorted(request.COOKIES)}",
        f"session {isinstance(getattr(request, 'session', None), SessionBase)}",
        f"user {hasattr(request, 'user')}",
        f"messages {hasattr(request, '_messages')}",
    ]
    return HttpResponse("; ".join(seen))


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("invented failure")


urlpatterns = [
    path("admin/", inside),
    path("<slug:conference>/", page),
    path("<slug:conference>/schedule.ics", feed),
    path("<slug:conference>/seen/", inside),
    path("<slug:conference>/agenda/", inside),
    path("agenda/feed/<str:token>.ics", csrf_exempt(feed)),
    path("x/broken/", broken),
]
pytestmark = pytest.mark.urls(__name__)

EVERY_ANSWER = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), "
        "microphone=(), payment=(), usb=()"
    ),
}


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/somewhere/", 200),
        ("/somewhere", 301),
        ("/somewhere/schedule.ics", 200),
        ("/somewhere/agenda/", 200),
        ("/nothing/here/", 404),
        ("/x/broken/", 500),
    ],
)
def test_every_answer_carries_the_security_headers(address, status):
    response = Client(raise_request_exception=False).get(address)
    assert response.status_code == status
    assert {name: response.headers.get(name) for name in EVERY_ANSWER} == EVERY_ANSWER
    assert "Strict-Transport-Security" not in response.headers
    assert response.headers["Content-Length"] == str(len(response.content))


@pytest.mark.parametrize("host", ["evil.test", "127.0.0.1.evil.test", "", "a b", "testserver@x"])
@pytest.mark.parametrize("address", ["/somewhere/", "/somewhere/schedule.ics", "/nothing/"])
def test_another_host_is_refused_even_where_the_bytes_are_kept(client, host, address):
    client.get(address)
    response = client.get(address, headers={"Host": host})
    assert response.status_code == 400
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("host", ["testserver", "TestServer", "testserver:8000", "localhost."])
def test_spellings_of_an_allowed_host_are_allowed(client, host):
    assert client.get("/somewhere/", headers={"Host": host}).status_code == 200


def test_https_is_demanded_where_the_site_lives_there(settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 31_536_000
    plain = Client().get("/somewhere/?day=2031-05-06")
    assert (plain.status_code, plain.headers["Location"]) == (
        301,
        "https://testserver/somewhere/?day=2031-05-06",
    )
    secure = Client().get("/somewhere/", secure=True)
    assert secure.status_code == 200
    assert secure.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert Client().get("/healthz").headers["Location"] == "/healthz/"  # no way to https


def test_cookies_reach_private_paths_alone(client):
    client.cookies["sessionid"] = "a"
    client.cookies["agenda"] = "b"
    nothing = "cookies []; session False; user False; messages False"
    cookies = "cookies ['agenda', 'sessionid']; session False; user False; messages False"
    everything = "cookies ['agenda', 'sessionid']; session True; user True; messages True"
    assert client.get("/somewhere/seen/").content.decode() == nothing
    assert client.get("/administration/seen/").content.decode() == nothing
    assert client.get("/somewhere/agenda/").content.decode() == cookies
    assert client.get("/admin/").content.decode() == everything


def test_public_pages_set_no_cookie_whatever_the_visitor_sends(client):
    client.cookies["csrftoken"] = "broken"
    client.cookies["sessionid"] = ""
    response = client.get("/somewhere/")
    assert not response.cookies
    assert "Cookie" not in response.headers["Vary"]


def test_private_pages_are_stored_by_nobody(client):
    assert client.get("/somewhere/agenda/").headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(
    ("address", "is_private"),
    [
        ("/", False),
        ("//", False),
        ("/admin", True),
        ("/admin/", True),
        ("/admin/x.ics", True),
        ("/administration/", False),
        ("/agenda/open/secret/", True),
        ("/agenda/feed/secret.ics", False),
        ("/somewhere/agenda/", True),
        ("/somewhere/agenda/add/opening/", True),
        ("/somewhere/agenda", False),
        ("/somewhere/sessions/agenda/", False),
        ("/somewhere/", False),
    ],
)
def test_private_paths(address, is_private):
    assert is_private_path(address) is is_private


def test_a_forged_post_is_refused_on_private_paths():
    client = Client(enforce_csrf_checks=True)
    assert client.post("/somewhere/agenda/").status_code == 403


@pytest.mark.parametrize("method", ["PROPFIND", "OPTIONS", "REPORT", "POST", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "address", ["/somewhere/schedule.ics", "/agenda/feed/secret.ics", "/somewhere/"]
)
def test_other_methods_are_told_what_is_allowed_before_any_csrf_check(address, method):
    response = Client(enforce_csrf_checks=True).generic(method, address)
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD")


def test_head_has_the_headers_of_get_and_no_body(client):
    got, headed = client.get("/somewhere/"), client.head("/somewhere/")
    assert (headed.content, dict(headed.items())) == (b"", dict(got.items()))


@pytest.fixture
def _three_languages(settings):
    settings.LANGUAGES = [("en", "English"), ("fr", "français"), ("pt-br", "português")]


@pytest.mark.usefixtures("_three_languages")
@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        ("", "", "en"),
        ("", "fr", "fr"),
        ("", "fr-CA, en;q=0.8", "fr"),
        ("", "en;q=0.5, fr;q=0.9", "fr"),
        ("", "de, *", "en"),
        ("", "xx, PT-BR;q=0.3", "pt-br"),
        ("", "f" * 500, "en"),
        ("", "fr;q=;;,,", "en"),
        ("?lang=fr", "en", "fr"),
        ("?lang=fr_CA", "en", "fr"),
        ("?lang=pt-br", "en", "pt-br"),
        ("?lang=klingon", "fr", "fr"),
        ("?lang=" + "f" * 500, "fr", "fr"),
        ("?lang=", "fr", "fr"),
        ("?slang=fr", "en", "en"),
    ],
)
def test_the_parameter_decides_the_language_else_the_header(client, query, header, language):
    response = client.get(f"/somewhere/{query}", headers={"Accept-Language": header})
    assert response.content == f"page in {language}".encode()


@pytest.mark.usefixtures("_three_languages")
def test_feeds_have_the_language_of_their_address_alone(client):
    french = {"Accept-Language": "fr"}
    assert client.get("/somewhere/schedule.ics", headers=french).content == b"in en"
    assert client.get("/somewhere/schedule.ics?lang=fr").content == b"in fr"


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("/somewhere", "/somewhere/"),
        ("/somewhere?day=2031-05-06", "/somewhere/?day=2031-05-06"),
        ("/somewhere/agenda", "/somewhere/agenda/"),
    ],
)
def test_a_missing_slash_is_added(client, address, target):
    response = client.get(address)
    assert (response.status_code, response.headers["Location"]) == (301, target)


@pytest.mark.parametrize("address", ["/a/b", "/nothing.html", "//evil.test", "/%0aSet-Cookie:x"])
def test_no_slash_is_added_where_no_page_would_be(client, address):
    assert client.get(address).status_code == 404


def test_a_post_is_not_redirected(client):
    assert client.post("/somewhere").status_code == 404

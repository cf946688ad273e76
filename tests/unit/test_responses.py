"""Kept answers: ETag, 304, Vary, codings; private answers."""

import gzip
import json
from datetime import UTC, datetime

import brotli
import pytest
from django.test import RequestFactory
from django.utils import translation

from confsched import responses
from confsched.codings import accepted_coding
from confsched.kept import bodies
from confsched.responses import Content, kept_response, private_json, private_response

KEY = ("somewhere-2031", 7, "all")
BODY = b"<p>The schedule</p>" * 200


def answer(key=KEY, render=lambda: BODY, *, method="GET", headers=None, **options):
    request = RequestFactory().generic(method, "/", headers=headers or {})
    return kept_response(request, Content(key, render, **options))


def never() -> bytes:
    raise AssertionError("rendered without need")


def test_a_page_carries_its_validators_and_cache_rules():
    response = answer()
    etag = response.headers["ETag"]
    assert etag.startswith('"')
    assert len(etag) == 34
    assert dict(response.items()) == {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": str(len(BODY)),
        "ETag": etag,
        "Cache-Control": "public, no-cache",
        "Vary": "Accept-Language, Accept-Encoding, HX-Request, HX-History-Restore-Request",
    }
    assert response.content == BODY


def test_kept_bytes_are_not_rendered_again():
    first = answer()
    second = answer(render=never)
    assert (second.content, dict(second.items())) == (first.content, dict(first.items()))


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_a_coding_is_made_from_the_kept_page_and_kept_itself(coding):
    answer()
    decode = {"br": brotli.decompress, "gzip": gzip.decompress}[coding]
    for _ in range(2):
        response = answer(render=never, headers={"Accept-Encoding": coding})
        assert response.headers["Content-Encoding"] == coding
        assert response.headers["Content-Length"] == str(len(response.content))
        assert decode(response.content) == BODY


def test_etags_differ_by_key_build_language_variant_and_coding(monkeypatch):
    tags = [answer().headers["ETag"]]
    tags.append(answer((*KEY, "more")).headers["ETag"])
    tags.append(answer(variant="fragment").headers["ETag"])
    tags.append(answer(headers={"Accept-Encoding": "br"}).headers["ETag"])
    tags.append(answer(headers={"Accept-Encoding": "gzip"}).headers["ETag"])
    with translation.override("fr"):
        tags.append(answer().headers["ETag"])
    monkeypatch.setattr(responses, "build_id", lambda: "another build")
    tags.append(answer().headers["ETag"])
    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize("form", ["{}", "W/{}", '"x", {}', 'W/"x",W/{}', "*", ' "x" ,{} '])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_client_that_has_the_answer_gets_304_and_nothing_is_rendered(form, method):
    etag = answer().headers["ETag"]
    bodies.clear()
    response = answer(render=never, method=method, headers={"If-None-Match": form.format(etag)})
    assert (response.status_code, response.content) == (304, b"")
    assert dict(response.items()) == {
        "ETag": etag,
        "Cache-Control": "public, no-cache",
        "Vary": responses.PAGE_VARY,
    }


@pytest.mark.parametrize("known", ['"x"', "", "W/", ",,,", '"x', "**", "é"])
def test_a_client_that_has_another_answer_gets_the_whole_one(known):
    assert answer(headers={"If-None-Match": known}).status_code == 200


def test_the_tag_of_another_coding_is_no_match():
    etag = answer(headers={"Accept-Encoding": "br"}).headers["ETag"]
    assert answer(headers={"If-None-Match": etag}).status_code == 200


CHANGED = datetime(2031, 5, 6, 7, 8, 9, 999, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "status"),
    [
        ("Tue, 06 May 2031 07:08:09 GMT", 304),
        ("Tue, 06 May 2031 07:08:10 GMT", 304),
        ("Tue, 06 May 2031 07:08:08 GMT", 200),
        ("nonsense", 200),
        ("", 200),
    ],
)
def test_if_modified_since_counts_where_a_date_is_known(since, status):
    response = answer(last_modified=CHANGED, headers={"If-Modified-Since": since})
    assert response.status_code == status
    assert response.headers["Last-Modified"] == "Tue, 06 May 2031 07:08:09 GMT"


def test_if_modified_since_counts_for_nothing_without_a_date_of_our_own():
    late = {"If-Modified-Since": "Tue, 06 May 2042 07:08:09 GMT"}
    assert answer(headers=late).status_code == 200


def test_if_none_match_outranks_the_date():
    headers = {"If-Modified-Since": "Tue, 06 May 2042 07:08:09 GMT", "If-None-Match": '"x"'}
    assert answer(last_modified=CHANGED, headers=headers).status_code == 200


def test_a_feed_varies_by_coding_alone_and_goes_out_as_it_is():
    response = answer(
        variant="feed", content_type="text/calendar", headers={"Accept-Encoding": "br, gzip"}
    )
    assert response.content == BODY
    assert "Content-Encoding" not in response.headers
    assert response.headers["Vary"] == "Accept-Encoding"


def test_a_feed_of_a_megabyte_is_coded():
    big = b"BEGIN:VEVENT\r\n" * 80_000
    response = answer(render=lambda: big, variant="feed", headers={"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.content) == big


def test_a_download_names_its_file():
    response = answer(disposition="attachment", filename="Übersicht.ics")
    assert response.headers["Content-Disposition"] == (
        "attachment; filename*=utf-8''%C3%9Cbersicht.ics"
    )
    assert answer(disposition="inline").headers["Content-Disposition"] == "inline"


def test_nothing_is_kept_while_debugging(settings):
    settings.DEBUG = True
    assert answer(render=lambda: b"one").content == b"one"
    assert answer(render=lambda: b"two").content == b"two"


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("", "identity"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("GZIP", "gzip"),
        ("br;q=0.5, gzip;q=0.9", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0 , gzip ; q=0", "identity"),
        ("identity;q=1, gzip;q=0.5", "identity"),
        ("*", "br"),
        ("br;q=0, *;q=0.1", "gzip"),
        ("*;q=0", "identity"),
        ("br;q=often", "identity"),
        ("br;level=9", "br"),
        ("x" * 400 + ", br", "identity"),
    ],
)
def test_the_best_allowed_coding_is_chosen(header, coding):
    assert accepted_coding(header) == coding


def test_private_answers_are_stored_by_nobody():
    page, data = private_response("<p>mine</p>"), private_json({"picks": [1]}, status=201)
    assert page.headers["Cache-Control"] == data.headers["Cache-Control"] == "private, no-store"
    assert (json.loads(data.content), data.status_code) == ({"picks": [1]}, 201)


def test_what_is_quickly_made_is_kept_when_it_is_asked_for_again():
    made = []

    def render() -> bytes:
        made.append(1)
        return b"joined"

    for _ in range(3):
        assert answer(render=render, is_quick=True).content == b"joined"
    assert len(made) == 2
    assert answer(render=never, is_quick=True, headers={"Accept-Encoding": "gzip"}).content

"""Slides and photos: what is accepted, what is refused and why, and what is kept of it."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from sessions_app.models import Slides, Status
from sessions_app.snapshot import current_schedule
from tests.factories import make_conference, make_session, make_speaker
from tests.pages.forms_in_pages import add_row, form_in
from tests.pages.test_admin_session import change_url, errors_in, opened, refused, saved

# Slow: pictures and decks are made, checked and made anew.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PDF = b"%PDF-1.7\n%invented\n"


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    """Keep uploads on a disk of their own, so that removals can be seen."""
    settings.MEDIA_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    }
    return tmp_path


def stored(media):
    return sorted(path.name for path in media.rglob("*") if path.is_file())


def packed(*names, **contents):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, contents.get(name, "x"))
    return out.getvalue()


PPTX = packed("[Content_Types].xml", "ppt/presentation.xml")
KEY = packed("Index/Document.iwa")
ODP = packed("mimetype", mimetype="application/vnd.oasis.opendocument.presentation")
PPT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500 + "PowerPoint Document".encode("utf-16-le")


def with_upload(client, session, name, content):
    values = add_row(opened(client, session), "slides")
    return values | {"slides-0-file": SimpleUploadedFile(name, content)}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("Beans 2026.pdf", PDF),
        ("beans.PPTX", PPTX),
        ("beans.ppt", PPT),
        ("beans.odp", ODP),
        ("beans.key", KEY),
    ],
)
def test_a_deck_is_uploaded_and_named_after_its_file(organizer, name, content):
    session = make_session(make_conference())

    saved(organizer, change_url(session), with_upload(organizer, session, name, content))

    deck = Slides.objects.get()
    stem, kind = name.rsplit(".", 1)
    assert (deck.name, deck.file_type) == (stem, kind.lower())
    (shown,) = current_schedule("invented").session(session.slug).slides
    assert (shown.name, shown.is_upload) == (stem, True)
    answer = organizer.get(f"/admin/sessions_app/session/slides/{deck.pk}/")
    assert b"".join(answer.streaming_content) == content
    assert "attachment" in answer["Content-Disposition"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("virus.exe", b"MZ", "Slides may be pdf, pptx, ppt, odp, key"),
        ("beans.pdf", b"MZ\x90\0 this is a program", "its content is something else"),
        ("beans.pptx", packed("word/document.xml"), "its content is something else"),
        ("beans.pptx", b"PK\x03\x04 broken", "its content is something else"),
        ("beans.odp", PPTX, "its content is something else"),
        ("beans.odp", packed("mimetype", mimetype="text/html"), "its content is something else"),
        ("beans.key", PPTX, "its content is something else"),
        ("beans.ppt", PPT[:400], "its content is something else"),
        ("beans.html", b"<script>", "Slides may be"),
        ("beans", PDF, "Slides may be"),
        ("beans.pdf", b"", "empty"),
    ],
)
def test_what_is_no_deck_is_refused_at_its_field(organizer, media, name, content, words):
    session = make_session(make_conference())

    values = with_upload(organizer, session, name, content)
    found = refused(organizer, change_url(session), values)

    assert list(found) == ["slides-0-file"]
    assert words in found["slides-0-file"][0]
    assert stored(media) == []


def test_a_deck_that_is_too_large_is_refused_with_both_sizes(organizer, settings):
    settings.SLIDES_MAX_BYTES = 1_000_000
    session = make_session(make_conference())
    values = with_upload(organizer, session, "beans.pdf", PDF + b" " * 1_500_000)
    found = refused(organizer, change_url(session), values)
    assert found == {"slides-0-file": ["The file has 1.5 MB; at most 1 MB are allowed."]}


def test_a_link_to_slides_needs_a_web_address(organizer):
    session = make_session(make_conference())
    values = opened(organizer, session)
    for bad in ("ftp://example.org/beans.pdf", "javascript:alert(1)", "no address"):
        found = refused(organizer, change_url(session), add_row(values, "slides", url=bad))
        assert list(found) == ["slides-0-url"]
    assert list(refused(organizer, change_url(session), add_row(values, "slides", name="B"))) == [
        "slides-0-url"
    ]

    url = "https://example.org/talks/beans.pdf?x=1"
    saved(organizer, change_url(session), add_row(values, "slides", url=url))
    deck = Slides.objects.get()
    assert (deck.name, deck.file_type, deck.url) == ("beans", "pdf", url)


def test_a_link_and_an_upload_are_one_too_many(organizer):
    session = make_session(make_conference())
    values = with_upload(organizer, session, "beans.pdf", PDF)
    values["slides-0-url"] = "https://example.org/beans.pdf"
    assert list(refused(organizer, change_url(session), values)) == ["slides-0-url"]


def test_a_deck_known_by_name_only_stays_as_it_is(organizer):
    session = make_session(make_conference(), slides=[("Beans", "pdf")])
    saved(organizer, change_url(session), opened(organizer, session) | {"title": "Peas"})
    assert Slides.objects.get().name == "Beans"


def test_a_replaced_file_is_gone_and_so_is_a_removed_one(
    organizer, media, django_capture_on_commit_callbacks
):
    session = make_session(make_conference())
    saved(organizer, change_url(session), with_upload(organizer, session, "old.pdf", PDF))
    assert stored(media) == ["old.pdf"]

    values = opened(organizer, session) | {"slides-0-file": SimpleUploadedFile("new.pdf", PDF)}
    with django_capture_on_commit_callbacks(execute=True):
        saved(organizer, change_url(session), values)
    assert stored(media) == ["new.pdf"]

    values = opened(organizer, session) | {"slides-0-DELETE": "on"}
    with django_capture_on_commit_callbacks(execute=True):
        saved(organizer, change_url(session), values)
    assert (stored(media), Slides.objects.count()) == ([], 0)


def test_decks_change_places_with_their_files(organizer, media):
    session = make_session(make_conference())
    for name in ("a.pdf", "b.pdf"):
        values = opened(organizer, session)
        number = values["slides-TOTAL_FORMS"]
        values = add_row(values, "slides")
        upload = {f"slides-{number}-file": SimpleUploadedFile(name, PDF)}
        saved(organizer, change_url(session), values | upload)
    values = opened(organizer, session)
    swapped = {
        "slides-0-position": values["slides-1-position"],
        "slides-1-position": values["slides-0-position"],
    }
    saved(organizer, change_url(session), values | swapped)
    assert [deck.file.name for deck in Slides.objects.all()] == ["slides/b.pdf", "slides/a.pdf"]
    assert stored(media) == ["a.pdf", "b.pdf"]


def test_uploads_are_for_those_who_may_see_them(organizer, staff, anonymous):
    session = make_session(make_conference(), status=Status.DRAFT)
    saved(organizer, change_url(session), with_upload(organizer, session, "beans.pdf", PDF))
    url = f"/admin/sessions_app/session/slides/{Slides.objects.get().pk}/"
    assert anonymous.get(url).status_code == 302
    assert staff.get(url).status_code == 403
    assert organizer.get("/admin/sessions_app/session/slides/999/").status_code == 404


# --- photos ---------------------------------------------------------------------------------------


def picture(kind, size=(800, 400), mode="RGB", **options):
    out = io.BytesIO()
    Image.new(mode, size, "red").save(out, kind, **options)
    return out.getvalue()


def speaker_url(speaker):
    return f"/admin/speakers/speaker/{speaker.pk}/change/"


def with_photo(client, speaker, content, name="me.jpg"):
    values = form_in(client.get(speaker_url(speaker)), "speaker_form")
    return values | {"photo": SimpleUploadedFile(name, content)}


@pytest.mark.parametrize(
    ("kind", "mode", "kept"),
    [
        ("JPEG", "RGB", "JPEG"),
        ("PNG", "RGB", "JPEG"),
        ("PNG", "RGBA", "PNG"),
        ("WEBP", "RGB", "JPEG"),
    ],
)
def test_a_photo_is_made_small(organizer, kind, mode, kept):
    speaker = make_speaker(make_conference())
    values = with_photo(organizer, speaker, picture(kind, mode=mode))

    assert organizer.post(speaker_url(speaker), values).status_code == 302

    speaker.refresh_from_db()
    suffix = "jpg" if kept == "JPEG" else "png"
    # Browsers keep a photo for a day, so another picture never gets the same address.
    assert re.fullmatch(rf"photos/ada-inventa-[0-9a-f]{{8}}\.{suffix}", speaker.photo.name)
    with speaker.photo.open() as file, Image.open(file) as photo:
        assert (photo.format, photo.size) == (kept, (512, 256))
    assert b"".join(organizer.get(f"/admin/speakers/speaker/{speaker.pk}/photo/").streaming_content)


def test_a_photo_loses_what_the_camera_hid_and_stands_upright(organizer):
    speaker = make_speaker(make_conference())
    exif = Image.Exif()
    exif[0x0112] = 6  # lying on its side
    exif[0x010F] = "Camera of the invented"
    content = picture("JPEG", exif=exif, comment=b"at home")

    organizer.post(speaker_url(speaker), with_photo(organizer, speaker, content))

    speaker.refresh_from_db()
    with speaker.photo.open() as file:
        content = file.read()
    with Image.open(io.BytesIO(content)) as photo:
        assert photo.size == (256, 512)
        assert dict(photo.getexif()) == {}
    assert b"Camera" not in content
    assert b"at home" not in content


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"MZ program", "JPEG, PNG or WebP"),
        (b"", "empty"),
        (picture("GIF"), "JPEG, PNG or WebP"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "JPEG, PNG or WebP"),
        (picture("JPEG")[:200], "damaged"),
        (picture("PNG", size=(8000, 8000)), "too many pixels"),
    ],
)
def test_what_is_no_photo_is_refused_at_its_field(organizer, media, content, words):
    speaker = make_speaker(make_conference())
    page = organizer.post(speaker_url(speaker), with_photo(organizer, speaker, content))
    found = errors_in(page)
    assert list(found) == ["photo"]
    assert words in found["photo"][0]
    assert stored(media) == []


def test_a_photo_that_is_too_large_is_refused(organizer, settings):
    settings.PHOTO_MAX_BYTES = 1000
    speaker = make_speaker(make_conference())
    page = organizer.post(speaker_url(speaker), with_photo(organizer, speaker, picture("JPEG")))
    assert "at most 0.001 MB" in errors_in(page)["photo"][0]


def test_a_replaced_photo_is_gone_and_so_is_a_removed_one(
    organizer, media, django_capture_on_commit_callbacks
):
    speaker = make_speaker(make_conference())
    organizer.post(speaker_url(speaker), with_photo(organizer, speaker, picture("JPEG")))
    with django_capture_on_commit_callbacks(execute=True):
        organizer.post(speaker_url(speaker), with_photo(organizer, speaker, picture("PNG")))
    assert len(stored(media)) == 1

    values = form_in(organizer.get(speaker_url(speaker)), "speaker_form")
    with django_capture_on_commit_callbacks(execute=True):
        organizer.post(speaker_url(speaker), values | {"photo-clear": "on"})
    speaker.refresh_from_db()
    assert (stored(media), speaker.photo.name) == ([], "")

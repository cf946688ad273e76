"""What may be uploaded: decks of slides and photos, judged by their content, not by their name."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

#: Kinds of decks that may be uploaded, by extension.
SLIDES_KINDS = ("pdf", "pptx", "ppt", "odp", "key")
#: Longest side of a stored photo, in pixels.
PHOTO_SIDE = 512
#: Photos beyond this many pixels are refused before they are unpacked.
PHOTO_PIXELS = 50_000_000
PHOTO_FORMATS = ("JPEG", "PNG", "WEBP")

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ODP = b"application/vnd.oasis.opendocument.presentation"
#: How PowerPoint's old format names its main stream, in UTF-16.
_PPT_STREAM = "PowerPoint Document".encode("utf-16-le")


def extension(name: str) -> str:
    """Return the extension of a file's name or of an address, in lower case, without the dot."""
    return PurePosixPath(urlsplit(name).path).suffix[1:].lower()


def check_slides(file: UploadedFile[Any]) -> str:
    """Return the kind of an uploaded deck; raises ValidationError for what is none.

    The extension says what it should be, the content has to agree; no larger than the setting
    SLIDES_MAX_BYTES.
    """
    _check_size(file, settings.SLIDES_MAX_BYTES)
    kind = extension(file.name or "")
    if kind not in SLIDES_KINDS:
        raise ValidationError(
            _("Slides may be %(kinds)s; “%(name)s” is none of them."),
            code="kind",
            params={"kinds": ", ".join(SLIDES_KINDS), "name": file.name},
        )
    if not _is(kind, file):
        raise ValidationError(
            _("“%(name)s” is called %(kind)s, but its content is something else."),
            code="content",
            params={"name": file.name, "kind": kind},
        )
    return kind


def _check_size(file: UploadedFile[Any], most: int) -> None:
    if (file.size or 0) > most:
        raise ValidationError(
            _("The file has %(size)s MB; at most %(most)s MB are allowed."),
            code="size",
            params={"size": f"{(file.size or 0) / 1e6:.1f}", "most": f"{most / 1e6:g}"},
        )
    if not file.size:
        raise ValidationError(_("The file is empty."), code="empty")


def _is(kind: str, file: UploadedFile[Any]) -> bool:
    file.seek(0)
    head = file.read(1024)
    try:
        if kind == "pdf":
            return b"%PDF-" in head
        if kind == "ppt":
            return head.startswith(_OLE) and _contains(file, _PPT_STREAM)
        return head.startswith(b"PK\x03\x04") and _is_packed(kind, file)
    finally:
        file.seek(0)


def _contains(file: UploadedFile[Any], wanted: bytes) -> bool:
    """Whether a file contains these bytes, read piece by piece."""
    tail = b""
    for piece in file.chunks():
        if wanted in tail + piece:
            return True
        tail = piece[-len(wanted) :]
    return False


def _is_packed(kind: str, file: Any) -> bool:
    """Whether a zip archive is a presentation of this kind; only its directory is read."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            if kind == "pptx":
                return {"[Content_Types].xml", "ppt/presentation.xml"} <= names
            if kind == "odp":
                with archive.open("mimetype") as entry:
                    return entry.read(len(_ODP) + 1).strip() == _ODP
            return any(
                name == "Index.zip" or name == "index.apxl" or name.endswith(".iwa")
                for name in names
            )
    except (zipfile.BadZipFile, KeyError, ValueError, OSError, RuntimeError, NotImplementedError):
        return False


def prepare_photo(file: UploadedFile[Any], name: str) -> ContentFile[bytes]:
    """Return an uploaded photo as a small clean picture with this name (and ``.jpg`` or ``.png``).

    Turned upright, at most 512 px on its longer side, without EXIF and other hidden data. Raises
    ValidationError for what is no JPEG, PNG or WebP, or too large.
    """
    _check_size(file, settings.PHOTO_MAX_BYTES)
    file.seek(0)
    try:
        with Image.open(file, formats=PHOTO_FORMATS) as picture:
            if picture.width * picture.height > PHOTO_PIXELS:
                raise ValidationError(_("The picture has too many pixels."), code="pixels")
            return _small_picture(picture, name)
    except ValidationError:
        raise
    except UnidentifiedImageError as error:
        raise ValidationError(_("A photo has to be JPEG, PNG or WebP."), code="kind") from error
    except Exception as error:  # decoders of damaged pictures raise nearly anything
        raise ValidationError(_("The picture is damaged."), code="damaged") from error


def _small_picture(picture: Image.Image, name: str) -> ContentFile[bytes]:
    upright = ImageOps.exif_transpose(picture)
    is_opaque = not upright.has_transparency_data
    clean = upright.convert("RGB" if is_opaque else "RGBA")
    clean.thumbnail((PHOTO_SIDE, PHOTO_SIDE))
    clean.info.clear()
    out = io.BytesIO()
    if is_opaque:
        clean.save(out, "JPEG", quality=85, optimize=True, progressive=True)
    else:
        clean.save(out, "PNG", optimize=True)
    return ContentFile(out.getvalue(), name=f"{name}.{'jpg' if is_opaque else 'png'}")

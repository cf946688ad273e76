"""The build id: what makes the answers of one version of the code differ from another's."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

import django
from django.conf import settings

#: Folders (below the project's own) and endings of the files that shape an answer.
FOLDERS = ("confsched", "sessions_app", "speakers", "templates", "static", "locale")
ENDINGS = frozenset({".py", ".html", ".txt", ".xml", ".css", ".js", ".svg", ".woff2", ".mo"})


def _files(base: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((base / folder).rglob("*")):
            if path.suffix in ENDINGS and path.is_file():
                yield path


@functools.cache
def build_id() -> str:
    """Return a short hash over the code, templates and static files that this process runs.

    All processes of one installation have the same; it is part of every ETag, so that an
    upgrade is seen at once by whoever kept an answer of the old version.
    """
    digest = hashlib.sha256(f"{django.get_version()} {settings.SITE_URL}".encode())
    for path in _files(settings.BASE_DIR):
        digest.update(path.relative_to(settings.BASE_DIR).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]

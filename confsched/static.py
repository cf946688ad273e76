"""Static files: hashed and compressed by WhiteNoise, style sheets in one piece.

A style sheet may say ``@import url("other.css");`` for one that lies beside it. The browser of
somebody who works on the site follows that; what is collected has the text in its place, which
saves every visitor a request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT = re.compile(r'^@import url\("([\w.-]+)"\);\n', re.MULTILINE)


class InOnePiece:
    """Opens style sheets of a storage with those they import in place."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def open(self, name: str) -> ContentFile[bytes]:
        """Return the file; FileNotFoundError where it imports what is not there."""
        return ContentFile(self._text(name).encode(), name=name)

    def _text(self, name: str) -> str:
        with self.storage.open(name) as file:
            text = file.read().decode()
        folder = PurePosixPath(name).parent
        return _IMPORT.sub(lambda match: self._text(str(folder / match.group(1))), text)


class SiteStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise ships no types
    """WhiteNoise's storage with style sheets in one piece."""

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        """Hash and compress what was collected (see Django's ManifestFilesMixin)."""
        whole = {
            path: (InOnePiece(storage), name) if path.startswith("css/") else (storage, name)
            for path, (storage, name) in paths.items()
        }
        yield from super().post_process(whole, dry_run, **options)

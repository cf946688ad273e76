"""Style sheets in one piece."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage

from confsched.static import InOnePiece

SITE = Path(__file__).parents[2] / "static/css/site.css"


def storage(**files: str) -> InMemoryStorage:
    made = InMemoryStorage()
    for name, text in files.items():
        made.save(f"css/{name}.css", ContentFile(text.encode()))
    return made


def test_imported_sheets_stand_in_their_place() -> None:
    files = storage(a='/* a */\n@import url("b.css");\n\n.a {}\n', b=".b {}\n")
    assert InOnePiece(files).open("css/a.css").read() == b"/* a */\n.b {}\n\n.a {}\n"


def test_what_is_not_beside_it_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        InOnePiece(storage(a='@import url("b.css");\n')).open("css/a.css")


def test_other_addresses_stay() -> None:
    text = '.a { background: url("b.svg") }\n'
    assert InOnePiece(storage(a=text)).open("css/a.css").read() == text.encode()


def test_colours_are_written_in_the_tokens_alone() -> None:
    assert re.findall(r":[^;{]*(#[0-9a-f]{3,8}|rgb|hsl)[^;{]*;", SITE.read_text()) == []

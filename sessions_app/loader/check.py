"""What the database could not hold, found before anything is written. Pure but for the models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.models import CharField, Model, URLField

from confsched.models import Conference
from sessions_app.loader.draft import Draft, Drafts
from sessions_app.models import Level, Room, Session, Slides, Track
from sessions_app.records import Problem, Severity
from sessions_app.timezones import find_zone
from speakers.models import Speaker

_MODELS: Mapping[str, type[Model]] = {
    "conference": Conference,
    "room": Room,
    "track": Track,
    "level": Level,
    "speaker": Speaker,
    "session": Session,
}
_is_url = URLValidator(schemes=["http", "https"])


def check(drafts: Drafts) -> Iterator[Problem]:
    """Yield an error for each value that cannot be stored as it is."""
    yield from _check_conference(drafts)
    keys: dict[str, int] = {}
    for draft in drafts:
        line = draft.record.line if draft.record else 0
        for code, message in _check_values(draft):
            yield Problem(line, code, Severity.ERROR, message)
        if draft.record is None:
            continue
        if draft.key and draft.key in keys:
            message = f"The key “{draft.key}” also stands on line {keys[draft.key]}."
            yield Problem(line, "key-repeated", Severity.ERROR, message)
        keys.setdefault(draft.key, line)


def _check_conference(drafts: Drafts) -> Iterator[Problem]:
    if drafts.conference is not None:
        return
    said = drafts.said.conference
    if not said.name.strip():
        message = "The source does not name the conference; say which one it is."
        yield Problem(0, "conference-unnamed", Severity.ERROR, message)
    if find_zone(said.timezone) != said.timezone:
        message = f"“{said.timezone}” is no IANA time zone; expected a name such as Europe/Paris."
        yield Problem(0, "timezone-unknown", Severity.ERROR, message)


def _check_values(draft: Draft) -> Iterator[tuple[str, str]]:
    values = draft.merge.values
    if draft.kind == "session":
        if "title" in values and not values["title"]:
            yield "title-missing", "The session has no title."
        record = draft.record
        if record is not None and record.ends_at <= record.starts_at:
            yield "end-before-start", "The session ends before it starts."
        for deck in values.get("slides", ()):
            yield from _check_columns(Slides, dict(zip(_DECK, deck, strict=True)))
    yield from _check_columns(_MODELS[draft.kind], values)


_DECK = ("name", "file_type", "url")


def _check_columns(model: type[Model], values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    columns = {column.name: column for column in model._meta.concrete_fields}
    for name, value in values.items():
        column = columns.get(name)
        for text in _texts(value):
            if "\x00" in text or not _is_unicode(text):
                yield "unstorable-text", f"The {name} holds a character no database can store."
        if not isinstance(column, CharField) or not isinstance(value, str) or not value:
            continue
        if column.max_length is not None and len(value) > column.max_length:
            yield (
                "too-long",
                f"The {name} has {len(value)} characters; there is room for {column.max_length}.",
            )
        if isinstance(column, URLField) and not _is_address(value):
            yield "no-address", f"The {name} “{value[:80]}” is no http or https address."


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_address(text: str) -> bool:
    try:
        _is_url(text)
    except ValidationError:
        return False
    return True

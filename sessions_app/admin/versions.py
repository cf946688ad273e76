"""What a form showed when it was opened, so that nobody overwrites somebody else's save.

A form carries a digest of every stored value in a hidden field. If one of them differs when it
comes back, somebody saved in between: nothing is written, and the message names what they changed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from sessions_app.admin.walltime import wall_time

#: Where a value is cut in a message; the form itself shows it whole.
SHOWN_LENGTH = 120


def stored_values(row: models.Model, names: Iterable[str], zone: dt.tzinfo) -> dict[str, str]:
    """Return the named fields of a row as text for people."""
    values = {}
    for name in names:
        field = row._meta.get_field(name)
        if isinstance(field, models.ManyToManyField):
            linked = getattr(row, name).all()
            values[name] = ", ".join(sorted(str(other) for other in linked))
        else:
            values[name] = _text(getattr(row, name), row, name, zone)
    return values


def _text(value: Any, row: models.Model, name: str, zone: dt.tzinfo) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dt.datetime):
        return wall_time(value, zone)
    display = getattr(row, f"get_{name}_display", None)
    return str(display() if callable(display) else value)


def digest(values: Mapping[str, str]) -> str:
    """Return a short text that differs wherever one of the values does."""
    short = {
        name: hashlib.blake2b(value.encode(), digest_size=6).hexdigest()
        for name, value in values.items()
    }
    return json.dumps(short, separators=(",", ":"), sort_keys=True)


def changed_since(version: str, values: Mapping[str, str]) -> list[str]:
    """Return the names whose values are no longer those of the version; all of a broken one."""
    try:
        before = json.loads(version)
    except ValueError:
        return list(values)
    if not isinstance(before, dict):
        return list(values)
    now = json.loads(digest(values))
    return [name for name in values if before.get(name) != now[name]]


def conflict_message(row: models.Model, changed: Mapping[str, tuple[str, str]]) -> SafeString:
    """Return what to tell whoever comes second; ``changed`` maps names to label and value now."""
    items = format_html_join(
        "",
        "<li>{}: {}</li>",
        (
            (label, Truncator(value).chars(SHOWN_LENGTH) if value else _("(empty)"))
            for label, value in changed.values()
        ),
    )
    return format_html(
        "{}<ul>{}</ul>{}",
        _("%(who)s saved this while you had it open. Stored now:") % {"who": _last_editor(row)},
        items,
        _(
            "Nothing of yours was saved, and your entries still stand below. Save again to put "
            "them in place of what is stored, or open the page anew to start from there. "
            "A file has to be chosen again."
        ),
    )


def _last_editor(row: models.Model) -> str:
    entry = (
        LogEntry.objects.filter(
            content_type=ContentType.objects.get_for_model(row), object_id=str(row.pk)
        )
        .select_related("user")
        .order_by("-action_time")
        .first()
    )
    return entry.user.get_username() if entry else _("Somebody else")

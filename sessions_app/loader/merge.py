"""The one rule of loading, field by field: hand-made changes stay, the rest follows the source."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sessions_app.loader.plan import FieldChange, Kept


@dataclass(frozen=True, slots=True)
class Merge:
    """What to write into a row: changed ``values`` and all of ``source_values``; and why."""

    values: Mapping[str, Any]
    source_values: Mapping[str, Any]
    changes: tuple[FieldChange, ...] = ()
    kept: tuple[Kept, ...] = ()


def created(said: Mapping[str, Any]) -> Merge:
    """Return what to write into a row that is not there yet."""
    return Merge(dict(said), dict(said))


def merge(
    current: Mapping[str, Any],
    stored: Mapping[str, Any],
    said: Mapping[str, Any],
    *,
    unsaid: Collection[str] = (),
) -> Merge:
    """Compare a row's *current* values, what the last import *stored*, and what is *said* now.

    Fields in *unsaid* are those that this source says nothing about: they stay as they are. A field
    that no import ever said anything about (a row made by hand) counts as changed by hand unless it
    is empty.
    """
    values: dict[str, Any] = {}
    source_values = dict(stored)
    changes: list[FieldChange] = []
    kept: list[Kept] = []
    for name, new in said.items():
        if name in unsaid:
            continue
        here = current[name]
        source_values[name] = new
        if here == new:
            continue
        is_by_hand = here != stored[name] if name in stored else here not in ("", None, [])
        if is_by_hand:
            kept.append(Kept(name, here, new))
        else:
            values[name] = new
            changes.append(FieldChange(name, here, new))
    return Merge(values, source_values, tuple(changes), tuple(kept))

"""What loading a source would do, as values, and in words for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from confsched.models import Conference
from sessions_app.records import Problem, Severity, Source


class Action(StrEnum):
    """What happens to a row.

    KEEP: nothing, though the source differs, because somebody changed the row by hand. MISSING: the
    source does not have the session and does not cover its day either, so it stays.
    """

    ADD = "add"
    CHANGE = "change"
    CANCEL = "cancel"
    RESTORE = "restore"
    KEEP = "keep"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that follows the source; values as in ``source_values``."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Kept:
    """A field changed by hand: what stands ``here``, and what the ``source`` says."""

    field: str
    here: Any
    source: Any


@dataclass(frozen=True, slots=True)
class RowPlan:
    """What happens to one row; ``kind`` is conference, room, track, level, speaker or session."""

    kind: str
    name: str
    action: Action
    changes: tuple[FieldChange, ...] = ()
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """All that loading ``source`` into ``conference`` (None: a new one) would do.

    ``problems`` are those met while planning; the source's own stand in it. ``is_idle`` tells that
    no row would be written, not even what the source said last.
    """

    source: Source
    conference: Conference | None
    rows: tuple[RowPlan, ...]
    problems: tuple[Problem, ...]
    is_idle: bool

    @property
    def has_errors(self) -> bool:
        """Whether anything forbids to apply it."""
        return self.source.has_errors or any(
            problem.severity is Severity.ERROR for problem in self.problems
        )

    def of(self, action: Action, kind: str = "session") -> tuple[RowPlan, ...]:
        """Return the rows of this kind to which this happens."""
        return tuple(row for row in self.rows if row.action is action and row.kind == kind)

    def lines(self) -> Iterator[str]:
        """Yield the plan in words: counts first, then what happens to each row."""
        yield self._headline()
        yield from self._counts()
        for row in self.rows:
            if row.action is Action.ADD and row.kind != "session":
                continue  # counted above; a first import would list every speaker
            yield f"{_WORDS[row.action]} {row.kind} “{row.name}”"
            for change in row.changes:
                yield f"    {change.field}: {_short(change.old)} → {_short(change.new)}"
            for kept in row.kept:
                yield (
                    f"    {kept.field}: kept {_short(kept.here)}, changed by hand"
                    f" (the source says {_short(kept.source)})"
                )

    def _headline(self) -> str:
        if self.conference is None:
            return f"New conference “{self.source.conference.name}”"
        return f"Conference “{self.conference.name}” ({self.conference.slug})"

    def _counts(self) -> Iterator[str]:
        counts = Counter((row.kind, row.action) for row in self.rows)
        for (kind, action), count in counts.items():
            if kind != "conference":
                yield f"   {count:3} {kind}{'' if count == 1 else 's'} {_COUNTED[action]}"
        if not counts:
            yield "   nothing to do"


_WORDS = {
    Action.ADD: "Add",
    Action.CHANGE: "Change",
    Action.CANCEL: "Cancel",
    Action.RESTORE: "Restore",
    Action.KEEP: "Keep",
    Action.MISSING: "Leave",
}
_COUNTED = {
    Action.ADD: "to add",
    Action.CHANGE: "to change",
    Action.CANCEL: "gone from the source, to cancel",
    Action.RESTORE: "back in the source, to restore",
    Action.KEEP: "kept as changed by hand",
    Action.MISSING: "not in the source, which is filtered; left alone",
}


def _short(value: Any) -> str:
    """Return a value for one line of the plan."""
    if isinstance(value, list):
        value = ", ".join(
            " ".join(str(part) for part in item if part) if isinstance(item, list) else str(item)
            for item in value
        )
    text = " ".join(str("" if value is None else value).split())
    return f"“{text[:57]}…”" if len(text) > 60 else f"“{text}”"

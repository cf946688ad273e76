"""Dates and times as people at the conference read them from the wall.

Forms take and show the wall time of the conference's own zone; the database holds UTC. A time that
a clock change skips is refused at its field, one that it doubles asks which of the two is meant.
"""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from sessions_app.timezones import DoubledTimeError, SkippedTimeError, localize


def wall_time(moment: dt.datetime, zone: dt.tzinfo) -> str:
    """Return a moment as "2026-04-08 10:00" on the wall."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def is_doubled(wall: dt.datetime, zone: ZoneInfo) -> bool:
    """Whether clocks in the zone show this naive time twice."""
    try:
        localize(wall, zone.key)
    except DoubledTimeError:
        return True
    except (SkippedTimeError, OverflowError):
        return False
    return False


def to_moment(wall: dt.datetime, zone: ZoneInfo, which: str = "") -> dt.datetime:
    """Return the UTC moment of a naive wall time; ``which`` is "first" or "second" of a double.

    Raises ValidationError (codes "skipped", "doubled", "invalid") where there is not exactly one.
    """
    params = {"time": f"{wall:%H:%M}", "day": f"{wall:%Y-%m-%d}", "zone": zone.key}
    try:
        return localize(wall, zone.key).astimezone(dt.UTC)
    except SkippedTimeError as error:
        message = _(
            "%(time)s does not exist on %(day)s: the clocks in %(zone)s are put forward over it."
        )
        raise ValidationError(message, code="skipped", params=params) from error
    except DoubledTimeError as error:
        if which in ("first", "second"):
            return wall.replace(tzinfo=zone, fold=int(which == "second")).astimezone(dt.UTC)
        message = _(
            "%(time)s comes twice on %(day)s, since the clocks in %(zone)s are put back. "
            "Choose which one you mean."
        )
        raise ValidationError(message, code="doubled", params=params) from error
    except OverflowError as error:
        raise ValidationError(_("Enter a valid date."), code="invalid") from error


class WallTimeWidget(forms.MultiWidget):
    """A date and a time, with the zone beside them, and the choice between two equal times.

    Native inputs: phones bring their own pickers, keyboards work, no script is needed. An empty
    date takes the one of the field named by ``same_day_as``.
    """

    template_name = "admin/widgets/wall_time.html"
    zone: ZoneInfo = ZoneInfo("UTC")

    def __init__(self, label: Any, same_day_as: str = "") -> None:
        self.same_day_as = same_day_as
        super().__init__(
            [
                forms.DateInput({"type": "date", "class": "wall-date"}, format="%Y-%m-%d"),
                forms.TimeInput({"type": "time", "class": "wall-clock"}, format="%H:%M"),
                forms.Select({"class": "wall-which"}),
            ]
        )
        self.labels = (label, _("date"), _("time"), _("which of the two"))

    def decompress(self, value: Any) -> list[Any]:
        """Split a moment into what the wall shows."""
        if not isinstance(value, dt.datetime):
            return [None, None, ""]
        local = value.astimezone(self.zone)
        wall = local.replace(tzinfo=None, fold=0)
        which = ("second" if local.fold else "first") if is_doubled(wall, self.zone) else ""
        return [wall.date(), wall.time(), which]

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Any]:
        """Read the three inputs, the date from the other field where it is left empty."""
        day, clock, which = super().value_from_datadict(data, files, name)
        if not day and clock and self.same_day_as:
            day = data.get(f"{self.same_day_as}_0")
        return [day, clock, which]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        """Whether neither a date nor a time was sent."""
        return f"{name}_0" not in data and f"{name}_1" not in data

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Name every input for assistive technology and offer the choice where there is one."""
        context = super().get_context(name, value, attrs)
        day, clock, which = context["widget"]["subwidgets"]
        for part, label in zip((day, clock, which), self.labels[1:], strict=True):
            part["attrs"]["aria-label"] = f"{self.labels[0]}: {label}"
        wall = _parsed(day["value"], clock["value"])
        doubled = wall is not None and is_doubled(wall, self.zone)
        choices = _choices(wall, self.zone) if doubled and wall is not None else ()
        chosen = value[2] if isinstance(value, list) else self.decompress(value)[2]
        return {
            **context,
            "day": day,
            "clock": clock,
            "which": which,
            "which_label": which["attrs"]["aria-label"],
            "choices": [(code, text, code == chosen) for code, text in choices],
            "zone": self.zone.key,
        }


def _parsed(day: str | None, clock: str | None) -> dt.datetime | None:
    """Return the naive wall time that two inputs show, None where they show none."""
    try:
        return dt.datetime.fromisoformat(f"{day} {clock}").replace(tzinfo=None)
    except ValueError:
        return None


def _choices(wall: dt.datetime, zone: ZoneInfo) -> tuple[tuple[str, str], ...]:
    """Return the two moments that share a wall time, with how their clocks differ from UTC."""
    first, second = (f"{wall.replace(tzinfo=zone, fold=fold):%H:%M %Z, UTC%z}" for fold in (0, 1))
    return (
        ("first", _("the first %(time)s") % {"time": first}),
        ("second", _("the second %(time)s") % {"time": second}),
    )


class WallTimeField(forms.MultiValueField):
    """A wall time of the zone given to ``set_zone``, cleaned to an aware datetime in UTC."""

    def __init__(self, *, label: Any, same_day_as: str = "", help_text: Any = "") -> None:
        super().__init__(
            fields=(
                forms.DateField(input_formats=["%Y-%m-%d"]),
                forms.TimeField(input_formats=["%H:%M", "%H:%M:%S"]),
                forms.CharField(required=False),
            ),
            require_all_fields=False,
            label=label,
            help_text=help_text,
            widget=WallTimeWidget(label, same_day_as),
            error_messages={
                "required": _("Enter a date and a time."),
                "incomplete": _("Enter a date and a time."),
            },
        )
        self.zone = ZoneInfo("UTC")

    def set_zone(self, zone: ZoneInfo) -> None:
        """Read and show times as clocks in this zone show them."""
        self.zone = zone
        self.widget.zone = zone

    def compress(self, data_list: Any) -> dt.datetime | None:
        """Return the moment; raises ValidationError for a skipped or an undecided time."""
        if not data_list:
            return None
        day, clock, which = (*data_list, "")[:3]
        return to_moment(dt.datetime.combine(day, clock), self.zone, which)

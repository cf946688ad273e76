"""The rules that every calendar of this site keeps, as one function over bytes.

They come from RFC 5545, 5546, 6868 and 7986 and from what calendars were seen to get wrong; the
reasons stand in docs/architecture.md, "Calendars".
"""

from __future__ import annotations

import datetime as dt
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from dateutil.tz import tzical

KNOWN = set(
    """ACTION ATTACH BEGIN CALSCALE CATEGORIES DESCRIPTION DTEND DTSTAMP DTSTART END LAST-MODIFIED
    LOCATION NAME PRODID REFRESH-INTERVAL RRULE SEQUENCE SOURCE STATUS SUMMARY TRANSP TRIGGER TZID
    TZNAME TZOFFSETFROM TZOFFSETTO UID URL VERSION""".split()
)
ONE_OF_EACH = """UID DTSTAMP LAST-MODIFIED SEQUENCE DTSTART DTEND SUMMARY LOCATION DESCRIPTION URL
    STATUS TRANSP X-MICROSOFT-CDO-BUSYSTATUS""".split()
TEXTS = ("SUMMARY", "LOCATION", "DESCRIPTION", "NAME", "X-WR-CALNAME")
LINE = re.compile(r'([A-Z-]+)((?:;[A-Z-]+=(?:"[^"]*"|[^";:,]*))*):(.*)', re.DOTALL)
UTC_TIME = re.compile(r"\d{8}T\d{6}Z")


@dataclass
class Component:
    """A component as written: (name, parameters, raw value), and what is nested in it."""

    name: str
    properties: list[tuple[str, str, str]] = field(default_factory=list)
    parts: list[Component] = field(default_factory=list)

    def all(self, name: str) -> list[str]:
        return [value for each, _, value in self.properties if each == name]

    def get(self, name: str) -> str:
        return next(iter(self.all(name)), "")

    def text(self, name: str) -> str:
        return unescaped(self.get(name))

    def parameters(self, name: str) -> str:
        return next(parameters for each, parameters, _ in self.properties if each == name)

    def inner(self, name: str) -> list[Component]:
        return [part for part in self.parts if part.name == name]


def unescaped(value: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] in "nN" else m[1], value)


def read(data: bytes) -> Component:
    """Read a calendar without any library; raises ValueError for what is no content line."""
    text = data.decode().replace("\r\n ", "")
    stack = [Component("")]
    for line in text.split("\r\n")[:-1]:
        match = LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"no content line: {line[:60]!r}")
        name, parameters, value = match.groups()
        if name == "BEGIN":
            part = Component(value)
            stack[-1].parts.append(part)
            stack.append(part)
        elif name == "END":
            if stack.pop().name != value:
                raise ValueError(f"END:{value} where something else is open")
        else:
            stack[-1].properties.append((name, parameters, value))
    (calendar,) = stack[0].parts
    return calendar


def events(data: bytes) -> dict[str, Component]:
    """Return the events by UID."""
    return {event.get("UID"): event for event in read(data).inner("VEVENT")}


def instant(event: Component, name: str, zones: Component) -> dt.datetime:
    """Return DTSTART or DTEND as a moment, as a client does that reads the file's own VTIMEZONE."""
    value = event.get(name)
    if value.endswith("Z"):
        return dt.datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=dt.UTC)
    tzid = event.parameters(name).removeprefix(";TZID=")
    block = next(zone for zone in zones.inner("VTIMEZONE") if zone.get("TZID") == tzid)
    zone = tzical(io.StringIO(written(block))).get(tzid)
    naive = dt.datetime.strptime(value, "%Y%m%dT%H%M%S")  # noqa: DTZ007  # the zone comes next
    return naive.replace(tzinfo=zone).astimezone(dt.UTC)


def written(part: Component) -> str:
    inside = [f"{name}{parameters}:{value}" for name, parameters, value in part.properties]
    inside += [written(each) for each in part.parts]
    return "\r\n".join([f"BEGIN:{part.name}", *inside, f"END:{part.name}"])


def faults(data: bytes, kind: str) -> list[str]:
    """Return what is wrong with a calendar of this kind: "feed", "single" or "personal"."""
    found = list(_byte_faults(data))
    try:
        calendar = read(data)
    except ValueError as error:
        return [*found, str(error)]
    found += _head_faults(calendar, kind)
    found += _zone_faults(calendar)
    for event in calendar.inner("VEVENT"):
        found += [f"{event.get('UID')}: {fault}" for fault in _event_faults(event, kind, calendar)]
    uids = Counter(event.get("UID") for event in calendar.inner("VEVENT"))
    found += [f"{uid} stands there {count} times" for uid, count in uids.items() if count > 1]
    if kind == "single" and len(uids) != 1:
        found.append(f"{len(uids)} events in a single download")
    return found


def _byte_faults(data: bytes) -> Iterator[str]:
    if not data.startswith(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:"):
        yield "the first bytes are not those of a calendar"
    if not data.endswith(b"\r\nEND:VCALENDAR\r\n"):
        yield "the last bytes are not those of a calendar"
    if re.search(rb"(?<!\r)\n|\r(?!\n)|\r\n\r\n", data):
        yield "a bare CR or LF, or an empty line"
    for line in data.split(b"\r\n"):
        if len(line) > 75:
            yield f"a line of {len(line)} octets"
        try:
            text = line.decode()
        except UnicodeDecodeError:
            yield "a fold inside a character"
        else:
            if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text):
                yield "a control character"


def _head_faults(calendar: Component, kind: str) -> Iterator[str]:
    names = Counter(name for name, _, _ in calendar.properties)
    yield from (f"{count} times {name}" for name, count in names.items() if count > 1)
    if "METHOD" in names:
        yield "METHOD makes it a message"
    if kind == "single":
        extra = names.keys() - {"VERSION", "PRODID", "CALSCALE"}
        if extra:
            yield f"a download with {sorted(extra)} opens a new calendar"
        return
    if not calendar.get("NAME") or calendar.get("NAME") != calendar.get("X-WR-CALNAME"):
        yield "NAME and X-WR-CALNAME differ or are missing"
    if calendar.get("REFRESH-INTERVAL") not in ("PT15M", "PT1H"):
        yield "no REFRESH-INTERVAL"
    if calendar.get("REFRESH-INTERVAL") != calendar.get("X-PUBLISHED-TTL"):
        yield "X-PUBLISHED-TTL differs from REFRESH-INTERVAL"
    for name in ("URL", "SOURCE"):
        if any(not value.startswith("https://") for value in calendar.all(name)):
            yield f"{name} is not https"
        if kind == "personal" and name in names:
            yield f"{name} would give the secret away"


def _zone_faults(calendar: Component) -> Iterator[str]:
    zones = [zone.get("TZID") for zone in calendar.inner("VTIMEZONE")]
    used = {
        parameters.removeprefix(";TZID=")
        for event in calendar.inner("VEVENT")
        for name, parameters, _ in event.properties
        if name in ("DTSTART", "DTEND") and parameters
    }
    if sorted(zones) != sorted(used):
        yield f"zones {zones}, used {sorted(used)}"
    if any("/" not in zone for zone in zones):
        yield f"{zones} are not all Region/City"
    order = [part.name for part in calendar.parts]
    if order != sorted(order, key=("VTIMEZONE", "VEVENT").index):
        yield "a zone after an event"
    for zone in calendar.inner("VTIMEZONE"):
        for half in zone.parts:
            if half.name not in ("STANDARD", "DAYLIGHT") or "RDATE" in str(half):
                yield f"{zone.get('TZID')}: {half}"


def _event_faults(event: Component, kind: str, calendar: Component) -> Iterator[str]:
    names = Counter(name for name, _, _ in event.properties)
    yield from (f"{names[name]} times {name}" for name in ONE_OF_EACH if names[name] != 1)
    unknown = {name for name in names if name not in KNOWN and not name.startswith("X-")}
    if unknown:
        yield f"unknown properties {sorted(unknown)}"
    if any(part.name != "VALARM" or kind != "personal" for part in event.parts):
        yield "a nested component"
    yield from _time_faults(event, calendar)
    yield from _text_faults(event)
    yield from _state_faults(event, kind)
    if not event.get("URL").startswith(("https://", "http://")):
        yield f"URL:{event.get('URL')}"
    for address in event.all("ATTACH"):
        if not re.fullmatch(r"https?://[!-~]+", address):
            yield f"ATTACH:{address}"


def _time_faults(event: Component, calendar: Component) -> Iterator[str]:
    if not UTC_TIME.fullmatch(event.get("DTSTAMP")):
        yield "DTSTAMP is not in UTC"
    if event.get("DTSTAMP") != event.get("LAST-MODIFIED"):
        yield "DTSTAMP is not LAST-MODIFIED"
    if not event.get("SEQUENCE").isdigit():
        yield "SEQUENCE is no number"
    if event.parameters("DTSTART") != event.parameters("DTEND"):
        yield "DTSTART and DTEND in different zones"
        return
    if not event.parameters("DTSTART") and not event.get("DTSTART").endswith("Z"):
        yield "the times float"
        return
    start, end = (instant(event, name, calendar) for name in ("DTSTART", "DTEND"))
    if not start < end:
        yield "the end is not after the start"
    for name, moment in (("DTSTART", start), ("DTEND", end)):
        parameters, value = event.parameters(name), event.get(name)
        if parameters:
            local = moment.astimezone(ZoneInfo(parameters.removeprefix(";TZID=")))
            if f"{local:%Y%m%dT%H%M%S}" != value:
                yield f"{name} is {moment} by the file's zone, but {value} there"


def _text_faults(event: Component) -> Iterator[str]:
    for name, parameters, value in event.properties:
        is_text = name in TEXTS
        if is_text and parameters:
            yield f"{name} has parameters"
        if is_text and re.search(r"(?<!\\)(?:\\\\)*[;,]|(?<!\\)(?:\\\\)*\\[^\\;,nN]", value):
            yield f"{name} is not escaped"
    for name in ("SUMMARY", "LOCATION"):
        if not event.text(name).strip() or "\n" in event.text(name):
            yield f"{name} is empty or has several lines"
    description = event.text("DESCRIPTION")
    if len(description) > 4000:
        yield f"DESCRIPTION has {len(description)} characters"
    if re.search(r"</?(?:p|br|b|i|li|ul|div|span|a)\b[^>]*>|&(?:amp|lt|gt|nbsp);", description):
        yield "DESCRIPTION has markup"
    if not description.endswith(event.get("URL")):
        yield "DESCRIPTION does not end with the address"
    categories = re.split(r"(?<!\\),", event.get("CATEGORIES"))
    if len({category.casefold() for category in categories}) != len(categories):
        yield "CATEGORIES repeat themselves"


def _state_faults(event: Component, kind: str) -> Iterator[str]:
    status, transparency = event.get("STATUS"), event.get("TRANSP")
    if status not in ("CONFIRMED", "CANCELLED"):
        yield f"STATUS:{status}"
    expected = "TRANSPARENT" if kind == "feed" or status == "CANCELLED" else "OPAQUE"
    if transparency != expected:
        yield f"TRANSP:{transparency}"
    busy = "BUSY" if expected == "OPAQUE" else "FREE"
    if event.get("X-MICROSOFT-CDO-BUSYSTATUS") != busy:
        yield "BUSYSTATUS and TRANSP differ"
    if (status == "CANCELLED") != event.text("SUMMARY").startswith("Cancelled: "):
        yield "SUMMARY and STATUS differ"

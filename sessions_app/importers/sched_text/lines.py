"""The lines of a dump: bytes decoded one by one, whitespace collapsed, numbers kept."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from sessions_app.importers.problems import Code, ProblemLog, shortened

#: Bounds of what is read at all. The page of a day of sixty sessions has 0.1 MB and 1,600 lines.
MAX_BYTES = 32_000_000
MAX_LINES = 300_000
MAX_LINE_BYTES = 100_000

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1, its text with runs of whitespace collapsed.

    ``is_indented`` tells that the source begins it with a space, no-break spaces included.
    """

    number: int
    text: str
    is_indented: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nothing but whitespace stands on it."""
        return not self.text

    @property
    def is_bullet(self) -> bool:
        """Whether it begins with a bullet, as the tags of a session do."""
        return self.text.startswith("•")

    @property
    def is_detail(self) -> bool:
        """Whether it is printed as types and tags are: indented, or with a bullet."""
        return bool(self.text) and (self.is_indented or self.is_bullet)


def read_lines(data: bytes, log: ProblemLog) -> list[Line]:
    """Decode the bytes of a file; empty with an error in the log where that makes no sense.

    Invalid UTF-8 is replaced by U+FFFD and reported with its line.
    """
    if not _is_acceptable(data, log):
        return []
    separator = b"\n" if b"\n" in data else b"\r"
    lines = data.removeprefix(codecs.BOM_UTF8).split(separator)
    return [_line(number, raw, log) for number, raw in enumerate(lines, start=1)]


def _is_acceptable(data: bytes, log: ProblemLog) -> bool:
    if data.startswith(_UTF16_MARKS):
        log.add(1, Code.UNSUPPORTED_ENCODING, "Found UTF-16 text, expected UTF-8.")
    elif not data.removeprefix(codecs.BOM_UTF8).strip():
        log.add(1, Code.EMPTY, "The file is empty; expected the text of a schedule page.")
    elif len(data) > MAX_BYTES:
        message = f"Found more than {MAX_BYTES / 1e6:.0f} MB; no schedule page is as large."
        log.add(1, Code.TOO_LARGE, message)
    elif (breaks := max(data.count(b"\n"), data.count(b"\r"))) > MAX_LINES:
        message = f"Found {breaks:,} lines, expected at most {MAX_LINES:,}."
        log.add(1, Code.TOO_LARGE, message)
    else:
        return True
    return False


def _line(number: int, raw: bytes, log: ProblemLog) -> Line:
    if len(raw) > MAX_LINE_BYTES:
        message = f"The line has {len(raw):,} bytes; read to the {MAX_LINE_BYTES:,}th."
        log.add(number, Code.LINE_TOO_LONG, message)
        raw = raw[:MAX_LINE_BYTES].decode(errors="ignore").encode()
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        text = raw.decode(errors="replace")
        message = (
            f"Byte 0x{raw[error.start]:02x} at position {error.start + 1} is not UTF-8; "
            f"read as “{shortened(' '.join(text.split()))}”."
        )
        log.add(number, Code.INVALID_UTF8, message)
    if _CONTROL.search(text):
        text = _CONTROL.sub(" ", text)
        log.add(number, Code.CONTROL_CHARACTERS, "Control characters were read as spaces.")
    return Line(number, " ".join(text.split()), is_indented=text[:1].isspace())


def without_blanks_around(lines: list[Line]) -> list[Line]:
    """Return the lines without the blank ones at the beginning and at the end."""
    first, last = 0, len(lines)
    while first < last and lines[first].is_blank:
        first += 1
    while last > first and lines[last - 1].is_blank:
        last -= 1
    return lines[first:last]


def joined(lines: list[Line]) -> str:
    """Return the text of the lines that are not blank, as one line."""
    return " ".join(line.text for line in lines if line.text)

"""The dump that ships with the project, as pages of other years would print it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sessions_app.importers import read

DUMP = (Path(__file__).parents[2] / "fixtures" / "schedule_dump.txt").read_text(encoding="utf-8")
DATE = re.compile(r"Wednesday April 8, 2026 (\d\d):(\d\d) - (\d\d):(\d\d) CEST")
HEADER = re.compile(r"(\d\d):(\d\d) CEST")

Lines = list[str]


def dates_once(lines: Lines) -> Lines:
    """Leave out the first date line of each session and the room below it."""
    dates = [index for index, line in enumerate(lines) if DATE.fullmatch(line)]
    left_out = {index + offset for index in dates[::2] for offset in (0, 1)}
    return [line for index, line in enumerate(lines) if index not in left_out]


def no_headers(lines: Lines) -> Lines:
    return [line for line in lines if not HEADER.fullmatch(line)]


def slot_headers(lines: Lines) -> Lines:
    result: Lines = []
    last = ""
    for line in lines:
        if HEADER.fullmatch(line):
            if line == last:
                continue
            last = line
        result.append(line)
    return result


def twelve_hours(lines: Lines) -> Lines:
    def clock(hour: str, minute: str) -> str:
        return f"{(int(hour) - 1) % 12 + 1}:{minute}{'am' if int(hour) < 12 else 'pm'}"

    def convert(line: str) -> str:
        if date := DATE.fullmatch(line):
            first, last = clock(date[1], date[2]), clock(date[3], date[4])
            return f"Wednesday April 8, 2026 {first} - {last} CEST"
        header = HEADER.fullmatch(line)
        return f"{clock(header[1], header[2])} CEST" if header else line

    return [convert(line) for line in lines]


def no_speakers_word(lines: Lines) -> Lines:
    return [line for line in lines if line != "Speakers"]


def no_indents(lines: Lines) -> Lines:
    return [" ".join(line.split()) for line in lines]


def no_zones(lines: Lines) -> Lines:
    is_timed = re.compile(rf"{DATE.pattern}|{HEADER.pattern}")
    return [line.replace(" CEST", "") if is_timed.fullmatch(line) else line for line in lines]


def no_footer(lines: Lines) -> Lines:
    return lines[: lines.index("  • Filter By Date")]


@pytest.mark.parametrize(
    "changes",
    [
        [dates_once],
        [no_headers],
        [slot_headers],
        [twelve_hours],
        [no_indents],
        [no_zones],
        [no_footer],
        [dates_once, slot_headers],
        [dates_once, no_headers],
        [dates_once, no_zones],
        [dates_once, no_indents],
        [no_footer, no_indents],
        [dates_once, no_headers, no_speakers_word],
        [dates_once, slot_headers, twelve_hours, no_speakers_word],
        [dates_once, no_headers, no_speakers_word, no_footer],
    ],
    ids=lambda changes: " ".join(change.__name__ for change in changes),
)
def test_the_dump_says_the_same_in_every_layout(changes):
    expected = read(DUMP.encode())
    lines = DUMP.split("\n")
    for change in changes:
        lines = change(lines)
    source = read("\n".join(lines).encode())
    assert [replace(session, line=0) for session in source.sessions] == [
        replace(session, line=0) for session in expected.sessions
    ]
    assert source.speakers == expected.speakers
    assert source.conference == expected.conference
    assert {problem.code for problem in source.problems} <= {
        "year-differs",
        "name-differs",
        "room-shared",
    }


def test_a_dump_of_two_days():
    first = DUMP.split("  • Filter By Date")[0]
    programme = first[first.index("Wednesday, April 8") :]
    second = programme.replace("Wednesday April 8", "Thursday April 9")
    source = read((first + second.replace("Wednesday, April 8", "Thursday, April 9")).encode())
    assert len(source.sessions) == 124
    assert [session.starts_at.day for session in source.sessions] == [8] * 62 + [9] * 62
    assert len(source.speakers) == 78
    assert not source.has_errors

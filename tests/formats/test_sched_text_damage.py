"""Damaged, hostile and meaningless input: the reader returns, and says what it met where."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions_app.importers import read
from sessions_app.importers.problems import LIMIT_PER_CODE
from sessions_app.importers.sched_text.lines import MAX_BYTES, MAX_LINES
from sessions_app.records import Problem, Severity, Source

# Slow: the dump is damaged and read in hundreds of ways.
pytestmark = pytest.mark.slow

DUMP = Path(__file__).parents[2] / "fixtures" / "schedule_dump.txt"
DUMP_LINES = DUMP.read_text(encoding="utf-8").split("\n")


def problem(source: Source, code: str) -> Problem:
    (found,) = [item for item in source.problems if item.code == code]
    return found


def damaged(line: int, old: str, new: str) -> Source:
    """Read the dump with one change in one line."""
    lines = list(DUMP_LINES)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    return read("\n".join(lines).encode())


@pytest.mark.parametrize("data", [b"", b"  \n\n \t", b"\xef\xbb\xbf", b"\xef\xbb\xbf \r\n"])
def test_nothing_at_all(data):
    source = read(data)
    assert [(p.line, p.code, p.severity) for p in source.problems] == [(1, "empty", Severity.ERROR)]


def test_what_is_no_schedule_says_what_was_found_and_what_was_expected():
    source = read(b"\n\nDear diary,\ntoday nothing happened.\n")
    found = problem(source, "not-a-schedule")
    assert (found.line, found.severity) == (3, Severity.ERROR)
    assert "Dear diary," in found.message
    assert "Wednesday April 8, 2026 08:00 - 15:25 CEST" in found.message


def test_the_source_of_a_web_page_gets_a_hint():
    found = problem(read(b"<!DOCTYPE html>\n<title>Schedule</title>"), "not-a-schedule")
    assert found.message.endswith("Copy the text of the page, not its source.")


@pytest.mark.parametrize("data", [bytes(range(256)) * 40, b"\x89PNG\r\n\x1a\n" + b"\0" * 5000])
def test_binary_data_is_no_schedule(data):
    assert "not-a-schedule" in {item.code for item in read(data).problems}


def test_utf16_is_named():
    source = read("Wednesday".encode("utf-16"))
    assert [item.code for item in source.problems] == ["unsupported-encoding"]


def test_invalid_utf8_is_read_and_its_line_named():
    data = DUMP.read_bytes().replace(b"Founders Cafe", b"Founders Caf\xe9", 1)
    source = read(data)
    found = problem(source, "invalid-utf8")
    assert (found.line, found.severity) == (331, Severity.WARNING)
    assert "0xe9" in found.message
    assert len(source.sessions) == 62


def test_control_characters_are_read_as_spaces():
    source = read(DUMP.read_bytes().replace(b"Community Expo", b"Community\x00Expo"))
    assert source.sessions[1].title == "Community Expo"
    assert problem(source, "control-characters").line == 26


def test_files_beyond_all_measure_are_refused_at_once():
    assert [item.code for item in read(b"x" * (MAX_BYTES + 1)).problems] == ["too-large"]
    assert [item.code for item in read(b"x\n" * (MAX_LINES + 2)).problems] == ["too-large"]


@pytest.mark.parametrize(
    ("new", "code", "words"),
    [
        ("25:00 - 15:40", "impossible-time", "the time 25:00"),
        ("08:75 - 15:40", "impossible-time", "the time 08:75"),
        ("13:00pm - 15:40", "impossible-time", "the time 13:00pm"),
        ("08:00 - 07:40", "end-before-start", "2026-04-08 07:40"),
        ("08:00 - 08:00", "end-before-start", "not after the start"),
        ("08:00", "end-missing", "without an end"),
    ],
)
def test_impossible_times_are_errors_and_the_other_date_line_counts(new, code, words):
    source = damaged(27, "08:00 - 15:40", new)
    found = problem(source, code)
    assert (found.line, found.severity) == (27, Severity.ERROR)
    assert words in found.message
    assert "expected" in found.message
    assert len(source.sessions) == 62


def test_a_session_with_no_possible_time_is_left_out():
    text = "\n".join(DUMP_LINES).replace("08:00 - 15:40", "08:00 - 07:40")
    source = read(text.encode())
    assert [(p.line, p.code) for p in source.problems if p.severity is Severity.ERROR] == [
        (27, "end-before-start")
    ]
    assert len(source.sessions) == 61
    assert "Community Expo" not in {session.title for session in source.sessions}
    assert [session.order for session in source.sessions] == list(range(1, 62))


def test_an_impossible_day():
    text = "\n".join(DUMP_LINES).replace(
        "April 8, 2026 08:00 - 15:40", "April 31, 2026 08:00 - 15:40"
    )
    assert "day 31 in month 4 of 2026" in problem(read(text.encode()), "impossible-time").message


def test_a_wrong_weekday_and_a_wrong_header_are_warnings():
    source = damaged(17, "Wednesday", "Friday")
    assert problem(source, "weekday-differs").line == 17
    source = damaged(14, "08:00", "08:30")
    assert problem(source, "header-differs").line == 14
    assert len(source.sessions) == 62


def test_a_session_without_its_dates_names_the_line_of_its_header():
    lines = [line for number, line in enumerate(DUMP_LINES, start=1) if number not in {27, 30}]
    source = read("\n".join(lines).encode())
    found = problem(source, "date-missing")
    assert (found.line, found.severity) == (24, Severity.ERROR)
    assert "Community Expo" in found.message
    assert len(source.sessions) == 61


def test_a_session_without_its_second_date_line_is_still_read():
    lines = [line for number, line in enumerate(DUMP_LINES, start=1) if number != 48]
    source = read("\n".join(lines).encode())
    assert len(source.sessions) == 62
    assert source.sessions[2].room == "Master Stage"
    assert source.sessions[2].speakers == ("Matt White",)
    assert problem(source, "second-date-missing").line == 37


def test_a_session_without_its_first_date_line_is_still_read():
    lines = [line for number, line in enumerate(DUMP_LINES, start=1) if number != 37]
    source = read("\n".join(lines).encode())
    assert [replace(item, line=0) for item in source.sessions] == [
        replace(item, line=0) for item in read(DUMP.read_bytes()).sessions
    ]
    assert problem(source, "second-date-missing").line == 47


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (37, "April", "Aprl"),
        (48, "2026", "2O26"),
        (37, "09:00", "0x:00"),
        (48, "CEST", "C3ST"),
        (37, "Wednesday", "Wednesd:y"),
    ],
)
def test_a_mistyped_date_line_is_an_error_and_still_holds_its_place(line, old, new):
    source = damaged(line, old, new)
    found = problem(source, "impossible-time")
    assert (found.line, found.severity) == (line, Severity.ERROR)
    assert new in found.message
    assert source.sessions == read(DUMP.read_bytes()).sessions


@pytest.mark.parametrize(("old", "new"), [("CEST", ""), ("09:00", "0x:00"), ("CEST", "C ST")])
def test_a_mistyped_time_header_stays_out_of_the_title(old, new):
    source = damaged(34, old, new)
    assert [item.title for item in source.sessions] == [
        item.title for item in read(DUMP.read_bytes()).sessions
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("avatar for Matt White", "Avatar für Matt White"),
        ("avatar for Matt White", "avatar for Matt Whyte"),
        ("avatar for Matt White", "avtar for:Matt White"),
    ],
)
def test_a_mistyped_mark_still_begins_a_person(old, new):
    source = damaged(41, old, new)
    assert source.speakers == read(DUMP.read_bytes()).speakers


def test_dates_in_an_abstract_are_text():
    lines = list(DUMP_LINES)
    lines[38:38] = [
        "Wednesday April 8, 2026 12:00 - 13:00 CEST",
        "Monday, May 1, 9:00 - 17:00",
        "Tuesday, May 2",
    ]
    source = read("\n".join(lines).encode())
    assert len(source.sessions) == 62
    assert source.sessions[2].abstract.split("\n")[:3] == lines[38:41]


def test_noise_below_the_last_session_is_left_out():
    source = read("\n".join([*DUMP_LINES[:53], *["noise without end"] * 5000]).encode())
    assert len(source.sessions) == 3
    assert "stray-text" in {item.code for item in source.problems}


def test_a_session_without_a_title():
    lines = [line for number, line in enumerate(DUMP_LINES, start=1) if number != 26]
    source = read("\n".join(lines).encode())
    assert problem(source, "title-missing").line == 24
    assert len(source.sessions) == 61


def test_a_page_without_sessions():
    source = read("\n".join(DUMP_LINES[:13] + DUMP_LINES[1521:]).encode())
    assert problem(source, "no-sessions").severity is Severity.ERROR


def test_a_session_printed_twice_is_remarked_on():
    lines = DUMP_LINES[:33] + DUMP_LINES[23:]
    assert problem(read("\n".join(lines).encode()), "duplicate-session").line == 34


def test_many_problems_of_one_kind_are_counted_not_listed():
    source = read(b"\xff\n" * 1000)
    listed = [item for item in source.problems if item.code == "invalid-utf8"]
    assert len(listed) == LIMIT_PER_CODE
    assert "900 more" in problem(source, "problems-omitted").message


@given(st.text(max_size=400))
def test_any_text_returns(text):
    assert isinstance(read(text.encode(errors="surrogatepass")), Source)


@given(st.binary(max_size=400))
def test_any_bytes_return(data):
    assert isinstance(read(data), Source)


#: Pieces of which pages are made, and of which they are not.
PIECES = st.sampled_from(
    [
        *DUMP_LINES[:60],
        *DUMP_LINES[1500:],
        "9:35am CDT",
        "Monday May 1, 2017 9:35am - 10:05am CDT",
        "Thursday July 5, 2018 08:00 - Friday July 6, 2018 00:00",
        "Friday, November 20 • 5:55pm - 6:30pm",
        "Sunday October 25, 2026 02:15 - 04:00 CET",
        "Monday, May 1",
        "Speakers",
        "Moderators",
        "JD",
        "avatar for ",
        "avatar for J. Doe",
        "J. Doe",
        "Keynote: x - J. Doe, ",
        "x pdf",
        "... Read More →",
        "• ",
        "• Audience Level ",
        "\u00a0 ",
        "[clear filter]",
    ]
)


@given(st.lists(PIECES, max_size=40))
def test_any_order_of_the_pieces_returns(pieces):
    source = read("\n".join(pieces).encode())
    for session in source.sessions:
        assert session.title
        assert session.ends_at > session.starts_at


@st.composite
def mutations(draw: st.DrawFn) -> str:
    lines = list(DUMP_LINES)
    for _ in range(draw(st.integers(1, 6))):
        index = draw(st.integers(0, len(lines) - 1))
        kind = draw(st.sampled_from(["delete", "repeat", "swap", "replace", "cut", "blank"]))
        if kind == "delete":
            del lines[index : index + draw(st.integers(1, 30))]
        elif kind == "repeat":
            lines[index:index] = lines[index : index + draw(st.integers(1, 30))]
        elif kind == "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[index], lines[other] = lines[other], lines[index]
        elif kind == "replace":
            lines[index] = draw(st.text(max_size=30))
        elif kind == "cut":
            lines[index] = lines[index][: draw(st.integers(0, 40))]
        else:
            lines.insert(index, "")
    return "\n".join(lines)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(mutations())
def test_any_mutation_of_the_dump_returns_most_of_it(text):
    source = read(text.encode(errors="surrogatepass"))
    assert [session.order for session in source.sessions] == list(
        range(1, len(source.sessions) + 1)
    )
    known = {speaker.name for speaker in source.speakers}
    for session in source.sessions:
        assert session.title
        assert session.ends_at > session.starts_at
        assert known.issuperset(session.speakers)
        assert set(session.moderators) <= set(session.speakers)


NOISE = """
import os, resource, sys
from sessions_app.importers import read
resource.setrlimit(resource.RLIMIT_AS, (500_000_000, 500_000_000))
# Of the processor, not of the clock: what else the machine does must not decide.
resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
noise = {
    "bytes": lambda: os.urandom(31_000_000),
    "words": lambda: (b"some words of no use, 10:00 and so on, " * 2 + b"\\n") * 290_000,
    "beyond the bounds": lambda: os.urandom(50_000_000),
}[sys.argv[1]]()
assert [problem.severity for problem in read(noise).problems].count("error") == 1
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bytes", "words", "beyond the bounds"])
def test_megabytes_of_noise_take_less_than_ten_seconds_and_500_megabytes(kind):
    subprocess.run(
        [sys.executable, "-c", NOISE, kind], check=True, timeout=300, cwd=DUMP.parents[1]
    )

"""The command ``read_schedule``: exit codes, both formats, and what it does with odd files."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sessions_app.importers import read
from sessions_app.importers.problems import Code
from sessions_app.importers.report import as_json, summary

ROOT = Path(__file__).parents[2]
DUMP = ROOT / "fixtures" / "schedule_dump.txt"
FORMATS = (ROOT / "docs" / "data-formats.md").read_text(encoding="utf-8")


def run(*args: str) -> tuple[int, str]:
    """Run the command; return its exit code and what it printed."""
    out = io.StringIO()
    try:
        call_command("read_schedule", *args, stdout=out)
    except CommandError as error:
        return error.returncode, str(error)
    except SystemExit as exit_:
        return int(exit_.code or 0), out.getvalue()
    return 0, out.getvalue()


def test_json_of_the_dump():
    code, printed = run(str(DUMP), "--format", "json")
    result = json.loads(printed)
    assert code == 0
    assert result == as_json(read(DUMP.read_bytes()))
    assert list(result) == [
        "conference",
        "rooms",
        "tracks",
        "levels",
        "speakers",
        "sessions",
        "problems",
    ]
    assert result["conference"]["starts_on"] == "2026-04-07"
    assert result["tracks"][9:11] == [
        {"name": "Poster Presentations", "parent": None},
        {"name": "Applications & Case Studies", "parent": "Poster Presentations"},
    ]
    assert result["sessions"][2] == {
        "order": 3,
        "line": 34,
        "title": "PyTorch CTO",
        "source_title": "Keynote: PyTorch CTO - Matt White, Global CTO of AI, Linux Foundation",
        "kind": "keynote",
        "is_sponsored": False,
        "starts_at": "2026-04-08T09:00:00+02:00",
        "ends_at": "2026-04-08T09:10:00+02:00",
        "room": "Master Stage",
        "tracks": [{"name": "Keynote Sessions", "parent": None}],
        "levels": ["Any"],
        "speakers": ["Matt White"],
        "moderators": [],
        "slides": [{"name": "1. Matt White", "file_type": "pdf"}],
        "has_slides_tag": True,
        "abstract": (
            "Matt White, Global CTO of AI and CTO at PyTorch Foundation will provide an update on "
            "technical strategy, ecosystem and projects and working groups"
        ),
    }
    assert result["problems"][0]["severity"] == "warning"


def test_the_summary_counts_and_lists_problems_with_their_lines():
    code, printed = run(str(DUMP))
    assert code == 0
    assert "PyTorch Conference Europe 2026" in printed
    assert "Paris, France, 2026-04-07 to 2026-04-08, Europe/Paris" in printed
    assert "78 speakers in 87 places" in printed
    assert "26 lightning_talk" in printed
    assert "0 error(s), 1 warning(s), 8 remark(s)" in printed
    assert "line 2: warning [year-differs] The banner says 2025" in printed


def test_errors_give_exit_code_one_in_both_formats(tmp_path):
    file = tmp_path / "diary.txt"
    file.write_text("Dear diary", encoding="utf-8")
    code, printed = run(str(file))
    assert code == 1
    assert "line 1: error [not-a-schedule]" in printed
    code, printed = run(str(file), "--format=json")
    assert code == 1
    assert json.loads(printed)["problems"][0]["code"] == "not-a-schedule"


def test_a_given_zone(tmp_path):
    code, printed = run(str(DUMP), "--timezone", "europe/berlin", "--format=json")
    assert code == 0
    assert json.loads(printed)["conference"]["timezone"] == "Europe/Berlin"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["/no/such/file"], "No such file"),
        ([str(ROOT)], "Is a directory"),
        (["\0"], "Cannot read"),
        ([str(DUMP), "--timezone", "Mars/Olympus"], "no IANA time zone"),
        ([str(DUMP), "--timezone", ""], "no IANA time zone"),
        ([str(DUMP), "--timezone", "../../etc/passwd"], "no IANA time zone"),
        ([str(DUMP), "--format", "xml"], "invalid choice"),
        ([], "required"),
    ],
)
def test_wrong_usage_gives_exit_code_two(args, words):
    with pytest.raises(CommandError, match=re.escape(words)) as caught:
        call_command("read_schedule", *args, stdout=io.StringIO())
    if "choice" not in words and "required" not in words:  # argparse exits with 2 by itself
        assert caught.value.returncode == 2


def test_an_unreadable_file(tmp_path, monkeypatch):
    file = tmp_path / "secret.txt"
    file.touch()

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert run(str(file)) == (2, f"Cannot read {file}: Permission denied.")


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DUMP.read_bytes())))
    code, printed = run("-")
    assert code == 0
    assert "62 sessions" in printed


@pytest.mark.parametrize("format_", ["json", "summary"])
def test_a_terminal_without_unicode(monkeypatch, format_):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    code, printed = run(str(DUMP), "--format", format_)
    assert code == 0
    assert printed.isascii()


def test_a_summary_of_nothing():
    assert "1 error(s)" in summary(read(b""))


def test_every_code_is_documented_with_its_severity():
    for member in Code:
        assert f"| `{member.code}` | {member.severity} |" in FORMATS, member.code


def test_every_documented_code_exists():
    documented = set(
        re.findall(r"^\| `([a-z0-9-]+)` \| (?:remark|warning|error) \|", FORMATS, re.M)
    )
    assert documented == {member.code for member in Code}


def test_every_code_is_in_use():
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "sessions_app" / "importers").rglob("*.py")
    )
    assert [member.name for member in Code if f"Code.{member.name}" not in sources] == []


def test_every_key_of_the_json_is_documented():
    result = as_json(read(DUMP.read_bytes()))
    keys = {key for name in ("speakers", "sessions", "problems") for key in result[name][0]}
    keys |= set(result) | set(result["conference"])
    assert [key for key in sorted(keys) if f"`{key}`" not in FORMATS] == []

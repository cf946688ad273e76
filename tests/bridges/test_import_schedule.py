"""The command ``import_schedule``: what it says, what it writes, how it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from confsched.models import Conference
from sessions_app.models import Session
from sessions_app.publish import publishing
from tests.factories import make_conference
from tests.sources import everything

# Slow: each works through the whole dump.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
DUMP = ROOT / "fixtures" / "schedule_dump.txt"
SLUG = "pytorch-conference-europe-2026"


def run(*arguments):
    """Run the command; return its exit code."""
    try:
        call_command("import_schedule", *map(str, arguments))
    except SystemExit as exit_:
        return exit_.code
    except CommandError as error:
        return error.returncode
    return 0


@pytest.fixture
def edited(tmp_path):
    """Return a function that writes the dump with replacements and returns its path."""

    def write(*replacements):
        text = DUMP.read_text(encoding="utf-8")
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "edited.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_dump_becomes_a_conference(capsys):
    assert run(DUMP) == 0

    conference = Conference.objects.get()
    assert (conference.slug, conference.revision) == (SLUG, 1)
    assert conference.sessions.count() == 62
    out = capsys.readouterr().out
    assert "New conference “PyTorch Conference Europe 2026”" in out
    assert "    62 sessions to add" in out
    assert f"Loaded: /{SLUG}/ stands at revision 1." in out


def test_a_dry_run_writes_nothing(capsys):
    assert run(DUMP, "--dry-run") == 0
    assert Conference.objects.count() == 0
    assert "Nothing was written: this was a dry run." in capsys.readouterr().out


def test_a_second_run_changes_nothing(demo, capsys):
    before = everything(demo)
    assert run(DUMP) == 0

    assert everything(demo) == before
    assert "nothing to do" in capsys.readouterr().out


def test_it_says_what_changes_and_what_was_kept(demo, edited, capsys):
    session = Session.objects.get(title="Community Expo")
    with publishing(by="ada"):
        session.abstract = "Come\nand see."
        session.save()
    path = edited(("Registration & Badge Pick-Up", "Registration & Badges"))
    assert run(path, "--conference", SLUG) == 0

    lines = capsys.readouterr().out.splitlines()
    plan = lines[lines.index(f"Conference “PyTorch Conference Europe 2026” ({SLUG})") :]
    assert plan == [
        f"Conference “PyTorch Conference Europe 2026” ({SLUG})",
        "     1 session to add",
        "     1 session kept as changed by hand",
        "     1 session gone from the source, to cancel",
        "Add session “Registration & Badges”",
        "Keep session “Community Expo”",
        "    abstract: kept “Come and see.”, changed by hand (the source says “”)",
        "Cancel session “Registration & Badge Pick-Up”",
        "    status: “published” → “cancelled”",
        f"Loaded: /{SLUG}/ stands at revision 3.",
    ]
    demo.refresh_from_db()
    assert set(demo.changes.values_list("field", "by")) == {
        ("abstract", "ada"),
        ("added", "import of edited.txt"),
        ("status", "import of edited.txt"),
    }


def test_it_loads_into_the_conference_that_is_named():
    make_conference("Other Days", slug="other")
    assert run(DUMP, "--conference", "other") == 0

    assert Conference.objects.get().sessions.count() == 62


def test_an_old_slug_names_a_conference_too(demo):
    demo.slug = "renamed"
    demo.save()

    assert run(DUMP, "--conference", SLUG) == 0
    assert list(Conference.objects.values_list("slug", flat=True)) == ["renamed"]


def test_an_unknown_conference_is_wrong_usage(demo):
    with pytest.raises(CommandError, match=f"no conference “typo”; known: {SLUG}") as error:
        call_command("import_schedule", str(DUMP), "--conference", "typo")

    assert error.value.returncode == 2


@pytest.mark.parametrize(
    "arguments", [("/no/such/file",), (DUMP, "--timezone", "Mars/Olympus"), (DUMP.parent,)]
)
def test_wrong_usage_ends_with_2(arguments):
    assert run(*arguments) == 2


def test_a_source_with_errors_ends_with_1_and_writes_nothing(demo, edited, capsys):
    before = everything(demo)
    path = edited(("April 8, 2026 08:00 - 15:25", "April 8, 2026 18:00 - 15:25"))
    assert run(path) == 1

    assert everything(demo) == before
    err = capsys.readouterr().err
    assert "error [end-before-start]" in err
    assert "Nothing was written" in err


def test_a_file_that_does_not_name_its_conference_needs_to_be_told(edited, capsys):
    path = edited(("registered for PyTorch Conference Europe 2026 to", "registered to"))
    assert run(path) == 1
    assert "conference-unnamed" in capsys.readouterr().err

    make_conference("PyTorch", slug="pytorch")
    assert run(path, "--conference", "pytorch") == 0


def test_a_zone_in_doubt_is_that_of_the_conference(edited):
    path = edited(("Paris, France", ""), ("CEST", "IST"))
    assert run(path) == 1

    make_conference("PyTorch Conference Europe 2026", slug="mine", timezone="Europe/Dublin")
    assert run(path, "--conference", "mine") == 0
    assert Session.objects.get(title="Community Expo").starts_at.hour == 7


@pytest.mark.slow
def test_killed_half_way_it_leaves_the_database_as_it_was(tmp_path):
    database = tmp_path / "db.sqlite3"
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{database}",
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "confsched.settings",
    }
    script = """
import django, os, signal
django.setup()
from django.core.management import call_command
from sessions_app.loader import write
from sessions_app.models import Session
{patch}
call_command("migrate", verbosity=0)
call_command("import_schedule", "fixtures/schedule_dump.txt")
"""
    patch = """
def killed(pairs, state):
    assert Session.objects.count() == 62
    os.kill(os.getpid(), signal.SIGKILL)
write.write_links = killed
"""

    def python(code):
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
        )

    assert python(script.format(patch=patch)).returncode == -signal.SIGKILL
    count = "import django; django.setup()\nfrom confsched.models import Conference\n"
    count += "print(Conference.objects.count())"
    assert python(count).stdout == "0\n"
    assert python(script.format(patch="")).returncode == 0
    assert python(count).stdout == "1\n"

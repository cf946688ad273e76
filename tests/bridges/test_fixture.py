"""The fixture: the dump's twin, byte for byte, and a whole site by itself."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from confsched.models import Conference
from sessions_app.importers import read
from sessions_app.management.commands import make_fixture
from sessions_app.models import Session
from sessions_app.publish import publishing
from sessions_app.snapshot import current_schedule
from tests.factories import make_conference, make_session
from tests.sources import as_source, without_lines

# Slow: each works through the whole dump.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FOLDER = Path(__file__).parents[2] / "fixtures"
DUMP = FOLDER / "schedule_dump.txt"
FIXTURE = FOLDER / "pytorch-conference-europe-2026.json"


def by_name(source):
    return replace(source, speakers=tuple(sorted(source.speakers, key=lambda each: each.name)))


def test_the_fixture_agrees_with_the_dump_and_nobodys_data_are_touched(tmp_path):
    make_session(make_conference(slug="pytorch-conference-europe-2026"))
    before = list(Conference.objects.values()), list(Session.objects.values())
    made = tmp_path / "made.json"
    call_command("make_fixture", str(DUMP), "-o", str(made))

    assert made.read_bytes() == FIXTURE.read_bytes()
    assert (list(Conference.objects.values()), list(Session.objects.values())) == before


def test_loaddata_alone_gives_what_the_dump_says(demo):
    schedule = current_schedule("pytorch-conference-europe-2026")

    # A fixture is sorted, so that it tells nothing of the order in which people were met.
    assert by_name(as_source(schedule)) == by_name(without_lines(read(DUMP.read_bytes())))
    assert schedule.key.revision == 1
    assert schedule.key.revised_at is not None
    assert schedule.changes == ()


def test_a_loaded_fixture_counts_as_published(demo):
    with publishing(demo, by="nobody"):
        pass

    demo.refresh_from_db()
    assert demo.revision == 1
    assert demo.changes.count() == 0


def test_importing_the_dump_over_the_fixture_changes_nothing(demo, capsys):
    call_command("import_schedule", str(DUMP))

    demo.refresh_from_db()
    assert demo.revision == 1
    assert "nothing to do" in capsys.readouterr().out


def test_no_key_of_the_database_is_in_it():
    for row in json.loads(FIXTURE.read_text(encoding="utf-8")):
        assert set(row) == {"model", "fields"}


def test_a_broken_source_makes_no_fixture(tmp_path, capsys):
    source, out = tmp_path / "broken.txt", tmp_path / "out.json"
    source.write_text("nothing of a schedule", encoding="utf-8")
    with pytest.raises(SystemExit) as exit_:
        call_command("make_fixture", str(source), "-o", str(out))

    assert exit_.value.code == 1
    assert not out.exists()
    assert "Nothing was written" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_wrong_usage(tmp_path, monkeypatch):
    monkeypatch.setattr(make_fixture, "fixture_of", lambda source: "[]")
    with pytest.raises(CommandError, match="Cannot write") as error:
        call_command("make_fixture", str(DUMP), "-o", str(tmp_path / "no" / "out.json"))

    assert error.value.returncode == 2


def test_it_can_go_to_standard_output(capsys, monkeypatch):
    monkeypatch.setattr(make_fixture, "fixture_of", lambda source: "[é]\n")
    call_command("make_fixture", str(DUMP), "-o", "-")

    assert capsys.readouterr().out == "[é]\n"

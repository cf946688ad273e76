"""The rules of the house: what every change has to keep."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.core.management import call_command, get_commands
from django.urls import URLPattern, URLResolver, get_resolver

ROOT = Path(__file__).parents[2]


def tracked(*patterns: str) -> list[Path]:
    """Return the project's own files that match, migrations and vendored files left out."""
    found = [path for pattern in patterns for path in ROOT.glob(pattern)]
    skipped = {".venv", "var", "migrations", ".git"}
    return [path for path in found if not skipped & set(path.relative_to(ROOT).parts)]


PYTHON = tracked("confsched/**/*.py", "sessions_app/**/*.py", "speakers/**/*.py", "bench/**/*.py")
TESTS = tracked("tests/**/*.py")
TEMPLATES = tracked("templates/**/*.html")
DOCS = "\n".join(path.read_text() for path in [*tracked("docs/*.md"), ROOT / "README.md"])


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def names(patterns: Iterable[URLPattern | URLResolver]) -> set[str]:
    found: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            found |= {pattern.name} if pattern.name else set()
        elif pattern.app_name != "admin":
            found |= names(pattern.url_patterns)
    return found


def test_every_url_name_is_documented() -> None:
    assert {name for name in names(get_resolver().url_patterns) if f"`{name}`" not in DOCS} == set()


def test_every_command_is_documented() -> None:
    ours = {"confsched", "sessions_app", "speakers", "sessions_app.agenda"}
    commands = {name for name, app in get_commands().items() if app in ours}
    assert {name for name in commands if name not in DOCS} == set()


def test_every_variable_of_the_environment_is_documented_and_the_other_way_round() -> None:
    settings = (ROOT / "confsched/settings.py").read_text()
    server = (ROOT / "gunicorn.conf.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings))
    read |= set(re.findall(r'environ\.get\(["\']([A-Z_]+)["\']\)', server))
    table = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/deployment.md").read_text(), re.M))
    assert read == table


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_have_no_inline_style_script_or_handler(path: Path) -> None:
    found = re.findall(
        r'\sstyle="|\son[a-z]+="|<style|<script>|<script(?![^>]*\ssrc=)', path.read_text()
    )
    assert found == []


@pytest.mark.parametrize("path", [*PYTHON, *TESTS], ids=lambda path: str(path.relative_to(ROOT)))
def test_every_exception_from_a_check_gives_its_reason(path: Path) -> None:
    marks = re.findall(
        r"#\s*(?:noqa|type:\s*ignore|pragma:)[^#\n]*(#[^\n]*)?$", path.read_text(), re.MULTILINE
    )
    if path in TESTS:
        marks = [mark for mark in marks if mark]  # in tests the types of test data are obvious
    assert [mark for mark in marks if not mark] == []


def test_modules_say_their_purpose() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in [*PYTHON, *TESTS]
        if path.stat().st_size
        and not path.read_text().removeprefix("#!/usr/bin/env python\n").startswith('"""')
    ]
    assert silent == []


def test_vendored_files_have_their_licences_beside_them() -> None:
    assert (ROOT / "static/fonts/OFL.txt").read_text().startswith("Copyright")
    assert "ISC License" in (ROOT / "static/icons/LICENSE.txt").read_text()


def manage(*arguments: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(folder),
        "SITE_URL": "https://schedule.example.org",
        **variables,
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_deployment_check_is_clean_for_an_https_address(tmp_path: Path) -> None:
    result = manage("check", "--deploy", "--fail-level", "WARNING", folder=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.slow
def test_static_files_can_be_collected_under_production_settings(tmp_path: Path) -> None:
    result = manage("collectstatic", "--noinput", "--verbosity", "0", folder=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    collected = tmp_path / "static"
    assert len(list(collected.glob("css/site.*.css"))) == 1
    assert len(list(collected.glob("css/site.*.css.br"))) == 1
    # The font's address inside the style sheet is hashed too.
    sheet = next(collected.glob("css/site.*.css")).read_text()
    assert re.search(r"atkinson-hyperlegible-next\.[0-9a-f]{12}\.woff2", sheet)
    # The colours are part of it: nobody fetches them apart.
    assert "@import" not in sheet
    assert "--bg:" in sheet


@pytest.mark.slow
def test_keys_are_made_once_and_readable_by_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert manage("check", folder=folder).returncode == 0
    first = {name: (folder / name).read_text() for name in ("secret-key", "agenda-key")}
    assert manage("check", folder=folder).returncode == 0
    assert {name: (folder / name).read_text() for name in first} == first
    assert first["secret-key"] != first["agenda-key"]
    assert {oct((folder / name).stat().st_mode & 0o777) for name in first} == {"0o600"}


@pytest.mark.slow
def test_the_import_contracts_hold() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-logo"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout

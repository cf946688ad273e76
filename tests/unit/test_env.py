"""Strict readers of the environment."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from confsched.env import Environment


@pytest.mark.parametrize(("value", "expected"), [("yes", True), ("0", False), ("", True)])
def test_flags(value: str, expected: bool) -> None:
    assert Environment({"X": value}).flag("X", default=True) is expected


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda env: env.flag("X", default=False), "X is 'maybe'; expected yes or no."),
        (
            lambda env: env.number("X", 1, least=1, most=9),
            "X is 'maybe'; expected a whole number from 1 to 9.",
        ),
        (lambda env: env.choice("X", "A", ("A", "B")), "X is 'maybe'; expected one of A, B."),
        (
            lambda env: env.site_url("X", "", allows_plain_http=False),
            "X is 'maybe'; expected an address such as https://schedule.example.org.",
        ),
    ],
)
def test_what_is_refused_names_variable_found_and_expected(read: object, message: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        read(Environment({"X": "maybe"}))  # type: ignore[operator]
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://Schedule.Example.org/", "https://schedule.example.org"),
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000"),
        ("http://localhost", "http://localhost"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_site_addresses(value: str, expected: str) -> None:
    assert Environment({"X": value}).site_url("X", "", allows_plain_http=False) == expected


@pytest.mark.parametrize(
    "value",
    ["http://example.org", "https://", "https://u:p@a.org", "https://a.org/path", "ftp://a.org",
     "https://a.org:99999", "https://ä.org"],
)  # fmt: skip
def test_addresses_that_would_lie_are_refused(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="X is "):
        Environment({"X": value}).site_url("X", "", allows_plain_http=False)


def test_plain_http_elsewhere_has_to_be_meant() -> None:
    env = Environment({"X": "http://hall.example"})
    assert env.site_url("X", "", allows_plain_http=True) == "http://hall.example"


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from the file\n")
    assert Environment({"X_FILE": str(file)}).secret("X") == "from the file"
    with pytest.raises(ImproperlyConfigured, match="X and X_FILE are both set"):
        Environment({"X": "a", "X_FILE": str(file)}).secret("X")
    with pytest.raises(ImproperlyConfigured, match="X_FILE is"):
        Environment({"X_FILE": str(tmp_path / "missing")}).secret("X")


def test_a_short_or_default_key_is_no_secret(tmp_path: Path) -> None:
    for value in ("short", "django-insecure-" + "x" * 40):
        with pytest.raises(ImproperlyConfigured, match="X is no secret"):
            Environment({"X": value}).key("X", tmp_path / "key")


def test_databases_are_sqlite_or_postgresql(tmp_path: Path) -> None:
    file = tmp_path / "db"
    sqlite = Environment({}).database("X", file)
    assert (sqlite["ENGINE"], sqlite["NAME"]) == ("django.db.backends.sqlite3", str(file))
    assert sqlite["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    postgres = Environment({"X": "postgres://u:p@h/n"}).database("X", file)
    assert (postgres["ENGINE"], postgres["CONN_MAX_AGE"]) == ("django.db.backends.postgresql", None)
    with pytest.raises(ImproperlyConfigured) as caught:
        Environment({"X": "mysql://u:secret@h/n"}).database("X", file)
    assert "secret" not in str(caught.value)

"""Strict readers for environment variables.

Each reader names the variable, what was found and what was expected when it refuses a value: a
misspelt setting stops the start instead of being guessed at. For secrets ``NAME_FILE`` may name a
file that holds the value, as container platforms mount them.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

YES = frozenset({"1", "yes", "true", "on"})
NO = frozenset({"0", "no", "false", "off"})
#: Keys shorter than this are no keys.
SHORTEST_KEY = 32


def refuse(name: str, found: object, expected: str) -> ImproperlyConfigured:
    """Return the error for a variable whose value does not do."""
    return ImproperlyConfigured(f"{name} is {found!r}; expected {expected}.")


def is_loopback(host: str) -> bool:
    """Return whether a host name or address means this very machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class Environment:
    """The variables of one process. An empty value counts as not set."""

    def __init__(self, variables: Mapping[str, str] = os.environ) -> None:
        """Read from these variables."""
        self.variables = variables

    def text(self, name: str, default: str = "") -> str:
        """Return the value, whitespace around it removed."""
        return self.variables.get(name, "").strip() or default

    def flag(self, name: str, default: bool) -> bool:
        """Return yes or no as a truth value."""
        value = self.text(name).lower()
        if not value:
            return default
        if value in YES or value in NO:
            return value in YES
        raise refuse(name, value, "yes or no")

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        """Return a whole number within bounds."""
        value = self.text(name)
        if not value:
            return default
        if value.isascii() and value.isdigit() and least <= int(value) <= most:
            return int(value)
        raise refuse(name, value, f"a whole number from {least} to {most}")

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        """Return one of the choices, whatever case it was written in."""
        value = self.text(name)
        for choice in choices:
            if (value or default).lower() == choice.lower():
                return choice
        raise refuse(name, value, f"one of {', '.join(choices)}")

    def path(self, name: str, default: Path) -> Path:
        """Return a folder or file as an absolute path; relative ones count from where we are."""
        value = self.text(name)
        return Path(value).expanduser().absolute() if value else default

    def hosts(self, name: str) -> list[str]:
        """Return host names, separated by commas, without schemes and ports."""
        hosts = [host.strip().lower() for host in self.text(name).split(",") if host.strip()]
        for host in hosts:
            is_address = host.startswith("[") and host.endswith("]")
            if not is_address and any(c in host for c in ":/ *@"):
                raise refuse(name, host, "names such as schedule.example.org, without port")
        return hosts

    def secret(self, name: str) -> str | None:
        """Return a secret from NAME or from the file that NAME_FILE names, or None."""
        value, file = self.text(name), self.text(f"{name}_FILE")
        if value and file:
            raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; expected one.")
        if not file:
            return value or None
        try:
            value = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise refuse(f"{name}_FILE", file, f"a readable text file ({error})") from error
        if not value:
            raise refuse(f"{name}_FILE", file, "a file that is not empty")
        return value

    def key(self, name: str, path: Path) -> str:
        """Return a secret key: from NAME, NAME_FILE, or ``path``, where it is made if missing."""
        key = self.secret(name)
        if key is None:
            key = read_or_make_key(name, path)
        if len(key) < SHORTEST_KEY or key.startswith("django-insecure-"):
            raise ImproperlyConfigured(
                f"{name} is no secret; expected at least {SHORTEST_KEY} random characters."
            )
        return key

    def site_url(self, name: str, default: str, *, allows_plain_http: bool) -> str:
        """Return the site's public address: scheme, host and perhaps port, no slash at its end.

        Plain http is for this machine, or where an operator said that they mean it.
        """
        value = self.text(name, default).rstrip("/")
        expected = "an address such as https://schedule.example.org"
        try:
            parts = urlsplit(value)
            host, _ = parts.hostname or "", parts.port
        except ValueError as error:
            raise refuse(name, value, expected) from error
        if value != f"{parts.scheme}://{parts.netloc}" or not host or "@" in parts.netloc:
            raise refuse(name, value, expected)
        if parts.scheme not in ("http", "https") or not value.isascii() or " " in value:
            raise refuse(name, value, expected)
        if parts.scheme == "http" and not is_loopback(host) and not allows_plain_http:
            raise refuse(
                name,
                value,
                "https; plain http is for this machine (http://127.0.0.1:8000). "
                "ALLOW_PLAIN_HTTP=yes permits it elsewhere",
            )
        return value.lower()

    def database(self, name: str, default: Path) -> dict[str, Any]:
        """Return Django's settings for the database at an address, else for a SQLite file."""
        url = self.secret(name) or f"sqlite:///{default}"
        scheme = urlsplit(url).scheme
        if scheme not in ("sqlite", "postgres", "postgresql"):
            shown = f"{scheme}:…" if scheme else "no address"
            raise refuse(name, shown, "sqlite:////path/file or postgres://user@host/name")
        try:
            config: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=None))
        except (ValueError, KeyError) as error:
            raise refuse(name, f"{scheme}:…", "an address that can be read") from error
        if scheme == "sqlite":
            config["OPTIONS"] = {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            }
        else:
            config["CONN_HEALTH_CHECKS"] = True
        return config


def read_or_make_key(name: str, path: Path) -> str:
    """Return the key in a file; make one first, readable by its owner alone, if there is none.

    Safe between processes: the file appears whole or not at all, and the first one stays.
    """
    try:
        if not path.exists():
            _make_key(path)
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(
            f"{name} cannot be kept in {path} ({error}); "
            f"expected a DATA_DIR that can be written, or {name} or {name}_FILE set."
        ) from error


def _make_key(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
        os.link(draft, path)  # unlike a rename, it fails where another process was first
    except FileExistsError:
        pass
    finally:
        Path(draft).unlink()

"""Read the text of a schedule page and show what is in it; writes nothing."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from sessions_app import importers, timezones
from sessions_app.importers.report import as_json, summary
from sessions_app.importers.sched_text.lines import MAX_BYTES


def zone_argument(name: str) -> str:
    """Return the IANA zone meant by a ``--timezone`` argument; CommandError (2) for none."""
    zone = timezones.find_zone(name)
    if zone is None:
        raise CommandError(
            f"--timezone: “{name}” is no IANA time zone; expected a name such as Europe/Paris.",
            returncode=2,
        )
    return zone


def read_file(name: str) -> bytes:
    """Return the bytes of a file ("-": standard input), no more than an importer looks at.

    Raises CommandError with exit code 2 where the file cannot be read.
    """
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"Cannot read {name}: {reason}.", returncode=2) from error


class Command(BaseCommand):
    """``manage.py read_schedule FILE [--timezone ZONE] [--format json|summary]``.

    Exit code 0 where a schedule was read, 1 with at least one error among the problems, 2 for
    wrong usage, an unreadable file included.
    """

    help = "Reads the text of a Sched page and shows what is in it. Writes nothing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("file", help="The text file; - for standard input.")
        parser.add_argument(
            "--timezone",
            type=str,
            help="The IANA zone in which to read the times, e.g. Europe/Paris. "
            "Needed only where place and abbreviation leave doubt.",
        )
        parser.add_argument(
            "--format",
            choices=["summary", "json"],
            default="summary",
            help="A summary for people (the default), or everything as JSON.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read the file and print what was found; exits with 1 if there were errors."""
        zone = zone_argument(options["timezone"]) if options["timezone"] is not None else None
        source = importers.read(read_file(options["file"]), timezone=zone)
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        if options["format"] == "json":
            is_unicode = encoding.lower().startswith("utf")
            printed = json.dumps(as_json(source), ensure_ascii=not is_unicode, indent=2)
        else:
            printed = summary(source).encode(encoding, "replace").decode(encoding)
        self.stdout.write(printed)
        if source.has_errors:
            sys.exit(1)

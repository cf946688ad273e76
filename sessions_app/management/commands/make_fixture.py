"""Make a Django fixture of a schedule page's text: ``loaddata`` alone then gives the whole site."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from sessions_app import importers
from sessions_app.fixture import fixture_of
from sessions_app.importers.report import summary
from sessions_app.loader import LoadError
from sessions_app.management.commands.read_schedule import read_file, zone_argument


class Command(BaseCommand):
    """``manage.py make_fixture FILE -o OUT [--timezone ZONE]``.

    Exit code 0, 1 if the source has errors (nothing was written), 2 for wrong usage.
    """

    help = "Makes a Django fixture of the text of a Sched page. Does not touch the database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("file", help="The text file; - for standard input.")
        parser.add_argument(
            "-o",
            "--output",
            required=True,
            metavar="OUT",
            help="The fixture; - for standard output.",
        )
        parser.add_argument(
            "--timezone",
            metavar="ZONE",
            help="The IANA zone in which to read the times, e.g. Europe/Paris. "
            "Needed only where place and abbreviation leave doubt.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, make and write; exits with 1 if there were errors."""
        zone = zone_argument(options["timezone"]) if options["timezone"] is not None else None
        source = importers.read(read_file(options["file"]), timezone=zone)
        try:
            text = fixture_of(source)
        except LoadError as error:
            self.stderr.write(summary(source) if source.has_errors else str(error))
            self.stderr.write("Nothing was written: the errors above have to be mended first.")
            sys.exit(1)
        self._write(text, options["output"])

    def _write(self, text: str, name: str) -> None:
        if name == "-":
            self.stdout.write(text, ending="")
            return
        try:
            Path(name).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise CommandError(f"Cannot write {name}: {error.strerror}.", returncode=2) from error

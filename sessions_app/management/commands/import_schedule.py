"""Load the text of a schedule page into the database, after saying what that changes."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from confsched.models import Conference
from sessions_app import importers, loader
from sessions_app.management.commands.read_schedule import read_file, zone_argument
from sessions_app.records import Problem, Severity, Source
from sessions_app.snapshot import renamed_conference


class Command(BaseCommand):
    """``manage.py import_schedule FILE [--conference SLUG] [--timezone ZONE] [--dry-run]``.

    Exit code 0, 1 if the source has errors (nothing was written), 2 for wrong usage.
    """

    help = (
        "Loads the text of a Sched page. Sessions are added, changed, or cancelled where they are "
        "gone; what somebody changed by hand is kept. All or nothing; a second run changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("file", help="The text file; - for standard input.")
        parser.add_argument(
            "--conference",
            metavar="SLUG",
            help="The conference to load into. Without it: the one of the name that the file "
            "prints, else a new one.",
        )
        parser.add_argument(
            "--timezone",
            metavar="ZONE",
            help="The IANA zone in which to read the times, e.g. Europe/Paris. "
            "Needed only where place and abbreviation leave doubt.",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="Only say what would change; write nothing."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Plan, say so, and apply; exits with 1 if there were errors."""
        zone = zone_argument(options["timezone"]) if options["timezone"] is not None else None
        slug = options["conference"]
        conference = _conference(slug) if slug is not None else None
        source = _read(read_file(options["file"]), zone, conference)
        if conference is None:
            conference = loader.find_conference(source)
        plan = loader.plan(source, conference)
        self._tell(plan, is_dry_run=options["dry_run"])
        if plan.has_errors:
            sys.exit(1)
        if not options["dry_run"]:
            self._apply(plan, f"import of {Path(options['file']).name}")

    def _tell(self, plan: loader.Plan, *, is_dry_run: bool) -> None:
        for problem in (*plan.source.problems, *plan.problems):
            self._tell_problem(problem)
        if plan.has_errors:
            self.stderr.write("Nothing was written: the errors above have to be mended first.")
            return
        for line in plan.lines():
            self.stdout.write(line)
        if is_dry_run:
            self.stdout.write("Nothing was written: this was a dry run.")

    def _tell_problem(self, problem: Problem) -> None:
        out = self.stderr if problem.severity is Severity.ERROR else self.stdout
        place = f"line {problem.line}: " if problem.line else ""
        out.write(f"{place}{problem.severity} [{problem.code}] {problem.message}")

    def _apply(self, plan: loader.Plan, by: str) -> None:
        try:
            conference = loader.apply(plan, by=by)
        except loader.LoadError as error:
            for problem in error.problems:
                self._tell_problem(problem)
            self.stderr.write("Nothing was written: the errors above have to be mended first.")
            sys.exit(1)
        address = conference.get_absolute_url()
        self.stdout.write(f"Loaded: {address} stands at revision {conference.revision}.")


def _conference(slug: str) -> Conference:
    """Return the conference with this slug, an old one too; CommandError (2) if there is none."""
    found = Conference.objects.filter(slug__in=[slug, renamed_conference(slug) or slug]).first()
    if found is None:
        known = ", ".join(Conference.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(
            f"--conference: there is no conference “{slug}”; known: {known}.", returncode=2
        )
    return found


def _read(data: bytes, zone: str | None, conference: Conference | None) -> Source:
    """Read the file; where its zone is in doubt, in that of the conference it is meant for."""
    source = importers.read(data, timezone=zone)
    if zone is None and conference is not None:
        codes = {problem.code for problem in source.problems}
        if codes & {"timezone-ambiguous", "timezone-unknown"}:
            return importers.read(data, timezone=conference.timezone)
    return source

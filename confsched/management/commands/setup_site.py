"""Makes the site ready to serve: database, first programme, static files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from confsched.models import Conference


class Command(BaseCommand):
    """Migrate, load the fixtures into an empty database, collect static files; lose nothing."""

    help = "Prepare the database and static files; load the fixtures if there is no conference."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --no-demo."""
        parser.add_argument(
            "--no-demo", action="store_true", help="leave an empty database without a conference"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it and say how to go on."""
        call_command("migrate", interactive=False, verbosity=0)
        if not options["no_demo"] and not Conference.objects.exists():
            self._load()
        call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write(f"The schedule: {settings.SITE_URL}/")
        self.stdout.write(f"The admin:    {settings.SITE_URL}/admin/  (an account: make admin)")
        if settings.SITE_URL.startswith("http://"):
            self.stdout.write(
                "Plain http: for this machine only. SITE_URL=https://… is for the world."
            )

    def _load(self) -> None:
        fixtures = sorted(Path(settings.BASE_DIR, "fixtures").glob("*.json"))
        if not fixtures:
            return
        call_command("loaddata", *map(str, fixtures), verbosity=0)
        for fixture in fixtures:
            self.stdout.write(f"Loaded {fixture.name} into the empty database.")

"""Let a user edit the programme, and nothing else of the admin."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext as _

#: The group's name, and the apps whose rows it may look at, add, change and delete.
GROUP = "Organizers"
APPS = ("confsched", "sessions_app", "speakers")


class Command(BaseCommand):
    """Put a user into the group of organizers, which is made or brought up to date."""

    help = "Let an existing user edit conferences, sessions, rooms, tracks, levels and speakers."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the name of the user."""
        parser.add_argument("username")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Give the user staff access and the group; raises CommandError for an unknown user."""
        users = get_user_model()
        user = users.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(
                _("There is no user “%(name)s”; add one with createsuperuser or in the admin.")
                % {"name": options["username"]}
            )
        with transaction.atomic():
            group, _created = Group.objects.get_or_create(name=GROUP)
            group.permissions.set(Permission.objects.filter(content_type__app_label__in=APPS))
            user.is_staff = True
            user.save(update_fields=["is_staff"])
            user.groups.add(group)
        self.stdout.write(_("“%(name)s” may edit the programme now.") % {"name": user})

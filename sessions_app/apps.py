"""The programme: sessions, rooms, tracks, levels, slides."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SessionsAppConfig(AppConfig):
    """Shown as "Schedule"; the label stays sessions_app because Django has an app "sessions"."""

    name = "sessions_app"
    label = "sessions_app"
    verbose_name = _("Schedule")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the safety net (see ``signals``)."""
        from sessions_app import signals  # models exist only from here on

        signals.connect()

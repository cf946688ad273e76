"""The site itself."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConfschedConfig(AppConfig):
    """Conferences, and what all pages share."""

    name = "confsched"
    verbose_name = _("Conferences")
    default_auto_field = "django.db.models.BigAutoField"

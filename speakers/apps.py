"""Who speaks."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SpeakersConfig(AppConfig):
    """People on the programme and their pages."""

    name = "speakers"
    verbose_name = _("Speakers")
    default_auto_field = "django.db.models.BigAutoField"

"""The visitor's own selection."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AgendaConfig(AppConfig):
    """Agendas and picks; a small app of its own inside the programme."""

    name = "sessions_app.agenda"
    label = "agenda"
    verbose_name = _("Agendas")
    default_auto_field = "django.db.models.BigAutoField"

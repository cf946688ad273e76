"""The site itself."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps
from django.utils.translation import gettext_lazy as _


class ConfschedConfig(AppConfig):
    """Conferences, and what all pages share."""

    name = "confsched"
    default = True
    verbose_name = _("Conferences")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the system checks."""
        from confsched import checks  # noqa: F401  # importing registers, apps come first


class SiteAdminConfig(admin_apps.AdminConfig):
    """Django's admin with the site of ``admin_site``."""

    default = False
    default_site = "confsched.admin_site.OrganizerSite"

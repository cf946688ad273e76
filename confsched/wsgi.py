"""The WSGI entry point that gunicorn loads: Django, and the short way in front of it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "confsched.settings")
django_application = get_wsgi_application()

from confsched.lane import ShortWay  # noqa: E402  # needs Django to be set up
from confsched.middleware import security_headers  # noqa: E402  # needs Django to be set up

application = ShortWay(django_application, security_headers())

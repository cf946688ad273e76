"""Settings for tests: plain static storage, memory database, fast password hashes."""

import os

# Before the site's settings are read: tests make no key files and follow no operator's variables.
os.environ["SECRET_KEY"] = os.environ["AGENDA_KEY"] = "only-for-tests-" + "0" * 32
for _name in ("SITE_URL", "PORT", "DATA_DIR", "STATIC_ROOT", "DEBUG", "ALLOWED_HOSTS"):
    os.environ.pop(_name, None)

from confsched.settings import *  # noqa: E402, F403  # after the lines above, and all of it

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Static files straight from their sources: nothing is collected before tests.
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]

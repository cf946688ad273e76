"""Settings for tests: plain static storage, memory database, fast password hashes."""

from confsched.settings import *  # noqa: F403  # settings modules extend each other this way

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Static files straight from their sources: nothing is collected before tests.
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True

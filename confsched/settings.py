"""Settings of the site. Everything an operator may change comes in through ``confsched.env``."""

from __future__ import annotations

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = "replaced-below"
AGENDA_KEY = "replaced-below"
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
SITE_URL = "http://127.0.0.1:8000"

INSTALLED_APPS = [
    "confsched",
    "sessions_app",
    "sessions_app.agenda",
    "speakers",
    "confsched.apps.SiteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "django_htmx",
]
# Widgets of ours have their templates in templates/, where Django's own renderer does not look.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
MIDDLEWARE = [
    "confsched.middleware.SiteMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "confsched.middleware.SessionMiddleware",
    "confsched.middleware.CsrfViewMiddleware",
    "confsched.middleware.AuthenticationMiddleware",
    "confsched.middleware.MessageMiddleware",
]
#: What shared caches may do with public answers: ask each time.
PUBLIC_CACHE_CONTROL = "public, no-cache"
#: Room for finished bodies, per process.
KEPT_BYTES = 64_000_000
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
ROOT_URLCONF = "confsched.urls"
WSGI_APPLICATION = "confsched.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": BASE_DIR / "var" / "db.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LOCALE_PATHS = [BASE_DIR / "locale"]
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "var" / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = BASE_DIR / "var" / "media"
MEDIA_URL = "/media/"

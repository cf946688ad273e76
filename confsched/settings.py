"""Settings of the site. Everything an operator may change comes in through ``confsched.env``.

docs/deployment.md has the table of the variables.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _

from confsched.env import Environment

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()

# Where things are kept: database, keys, uploads, collected static files.
DATA_DIR = env.path("DATA_DIR", BASE_DIR / "var")
STATIC_ROOT = env.path("STATIC_ROOT", DATA_DIR / "static")
MEDIA_ROOT = DATA_DIR / "media"

# Who we are: the public address decides about https, cookies and hosts.
DEBUG = env.flag("DEBUG", default=False)
SITE_URL = env.site_url(
    "SITE_URL",
    f"http://127.0.0.1:{env.number('PORT', 8000, least=1, most=65535)}",
    allows_plain_http=env.flag("ALLOW_PLAIN_HTTP", default=False),
)
IS_HTTPS = SITE_URL.startswith("https://")
_HOST = urlsplit(SITE_URL).hostname or ""
ALLOWED_HOSTS = [
    f"[{_HOST}]" if ":" in _HOST else _HOST,
    *env.hosts("ALLOWED_HOSTS"),
    *("127.0.0.1", "localhost", "[::1]"),
]

# Secrets: made on the first start, kept in DATA_DIR. AGENDA_KEY belongs in every backup: all the
# secret agenda addresses that people have saved are derived from it.
SECRET_KEY = env.key("SECRET_KEY", DATA_DIR / "secret-key")
AGENDA_KEY = env.key("AGENDA_KEY", DATA_DIR / "agenda-key")

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
# Those three look for Django's own Security, XFrameOptions and CSRF middleware by name.
# SiteMiddleware and our CsrfViewMiddleware do their work; confsched.checks looks for them.
SILENCED_SYSTEM_CHECKS = ["security.W001", "security.W002", "security.W003"]
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

DATABASES = {"default": env.database("DATABASE_URL", DATA_DIR / "db.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
FIXTURE_DIRS = [BASE_DIR / "fixtures"]

# Security. SiteMiddleware obeys the SECURE_… settings.
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = (
    env.number("HSTS_SECONDS", 31_536_000, least=0, most=63_072_000) if IS_HTTPS else 0
)
SECURE_REFERRER_POLICY = "same-origin"  # "no-referrer" would make browsers post without Origin
X_FRAME_OPTIONS = "DENY"
if env.flag("TRUST_PROXY_HEADERS", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CSRF_TRUSTED_ORIGINS = [SITE_URL]
CSRF_FAILURE_VIEW = "confsched.views.csrf_failure"
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_HTTPONLY = True  # the agenda's script asks for its token instead
SESSION_COOKIE_PATH = "/admin/"  # HTTP sessions are for organizers alone
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# What shared caches may do with public answers: ask each time, or keep them for some seconds.
CDN_SECONDS = env.number("CDN_SECONDS", 0, least=0, most=86_400)
PUBLIC_CACHE_CONTROL = (
    f"public, max-age=0, must-revalidate, s-maxage={CDN_SECONDS}"
    if CDN_SECONDS
    else "public, no-cache"
)
# Room for finished bodies, in bytes, per process.
KEPT_BYTES = env.number("KEPT_MEGABYTES", 64, least=0, most=16_384) * 1_000_000

# Languages and times.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Files.
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_URL = "/media/"
# What organizers may upload at most, in bytes.
SLIDES_MAX_BYTES = env.number("SLIDES_MEGABYTES", 50, least=1, most=2_000) * 1_000_000
PHOTO_MAX_BYTES = 10_000_000
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "confsched.static.SiteStaticFilesStorage"
    },
}

# Logs: to standard error, secrets in agenda addresses masked.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "confsched.logs.MaskingFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {
        "handlers": ["stderr"],
        "level": env.choice(
            "LOG_LEVEL", "WARNING", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
        ),
    },
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": ["stderr"], "propagate": False},
    },
}

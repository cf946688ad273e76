"""A Django with no middleware and no app: the fastest that Django can answer."""

SECRET_KEY = "bench"  # noqa: S105  # signs nothing: the yardstick has no sessions and no forms
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "bench.yardstick"
MIDDLEWARE: list[str] = []
USE_TZ = True

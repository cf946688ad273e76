"""The site's settings with the yardstick's URL map."""

from confsched.settings import *  # noqa: F403  # settings modules extend each other this way

ROOT_URLCONF = "bench.yardstick"

"""gunicorn's settings: threads for slow phones, one process on SQLite, more on PostgreSQL.

The benchmark serves its yardstick with this same file. Variables: docs/deployment.md.
"""

import os
from typing import Any

bind = os.environ.get("BIND") or f"127.0.0.1:{os.environ.get('PORT') or 8000}"
# Plain sync workers would hang on a slow phone for as long as it takes to read a page.
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY") or 1)
threads = int(os.environ.get("WEB_THREADS") or 8)
keepalive = 15
timeout = 60
graceful_timeout = 20
# Heartbeats in memory: on a slow disk a worker would look dead.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108  # no file with a name is made
# Two servers of one user would collide on the control socket.
control_socket_disable = True
# The addresses of agendas are secrets, so there is no access log; a proxy's has to mask them too.
accesslog = None
errorlog = "-"
loglevel = "warning"
proc_name = "confsched"
# Longer addresses are no honest visitor's.
limit_request_line = 8190
# Whether to believe a proxy is Django's to decide (TRUST_PROXY_HEADERS); on its own gunicorn would
# believe whoever connects from this machine.
secure_scheme_headers = {}


def on_starting(server: Any) -> None:
    """Mask secrets in what gunicorn itself logs, such as request lines it cannot read."""
    from confsched.logs import MaskingFormatter  # the project's folder is known by now

    for handler in server.log.error_log.handlers:
        known = handler.formatter
        handler.setFormatter(MaskingFormatter(known._fmt, known.datefmt))

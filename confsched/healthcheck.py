"""Asks the running server on this machine whether it is well: the container's health check."""

from __future__ import annotations

import http.client
import os
import sys

TIMEOUT = 4.0


def is_well(host: str, port: int) -> bool:
    """Return whether /healthz answers 200."""
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def main() -> int:
    """Return the exit code of the check: 0 if the server is well."""
    port = int((os.environ.get("BIND") or f":{os.environ.get('PORT') or 8000}").rpartition(":")[2])
    return 0 if is_well("127.0.0.1", port) else 1


if __name__ == "__main__":
    sys.exit(main())

"""``make bench``: the site against a bare Django view, in one run, interleaved.

For the demo and for generated programmes it prints requests per second, latencies, bytes, queries
and the ratio to the bare view in CPU time of the server for each request. It talks to servers of
its own on 127.0.0.1, each programme in a temporary folder, for a bounded number of requests.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = (0, 90, 1000, 10_000)
PAIRS = 7
REQUESTS = 300


def main() -> int:
    """Measure what was asked for; return 1 if a goal was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=PAIRS, help="runs of each, at least five")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="requests of a run")
    parser.add_argument("--size", type=int, action="append", help="sessions; 0: the demo")
    parser.add_argument("--only", default="", help="targets whose name contains this")
    options = parser.parse_args()
    codes = []
    for size in options.size or SIZES:
        arguments = [str(size), "--pairs", str(options.pairs), "--requests", str(options.requests)]
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            codes.append(measure(Path(folder), [*arguments, "--only", options.only]))
    return max(codes)


def measure(folder: Path, arguments: list[str]) -> int:
    """Measure one programme in a process of its own, since settings are read but once."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "confsched.settings",
        "SITE_URL": "http://127.0.0.1:8000",
        "DATA_DIR": str(folder),
        "BENCH_BODIES": str(folder / "bodies"),
        "WEB_CONCURRENCY": "1",
        "KEPT_MEGABYTES": "512",
    }
    for name in ("DATABASE_URL", "STATIC_ROOT", "DEBUG"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "bench.one", *arguments]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

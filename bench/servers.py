"""Starts gunicorn under the site's own configuration and reads the CPU time it has used."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Server:
    """A running gunicorn: its port, and the process group that all its workers belong to."""

    port: int
    process: subprocess.Popen[bytes]

    def cpu_seconds(self) -> float:
        """Return the CPU time that all threads of all workers have used, in seconds.

        Read from the scheduler's own counters (nanoseconds), since clock ticks are too coarse.
        """
        return sum(_thread_seconds(pid) for pid in _group(self.process.pid))


def _group(leader: int) -> list[int]:
    children = Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
    return [leader, *(int(child) for child in children)]


def _thread_seconds(pid: int) -> float:
    return (
        sum(
            int(thread.read_text().split()[0])
            for thread in Path(f"/proc/{pid}/task").glob("*/schedstat")
        )
        / 1e9
    )


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def gunicorn(application: str, log: Path) -> Iterator[Server]:
    """Serve ``application`` with the site's gunicorn.conf.py until the block ends.

    Raises RuntimeError with the end of the log when the server does not come up.
    """
    port = free_port()
    command = [
        sys.executable, "-m", "gunicorn", "--config", str(ROOT / "gunicorn.conf.py"),
        "--bind", f"127.0.0.1:{port}", application,
    ]  # fmt: skip
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)
        try:
            _wait(port, process, log)
            yield Server(port, process)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"gunicorn did not come up:\n{log.read_text()[-2000:]}")

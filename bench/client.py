"""A small HTTP/1.1 client for measurements: raw sockets, kept open, one request at a time each.

It is bounded in requests and time, and connects to 127.0.0.1 only.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HOST = "127.0.0.1"
TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class Response:
    """One answer: status, headers with lower-case names, the body as it came over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes
    wire_bytes: int


@dataclass(frozen=True, slots=True)
class Run:
    """What one series of requests took: latencies in seconds, wall time in seconds."""

    latencies: tuple[float, ...]
    seconds: float
    statuses: frozenset[int]
    wire_bytes: int

    @property
    def requests_per_second(self) -> float:
        """Requests answered per second of wall time."""
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """Return the latency in milliseconds that ``share`` (0–1) of the requests kept."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000


def request_bytes(path: str, headers: Mapping[str, str], method: str = "GET") -> bytes:
    """Return the request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Connection:
    """One connection that is kept open and opened again when the server closes it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None
        self._buffer = b""

    def send(self, request: bytes) -> Response:
        """Send the bytes and return the answer; a closed connection is opened once more."""
        for attempt in (1, 2):
            try:
                return self._send_once(request)
            except ConnectionError:
                self.close()
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Close the socket, if any."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._buffer = None, b""

    def _send_once(self, request: bytes) -> Response:
        if self._socket is None:
            self._socket = socket.create_connection((HOST, self._port), TIMEOUT)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(request)
        while b"\r\n\r\n" not in self._buffer:
            self._receive()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        status_line, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        status = int(status_line.split(" ", 2)[1])
        length = 0 if status == 304 else int(headers.get("content-length", "0"))
        while len(self._buffer) < length:
            self._receive()
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Response(status, headers, body, len(head) + 4 + length)

    def _receive(self) -> None:
        assert self._socket is not None  # noqa: S101  # _send_once opened it
        data = self._socket.recv(1 << 18)
        if not data:
            raise ConnectionError("the server closed the connection")
        self._buffer += data


def fetch(port: int, path: str, headers: Mapping[str, str]) -> Response:
    """Ask once on a connection of its own."""
    connection = Connection(port)
    try:
        return connection.send(request_bytes(path, headers))
    finally:
        connection.close()


def run(port: int, requests: Sequence[bytes], connections: int = 2) -> Run:
    """Send all requests over a few connections at once, each taking every n-th of them."""
    latencies: list[list[float]] = [[] for _ in range(connections)]
    statuses: set[int] = set()
    wire = [0] * connections
    failures: list[Exception] = []

    def work(number: int) -> None:
        connection = Connection(port)
        try:
            for request in requests[number::connections]:
                started = time.perf_counter()
                response = connection.send(request)
                latencies[number].append(time.perf_counter() - started)
                statuses.add(response.status)
                wire[number] += response.wire_bytes
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(connections)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - started
    if failures:
        raise failures[0]
    flat = tuple(latency for part in latencies for latency in part)
    return Run(flat, seconds, frozenset(statuses), sum(wire))

"""Measures a target against the yardstick in interleaved pairs, and sums up as ratios."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from bench.client import Run, fetch, request_bytes, run
from bench.servers import Server
from bench.targets import Target


@dataclass(frozen=True, slots=True)
class Sample:
    """One run and the server's CPU time for each of its requests, in seconds."""

    run: Run
    cpu: float


@dataclass(frozen=True, slots=True)
class Result:
    """What a target reached. Ratios are yardstick ÷ target in CPU time: 1.0 is as cheap."""

    target: Target
    samples: tuple[Sample, ...]
    ratio: float
    ratio_wrapped: float
    queries: int
    bytes: int

    @property
    def requests_per_second(self) -> float:
        """Median over the runs."""
        return statistics.median(sample.run.requests_per_second for sample in self.samples)

    def percentile(self, share: float) -> float:
        """Return this percentile of the latency in ms, the median over the runs."""
        return statistics.median(sample.run.percentile(share) for sample in self.samples)

    @property
    def cpu(self) -> float:
        """CPU time of the server per request in milliseconds, the median over the runs."""
        return statistics.median(sample.cpu for sample in self.samples) * 1000


def sample(server: Server, requests: list[bytes]) -> Sample:
    """Send the requests and read the server's CPU time before and after."""
    before = server.cpu_seconds()
    result = run(server.port, requests)
    return Sample(result, (server.cpu_seconds() - before) / len(requests))


@dataclass(frozen=True, slots=True)
class Servers:
    """The three servers of a measurement."""

    site: Server
    bare: Server
    wrapped: Server


def measure(target: Target, servers: Servers, yardstick: str, queries: int, pairs: int) -> Result:
    """Run the bare view, the wrapped view and the target in turn, ``pairs`` times."""
    headers = _conditional(target, servers.site)
    reference = [request_bytes(yardstick, headers)] * target.requests
    samples, ratios, ratios_wrapped = [], [], []
    for _ in range(pairs):
        bare = sample(servers.bare, reference)
        wrapped = sample(servers.wrapped, reference)
        mine = sample(servers.site, _requests(target, headers))
        samples.append(mine)
        ratios.append(bare.cpu / mine.cpu)
        ratios_wrapped.append(bare.cpu / wrapped.cpu)
    return Result(
        target,
        tuple(samples),
        statistics.median(ratios),
        statistics.median(ratios_wrapped),
        queries,
        samples[-1].run.wire_bytes // target.requests,
    )


def _requests(target: Target, headers: Mapping[str, str]) -> list[bytes]:
    return [request_bytes(next(target.paths), headers) for _ in range(target.requests)]


def _conditional(target: Target, site: Server) -> dict[str, str]:
    headers = dict(target.headers)
    if target.is_conditional:
        headers["If-None-Match"] = fetch(site.port, next(target.paths), headers).headers["etag"]
    return headers

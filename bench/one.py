"""Measures one programme: ``python -m bench.one SIZE``, in an environment that ``bench`` made."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.client import fetch, request_bytes, run
from bench.measure import Result, Servers, measure
from bench.programme import Programme, prepare
from bench.report import HEADER, reached, row
from bench.servers import gunicorn
from bench.targets import BROWSER, FEED, HTMX, IDENTITY, Target, same

FIRST_VIEWS = 100
DISTINCT_FILTERS = 200
SLOWEST_P95_MS = 50.0
MOST_QUERIES = 2
#: Up to this size the goal for first views is the higher one; the demo and 90 sessions.
SMALL = 90
#: Programmes of this size are measured for first views alone.
LARGE = 10_000


def main() -> int:
    """Measure, print the table, return 1 if a goal was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", type=int, help="sessions of the programme; 0: the demo")
    parser.add_argument("--pairs", type=int, required=True)
    parser.add_argument("--requests", type=int, required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    programme = prepare(options.size)
    print(f"\n{programme.title}: {len(programme.schedule.sessions)} sessions\n{HEADER}", flush=True)
    targets = [
        target
        for target in _targets(programme, options.requests)
        if options.only in target.name and (options.size < LARGE or target.is_first_view)
    ]
    return 0 if bench(programme, targets, options.pairs) else 1


def bench(programme: Programme, targets: list[Target], pairs: int) -> bool:
    """Measure the targets one after the other; return whether every goal was reached."""
    folder = Path(os.environ["DATA_DIR"])
    results = []
    with contextlib.ExitStack() as stack:
        site = stack.enter_context(gunicorn("confsched.wsgi:application", folder / "site.log"))
        paths = _save_bodies(targets, site.port, Path(os.environ["BENCH_BODIES"]))
        bare = stack.enter_context(gunicorn("bench.yardstick:bare()", folder / "bare.log"))
        wrapped = stack.enter_context(gunicorn("bench.yardstick:wrapped()", folder / "wrapped.log"))
        servers = Servers(site, bare, wrapped)
        for target, path in zip(targets, paths, strict=True):
            queries = programme.queries(target)
            results.append(measure(target, servers, path, queries, pairs))
            print(row(results[-1]), flush=True)
        p95 = _never_asked_p95(programme, site.port)
    print(f"{DISTINCT_FILTERS} distinct filters never asked before: p95 {p95:.1f} ms", flush=True)
    return all(map(_is_good, results)) and p95 < SLOWEST_P95_MS


def _is_good(result: Result) -> bool:
    return reached(result) and result.queries <= MOST_QUERIES


def _targets(programme: Programme, requests: int) -> Iterator[Target]:
    p, n = programme, requests
    first_goal = 0.65 if p.size <= SMALL else 0.5
    yield Target("schedule page (br)", same(p.path), 0.8, requests=n)
    yield Target("schedule page (identity)", same(p.path), 0.8, IDENTITY, requests=n)
    yield Target("filtered page", same(p.filtered), 0.8, requests=n)
    yield Target("filtered fragment", same(p.filtered), 0.8, HTMX, requests=n)
    yield Target("session page", same(p.session), 0.8, requests=n)
    yield Target("schedule.ics", same(f"{p.path}schedule.ics"), 0.8, FEED, requests=n)
    yield Target("304 of the schedule page", same(p.path), 0.8, is_conditional=True, requests=n)
    owner = {**BROWSER, "Cookie": p.cookie}
    yield Target("agenda/picks/", same(f"{p.path}agenda/picks/"), 0.5, owner, requests=n)
    yield Target(
        "filtered page, first view",
        p.fresh(),
        first_goal,
        IDENTITY,
        is_first_view=True,
        requests=FIRST_VIEWS,
    )
    yield Target(
        "filtered page, first view (br)",
        p.fresh(),
        None,
        is_first_view=True,
        requests=FIRST_VIEWS,
    )


def _save_bodies(targets: list[Target], port: int, folder: Path) -> list[str]:
    """Write what each target answers, for the yardstick to return; give the yardstick's paths.

    For first views it is the answer of median size among some that are not asked again.
    """
    folder.mkdir()
    paths = []
    for number, target in enumerate(targets):
        tries = 9 if target.is_first_view else 1
        answers = [fetch(port, next(target.paths), target.headers) for _ in range(tries)]
        bad = [answer.status for answer in answers if answer.status != 200]
        if bad:
            raise RuntimeError(f"{target.name} answered {bad[0]}")
        body = sorted((answer.body for answer in answers), key=len)[tries // 2]
        (folder / str(number)).write_bytes(body)
        paths.append("/304" if target.is_conditional else f"/body/{number}")
    return paths


def _never_asked_p95(programme: Programme, port: int) -> float:
    fresh = programme.fresh()
    requests = [request_bytes(next(fresh), HTMX) for _ in range(DISTINCT_FILTERS)]
    return run(port, requests, connections=1).percentile(0.95)


if __name__ == "__main__":
    sys.exit(main())

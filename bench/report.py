"""Prints what was measured as a table for people."""

from __future__ import annotations

from bench.measure import Result

NOISE = 0.1
HEADER = (
    f"{'target':<34}{'req/s':>8}{'p50 ms':>8}{'p99 ms':>8}{'cpu ms':>8}{'bytes':>9}{'queries':>8}"
    f"{'ratio':>7}{'goal':>6}{'mw only':>8}"
)


def reached(result: Result) -> bool:
    """Whether the ratio reaches its goal, less what noise may take."""
    return result.target.goal is None or result.ratio >= result.target.goal - NOISE


def row(result: Result) -> str:
    """Return one line of the table."""
    goal = "" if result.target.goal is None else f"{result.target.goal:.2f}"
    return (
        f"{result.target.name:<34}{result.requests_per_second:>8.0f}{result.percentile(0.5):>8.2f}"
        f"{result.percentile(0.99):>8.2f}{result.cpu:>8.3f}{result.bytes:>9}{result.queries:>8}"
        f"{result.ratio:>7.2f}{goal:>6}{result.ratio_wrapped:>8.2f}"
        f"{'' if reached(result) else '  below goal'}"
    )

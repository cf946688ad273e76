"""Fixtures that every layer of tests shares."""

import pytest

from confsched import responses
from sessions_app import snapshot


@pytest.fixture(autouse=True)
def _nothing_kept():
    """Empty what a process keeps, so that no test sees another's."""
    responses.kept.clear()
    snapshot.clear()

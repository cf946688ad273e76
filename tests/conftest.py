"""Fixtures that every layer of tests shares."""

import pytest
from django.core.management import call_command

from confsched import lane
from confsched.kept import bodies
from confsched.models import Conference
from sessions_app import snapshot


@pytest.fixture(autouse=True)
def _nothing_kept():
    """Empty what a process keeps, so that no test sees another's."""
    bodies.clear()
    lane.clear()
    snapshot.clear()


@pytest.fixture
def demo(db):
    """The conference that ships with the project, as ``loaddata`` alone makes it."""
    call_command("loaddata", "fixtures/pytorch-conference-europe-2026.json", verbosity=0)
    return Conference.objects.get()


def pytest_addoption(parser):
    """Let golden files be renewed on purpose: ``pytest --renew-golden``."""
    parser.addoption("--renew-golden", action="store_true", help="write golden files anew")

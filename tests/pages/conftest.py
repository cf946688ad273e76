"""The cast: somebody nobody knows, somebody of the staff without a say, and an organizer."""

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def anonymous() -> Client:
    return Client()


@pytest.fixture
def staff(db) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("volunteer", is_staff=True))
    return client


@pytest.fixture
def organizer(db) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("organizer"))
    return client

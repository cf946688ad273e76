"""Organizers who are no superusers: the group gives them the programme and nothing more."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from tests.factories import make_conference, make_session
from tests.pages.test_admin_session import change_url, opened, saved

pytestmark = pytest.mark.django_db


def test_an_organizer_edits_the_programme_and_no_accounts(capsys):
    user = User.objects.create_user("helper")
    call_command("make_organizer", "helper")
    call_command("make_organizer", "helper")
    assert "may edit the programme" in capsys.readouterr().out
    client = Client()
    client.force_login(user)
    session = make_session(make_conference(), speakers=["Ada Inventa"])

    saved(client, change_url(session), opened(client, session) | {"title": "Peas"})

    session.refresh_from_db()
    assert session.title == "Peas"
    assert client.get("/admin/auth/user/").status_code == 403
    apps = [app["app_label"] for app in client.get("/admin/").context["app_list"]]
    assert apps == ["sessions_app", "speakers", "confsched"]


def test_an_unknown_user_is_named():
    with pytest.raises(CommandError, match="nobody"):
        call_command("make_organizer", "nobody")

"""A page of the admin that is opened and saved as it is changes nothing, for nobody."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from sessions_app import loader
from sessions_app.importers import read
from tests.pages.forms_in_pages import form_in
from tests.sources import everything

DUMP = Path(__file__).parents[2] / "fixtures" / "schedule_dump.txt"


def as_sent(value):
    """Return a value as browsers send it: a line break is two characters."""
    if isinstance(value, list):
        return [as_sent(item) for item in value]
    return value.replace("\n", "\r\n")


@pytest.mark.slow
@pytest.mark.django_db
def test_saving_without_a_change_leaves_nothing_changed_by_hand(demo, client):
    client.force_login(User.objects.create_superuser("organizer"))
    before = everything(demo)
    pages = [
        *demo.sessions.filter(abstract__contains="\n")[:3],
        demo.sessions.filter(slides__name__contains="2.").first(),
        *demo.speakers.filter(bio__contains="\n"),
        demo.speakers.filter(bio="").first(),
        demo.rooms.first(),
        demo.tracks.exclude(parent=None).first(),
        demo.levels.first(),
        demo,
    ]
    for row in pages:
        meta = row._meta
        url = f"/admin/{meta.app_label}/{meta.model_name}/{row.pk}/change/"
        form = form_in(client.get(url), f"{meta.model_name}_form")
        answer = client.post(url, {name: as_sent(value) for name, value in form.items()})
        assert answer.status_code == 302, url

    assert everything(demo) == before
    assert loader.plan(read(DUMP.read_bytes()), demo).is_idle

"""What publish logs, marks and counts."""

import datetime as dt

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError, RestrictedError

from confsched.models import Conference, SlugRedirect
from sessions_app.agenda.models import Agenda, Pick
from sessions_app.models import Change, Session, SessionTrack, Status
from sessions_app.publish import publish, publishing
from tests.factories import (
    at,
    make_conference,
    make_level,
    make_room,
    make_session,
    make_speaker,
    make_track,
)

pytestmark = pytest.mark.django_db

BEFORE = dt.datetime(2026, 3, 1, 9, tzinfo=dt.UTC)
NOW = dt.datetime(2026, 3, 2, 9, 30, 15, tzinfo=dt.UTC)


@pytest.fixture
def conference():
    """A conference with one session of each state, published at BEFORE."""
    with time_machine.travel(BEFORE, tick=False):
        conference = make_conference()
        with publishing(conference, by="setup"):
            make_session(
                conference,
                "Growing beans",
                room="Attic",
                tracks=["Gardening"],
                levels=["Beginner"],
                speakers=["Ada Inventa", "Ben Fictor"],
                slides=[("Beans", "pdf")],
            )
            make_session(conference, "Pruning figs", start="11:00", room="Cellar")
            make_session(conference, "Secret", start="12:00", status=Status.DRAFT)
    conference.refresh_from_db()
    with time_machine.travel(NOW, tick=False):
        yield conference


def log(conference):
    """The change log as tuples, oldest first."""
    return [
        (change.session.title, change.field, change.old, change.new)
        for change in conference.changes.order_by("id")
    ]


def session(title="Growing beans"):
    return Session.objects.get(title=title)


def test_outside_a_transaction_it_refuses(transactional_db):
    conference = make_conference()

    with pytest.raises(transaction.TransactionManagementError, match="transaction"):
        publish(conference, by="ada")


def test_first_publication_logs_nothing_and_marks_every_session(conference):
    assert log(conference) == []
    assert (conference.revision, conference.revised_at) == (2, BEFORE)
    assert session().changed_at == session("Pruning figs").changed_at == BEFORE
    assert session().sequence == 0
    assert (session("Secret").published_values, session("Secret").changed_at) == ({}, None)


def test_nothing_changed_leaves_everything(conference):
    assert publish(conference, by="ada") is False

    conference.refresh_from_db()
    assert (conference.revision, conference.revised_at) == (2, BEFORE)


def test_a_new_title_is_logged_with_who_and_when_and_moves_no_sequence(conference):
    beans = session()
    with publishing(conference, by="ada"):
        beans.title = "Growing better beans"
        beans.save()

    change = Change.objects.get()
    assert (change.session, change.field) == (beans, "title")
    assert (change.old, change.new) == ("Growing beans", "Growing better beans")
    assert (change.at, change.by, change.revision, change.is_silent) == (NOW, "ada", 3, False)
    beans.refresh_from_db()
    assert (beans.changed_at, beans.sequence, beans.slug) == (NOW, 0, "growing-beans")
    assert session("Pruning figs").changed_at == BEFORE
    conference.refresh_from_db()
    assert (conference.revision, conference.revised_at) == (3, NOW)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"starts_at": dt.datetime(2026, 4, 8, 7, 45, tzinfo=dt.UTC)}, "starts_at"),
        ({"ends_at": dt.datetime(2026, 4, 8, 9, tzinfo=dt.UTC)}, "ends_at"),
        ({"status": Status.CANCELLED}, "status"),
        ({"status": Status.WITHDRAWN}, "status"),
        ({"room": None}, "room"),
    ],
)
def test_start_end_room_and_status_raise_the_sequence(conference, values, expected):
    beans = session()
    for name, value in values.items():
        setattr(beans, name, value)
    beans.save()

    assert [entry[1] for entry in log(conference)] == [expected]
    assert session().sequence == 1


@pytest.mark.parametrize(
    ("values", "logged"),
    [
        ({"abstract": "Water them."}, ["abstract"]),
        ({"kind": "keynote"}, ["kind"]),
        ({"is_sponsored": True}, ["is_sponsored"]),
        ({"slug": "beans"}, []),
        ({"has_slides_tag": True}, None),
        ({"source_key": "k1"}, None),
    ],
)
def test_other_fields_leave_the_sequence(conference, values, logged):
    beans = session()
    for name, value in values.items():
        setattr(beans, name, value)
    beans.save()

    assert [entry[1] for entry in log(conference)] == (logged or [])
    beans = session()
    assert beans.sequence == 0
    assert beans.changed_at == (BEFORE if logged is None else NOW)


def test_a_renamed_room_touches_its_sessions_without_moving_them(conference):
    room = session().room
    room.name = "Loft"
    room.save()

    assert log(conference) == [("Growing beans", "room", "Attic", "Loft")]
    assert (session().changed_at, session().sequence) == (NOW, 0)
    assert session("Pruning figs").changed_at == BEFORE


def test_a_room_with_another_address_is_the_same_room(conference):
    room = session().room
    room.slug = "loft"
    room.save()

    assert (session().changed_at, session().sequence) == (NOW, 0)
    assert log(conference) == []


def test_another_room_of_the_same_look_is_a_move(conference):
    beans = session()
    beans.room = make_room(conference, "Attic 2")
    beans.save()

    assert log(conference) == [("Growing beans", "room", "Attic", "Attic 2")]
    assert session().sequence == 1


def test_a_renamed_track_and_level_and_speaker_are_logged_on_their_sessions(conference):
    with publishing(by="ada"):
        for model, name in (("tracks", "Plants"), ("levels", "Novice"), ("speakers", "Ada I.")):
            row = getattr(session(), model).first()
            row.name = name
            row.save()

    assert log(conference) == [
        ("Growing beans", "tracks", ["Gardening"], ["Plants"]),
        ("Growing beans", "levels", ["Beginner"], ["Novice"]),
        ("Growing beans", "speakers", ["Ada Inventa", "Ben Fictor"], ["Ada I.", "Ben Fictor"]),
    ]
    conference.refresh_from_db()
    assert conference.revision == 3


def test_a_renamed_parent_track_is_logged_on_the_sessions_of_its_sub_tracks(conference):
    parent = make_track(conference, "Posters")
    make_session(
        conference,
        "Ferns",
        start="14:00",
        tracks=[make_track(conference, parent=parent, name="Shade")],
    )
    parent.name = "Poster show"
    parent.save()

    assert log(conference)[-1] == ("Ferns", "tracks", ["Posters: Shade"], ["Poster show: Shade"])


def test_a_new_headline_touches_the_sessions_and_is_no_news(conference):
    speaker = session().speakers.first()
    speaker.headline = "Gardener, Beans Ltd"
    speaker.save()

    assert log(conference) == []
    assert (session().changed_at, session().sequence) == (NOW, 0)


def test_a_new_biography_raises_the_revision_alone(conference):
    speaker = session().speakers.first()
    speaker.bio = "Grew up among beans."
    speaker.save()

    assert log(conference) == []
    assert session().changed_at == BEFORE
    assert Conference.objects.get().revision == 3


def test_a_speaker_whom_nobody_sees_yet_changes_nothing(conference):
    make_speaker(conference, "Cara Notyet")

    assert Conference.objects.get().revision == 2


@pytest.mark.parametrize(
    ("values", "touched"),
    [
        ({"notice": "Subject to change."}, False),
        ({"name": "Other Days"}, False),
        ({"place": "Lyon"}, True),
        ({"timezone": "Europe/London"}, True),
    ],
)
def test_what_every_calendar_entry_carries_touches_every_session(conference, values, touched):
    for name, value in values.items():
        setattr(conference, name, value)
    conference.save()

    assert Conference.objects.get().revision == 3
    assert (
        session().changed_at == session("Pruning figs").changed_at == (NOW if touched else BEFORE)
    )
    assert log(conference) == []


def test_a_session_added_later_is_logged_as_added(conference):
    draft = session("Secret")
    draft.status = Status.PUBLISHED
    draft.save()

    assert log(conference) == [("Secret", "added", None, "Secret")]
    assert (session("Secret").changed_at, session("Secret").sequence) == (NOW, 0)


def test_drafts_are_nobodys_business(conference):
    draft = session("Secret")
    draft.title = "Top secret"
    draft.save()

    assert Conference.objects.get().revision == 2
    assert log(conference) == []


def test_silent_changes_are_kept_from_the_public_list(conference):
    beans = session()
    with publishing(conference, by="ada", silent=True):
        beans.title = "Growing beans!"
        beans.save()

    assert Change.objects.get().is_silent is True
    assert session("Growing beans!").changed_at == NOW


def test_what_happens_to_a_withdrawn_session_is_not_public(conference):
    beans = session()
    beans.status = Status.WITHDRAWN
    beans.save()
    beans.title = "Removed"
    beans.save()

    assert list(Change.objects.order_by("id").values_list("field", "is_silent")) == [
        ("status", False),
        ("title", True),
    ]


def test_one_publish_for_a_whole_block(conference):
    with publishing(conference, by="ada"):
        for each in Session.objects.filter(status=Status.PUBLISHED):
            each.status = Status.CANCELLED
            each.save()
        with publishing(conference, by="somebody else"):
            make_level(conference, "Expert")

    assert Conference.objects.get().revision == 3
    assert {change.by for change in Change.objects.all()} == {"ada"}


def test_a_failing_block_writes_nothing(conference):
    def half():
        with publishing(conference, by="ada"):
            beans = session()
            beans.title = "Half"
            beans.save()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert session().title == "Growing beans"
    make_level(conference, "Expert")  # the net works again
    assert Conference.objects.get().revision == 3


def test_code_that_forgot_to_publish_is_caught(conference):
    beans = session()
    SessionTrack.objects.create(session=beans, track=make_track(conference, "Food"), position=1)
    beans.levels.clear()
    beans.session_speakers.first().delete()
    beans.slides.all().delete()

    assert log(conference) == [
        ("Growing beans", "tracks", ["Gardening"], ["Gardening", "Food"]),
        ("Growing beans", "levels", ["Beginner"], []),
        ("Growing beans", "speakers", ["Ada Inventa", "Ben Fictor"], ["Ben Fictor"]),
        ("Growing beans", "slides", ["Beans pdf"], []),
    ]


def test_a_published_session_cannot_go_back_to_draft(conference):
    beans = session()
    beans.status = Status.DRAFT
    with pytest.raises(ValidationError, match="cannot be draft again"):
        beans.full_clean()
    with pytest.raises(ValidationError, match="cannot be draft again"), transaction.atomic():
        beans.save()
    with pytest.raises(ValidationError), publishing(conference, by="ada"):
        Session.objects.filter(pk=beans.pk).update(status=Status.DRAFT)

    assert session().status == Status.PUBLISHED


def test_a_published_session_cannot_be_deleted(conference):
    with pytest.raises(ProtectedError, match="withdraw"), transaction.atomic():
        session().delete()
    with pytest.raises(ProtectedError), transaction.atomic():
        Session.objects.all().delete()
    session("Secret").delete()

    assert Session.objects.count() == 2


def test_a_whole_conference_can_be_deleted(conference):
    other = make_conference("Kept", slug="kept")
    conference.delete()

    assert list(Conference.objects.all()) == [other]
    assert Session.objects.count() == 0


def test_a_whole_conference_goes_with_the_agendas_that_belong_to_it(conference):
    agenda = Agenda.objects.create(conference=conference, changed_at=NOW)
    Pick.objects.create(agenda=agenda, session=session(), picked_at=NOW)
    with pytest.raises((ProtectedError, RestrictedError)), transaction.atomic():
        session().delete()
    conference.delete()

    assert Pick.objects.count() == 0


def test_numbers_are_never_used_twice(conference):
    secret = session("Secret")
    assert secret.number == 3
    secret.delete()

    assert make_session(conference, "Another").number == 4


def test_a_stale_row_overwrites_nothing_that_publish_wrote(conference):
    stale_session, stale_conference = session(), Conference.objects.get()
    fresh = session()
    fresh.starts_at = at("09:45", conference)
    fresh.save()
    stale_session.abstract = "Late."
    stale_session.save()
    stale_conference.notice = "Late."
    stale_conference.save()

    assert session().sequence == 2  # moved away, and back again by the stale row
    assert Conference.objects.get().revision == 5


def test_a_changed_slug_leaves_a_redirect_and_stays_taken(conference):
    beans = session()
    beans.slug = "beans"
    beans.save()

    assert list(SlugRedirect.objects.values_list("page", "slug", "target_id")) == [
        ("session", "growing-beans", beans.pk)
    ]
    assert make_session(conference, "Growing beans").slug == "growing-beans-2"


def test_a_key_that_an_older_version_did_not_store_is_no_news(conference):
    beans = session()
    old = dict(beans.published_values)
    del old["moderators"], old["people"]
    Session.objects.filter(pk=beans.pk).update(published_values=old)

    assert publish(conference, by="upgrade") is True
    assert log(conference) == []
    assert session().changed_at == BEFORE
    assert publish(conference, by="upgrade") is False

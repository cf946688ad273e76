"""What happens to an agenda: picks, first stars, merging, deletion."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.db.models import RestrictedError

from confsched.models import Conference
from sessions_app.agenda import picks, tokens
from sessions_app.agenda.models import Agenda, AgendaToken, Pick
from sessions_app.agenda.tokens import Purpose
from sessions_app.models import Status
from sessions_app.publish import publishing
from tests.factories import make_conference, make_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference():
    return make_conference()


@pytest.fixture
def sessions(conference):
    return [make_session(conference, f"Session {letter}").pk for letter in "ABC"]


@pytest.fixture
def agenda(conference):
    return picks.start(conference.pk, None)


def picked(agenda):
    return set(Pick.objects.filter(agenda_id=agenda.pk).values_list("session_id", flat=True))


def changed_at(agenda):
    return Agenda.objects.get(pk=agenda.pk).changed_at


def test_adding_twice_is_adding_once(agenda, sessions):
    picks.add(agenda.pk, sessions[:1])
    first, moment = Pick.objects.get(), changed_at(agenda)
    picks.add(agenda.pk, sessions[:1])
    assert Pick.objects.get().picked_at == first.picked_at
    assert changed_at(agenda) == moment


def test_removing_twice_is_removing_once(agenda, sessions):
    picks.add(agenda.pk, sessions)
    picks.remove(agenda.pk, sessions[0])
    moment = changed_at(agenda)
    picks.remove(agenda.pk, sessions[0])
    assert picked(agenda) == set(sessions[1:])
    assert changed_at(agenda) == moment


def test_changed_at_moves_even_where_the_clock_does_not(agenda, sessions, time_machine):
    time_machine.move_to("2026-04-01T12:00Z", tick=False)
    moments = [changed_at(agenda)]
    for act in (picks.add, picks.remove):
        act(agenda.pk, sessions[:1] if act is picks.add else sessions[0])
        moments.append(changed_at(agenda))
    time_machine.move_to("2026-03-01T12:00Z", tick=False)  # a clock set back
    picks.add(agenda.pk, sessions)
    moments.append(changed_at(agenda))
    assert sorted(set(moments)) == moments


def test_an_agenda_that_is_gone_says_so(agenda, sessions):
    picks.delete(agenda.pk)
    picks.delete(agenda.pk)
    for act in (
        lambda: picks.add(agenda.pk, sessions),
        lambda: picks.remove(agenda.pk, sessions[0]),
    ):
        with pytest.raises(Agenda.DoesNotExist):
            act()


def test_deleting_leaves_nothing(agenda, sessions):
    picks.add(agenda.pk, sessions)
    tokens.share(agenda.pk)
    picks.delete(agenda.pk)
    assert [model.objects.count() for model in (Agenda, AgendaToken, Pick)] == [0, 0, 0]


# --- the first stars of one browser ---


def test_first_stars_of_one_browser_make_one_agenda(conference):
    first, second = (picks.start(conference.pk, "a browser") for _ in range(2))
    assert first.pk == second.pk
    assert picks.start(conference.pk, "another browser").pk != first.pk
    assert picks.start(conference.pk, None).pk != first.pk


def test_what_a_browser_has_in_common_opens_nothing_later(conference, time_machine):
    time_machine.move_to("2026-04-01T12:00Z", tick=False)
    first = picks.start(conference.pk, "a browser")
    time_machine.shift(picks.FIRST_STARS_WITHIN)
    later = picks.start(conference.pk, "a browser")
    assert later.pk != first.pk
    assert picks.start(conference.pk, "a browser").pk == later.pk
    assert Agenda.objects.get(pk=first.pk).first_key is None


def test_a_deleted_agenda_does_not_come_back_with_its_old_secrets(conference):
    first = picks.start(conference.pk, "a browser")
    old = set(tokens.live_tokens(first.pk).values())
    picks.delete(first.pk)
    again = picks.start(conference.pk, "a browser")
    assert old.isdisjoint(tokens.live_tokens(again.pk).values())


# --- merging ---


def test_merging_keeps_every_pick_and_every_way_in(conference, agenda, sessions):
    other = picks.start(conference.pk, None)
    picks.add(agenda.pk, sessions[:2])
    picks.add(other.pk, sessions[1:])
    tokens.share(other.pk)
    own, old = tokens.live_tokens(agenda.pk), tokens.live_tokens(other.pk)
    moment = changed_at(agenda)
    picks.merge(agenda.pk, other.pk)
    assert picked(agenda) == set(sessions)
    assert changed_at(agenda) > moment
    assert not Agenda.objects.filter(pk=other.pk).exists()
    for live in (own, old):
        opened = {tokens.open_with(token, purpose).agenda_id for purpose, token in live.items()}
        assert opened == {agenda.pk}
    assert set(tokens.live_tokens(agenda.pk)) == set(Purpose)


def test_merging_three_and_renewing_leaves_one_way_in(conference, agenda, sessions):
    second, third = (picks.start(conference.pk, None) for _ in range(2))
    feeds = [tokens.live_tokens(each.pk)[Purpose.FEED] for each in (agenda, second, third)]
    picks.merge(second.pk, third.pk)
    picks.merge(agenda.pk, second.pk)
    assert {tokens.open_with(feed, Purpose.FEED).agenda_id for feed in feeds} == {agenda.pk}
    tokens.renew(agenda.pk, Purpose.FEED)
    assert [tokens.open_with(feed, Purpose.FEED) for feed in feeds] == [None] * 3
    cookie = tokens.make(third.pk, Purpose.COOKIE, 0)
    assert tokens.open_with(cookie, Purpose.COOKIE).agenda_id == agenda.pk


def test_merging_does_not_bring_back_a_revoked_link(conference, agenda):
    other = picks.start(conference.pk, None)
    dead = []
    for each in (agenda, other):
        tokens.share(each.pk)
        dead.append(tokens.live_tokens(each.pk)[Purpose.SHARED])
        tokens.revoke(each.pk, Purpose.SHARED)
    picks.merge(agenda.pk, other.pk)
    assert Purpose.SHARED not in tokens.live_tokens(agenda.pk)
    assert [tokens.open_with(token, Purpose.SHARED) for token in dead] == [None, None]


def test_merging_an_agenda_with_itself_changes_nothing(agenda, sessions):
    picks.add(agenda.pk, sessions)
    moment = changed_at(agenda)
    picks.merge(agenda.pk, agenda.pk)
    assert (picked(agenda), changed_at(agenda)) == (set(sessions), moment)


def test_agendas_of_two_conferences_are_not_merged(agenda):
    foreign = picks.start(make_conference("Other Days", slug="other").pk, None)
    with pytest.raises(ValueError, match="different conferences"):
        picks.merge(agenda.pk, foreign.pk)
    picks.delete(foreign.pk)
    with pytest.raises(Agenda.DoesNotExist):
        picks.merge(agenda.pk, foreign.pk)


# --- the script's copy ---


def test_the_picks_of_a_cookie_in_one_query(agenda, sessions, django_assert_num_queries):
    cookie = tokens.live_tokens(agenda.pk)[Purpose.COOKIE]
    assert picks.picked_ids(cookie, agenda.conference_id) == []
    picks.add(agenda.pk, [sessions[2]])
    picks.add(agenda.pk, sessions[:1])
    with django_assert_num_queries(1):
        assert picks.picked_ids(cookie, agenda.conference_id) == [sessions[2], sessions[0]]
    assert picks.picked_ids(cookie, agenda.conference_id + 1) == []
    feed = tokens.live_tokens(agenda.pk)[Purpose.FEED]
    assert picks.picked_ids(feed, agenda.conference_id) == []


# --- picks and the programme ---


def test_a_picked_session_cannot_be_deleted_but_a_conference_can(agenda, sessions, conference):
    picks.add(agenda.pk, sessions[:1])
    with pytest.raises(RestrictedError), transaction.atomic():
        conference.sessions.get(pk=sessions[0]).delete()
    assert picked(agenda) == {sessions[0]}
    with publishing(by="test"):
        Conference.objects.get(pk=conference.pk).delete()
    assert not Agenda.objects.exists()


def test_picks_survive_withdrawal_and_return(agenda, sessions, conference):
    picks.add(agenda.pk, sessions)
    for status in (Status.WITHDRAWN, Status.PUBLISHED):
        with publishing(conference, by="test"):
            conference.sessions.filter(pk=sessions[0]).update(status=status)
        assert picked(agenda) == set(sessions)


def test_one_pick_per_session_whatever_the_code(agenda, sessions):
    picks.add(agenda.pk, sessions[:1])
    with pytest.raises(IntegrityError), transaction.atomic():
        Pick.objects.create(
            agenda=agenda, session_id=sessions[0], picked_at=dt.datetime(2026, 4, 1, tzinfo=dt.UTC)
        )

"""The secrets that open an agenda."""

import hashlib
import re

import pytest
from django.utils import timezone

from sessions_app.agenda import picks, tokens
from sessions_app.agenda.models import Agenda, AgendaToken
from sessions_app.agenda.tokens import Purpose
from tests.factories import make_conference, make_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def agenda():
    return picks.start(make_conference().pk, None)


def test_a_token_is_made_of_agenda_purpose_and_generation(agenda, settings):
    of_everything = {
        tokens.make(agenda_id, purpose, generation)
        for agenda_id in (agenda.pk, picks.start(agenda.conference_id, None).pk)
        for purpose in Purpose
        for generation in range(3)
    }
    assert len(of_everything) == 2 * 4 * 3
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{43}", token) for token in of_everything)
    settings.AGENDA_KEY = "another key, invented for this test alone"
    assert tokens.make(agenda.pk, Purpose.FEED, 0) not in of_everything


def test_the_table_holds_nothing_that_opens_an_agenda(agenda):
    live = tokens.live_tokens(agenda.pk)
    assert set(live) == {Purpose.COOKIE, Purpose.OPEN, Purpose.FEED}
    stored = set(AgendaToken.objects.values_list("token_hash", flat=True))
    assert stored == {hashlib.sha256(token.encode()).hexdigest() for token in live.values()}


def test_a_token_opens_its_agenda_for_its_purpose_alone(agenda, django_assert_num_queries):
    session = make_session(agenda.conference)
    picks.add(agenda.pk, [session.pk])
    token = tokens.live_tokens(agenda.pk)[Purpose.FEED]
    with django_assert_num_queries(1):
        opened = tokens.open_with(token, Purpose.FEED)
    agenda.refresh_from_db()
    picked_at = agenda.picks.get().picked_at
    assert opened == tokens.Opened(
        agenda.pk, "invented", agenda.changed_at, {session.pk: picked_at}
    )
    assert [tokens.open_with(token, other) for other in ("cookie", "open", "shared")] == [None] * 3


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "x" * 5000, "é" * 43, "\0" * 43])
def test_unknown_tokens_open_nothing(agenda, token):
    assert tokens.open_with(token, Purpose.COOKIE) is None
    assert picks.picked_ids(token, agenda.conference_id) == []


def test_renewing_kills_the_old_token_of_that_purpose_alone(agenda):
    old = tokens.live_tokens(agenda.pk)
    tokens.renew(agenda.pk, Purpose.FEED)
    new = tokens.live_tokens(agenda.pk)
    assert {purpose for purpose in old if old[purpose] != new[purpose]} == {Purpose.FEED}
    assert tokens.open_with(old[Purpose.FEED], Purpose.FEED) is None
    assert tokens.open_with(new[Purpose.FEED], Purpose.FEED) is not None


def test_a_shared_link_is_made_on_demand_and_never_comes_back_once_revoked(agenda):
    seen = []
    for _ in range(2):
        tokens.share(agenda.pk)
        tokens.share(agenda.pk)
        seen.append(tokens.live_tokens(agenda.pk)[Purpose.SHARED])
        assert tokens.open_with(seen[-1], Purpose.SHARED) is not None
        tokens.revoke(agenda.pk, Purpose.SHARED)
        assert Purpose.SHARED not in tokens.live_tokens(agenda.pk)
    assert len(set(seen)) == 2
    assert [tokens.open_with(token, Purpose.SHARED) for token in seen] == [None, None]


def test_revoking_what_was_never_shared_does_nothing(agenda):
    tokens.revoke(agenda.pk, Purpose.SHARED)
    assert Purpose.SHARED not in tokens.live_tokens(agenda.pk)


def test_renewing_for_an_agenda_that_is_gone_says_so(agenda):
    picks.delete(agenda.pk)
    for act in (lambda: tokens.renew(agenda.pk, Purpose.FEED), lambda: tokens.share(agenda.pk)):
        with pytest.raises(Agenda.DoesNotExist):
            act()
    assert not AgendaToken.objects.exists()


def test_two_revoked_links_are_not_the_same_one():
    conference = make_conference()
    for _ in range(2):
        agenda = picks.start(conference.pk, None)
        tokens.share(agenda.pk)
        tokens.revoke(agenda.pk, Purpose.SHARED)
    assert AgendaToken.objects.filter(token_hash=None).count() == 2


def test_agendas_made_without_a_browser_are_different_ones():
    conference = make_conference()
    assert picks.start(conference.pk, None).pk != picks.start(conference.pk, None).pk
    assert Agenda.objects.filter(first_key=None, created_at__lte=timezone.now()).count() == 2

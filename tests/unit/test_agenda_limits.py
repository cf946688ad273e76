"""Bounds against abuse."""

import pytest
from django.test import RequestFactory

from sessions_app.agenda.limits import (
    AGENDAS_AT_ONCE,
    AGENDAS_PER_HOUR,
    Limiter,
    client_network,
)


def test_a_bucket_empties_says_how_long_to_wait_and_fills_again():
    limiter = Limiter(at_once=2, per_hour=3600)
    assert [limiter.wait("a", now) for now in (0.0, 0.0, 0.0, 0.5)] == [0, 0, 2, 1]
    assert limiter.wait("b", 0.5) == 0
    assert [limiter.wait("a", now) for now in (1.5, 1.5)] == [0, 1]
    assert [limiter.wait("a", 100.0) for _ in range(3)] == [0, 0, 2]


def test_the_longest_unseen_keys_are_forgotten():
    limiter = Limiter(at_once=1, per_hour=1, keys=2)
    assert [limiter.wait(key, 0.0) for key in "abab"] == [0, 0, 3601, 3601]
    assert limiter.wait("c", 0.0) == 0
    assert [limiter.wait(key, 0.0) for key in "ba"] == [3601, 0]


def test_a_full_conference_centre_behind_one_address_fits():
    assert min(AGENDAS_AT_ONCE, AGENDAS_PER_HOUR) >= 5_000


@pytest.mark.parametrize(
    ("remote", "forwarded", "is_proxied", "network"),
    [
        ("192.0.2.7", "", False, "192.0.2.7"),
        ("192.0.2.7", "198.51.100.1", False, "192.0.2.7"),
        ("192.0.2.7", "203.0.113.9, 198.51.100.1", True, "198.51.100.1"),
        ("192.0.2.7", "", True, "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "", False, "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "", False, "2001:db8:1:2::/64"),
        ("", "", False, ""),
        ("192.0.2.7", "nonsense", True, ""),
        ("::ffff:192.0.2.7", "", False, "192.0.2.7"),
        ("::1", "::ffff:198.51.100.1", True, "198.51.100.1"),
        ("192.0.2.7", "198.51.100.1:4711", True, "198.51.100.1"),
        ("192.0.2.7", "[2001:db8:1:2::9]:80", True, "2001:db8:1:2::/64"),
    ],
)
def test_where_a_request_comes_from(settings, remote, forwarded, is_proxied, network):
    if is_proxied:
        settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers)
    assert client_network(request) == network

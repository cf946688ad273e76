"""What no form and no import may put into the programme."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.exceptions import ValidationError

from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("year", [1, 1969, 2200, 9999])
def test_a_year_that_no_conference_has_is_refused_at_its_field(year: int) -> None:
    conference = factories.make_conference(slug="sample")
    session = factories.make_session(conference, "Beans")
    session.starts_at = dt.datetime(year, 12, 31, 22, tzinfo=dt.UTC)
    session.ends_at = dt.datetime(year, 12, 31, 23, tzinfo=dt.UTC)
    with pytest.raises(ValidationError) as refused:
        session.full_clean()
    words = f"The year {year} is none of a conference; expected 1970 to 2199."
    assert refused.value.message_dict == {"starts_at": [words], "ends_at": [words]}
    conference.starts_on = conference.ends_on = dt.date(year, 12, 31)
    with pytest.raises(ValidationError) as refused:
        conference.full_clean()
    assert refused.value.message_dict == {"starts_on": [words], "ends_on": [words]}


def test_control_characters_are_left_out_of_names() -> None:
    session = factories.make_session(factories.make_conference(slug="sample"), "Beans")
    session.title, session.abstract = "a\x01b\x0c", "one\r\n\x02two\tthree"
    session.full_clean()
    assert (session.title, session.abstract) == ("ab", "one\ntwo\tthree")
    session.title = "\x01\x02"
    with pytest.raises(ValidationError) as refused:
        session.full_clean()
    assert list(refused.value.message_dict) == ["title"]

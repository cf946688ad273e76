"""Layouts of other Sched pages, in small inputs with invented people and conferences."""

from __future__ import annotations

import datetime as dt
from textwrap import dedent
from zoneinfo import ZoneInfo

import pytest

from sessions_app.importers import read
from sessions_app.records import Source, SourceSession, SourceSlides, SourceSpeaker, SourceTrack


def page(text: str, timezone: str | None = None) -> Source:
    """Read an indented text; "~" stands for the no-break space that begins a type line."""
    return read(dedent(text).strip("\n").replace("~", "\u00a0").encode(), timezone=timezone)


def codes(source: Source) -> list[str]:
    return [problem.code for problem in source.problems]


def times(source: Source) -> list[tuple[str, str, str]]:
    return [
        (session.title, session.starts_at.isoformat(), session.ends_at.isoformat())
        for session in source.sessions
    ]


def test_twelve_hour_clock_with_a_date_line_only_at_the_end():
    source = page(
        """
        TeapotCon 2019 has ended
        Monday, May 6
        ~

        9:35am CDT

        Keynote: Steam - Polly Kettle, Teapots Ltd
        All about steam.

        And about lids.
        Speakers
        avatar for Polly Kettle

        Polly Kettle

        Chief of Lids, Teapots Ltd
        Polly boils... Read More →
        Steam pdf
        Monday May 6, 2019 9:35am - 10:05am CDT
        Room 1 | Level 2
        ~ Keynotes

        12:00pm CDT

        Lunch
        Monday May 6, 2019 12:00pm - 1:30pm CDT
        Foyer

        11:30pm CDT

        Night Tea
        Monday May 6, 2019 11:30pm - 12:30am CDT
        Foyer
        """
    )
    chicago = ZoneInfo("America/Chicago")
    assert source.conference.name == "TeapotCon 2019"
    assert source.sessions[0] == SourceSession(
        order=1,
        line=5,
        title="Steam",
        source_title="Keynote: Steam - Polly Kettle, Teapots Ltd",
        kind="keynote",
        starts_at=dt.datetime(2019, 5, 6, 9, 35, tzinfo=chicago),
        ends_at=dt.datetime(2019, 5, 6, 10, 5, tzinfo=chicago),
        room="Room 1 | Level 2",
        tracks=(SourceTrack("Keynotes"),),
        speakers=("Polly Kettle",),
        slides=(SourceSlides("Steam", "pdf"),),
        abstract="All about steam.\nAnd about lids.",
    )
    assert source.speakers == (
        SourceSpeaker(
            name="Polly Kettle",
            headline="Chief of Lids, Teapots Ltd",
            company="Teapots Ltd",
            bio="Polly boils",
            bio_is_truncated=True,
            has_avatar=True,
        ),
    )
    assert times(source)[1:] == [
        ("Lunch", "2019-05-06T12:00:00-05:00", "2019-05-06T13:30:00-05:00"),
        ("Night Tea", "2019-05-06T23:30:00-05:00", "2019-05-07T00:30:00-05:00"),
    ]
    assert codes(source) == ["timezone-assumed", "past-midnight"]


def test_several_days_with_one_header_for_a_whole_slot():
    source = page(
        """
        Monday, May 6

        9:00am PDT

        Cups
        Monday May 6, 2019 9:00am - 9:30am PDT
        Red Room
        ~ Basics

        Saucers
        What lies under a cup.
        Monday May 6, 2019 9:00am - 10:00am PDT
        Blue Room
        ~ Basics

        Tuesday, May 7

        9:00am PDT

        Spoons
        Tuesday May 7, 2019 9:00am - 9:30am PDT
        Red Room
        ~ Basics, Cutlery
        """
    )
    assert [(s.title, s.line, s.room, s.abstract, s.tracks) for s in source.sessions] == [
        ("Cups", 3, "Red Room", "", (SourceTrack("Basics"),)),
        ("Saucers", 3, "Blue Room", "What lies under a cup.", (SourceTrack("Basics"),)),
        ("Spoons", 18, "Red Room", "", (SourceTrack("Basics"), SourceTrack("Cutlery", "Basics"))),
    ]
    assert [session.starts_at.day for session in source.sessions] == [6, 6, 7]


def test_no_time_headers_and_no_word_speakers():
    source = page(
        """
        Monday, May 6

        Cups and Balls
        Where is the ball?
        avatar for Ada Invented

        Ada Invented

        Magician
        BN

        Bob Nobody

        Assistant, Hat & Rabbit, LLC
        Bob hides.
        Monday May 6, 2019 9:00am - 9:30am PDT
        Red Room
        ~ Tricks

        Rabbits
        Monday May 6, 2019 9:30am - 10:00am PDT
        Red Room
        """
    )
    assert [(s.title, s.line, s.speakers, s.abstract) for s in source.sessions] == [
        ("Cups and Balls", 3, ("Ada Invented", "Bob Nobody"), "Where is the ball?"),
        ("Rabbits", 20, (), ""),
    ]
    assert source.speakers == (
        SourceSpeaker("Ada Invented", "Magician", has_avatar=True),
        SourceSpeaker(
            "Bob Nobody", "Assistant, Hat & Rabbit, LLC", "Hat & Rabbit, LLC", "Bob hides."
        ),
    )


def test_date_lines_twice_in_a_row_and_no_types():
    source = page(
        """
        3-5 August, 2031
        Tallinn, Estonia
        Sunday, August 3

        07:30 EEST

        Coats
        Sunday August 3, 2031 07:30 - 19:00 EEST
        Sunday August 3, 2031 07:30 - 19:00 EEST
        Great Hall Some Street 2, 10111 Tallinn, Estonia

        08:00 EEST

        Run
        Sunday August 3, 2031 08:00 - 09:00 EEST
        Bring shoes.

        There is no cost.
        Sunday August 3, 2031 08:00 - 09:00 EEST
        Great Hall Some Street 2, 10111 Tallinn, Estonia
        """
    )
    hall = "Great Hall Some Street 2, 10111 Tallinn, Estonia"
    assert [(s.title, s.room, s.abstract) for s in source.sessions] == [
        ("Coats", hall, ""),
        ("Run", hall, "Bring shoes.\nThere is no cost."),
    ]
    conference = source.conference
    assert (conference.place, conference.timezone) == ("Tallinn, Estonia", "Europe/Tallinn")
    assert (conference.starts_on, conference.ends_on) == (dt.date(2031, 8, 3), dt.date(2031, 8, 5))


def test_no_banner_opaque_rooms_and_a_page_that_breaks_off():
    source = page(
        """
        Attending this event?
        Saturday, June 5

        09:00 CEST

        Long Course
        Saturday June 5, 2027 09:00 - 17:00 CEST
        _1

        Two whole days.



        Bring a laptop.

        Speakers
        avatar for Cora Nobody

        Cora Nobody

        Trainer, Courses Inc.
        Saturday June 5, 2027 09:00 - 17:00 CEST
        _1

        09:00 CEST

        Short Course
        Saturday June 5, 2027 09:00 - 12:00 CEST
        _2
        One morn
        """
    )
    assert [(s.title, s.room, s.abstract) for s in source.sessions] == [
        ("Long Course", "_1", "Two whole days.\nBring a laptop."),
        ("Short Course", "_2", "One morn"),
    ]
    assert source.conference.timezone == "Europe/Berlin"
    assert codes(source) == ["name-missing", "timezone-assumed", "second-date-missing"]


def test_moderators_stand_among_the_speakers_too():
    source = page(
        """
        Berlin, Germany
        10:00 CEST

        Panel: Lids - Moderated by Ann Example, Lids GmbH; Ben Example & Cleo Example, Pots AG
        Friday June 4, 2027 10:00 - 11:00 CEST
        Hall
        Moderators
        avatar for Ann Example

        Ann Example

        Host, Lids GmbH
        Speakers
        avatar for Ben Example

        Ben Example

        Potter, Pots AG
        CE

        Cleo Example

        Potter, Pots AG
        Friday June 4, 2027 10:00 - 11:00 CEST
        Hall
        """
    )
    (session,) = source.sessions
    assert session.speakers == ("Ann Example", "Ben Example", "Cleo Example")
    assert session.moderators == ("Ann Example",)
    assert session.title == "Panel: Lids"


def test_tags_of_other_facets_are_remarked_on_and_several_types_are_told_apart():
    source = page(
        """
        1-2 June, 2027
        Rome, Italy
        10:00 CEST

        Pasta
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        About pasta.
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        ~ Food, Dough, Fun, Games
        • Experience Level Beginner, Any Level
        • Slides Attached No
        • Virtual Yes
        ~
          • Filter By Date
            Jun 1 - 2, 2027
          • Filter By Venue
            Rome, Italy
            All
            Hall
            Garden
          • Filter By Type
            Food
            All
            Dough
            Fun, Games
            Other
          • Experience Level
            Any Level
            Beginner
          • Timezone

        Filter sessions
          • Food
          • Fun, Games
          • Other
          • Experience Level
        """
    )
    (session,) = source.sessions
    assert source.rooms == ("Hall", "Garden")
    assert source.tracks == (
        SourceTrack("Food"),
        SourceTrack("Dough", "Food"),
        SourceTrack("Fun, Games"),
        SourceTrack("Other"),
    )
    assert session.tracks == source.tracks[:3]
    assert session.levels == ("Beginner", "Any Level")
    assert source.levels == ("Any Level", "Beginner")
    assert not session.has_slides_tag
    assert [(p.line, p.code) for p in source.problems if p.line] == [(14, "unknown-tag")]


def test_a_session_over_several_days():
    source = page(
        """
        08:00 CEST

        Hackathon
        Thursday July 5, 2018 08:00 - Friday July 6, 2018 00:00 CEST
        Garage
        """
    )
    assert times(source) == [
        ("Hackathon", "2018-07-05T08:00:00+02:00", "2018-07-06T00:00:00+02:00")
    ]


def test_a_page_of_a_single_session():
    source = page(
        """
        Back To Schedule
        Friday, November 20 • 5:55pm - 6:30pm
        Lightning Talk: Wires - Dora Imaginary, Wire Works
        Feedback form is now closed.
        A talk on wires.
        Speakers
        avatar for Dora Imaginary

        Dora Imaginary

        Engineer, Wire Works
        Friday November 20, 2020 5:55pm - 6:30pm PST
        Stage
        ~ Wires
        """,
        timezone="America/Los_Angeles",
    )
    (session,) = source.sessions
    assert (session.title, session.kind, session.room) == ("Wires", "lightning_talk", "Stage")
    assert session.abstract == "A talk on wires."
    assert session.starts_at.isoformat() == "2020-11-20T17:55:00-08:00"


def test_a_page_of_a_single_session_without_a_year_says_what_is_missing():
    source = page("Friday, November 20 • 5:55pm - 6:30pm\nWires\nStage", timezone="Europe/Paris")
    assert source.sessions == ()
    (problem,) = [p for p in source.problems if p.code == "year-missing"]
    assert problem.line == 1
    assert "without a year" in problem.message


@pytest.mark.parametrize(
    ("line", "is_filtered"),
    [
        ("Keynotes [clear filter]", True),
        ("Type: Keynotes clear filter", True),
        ("Company: Beginner clear filter", True),
        ("strong>Keynotes [clear filter]", True),
        ("Tuesday, June 1 [clear filter]", False),
        ("arrow_back View All Dates", False),
    ],
)
def test_active_filters(line, is_filtered):
    source = page(
        f"""
        Tuesday, June 1
        {line}

        10:00 CEST

        Pasta
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        """
    )
    assert source.is_filtered is is_filtered
    assert [session.title for session in source.sessions] == ["Pasta"]
    assert ("filtered" in codes(source)) is is_filtered
    assert not source.has_errors


def test_a_filter_named_in_the_footer():
    source = page(
        """
        10:00 CEST

        Pasta
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall

        Filter sessions
        Filtered by Type - Food
        Clear filter
        """
    )
    assert source.is_filtered


def test_a_time_with_nothing_under_it():
    source = page(
        """
        09:00 CEST

        10:00 CEST

        Pasta
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall

        11:00 CEST
        """
    )
    assert [session.title for session in source.sessions] == ["Pasta"]
    assert [(p.line, p.code) for p in source.problems if p.code == "nothing-under-time"] == [
        (1, "nothing-under-time"),
        (9, "nothing-under-time"),
    ]


def test_times_inside_an_abstract_are_no_headers():
    source = page(
        """
        10:00 CEST

        Workshop
        Tuesday June 1, 2027 10:00 - 12:00 CEST
        Hall
        The plan:

        10:00

        Welcome

        11:00

        Work
        Tuesday June 1, 2027 10:00 - 12:00 CEST
        Hall
        """
    )
    (session,) = source.sessions
    assert session.abstract == "The plan:\n10:00\nWelcome\n11:00\nWork"


def test_a_title_over_two_lines():
    source = page(
        """
        10:00 CEST

        Pasta
        and Sauce
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        Text.
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        """
    )
    assert source.sessions[0].source_title == "Pasta and Sauce"


def test_people_of_other_roles_are_no_speakers():
    source = page(
        """
        10:00 CEST

        Expo
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        Sponsors
        avatar for Pots AG

        Pots AG

        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        """
    )
    assert source.speakers == ()
    assert source.sessions[0].kind == "service"
    assert "other-role" in codes(source)


def test_a_heading_that_no_person_follows_is_reported():
    source = page(
        """
        10:00 CEST

        Talk
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        Speakers

        Somebody Or Other
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        """
    )
    assert [(p.line, p.code) for p in source.problems if p.code == "people-unread"] == [
        (6, "people-unread")
    ]


def test_a_person_in_two_sessions_is_one_and_differences_are_remarked_on():
    source = page(
        """
        10:00 CEST

        One
        avatar for Eve Imaginary

        Eve Imaginary

        Engineer, Pots AG
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall

        11:00 CEST

        Two
        EI

        Eve Imaginary

        Director, Pots AG
        Eve directs.
        Tuesday June 1, 2027 11:00 - 12:00 CEST
        Hall
        """
    )
    assert source.speakers == (
        SourceSpeaker(
            "Eve Imaginary", "Engineer, Pots AG", "Pots AG", "Eve directs.", has_avatar=True
        ),
    )
    assert "person-differs" in codes(source)


def test_room_and_date_lines_that_disagree():
    source = page(
        """
        10:00 CEST

        One
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        Text.
        Tuesday June 1, 2027 10:00 - 11:30 CEST
        Garden

        12:00 CEST

        Two
        Tuesday June 1, 2027 12:00 - 13:00 CEST
        Hall
        Tuesday June 1, 2027 12:00 - 13:00 CEST
        Hall
        """
    )
    assert times(source)[0] == ("One", "2027-06-01T10:00:00+02:00", "2027-06-01T11:00:00+02:00")
    assert source.sessions[0].room == "Hall"
    assert source.sessions[0].abstract == "Text."
    assert [(p.line, p.code) for p in source.problems if p.line > 4] == [
        (5, "rooms-disagree"),
        (7, "dates-disagree"),
    ]


def test_the_text_of_a_page_without_indents_and_with_an_address_below_the_room():
    source = page(
        """
        10:00 CEST

        One
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        Text.
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        Some Street 2
        Food
        • Audience Level Any

        • Filter By Type
        Food
        """
    )
    (session,) = source.sessions
    assert (session.room, session.tracks) == ("Hall", (SourceTrack("Food"),))
    assert [(p.line, p.code) for p in source.problems if p.line > 4] == [(9, "stray-text")]


def test_headers_without_the_zone_that_the_date_lines_have():
    source = page(
        """
        9:00am

        One
        Tuesday June 1, 2027 9:00am - 10:00am CEST
        Hall

        10:00am

        Two
        Tuesday June 1, 2027 10:00am - 11:00am CEST
        Hall
        """
    )
    assert [(session.title, session.line) for session in source.sessions] == [
        ("One", 1),
        ("Two", 7),
    ]


def test_two_sessions_of_a_slot_that_print_nothing_but_their_rooms():
    source = page(
        """
        9:00am CEST

        Cups
        Tuesday June 1, 2027 9:00am - 10:00am CEST
        Red Room

        Saucers
        About saucers.
        Tuesday June 1, 2027 9:00am - 10:00am CEST
        Blue Room

        10:00am CEST

        Spoons
        Tuesday June 1, 2027 10:00am - 11:00am CEST
        Red Room
        """
    )
    assert [(s.title, s.room, s.abstract) for s in source.sessions] == [
        ("Cups", "Red Room", ""),
        ("Saucers", "Blue Room", "About saucers."),
        ("Spoons", "Red Room", ""),
    ]


def test_initials_in_an_abstract_are_no_people():
    source = page(
        """
        10:00 CEST

        One
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        We speak of:

        AI

        Artificial Intelligence

        and more.
        Speakers
        AI

        Ann Imaginary

        Engineer, Pots AG
        Tuesday June 1, 2027 10:00 - 11:00 CEST
        Hall
        """
    )
    (session,) = source.sessions
    assert session.speakers == ("Ann Imaginary",)
    assert session.abstract == "We speak of:\nAI\nArtificial Intelligence\nand more."

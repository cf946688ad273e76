"""Kinds and speakers in titles: cut only where certain."""

from __future__ import annotations

import pytest

from sessions_app.importers.sched_text.names import is_same_person
from sessions_app.importers.sched_text.people import company_of
from sessions_app.importers.sched_text.titles import Title, read_title
from sessions_app.records import SourceSpeaker

ADA = SourceSpeaker("Ada Example", "Engineer, Brick & Mortar", "Brick & Mortar")
BOB = SourceSpeaker("Bob Example", "Director, widgetry", "widgetry")
CLEO = SourceSpeaker("Cleo Sample", bio="Cleopatra Sample is a queen.")


@pytest.mark.parametrize(
    ("printed", "people", "shown"),
    [
        ("Walls - Ada Example, Brick & Mortar", [ADA], "Walls"),
        ("Walls - Ada Example", [ADA], "Walls"),
        ("Walls – Ada Example, Head - Walls, Somewhere Else", [ADA], "Walls"),
        ("Walls - Old - Ada Example & Bob Example, Both Ltd", [ADA, BOB], "Walls - Old"),
        ("Walls - Bob Example, widgetry; Ada Example, X", [ADA, BOB], "Walls"),
        ("Walls - Ada Example, Brick & Mortar and Bob Example, Y", [ADA, BOB], "Walls"),
        ("Walls - ada example, 3 Bricks,Inc", [ADA], "Walls"),
        ("Walls - Adá Exampel, X", [ADA], "Walls"),
        ("Walls - A. Example", [ADA], "Walls"),
        ("Walls - Cleopatra Sample", [CLEO], "Walls"),
        ("Walls - Example Ada", [ADA], "Walls"),
    ],
)
def test_a_suffix_that_names_the_listed_people_is_cut(printed, people, shown):
    assert read_title(printed, people).text == shown


@pytest.mark.parametrize(
    ("printed", "people", "is_suspect"),
    [
        ("Walls - Ada Example, Brick & Mortar", [], False),
        ("Walls - A History", [ADA], False),
        ("Walls - Ada Example, a life in walls", [ADA], True),
        ("Walls - Ada Example and the bricks", [ADA], True),
        ("Walls - Ada Example & Zoe Unlisted, Z", [ADA], True),
        ("Walls - Ada Example, X", [ADA, BOB], True),
        ("Walls - With Ada Example", [ADA], False),
        ("Walls: Ada Example, X", [ADA], False),
        ("Walls - Eve Example", [ADA], False),
    ],
)
def test_anything_else_stays(printed, people, is_suspect):
    assert read_title(printed, people) == Title(printed, is_suffix_kept=is_suspect)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("Keynote: Walls", Title("Walls", "keynote")),
        ("KEYNOTE: Walls", Title("Walls", "keynote")),
        ("Sponsored Keynote: Walls", Title("Walls", "keynote", is_sponsored=True)),
        ("Lightning Talk: Walls: Old", Title("Walls: Old", "lightning_talk")),
        ("Birds of a Feather: Walls", Title("Walls", "birds_of_a_feather")),
        ("Sponsor Activity - Walls", Title("Walls", "sponsor_activity", is_sponsored=True)),
        ("Sponsored Session: Walls", Title("Walls", "sponsored_session", is_sponsored=True)),
        ("Keynote:", Title("Keynote:")),
        ("Keynote: -", Title("Keynote: -")),
        ("Keynotes: Walls", Title("Keynotes: Walls")),
        ("Our Keynote: Walls", Title("Our Keynote: Walls")),
    ],
)
def test_kinds_by_prefix(printed, expected):
    assert read_title(printed, []) == expected


def test_differing_spellings_are_remembered():
    title = read_title("Walls - Ada Exampel, X & bob example", [ADA, BOB])
    assert title.respelt == (("Ada Exampel", "Ada Example"), ("bob example", "Bob Example"))


def test_moderators_may_be_left_out():
    assert read_title("Walls - Ada Example, X", [ADA, BOB], ["Bob Example"]).text == "Walls"


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Jane Roe", "John Roe"),
        ("Mark Roe", "Mary Roe"),
        ("Jane Roe", "Jane Row-Smith"),
        ("Roe", "Jane Roe"),
        ("", "Jane Roe"),
        ("Jane", "Jane Roe"),
        ("!", "?"),
    ],
)
def test_other_people_are_other_people(printed, name):
    assert not is_same_person(printed, name)


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Dave Roe", "David Roe"),
        ("D. Roe", "David Roe"),
        ("David Roe", "D. X. Roe"),
        ("Josè Ñandu", "jose nandu"),
        ("Łukasz Øre", "Lukasz Ore"),
        ("Jane Konkrete", "Jane Kondrete"),
    ],
)
def test_spellings_of_one_name(printed, name):
    assert is_same_person(printed, name)


@pytest.mark.parametrize(
    ("headline", "company"),
    [
        ("", ""),
        ("Engineer", ""),
        ("Engineer, Pots", "Pots"),
        ("Engineer,Pots", "Pots"),
        ("Engineer, Pots, Inc.", "Pots, Inc."),
        ("Engineer, Pots Co., Ltd.", "Pots Co., Ltd."),
        ("Engineer, Pots, Co., Ltd.", "Pots, Co., Ltd."),
        ("Engineer, Department of Clay, Pots GmbH", "Pots GmbH"),
        ("Pots, Inc.", "Pots, Inc."),
        ("Pots, LLC", "Pots, LLC"),
        ("Inc.", ""),
        (", Inc.", "Inc."),
        ("Engineer, ", ""),
        ("Engineer, Incoming Pots", "Incoming Pots"),
    ],
)
def test_company_of_a_headline(headline, company):
    assert company_of(headline) == company

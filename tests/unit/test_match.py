"""Which session of a source is which row."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from sessions_app.loader.match import Face, match

DAY = dt.date(2026, 4, 8)


def face(
    title="Beans",
    hour=10,
    *,
    day=DAY,
    people=("ada",),
    room="Attic",
    key="",
    printed="",
    is_gone=False,
):
    starts_at = dt.datetime.combine(day, dt.time(hour), dt.UTC)
    return Face(key, title, printed or title, starts_at, day, room, frozenset(people), is_gone)


def test_the_key_decides_before_everything_else():
    known = [face("Beans", key="k2"), face("Figs", 12, key="k1")]

    assert match([face("Beans", key="k1")], known, {DAY}) == {0: 1}


def test_the_printed_title_and_the_start_decide_before_title_and_people():
    known = [face("Beans", 12), face("Beans", 10, people=("ben",))]

    assert match([face("Beans", 10)], known, {DAY})[0] == 1


def test_the_room_tells_twins_apart():
    known = [face(room="Cellar"), face(room="Attic")]

    assert match([face(room="Loft"), face(room="Attic")], known, {DAY}) == {0: 0, 1: 1}


def test_the_nearest_in_time_is_the_one_that_moved():
    known = [face(hour=8), face(hour=14)]

    assert match([face(hour=15), face(hour=9)], known, {DAY}) == {0: 1, 1: 0}


def test_another_title_with_other_people_is_another_session():
    assert match([face("Figs", people=("ben",))], [face()], {DAY}) == {}


def test_a_new_title_is_recognized_only_where_it_is_the_only_one():
    known = [face("Beans"), face("Peas")]

    assert match([face("Figs"), face("Nuts")], known, {DAY}) == {}
    assert match([face("Figs"), face("Peas")], known, {DAY}) == {1: 1, 0: 0}
    assert match([face("Figs", people=())], [face("Beans", people=())], {DAY}) == {}


def test_a_row_that_an_import_cancelled_may_come_back_on_another_day():
    tomorrow = DAY + dt.timedelta(days=1)
    new = [face(day=tomorrow)]

    assert match(new, [face()], {tomorrow}) == {}
    assert match(new, [face(is_gone=True)], {tomorrow}) == {0: 0}
    assert match(new, [face()], {DAY, tomorrow}) == {0: 0}


def test_what_has_no_people_stays_on_its_day():
    tomorrow = DAY + dt.timedelta(days=1)

    assert match([face(day=tomorrow, people=())], [face(people=())], {DAY, tomorrow}) == {}


FACES = st.lists(
    st.builds(
        face,
        title=st.sampled_from("ab"),
        hour=st.integers(8, 10),
        people=st.sampled_from([(), ("x",)]),
        room=st.sampled_from("rs"),
    ),
    max_size=6,
)


@given(said=FACES, known=FACES)
def test_no_row_is_matched_twice(said, known):
    pairs = match(said, known, {DAY})

    assert len(set(pairs.values())) == len(pairs)
    assert set(pairs) <= set(range(len(said)))


@given(faces=FACES)
def test_a_programme_matches_itself_whole(faces):
    pairs = match(faces, faces, {DAY})

    assert len(pairs) == len(faces)
    assert all(faces[new] == faces[old] for new, old in pairs.items())

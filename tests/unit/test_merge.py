"""The one rule of loading, field by field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.loader.merge import created, merge
from sessions_app.loader.plan import FieldChange, Kept

VALUES = st.sampled_from(["", "a", "b", [], ["a"], None, False, True, 0, 1])


@pytest.mark.parametrize(
    ("here", "stored", "said", "written", "kept"),
    [
        ("a", "a", "a", None, False),  # nothing new
        ("a", "a", "b", "b", False),  # follows the source
        ("mine", "a", "a", None, True),  # changed by hand
        ("mine", "a", "b", None, True),  # changed by hand, and the source moved on
        ("b", "a", "b", None, False),  # both came to the same
        ("", "a", "b", None, True),  # emptied by hand
    ],
)
def test_one_field(here, stored, said, written, kept):
    merged = merge({"x": here}, {"x": stored}, {"x": said})

    assert merged.values == ({} if written is None else {"x": written})
    assert merged.changes == (() if written is None else (FieldChange("x", here, said),))
    assert merged.kept == ((Kept("x", here, said),) if kept else ())
    assert merged.source_values == {"x": said}


@pytest.mark.parametrize(
    ("here", "is_kept"),
    [("", False), (None, False), ([], False), ("a", True), (False, True), (0, True)],
)
def test_a_row_that_no_import_ever_wrote_only_has_its_gaps_filled(here, is_kept):
    merged = merge({"x": here}, {}, {"x": "said"})

    assert bool(merged.kept) is is_kept
    assert bool(merged.values) is not is_kept


def test_what_a_source_says_nothing_about_stays_as_it_is():
    merged = merge({"x": "a", "y": "b"}, {"x": "a"}, {"x": "", "y": ""}, unsaid={"x", "y"})

    assert (merged.values, merged.source_values, merged.kept) == ({}, {"x": "a"}, ())


@given(here=VALUES, stored=VALUES, said=VALUES)
def test_merging_again_finds_nothing_left_to_do(here, stored, said):
    first = merge({"x": here}, {"x": stored}, {"x": said})
    now = {"x": here} | first.values
    second = merge(now, first.source_values, {"x": said})

    assert second.values == {}
    assert second.source_values == first.source_values
    assert second.kept == first.kept


def test_a_new_row_has_all_that_is_said():
    assert created({"x": 1}).values == created({"x": 1}).source_values == {"x": 1}

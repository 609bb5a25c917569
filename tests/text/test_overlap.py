"""Token overlap of two texts."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from mmind.text.overlap import overlap, overlaps, shared_counts


def test_overlap_is_shared_tokens_over_all_tokens() -> None:
    assert overlap(["a", "b", "c"], ["b", "c", "d"]) == 0.5


def test_repeats_count_once() -> None:
    assert overlap(["a", "a", "b"], {"a", "b"}) == 1.0


def test_an_empty_side_overlaps_with_nothing() -> None:
    assert overlap([], []) == 0.0
    assert overlap([], ["a"]) == 0.0


@given(st.sets(st.sampled_from("abcdef")), st.sets(st.sampled_from("abcdef")))
def test_overlap_is_symmetric_and_within_bounds(left: set[str], right: set[str]) -> None:
    assert 0.0 <= overlap(left, right) == overlap(right, left) <= 1.0


def test_counts_of_all_pairs_give_the_very_same_overlap() -> None:
    rng = random.Random(3)
    sets = [frozenset(rng.choices("abcdefghijklmnop", k=rng.randrange(12))) for _ in range(60)]
    made = overlaps(shared_counts(sets)).tolist()
    assert made == [[overlap(left, right) for right in sets] for left in sets]


def test_no_sets_have_no_counts() -> None:
    assert shared_counts([]).shape == (0, 0)

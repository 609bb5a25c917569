"""The second look as plain arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.scoring.relevance import MOST_SECOND_LOOK, STANDS_FOR, counted_as_found, looked_again


def test_a_second_look_moves_the_cosine_towards_the_match_as_far_as_words_attain() -> None:
    assert looked_again(0.4, 0.9, distance=0.2, attained=0.0) == pytest.approx(0.4)
    assert 0.4 < looked_again(0.4, 0.9, 0.2, attained=0.1) < looked_again(0.4, 0.9, 0.2, attained=0.3) < 0.7
    most = (1 - MOST_SECOND_LOOK) * 0.4 + MOST_SECOND_LOOK * 0.7
    assert looked_again(0.4, 0.9, 0.2, attained=1.0) == pytest.approx(most)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-2, 2), st.floats(0, 1))
def test_a_cosine_after_a_second_look_is_one(cosine: float, match: float, distance: float, attained: float) -> None:
    assert -1.0 <= looked_again(cosine, match, distance, attained) <= 1.0


def test_only_what_is_near_stands_for_a_word_and_never_for_the_whole_of_it() -> None:
    assert counted_as_found(-1.0) == counted_as_found(STANDS_FOR) == 0.0
    assert 0.0 < counted_as_found(0.7) < counted_as_found(1.0) < 1.0

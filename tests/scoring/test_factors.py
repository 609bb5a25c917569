"""Each factor as plain arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.scoring.confidence import WEAK_BELOW, confidence
from mmind.scoring.corroboration import corroboration
from mmind.scoring.recency import recency
from mmind.scoring.relevance import blend, drawn, lexical_share, words_score, words_weight
from mmind.scoring.standing import sharpened

SHARE = st.floats(0, 1)


def test_relevance_weighs_words_and_meaning_as_asked() -> None:
    assert blend(0.5, 0.8, 0.3, 0.7) == pytest.approx(0.3 * 0.5 + 0.7 * 0.8)


def test_a_passage_without_a_vector_scores_three_quarters_of_its_words() -> None:
    assert blend(1.0, None, 0.3, 0.7) == pytest.approx(0.75, abs=0.001)


def test_no_opinion_is_not_zero() -> None:
    assert blend(0.8, None, 0.3, 0.7) > blend(0.8, 0.0, 0.3, 0.7)


def test_where_nobody_speaks_relevance_is_zero() -> None:
    assert blend(None, None, 0.3, 0.7) == 0.0


def test_weights_that_are_both_zero_divide_by_nothing() -> None:
    assert blend(1.0, 1.0, 0.0, 0.0) == 0.0


@given(SHARE, st.floats(-1, 1), SHARE, SHARE)
def test_relevance_stays_between_zero_and_one(lexical: float, cosine: float, words: float, meaning: float) -> None:
    assert 0.0 <= blend(lexical, cosine, words, meaning) <= 1.0 + 1e-9


def test_a_lone_weak_word_match_does_not_look_certain() -> None:
    assert lexical_share(0.6, best=0.6) == pytest.approx(0.2)


def test_a_passage_that_holds_the_whole_query_keeps_its_word_score_and_one_that_does_not_loses() -> None:
    assert words_score(6.0, 1.0, coverage=1.0) == 7.0
    assert words_score(6.0, 1.0, coverage=0.0) == pytest.approx(5.6)


def test_words_weigh_what_is_set_where_the_best_match_attains_a_quarter() -> None:
    assert words_weight(0.3, 0.25) == pytest.approx(0.3)


def test_words_weigh_little_where_no_passage_holds_much_of_the_query() -> None:
    assert words_weight(0.3, 0.01) < 0.1 < 0.3 < words_weight(0.3, 0.6)


def test_a_query_moves_towards_its_best_passage_but_not_past_it() -> None:
    assert drawn(0.4, 0.9, 0.7) > drawn(0.4, 0.4, 0.7) > drawn(0.4, 0.0, 0.7)
    assert drawn(1.0, 1.0, 1.0) == pytest.approx(1.0)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_a_drawn_cosine_is_a_cosine(cosine: float, likeness: float, best: float) -> None:
    assert -1.0 <= drawn(cosine, likeness, best) <= 1.0


def test_recency_halves_at_the_half_life_and_stops_at_the_floor() -> None:
    assert [recency(age, 100, 0.4) for age in (0, 100, 1_000_000)] == [1.0, 0.5, 0.4]


def test_the_future_counts_as_now_and_no_time_as_a_sixth_of_a_half_life() -> None:
    assert [recency(age, 100, 0.4) for age in (-30, None)] == pytest.approx([1.0, 2 ** (-1 / 6)])


@given(st.floats(-1e9, 1e9), st.floats(0.01, 1e6), SHARE)
def test_recency_stays_between_the_floor_and_one(age: float, half_life: float, floor: float) -> None:
    assert floor <= recency(age, half_life, floor) <= 1.0


def test_corroboration_is_bounded() -> None:
    assert [corroboration(extra, 0.12) for extra in (-1, 0, 1, 3, 1000)] == pytest.approx([1, 1, 1.12, 1.36, 1.36])


def test_agreement_about_what_is_beside_the_point_earns_little() -> None:
    assert [corroboration(1, 0.12, standing) for standing in (1.0, 0.5, 0.0)] == pytest.approx([1.12, 1.0075, 1.0])


@given(SHARE, SHARE)
def test_the_best_keeps_its_relevance_and_others_lose_without_changing_places(left: float, right: float) -> None:
    best = max(left, right)
    of_left, of_right = sharpened(left, best), sharpened(right, best)
    assert max(of_left, of_right) == pytest.approx(best)
    assert 0.0 <= min(of_left, of_right) <= min(left, right)
    assert of_left <= of_right if left <= right else of_left >= of_right


def test_four_fifths_of_the_best_relevance_count_as_less_and_nearly_all_of_it_as_it_is() -> None:
    assert [sharpened(blend, 1.0) for blend in (0.8, 0.95, 1.0)] == pytest.approx([0.5673, 0.95, 1.0], abs=1e-4)


def test_confidence_tells_an_answer_from_a_stranger() -> None:
    assert confidence(coverage=0.0, cosine=0.1) < WEAK_BELOW < confidence(coverage=0.5, cosine=0.5)


def test_confidence_of_words_alone_is_their_coverage() -> None:
    assert confidence(coverage=0.7, cosine=None) == 0.7

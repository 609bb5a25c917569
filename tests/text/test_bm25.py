"""BM25, its idf, the score that nothing exceeds, and how much of a query is covered."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.scoring.confidence import WEAK_BELOW
from mmind.text.bm25 import (
    CLOSENESS,
    LEAST_WEIGHT,
    MOST_EXPECTED,
    attainable,
    bm25,
    closeness,
    coverage,
    emphasis,
    idf,
)
from mmind.values.query import TermStatistics

CORPUS = TermStatistics(passages=100, total_length=1000.0, frequencies={"rare": 1, "common": 90})


def test_idf_is_lucenes() -> None:
    assert idf(1, 100) == pytest.approx(math.log(1 + 99.5 / 1.5))


def test_idf_stays_above_zero_for_a_term_in_every_passage() -> None:
    assert idf(100, 100) > 0


def test_a_frequency_above_the_number_of_passages_counts_as_that_number() -> None:
    assert idf(120, 100) == idf(100, 100)


def test_an_empty_corpus_has_an_idf() -> None:
    assert idf(0, 0) == pytest.approx(math.log(2))


def test_bm25_of_one_term_in_a_passage_of_mean_length() -> None:
    # tf 2, length = mean: idf * 2 * 2.2 / (2 + 1.2)
    assert bm25({"rare": 2.0}, 10.0, CORPUS, ("rare",)) == pytest.approx(idf(1, 100) * 2 * 2.2 / 3.2)


def test_a_word_that_the_question_repeats_weighs_more_and_never_more_than_nine_times() -> None:
    assert emphasis(1) == 1.0
    assert 1.0 < emphasis(2) < 2.0
    assert emphasis(10**6) == pytest.approx(9.0, abs=1e-3)
    held, terms = {"rare": 1.0}, ("rare", "common")
    said_twice = bm25(held, 10.0, CORPUS, terms, {"rare": 2})
    assert said_twice == pytest.approx(emphasis(2) * bm25(held, 10.0, CORPUS, terms))
    assert said_twice < attainable(terms, CORPUS, {"rare": 2})


def test_a_rare_word_outweighs_a_common_one() -> None:
    assert bm25({"rare": 1.0}, 10.0, CORPUS, ("rare", "common")) > bm25(
        {"common": 9.0}, 10.0, CORPUS, ("rare", "common")
    )


def test_the_longer_of_two_passages_scores_less() -> None:
    assert bm25({"rare": 1.0}, 40.0, CORPUS, ("rare",)) < bm25({"rare": 1.0}, 10.0, CORPUS, ("rare",))


def test_a_corpus_of_nothing_still_gives_a_score() -> None:
    assert bm25({"rare": 1.0}, 5.0, TermStatistics(), ("rare",)) == pytest.approx(math.log(2))


def test_coverage_is_the_share_of_idf_that_is_present() -> None:
    expected = idf(1, 100) / (idf(1, 100) + idf(90, 100))
    assert coverage({"rare": 3.0}, ("rare", "common"), CORPUS) == pytest.approx(expected)


def test_a_term_unknown_to_the_corpus_is_missed_most() -> None:
    assert coverage({"common": 1.0}, ("common", "unknown"), CORPUS) < 0.05


@pytest.mark.parametrize("copies", [0, 1, 10, 1_000, 100_000])
def test_what_is_covered_does_not_vanish_in_a_crowd_that_says_the_same(copies: int) -> None:
    crowd = TermStatistics(copies + 1, 8.0 * copies, dict.fromkeys(("pool", "open", "swim"), copies + 1))
    counts = {"pool": 1.0, "open": 1.0, "swim": 1.0}
    assert coverage(counts, ("swim", "pool", "open", "sunday", "winter"), crowd, LEAST_WEIGHT) >= WEAK_BELOW


def test_of_a_pasted_dialogue_a_part_counts_as_the_whole() -> None:
    terms = tuple(f"word{number}" for number in range(200))
    held = dict.fromkeys(terms[:MOST_EXPECTED], 1.0)
    assert coverage(held, terms, CORPUS) == pytest.approx(1.0)


def test_a_pair_earns_the_smaller_idf_of_its_two_terms() -> None:
    assert closeness({0}, ("rare", "common"), CORPUS) == pytest.approx(CLOSENESS * idf(90, 100))
    assert closeness((), ("rare", "common"), CORPUS) == 0.0


def test_no_terms_cover_and_attain_nothing() -> None:
    assert (coverage({}, (), CORPUS), attainable((), CORPUS), bm25({}, 0.0, CORPUS, ())) == (0.0, 0.0, 0.0)


@given(
    counts=st.dictionaries(st.sampled_from(["rare", "common", "unknown"]), st.floats(0, 1000)),
    length=st.floats(0, 1e6),
    passages=st.integers(0, 1000),
)
def test_no_passage_exceeds_what_is_attainable(counts: dict[str, float], length: float, passages: int) -> None:
    statistics = TermStatistics(passages, passages * 12.5, {"rare": 1, "common": passages})
    terms = ("rare", "common", "unknown")
    assert 0.0 <= bm25(counts, length, statistics, terms) <= attainable(terms, statistics) + 1e-9
    assert 0.0 <= coverage(counts, terms, statistics) <= 1.0


def test_a_stub_earns_no_more_than_a_passage_of_half_the_mean_length() -> None:
    half = CORPUS.total_length / CORPUS.passages / 2
    stub, short, longer = (bm25({"rare": 1.0}, length, CORPUS, ("rare",)) for length in (1.0, half, 2 * half))
    assert stub == short > longer

"""Step 5: the score is the product of its reasons."""

from __future__ import annotations

import math

import pytest

from mmind.router.score import scored
from mmind.values.memory import Trust
from mmind.values.ranking import Ranking
from tests.router.build import NOON, candidate

PLAIN = Ranking()


def test_an_old_relevant_note_outranks_a_fresh_vague_one() -> None:
    old, fresh = candidate("old", lexical=0.9, days=300), candidate("fresh", lexical=0.3, days=0)
    assert [one.passage.text for one in scored([fresh, old], PLAIN, NOON)] == ["old", "fresh"]


def test_of_two_equal_ones_the_newer_comes_first() -> None:
    old, fresh = candidate("old", days=300), candidate("fresh", days=1)
    assert [one.passage.text for one in scored([old, fresh], PLAIN, NOON)] == ["fresh", "old"]


def test_of_two_equal_ones_the_curated_comes_first() -> None:
    mine, its = candidate("mine", trust=Trust.CURATED), candidate("its", trust=Trust.GENERATED)
    assert [one.passage.text for one in scored([its, mine], PLAIN, NOON)] == ["mine", "its"]


def test_trust_settles_near_ties_and_does_not_lift_what_is_clearly_less_to_the_point() -> None:
    answer, near = candidate("answer", lexical=0.9), candidate("near", lexical=0.85, trust=Trust.CURATED)
    beside = candidate("beside", lexical=0.8, trust=Trust.CURATED)
    assert [one.passage.text for one in scored([beside, answer, near], PLAIN, NOON)] == ["near", "answer", "beside"]


def test_the_value_is_exactly_the_product_of_the_factors() -> None:
    (only,) = scored([candidate(lexical=0.37, cosine=0.61, days=123.4, trust=Trust.CURATED)], PLAIN, NOON)
    assert [factor.name for factor in only.score.factors] == ["relevance", "recency", "trust"]
    assert only.score.value == math.prod(factor.value for factor in only.score.factors)


@pytest.mark.parametrize(
    ("days", "words"),
    [(None, "no time known"), (-30, "future"), (0.2, "today"), (1.2, "1 day old"), (400, "400 days old")],
)
def test_recency_says_what_it_knows_of_the_age(days: float | None, words: str) -> None:
    (only,) = scored([candidate(days=days)], PLAIN, NOON)
    assert words in only.score.factors[1].reason


def test_order_never_wavers_among_equals() -> None:
    ones = [candidate("a", id="a"), candidate("b", id="b"), candidate("c", id="c")]
    assert [one.memory.id for one in scored(reversed(ones), PLAIN, NOON)] == ["a", "b", "c"]


def test_what_shares_neither_word_nor_meaning_is_left_out() -> None:
    assert scored([candidate(lexical=0.0, cosine=-0.2)], PLAIN, NOON) == []


def test_what_was_kept_for_the_session_that_asks_comes_before_an_equal_memory_without_one() -> None:
    plain, its = candidate("plain", id="a"), candidate("its", id="b", session="refactor")
    first, second = scored([plain, its], PLAIN, NOON)
    assert [first.passage.text, second.passage.text] == ["its", "plain"]
    assert [factor.name for factor in first.score.factors] == ["relevance", "recency", "trust", "session"]
    assert [factor.name for factor in second.score.factors] == ["relevance", "recency", "trust"]


def test_the_users_word_comes_before_an_equal_memory_of_the_session() -> None:
    mine, its = candidate("mine", trust=Trust.CURATED), candidate("its", session="refactor")
    assert [one.passage.text for one in scored([its, mine], PLAIN, NOON)] == ["mine", "its"]

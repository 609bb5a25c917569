"""Terms that stand together in the query and in the passage."""

from __future__ import annotations

from mmind.text.fields import PassageTokens
from mmind.text.proximity import WINDOW, near_pairs


def body(text: str) -> PassageTokens:
    return PassageTokens("", "", text)


def test_neighbours_of_the_query_that_stand_together_are_a_pair() -> None:
    assert near_pairs(body("the spare key hangs here"), ("spare", "key")) == {0}


def test_the_place_of_a_pair_is_that_of_its_first_term() -> None:
    assert near_pairs(body("blue door"), ("key", "blue", "door")) == {1}


def test_a_few_words_may_stand_between() -> None:
    between = " and" * (WINDOW - 1)
    assert near_pairs(body(f"spare{between} key"), ("spare", "key")) == {0}
    assert near_pairs(body(f"spare{between} and key"), ("spare", "key")) == frozenset()


def test_the_other_way_round_is_no_pair() -> None:
    assert near_pairs(body("key spare"), ("spare", "key")) == frozenset()


def test_a_later_repeat_makes_the_pair() -> None:
    assert near_pairs(body("spare a b c d e f spare key"), ("spare", "key")) == {0}


def test_two_fields_do_not_touch() -> None:
    assert near_pairs(PassageTokens("spare", "", "key"), ("spare", "key")) == frozenset()
    assert near_pairs(PassageTokens("spare key", "", ""), ("spare", "key")) == {0}


def test_one_term_and_no_text_have_no_pairs() -> None:
    assert near_pairs(body("spare key"), ("spare",)) == near_pairs(body(""), ("spare", "key")) == frozenset()

"""The best passage draws its neighbours in meaning up, and stays where it is itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mmind.router.candidate import Candidate
from mmind.router.feedback import with_feedback
from tests.router.build import candidate


def at(text: str, cosine: float | None, vector: list[float] | None) -> Candidate:
    made = candidate(text, cosine=cosine, lexical=None)
    return replace(made, hit=replace(made.hit, vector=vector))


def cosine(one: Candidate) -> float:
    return one.cosine or 0.0


BEST = at("the boiler is serviced in May", 0.7, [1.0, 0.0])
KIN = at("its pressure was 1.2 bar then", 0.4, [0.8, 0.6])
STRANGER = at("the ferry leaves at noon", 0.4, [0.0, 1.0])


def meanings(*candidates: Candidate) -> list[float | None]:
    return [one.meaning for one in with_feedback(candidates, cosine)]


def test_what_is_like_the_best_passage_gains_on_what_is_not() -> None:
    _, kin, stranger = meanings(BEST, KIN, STRANGER)
    assert kin is not None
    assert stranger is not None
    assert kin > stranger


def test_the_best_passage_stays_ahead_by_what_it_was_ahead_of_its_nearest_neighbour() -> None:
    best, kin = meanings(BEST, KIN)
    assert best is not None
    assert kin is not None
    assert 0.2 < best - kin <= 0.3


def test_a_passage_without_vector_is_as_near_to_the_best_as_to_the_query() -> None:
    _, unknown, stranger, kin = meanings(BEST, at("somewhere else", 0.4, None), STRANGER, KIN)
    assert unknown is not None
    assert stranger is not None
    assert kin is not None
    assert stranger < unknown < kin


def test_a_passage_without_opinion_keeps_it() -> None:
    assert meanings(BEST, candidate(cosine=None), KIN)[1] is None


@pytest.mark.parametrize("best", [candidate(cosine=None), at("no vector", 0.9, None)])
def test_a_best_passage_without_vector_draws_nothing(best: Candidate) -> None:
    assert with_feedback([best, KIN], lambda one: float(one is best)) == [best, KIN]


def test_a_vector_of_another_length_is_not_compared() -> None:
    assert meanings(BEST, at("other model", 0.4, [1.0, 0.0, 0.0]))[1] == pytest.approx(
        meanings(BEST, at("none", 0.4, None))[1]
    )


def test_nothing_and_one_alone_are_left_as_they_are() -> None:
    assert with_feedback([], cosine) == []
    assert [one.cosine for one in with_feedback([BEST], cosine)] == [0.7]


def test_a_copy_of_the_best_passage_is_no_neighbour_of_it_and_gains_it_nothing() -> None:
    alone, kin = meanings(BEST, KIN)
    best, copy, beside = meanings(BEST, replace(BEST, hit=replace(BEST.hit, length=9.0)), KIN)
    assert best == copy == pytest.approx(alone)
    assert beside == pytest.approx(kin)
